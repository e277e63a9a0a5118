"""What each seat wins at a table where all play alike, compared with its fair share.

All seats are watched in the same games: one wins what another loses.  The fair share is what a
seat wins on average, 1 / n where every game has a winner.
"""

from dataclasses import dataclass

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.metrics import WIN
from herdlab.analysis.sampling.paired_estimates import PairedEstimates, Sequences
from herdlab.analysis.sampling.paired_samples import Contender, PairedSamples
from herdlab.analysis.stats.confidence_sequences import BoundedSequence, v_for_half_width
from herdlab.analysis.stats.estimates import CONFIDENCE, Estimate, unvaried
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of_wins

_FIRST_LOOK = 2_000
_PAIR = 2
_USUAL = 1.5
"""An interval as wide as the margin needs so many times its games to lie within it."""


@dataclass(frozen=True)
class EqualPlayers:
    """A table at which all play the same strategy."""

    experiment: Experiment
    strategy: str
    size: int

    @property
    def line_up(self) -> tuple[str, ...]:
        """Who sits there."""
        return (self.strategy,) * self.size

    def check(self) -> None:
        """Refuse a table that the rules or the strategy do not allow."""
        self.experiment.check_line_up(self.line_up)


@dataclass(frozen=True)
class SeatAdvantages:
    """What the seats of a table were seen to win."""

    players: EqualPlayers
    share: float
    """What a seat wins on average."""
    gains: list[Estimate]
    """By seat: what it wins minus that average."""
    games: int

    @property
    def first(self) -> Estimate:
        """What the first seat wins more than the average."""
        return self.gains[0]

    @property
    def kinds(self) -> list[Kind]:
        """By seat: whether it wins more or less than its fair share."""
        return [kind_of_wins(one) for one in self.gains]

    @property
    def kind(self) -> Kind:
        """That of the first seat."""
        return self.kinds[0]

    @property
    def is_even(self) -> bool:
        """Whether no seat is worth anything."""
        return set(self.kinds) == {Kind.TIE}

    @property
    def unfinished(self) -> float:
        """The share of games that nobody won."""
        return max(0.0, 1 - self.players.size * self.share)


def measure_seats(
    players: EqualPlayers,
    games: int,
    *,
    decide: bool,
    half: float = MARGIN_OF_WIN,
    confidence: float = CONFIDENCE,
    runner: Runner = HERE,
) -> SeatAdvantages:
    """Play `games`; with `decide` at most so many, until it is settled what the first seat wins.

    If that is its fair share, until it is settled for every seat; otherwise until it is known to ±
    `half`.  The intervals of all seats hold together.
    """
    n, rules = players.size, players.experiment.rules
    places = [(players.line_up, seat) for seat in range(n)]
    contenders = [Contender(rules, (place,), (1,)) for place in places]
    contenders.append(Contender(rules, tuple(places), (1,) * n))
    samples = PairedSamples(players.experiment.game, contenders, WIN, players.experiment.seed)
    alpha = (1 - confidence) / (1 if n == _PAIR else n)  # of two, one loses what the other gains
    if not decide:
        found = samples.measure(range(games), runner=runner)
        gains = [_fixed(found, seat, n, 1 - alpha) for seat in range(n)]
        return SeatAdvantages(players, found.mean(n).value, gains, found.games)
    v = v_for_half_width(MARGIN_OF_WIN, (n - 1) / n**2, alpha, -1 / n, 1 - 1 / n)
    sequences: Sequences = {
        (seat, n): BoundedSequence(-1 / n, 1 - 1 / n, alpha, v, 0) for seat in range(n)
    }

    def look(new: PairedEstimates, found: PairedEstimates) -> int | None:
        new.add_to(sequences)
        gains = [one.interval() for one in sequences.values()]
        kinds, width = [kind_of_wins(one) for one in gains], gains[0].high - gains[0].low
        is_settled = kinds[0] != Kind.OPEN and width < 2 * half
        if kinds[0] == Kind.TIE:
            is_settled = Kind.OPEN not in kinds
        if is_settled:
            return None
        needed = _USUAL * found.deals * (width / 2 / MARGIN_OF_WIN) ** 2
        return max(found.deals + 1, round(needed))

    found = samples.measure_until(_FIRST_LOOK, games, look, runner=runner)
    gains = [one.interval() for one in sequences.values()]
    return SeatAdvantages(players, found.mean(n).value, gains, found.games)


def _fixed(found: PairedEstimates, seat: int, n: int, confidence: float) -> Estimate:
    """Return a seat's gain with the interval of a number of games that was fixed beforehand."""
    if not found.deviation(seat, n):  # such as: nobody ever wins
        value = found.difference(seat, n).value
        return unvaried(value, found.deals, -1 / n, 1 - 1 / n, confidence)
    return found.difference(seat, n, confidence)
