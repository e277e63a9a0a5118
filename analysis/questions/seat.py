"""What is the first seat worth?  Each seat's win rate where all play alike, of any game.

Tables of several sizes, several strategies, and every reading of the rules: a seat's worth may be
a matter of the game or of how it is played.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import PER_CENT, POINTS, Finding, Of, measured
from herdlab.analysis.questions import Question
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.drawn import forest_of_wins, headed, rows_of
from herdlab.analysis.stats.estimates import Estimate, corrected
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, is_clear
from herdlab.analysis.studies.readings import other_readings
from herdlab.analysis.studies.seat_advantage import EqualPlayers, SeatAdvantages, measure_seats
from herdlab.analysis.words.phrases import holds_under, listed, ordinal, sized
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Game, SeatPlan
from herdlab.strategies.registry import find_strategy, strategies_of

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing


QUESTION = Question(
    name="seat",
    words="What is the first seat worth?",
    keywords="seat first start begin order",
    plays="keeper optimal climber collector watcher shedder opportunist trader-2 stockman",
    takes_players=True,
)
_READINGS = "Under other readings, the first seat's win rate less its fair share"
_RATES, _LESS, _SESSION = "Win rate", "win rate less the fair share", "In a single session"
_FIRST = ordinal(0)
_SHOWN = 0.001
"""A share of games without a winner from which on it is mentioned."""


_Tables = list[tuple[str, EqualPlayers]]
"""Each with what is special about it: a strategy, a reading."""
_Told = list[tuple[str, SeatAdvantages]]
"""The same as they were played."""


def check(ask: Ask) -> None:
    """Refuse strategies and rules with which there is no table to sit down at."""
    for _, table in (one for group in _groups(ask) for one in group):
        if find_strategy(ask.experiment.game, table.strategy)[0].slow:
            raise BadInput(
                f"strategy '{table.strategy}' is too slow for the many games that this question "
                f"takes: 'herdlab simulate {ask.experiment.game.name} -p "
                f"{','.join(table.line_up)} --games 200' tells what its seats win in a few"
            )


def answer(ask: Ask) -> Answer:
    """Play every table and say what its first seat is worth."""
    groups = _groups(ask)
    ask.parts = sum(map(len, groups))
    # to what a first seat's worth is to be known: at the main tables more closely
    halves = (MARGIN_OF_WIN, *[2 * MARGIN_OF_WIN] * (len(groups) - 1))
    main, others, session, readings = found = [
        [(what, _played(ask, table, half)) for what, table in group]
        for group, half in zip(groups, halves, strict=True)
    ]
    verdict = [_worths(f"In {ask.experiment.game.title}", _only(main))]
    if session:
        verdict.append(_worths("In a single session", _only(session)))
    verdict += _by_strategy(main, others) + _by_reading(main, readings)
    return ask.answer(
        verdict,
        settled=all(one.kind != Kind.OPEN for one in _only(main)),
        findings=_findings(main, others, session, readings),
        notes=_notes(ask, _only(main), has_readings=bool(groups[-1])),
        data={"tables": [_as_data(what, one) for part in found for what, one in part]},
        strategies=list(dict.fromkeys(one.players.strategy for part in found for _, one in part)),
    )


def _played(ask: Ask, table: EqualPlayers, half: float) -> SeatAdvantages:
    """Return what the seats win: of as many games as a comparison at that table may take."""
    most = 2 * table.size * ask.max_deals
    seats = measure_seats(
        table,
        _plan(ask.experiment.game).quick_games if ask.quick else most,
        decide=not ask.quick,
        half=half,
        confidence=corrected(ask.parts),
        runner=ask.runner.telling(ask.next_part()),
    )
    ask.games += seats.games
    return seats


def drawings(answer: Answer) -> "list[Drawing]":
    """Draw what each seat is worth, and what the first is under other readings."""
    seats = [
        replace(one, section=_at_tables(one.of.players) if one.of.what == "seats" else _SESSION)
        for one in rows_of(answer.findings, "seats", "session")
    ]
    readings = headed(rows_of(answer.findings, "readings"), "")
    drawn, alike = [], "All at a table play alike, so only the seat tells them apart"
    for rows, among, caption in (
        (seats, "cases", alike),
        (readings, "cases of other readings", f"{alike}; a row is the first seat under a reading"),
    ):
        drawn += forest_of_wins(
            rows,
            "The first seat",
            "win rate less the fair share, percentage points",
            of_title=[one for one in rows if one.of.who == _FIRST],
            does=("gains", "loses"),
            above="more than the fair share",
            below="less than the fair share",
            among=among,
            caption=caption,
        )
    return drawn


def _plan(game: Game) -> SeatPlan:
    smallest = max(2, game.min_players)
    return game.seat_plan or SeatPlan(tuple(strategies_of(game))[:1], (smallest,))


def _groups(ask: Ask) -> tuple[_Tables, _Tables, _Tables, _Tables]:
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
    main = [(best, EqualPlayers(experiment, best, size)) for size in sizes]
    with_others = [(one, EqualPlayers(experiment, one, size)) for size in sizes for one in others]
    for _, table in with_others:
        table.check()
    short, ends = _short(experiment), list(dict.fromkeys((sizes[0], sizes[-1])))
    session = [(best, EqualPlayers(short, best, size)) for size in sizes] if short else []
    readings = [
        (one.setting, EqualPlayers(one.experiment, best, size))
        for one in ([] if ask.quick else other_readings(experiment))
        for size in ends
    ]
    return main, with_others, session, readings


def _sizes(experiment: Experiment, strategy: str, plan: SeatPlan) -> list[int]:
    """Return the sizes of tables that the rules allow; any, if none of the plan's."""
    game, refused = experiment.game, None
    for sizes in (plan.sizes, range(max(2, game.min_players), game.max_players + 1)):
        fitting = []
        for size in sizes:
            try:
                EqualPlayers(experiment, strategy, size).check()
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


