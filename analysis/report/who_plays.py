"""Who plays in a report: every strategy that it names, with what a human would do."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from herdlab.analysis.report.composing import Result, game_of, table
from herdlab.analysis.report.document import Cell, Table
from herdlab.strategies.registry import strategies_of

_KEYS = ("players", "entrants", "a", "b", "field", "strategy", "strategies", "results", "seats")
"""Where results name strategies."""
_TOLD = ("verdict", "notes", "findings")
"""Where answers do, in words."""
_WORDS = re.compile(r"[\w-]+")


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
    texts = _texts([whole[key] for key in _KEYS if key in whole])
    for text in texts:
        for one in text.split(","):
            yield one.strip().split(":")[0]
    for text in _texts([whole[key] for key in _TOLD if whole["command"] == "ask" and key in whole]):
        yield from _WORDS.findall(text)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
