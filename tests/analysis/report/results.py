"""Results of every command that can be reported, from few games, as JSON has them."""

import json
from functools import cache
from typing import Any

import pytest

import herdlab
from tests import quick

_FEW = {"sheep": 8, "pigs": 6, "cows": 5, "max_turns": 300}
"""Few animals, so that Have You Herd? is solved at once."""
_MADE: dict[str, tuple[str, dict[str, Any]]] = {
    "simulate by seat": ("simulate", {"game": "herd", "players": "keeper,keeper-dog,closer"}),
    "simulate rotated": (
        "simulate",
        {"game": "herd", "players": "keeper,keeper,random", "rotate": True},
    ),
    "simulate alone": ("simulate", {"game": "herd", "players": "keeper"}),
    "simulate precisely": (
        "simulate",
        {"game": "herd", "players": "keeper,closer", "precision": 0.1, "max_games": 3000},
    ),
    "one game": ("simulate", {"game": "herd", "players": "keeper,closer", "games": 1}),
    "nobody won": (
        "simulate",
        {"game": "herd", "players": "keeper,closer", "rules": {"max_turns": 1}},
    ),
    "scores": ("simulate", {"game": "barnyard", "players": "collector,honest,miser,random"}),
    "cards left": ("simulate", {"game": "swap", "players": "shedder,raider,random"}),
    "pieces": ("simulate", {"game": "horse-trader", "players": "trader-2,hostage,trader-1"}),
    "compare": ("compare", {"game": "herd", "a": "keeper", "b": "keeper-dog"}),
    "compare lengths": (
        "compare",
        {"game": "herd", "a": "keeper", "b": "climber", "metric": "length"},
    ),
    "compare undecided": (
        "compare",
        {
            "game": "herd",
            "a": "keeper",
            "b": "closer",
            "field": "keeper",
            "decide": True,
            "max_games": 1000,
        },
    ),
    "compare the same": ("compare", {"game": "herd", "a": "keeper", "b": "keeper"}),
    "readings": ("readings", {"game": "herd", "a": "keeper", "b": "keeper-dog", "games": 200}),
    "tournament": (
        "tournament",
        {"game": "herd", "entrants": "keeper,closer,climber,random", "size": 2},
    ),
    "forty entrants": (
        "tournament",
        {
            "game": "herd",
            "entrants": [f"herder:keep_sheep={n % 8}:keep_pigs={n // 8}" for n in range(40)],
            "size": 2,
            "games": 50,
            "max_line_ups": 250,
        },
    ),
    "sweep": (
        "sweep",
        {"game": "herd", "strategy": "herder", "vary": ["keep_sheep=0:3:1"], "field": "keeper"},
    ),
    "sweep of two": (
        "sweep",
        {"game": "herd", "strategy": "herder", "vary": ["keep_sheep=0:2:1", "dog=never,first"]},
    ),
    "sweep of an event": (
        "sweep",
        {"game": "herd", "strategy": "herder", "vary": ["dog=never,first"], "metric": "trades"},
    ),
    "luck": ("luck", {"game": "herd", "players": "keeper,keeper-dog,random"}),
    "luck of lengths": ("luck", {"game": "herd", "players": "keeper,random", "metric": "length"}),
    "ask": ("ask", {"question": "seat", "game": "herd", "quick": True}),
    "solve": (
        "solve",
        {"game": "herd", "strategies": "keeper,keeper-dog", "dogs": "sold,none", "rules": _FEW},
    ),
    "solve without end": ("solve", {"game": "herd", "strategies": "hermit", "rules": _FEW}),
    "race": ("race", {"game": "herd", "players": "keeper,keeper-dog", "rules": _FEW}),
}
KINDS = tuple(_MADE)
_GAMES = 400


@cache
def _result(kind: str) -> str:
    command, arguments = _MADE[kind]
    if command not in ("ask", "solve") and not {"precision", "decide"} & set(arguments):
        arguments = {"games": _GAMES, **arguments}
    with pytest.MonkeyPatch.context() as patch:
        quick.few_replicates(patch)
        quick.few_games_of_seats(patch)
        found = getattr(herdlab, command)(**arguments)
    return json.dumps(found.as_json(), allow_nan=False)


def result(kind: str) -> dict[str, Any]:
    """Return one of `KINDS`, which the caller may change."""
    whole: dict[str, Any] = json.loads(_result(kind))
    return whole
