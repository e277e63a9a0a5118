"""The games: their rules, the compiled engines that play them, and exact solutions."""
