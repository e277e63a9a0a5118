"""What is the first seat worth?  Each seat's win rate where all play alike, of any game.

Tables of several sizes, several strategies, and every reading of the rules: a seat's worth may be
a matter of the game or of how it is played.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import PER_CENT, POINTS, Finding, Of, measured
from herdlab.analysis.questions import Question
from herdlab.analysis.questions.advising import worded
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.drawn import forest_of_wins, headed, rows_of
from herdlab.analysis.stats.estimates import corrected
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind
from herdlab.analysis.studies.readings import other_readings
from herdlab.analysis.studies.seat_advantage import EqualPlayers, SeatAdvantages, measure_seats
from herdlab.analysis.words.phrases import holds_under, listed, ordinal, ranging, sized
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
_LESS, _SESSION = "win rate less the fair share", "In a single session"
_FIRST = ordinal(0)
_WITHIN = f"within ± {100 * MARGIN_OF_WIN:g} percentage points"
_SHOWN = 0.001
"""A share of games without a winner from which on it is mentioned."""
T = TypeVar("T")
_Tables = list[tuple[str, T]]
"""Each with what is special about it: a strategy, a reading."""
_Told = _Tables[SeatAdvantages]
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
    first = [one for _, one in main]
    return ask.answer(
        [
            _worths(f"In {ask.experiment.game.title}", main),
            *([_worths(_SESSION, session)] if session else []),
            *_by_strategy(main, others),
            *_by_reading(main, readings),
        ],
        settled=all(one.kind != Kind.OPEN for one in first),
        findings=list(_findings(main, others, session, readings)),
        notes=_notes(ask, first, has_readings=bool(readings)),
        data={"tables": [_as_data(what, one) for part in found for what, one in part]},
        strategies=list(dict.fromkeys(one.players.strategy for part in found for _, one in part)),
    )


def _played(ask: Ask, table: EqualPlayers, half: float) -> SeatAdvantages:
    """Return what the seats win: of as many games as a comparison at that table may take."""
    quick_games = _plan(ask.experiment.game).quick_games
    seats = measure_seats(
        table,
        quick_games if ask.quick else 2 * table.size * ask.max_deals,
        decide=not ask.quick,
        half=half,
        confidence=corrected(ask.parts),
        runner=ask.next_runner(),
    )
    ask.games += seats.games
    return seats


def drawings(answer: Answer) -> "list[Drawing]":
    """Draw what each seat is worth, and what the first is under other readings."""
    seats = [
        replace(
            one, section=_SESSION if one.of.what == "session" else f"At tables of {one.of.players}"
        )
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


def _groups(ask: Ask) -> list[_Tables[EqualPlayers]]:
    """Return the tables: main ones, with other strategies, of one session, of other readings."""
    experiment, plan = ask.experiment, _plan(ask.experiment.game)
    wanted = list(dict.fromkeys(ask.players or ()))
    if ask.players is None:
        known = strategies_of(experiment.game)
        wanted = [one for one in plan.strategies if one in known]
    if not wanted:
        raise BadInput("--players names nobody: name at least one strategy")
    best, *others = wanted[:1] if ask.quick and ask.players is None else wanted
    sizes, short = _sizes(experiment, best, plan), _short(experiment)
    ends = dict.fromkeys((sizes[0], sizes[-1]))
    readings = [] if ask.quick else other_readings(experiment)
    groups = [
        [(best, EqualPlayers(experiment, best, size)) for size in sizes],
        [(one, EqualPlayers(experiment, one, size)) for size in sizes for one in others],
        [(best, EqualPlayers(short, best, size)) for size in sizes] if short else [],
        [(one.setting, EqualPlayers(one.experiment, best, n)) for one in readings for n in ends],
    ]
    for _, table in groups[1]:
        table.check()
    return groups


def _sizes(experiment: Experiment, strategy: str, plan: SeatPlan) -> list[int]:
    """Return the sizes of tables that the rules allow; any, if none of the plan's."""

    def fits(size: int) -> bool:
        try:
            EqualPlayers(experiment, strategy, size).check()
        except BadInput:
            return False
        return True

    any_size = range(max(2, experiment.game.min_players), experiment.game.max_players + 1)
    fitting = list(filter(fits, plan.sizes)) or list(filter(fits, any_size))
    if not fitting:
        EqualPlayers(experiment, strategy, plan.sizes[0]).check()
    return fitting


