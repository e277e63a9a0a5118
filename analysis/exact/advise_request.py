"""What `advise` is asked: a position of Have You Herd?, who plays on, and how often."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from herdlab.analysis.exact.herd_moves import (
    PLACES,
    Move,
    other_player,
    read_herd,
    skunk_moves,
    trade_moves,
    written,
)
from herdlab.analysis.experiment import FEWEST_DEALS, Experiment, check_games, respell
from herdlab.analysis.stats.estimates import CONFIDENCE
from herdlab.simcore.errors import BadInput, find, match
from herdlab.simcore.herd.position import Herd, Position, check_position, supply_of
from herdlab.simcore.herd.rules import HerdRules

BEFORE, AFTER, SKUNK = "before", "after", "skunk"
PHASES = (BEFORE, AFTER, SKUNK)
"""When something is decided: the trade before the roll, after it, whom to give the skunk."""
ME = "me"
_USUAL = "keeper"
"""Who plays on, unless told otherwise."""

HerdGiven = str | Mapping[str, int]
"""A herd such as ``rabbits=6,sheep=2``, or by name."""


@dataclass(frozen=True)
class AdviseRequest:
    """Everything that decides a piece of advice.

    The player to move sits in seat 0.  Everybody plays on with an empty notebook.
    """

    experiment: Experiment
    herd: HerdGiven
    """Yours."""
    others: Sequence[HerdGiven] = ()
    """Those of the others, from the left on.

    By default each has as much as you, as far as there are tiles: far ahead or far behind, it
    hardly matters what you do."""
    players: tuple[str, ...] | None = None
    """Who plays on, your own strategy first; by default keeper in every seat."""
    phase: str = BEFORE
    t: bool = False
    """Whether a T is in force (H13)."""
    skunk: str | int | None = None
    """Who holds the skunk: ``me``, or how many places to your left."""
    turn: int = 0
    """Turns finished so far."""
    games: int = 20_000
    """For each move."""
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        if not isinstance(self.experiment.rules, HerdRules):
            raise BadInput(f"advice is for herd, and got '{self.experiment.game.name}'")
        check_games(self.games, at_least=FEWEST_DEALS)
        respell(self, phase=find("phase", self.phase, PHASES))
        if self.players is not None:
            respell(self, players=self.experiment.spelled(self.players))
        if isinstance(self.skunk, str):
            respell(self, skunk=match(self.skunk, [ME]) or self.skunk)
        if len(self.herds) == 1:
            raise BadInput("advice needs another player; 'herdlab solve' is for one alone (H2)")
        if len(self.line_up) != len(self.herds):
            raise BadInput(
                f"a strategy is needed for you and for each other player, {len(self.herds)} in "
                f"all, and got {len(self.line_up)}: {', '.join(self.line_up)}"
            )
        self.experiment.check_line_up(self.line_up)
        self._check_dice()
        others = [other_player(k, len(self.herds)) for k in range(1, len(self.herds))]
        whose = ["your herd", *(f"the herd of {other}" for other in others)]
        check_position(self.rules, self.position, whose)
        if self.position.skunk == 0:
            raise BadInput(
                "holding the skunk, you lose this turn: there is nothing to decide (H14)"
            )

    def _check_dice(self) -> None:
        """Refuse a T or a skunk that these dice cannot show, or not in one roll."""
        rules, gives_skunk = self.rules, self.phase == SKUNK
        if gives_skunk and not rules.skunks:
            raise BadInput("there is no skunk to give away: skunks=0 (H1)")
        dice = (rules.wolf_die, rules.fox_die)
        for face, is_wanted in (("T", self.t), ("skunk", gives_skunk)):
            if is_wanted and not any(face in die for die in dice):
                raise BadInput(f"no die has a {face} (H6)")
        if self.t and gives_skunk:
            if rules.t_cancels:
                raise BadInput("a T and a skunk cancel one another: t_cancels=true (H9)")
            if not any("T" in one and "skunk" in two for one, two in (dice, dice[::-1])):
                raise BadInput("a T and a skunk cannot come together: they are on one die (H6)")

    @property
    def rules(self) -> HerdRules:
        """The rules, which are those of Have You Herd?."""
        rules = self.experiment.rules
        assert isinstance(rules, HerdRules)
        return rules

    @cached_property
    def herds(self) -> tuple[Herd, ...]:
        """All herds, yours first."""
        given = [self.others] if isinstance(self.others, str | Mapping) else self.others
        mine, others = read_herd(self.herd), [read_herd(one) for one in given]
        if not others:
            n = 1 if self.players is None else len(self.players) - 1
            left = supply_of(self.rules, [mine])
            others = [tuple(min(a, b // max(1, n)) for a, b in zip(mine, left, strict=True))] * n
        if len(others) > len(PLACES):
            raise BadInput(f"others are 1 to {len(PLACES)} players, and got {len(others)} (H2)")
        return (mine, *others)

    @cached_property
    def line_up(self) -> list[str]:
        """Who plays on in each seat."""
        return [_USUAL] * len(self.herds) if self.players is None else list(self.players)

    @cached_property
    def position(self) -> Position:
        """Where you stand; a skunk that is to be given is still where it was."""
        phase, holder = AFTER if self.phase == SKUNK else self.phase, None
        places = [ME, *(str(k) for k in range(1, len(self.herds)))]
        if self.skunk is not None:
            if str(self.skunk) not in places:
                raise BadInput(
                    f"the skunk's holder must be {' or '.join(places)}, counted to the left, and "
                    f"got '{self.skunk}' (H14)"
                )
            holder = places.index(str(self.skunk))
        return Position(self.herds, 0, phase, self.t, holder, self.turn)

    def moves(self) -> list[Move]:
        """Return all that you may do."""
        if self.phase == SKUNK:
            return skunk_moves(self.position)
        return trade_moves(self.rules, self.position)

    def arguments(self) -> dict[str, Any]:
        """Return what repeats it."""
        return {
            "herd": written(self.herds[0]),
            "others": [written(herd) for herd in self.herds[1:]] if self.others else [],
            "players": ",".join(self.line_up),
            "phase": self.phase,
            "t": self.t,
            "skunk": None if self.skunk is None else str(self.skunk),
            "turn": self.turn,
            "games": self.games,
        }
