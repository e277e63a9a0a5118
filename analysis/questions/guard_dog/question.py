"""Is the Guard Dog worth it?  Habits at the table, perfect play, and every reading of the rules.

Two questions that must not be confused: whether it pays to buy as people do, which games tell,
and whether there is any moment at which it pays, which the exact solution of the solo game tells.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from herdlab.analysis.experiment import Experiment
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
from herdlab.analysis.questions.guard_dog.solo import Exact, exactly_worth, has_dogs, race_gain
from herdlab.analysis.questions.guard_dog.verdict import verdict, without_dogs
from herdlab.analysis.stats.estimates import Estimate
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.lattice import NONE
from herdlab.simcore.herd.rules import HERD_ANIMALS, PLURALS, HerdRules
from herdlab.simcore.workers import Pool

if TYPE_CHECKING:
    from herdlab.analysis.runs.progress import OnProgress

_ENDLESS = (
    "under these rules even perfect play may never complete a herd, so there is nothing that a dog "
    "could save"
)
T = TypeVar("T")


def check(ask: Ask) -> None:
    """Refuse rules under which nobody can win."""
    rules = _rules(ask.experiment)
    for animal in HERD_ANIMALS:
        if min(rules.tiles[animal], rules.limits[animal]) == 0:
            raise BadInput(
                f"rule {PLURALS[animal]} (H1, H4) must be above 0 for this question: nobody could "
                f"complete a herd, with a dog or without"
            )
    variants(ask.experiment)


def answer(ask: Ask) -> Answer:
    """Work out what is exact, play what is not, and say what follows."""
    rules = _rules(ask.experiment)
    if not has_dogs(rules):
        return _without_dogs(ask, rules)
    others = [] if ask.quick else variants(ask.experiment)
    tables = len(habit_tables(ask))
    ask.parts = 2 + tables + len(others)  # at least, as far as is known
    known = _work_out(ask, others)
    exact, others_known = known.exact, known.others
    thumb = fastest({player: known.turns[player] for player in RULES_OF_THUMB})
    players = {**ANCHORS, TUNED: thumb}
    herds = [stage.herd for stage in exact.stages]
    herds += [] if exact.best.herd is None else [exact.best.herd]
    starts = starts_of(rules, herds)
    buying = [one for one in (exact, *(each for _, each, _ in others_known)) if one.is_ever_bought]
    ask.intervals = (
        tables * len(BUYERS)
        + sum(len(ways) - 1 for ways in starts.values())
        + len(others_known) * len(PAIRS_ELSEWHERE)
        + len(buying)
    )
    ask.parts = 2 + tables + len(starts) + len(others_known) + len(buying)
    habits = play_habits(ask, players)
    moments = play_moments(ask, starts)
    weighed = [play_elsewhere(ask, variant.experiment) for variant, _, _ in others_known]

    def perfect(experiment: Experiment, worth: Exact) -> Estimate | None:
        return play_perfect(ask, experiment) if worth.is_ever_bought else None

    found = Found(
        exact=exact,
        turns={way: known.turns[player] for way, player in players.items()},
        habits=habits,
        moments=moments,
        race=known.race,
        perfect=perfect(ask.experiment, exact),
        elsewhere=[
            Elsewhere(variant, worth, turns, games, perfect(variant.experiment, worth))
            for (variant, worth, turns), games in zip(others_known, weighed, strict=True)
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


def _rules(experiment: Experiment) -> HerdRules:
    assert isinstance(experiment.rules, HerdRules)
    return experiment.rules


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
    rules, under = _rules(ask.experiment), [_rules(one.experiment) for one in others]
    players = {player: player for player in (*ANCHORS.values(), *RULES_OF_THUMB)}
    hands = ask.runner.crew.hands
    worths = [partial(exactly_worth, one) for one in (rules, *under)]
    exact, *found = _in_threads(worths, hands, ask.next_part())
    if exact is None:
        raise BadInput(_ENDLESS)
    can_end = [
        (one, herd, worth)
        for one, herd, worth in zip(others, under, found, strict=True)
        if worth is not None
    ]
    tasks: list[Callable[[], Any]] = [
        lambda: {} if ask.quick else {REFERENCE: race_gain(rules, REFERENCE)},
        partial(alone, rules, players),
        *(partial(alone, herd, ANCHORS) for _, herd, _ in can_end),
    ]
    race, turns, *alones = _in_threads(tasks, hands, ask.next_part())
    return _Known(
        exact,
        turns,
        race,
        [(one, worth, mine) for (one, _, worth), mine in zip(can_end, alones, strict=True)],
        [one for one, worth in zip(others, found, strict=True) if worth is None],
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
