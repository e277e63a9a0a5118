"""`advise`: what should I do here?  Every legal move is played on from, on the same deals."""

import time
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb, inf, isfinite
from typing import Any

from herdlab.analysis.exact.advise_request import AFTER, BEFORE, AdviseRequest
from herdlab.analysis.exact.herd_moves import Move
from herdlab.analysis.result import Result
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.analysis.sampling.paired_samples import Contender, PairedSamples
from herdlab.analysis.stats.estimates import Estimate, as_columns, difference_of, wilson
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of_wins, more_to_settle
from herdlab.analysis.words.phrases import listed
from herdlab.simcore.herd.position import supply_of
from herdlab.simcore.herd.rules import ANIMALS

ONLY, CLEAR, ALIKE, UNSETTLED = "only", "clear", "alike", "unsettled"


@dataclass(frozen=True)
class ValuedMove:
    """A move with what it is worth."""

    move: Move
    win_rate: Estimate
    """Of a move that ends the game it is exact."""
    behind: Estimate | None
    """How much more the best move wins, game by game; None for the best one itself."""
    solo_turns: float | None
    """Turns until the herd is complete, this one counted, alone at the table under the fastest
    play; None if it never is, or if somebody else has won."""

    def as_json(self) -> dict[str, Any]:
        """Return it as an object of the result."""
        return {
            "move": self.move.name,
            "words": self.move.words,
            "partner": self.move.partner,
            **as_columns(self.win_rate, "win_rate"),
            **as_columns(self.behind, "behind_best", "behind_"),
            "solo_turns": self.solo_turns,
            "at_once": self.move.at_once,
        }


