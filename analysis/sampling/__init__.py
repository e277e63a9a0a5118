"""From games to samples: metrics, paired samples, line-ups, histograms, curves."""
