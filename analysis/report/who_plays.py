"""Who plays in a report: every strategy that it names, with what a human would do."""

from collections.abc import Iterator, Sequence
from typing import Any

from herdlab.analysis.questions import find_question
from herdlab.analysis.report.composing import Result, game_of, table
from herdlab.analysis.report.document import Cell, Table
from herdlab.strategies.registry import strategies_of

_KEYS = ("players", "entrants", "a", "b", "field", "strategy", "strategies", "results", "seats")
"""Where results name strategies."""


def who_plays(results: Sequence[Result]) -> Table | None:
    """Return the strategies that results name, if any; none that this herdlab does not know."""
    rows: dict[tuple[str, str], list[Cell]] = {}
    several = len({one["game"] for one in results}) > 1
    for one in results:
        game = game_of(one)
        known = strategies_of(game)
        for name in _named(one):
            if name in known:
                cells = [Cell(name), Cell(known[name].words)]
                rows[game.name, name] = [Cell(game.title), *cells] if several else cells
    head = [*(["game"] if several else []), "strategy", "what a human would do"]
    return table("Who plays", head, rows.values(), is_folded=True) if rows else None


def _named(whole: Result) -> Iterator[str]:
    """Yield what may be names of strategies, in the order in which they come."""
    for text in _texts([whole[key] for key in _KEYS if key in whole]):
        for line_up in text.split(","):
            yield line_up.strip().split(":")[0]
    if whole["command"] == "ask" and "strategies" not in whole:  # an older one
        yield from find_question(whole["question"]).plays.split()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
