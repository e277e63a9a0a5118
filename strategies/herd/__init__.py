"""Strategies of Have You Herd?; importing this registers them."""

from strategies.herd import herder

__all__ = ["herder"]
