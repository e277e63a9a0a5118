"""Names of strategies as people give them: in one text with commas, or in a list."""
