"""A simulation as a report: who wins, scores, how long games take, what happens in them."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from herdlab.analysis.figures.courses import Course, courses
from herdlab.analysis.figures.distributions import Spread, distributions
from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.ranking import Ranked, ranking
from herdlab.analysis.figures.shares import stacked
from herdlab.analysis.report.composing import (
    NOTHING,
    Composed,
    Result,
    between,
    digits_for,
    game_of,
    in_per_cent,
    mean_cells,
    number,
    percent,
    rate_between,
    rate_cells,
    table,
)
from herdlab.analysis.report.document import Cell, Paragraph, Part, Picture, Section, Table, Verdict
from herdlab.analysis.sampling.histograms import HistogramCounts
from herdlab.analysis.stats.estimates import LOPSIDED
from herdlab.analysis.words.phrases import counted, listed, sentence
from herdlab.simcore.game import Curve, Event, Game

_SEATS_BESIDE = 4
"""Of more seats or strategies events are set one below the other, not in columns."""
_SCORE_PARTS = "points_"


def compose_simulation(whole: Result) -> Composed:
    """Return a simulation as parts of a document."""
    game, lines = game_of(whole), _lines(whole)
    found = [
        Section("Who wins", tuple(_winning(whole, lines))),
        Section("Scores", tuple(_scores(game, whole, lines))),
        Section("How long it takes", tuple(_lengths(game, whole))),
        Section("How results spread", (_spreads(game, whole, lines),)),
        Section("Over the course of a game", tuple(_over_time(game, whole, lines))),
        Section("What happens", tuple(_events(game, whole, lines))),
    ]
    return Composed(
        _title(whole),
        Verdict(sentence(_verdict(game, whole, lines)), (), _INTERVALS[whole["interval"]]),
        not _near(whole["seats"]),
        tuple(one for one in found if one.parts),
        _method(game, whole),
    )


def _title(whole: Result) -> str:
    names = list(dict.fromkeys(whole["players"]))
    return f"{listed(names)} at one table" if len(whole["players"]) > 1 else f"{names[0]} alone"


def _lines(whole: Result) -> list[str]:
    """Return what each line of the result is called: by seat, or with rotated seats by strategy."""
    return [
        one["strategy"] if one["seat"] is None else f"{one['strategy']} (seat {one['seat']})"
        for one in whole["seats"]
    ]


def _fair(whole: Result) -> float:
    """Return what each would win if all played alike: games without a winner are nobody's."""
    share: float = (1 - whole["unfinished_rate"]) / len(whole["players"])
    return share


def _unfinished(whole: Result) -> str:
    rate = whole["unfinished_rate"]
    if not rate:
        return ""
    said = f"; {percent(rate)} of games ended without a winner"
    if "unfinished_ci_low" in whole:  # results of older versions have none
        said += f" ({rate_between(whole['unfinished_ci_low'], whole['unfinished_ci_high'])})"
    return said


def _verdict(game: Game, whole: Result, lines: list[str]) -> str:
    """Return who wins most, and whether that is sure."""
    seats, length = whole["seats"], whole["length"]
    if len(whole["players"]) == 1:
        digits = digits_for(length["ci_low"], length["ci_high"])
        said = f"{lines[0]} alone takes {length['mean']:.{digits}f} {game.length_unit}"
        if whole["parts"] > 1:  # one alone does not tell how they vary
            said += f" ({between(length['ci_low'], length['ci_high'], digits)})"
        return f"{said}{_unfinished(whole)}"
    if not any(one["win_rate"] for one in seats):
        return f"Nobody won any of {counted(whole['games'], 'game')}"
    best = max(range(len(seats)), key=lambda place: seats[place]["win_rate"])
    top = seats[best]
    if len(seats) == 1:
        return (
            f"{lines[0]} at every place: each wins {percent(top['win_rate'])} of games "
            f"({rate_between(top['ci_low'], top['ci_high'])})"
        )
    near = [lines[place] for place in _near(seats)]
    sure = "nobody else's interval reaches as far"
    if near:
        sure = f"but the {'interval of' if len(near) == 1 else 'intervals of'} {_few(near)} " + (
            "reaches as far" if len(near) == 1 else "reach as far"
        )
    return (
        f"{lines[best]} wins most: {percent(top['win_rate'])} of games "
        f"({rate_between(top['ci_low'], top['ci_high'])}), where a fair share is "
        f"{percent(_fair(whole))}; {sure}{_unfinished(whole)}"
    )


