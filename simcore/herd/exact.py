"""The solo game of Have You Herd? solved exactly: no luck, no intervals.

A player alone meets nobody's skunk and trades with nobody after a T (H2), and the supply is what
their own herd leaves.  So the herd at the beginning of a turn is all there is to know.  There are
half a million herds: chances are moved from turn to turn, and the best trades found backwards.
The limit of H16 is left out: how many turns a game takes that is never cut off.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from math import log, sqrt

import numpy as np
import numpy.typing as npt

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import Player, find_game
from herdlab.simcore.herd.asking import ask_alone
from herdlab.simcore.herd.lattice import Lattice
from herdlab.simcore.herd.sweeps import move_rolls, move_trades, value_rolls, value_trades
from herdlab.simcore.herd.view import AFTER, BEFORE
from herdlab.simcore.table import OWN_ONLY

TAIL = 1e-15
"""A distribution goes on until less than this is left."""
LONGEST = 10_000
"""Turns after which it ends at any rate: whoever is not done by then may never be."""
_SETTLED = 1e-12
"""Values that change by less than this part of the largest are settled."""
_MANY_SWEEPS = 1_000
_PRECISE = 1e-9
_SOME = 0.9

Floats = npt.NDArray[np.float64]
ChoiceTables = npt.NDArray[np.uint8]
OnStep = Callable[[int, int], None]
"""Hears how much is done, and of how much as far as is known."""


@dataclass(frozen=True)
class Solo:
    """How many turns a player alone takes."""

    distribution: Floats
    """The chance of 1, 2, … turns."""

    @property
    def unfinished(self) -> float:
        """The chance of more turns than the distribution has."""
        return max(0.0, 1.0 - float(self.distribution.sum()))

    @property
    def mean(self) -> float | None:
        """The mean; None if the player may never finish."""
        return float(self._turns @ self.distribution) if self.unfinished < _PRECISE else None

    @property
    def sd(self) -> float | None:
        """The standard deviation; None if the player may never finish."""
        mean = self.mean
        return None if mean is None else sqrt(float((self._turns - mean) ** 2 @ self.distribution))

    @property
    def _turns(self) -> npt.NDArray[np.int64]:
        return np.arange(1, len(self.distribution) + 1)

    @property
    def sentence(self) -> str | None:
        """What there is to say if there is no mean."""
        if self.mean is not None:
            return None
        if not self.distribution.any():
            return "never finishes"
        return (
            f"does not finish in {len(self.distribution):,} turns with a chance of "
            f"{self.unfinished:.3g}, perhaps never"
        )


@dataclass(frozen=True)
class Policy:
    """What a player alone does."""

    moves: Callable[[int, Floats, int], ChoiceTables]
    """(phase, chance of each herd, turn) -> the trade of each herd that has a chance."""
    is_steady: bool
    """Whether it does the same in every turn."""


@dataclass(frozen=True)
class Turn:
    """Chances in a turn, by herd."""

    begun: Floats
    """Those that it begins with."""
    rolling: Floats
    """Those of the first roll."""
    left: Floats
    """Those that the next one begins with."""
    won: float
    """The chance that the herd is completed in it."""


def turns(lattice: Lattice, policy: Policy, start: Sequence[int] | None = None) -> Iterator[Turn]:
    """Yield the turns of a policy from the deal, or from another herd, without end."""
    now, rolling, free, bound = (np.zeros(lattice.size) for _ in range(4))
    now[lattice.deal if start is None else lattice.place(start)] = 1.0
    for turn in count():
        begun = now.copy()  # a move empties what it moves from
        before = policy.moves(BEFORE, now, turn)
        won = move_trades(now, lattice.complete, before, lattice.steps, rolling)
        rolled = rolling.copy()
        won += move_rolls(rolling, lattice.complete, lattice.columns, free, bound)
        after = policy.moves(AFTER, free, turn)
        won += move_trades(free, lattice.complete, after, lattice.steps, bound)
        now, bound = bound, now
        yield Turn(begun, rolled, now, won)


def distribution(
    lattice: Lattice,
    policy: Policy,
    start: Sequence[int] | None = None,
    on_step: OnStep | None = None,
) -> Solo:
    """Return how many turns a policy takes from the deal, or from another herd."""
    finished: list[float] = []
    reached = np.zeros(lattice.size, dtype=bool)
    for turn in islice(turns(lattice, policy, start), LONGEST):
        finished.append(turn.won)
        left = float(turn.left.sum())
        if on_step is not None:
            on_step(len(finished), _expected(len(finished), left, TAIL, LONGEST))
        if left <= TAIL:
            break
        reached |= turn.begun > 0
        if policy.is_steady and turn.won < TAIL:
            if not any(finished) and not ((turn.left > 0) & ~reached).any():
                break  # every herd that can be reached was, and none is complete
            if np.abs(turn.left - turn.begun).max() < TAIL:
                break  # nothing will ever change
    return Solo(np.array(finished if any(finished) else []))


def policy_of(lattice: Lattice, player: Player) -> Policy:
    """Return what a strategy does with each herd, asked through the engine as in a game."""
    bout = Bout(find_game("herd"), lattice.rules, [player], stream_seeds(0))
    moves = np.zeros(lattice.size, dtype=np.uint8)

    def ask(phase: int, chances: Floats, turn: int) -> ChoiceTables:
        herds, trades = lattice.packed, lattice.trades
        bout.work_out(lambda table: ask_alone(chances, herds, trades, turn, phase, moves, table))
        return moves

    if player.flags & OWN_ONLY:  # it does not know phase and turn
        ask(BEFORE, np.ones(lattice.size), 0)
        return Policy(lambda phase, chances, turn: moves, is_steady=True)
    return Policy(ask, is_steady=False)


def _expected(done: int, left: float, enough: float, most: int) -> int:
    """Return about how many steps it takes until so little is `left`, at this rate."""
    if left <= enough:
        return done
    if left > _SOME:
        return max(most, done + 1)
    return max(done + 1, round(done * log(enough) / log(left)))


@dataclass(frozen=True)
class Optimum:
    """The fastest solo play: for every herd the turns it still takes."""

    lattice: Lattice
    rolling: Floats
    """Turns to come after this one, when a herd is about to roll; 0 when it is complete."""
    before: Floats
    """Turns to come, when it is about to trade before the roll; 0 when it is complete."""

    def turns(
        self, herd: Sequence[int], phase: str = "before", *, t_in_force: bool = False
    ) -> float:
        """Return the expected turns to a complete herd, the one under way counted.

        `phase` says what comes next: the trade ``before`` the roll, the ``roll``, or the trade
        ``after`` it, which a T bars.
        """
        number = self.lattice.place(herd)
        if phase == "before":
            return float(max(self.before[number], 1.0))
        if phase == "roll":
            return 1.0 + float(self.rolling[number])
        least = self.before[number]
        if not t_in_force:
            legal = int(self.lattice.trades[number])
            ways = [t for t in range(len(self.lattice.steps)) if (legal | 1) >> t & 1]
            least = min(self.before[number + self.lattice.steps[trade]] for trade in ways)
        return 1.0 + float(least)

    @property
    def mean(self) -> float:
        """The mean from the deal; infinite if the player may never finish."""
        return float(self.before[self.lattice.deal])

    def policy(self) -> Policy:
        """Return what it does with each herd."""
        values = {BEFORE: self.rolling, AFTER: self.before}
        found = {phase: _before_trades(self.lattice, -one)[1] for phase, one in values.items()}
        return Policy(lambda phase, chances, turn: found[phase], is_steady=True)


def _before_trades(lattice: Lattice, values: Floats) -> tuple[Floats, ChoiceTables]:
    """Return the highest value that each herd's trades lead to, and which trade leads there."""
    best, moves = np.empty_like(values), np.empty(lattice.size, dtype=np.uint8)
    value_trades(values, lattice.trades, lattice.steps, best, moves)
    return best, moves


