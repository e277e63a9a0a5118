"""Strategies of SWAP!; importing this registers them."""

from herdlab.strategies.swap import rememberer, tactician

__all__ = ["rememberer", "tactician"]
