"""Results as tidy tables, for reports, files and notebooks alike, made of what ``--json`` prints.

A table's main estimate is in the columns `value`, `low`, `high` and `n`, which counts what it was
measured on; any other one has its name before them: `score`, `score_low`, `score_high`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from herdlab.analysis.sampling.histograms import HistogramCounts
from herdlab.analysis.sampling.parameter_grid import Variable
from herdlab.simcore.game import find_game

if TYPE_CHECKING:
    import pandas as pd

Whole = Mapping[str, Any]
"""What ``--json`` prints."""
_Rows = list[dict[str, Any]]
_CALLED = {
    "ci_low": "low",
    "ci_high": "high",
    "lucks": "n",
    "score_mean": "score",
    "behind_best": "behind",
    "difference_to_best": "difference",
    "equilibrium_share": "share",
}
_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


def tables_of(whole: Whole) -> "dict[str, pd.DataFrame]":
    """Return every table of a result by its name, the main one first."""
    import pandas as pd

    made = _MAKERS[whole["command"]](whole)
    return {name: pd.DataFrame(rows) for name, rows in made.items() if rows}


def players_of(whole: Whole) -> list[str]:
    """Return what each line of a simulation is called: by seat, or with rotated seats by who."""
    return [
        one["strategy"] if one["seat"] is None else f"{one['strategy']} (seat {one['seat']})"
        for one in whole["seats"]
    ]


def _tidy(row: Whole, main: str = "value") -> dict[str, Any]:
    """Return a row whose estimates have the columns of all tables; `main` becomes `value`."""
    found: dict[str, Any] = {}
    for key, one in row.items():
        called = _CALLED.get(key, key.replace("_ci_", "_"))
        if isinstance(one, dict) and key == main:
            found |= _tidy(one)
        elif isinstance(one, dict):  # an estimate, in columns that begin with its name
            more = _tidy(one)
            found |= {key if end == "value" else f"{key}_{end}": more[end] for end in more}
        elif called == main:
            found["value"] = one
        elif called in (f"{main}_low", f"{main}_high"):
            found[called.removeprefix(f"{main}_")] = one
        else:
            found[called] = ",".join(one) if isinstance(one, list) else one
    return found


def _all_tidy(rows: Iterable[Whole], main: str = "value") -> _Rows:
    return [_tidy(one, main) for one in rows]


def _simulation(whole: Whole) -> dict[str, _Rows]:
    who, length = players_of(whole), whole["length"]
    seats = _all_tidy(whole["seats"], "win_rate")
    events: _Rows = []
    for seat, name in zip(seats, who, strict=True):
        seat |= {"who": name, "n": whole["lucks"]}
    for event, found in whole["events"].items():
        each, ends = isinstance(found, list), whole["events_ci"][event]
        rows = [
            {"event": event, "who": name, "value": value, "low": low, "high": high}
            for name, value, (low, high) in zip(
                *((who, found, ends) if each else ([""], [found], [ends])), strict=True
            )
        ]
        events += rows
        for seat, one in zip(seats, rows if each else rows * len(seats), strict=True):
            ends_of = {f"{event}_low": one["low"], f"{event}_high": one["high"]}
            seat |= {event: one["value"], **ends_of}
    for seat in seats:
        seat["length"] = length["mean"]
    return {
        "seats": seats,
        "length": [_tidy({**length, "lucks": whole["parts"]}, "mean")],
        "events": events,
        "spread": list(_spread(whole, who)),
        "curves": [
            {"curve": curve, "who": name, "at": one["step"] * place}
            | {"value": mean, "low": low, "high": high}
            for curve, each in whole["curves"].items()
            for name, one in zip(who, each, strict=True)
            for place, (mean, low, high) in enumerate(
                zip(one["means"], one["ci_low"], one["ci_high"], strict=True)
            )
        ],
    }


def _spread(whole: Whole, who: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the values that so many per cent do not exceed."""
    game = find_game(whole["game"])
    rules = game.rules_type.from_settings(whole["rules"])
    for key, found in whole["histograms"].items():
        each = zip(who, found, strict=True) if isinstance(found, list) else [("", found)]
        for name, one in each:
            counted = HistogramCounts.from_json(game, rules, key, one)
            for share in _SHARES:
                value, words = counted.quantile(share), counted.quantile_in_words(share)
                yield {"what": key, "who": name, "share": share, "value": value, "words": words}


