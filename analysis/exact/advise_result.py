"""What `advise` found, and how it is said."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from herdlab.analysis.exact.herd_moves import Move
from herdlab.analysis.result import Result
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of_wins, more_to_settle
from herdlab.analysis.words.phrases import listed
from herdlab.simcore.herd.position import supply_of
from herdlab.simcore.herd.rules import ANIMALS

if TYPE_CHECKING:
    from herdlab.analysis.exact.advise import AdviseRequest

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
    play; None if it never is, or if the game is over without him."""


@dataclass(frozen=True, repr=False)
class Advice(Result):
    """What came of it."""

    request: "AdviseRequest"
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
            "moves": self._rows(),
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

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "move": one.move.name,
                "words": one.move.words,
                "partner": one.move.partner,
                "win_rate": one.win_rate.value,
                "ci_low": one.win_rate.low,
                "ci_high": one.win_rate.high,
                "behind_best": None if one.behind is None else one.behind.value,
                "behind_low": None if one.behind is None else one.behind.low,
                "behind_high": None if one.behind is None else one.behind.high,
                "solo_turns": one.solo_turns,
                "at_once": one.move.at_once,
            }
            for one in self.moves
        ]


def _span(one: Estimate) -> str:
    return f"{100 * one.low:.2f} to {100 * one.high:.2f}"


def _per_cent(one: Estimate) -> str:
    return f"{100 * one.value:.2f} % ({_span(one)})"


def _round_up(n: int) -> int:
    """Return a number that is about right, with two digits."""
    unit = int(10 ** max(0, len(str(n)) - 2))
    return -(-n // unit) * unit