def _near(seats: list[Any]) -> list[int]:
    """Return the places whose interval reaches that of the best."""
    best = max(range(len(seats)), key=lambda place: seats[place]["win_rate"])
    return [
        place
        for place, one in enumerate(seats)
        if place != best and one["ci_high"] >= seats[best]["ci_low"]
    ]


def _few(names: list[str]) -> str:
    most = 4
    return listed(names) if len(names) <= most else f"{len(names)} others"


def _winning(whole: Result, lines: list[str]) -> Iterator[Part]:
    seats, fair = whole["seats"], _fair(whole)
    if len(whole["players"]) > 1:
        rows = [
            Ranked(line, *in_per_cent(one["win_rate"], one["ci_low"], one["ci_high"]))
            for line, one in zip(lines, seats, strict=True)
        ]
        values = "; ".join(
            f"{line} {percent(one['win_rate'])} ({rate_between(one['ci_low'], one['ci_high'])})"
            for line, one in zip(lines, seats, strict=True)
        )
        kind = "strategy" if whole["rotate"] else "seat"
        yield Picture(
            Drawing(
                f"Win rate by {kind}",
                lambda wide: ranking(
                    rows,
                    wide,
                    x_label="games won, %",
                    unit="%",
                    digits=2,
                    line=100 * fair,
                    line_label="fair share",
                ),
                f"Win rates with their intervals, the highest on top: {values}. "
                f"A fair share is {percent(fair)}.",
                f"Dots are win rates, bars their intervals ({_how_sure(whole)}) where wider than a "
                f"dot; the dashed line is a fair share.",
            )
        )
    yield _win_table(whole)
    if whole["precision_reached"] is False:
        wanted = 100 * whole["arguments"]["precision"]
        yield Paragraph(f"± {wanted:.2f} percentage points, which was asked for, was not reached.")


def _how_sure(whole: Result) -> str:
    return "95 % for all together" if whole["interval"] == "anytime" else "95 % each"


def _win_table(whole: Result) -> Table:
    seats = whole["seats"]
    if whole["rotate"]:  # as in the figure: there are no seats to be ordered by
        seats = sorted(seats, key=lambda one: -one["win_rate"])
    has_scores = seats[0]["score_mean"] is not None
    place = "copies" if whole["rotate"] else "seat"
    has_place = any(one[place] != 1 for one in seats)
    head = ["strategy", *([f"{place} "] if has_place else []), "win rate, % ", "interval "]
    head += ["mean score ", "95 % interval ", "sd of score "] if has_scores else []
    rows = []
    for one in seats:
        row = [Cell(one["strategy"])]
        row += [number(one[place], str(one[place]))] if has_place else []
        row += rate_cells(one["win_rate"], one["ci_low"], one["ci_high"])
        if has_scores:
            row += mean_cells(one["score_mean"], one["score_ci_low"], one["score_ci_high"])
            row.append(number(one["score_sd"], f"{one['score_sd']:.2f}"))
        rows.append(row)
    return table("Win rates", head, rows, f"Intervals of win rates: {_how_sure(whole)}.")


def _scores(game: Game, whole: Result, lines: list[str]) -> Iterator[Part]:
    """Yield how scores, or what else there is of every player at the end, are spread."""
    for one in game.histograms:
        counted = whole["histograms"].get(one.name)
        if not one.per_seat or counted is None:
            continue
        means = whole["events"].get(one.name) or [row["score_mean"] for row in whole["seats"]]
        each = game.part if one.name in whole["events"] and game.part else "game"
        unit = ", points" if whole["seats"][0]["score_mean"] is not None else ""
        yield _spread_picture(one.words, lines, counted, means, each, unit)
    parts = [event for event in game.events if event.name.startswith(_SCORE_PARTS)]
    if parts:
        yield _score_parts(game, whole, lines, parts)


