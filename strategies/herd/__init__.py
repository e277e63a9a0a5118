"""Strategies of Have You Herd?; importing this registers them."""

from herdlab.strategies.herd import gap_filler, herder, optimal, rollout, spoiler

__all__ = ["gap_filler", "herder", "optimal", "rollout", "spoiler"]
