"""Strategies: heuristics a player could follow, built in or from a file of one's own."""

from herdlab.strategies.parameters import another, choice, number, switch
from herdlab.strategies.registry import member, members, strategy
from herdlab.strategies.strategy import Strategy

__all__ = ["Strategy", "another", "choice", "member", "members", "number", "strategy", "switch"]