def _only(found: Sequence[tuple[str, SeatAdvantages]]) -> list[SeatAdvantages]:
    return [one for _, one in found]


def _at_tables(size: int | None) -> str:
    return f"At tables of {size}"


def _at(found: Sequence[SeatAdvantages]) -> str:
    return f"at tables of {listed([one.players.size for one in found])}"


def _worths(where: str, found: list[SeatAdvantages]) -> str:
    """Return what the first seat is worth at tables of each size."""
    parts: list[str] = []
    is_explained = False
    for kind, group in groupby(found, _kind):
        same = list(group)
        at, each = _at(same), f"its fair share within ± {_MARGIN}"
        if is_clear(same[0].kind) and kind == same[0].kind:
            parts += [_worth(one, in_full=not (is_explained or n)) for n, one in enumerate(same)]
            is_explained = True
            continue
        spans = [
            f"{100 * one.first.low:+.1f} to {100 * one.first.high:+.1f} {_at([one])}"
            for one in same
        ]
        words = {
            _NOBODY: f"nobody ever won {at}, from whichever seat",
            _EVEN: f"no seat matters {at}: each wins {each}",
            Kind.TIE: f"the first seat wins {each} {at}",
            Kind.OPEN: f"it is not settled what the first seat is worth: {listed(spans)}, in "
            f"percentage points beside its fair share",
        }
        parts.append(words[kind])
    return f"{where} {'; '.join(parts)}."


_MARGIN = f"{100 * MARGIN_OF_WIN:g} percentage points"
_NOBODY, _EVEN = "nobody", "even"


def _kind(one: SeatAdvantages) -> str:
    """Return what is said of a table."""
    return _EVEN if one.share and one.is_even else _first(one)


def _worth(one: SeatAdvantages, *, in_full: bool) -> str:
    """Return what a first seat gains or loses, and which seat is the best if it is another."""
    more = "more" if one.kind == Kind.HIGHER else "less"
    rate = f"{100 * (one.share + one.first.value):.1f} % {_at([one])}"
    if in_full:
        worth = sized(one.first, " percentage points")
        text = f"the first seat wins {rate}, {worth} {more} than its fair share"
    else:
        text = f"{rate}, {sized(one.first)} {more}"
    best = max(range(len(one.gains)), key=lambda seat: one.gains[seat].value)
    if best and one.kinds[best] == Kind.HIGHER:
        text += f" (the best is the {ordinal(best)}, with {sized(one.gains[best])} more)"
    return text


def _first(one: SeatAdvantages) -> str:
    """Return what was found of a first seat, if there is anything to win."""
    return one.kind if one.share else _NOBODY


def _change(one: SeatAdvantages) -> str:
    """Return in few words what was found of a first seat."""
    return {
        _NOBODY: "nobody ever won",
        Kind.HIGHER: f"{sized(one.first)} more",
        Kind.LOWER: f"{sized(one.first)} less",
        Kind.TIE: f"nothing, within ± {100 * MARGIN_OF_WIN:g}",
        Kind.OPEN: "not settled",
    }[_first(one)]


def _by_strategy(main: _Told, others: _Told) -> list[str]:
    """Return whether it is a matter of the game or of how all play."""
    played = listed(list(dict.fromkeys(what for what, _ in [*main, *others])))
    same = f"So it is whichever of {played} all play{_spread(main[0][1], _only(others))}."
    return _elsewhere(main, others, same, "It depends on how all play")


