"""Strategies of SWAP!; importing this registers them."""

from strategies.swap import shedder

__all__ = ["shedder"]
