"""Is the Guard Dog worth it?  Habits at the table, perfect play, and every reading of the rules.

Two questions that must not be confused: whether it pays to buy as people do, which games tell,
and whether there is any moment at which it pays, which the exact solution of the solo game tells.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from herdlab.analysis.findings import TURNS, Of, exactly
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.guard_dog.dice import Variant, variants
from herdlab.analysis.questions.guard_dog.findings import as_data, findings, notes
from herdlab.analysis.questions.guard_dog.found import Elsewhere, Found
from herdlab.analysis.questions.guard_dog.habits import (
    ANCHORS,
    BUYERS,
    PAIRS_ELSEWHERE,
    REFERENCE,
    RULES_OF_THUMB,
    TUNED,
    Turns,
    alone,
    fastest,
    habit_tables,
    play_elsewhere,
    play_habits,
    play_moments,
    play_perfect,
    starts_of,
)
from herdlab.analysis.questions.guard_dog.race import race_gain
from herdlab.analysis.questions.guard_dog.solo import Exact, exactly_worth, has_dogs
from herdlab.analysis.questions.guard_dog.verdict import verdict, without_dogs
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.lattice import NONE
from herdlab.simcore.herd.rules import HERD_ANIMALS, PLURALS, HerdRules
from herdlab.simcore.workers import Pool

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing
    from herdlab.analysis.runs.progress import OnProgress

_STEPS = 5
"""Exact work, habits, moments, other rules, perfect play."""
_ENDLESS = (
    "under these rules even perfect play may never complete a herd, so there is nothing that a dog "
    "could save"
)
T = TypeVar("T")


def check(ask: Ask) -> None:
    """Refuse rules under which nobody can win."""
    rules = _rules(ask)
    for animal in HERD_ANIMALS:
        if min(rules.tiles[animal], rules.limits[animal]) == 0:
            raise BadInput(
                f"rule {PLURALS[animal]} (H1, H4) must be above 0 for this question: nobody could "
                f"complete a herd, with a dog or without"
            )
    variants(ask.experiment)


def answer(ask: Ask) -> Answer:
    """Work out what is exact, play what is not, and say what follows."""
    rules = _rules(ask)
    if not has_dogs(rules):
        return _without_dogs(ask, rules)
    known = _work_out(ask, [] if ask.quick else variants(ask.experiment))
    exact, others = known.exact, known.others
    thumb = fastest({player: known.turns[player] for player in RULES_OF_THUMB})
    players = {**ANCHORS, TUNED: thumb}
    herds = [stage.herd for stage in exact.stages]
    herds += [] if exact.best.herd is None else [exact.best.herd]
    starts = starts_of(rules, herds)
    scenes = [ask.experiment, *(variant.experiment for variant, _, _ in others)]
    bought = [exact.is_ever_bought, *(one.is_ever_bought for _, one, _ in others)]
    intervals = (  # they share one chance of error
        len(habit_tables(ask)) * len(BUYERS)
        + sum(len(ways) - 1 for ways in starts.values())
        + len(others) * len(PAIRS_ELSEWHERE)
        + sum(bought)
    )
    habits = play_habits(ask, players, intervals, (1, _STEPS))
    moments = play_moments(ask, starts, intervals, (2, _STEPS))
    weighed = play_elsewhere(ask, scenes[1:], intervals, (3, _STEPS))
    perfect = [
        play_perfect(ask, experiment, intervals, (4, _STEPS)) if is_bought else None
        for experiment, is_bought in zip(scenes, bought, strict=True)
    ]
    found = Found(
        exact=exact,
        turns={way: known.turns[player] for way, player in players.items()},
        habits=habits,
        moments=moments,
        race=known.race,
        perfect=perfect[0],
        elsewhere=[
            Elsewhere(*one, games, added)
            for one, games, added in zip(others, weighed, perfect[1:], strict=True)
        ],
        endless=known.endless,
    )
    return ask.answer(
        verdict(found),
        settled=found.is_settled,
        findings=findings(found),
        notes=notes(found, is_quick=ask.quick),
        data=as_data(found),
    )


def drawings(answer: Answer) -> "list[Drawing]":
    """Draw when to buy, what buyers win, and whether that stands under other readings and dice."""
    from herdlab.analysis.questions.guard_dog.pictures import drawn

    return drawn(answer)


def _rules(ask: Ask) -> HerdRules:
    rules = ask.experiment.rules
    assert isinstance(rules, HerdRules)
    return rules


def _rules_of(variant: Variant) -> HerdRules:
    rules = variant.experiment.rules
    assert isinstance(rules, HerdRules)
    return rules


def _without_dogs(ask: Ask, rules: HerdRules) -> Answer:
    """Answer where nobody can have a dog."""
    from herdlab.strategies.herd import solved

    mean = solved.optimum(rules, NONE).mean
    if not isfinite(mean):
        raise BadInput(_ENDLESS)
    setting = "dogs=0" if not rules.dogs else "max_dogs=0"
    return ask.answer(
        [without_dogs(mean, setting)],
        settled=True,
        findings=[exactly("Perfect play, alone", "without dogs", mean, TURNS, Of("alone", NONE))],
        notes=["No games were played"],
    )


class _Known(NamedTuple):
    """All that is exact."""

    exact: Exact
    turns: Turns
    """By strategy."""
    race: dict[int, float]
    others: list[tuple[Variant, Exact, Turns]]
    endless: list[Variant]


def _work_out(ask: Ask, others: Sequence[Variant]) -> _Known:
    """Return all that is exact: here, in a race, and under other rules; the longest work first."""
    rules = _rules(ask)
    players = {player: player for player in (*ANCHORS.values(), *RULES_OF_THUMB)}
    under = [_rules_of(one) for one in others]
    worths = _in_threads(
        [partial(exactly_worth, one) for one in (rules, *under)],
        ask.runner.crew.hands,
        ask.heard(0, 2, (0, _STEPS)),
    )
    exact = worths[0]
    if exact is None:
        raise BadInput(_ENDLESS)
    can_end = [one for one, worth in zip(under, worths[1:], strict=True) if worth is not None]
    tasks: list[Callable[[], Any]] = [
        lambda: {} if ask.quick else {REFERENCE: race_gain(rules, REFERENCE)},
        partial(alone, rules, players),
        *(partial(alone, one, ANCHORS) for one in can_end),
    ]
    race, turns, *alones = _in_threads(tasks, ask.runner.crew.hands, ask.heard(1, 2, (0, _STEPS)))
    by_rules = dict(zip(can_end, alones, strict=True))
    known = list(zip(others, under, worths[1:], strict=True))
    return _Known(
        exact,
        turns,
        race,
        [(variant, worth, by_rules[one]) for variant, one, worth in known if worth is not None],
        [variant for variant, _, worth in known if worth is None],
    )


def _in_threads(
    tasks: Sequence[Callable[[], T]], threads: int, heard: "OnProgress | None"
) -> list[T]:
    """Do all tasks, as many at a time as there are threads; the solver holds no lock."""
    with Pool(threads) as pool:
        found = []
        for future in [pool.submit(task) for task in tasks]:
            found.append(pool.result(future))
            if heard is not None:
                heard(len(found), len(tasks))
        return found
