"""A simulation as a report: who wins, scores, how long games take, what happens in them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import pandas as pd

from herdlab.analysis.figures.courses import Course, courses
from herdlab.analysis.figures.distributions import Spread, distributions
from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.ranking import ranking_drawing
from herdlab.analysis.figures.shares import stacked
from herdlab.analysis.report import columns
from herdlab.analysis.report.columns import Shown, crossed, rows_of, table_of, text
from herdlab.analysis.report.document import (
    Cell,
    Composed,
    Paragraph,
    Part,
    Section,
    Table,
    Verdict,
)
from herdlab.analysis.tables import Whole, players_of, tables_of
from herdlab.analysis.words.numbers import MEAN, RATE, percent
from herdlab.analysis.words.phrases import capital, counted, listed, sentence
from herdlab.simcore.game import Event, Game, find_game

Frames = dict[str, pd.DataFrame]

_SEATS_BESIDE = 4
"""Of more seats or strategies events are set one below the other, not in columns."""
_SCORE_PARTS = "points_"
_LINE = ("at", "value", "low", "high")
_MOST_NEAR = 4
"""Whose intervals reach that of the best: more are counted, not named."""
_POINTS_SHOWN = 12
"""Of a curve, in a table at most; the JSON has all."""


def compose_simulation(whole: Whole) -> Composed:
    """Return a simulation as parts of a document."""
    game, frames = find_game(whole["game"]), tables_of(whole)
    seats = rows_of(frames["seats"])
    found: dict[str, Iterable[Part]] = {
        "Who wins": _winning(whole, frames["seats"]),
        "Scores": _scores(game, whole),
        "How long it takes": _lengths(game, whole),
        "How results spread": [_spreads(game, frames["spread"])],
        "Over the course of a game": _over_time(game, frames),
        "What happens": _events(game, frames["events"]),
    }
    sections = [Section(title, tuple(parts)) for title, parts in found.items()]
    names = list(dict.fromkeys(whole["players"]))
    return Composed(
        f"{listed(names)} at one table" if len(whole["players"]) > 1 else f"{names[0]} alone",
        Verdict(sentence(_verdict(game, whole, seats)), how_sure=_INTERVALS[whole["interval"]]),
        not _near(seats),
        tuple(one for one in sections if one.parts),
        _method(game, whole),
    )


def _fair(whole: Whole) -> float:
    """Return what each would win if all played alike: games without a winner are nobody's."""
    share: float = (1 - whole["unfinished_rate"]) / len(whole["players"])
    return share


def _unfinished(whole: Whole) -> str:
    rate = whole["unfinished_rate"]
    if not rate:
        return ""
    said = f"; {percent(rate)} of games ended without a winner"
    if "unfinished_ci_low" in whole:  # results of older versions have none
        said += f" ({RATE.between(whole['unfinished_ci_low'], whole['unfinished_ci_high'])})"
    return said


def _verdict(game: Game, whole: Whole, seats: Sequence[columns.Row]) -> str:
    """Return who wins most, and whether that is sure."""
    if len(whole["players"]) == 1:
        mean, between = _mean_length(whole)
        ends = f" ({between})" if between else ""
        return f"{seats[0]['who']} alone takes {mean} {game.length_unit}{ends}{_unfinished(whole)}"
    if not any(one["value"] for one in seats):
        return f"Nobody won any of {counted(whole['games'], 'game')}"
    top = max(seats, key=lambda one: one["value"])
    wins = f"{percent(top['value'])} of games ({RATE.between(top['low'], top['high'])})"
    if len(seats) == 1:
        return f"{top['who']} at every place: each wins {wins}"
    sure, near = "nobody else's interval reaches as far", _near(seats)
    if len(near) == 1:
        sure = f"but the interval of {near[0]} reaches as far"
    elif near:
        names = listed(near) if len(near) <= _MOST_NEAR else f"{len(near)} others"
        sure = f"but the intervals of {names} reach as far"
    return (
        f"{top['who']} wins most: {wins}, where a fair share is {percent(_fair(whole))}; "
        f"{sure}{_unfinished(whole)}"
    )


def _near(seats: Sequence[columns.Row]) -> list[str]:
    """Return those whose interval reaches that of the best."""
    top = max(seats, key=lambda one: one["value"])
    return [one["who"] for one in seats if one is not top and one["high"] >= top["low"]]


