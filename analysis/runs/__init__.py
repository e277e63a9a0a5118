"""Where and how long games are played: threads, run folders, rows, Dask, progress, files."""
