"""What is the first seat worth?  Each seat's win rate where all play alike, of any game.

Tables of several sizes, several strategies, and every reading of the rules: a seat's worth may be
a matter of the game or of how it is played.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import PER_CENT, POINTS, Finding, measured
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.drawn import headed
from herdlab.analysis.stats.estimates import Estimate, corrected
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind
from herdlab.analysis.studies.readings import other_readings
from herdlab.analysis.studies.seat_advantage import Equals, Seats, play_seats
from herdlab.analysis.words.phrases import holds_under, listed, ordinal
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Game
from herdlab.strategies.registry import find_strategy, strategies_of

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing


class _Plan(NamedTuple):
    """What a game is asked about."""

    strategies: tuple[str, ...]
    """The first is what verdicts are about, the others say whether it is a matter of play."""
    sizes: tuple[int, ...]
    quick_games: int = 5_000


_PLANS = {
    "herd": _Plan(("keeper", "optimal", "climber"), (2, 3, 4), 100_000),
    "barnyard": _Plan(("collector", "watcher"), (3, 4, 6, 10), 6_000),
    "swap": _Plan(("shedder", "opportunist"), (2, 3, 4, 6, 10), 100_000),
    "horse-trader": _Plan(("trader-2", "stockman"), (3, 4), 60_000),
    "bronco": _Plan(("trader-2", "stockman"), (3, 4), 60_000),
}
_READINGS = "Under other readings, the first seat's win rate less its fair share"
_RATES = "Win rate"
_SHOWN = 0.001
"""A share of games without a winner from which on it is mentioned."""


@dataclass(frozen=True)
class _Group:
    """Tables whose figures stand together."""

    tables: list[tuple[str, Equals]]
    """Each with what is special about it: a strategy, a reading."""
    half: float = 2 * MARGIN_OF_WIN
    """To what a first seat's worth is to be known."""


def check(ask: Ask) -> None:
    """Refuse strategies and rules with which there is no table to sit down at."""
    groups = _groups(ask)
    for table in (table for group in groups for _, table in group.tables):
        if find_strategy(ask.experiment.game, table.strategy)[0].slow:
            raise BadInput(
                f"strategy '{table.strategy}' is too slow for the many games that this question "
                f"takes: 'herdlab simulate {ask.experiment.game.name} -p "
                f"{','.join(table.line_up)} --games 200' tells what its seats win in a few"
            )


def answer(ask: Ask) -> Answer:
    """Play every table and say what its first seat is worth."""
    groups = _groups(ask)
    total, done = sum(len(group.tables) for group in groups), 0
    found: list[list[tuple[str, Seats]]] = []
    for group in groups:
        found.append([])
        for what, table in group.tables:
            seats = play_seats(
                table,
                _plan(ask.experiment.game).quick_games if ask.quick else _most(ask, table),
                decide=not ask.quick,
                half=group.half,
                confidence=corrected(total),
                runner=ask.runner,
                on_progress=ask.heard(done, total),
            )
            done, ask.games = done + 1, ask.games + seats.games
            found[-1].append((what, seats))
    main, others, session, readings = found
    verdict = [_worths(f"In {ask.experiment.game.title}", _only(main))]
    if session:
        verdict.append(_worths("In a single session", _only(session)))
    verdict += _by_strategy(main, others) + _by_reading(main, readings)
    return ask.answer(
        verdict,
        settled=all(one.kind != Kind.OPEN for one in _only(main)),
        findings=_findings(main, others, session, readings),
        notes=_notes(ask, _only(main), groups),
        data={"tables": [_as_data(what, one) for part in found for what, one in part]},
    )


