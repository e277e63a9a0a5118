"""Games of Horse Trader and Bronco with known pieces, known words and known choices.

A test says what everybody holds, who gets the word in which beat and what is chosen, and looks at
what happened.  Choices that a test does not script are quiet ones: silence with the word, no
answer to an offer, and pieces other than those of the own puzzle when some must go.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from typing import Any

import numpy as np

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import Game, Player, find_game
from herdlab.simcore.puzzle.rules import PIECES, PuzzleRules
from herdlab.simcore.puzzle.table import Position, unpack
from herdlab.simcore.puzzle.view import (
    ANSWER,
    COMMIT,
    GIVE,
    HAPPENINGS,
    KEEP_BITS,
    OFFER,
    PASS,
    PASS_ACROSS,
    PASS_LEFT,
    PASS_RIGHT,
    PAY,
    ROOM,
    WORD,
)
from herdlab.simcore.rng import below
from herdlab.strategies import strategy
from herdlab.strategies.registry import seat_players, strategies_of
from tests.reference.luck import TABLE, number
from tests.simcore.scripts import as_script

NAMES = ("horse-trader", "bronco")
GAMES: dict[str, Game] = {name: find_game(name) for name in NAMES}
for _game in GAMES.values():
    strategies_of(_game)
DECISIONS = {
    "word": WORD,
    "commit": COMMIT,
    "answer": ANSWER,
    "give": GIVE,
    "pass_on": PASS,
    "pay": PAY,
}
"""A script's names of the decisions (`pass` is a word of Python's own)."""
N_DECISIONS = 1 + max(DECISIONS.values())
DIRECTIONS = {PASS_LEFT: "left", PASS_RIGHT: "right", PASS_ACROSS: "across"}

Counts = tuple[int, ...]
EVEN: dict[int, tuple[Counts, ...]] = {
    3: ((14, 13, 13), (13, 14, 13), (13, 13, 14)),
    4: ((10, 10, 10, 10),) * 4,
}
"""By number of players: holdings of 40 pieces with some of every puzzle."""


@strategy(NAMES, "test-scripted", notebook=N_DECISIONS)
def scripted(decision, view, me):  # type: ignore[no-untyped-def]
    """Does what the test says, legal or not."""
    script = me.data.view(np.int64)
    if script.shape[0] > 0:
        begin, n = script[2 * decision], script[2 * decision + 1]
        if n > 0:
            step = me.notebook[decision]
            me.notebook[decision] += 1
            return script[begin + min(step, n - 1)]
    return 0 if decision in (WORD, ANSWER) else PIECES


@strategy(NAMES, "test-anything")
def anything(decision, view, me):  # type: ignore[no-untyped-def]
    """Does anything that is legal, as likely: silence, passes, offers, bluffs, calls, any pieces.

    Its luck, for a plain-Python double (b(n) is one draw of its own stream, `below(luck, n)`):

    - WORD: one draw, b(number of legal answers), an index into all of them in this order:
      silence; if he may call a pass: left, right and, with four players, across; then the offers,
      by the number said (1 … largest_offer) and for each by the number committed: in the plain
      game as many as said, in the advanced game 0 … largest_offer; never more than he holds.
    - ANSWER: one draw, b(2) in the plain game, b(3) in the advanced one: no, trade, call.
    - COMMIT, GIVE, PASS, PAY: four draws, b(41) each (with three players too): how many pieces to
      keep, of the own puzzle first, then of the others in the order of `view.pieces`.
    """
    if decision == WORD:
        held = view.own + view.spare
        passes = view.players - 1 if view.may_call else 0
        n = 1 + passes
        for said in range(1, view.largest_offer + 1):
            for committed in range(view.largest_offer + 1):
                if committed <= held and (view.advanced or committed == said):
                    n += 1
        pick = below(me.luck, n)
        if pick <= passes:
            return pick
        pick -= 1 + passes
        for said in range(1, view.largest_offer + 1):
            for committed in range(view.largest_offer + 1):
                if committed <= held and (view.advanced or committed == said):
                    if pick == 0:
                        return OFFER * said + committed
                    pick -= 1
        return -1
    if decision == ANSWER:
        return below(me.luck, 2 + view.advanced)
    kept = 0
    for place in range(4):
        kept |= below(me.luck, PIECES + 1) << KEEP_BITS * place
    return kept


def script(**answers: Sequence[int] | int) -> np.ndarray:
    """Return a script: for each decision its answers in order, the last one again and again.

    Decisions are word, commit, answer, give, pass_on and pay.
    """
    return as_script(DECISIONS, answers)


def offer(said: int, committed: int | None = None) -> int:
    """Return the word that offers so many pieces, honestly or with another number committed."""
    return OFFER * said + (said if committed is None else committed)


def keep(*counts: int) -> int:
    """Return the answer that keeps so many pieces of each puzzle, the own one first."""
    return sum(n << KEEP_BITS * place for place, n in enumerate(counts))


def part_with(held: Counts, gone: Counts, card: int) -> int:
    """Return the answer of a player who wants `card` that parts with exactly these pieces.

    Both are counts by puzzle, from puzzle 0 on, as a position has them.
    """
    left = [have - go for have, go in zip(held, gone, strict=True)]
    return keep(*left[card:], *left[:card])


def one_of(puzzle: int, players: int = 4, n: int = 1) -> Counts:
    """Return `n` pieces of a puzzle and none of the others."""
    return tuple(n if other == puzzle else 0 for other in range(players))


def plus(*many: Counts) -> Counts:
    """Return counts added up."""
    return tuple(map(sum, zip(*many, strict=True)))


def minus(held: Counts, gone: Counts) -> Counts:
    """Return what is left of a holding."""
    return tuple(have - go for have, go in zip(held, gone, strict=True))


@dataclass(frozen=True)
class Line:
    """One thing that happened, with the holdings right after it; counts from puzzle 0 on."""

    what: str
    """deal, silent, offer, lapse, trade, bluff called, pass, win, stall"""
    beat: int
    """Beats finished before this one."""
    seat: int
    """Who has the word."""
    detail: tuple[Any, ...]
    """offer: said, committed; lapse: said; trade, bluff called: who, said, committed;
    pass: left, right or across; win: the winners; else nothing."""
    holdings: tuple[Counts, ...]
    gifts: tuple[Counts, ...]
    """By seat: what he parts with; with an offer, what he has committed and still holds."""


def _detail(what: str, d1: int, d2: int, d3: int) -> tuple[Any, ...]:
    if what == "offer":
        return (d2, d3)
    if what == "lapse":
        return (d2,)
    if what in ("trade", "bluff called"):
        return (d1, d2, d3)
    if what == "pass":
        return (DIRECTIONS[d1],)
    if what == "win":
        return (tuple(seat for seat in range(ROOM) if d1 >> seat & 1),)
    return ()


_counts = lru_cache(4096)(unpack)  # most holdings are those of the line before


def log_lines(log: np.ndarray, players: int) -> list[Line]:
    """Return an engine's log as lines."""
    lines = []
    for code, beat, seat, d1, d2, d3, *rest in log.tolist():
        what = HAPPENINGS[code]
        holdings = tuple(_counts(one, players) for one in rest[:players])
        gifts = tuple(_counts(one, players) for one in rest[ROOM : ROOM + players])
        lines.append(Line(what, beat, seat, _detail(what, d1, d2, d3), holdings, gifts))
    return lines


