"""What the commands find out by playing: simulate, compare, tournament, sweep, tune, luck."""
