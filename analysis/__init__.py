"""From sums to findings: estimates, results, stories, benchmarks."""