@dataclass(frozen=True)
class Experiment:
    """One game of a bout."""

    bout: Bout
    number: int

    @property
    def lines(self) -> list[Line]:
        """All that happens in it."""
        return log_lines(self.bout.logged(self.number)[1], len(self.bout.players))

    @property
    def row(self) -> dict[str, int]:
        """Its row of outcomes by the names of the columns, played without a log."""
        values = self.bout.rows(self.number, self.number + 1)[0].tolist()
        return dict(zip(self.bout.columns, values, strict=True))


@cache
def game_with(words: tuple[int | None, ...], players: int, seed: int = 0) -> int:
    """Return the number of a game whose luck gives the word to these seats, beat by beat.

    P3 with equal tempos; None stands for a beat in which it does not matter, as the word is kept.
    """
    bounds = [round(2**32 * (seat + 1) / players) for seat in range(players - 1)]

    def fits(game: int) -> bool:
        for draw, seat in enumerate(words):
            if seat is not None:
                half = number(seed, game, TABLE, 0, draw) >> 32
                if sum(half >= bound for bound in bounds) != seat:
                    return False
        return True

    return next(game for game in count() if fits(game))


def experiment(
    scripts: Mapping[int, np.ndarray] | None = None,
    *,
    words: Sequence[int | None] = (0,),
    holdings: Sequence[Counts] = (),
    players: int = 4,
    cards: Counts = (),
    beats: int | None = None,
    game: str = "horse-trader",
    seed: int = 0,
    position: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Experiment:
    """Return a game of scripted players from certain holdings (default: EVEN).

    `words` are the seats that get the word, one for each beat; None where it is kept (P7a).
    `cards` are the puzzles wanted (default: seat s wants puzzle s); `beats` how many are played
    (default: as many as there are words); `position` has more of a Position; `settings` are
    rules.
    """
    held = tuple(holdings) or EVEN[players]
    n = len(held)
    more = dict(position or {})
    last = more.get("beat", 0) + (len(words) if beats is None else beats)
    rules = rules_of(game, max_beats=last, **settings)
    start = Position(held, cards or tuple(range(n)), **more)
    made = bout(rules, scripts or {}, n, seed, start)
    return Experiment(made, game_with(tuple(words), n, seed))


def play(scripts: Mapping[int, np.ndarray] | None = None, **options: Any) -> list[Line]:
    """Return all that happens in such a game (see `scene`), after the first line, the deal.

    An illegal choice raises BadInput.  The last line is a win or, as no more beats are played, a
    stall.
    """
    return experiment(scripts, **options).lines[1:]


def rules_of(game: str, **settings: Any) -> PuzzleRules:
    """Return the rules of a game with some settings."""
    rules = GAMES[game].rules_type.from_settings(settings)
    assert isinstance(rules, PuzzleRules)
    return rules


def bout(
    rules: PuzzleRules,
    scripts: Mapping[int, np.ndarray],
    players: int,
    seed: int = 0,
    start: Position | None = None,
) -> Bout:
    """Return a bout of scripted players."""
    game = GAMES[rules.game]
    quiet = seat_players(game, rules, ",".join(["test-scripted"] * players))
    seated: list[Player] = [
        dataclasses.replace(one, data=scripts[seat].view(np.uint8)) if seat in scripts else one
        for seat, one in enumerate(quiet)
    ]
    return Bout(game, rules, seated, stream_seeds(seed), start)