def drawings(answer: Answer) -> "list[Drawing]":
    """Draw what each seat is worth, and what the first is under other readings."""
    from herdlab.analysis.figures.forest import forest_drawing, tallied

    drawn = []
    readings = [one for one in answer.findings if one.section == _READINGS]
    seats = [
        replace(one, section=one.section.split(",")[0])
        for one in answer.findings
        if one.section not in (_READINGS, _RATES)
    ]
    for rows, among in ((seats, "cases"), (headed(readings, ""), "cases of other readings")):
        of_first = [one for one in rows if among != "cases" or one.label.startswith(ordinal(0))]
        if rows:
            drawn.append(
                forest_drawing(
                    rows,
                    tallied(
                        of_first,
                        "The first seat",
                        above="gains",
                        below="loses",
                        among=among,
                        margin=100 * MARGIN_OF_WIN,
                    ),
                    x_label="win rate less the fair share, percentage points",
                    above="more than the fair share",
                    below="less than the fair share",
                    margin=100 * MARGIN_OF_WIN,
                    caption="All at a table play alike, so only the seat tells them apart"
                    + ("" if among == "cases" else "; a row is the first seat under a reading"),
                )
            )
    return drawn


def _plan(game: Game) -> _Plan:
    return _PLANS.get(game.name) or _Plan(
        tuple(strategies_of(game))[:1], (max(2, game.min_players),)
    )


def _most(ask: Ask, table: Equals) -> int:
    """Return how many games are enough: as many as a comparison at that table may take."""
    return 2 * table.size * ask.max_deals


def _groups(ask: Ask) -> list[_Group]:
    """Return the tables: main ones, with other strategies, of one session, of other readings."""
    experiment, plan = ask.experiment, _plan(ask.experiment.game)
    known = strategies_of(experiment.game)
    wanted = [one for one in plan.strategies if one in known]
    if ask.players is not None:
        wanted = list(dict.fromkeys(ask.players))
    if not wanted:
        raise BadInput("--players names nobody: name at least one strategy")
    best, *others = wanted[:1] if ask.quick and ask.players is None else wanted
    sizes = _sizes(experiment, best, plan)
    main = [(best, Equals(experiment, best, size)) for size in sizes]
    with_others = [(one, Equals(experiment, one, size)) for size in sizes for one in others]
    for _, table in with_others:
        table.check()
    short, ends = _short(experiment), list(dict.fromkeys((sizes[0], sizes[-1])))
    session = [(best, Equals(short, best, size)) for size in sizes] if short else []
    readings = [
        (one.setting, Equals(one.experiment, best, size))
        for one in ([] if ask.quick else other_readings(experiment))
        for size in ends
    ]
    return [
        _Group(main, MARGIN_OF_WIN),
        _Group(with_others),
        _Group(session),
        _Group(readings),
    ]


def _sizes(experiment: Experiment, strategy: str, plan: _Plan) -> list[int]:
    """Return the sizes of tables that the rules allow; any, if none of the plan's."""
    game, refused = experiment.game, None
    for sizes in (plan.sizes, range(max(2, game.min_players), game.max_players + 1)):
        fitting = []
        for size in sizes:
            try:
                Equals(experiment, strategy, size).check()
                fitting.append(size)
            except BadInput as mistake:
                refused = refused or mistake
        if fitting:
            return fitting
    assert refused is not None
    raise refused


def _short(experiment: Experiment) -> Experiment | None:
    """Return the same with matches of a single part, where they have several.

    A match may even out what a seat is worth in one of its parts.
    """
    if experiment.game.part is None:
        return None
    short = experiment.under(sessions=1, target=0)
    return None if short.rules == experiment.rules else short


def _only(found: Sequence[tuple[str, Seats]]) -> list[Seats]:
    return [one for _, one in found]


def _points(one: Estimate) -> str:
    """Return a gain or loss with its interval, without a sign."""
    value, low, high = 100 * one.value, 100 * one.low, 100 * one.high
    if value < 0:
        value, low, high = -value, -high, -low
    return f"{value:.1f} ({low:.1f} to {high:.1f})"


