"""No strategy of the puzzle games sees what is hidden: others' pieces, cards and commitments.

A course of events is played with a nosy player in seat 0, who makes one number of all that he has
been shown and told.  It is played with many deals of the pieces and cards that he cannot know; at
every question that he is asked his number must be the same in all of them.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import Player
from herdlab.simcore.puzzle.rules import PuzzleRules
from herdlab.simcore.puzzle.table import Position
from herdlab.simcore.puzzle.view import CALL_BLUFF, NO, PASS_ACROSS, PASS_LEFT, PASS_RIGHT, TRADE
from herdlab.strategies.registry import seat_players
from tests.simcore.puzzle.actors import nosy_player, told_by
from tests.simcore.puzzle.harness import (
    GAMES,
    Counts,
    game_with,
    keep,
    offer,
    part_with,
    rules_of,
    script,
)

N_DEALS = 6
OWN: Counts = (12, 9, 9, 10)
"""What seat 0 holds; he wants puzzle 1."""
CARD = 1
ANY = keep(0, 0, 0, 0)


@dataclass(frozen=True)
class Deal:
    """What each seat holds and wants."""

    holdings: tuple[Counts, ...]
    cards: Counts

    def parts_with(self, seat: int, *gone: int) -> int:
        """Return the answer with which a seat parts with exactly these pieces."""
        return part_with(self.holdings[seat], gone, self.cards[seat])


Scripts = Mapping[int, np.ndarray]


@dataclass(frozen=True)
class Course:
    """What happens; all that seat 0 can see of it is the same in every deal."""

    words: tuple[int | None, ...]
    """Who gets the word, beat by beat; seat 0 has it last, to tell what he has seen."""
    scripts: Callable[[Deal], Scripts] = lambda deal: {}
    settings: dict[str, Any] = field(default_factory=dict)
    sizes: Counts = (40, 40, 40)
    """How many pieces seats 1, 2 and 3 hold."""
    game: str = "horse-trader"


BLUFFS: dict[str, Any] = {"advanced": True}
COURSES = {
    "the deal": Course((0,)),
    "silence": Course((1, 2, 3, 0, 0)),
    "an offer that lapses": Course((2, 0), lambda deal: {2: script(word=offer(3), commit=ANY)}),
    "his own offer that lapses": Course((0, 1, 0), lambda deal: {0: script(word=[offer(3), 0])}),
    "a trade of others": Course(
        (2, 0),
        lambda deal: {2: script(word=offer(4), commit=ANY), 3: script(answer=TRADE, give=ANY)},
    ),
    "a trade that he answers": Course(
        (2, 1, 0),
        lambda deal: {
            0: script(answer=TRADE, give=keep(9, 9, 9, 10)),
            2: script(word=offer(3), commit=deal.parts_with(2, 1, 0, 1, 1)),
        },
    ),
    "a trade that he offers": Course(
        (0, 1, 0),
        lambda deal: {
            0: script(word=[offer(2), 0]),
            3: script(answer=TRADE, give=deal.parts_with(3, 0, 1, 0, 1)),
        },
    ),
    "a pass to the left": Course(
        (2, None, 0),
        lambda deal: {
            1: script(pass_on=ANY),
            2: script(word=[PASS_LEFT, 0], pass_on=ANY),
            3: script(pass_on=deal.parts_with(3, 1, 0, 0, 0)),
        },
    ),
    "his own pass across": Course(
        (0, None, 0),
        lambda deal: {
            0: script(word=[PASS_ACROSS, 0]),
            1: script(pass_on=ANY),
            2: script(pass_on=deal.parts_with(2, 0, 0, 0, 1)),
            3: script(pass_on=ANY),
        },
    ),
    "a bluff of others that is called": Course(
        (1, 0),
        lambda deal: {1: script(word=offer(3, 1), pay=ANY), 2: script(answer=CALL_BLUFF)},
        BLUFFS,
        (50, 10, 60),
    ),
    "an honest offer of others that is called": Course(
        (1, 0),
        lambda deal: {1: script(word=offer(3)), 2: script(answer=CALL_BLUFF, pay=ANY)},
        BLUFFS,
    ),
    "a bluff that he calls": Course(
        (1, 2, 0),
        lambda deal: {
            0: script(answer=CALL_BLUFF),
            1: script(word=offer(2, 0), pay=deal.parts_with(1, 0, 0, 1, 1)),
        },
        BLUFFS,
    ),
    "an honest offer that he calls": Course(
        (1, 2, 0),
        lambda deal: {0: script(answer=CALL_BLUFF), 1: script(word=offer(2))},
        BLUFFS,
    ),
    "his own bluff that is called": Course(
        (0, 2, 0),
        lambda deal: {0: script(word=[offer(2, 1), 0]), 3: script(answer=CALL_BLUFF)},
        BLUFFS,
    ),
    "a bluff that he answers": Course(
        (3, 2, 0),
        lambda deal: {
            0: script(answer=[TRADE, NO]),
            3: script(word=offer(2, 1), commit=deal.parts_with(3, 0, 1, 0, 0)),
        },
        BLUFFS,
        (30, 50, 40),
    ),
}


def deal(number: int, sizes: Counts = (40, 40, 40), own: Counts = OWN) -> Deal:
    """Return deal `number` of what is hidden: nothing that can be seen depends on it.

    Everybody else holds at least one piece of each puzzle.
    """
    rng = np.random.default_rng(number)
    pieces = [puzzle for puzzle in range(4) for _ in range(40 - own[puzzle])]
    while True:
        shuffled = rng.permutation(pieces)
        ends = np.cumsum((0, *sizes))
        hands = [
            tuple(np.bincount(shuffled[begin:end], minlength=4).tolist())
            for begin, end in zip(ends[:-1], ends[1:], strict=True)
        ]
        if min(min(hand) for hand in hands) > 0:
            break
    others = rng.permutation([puzzle for puzzle in range(4) if puzzle != CARD])
    return Deal((own, *hands), (CARD, *(int(card) for card in others)))


def at_table(course: Course, dealt: Deal, asked: int, observes: bool = True) -> tuple[Bout, int]:
    """Return a bout of a course in which seat 0 tells when he is asked once more, and its game."""
    rules = rules_of(course.game, **course.settings, max_beats=len(course.words))
    scripts = course.scripts(dealt)
    players = others(rules, scripts)
    players[0] = nosy_player(rules, asked, scripts.get(0), 4, observes)
    start = Position(dealt.holdings, dealt.cards)
    made = Bout(GAMES[course.game], rules, players, stream_seeds(0), start)
    return made, game_with(course.words, 4)


def others(rules: PuzzleRules, scripts: Scripts) -> list[Player]:
    """Return four scripted players."""
    quiet = seat_players(GAMES[rules.game], rules, ",".join(["test-scripted"] * 4))
    return [
        dataclasses.replace(one, data=scripts[seat].view(np.uint8)) if seat in scripts else one
        for seat, one in enumerate(quiet)
    ]


def all_told(course: Course, dealt: Deal, observes: bool = True) -> list[str]:
    """Return what seat 0 tells at each of his questions."""
    found: list[str] = []
    while (told := told_by(*at_table(course, dealt, len(found), observes))) is not None:
        found.append(told)
    return found


@pytest.mark.parametrize("course", COURSES)
@pytest.mark.parametrize("observes", [False, True])
def test_nothing_that_is_shown_or_told_depends_on_what_is_hidden(
    course: str, observes: bool
) -> None:
    one = COURSES[course]
    deals = [deal(number, one.sizes) for number in range(N_DEALS)]
    assert len({dealt.holdings[1:] for dealt in deals}) == N_DEALS
    assert len({dealt.cards for dealt in deals}) > 2
    told = [all_told(one, dealt, observes) for dealt in deals]
    assert told[0] and "decision 'word'" in told[0][-1]
    for asked, at_question in enumerate(zip(*told, strict=True)):
        assert len(set(at_question)) == 1, (asked, at_question)


def test_the_courses_ask_him_everything() -> None:
    asked = {
        told.split("decision ")[1].split()[0]
        for course in COURSES.values()
        for told in all_told(course, deal(0, course.sizes))
    }
    assert asked == {f"'{one}'" for one in ("word", "commit", "answer", "give", "pass", "pay")}


def always(scripts: Scripts) -> Callable[[Deal], Scripts]:
    """Return scripts that do not depend on the deal."""
    return lambda deal: scripts


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("said", [1, 2, 4])
@pytest.mark.parametrize("observes", [False, True])
def test_of_an_offer_nobody_sees_how_many_are_committed(
    observes: bool, said: int, game: str
) -> None:
    """P11: not when he is asked, not when it lapses, and not later."""
    told = []
    for committed in range(5):
        scripts = {1: script(word=[offer(said, committed), 0])}
        course = Course((1, 2, 0), always(scripts), BLUFFS, game=game)
        told.append(all_told(course, deal(0), observes))
    assert [len(one) for one in told] == [2] * 5
    assert "decision 'answer'" in told[0][0] and "decision 'word'" in told[0][1]
    assert len({one[0] for one in told}) == 1, "seen at the answer"
    assert len({one[1] for one in told}) == 1, "seen after the lapse"


@pytest.mark.parametrize("answer", [TRADE, CALL_BLUFF])
def test_what_was_committed_is_seen_when_pieces_change_hands_or_a_bluff_is_called(
    answer: int,
) -> None:
    """The companion: observers are told then; and when it lapses they are not."""
    seen = set()
    for committed in (0, 1, 3, 4):
        scripts = {
            1: script(word=offer(2, committed), pay=ANY),
            2: script(answer=answer, give=ANY),
        }
        course = Course((1, 0), always(scripts), BLUFFS)
        *_, last = all_told(course, deal(0))
        seen.add(last)
    assert len(seen) == 4


def test_whatever_can_be_seen_is_seen() -> None:
    """The companion: each thing that is open changes what a nosy player makes of it."""
    base = Course((1, 0), lambda deal: {1: script(word=offer(2))}, BLUFFS)
    trade: Any = {2: script(answer=TRADE)}
    courses = [
        base,
        dataclasses.replace(base, words=(3, 0), scripts=lambda deal: {3: script(word=offer(2))}),
        dataclasses.replace(base, words=(1, 2, 0)),
        dataclasses.replace(base, sizes=(41, 39, 40)),
        dataclasses.replace(base, scripts=lambda deal: {1: script(word=offer(3))}),
        dataclasses.replace(base, scripts=lambda deal: {}),
        dataclasses.replace(base, scripts=lambda deal: {1: script(word=offer(2)), **trade}),
        dataclasses.replace(base, settings={}),
        dataclasses.replace(base, settings={**BLUFFS, "largest_offer": 3}),
        dataclasses.replace(base, settings={**BLUFFS, "calls": 0}),  # whether he may call
        *(
            Course((1, None, 0), always({1: script(word=[call, 0])}))
            for call in (PASS_LEFT, PASS_RIGHT, PASS_ACROSS)
        ),
    ]
    told = [all_told(course, deal(0, course.sizes))[-1] for course in courses]
    other = [all_told(base, deal(0, own=own))[-1] for own in ((12, 9, 10, 9), (12, 10, 9, 9))]
    assert len({*told, *other}) == len(told) + len(other)


def test_a_piece_that_he_gets_is_seen_and_a_piece_that_another_gets_is_not() -> None:
    def told(taker: int, puzzle: int) -> str:
        gone = [int(puzzle == other) for other in range(4)]
        course = Course(
            (1, 0),
            lambda deal: {
                1: script(word=offer(1), commit=deal.parts_with(1, *gone)),
                taker: script(answer=TRADE),
            },
        )
        return all_told(course, deal(0))[-1]

    assert len({told(0, puzzle) for puzzle in range(4)}) == 4
    assert len({told(2, puzzle) for puzzle in range(4)}) == 1


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_that_are_dealt_are_hidden(game: str) -> None:
    """At the first question of a game that begins with the deal, other luck of the deal shows only
    in his own pieces: deals that give him the same show him the same."""
    rules = rules_of(game, max_beats=1, tempo="1000,0.001,0.001")
    told: dict[tuple[int, ...], set[str]] = {}
    players = seat_players(GAMES[game], rules, "test-scripted,test-scripted,test-scripted")
    players[0] = nosy_player(rules, 0, None, 3)
    scripted = seat_players(GAMES[game], rules, "test-scripted,test-scripted,test-scripted")
    own = script(word=PASS_LEFT, pass_on=keep(0, 40, 40, 40)).view(np.uint8)
    scripted = [dataclasses.replace(one, data=own) for one in scripted]
    for luck in range(400):
        seeds = stream_seeds(5, deal=luck)
        log = Bout(GAMES[game], rules, scripted, seeds).logged(0)[1]
        pieces, gift = int(log[0, 6]), int(log[1, 10])
        card = next(puzzle for puzzle in range(3) if gift >> 12 * puzzle & 1)
        counts = [pieces >> 12 * ((card + place) % 3) & 4095 for place in range(3)]
        found = told_by(Bout(GAMES[game], rules, players, seeds))
        assert found is not None
        told.setdefault(tuple(counts), set()).add(found)
    assert all(len(found) == 1 for found in told.values())
    assert 50 < len(told) < 350  # many deals give him the same
