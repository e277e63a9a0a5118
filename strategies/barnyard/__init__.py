"""Strategies of Barnyard Swap; importing this registers them."""

from herdlab.strategies.barnyard import gatherer, watcher

__all__ = ["gatherer", "watcher"]
