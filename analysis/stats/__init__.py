"""Statistics: arrays in, numbers with intervals out."""
