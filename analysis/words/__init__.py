"""Words for people: numbers, phrases, and the stories that `trace` tells."""
