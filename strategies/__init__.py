"""Strategies: heuristics a player could follow, built in or from a file of one's own."""

from herdlab.strategies.registry import (
    Strategy,
    another,
    choice,
    member,
    members,
    number,
    strategy,
    switch,
)

__all__ = ["Strategy", "another", "choice", "member", "members", "number", "strategy", "switch"]
