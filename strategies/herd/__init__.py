"""Strategies of Have You Herd?; importing this registers them."""

from strategies.herd import gap_filler, herder, optimal, rollout, spoiler

__all__ = ["gap_filler", "herder", "optimal", "rollout", "spoiler"]
