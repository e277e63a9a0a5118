"""Is the Guard Dog worth it?  Habits at the table, perfect play, and every reading of the rules.

Two questions that must not be confused: whether it pays to buy as people do, which games tell,
and whether there is any moment at which it pays, which the exact solution of the solo game tells.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from typing import Any

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import TURNS, Of, exactly
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.guard_dog import habits as play
from herdlab.analysis.questions.guard_dog.dice import variants
from herdlab.analysis.questions.guard_dog.findings import as_data, findings, notes
from herdlab.analysis.questions.guard_dog.solo import Exact, exactly_worth, has_dogs, race_gain
from herdlab.analysis.questions.guard_dog.verdict import Elsewhere, Found, verdict, without_dogs
from herdlab.analysis.questions.herd_rules import check_completable, herd_rules
from herdlab.analysis.stats.estimates import Estimate
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.lattice import NONE
from herdlab.simcore.herd.rules import HerdRules
from herdlab.simcore.workers import Pool

_ENDLESS = (
    "under these rules even perfect play may never complete a herd, so there is nothing that a dog "
    "could save"
)


def check(ask: Ask) -> None:
    """Refuse rules under which nobody can win."""
    check_completable(ask.experiment)
    variants(ask.experiment)


def answer(ask: Ask) -> Answer:
    """Work out what is exact, play what is not, and say what follows."""
    rules = herd_rules(ask.experiment)
    if not has_dogs(rules):
        return _without_dogs(ask, rules)
    others = [] if ask.quick else variants(ask.experiment)
    tables = len(play.habit_tables(ask))
    ask.parts = 2 + tables + len(others)  # at least, as far as is known

    under = [herd_rules(one.experiment) for one in others]
    exact, *worths = _in_threads(ask, [partial(exactly_worth, one) for one in (rules, *under)])
    if exact is None:
        raise BadInput(_ENDLESS)
    ending = [
        (one, herd, worth) for one, herd, worth in zip(others, under, worths, strict=True) if worth
    ]
    who = {player: player for player in (*play.ANCHORS.values(), *play.RULES_OF_THUMB)}
    sizes = () if ask.quick else (play.REFERENCE,)
    gains_of_races, turns, *alone = _in_threads(
        ask,
        [
            lambda: {size: race_gain(rules, size) for size in sizes},
            partial(play.alone, rules, who),
            *(partial(play.alone, herd, play.ANCHORS) for _, herd, _ in ending),
        ],
    )

    players = {**play.ANCHORS, play.TUNED: play.fastest({p: turns[p] for p in play.RULES_OF_THUMB})}
    best = [] if exact.best.herd is None else [exact.best.herd]
    starts = play.starts_of(rules, [*(stage.herd for stage in exact.stages), *best])
    buying = [one for one in (exact, *(worth for *_, worth in ending)) if one.is_ever_bought]
    ask.intervals = (
        tables * len(play.BUYERS)
        + sum(len(ways) - 1 for ways in starts.values())
        + len(ending) * len(play.PAIRS_ELSEWHERE)
        + len(buying)
    )
    ask.parts = 2 + tables + len(starts) + len(ending) + len(buying)

    def perfect(experiment: Experiment, worth: Exact) -> Estimate | None:
        return play.play_perfect(ask, experiment) if worth.is_ever_bought else None

    habits, moments = play.play_habits(ask, players), play.play_moments(ask, starts)
    weighed = [play.play_elsewhere(ask, one.experiment) for one, *_ in ending]
    found = Found(
        exact=exact,
        turns={way: turns[player] for way, player in players.items()},
        habits=habits,
        moments=moments,
        race=gains_of_races,
        perfect=perfect(ask.experiment, exact),
        elsewhere=[
            Elsewhere(one, worth, mine, games, perfect(one.experiment, worth))
            for (one, _, worth), mine, games in zip(ending, alone, weighed, strict=True)
        ],
        endless=[one for one, worth in zip(others, worths, strict=True) if worth is None],
    )
    return ask.answer(
        verdict(found),
        settled=found.is_settled,
        findings=findings(found),
        notes=notes(found, is_quick=ask.quick),
        data=as_data(found),
    )


def _without_dogs(ask: Ask, rules: HerdRules) -> Answer:
    """Answer where nobody can have a dog."""
    from herdlab.strategies.herd import solved

    mean = solved.optimum(rules, NONE).mean
    if not isfinite(mean):
        raise BadInput(_ENDLESS)
    return ask.answer(
        without_dogs(mean, "dogs=0" if not rules.dogs else "max_dogs=0"),
        settled=True,
        findings=[exactly("Perfect play, alone", "without dogs", mean, TURNS, Of("alone", NONE))],
        notes=["No games were played"],
    )


def _in_threads(ask: Ask, tasks: Sequence[Callable[[], Any]]) -> list[Any]:
    """Do a part's tasks, as many at a time as there are threads; the solver holds no lock."""
    heard, found = ask.next_part(), list[Any]()
    with Pool(ask.runner.crew.hands) as pool:
        for future in [pool.submit(task) for task in tasks]:
            found.append(pool.result(future))
            if heard is not None:
                heard(len(found), len(tasks))
    return found