def _at(found: Sequence[Seats]) -> str:
    return f"at tables of {listed([one.table.size for one in found])}"


def _worths(where: str, found: list[Seats]) -> str:
    """Return what the first seat is worth at tables of each size."""
    parts: list[str] = []
    is_explained = False
    for kind, group in groupby(found, _kind):
        same = list(group)
        if kind == _NOBODY:
            parts.append(f"nobody ever won {_at(same)}, from whichever seat")
        elif kind == _EVEN:
            parts.append(
                f"no seat matters {_at(same)}: each wins its fair share within ± {_MARGIN}"
            )
        elif kind == Kind.TIE:
            parts.append(f"the first seat wins its fair share within ± {_MARGIN} {_at(same)}")
        elif kind == Kind.OPEN:
            spans = [
                f"{100 * one.first.low:+.1f} to {100 * one.first.high:+.1f} at tables of "
                f"{one.table.size}"
                for one in same
            ]
            parts.append(
                f"it is not settled what the first seat is worth: {listed(spans)}, in percentage "
                f"points beside its fair share"
            )
        else:
            for one in same:
                parts.append(_worth(one, in_full=not is_explained))
                is_explained = True
    return f"{where} {'; '.join(parts)}."


_MARGIN = f"{100 * MARGIN_OF_WIN:g} percentage points"
_NOBODY, _EVEN = "nobody", "even"


def _kind(one: Seats) -> str:
    """Return what is said of a table."""
    if not one.share:
        return _NOBODY
    return _EVEN if one.is_even else one.kind


def _worth(one: Seats, *, in_full: bool) -> str:
    """Return what a first seat gains or loses, and which seat is the best if it is another."""
    more = "more" if one.kind == Kind.HIGHER else "less"
    rate = f"{100 * (one.share + one.first.value):.1f} % {_at([one])}"
    if in_full:
        value, _, interval = _points(one.first).partition(" ")
        text = (
            f"the first seat wins {rate}, {value} percentage points {interval} {more} than its "
            f"fair share"
        )
    else:
        text = f"{rate}, {_points(one.first)} {more}"
    best = max(range(len(one.gains)), key=lambda seat: one.gains[seat].value)
    if best and one.kinds[best] == Kind.HIGHER:
        text += f" (the best is the {ordinal(best)}, with {_points(one.gains[best])} more)"
    return text


def _first(one: Seats) -> str:
    """Return what was found of a first seat, if there is anything to win."""
    return one.kind if one.share else _NOBODY


def _change(one: Seats) -> str:
    """Return in few words what was found of a first seat."""
    return {
        _NOBODY: "nobody ever won",
        Kind.HIGHER: f"{_points(one.first)} more",
        Kind.LOWER: f"{_points(one.first)} less",
        Kind.TIE: f"nothing, within ± {100 * MARGIN_OF_WIN:g}",
        Kind.OPEN: "not settled",
    }[_first(one)]


_Told = list[tuple[str, Seats]]


def _by_strategy(main: _Told, others: _Told) -> list[str]:
    """Return whether it is a matter of the game or of how all play."""
    played = listed(list(dict.fromkeys(what for what, _ in [*main, *others])))
    same = f"So it is whichever of {played} all play{_spread(main[0][1], _only(others))}"
    return _elsewhere(main, others, same, "It depends on how all play")


def _by_reading(main: _Told, readings: _Told) -> list[str]:
    """Return whether it stands under other readings of the rules."""
    if not readings:
        return []
    same = holds_under(list(dict.fromkeys(what for what, _ in readings))).removesuffix(".")
    return _elsewhere(main, readings, same, "Other readings of the rules change it")


