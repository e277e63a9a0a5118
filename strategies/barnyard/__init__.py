"""Strategies of Barnyard Swap; importing this registers them."""

from strategies.barnyard import gatherer, watcher

__all__ = ["gatherer", "watcher"]