def _short(experiment: Experiment) -> Experiment | None:
    """Return the same with matches of a single part, where they have several.

    A match may even out what a seat is worth in one of its parts.
    """
    if experiment.game.part is None:
        return None
    short = experiment.under(sessions=1, target=0)
    return None if short.rules == experiment.rules else short


def _at(found: Sequence[SeatAdvantages]) -> str:
    return f"at tables of {listed([one.players.size for one in found])}"


def _worths(where: str, told: _Told) -> str:
    """Return what the first seat is worth at tables of each size."""
    found = [one for _, one in told]
    nobody = [one for one in found if not one.share]
    even = [one for one in found if one.share and one.is_even]
    parts = [f"nobody ever won {_at(nobody)}, from whichever seat"] if nobody else []
    parts += [f"no seat matters {_at(even)}: each wins its fair share {_WITHIN}"] if even else []
    parts += [
        f"{_at([one])} the first seat has {100 * (one.share + one.first.value):.1f} %, and beside "
        f"its fair share {worded(one.first)}{_best_seat(one)}"
        for one in found
        if one.share and not one.is_even
    ]
    return f"{where} {'; '.join(parts)}"


def _best_seat(one: SeatAdvantages) -> str:
    """Return which seat is the best, if it is another than the first."""
    best = max(range(len(one.gains)), key=lambda seat: one.gains[seat].value)
    is_known = best and one.kinds[best] == Kind.HIGHER
    return f" (the best is the {ordinal(best)}: {sized(one.gains[best])})" if is_known else ""


def _by_strategy(main: _Told, others: _Told) -> list[str]:
    """Return whether it is a matter of the game or of how all play."""
    every = [*main, *others]
    played, gains = (
        listed(list(dict.fromkeys(what for what, _ in every))),
        [one for _, one in every],
    )
    same = f"So it is whichever of {played} all play: {ranging(one.first for one in gains)}"
    return _elsewhere(main, others, same, "It depends on how all play")


def _by_reading(main: _Told, readings: _Told) -> list[str]:
    """Return whether it stands under other readings of the rules."""
    same = holds_under(list(dict.fromkeys(what for what, _ in readings))) if readings else ""
    return _elsewhere(main, readings, same, "Other readings of the rules change it")


def _elsewhere(main: _Told, others: _Told, same: str, other: str) -> list[str]:
    """Return that it is the `same` at other tables, or where it is `other` or open."""
    given = {one.players.size: (bool(one.share), one.kind) for _, one in main}
    odd = [
        (what, one)
        for what, one in others
        if (bool(one.share), one.kind) != given[one.players.size]
    ]
    parts = [
        f"with {what} {_at([one])} {worded(one.first) if one.share else 'nobody ever won'}"
        for what, one in odd
    ]
    if not parts:
        return [same] if others else []
    is_other = any(one.kind != Kind.OPEN or not one.share for _, one in odd)
    return [f"{other if is_other else 'It is not settled everywhere'}: {'; '.join(parts)}"]


def _findings(main: _Told, others: _Told, session: _Told, readings: _Told) -> Iterator[Finding]:
    for what, one in main:
        size, section = one.players.size, f"At tables of {one.players.size}, {_LESS}"
        gains = [(ordinal(seat), what, gain) for seat, gain in enumerate(one.gains)]
        gains += [
            (_FIRST, other, seats.first) for other, seats in others if seats.players.size == size
        ]
        for who, strategy, gain in gains:
            of = Of("seats", who, players=size, others=strategy)
            yield measured(section, f"{who} seat, {strategy}", gain, POINTS, of)
    for _, one in session:
        label, size = f"first seat, table of {one.players.size}", one.players.size
        of = Of("session", _FIRST, players=size, change="a single session")
        yield measured(f"{_SESSION}, {_LESS}", label, one.first, POINTS, of)
    section = "Under other readings, the first seat's win rate less its fair share"
    for what, one in readings:
        label, size = f"{what}, table of {one.players.size}", one.players.size
        of = Of("readings", _FIRST, players=size, change="readings", under=what)
        yield measured(section, label, one.first, POINTS, of)
    for what, one in main:
        size = one.players.size
        of, won = Of("rates", _FIRST, players=size, others=what), one.first.moved(one.share)
        yield measured("Win rate", f"first seat, table of {size}", won, PER_CENT, of)


def _notes(ask: Ask, main: list[SeatAdvantages], *, has_readings: bool) -> list[str]:
    notes = [
        f"All at a table play alike, {main[0].players.strategy} unless another is named, so only "
        f"the seat tells them apart; the fair share is what a seat wins on average, and a "
        f"difference {_WITHIN} counts as nothing"
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