def _spread_picture(
    words: str, lines: list[str], counted: list[Any], means: list[float], each: str, unit: str
) -> Picture:
    rows = [
        Spread(line, one["low"], one["width"], one["counts"], mean)
        for line, one, mean in zip(lines, counted, means, strict=True)
    ]
    values = "; ".join(f"{line} {mean:.2f}" for line, mean in zip(lines, means, strict=True))
    return Picture(
        Drawing(
            f"{words.capitalize()}: how spread out, and on average",
            lambda wide: distributions(
                rows, wide, x_label=f"{words}{unit}", y_label=f"share of {each}s, %"
            ),
            f"Histograms of {words} one below the other. Means: {values}.",
            f"Bars are shares of {each}s, lines are means.",
        )
    )


def _score_parts(game: Game, whole: Result, lines: list[str], parts: list[Event]) -> Picture:
    """Return what scores are made of."""
    names = [event.name.removeprefix(_SCORE_PARTS) for event in parts]
    rows = [
        (line, [whole["events"][event.name][place] for event in parts])
        for place, line in enumerate(lines)
    ]
    values = "; ".join(
        f"{line}: {', '.join(f'{n} {v:.2f}' for n, v in zip(names, each, strict=True))}"
        for line, each in rows
    )
    unit = f"mean points a {game.part or 'game'}"
    return Picture(
        Drawing(
            "What scores are made of",
            partial(stacked, rows, names, x_label=unit),
            f"Stacked bars of {unit}, by part of the score. {values}.",
            "Parts below 0 stand to the left of it.",
        )
    )


def _lengths(game: Game, whole: Result) -> Iterator[Part]:
    length, each = whole["length"], game.part or "game"
    unit = game.length_unit
    if unit == "turns" and len(whole["players"]) > 1:
        unit = "turns of all players"
    digits = digits_for(length["ci_low"], length["ci_high"])
    mean = f"A {each} takes {length['mean']:.{digits}f} {unit} on average"
    if whole["parts"] > 1:
        span = between(length["ci_low"], length["ci_high"], digits)
        mean += f" ({span}), with a standard deviation of {length['sd']:.2f}"
    if whole["unfinished_rate"]:
        mean += "; games that were cut off count as long as they went on"
    mean += "."
    name = "length" if game.part is None else game.length_unit
    counted = whole["histograms"].get(name)
    if counted is not None:
        row = Spread("", counted["low"], counted["width"], counted["counts"], length["mean"])
        yield Picture(
            Drawing(
                f"How many {game.length_unit} a {each} takes",
                lambda wide: distributions(
                    [row], wide, x_label=unit, y_label=f"share of {each}s, %"
                ),
                f"Histogram of {game.length_unit} a {each}. {mean}",
                f"Bars are shares of {each}s, the line is the mean.",
            )
        )
    yield Paragraph(mean)


def _over_time(game: Game, whole: Result, lines: list[str]) -> Iterator[Part]:
    for curve in game.curves:
        found = [
            Course(
                line,
                [one["step"] * place for place in range(len(one["means"]))],
                one["means"],
                one["ci_low"],
                one["ci_high"],
            )
            for line, one in zip(lines, whole["curves"][curve.name], strict=True)
        ]
        ends = "; ".join(f"{one.label} {one.y[0]:.2f} to {one.y[-1]:.2f}" for one in found)
        yield Picture(
            Drawing(
                f"{curve.words.capitalize()} over {game.length_unit}",
                partial(courses, found, x_label=game.length_unit, y_label=f"mean {curve.words}"),
                f"Lines of mean {curve.words} over {game.length_unit}, from first to last: {ends}.",
                "Bands are 95 % intervals. A game that has ended counts with its last.",
            )
        )
        yield _course_table(game, curve, lines, whole["curves"][curve.name])


_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


def _spreads(game: Game, whole: Result, lines: list[str]) -> Table:
    """Return how the histograms lie: the values that so many per cent do not exceed."""
    rules = game.rules_type.from_settings(whole["rules"])
    rows = []
    for key, found in whole["histograms"].items():
        each, names = (found, lines) if isinstance(found, list) else ([found], [""])
        what = f"{key}, {game.length_unit}" if key == "length" else key
        for name, one in zip(names, each, strict=True):
            histogram = HistogramCounts.from_json(game, rules, key, one)
            values = [histogram.quantile(share) for share in _SHARES]
            texts = [histogram.quantile_in_words(share) for share in _SHARES]
            rows.append([Cell(what), Cell(name), *map(number, values, texts)])
    head = ["what", "who", *(f"{100 * share:.0f} % " for share in _SHARES)]
    note = "The value that so many per cent do not exceed."
    return table("How results spread", head, rows, note, is_folded=True)


