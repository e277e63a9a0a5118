"""Strategies of SWAP!; importing this registers them."""

from strategies.swap import rememberer, tactician

__all__ = ["rememberer", "tactician"]
