"""The overview of a study of several games: length, luck, seat and best strategies, a row each."""

from collections.abc import Sequence
from functools import partial

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.ranking import Ranked, ranking
from herdlab.analysis.figures.shares import Share, shares
from herdlab.analysis.report.composing import (
    NOTHING,
    Composed,
    Result,
    between,
    digits_for,
    game_of,
    in_per_cent,
    number,
    percent,
    table,
)
from herdlab.analysis.report.document import Cell, Part, Picture, Section, Table, Verdict
from herdlab.analysis.words.phrases import in_words, listed
from herdlab.simcore.errors import BadInput

Found = dict[str, dict[str, Result]]
"""By game, by command: its first result."""
_NAMED, _NAMED_IN_A_TABLE = 2, 6
"""Leaders of a game that are named, in a verdict that would grow long and in a table."""


def compose_overview(results: Sequence[Result]) -> Composed:
    """Return what all parts say of each game, side by side."""
    found: Found = {}
    for one in results:
        found.setdefault(one["game"], {}).setdefault(one["command"], one)
    if not found:
        raise BadInput("an overview needs other parts to be made of")
    parts: list[Part] = [_table(found)]
    lucks = {game: of["luck"] for game, of in found.items() if "luck" in of}
    if lucks:
        parts.append(_luck_picture(lucks))
    seats = {game: _seat(of["ask"]) for game, of in found.items() if _is_seat(of)}
    if seats:
        parts.append(_seat_picture(seats, found))
    return Composed(
        "An overview", Verdict(_verdict(found)), True, (Section("Side by side", tuple(parts)),), ()
    )


def _is_seat(of: dict[str, Result]) -> bool:
    return "ask" in of and of["ask"]["question"] == "seat"


def _title(found: Found, game: str) -> str:
    return game_of(next(iter(found[game].values()))).title


def _share(whole: Result) -> tuple[float, float, float]:
    """Return in how much of who wins luck has a hand."""
    one = whole["all_luck"]
    return one["total"], one["total_ci_low"], one["total_ci_high"]


def _seat(whole: Result) -> tuple[float, float, float]:
    """Return what the first seat wins more than its fair share, at the question's first table."""
    value, low, high = whole["data"]["tables"][0]["gains"][0]
    return value, low, high


def _leaders(whole: Result) -> list[str]:
    best = whole["entrants"][0]
    return [best["strategy"], *best["not_told_apart"]]


def _few(names: list[str], most: int, last: str) -> str:
    """Return all that may be the best; of many the first, and how many others there are."""
    others = len(names) - most
    shown = names if others <= 1 else [*names[:most], f"{in_words(others)} others"]
    return listed(shown, last)


def _verdict(found: Found) -> str:
    """Return which game is most a matter of luck, and who leads each."""
    said = []
    lucks = {game: _share(of["luck"]) for game, of in found.items() if "luck" in of}
    if len(lucks) > 1:
        by_share: dict[str, list[str]] = {}
        for game in sorted(lucks, key=lambda one: -lucks[one][0]):
            by_share.setdefault(percent(lucks[game][0], 1), []).append(_title(found, game))
        ordered = list(by_share.items())
        (most, there), (least, here) = ordered[0], ordered[-1]
        if most != least:
            said.append(
                f"Among the strategies compared luck decides most in {listed(there)} (it has a "
                f"hand in {most} of who wins) and least in {listed(here)} ({least})."
            )
    cups = [
        f"{_title(found, game)} {_few(_leaders(of['tournament']), _NAMED, 'or')}"
        for game, of in found.items()
        if "tournament" in of
    ]
    if cups:
        said.append(f"Best of the strategies tried: {listed(cups)}.")
    return " ".join(said) or f"{len(found)} games side by side."


def _table(found: Found) -> Table:
    rows = []
    for game, of in found.items():
        rows.append(
            [
                Cell(_title(found, game)),
                _length(of),
                _interval_cell(_share(of["luck"])) if "luck" in of else NOTHING,
                _interval_cell(_seat(of["ask"]), sign="+") if _is_seat(of) else NOTHING,
                Cell(_few(_leaders(of["tournament"]), _NAMED_IN_A_TABLE, "and"))
                if "tournament" in of
                else NOTHING,
            ]
        )
    head = ["game", "length ", "luck, % ", "first seat, % points ", "best strategies"]
    note = (
        "Lengths are means of the first line-up simulated; luck: the share of the variance of who "
        "wins in which luck has a hand, with the strategies compared; first seat: what it wins "
        "more than its fair share where all play alike, at the first table asked about; best "
        "strategies: who wins most in the tournament, and who is not clearly behind. "
        "± is the longer side of an interval."
    )
    return table("Length, luck, seat and strategies", head, rows, note)


def _length(of: dict[str, Result]) -> Cell:
    if "simulate" not in of:
        return NOTHING
    game, one = game_of(of["simulate"]), of["simulate"]["length"]
    digits = digits_for(one["ci_low"], one["ci_high"])
    each = f" a {game.part}" if game.part else ""
    return Cell(f"{one['mean']:.{digits}f} {game.length_unit}{each}", one["mean"])


def _interval_cell(one: tuple[float, float, float], sign: str = "") -> Cell:
    value, low, high = in_per_cent(*one)
    half = max(high - value, value - low)
    return number(value, f"{value:{sign}z.1f} ± {half:.1f}")


def _luck_picture(lucks: dict[str, Result]) -> Picture:
    rows = [
        Share(game_of(one).title, *in_per_cent(*_share(one)))
        for one in sorted(lucks.values(), key=lambda one: -_share(one)[0])
    ]
    values = "; ".join(f"{one.label} {one.value:.1f} %" for one in rows)
    return Picture(
        Drawing(
            "How much luck is in who wins",
            partial(shares, rows, x_label="variance of who wins in which luck has a hand, %"),
            f"Bars, the largest first: {values}.",
            "With the strategies that were compared; against equals luck would decide it all. "
            "Thin lines are 95 % intervals.",
        )
    )


def _seat_picture(seats: dict[str, tuple[float, float, float]], found: Found) -> Picture:
    rows = [Ranked(_title(found, game), *in_per_cent(*one)) for game, one in seats.items()]
    values = "; ".join(
        f"{one.label} {one.value:+.1f} ({between(one.low, one.high, 1, sign='+')})" for one in rows
    )
    return Picture(
        Drawing(
            "What the first seat is worth where all play alike",
            partial(
                ranking,
                rows,
                x_label="wins beyond a fair share, percentage points",
                digits=1,
                line=0.0,
                line_label="fair share",
            ),
            f"Dots with their intervals, the highest on top: {values}.",
            "At the first table of each question; bars are its intervals.",
        )
    )