def _elsewhere(main: _Told, others: _Told, same: str, other: str) -> list[str]:
    """Return that it is the `same` at other tables, or where it is `other` or open."""
    if not others:
        return []
    given = {one.table.size: one for one in _only(main)}
    odd = [(what, one) for what, one in others if _first(one) != _first(given[one.table.size])]
    if not odd:
        return [f"{same}."]
    clear = [
        f"with {what} {_at([one])} {_change(one)}" for what, one in odd if _first(one) != Kind.OPEN
    ]
    open_ = [f"with {what} {_at([one])}" for what, one in odd if _first(one) == Kind.OPEN]
    found = [f"{other}: {'; '.join(clear)}."] if clear else []
    return found + ([f"It is not settled {listed(open_)}."] if open_ else [])


def _spread(main: Seats, others: list[Seats]) -> str:
    """Return, where it is so, that the seat is worth more with some strategies than with others."""
    played = sorted(
        [main, *(one for one in others if one.table.size == main.table.size)],
        key=lambda one: abs(one.first.value),
    )
    least, most = played[0], played[-1]
    if main.kind not in (Kind.HIGHER, Kind.LOWER) or not _are_apart(least.first, most.first):
        return ""
    return (
        f", though {_at([main])} from {_points(least.first)} with {least.table.strategy} to "
        f"{_points(most.first)} with {most.table.strategy}"
    )


def _are_apart(a: Estimate, b: Estimate) -> bool:
    return a.high < b.low or b.high < a.low


def _findings(
    main: list[tuple[str, Seats]],
    others: list[tuple[str, Seats]],
    session: list[tuple[str, Seats]],
    readings: list[tuple[str, Seats]],
) -> list[Finding]:
    found, rates = list[Finding](), list[Finding]()
    for what, one in main:
        first = one.first
        section = f"At tables of {one.table.size}, win rate less the fair share"
        won = Estimate(
            one.share + first.value, one.share + first.low, one.share + first.high, first.n
        )
        rates.append(measured(_RATES, f"first seat, table of {one.table.size}", won, PER_CENT))
        found += [
            measured(section, f"{ordinal(seat)} seat, {what}", gain, POINTS)
            for seat, gain in enumerate(one.gains)
        ]
        found += [
            measured(section, f"first seat, {other}", seats.first, POINTS)
            for other, seats in others
            if seats.table.size == one.table.size
        ]
    for _, one in session:
        label = f"first seat, table of {one.table.size}"
        section = "In a single session, win rate less the fair share"
        found.append(measured(section, label, one.first, POINTS))
    for what, one in readings:
        found.append(measured(_READINGS, f"{what}, table of {one.table.size}", one.first, POINTS))
    return [*found, *rates]


def _notes(ask: Ask, main: list[Seats], groups: list[_Group]) -> list[str]:
    notes = [
        f"All at a table play alike, {main[0].table.strategy} unless another is named, so only the "
        f"seat tells them apart; the fair share is what a seat wins on average, and less than "
        f"{_MARGIN} of it counts as nothing"
    ]
    unequal = [
        key
        for key, value in ask.experiment.rules.as_dict().items()
        if isinstance(value, list) and value and all(isinstance(one, float) for one in value)
    ]
    if unequal:
        notes.append(f"The seats differ by the rules too: {listed(unequal)} were given by seat")
    open_games = [one for one in main if one.unfinished > _SHOWN]
    for one in open_games:
        notes.append(f"Nobody won {100 * one.unfinished:.1f} % of games {_at([one])}")
    if ask.quick:
        notes.append(
            "Other strategies and other readings of the rules were not tried; without --quick they "
            "are"
        )
    elif not groups[-1].tables:
        notes.append("These rules have no clause that can be read in another way")
    return notes


def _as_data(what: str, one: Seats) -> dict[str, object]:
    return {
        "what": what,
        "strategy": one.table.strategy,
        "size": one.table.size,
        "rules_hash": one.table.experiment.rules.hash,
        "fair_share": one.share,
        "games": one.games,
        "kinds": one.kinds,
        "gains": [[gain.value, gain.low, gain.high] for gain in one.gains],
    }