def _before_roll(lattice: Lattice, coming: Floats) -> tuple[Floats, ChoiceTables]:
    """Return each herd's value before the roll if `coming` follow the turn, and the late trades."""
    after, late = _before_trades(lattice, coming)
    rolling = np.empty_like(coming)
    value_rolls(after, coming, lattice.complete, lattice.columns, rolling)
    return rolling, late


def optimum_from(lattice: Lattice, rolling: Floats) -> Optimum:
    """Return the optimum that goes with its values before the roll."""
    best, _ = _before_trades(lattice, -rolling)
    return Optimum(lattice, rolling, np.where(lattice.complete, 0.0, 1.0 - best))


def optimum(
    lattice: Lattice, on_step: OnStep | None = None, guess: Optimum | None = None
) -> Optimum:
    """Find the fastest play by value iteration, turn by turn, to the last digit that matters.

    A herd that may never become complete, whatever one does, takes infinitely many turns.  From a
    good `guess`, of a game with the same herds, it is found sooner.
    """
    lost = _lost(lattice)
    before = rolling = np.zeros(lattice.size)
    if guess is not None:
        before = np.where(np.isfinite(guess.before), -guess.before, 0.0)
    change, sweep, longest = np.inf, 0, 1.0
    while change > _SETTLED * longest:
        before[lost] = -np.inf
        old, (rolling, _) = before, _before_roll(lattice, before)
        before, _ = _before_trades(lattice, rolling)
        before[~lattice.complete] -= 1.0
        longest = max(1.0, float(-before[~lost].min(initial=0.0)))
        change, sweep = float(np.abs(old[~lost] - before[~lost]).max(initial=0.0)), sweep + 1
        if on_step is not None:
            on_step(sweep, _expected(sweep, change / longest, _SETTLED, _MANY_SWEEPS))
    return optimum_from(lattice, -rolling)


