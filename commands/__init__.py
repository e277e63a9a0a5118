"""The commands of herdlab, one file a group; cli.py puts them together."""