_POINTS_SHOWN = 12


def _course_table(game: Game, curve: Curve, lines: list[str], found: list[Any]) -> Table:
    """Return curves at a dozen points at most; the JSON has all."""
    points = len(found[0]["means"])
    stride = -(-points // _POINTS_SHOWN)
    rows = [
        [
            Cell(str(curve.step * at), curve.step * at),
            *(_with_half(one["means"][at], one["ci_low"][at], one["ci_high"][at]) for one in found),
        ]
        for at in sorted({*range(0, points, stride), points - 1})
    ]
    head = [f"{game.length_unit} ", *(f"{line} " for line in lines)]
    return table(f"Mean {curve.words} over time", head, rows, is_folded=True)


def _events(game: Game, whole: Result, lines: list[str]) -> Iterator[Part]:
    """Yield tables of events, those by seat and those of the whole table."""
    means, spans = whole["events"], whole["events_ci"]
    seen = [one for one in game.events if _is_seen(means[one.name])]
    by_seat = [one for one in seen if one.per_seat]
    each = game.part or "game"
    note = f"Means a {each} with their 95 % intervals; ± is the longer side."
    if by_seat and len(lines) <= _SEATS_BESIDE:
        rows = [
            [
                Cell(event.words),
                *(
                    _with_half(mean, *span)
                    for mean, span in zip(means[event.name], spans[event.name], strict=True)
                ),
            ]
            for event in by_seat
        ]
        yield table("By player", ["event", *(f"{line} " for line in lines)], rows, note)
    elif by_seat:
        rows = [
            [Cell(event.words), Cell(line), *mean_cells(mean, *span)]
            for event in by_seat
            for line, mean, span in zip(lines, means[event.name], spans[event.name], strict=True)
        ]
        yield table("By player", ["event", "who", "mean ", "95 % interval "], rows, note)
    whole_table = [one for one in seen if not one.per_seat]
    if whole_table:
        rows = [
            [
                Cell(event.words),
                Cell(each if event.per_part else "game"),
                *mean_cells(means[event.name], *spans[event.name]),
            ]
            for event in whole_table
        ]
        head = ["event", "per", "mean ", "95 % interval "]
        yield table("All players together", head, rows)
    never = [event for event in game.events if event not in seen]
    if never:
        ends = [spans[event.name] for event in never]
        most = max(one[1] for each in ends for one in (each if _is_list(each) else [each]))
        words = "; ".join(event.words for event in never)
        yield Paragraph(f"Never happened (at most {most:.2g} on average, 95 %): {words}.")


def _is_list(span: Any) -> bool:
    """Whether there is an interval for each line of the result, not one for the whole table."""
    return isinstance(span[0], list)


def _is_seen(found: Any) -> bool:
    return any(found) if isinstance(found, list) else bool(found)


def _with_half(mean: float, low: float, high: float) -> Cell:
    digits = digits_for(low, high)
    if not high > low:
        return NOTHING if mean is None else number(mean, f"{mean:.{digits}f}")
    sides = high - mean, mean - low
    if max(sides) > LOPSIDED * min(sides):
        return number(mean, f"{mean:.{digits}f} ({between(low, high, digits)})")
    return number(mean, f"{mean:.{digits}f} ± {max(sides):.{digits}f}")


_INTERVALS = {
    "wilson": "Intervals of win rates are Wilson's, those of means from how games vary, 95 % each.",
    "blocks": "Intervals are 95 % each, from how deals vary, each deal with all its seatings.",
    "anytime": "Intervals of win rates hold together with 95 %, whenever one stops; all others are "
    "95 % each, as of a fixed number of games.",
}


def _method(game: Game, whole: Result) -> tuple[str, ...]:
    played = f"{game.title}: {counted(whole['games'], 'game')}"
    if whole["rotate"]:
        played += f", {counted(whole['lucks'], 'deal')} each in every rotation of the seats"
    if game.part is not None:
        played += f", {counted(whole['parts'], game.part)} in all"
    return (f"{played}.", _INTERVALS[whole["interval"]])