def _mean_length(whole: Whole) -> tuple[str, str]:
    """Return the mean length and its interval; one game alone does not tell how they vary."""
    length = whole["length"]
    ends = length["ci_low"], length["ci_high"]
    between = MEAN.between(*ends) if whole["parts"] > 1 else ""
    return MEAN.number(length["mean"], *ends), between


def _winning(whole: Whole, seats: pd.DataFrame) -> Iterator[Part]:
    sure = "95 % for all together" if whole["interval"] == "anytime" else "95 % each"
    place = "copies" if whole["rotate"] else "seat"
    if len(whole["players"]) > 1:
        yield ranking_drawing(
            columns.marks(RATE, seats, "who"),
            f"Win rate by {'strategy' if whole['rotate'] else 'seat'}",
            what="win rates",
            intervals=f"intervals ({sure})",
            x_label="games won, %",
            unit="%",
            digits=2,
            line=100 * _fair(whole),
            line_label="fair share",
        )
    if whole["rotate"]:  # as in the picture: there are no seats to be ordered by
        seats = seats.sort_values("value", ascending=False, kind="stable")
    shown = (
        text("strategy", "strategy"),
        *([columns.number(place, place)] if (seats[place] != 1).any() else []),
        columns.value("win rate, %", RATE),
        columns.ends("interval", RATE),
        columns.value("mean score", MEAN, "score"),
        columns.ends("95 % interval", MEAN, "score"),
        columns.number("sd of score", "score_sd", ".2f"),
    )
    known = seats.dropna(axis="columns", how="all")
    yield table_of("Win rates", known, shown, f"Intervals of win rates: {sure}.")
    if whole["precision_reached"] is False:
        wanted = 100 * whole["arguments"]["precision"]
        yield Paragraph(f"± {wanted:.2f} percentage points, which was asked for, was not reached.")


def _scores(game: Game, whole: Whole) -> Iterator[Part]:
    """Yield how scores, or what else there is of every player at the end, are spread."""
    who = players_of(whole)
    for one in game.histograms:
        counts = whole["histograms"].get(one.name)
        if not one.per_seat or counts is None:
            continue
        means = whole["events"].get(one.name) or [row["score_mean"] for row in whole["seats"]]
        each = game.part if one.name in whole["events"] and game.part else "game"
        rows = [
            Spread(name, mean=mean, **counted)
            for name, counted, mean in zip(who, counts, means, strict=True)
        ]
        unit = ", points" if whole["seats"][0]["score_mean"] is not None else ""
        title = f"{one.words.capitalize()}: how spread out, and on average"
        values = "; ".join(f"{row.label} {row.mean:.2f}" for row in rows)
        yield _histograms(rows, title, f"{one.words}{unit}", each, f"Means: {values}.")
    parts = [event for event in game.events if event.name.startswith(_SCORE_PARTS)]
    if parts:
        yield _score_parts(game, whole, parts)


def _histograms(rows: list[Spread], title: str, x_label: str, each: str, means: str) -> Drawing:
    return Drawing(
        title,
        partial(distributions, rows, x_label=x_label, y_label=f"share of {each}s, %"),
        f"Histograms of {x_label}{', one below the other' * (len(rows) > 1)}. {means}",
        f"Bars are shares of {each}s, lines are means.",
    )


def _score_parts(game: Game, whole: Whole, parts: list[Event]) -> Drawing:
    """Return what scores are made of."""
    names = [event.name.removeprefix(_SCORE_PARTS) for event in parts]
    rows = [
        (who, [whole["events"][event.name][place] for event in parts])
        for place, who in enumerate(players_of(whole))
    ]
    values = "; ".join(
        f"{who}: {', '.join(f'{n} {v:.2f}' for n, v in zip(names, each, strict=True))}"
        for who, each in rows
    )
    unit = f"mean points a {game.part or 'game'}"
    return Drawing(
        "What scores are made of",
        partial(stacked, rows, names, x_label=unit),
        f"Stacked bars of {unit}, by part of the score. {values}.",
        "Parts below 0 stand to the left of it.",
    )


