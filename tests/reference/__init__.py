"""Plain reference implementations, written from the printed rules alone."""
