"""The games behind the Guard Dog's answer: habits of buying, and single moments."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.questions.asking import Ask
from herdlab.analysis.questions.ways import Weighed, weigh
from herdlab.analysis.sampling.paired_samples import Contender, in_every_seat
from herdlab.analysis.stats.estimates import Estimate
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.position import Herd, Position, after_trade, check_position, legal_trades
from herdlab.simcore.herd.rules import DOG, TO_DOG, HerdRules

NEVER, SPARE, FIRST, TUNED, PERFECT = "never", "spare", "first", "tuned", "perfect"
ANCHORS = {NEVER: "keeper", SPARE: "keeper-dog", FIRST: "dog-first"}
"""One who trades up and keeps one of each to breed from; they differ only in when they buy."""
BUYERS = (SPARE, FIRST, TUNED)
RULES_OF_THUMB = {
    "herder:dog_rabbits=4": "whenever you can spare it, from 4 rabbits on",
    **{
        f"herder:dog=first:dog_rabbits={rabbits}:dog_sheep={sheep}": (
            f"before all else, from {rabbits} rabbits and {sheep} sheep on"
        )
        for sheep in (2, 4)
        for rabbits in (5, 8, 11)
    },
}
"""When else to buy, by strategy: the fastest of these alone is the one called tuned."""
PAIRS_ELSEWHERE = [(SPARE, NEVER), (FIRST, NEVER)]
OPTIMAL, UNBOUGHT = "optimal", "optimal:dogs=rolled-only"
SIZES, REFERENCE = (2, 3, 4), 3
_CLOSE, _CLOSE_ELSEWHERE = 0.002, 0.004
_QUICK_DEALS, _QUICK_MOMENTS = 4_000, 8_000

HAS, HAS_NOT, BUYS = "has one", "has none", "buys one"

Turns = dict[str, float | None]
"""By way to buy: mean turns alone, exact; None where it may never end."""


def alone(rules: HerdRules, ways: dict[str, str]) -> Turns:
    """Return how fast each is alone."""
    from herdlab.strategies.herd import solved

    return {way: solved.solo(rules, player).mean for way, player in ways.items()}


def fastest(turns: Turns) -> str:
    """Return who is the fastest alone."""
    return min(turns, key=lambda way: (turns[way] is None, turns[way] or 0.0))


@dataclass(frozen=True)
class Habits:
    """Ways to buy compared with never buying, among others who all do the same."""

    players: dict[str, str]
    """By way to buy, its strategy."""
    found: dict[tuple[int, str], Weighed]
    """By table and what the others do."""

    def gains(self, way: str) -> dict[tuple[int, str], Estimate]:
        """Return how much more often it wins than never buying, at each table."""
        return {table: one.less(way, NEVER) for table, one in self.found.items()}

    def is_idle(self, way: str) -> bool:
        """Whether not a single game came out differently."""
        return all((way, NEVER) in one.same for one in self.found.values())

    @property
    def unfinished(self) -> float:
        """The largest share of games that nobody won, at tables where nobody buys."""
        rates = {size: self.found[size, NEVER].rates[0] for size in SIZES}
        return max(0.0, *(1 - size * rate for size, rate in rates.items()))

    @property
    def buyers(self) -> list[str]:
        """The ways that were held against never."""
        return [way for way in BUYERS if way in self.players]


def habit_tables(ask: Ask) -> list[tuple[int, str]]:
    """Return the tables: their size, and what the others do.

    Perfect players take their time, and are left out of a quick answer.
    """
    fields = [*ANCHORS, TUNED] if ask.quick else [*ANCHORS, TUNED, PERFECT]
    return [(size, others) for size in SIZES for others in fields]


def play_habits(ask: Ask, players: dict[str, str]) -> Habits:
    """Play every way to buy at every table, among others who all do the same."""
    fields, pairs = {**players, PERFECT: OPTIMAL}, [(way, NEVER) for way in BUYERS]
    found = {
        (size, others): _weighed(
            ask, ask.experiment, players, [fields[others]] * (size - 1), pairs, close=_CLOSE
        )
        for size, others in habit_tables(ask)
    }
    return Habits(players, found)


def play_elsewhere(ask: Ask, experiment: Experiment) -> Weighed:
    """Play the anchors at one table under other rules, among players who never buy."""
    field = [ANCHORS[NEVER]] * (REFERENCE - 1)
    return _weighed(ask, experiment, ANCHORS, field, PAIRS_ELSEWHERE)


def play_perfect(ask: Ask, experiment: Experiment) -> Estimate:
    """Return what being able to buy adds to perfect play, among perfect players who never do."""
    ways, field = {one: one for one in (OPTIMAL, UNBOUGHT)}, [UNBOUGHT] * (REFERENCE - 1)
    found = _weighed(ask, experiment, ways, field, [(OPTIMAL, UNBOUGHT)])
    return found.less(OPTIMAL, UNBOUGHT)


def _weighed(
    ask: Ask,
    experiment: Experiment,
    players: dict[str, str],
    field: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    *,
    close: float = _CLOSE_ELSEWHERE,
) -> Weighed:
    """Weigh players in every seat among the same others."""
    return weigh(
        ask,
        experiment,
        {way: [in_every_seat(experiment.rules, who, field)] for way, who in players.items()},
        pairs=pairs,
        rank=pairs,
        quick_deals=_QUICK_DEALS,
        close=close,
    )


@dataclass(frozen=True)
class Moment:
    """A herd that is about to trade, all others having the same, and what a dog does to it."""

    herd: Herd
    owning: Estimate
    """Win rate with a dog less that without."""
    buying: Estimate | None
    """Win rate of buying one less that of the best other move; None where one cannot buy."""


def starts_of(rules: HerdRules, herds: Sequence[Herd]) -> dict[Herd, dict[str, Position]]:
    """Return where games go on from herds, of those that everybody at a table can have."""
    found = {}
    for herd in herds:
        without = Position((herd,) * REFERENCE)
        guarded = tuple(n + (animal == DOG) for animal, n in enumerate(herd))
        having = replace(without, herds=(guarded, *without.herds[1:]))
        try:
            check_position(rules, without)
            check_position(rules, having)
        except BadInput:
            continue
        found[herd] = {HAS_NOT: without, HAS: having}
        if (TO_DOG, None) in legal_trades(rules, without):
            herds_then = after_trade(rules, without, TO_DOG, None)
            found[herd][BUYS] = replace(without, herds=herds_then, phase="roll")
    return found


def play_moments(ask: Ask, starts: dict[Herd, dict[str, Position]]) -> list[Moment]:
    """Play on from herds, with a dog, without, and after buying one, all playing perfectly."""
    line_up, found = (OPTIMAL,) * REFERENCE, []
    for herd, ways in starts.items():
        pairs = [(way, HAS_NOT) for way in ways if way != HAS_NOT]
        contenders = {
            way: [Contender(ask.experiment.rules, ((line_up, 0),), (1,), start)]
            for way, start in ways.items()
        }
        how: Any = {"quick_deals": _QUICK_MOMENTS, "close": _CLOSE_ELSEWHERE}
        weighed = weigh(ask, ask.experiment, contenders, pairs=pairs, rank=pairs, **how)
        bought = weighed.less(BUYS, HAS_NOT) if BUYS in ways else None
        found.append(Moment(herd, weighed.less(HAS, HAS_NOT), bought))
    return found