def _lengths(game: Game, whole: Whole) -> Iterator[Part]:
    unit, each = game.length_unit, game.part or "game"
    if unit == "turns" and len(whole["players"]) > 1:
        unit = "turns of all players"
    mean, between = _mean_length(whole)
    said = f"A {each} takes {mean} {unit} on average"
    if between:
        said += f" ({between}), with a standard deviation of {whole['length']['sd']:.2f}"
    if whole["unfinished_rate"]:
        said += "; games that were cut off count as long as they went on"
    counts = whole["histograms"].get("length" if game.part is None else game.length_unit)
    if counts is not None:
        title = f"How many {game.length_unit} a {each} takes"
        rows = [Spread("", mean=whole["length"]["mean"], **counts)]
        yield _histograms(rows, title, unit, each, f"{said}.")
    yield Paragraph(f"{said}.")


def _spreads(game: Game, spread: pd.DataFrame) -> Table:
    """Return how the histograms lie: the values that so many per cent do not exceed."""
    return crossed(
        "How results spread",
        spread.replace({"what": {"length": f"length, {game.length_unit}"}}),
        (text("what", "what"), text("who", "who")),
        "share",
        Shown("", "value", lambda row: Cell(row["words"], row["value"])),
        "The value that so many per cent do not exceed.",
        name=lambda share: f"{100 * share:.0f} %",
        is_folded=True,
    )


def _over_time(game: Game, frames: Frames) -> Iterator[Part]:
    """Yield how each player fared over the game: a picture, and a dozen points of it."""
    for curve in game.curves:
        found = frames["curves"][frames["curves"]["curve"] == curve.name]
        lines = []
        for who, one in found.groupby("who", sort=False):
            x, y, low, high = (one[key].tolist() for key in _LINE)
            lines.append(Course(str(who), x, y, low, high))
        ends = "; ".join(f"{one.label} {one.y[0]:.2f} to {one.y[-1]:.2f}" for one in lines)
        mean, unit = f"mean {curve.words}", game.length_unit
        yield Drawing(
            f"{curve.words.capitalize()} over {unit}",
            partial(courses, lines, x_label=unit, y_label=mean),
            f"Lines of {mean} over {unit}, from first to last: {ends}.",
            "Bands are 95 % intervals. A game that has ended counts with its last.",
        )
        places = found["at"].unique()
        stride = -(-len(places) // _POINTS_SHOWN)
        kept = found[found["at"].isin([*places[::stride], places[-1]])]
        down, cell = [columns.number(unit, "at", ".0f")], columns.half("", MEAN)
        yield crossed(f"{capital(mean)} over time", kept, down, "who", cell, is_folded=True)


def _events(game: Game, events: pd.DataFrame) -> Iterator[Part]:
    """Yield tables of events, those by seat and those of the whole table."""
    each, known = game.part or "game", {one.name: one for one in game.events}
    events = events.assign(
        words=[known[one].words for one in events["event"]],
        each=[each if known[one].per_part else "game" for one in events["event"]],
    )
    is_seen = events.groupby("event")["value"].transform(lambda one: one.any())
    is_by_seat = events["who"] != ""
    by_seat, together = events[is_seen & is_by_seat], events[is_seen & ~is_by_seat]
    note = f"Means a {each} with their 95 % intervals; ± is the longer side."
    event, mean = text("event", "words"), columns.half("", MEAN)
    estimate = columns.value("mean", MEAN), columns.ends("95 % interval", MEAN)
    if by_seat["who"].nunique() > _SEATS_BESIDE:
        yield table_of("By player", by_seat, (event, text("who", "who"), *estimate), note)
    elif len(by_seat):
        yield crossed("By player", by_seat, [event], "who", mean, note)
    if len(together):
        yield table_of("All players together", together, (event, text("per", "each"), *estimate))
    never = events[~is_seen]
    if len(never):
        words = "; ".join(never["words"].unique())
        most = never["high"].max()
        yield Paragraph(f"Never happened (at most {most:.2g} on average, 95 %): {words}.")


_INTERVALS = {
    "wilson": "Intervals of win rates are Wilson's, those of means from how games vary, 95 % each.",
    "blocks": "Intervals are 95 % each, from how deals vary, each deal with all its seatings.",
    "anytime": "Intervals of win rates hold together with 95 %, whenever one stops; all others are "
    "95 % each, as of a fixed number of games.",
}


def _method(game: Game, whole: Whole) -> tuple[str, ...]:
    played = f"{game.title}: {counted(whole['games'], 'game')}"
    if whole["rotate"]:
        played += f", {counted(whole['lucks'], 'deal')} each in every rotation of the seats"
    if game.part is not None:
        played += f", {counted(whole['parts'], game.part)} in all"
    return (f"{played}.", _INTERVALS[whole["interval"]])
