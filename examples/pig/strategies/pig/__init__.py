"""Strategies of Pig; importing this registers them."""

from herdlab.strategies.pig import holder

__all__ = ["holder"]
