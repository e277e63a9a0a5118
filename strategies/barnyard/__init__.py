"""Strategies of Barnyard Swap; importing this registers them."""

from strategies.barnyard import gatherer

__all__ = ["gatherer"]