def _lost(lattice: Lattice) -> npt.NDArray[np.bool_]:
    """Return the herds that, whatever one does, may never become complete.

    Such as one without a rabbit, where only one die has rabbits (H7).  They are found by their
    chance to finish in few turns: it must not be nothing, without a chance of getting lost.
    """
    lost = np.zeros(lattice.size, dtype=bool)
    while True:
        chance = np.where(lattice.complete, 1.0, 0.0)
        sign, was = np.sign(chance), None
        while was is None or (was != sign).any():
            chance[lost] = -np.inf
            chance, _ = _before_trades(lattice, _before_roll(lattice, chance)[0])
            was, sign = sign, np.sign(chance)
        if ((sign <= 0) == lost).all():
            return lost
        lost = sign <= 0


@dataclass(frozen=True)
class Response:
    """The play with the best chance of finishing while one is unbeaten."""

    chance: float
    """That it does, from the deal."""
    moves: ChoiceTables
    """(turn, herd) the trade before the roll, and times eight that after it."""


def best_response(lattice: Lattice, unbeaten: Floats, on_step: OnStep | None = None) -> Response:
    """Find the play with the highest chance of finishing unbeaten.

    `unbeaten` has for turn 1, 2, … the chance that nobody else is first if one finishes in it;
    after its end there is none.  Worked out from the last turn back.
    """
    turns = len(unbeaten)
    coming = np.zeros(lattice.size)
    moves = np.zeros((turns, lattice.size), dtype=np.uint8)
    for turn in range(turns - 1, -1, -1):
        coming[lattice.complete] = unbeaten[turn]
        rolling, late = _before_roll(lattice, coming)
        coming, early = _before_trades(lattice, rolling)
        moves[turn] = early | late << 3
        if on_step is not None:
            on_step(turns - turn, turns)
    return Response(float(coming[lattice.deal]), moves)