def _by_reading(main: _Told, readings: _Told) -> list[str]:
    """Return whether it stands under other readings of the rules."""
    same = holds_under(list(dict.fromkeys(what for what, _ in readings))) if readings else ""
    return _elsewhere(main, readings, same, "Other readings of the rules change it")


def _elsewhere(main: _Told, others: _Told, same: str, other: str) -> list[str]:
    """Return that it is the `same` at other tables, or where it is `other` or open."""
    if not others:
        return []
    given = {one.players.size: _first(one) for one in _only(main)}
    odd = [
        (f"with {what} {_at([one])}", one)
        for what, one in others
        if _first(one) != given[one.players.size]
    ]
    clear = [f"{where} {_change(one)}" for where, one in odd if _first(one) != Kind.OPEN]
    open_ = [where for where, one in odd if _first(one) == Kind.OPEN]
    found = [f"{other}: {'; '.join(clear)}."] if clear else []
    found += [f"It is not settled {listed(open_)}."] if open_ else []
    return found or [same]


def _spread(main: SeatAdvantages, others: list[SeatAdvantages]) -> str:
    """Return, where it is so, that the seat is worth more with some strategies than with others."""
    played = sorted(
        [main, *(one for one in others if one.players.size == main.players.size)],
        key=lambda one: abs(one.first.value),
    )
    least, most = played[0], played[-1]
    if main.kind not in (Kind.HIGHER, Kind.LOWER) or not _are_apart(least.first, most.first):
        return ""
    return (
        f", though {_at([main])} from {sized(least.first)} with {least.players.strategy} to "
        f"{sized(most.first)} with {most.players.strategy}"
    )


def _are_apart(a: Estimate, b: Estimate) -> bool:
    return a.high < b.low or b.high < a.low


def _findings(main: _Told, others: _Told, session: _Told, readings: _Told) -> list[Finding]:
    found, rates = list[Finding](), list[Finding]()
    for what, one in main:
        first, section = one.first, f"{_at_tables(one.players.size)}, {_LESS}"
        value, low, high = (one.share + end for end in (first.value, first.low, first.high))
        won = Estimate(value, low, high, first.n)
        size = one.players.size
        of = Of("rates", _FIRST, players=size, others=what)
        rates.append(measured(_RATES, f"first seat, table of {size}", won, PER_CENT, of))
        gains = [(ordinal(seat), what, gain) for seat, gain in enumerate(one.gains)]
        gains += [
            (_FIRST, other, seats.first) for other, seats in others if seats.players.size == size
        ]
        for who, strategy, gain in gains:
            of = Of("seats", who, players=size, others=strategy)
            found.append(measured(section, f"{who} seat, {strategy}", gain, POINTS, of))
    for _, one in session:
        label, size = f"first seat, table of {one.players.size}", one.players.size
        of = Of("session", _FIRST, players=size, change="a single session")
        found.append(measured(f"{_SESSION}, {_LESS}", label, one.first, POINTS, of))
    for what, one in readings:
        label, size = f"{what}, table of {one.players.size}", one.players.size
        of = Of("readings", _FIRST, players=size, change="readings", under=what)
        found.append(measured(_READINGS, label, one.first, POINTS, of))
    return [*found, *rates]


def _notes(ask: Ask, main: list[SeatAdvantages], *, has_readings: bool) -> list[str]:
    notes = [
        f"All at a table play alike, {main[0].players.strategy} unless another is named, so only "
        f"the seat tells them apart; the fair share is what a seat wins on average, and less than "
        f"{_MARGIN} of it counts as nothing"
    ]
    unequal = [
        key
        for key, value in ask.experiment.rules.as_dict().items()
        if isinstance(value, list) and value and all(isinstance(one, float) for one in value)
    ]
    if unequal:
        notes.append(f"The seats differ by the rules too: {listed(unequal)} were given by seat")
    notes += [
        f"Nobody won {100 * one.unfinished:.1f} % of games {_at([one])}"
        for one in main
        if one.unfinished > _SHOWN
    ]
    if ask.quick:
        notes.append(
            "Other strategies and other readings of the rules were not tried; without --quick they "
            "are"
        )
    elif not has_readings:
        notes.append("These rules have no clause that can be read in another way")
    return notes


def _as_data(what: str, one: SeatAdvantages) -> dict[str, object]:
    return {
        "what": what,
        "strategy": one.players.strategy,
        "size": one.players.size,
        "rules_hash": one.players.experiment.rules.hash,
        "fair_share": one.share,
        "games": one.games,
        "kinds": one.kinds,
        "gains": [[gain.value, gain.low, gain.high] for gain in one.gains],
    }