@dataclass(frozen=True, repr=False)
class Advice(Result):
    """What came of it."""

    request: AdviseRequest
    moves: list[ValuedMove]
    """The best first."""
    deals: int
    """Games of each move, all on the same deals."""
    difference_confidence: float
    """Of each difference; so all of them hold together, whichever move is the best."""
    seconds: float

    @property
    def best(self) -> ValuedMove:
        """The move that won most."""
        return self.moves[0]

    @property
    def games(self) -> int:
        """All games that were played."""
        return self.deals * sum(one.move.start is not None for one in self.moves)

    @cached_property
    def rivals(self) -> list[ValuedMove]:
        """Return the moves that tie with the best, or are too close to call."""
        if self.best.move.at_once == "win":
            return []
        behind = [(one, one.behind) for one in self.moves if one.behind is not None]
        return [one for one, gap in behind if kind_of_wins(gap) != Kind.HIGHER]

    @cached_property
    def _doubtful(self) -> list[Estimate]:
        """Return by how much more the best wins than each rival that is too close to call."""
        gaps = [one.behind for one in self.rivals if one.behind is not None]
        return [gap for gap in gaps if kind_of_wins(gap) == Kind.OPEN]

    @property
    def kind(self) -> str:
        """ONLY, CLEAR, ALIKE or UNSETTLED."""
        if len(self.moves) == 1:
            return ONLY
        if not self.rivals:
            return CLEAR
        return UNSETTLED if self._doubtful else ALIKE

    @property
    def more(self) -> int | None:
        """About how many more games a move would settle it, where it is not settled."""
        found = [more_to_settle(gap, MARGIN_OF_WIN) for gap in self._doubtful]
        return max((one for one in found if one is not None), default=None)

    @property
    def sentence(self) -> str:
        """What to do, in a sentence."""
        best, order = self.best.move, self.best.move.order
        wins = f"wins {_per_cent(self.best.win_rate)}"
        if best.at_once == "win":
            return f"{order}: it wins at once (H4)."
        if best.at_once is not None:
            return "No move wins any more: the game ends here (H4, H16)."
        if self.kind == ONLY:
            return f"{order}: nothing else is possible, and playing on {wins}."
        others = [one.move.words for one in self.rivals]
        if self.kind == UNSETTLED:
            return (
                f"Not settled: {best.words} {wins}, but {listed(others)} may be as good or better; "
                f"about {_round_up(self.more or 0):,} more games a move should settle it."
            )
        if self.kind == ALIKE:
            most = max(one.behind.high for one in self.rivals if one.behind is not None)
            which = listed([best.words, *others], "or")
            return (
                f"{which[0].upper()}{which[1:]}, it hardly matters which: the first {wins}, the "
                f"other{'s' * (len(others) > 1)} at most {100 * most:.2f} percentage points less."
            )
        second = self.moves[1]
        assert second.behind is not None
        next_best = "" if len(self.moves) == len((best, second)) else "the next best, "
        gap = f"{100 * second.behind.value:.2f} percentage points"
        return (
            f"{order}, which is clearly best: it {wins}, {gap} ({_span(second.behind)}) more than "
            f"{next_best}{second.move.words}."
        )

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``advise --json`` prints."""
        request, position = self.request, self.request.position
        supply = supply_of(request.rules, position.herds)
        return {
            "command": "advise",
            **request.experiment.as_json(),
            "arguments": request.arguments(),
            "players": request.line_up,
            "position": {
                "herds": [dict(zip(ANIMALS, herd, strict=True)) for herd in position.herds],
                "supply": dict(zip(ANIMALS, supply, strict=True)),
                "seat": position.seat,
                "phase": request.phase,
                "t_in_force": position.t_in_force,
                "skunk": position.skunk,
                "turn": position.turn,
            },
            "moves": [one.as_json() for one in self.moves],
            "best": self.best.move.name,
            "sentence": self.sentence,
            "settled": self.kind != UNSETTLED,
            "more_games": self.more,
            "games": self.games,
            "lucks": self.deals,
            "confidence": request.confidence,
            "difference_confidence": self.difference_confidence,
            "interval": "wilson",
            **provenance(self.seconds),
        }


def _span(one: Estimate) -> str:
    return f"{100 * one.low:.2f} to {100 * one.high:.2f}"


def _per_cent(one: Estimate) -> str:
    return f"{100 * one.value:.2f} % ({_span(one)})"


def _round_up(n: int) -> int:
    """Return a number that is about right, with two digits."""
    unit = int(10 ** max(0, len(str(n)) - 2))
    return -(-n // unit) * unit


def advise(request: AdviseRequest, runner: Runner = HERE) -> Advice:
    """Play on from every legal move on the same deals and return what each is worth."""
    begun, moves = time.perf_counter(), request.moves()
    solo = _solo_turns(request, moves)
    contenders = [
        Contender(request.rules, ((tuple(request.line_up), 0),), (1,), move.start)
        for move in moves
        if move.start is not None
    ]

    def result(found: PairedEstimates | None) -> Advice:
        return _advice(request, moves, solo, found, begun)

    if not contenders:
        return result(None)
    samples = PairedSamples(request.experiment.game, contenders, "win", request.experiment.seed)
    advised: Advice = samples.measure_for(result, request.games, runner=runner)
    return advised


def _solo_turns(request: AdviseRequest, moves: list[Move]) -> list[float]:
    """Return how long the herd takes after each move, alone: exact; for ever if it is lost."""
    from herdlab.strategies.herd import solved

    optimum = solved.optimum(request.rules)

    def turns(move: Move) -> float:
        if move.start is None:
            return 1.0 if move.winner == 0 else inf
        if request.phase == BEFORE:
            return optimum.turns(move.herd, "roll")
        if request.phase == AFTER:
            return 1 + optimum.turns(move.herd, BEFORE)
        return optimum.turns(move.herd, AFTER, t_in_force=request.t)

    return [turns(move) for move in moves]


def wins_apart(n: int, one: int, other: int, both: int, confidence: float) -> Estimate:
    """Return how much more often one move wins than another, of the same `n` games.

    A game differs by 1 or not at all, so that the sum of squares is the number that differ.
    """
    differing = one + other - 2 * both
    found = difference_of(one - other, differing, n, differing, confidence, largest=1)
    return replace(found, low=max(-1.0, found.low), high=min(1.0, found.high))


def _advice(
    request: AdviseRequest,
    moves: list[Move],
    solo: list[float],
    found: PairedEstimates | None,
    begun: float,
) -> Advice:
    """Put the moves in order, each with what it is worth beside the best."""
    confidence = 1 - (1 - request.confidence) / max(1, comb(len(moves), 2))
    played = [place for place, move in enumerate(moves) if found and move.start is not None]
    deals, scale = (found.deals, found.samples.scales[0]) if found else (0, 1)
    sums: Any = found.sums if found else None

    def won(place: int) -> int:
        return int(sums.totals[played.index(place)]) // scale

    def rate(place: int, confidence: float = confidence) -> Estimate:
        if place in played:
            return wilson(won(place), deals, confidence)
        exact = float(moves[place].winner == 0)
        return Estimate(exact, exact, exact, 0)

    def behind(best: int, place: int) -> Estimate:
        if best in played and place in played:
            both = int(sums.products[played.index(best), played.index(place)]) // scale**2
            return wins_apart(deals, won(best), won(place), both, confidence)
        one, other = rate(best), rate(place)  # one of them is exact
        low, high = one.low - other.high, one.high - other.low
        return Estimate(one.value - other.value, low, high, one.n + other.n)

    def merit(place: int) -> tuple[float, ...]:
        end = ("win", None, "nobody", "loss").index(moves[place].at_once)
        return -rate(place).value, end, solo[place]

    best, *others = sorted(range(len(moves)), key=merit)
    gaps = {place: behind(best, place) for place in others}
    return Advice(
        request=request,
        moves=[
            ValuedMove(
                moves[place],
                rate(place, request.confidence),
                gaps.get(place),
                solo[place] if isfinite(solo[place]) else None,
            )
            for place in (best, *others)
        ],
        deals=deals,
        difference_confidence=confidence,
        seconds=time.perf_counter() - begun,
    )
