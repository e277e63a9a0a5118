"""Studies: what a TOML file asks for, read and played."""
