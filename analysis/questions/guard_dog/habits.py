"""The games behind the Guard Dog's answer: habits of buying, and single moments."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
    "herder:dog_rabbits=4": "when he can spare it, from 4 rabbits on",
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
"""By way to buy: mean turns alone, exact; None for one who may never finish."""


def alone(rules: HerdRules, ways: dict[str, str]) -> Turns:
    """Return how fast each is alone."""
    from herdlab.strategies.herd import solved

    return {way: solved.solo(rules, player).mean for way, player in ways.items()}


def fastest(turns: Turns) -> str:
    """Return who is the fastest alone."""
    return min(turns, key=lambda way: (turns[way] is None, turns[way] or 0.0))


@dataclass(frozen=True)
class Habits:
    """Buyers held against one who never buys, in fields of each other."""

    players: dict[str, str]
    """By way to buy, its strategy."""
    found: dict[tuple[int, str], Weighed]
    """By table and what the others do."""

    def gains(self, way: str) -> dict[tuple[int, str], Estimate]:
        """Return by how much more often than one who never buys it wins, at each table."""
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


def play_habits(
    ask: Ask, players: dict[str, str], intervals: int, steps: tuple[int, int]
) -> Habits:
    """Play every way to buy at every table, among others who all do the same."""
    rules = ask.experiment.rules
    fields = {**players, PERFECT: OPTIMAL}
    tables = habit_tables(ask)
    pairs = [(way, NEVER) for way in BUYERS]
    found = {}
    for number, (size, others) in enumerate(tables):
        field = [fields[others]] * (size - 1)
        found[size, others] = weigh(
            ask,
            ask.experiment,
            {way: [in_every_seat(rules, player, field)] for way, player in players.items()},
            pairs=pairs,
            rank=pairs,
            intervals=intervals,
            quick_deals=_QUICK_DEALS,
            close=_CLOSE,
            steps=_within(steps, number, len(tables)),
        )
    return Habits(players, found)


def play_elsewhere(
    ask: Ask, scenes: Sequence[Experiment], intervals: int, steps: tuple[int, int]
) -> list[Weighed]:
    """Play the anchors at one table under other rules, among players who never buy."""
    pairs = PAIRS_ELSEWHERE
    return [
        weigh(
            ask,
            experiment,
            {
                way: [in_every_seat(experiment.rules, player, [ANCHORS[NEVER]] * (REFERENCE - 1))]
                for way, player in ANCHORS.items()
            },
            pairs=pairs,
            rank=pairs,
            intervals=intervals,
            quick_deals=_QUICK_DEALS,
            close=_CLOSE_ELSEWHERE,
            steps=_within(steps, number, len(scenes)),
        )
        for number, experiment in enumerate(scenes)
    ]


def play_perfect(
    ask: Ask, experiment: Experiment, intervals: int, steps: tuple[int, int] = (0, 1)
) -> Estimate:
    """Play perfect play that may buy against one that never does, among such who never do."""
    field = [UNBOUGHT] * (REFERENCE - 1)
    ways = {way: [in_every_seat(experiment.rules, way, field)] for way in (OPTIMAL, UNBOUGHT)}
    found = weigh(
        ask,
        experiment,
        ways,
        intervals=intervals,
        quick_deals=_QUICK_DEALS,
        close=_CLOSE_ELSEWHERE,
        steps=steps,
    )
    return found.less(OPTIMAL, UNBOUGHT)


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
    found = {herd: _starts(rules, herd) for herd in herds}
    return {herd: starts for herd, starts in found.items() if starts}


def play_moments(
    ask: Ask, starts: dict[Herd, dict[str, Position]], intervals: int, steps: tuple[int, int]
) -> list[Moment]:
    """Play on from herds, with a dog, without, and after buying one, all playing perfectly."""
    rules, found = ask.experiment.rules, []
    for number, (herd, ways) in enumerate(starts.items()):
        line_up = (OPTIMAL,) * REFERENCE
        pairs = [(way, HAS_NOT) for way in ways if way != HAS_NOT]
        weighed = weigh(
            ask,
            ask.experiment,
            {way: [Contender(rules, ((line_up, 0),), (1,), start)] for way, start in ways.items()},
            pairs=pairs,
            rank=pairs,
            intervals=intervals,
            quick_deals=_QUICK_MOMENTS,
            close=_CLOSE_ELSEWHERE,
            steps=_within(steps, number, len(starts)),
        )
        bought = weighed.less(BUYS, HAS_NOT) if BUYS in ways else None
        found.append(Moment(herd, weighed.less(HAS, HAS_NOT), bought))
    return found


def _starts(rules: HerdRules, herd: Herd) -> dict[str, Position]:
    """Return where the games begin; nowhere, if not everybody can have such a herd."""
    without = Position((herd,) * REFERENCE)
    guarded = tuple(n + (animal == DOG) for animal, n in enumerate(herd))
    having = replace(without, herds=(guarded, *without.herds[1:]))
    try:
        check_position(rules, without)
        check_position(rules, having)
    except BadInput:
        return {}
    found = {HAS_NOT: without, HAS: having}
    if (TO_DOG, None) in legal_trades(rules, without):
        herds = after_trade(rules, without, TO_DOG, None)
        found[BUYS] = replace(without, herds=herds, phase="roll")
    return found


def _within(steps: tuple[int, int], number: int, total: int) -> tuple[int, int]:
    """Return the part of a step that one of `total` is, for a progress bar."""
    step, of = steps
    return step * total + number, of * total