def _comparison(whole: Whole) -> dict[str, _Rows]:
    readings = {"readings": _all_tidy(whole.get("readings", ()), "difference")}
    difference = {key: whole.get(key) for key in _OF_COMPARISON}
    means = [
        (whole["a"], whole["a_mean"], whole["a_ci_low"], whole["a_ci_high"]),
        (whole["b"], whole["b_mean"], whole["b_ci_low"], whole["b_ci_high"]),
        ("difference", whole["difference"], whole["ci_low"], whole["ci_high"]),
    ]
    names = ("who", "value", "low", "high")
    return {
        **readings,
        "difference": [_tidy(difference, "difference")],
        "means": [dict(zip(names, one, strict=True)) for one in means],
    }


_OF_COMPARISON = (
    *("a", "b", "field", "metric", "difference", "ci_low", "ci_high", "lucks", "confidence"),
    *("interval", "a_mean", "a_ci_low", "a_ci_high", "b_mean", "b_ci_low", "b_ci_high"),
    *("games", "lucks_differing", "variance_ratio", "margin", "verdict", "kind"),
)


def _tournament(whole: Whole) -> dict[str, _Rows]:
    return {
        "entrants": [{**_tidy(one, "win_rate"), "n": one["games"]} for one in whole["entrants"]],
        "pairs": _all_tidy(whole["pairs"], "difference"),
        "seat_ratings": [
            {"seat": seat, **_tidy(one, "rating")} for seat, one in enumerate(whole["seat_ratings"])
        ],
    }


def _sweep(whole: Whole) -> dict[str, _Rows]:
    points = whole["points"]
    values = [one["values"] for one in points]
    known = {}
    for name in values[0]:
        variable = Variable(name, tuple(dict.fromkeys(one[name] for one in values)))
        numbers = variable.numbers or variable.texts
        known[name] = dict(zip(variable.texts, numbers, strict=True))
    return {
        "points": [
            {name: known[name][text] for name, text in one["values"].items()}
            | _tidy({key: one[key] for key in one if key != "values"} | {"n": whole["lucks"]})
            for one in points
        ]
    }


def _luck(whole: Whole) -> dict[str, _Rows]:
    together = {f"first{end}": whole[f"together{end}"] for end in ("", "_ci_low", "_ci_high")}
    words = {"source": "together", "words": "none of them alone"}
    return {
        "shares": _all_tidy([*whole["shares"], words | together], "first"),
        "series": _all_tidy(whole["series"], "difference"),
    }


def _solved(whole: Whole) -> dict[str, _Rows]:
    return {
        "distribution": [
            {"strategy": one["strategy"], "dogs": one["dogs"], "turns": turns, "chance": chance}
            for one in whole["results"]
            for turns, chance in enumerate(one["distribution"], 1)
        ],
        "results": _all_tidy(
            {key: one[key] for key in one if key != "distribution"} for one in whole["results"]
        ),
    }


def _race(whole: Whole) -> dict[str, _Rows]:
    racers = [*whole["strategies"], *whole["seats"]]
    return {"racers": _all_tidy(racers, "real"), "solo": _all_tidy(whole["solo"])}


def _tuned(whole: Whole) -> dict[str, _Rows]:
    fresh: list[Whole] = []
    if not whole.get("interrupted"):
        given, over = whole["given"], {"difference": whole["over_given"]}
        fresh = [
            {"role": "winner", "player": whole["winner"], "win_rate": whole["win_rate"]},
            {"role": "given", **given, **over, "is_same": whole["is_as_given"]},
            *({"role": "opponent", **one} for one in whole["opponents"]),
        ]
    return {"fresh": _all_tidy(fresh, "win_rate"), "tried": _all_tidy(whole["tried"])}


_MAKERS: dict[str, Callable[[Whole], dict[str, _Rows]]] = {
    "simulate": _simulation,
    "compare": _comparison,
    "readings": _comparison,
    "tournament": _tournament,
    "sweep": _sweep,
    "luck": _luck,
    "ask": lambda whole: {"findings": _all_tidy(whole["findings"])},
    "solve": _solved,
    "race": _race,
    "tune": _tuned,
    "advise": lambda whole: {"moves": _all_tidy(whole["moves"], "win_rate")},
}
