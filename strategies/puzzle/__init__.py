"""Strategies of Horse Trader and Bronco; importing this registers them."""

from herdlab.strategies.puzzle import dealer, detective

__all__ = ["dealer", "detective"]
