"""No strategy of SWAP! sees a hidden card: other hands, the pile, what others draw or take.

A course of events leads up to the choice of seat 0.  It is played with many deals of the cards that
seat 0 cannot know; whatever he chooses first must be the same in all of them.
"""

import dataclasses
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import count, islice
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.swap.rules import SLAP, SUPER, SwapRules
from herdlab.simcore.swap.table import Position, left_over
from herdlab.simcore.table import OBSERVE
from herdlab.strategies.registry import seat_players, strategies_of
from tests.simcore.swap.harness import SWAP, Line, cards, script
from tests.simcore.swap.tables import lines_of, made

NAMES = list(strategies_of(SWAP))
N_DEALS = 5
QUIET = "9 red plain, 9 green plain, 9 purple plain, red slap, green slap, red switch, purple super"
"""Cards that cannot be played while blue is in force: what is hidden is dealt from them."""

OWN_HANDS = {
    "play": "3 blue plain, blue slap, 2 blue switch, blue super, 2 swap, 2 red plain, green plain",
    "swap": "2 swap, 3 red plain, green slap, purple plain",
    "colour": "blue switch, 2 green plain, green slap, 2 purple slap, red plain",
    "super swap": "blue super, red plain, green slap, 3 purple plain",
}
"""Seat 0's hand for each choice that is to be his first: as the log calls it."""


@dataclasses.dataclass(frozen=True)
class Course:
    """What happens before seat 0 is asked, by what lies open in three others' hands."""

    known: tuple[str, str, str] = ("", "", "")
    """Cards of seats 1, 2 and 3 that are the same in all deals."""
    sizes: tuple[int, int, int] = (4, 2, 3)
    """How many hidden cards they have besides."""
    place: int = 0
    scripts: tuple[tuple[int, np.ndarray], ...] = ()
    top: str = ""
    """The card that seat 0 draws from the pile, where it does."""
    settings: tuple[tuple[str, Any], ...] = ()


COURSES = {
    "none": Course(),
    "others draw": Course(place=1),
    "others play": Course(("", "", "blue plain, blue slap"), place=3),
    "a slap": Course(("", "", "blue slap"), place=3),
    "a swap": Course(("", "", "swap"), place=3, scripts=((3, script(partner=2)),)),
    "an emptied hand": Course(
        ("", "blue slap", ""), (1, 1, 1), 2, settings=(("slap_empties", "plays_on"),)
    ),
    "false slaps": Course(
        ("", "", "blue plain"), place=3, top="green plain", settings=(("false_slap_rate", 1.0),)
    ),
    "changed seats": Course(
        ("", "", "swap"),
        place=3,
        scripts=((3, script(partner=3)),),
        settings=(("swap_seats", True),),
    ),
}


def deal(course: Course, own: str, rules: SwapRules, number: int) -> Position:
    """Return deal `number` of the hidden cards: nothing that can be seen depends on it."""
    rng = np.random.default_rng(number)
    hidden = list(rng.permutation(cards(QUIET)))
    hands = [cards(own)]
    for known, size in zip(course.known, course.sizes, strict=True):
        hands.append((*cards(known), *(int(hidden.pop()) for _ in range(size))))
    top = [*cards(course.top), *(int(hidden.pop()) for _ in range(8))]
    start = Position(tuple(hands), cards("blue plain"), 0, tuple(top), course.place)
    rest = [int(card) for card in rng.permutation(left_over(rules, start))]
    return dataclasses.replace(start, pile=(*top, *rest))


def bouts_of(course: Course, own: str, first: Any, seed: int, deals: int = N_DEALS) -> list[Bout]:
    """Return bouts of `first` (a name or a Strategy) with three who do as the course says.

    They last until seat 0 has had a turn.
    """
    turns = (4 - course.place) % 4 + 1
    rules = SwapRules.from_settings({"max_turns": turns, **dict(course.settings)})
    line_up = seat_players(SWAP, rules, "random,test-scripted,test-scripted,test-scripted")
    for seat, answers in course.scripts:
        line_up[seat] = dataclasses.replace(line_up[seat], data=answers.view(np.uint8))
    if isinstance(first, str):
        line_up[0] = seat_players(SWAP, rules, f"{first},random")[0]
    else:
        line_up[0] = first.seated(first.name, rules, (), len(line_up))
    starts = [deal(course, own, rules, number) for number in range(deals)]
    return [Bout(SWAP, rules, line_up, stream_seeds(seed), start) for start in starts]


def first_choice(lines: Sequence[Line], what: str) -> object:
    """Return what seat 0 chose first: the card, the partner, the colour or the direction."""
    return next(line.detail for line in lines if line.what == what and line.player == 0)


def took_a_card(course: Course, seed: int) -> bool:
    """Whether seat 0 takes a card by a slap, which he then sees."""
    (bout,) = bouts_of(course, OWN_HANDS["swap"], "random", seed, deals=1)
    return any(line.what == "slap" and line.detail[0] == 0 for line in lines_of(bout))


@cache
def unseen_seeds(course: str) -> list[int]:
    """Return two seeds with which seat 0 takes nobody's card."""
    seeds = (seed for seed in count() if not took_a_card(COURSES[course], seed))
    return list(islice(seeds, 2))


# The registered strategies


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("what", OWN_HANDS)
def test_the_first_choice_does_not_depend_on_hidden_cards(name: str, what: str) -> None:
    for key, course in COURSES.items():
        for seed in unseen_seeds(key)[:1]:
            logs = [lines_of(bout) for bout in bouts_of(course, OWN_HANDS[what], name, seed)]
            assert len({lines[0].hands[1:] for lines in logs}) == N_DEALS
            assert len({first_choice(lines, what) for lines in logs}) == 1, (key, seed)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "test-scripted"])
def test_the_first_choice_depends_on_the_own_hand(name: str) -> None:
    """The companion: with other cards of his own, of the same playable kinds, he chooses else."""
    others = {
        "play": "blue plain, 4 blue slap, blue switch, 2 blue super, 3 swap, red plain",
        "colour": "blue switch, green plain, 6 red plain",
    }
    differing = 0
    for what, other in others.items():
        for seed in range(10):
            mine, theirs = (
                lines_of(bouts_of(COURSES["none"], own, name, seed, deals=1)[0])
                for own in (OWN_HANDS[what], other)
            )
            differing += first_choice(mine, what) != first_choice(theirs, what)
    assert differing > 0


# The view itself: a strategy that looks at everything there is


def nosy(decision, view, me):  # type: ignore[no-untyped-def]
    """Mixes all that it is shown and told into one number, and answers with that when asked."""
    mixed = me.notebook[0]
    for value in (
        decision,
        view.hand,
        view.place,
        view.players,
        view.playable,
        view.colour,
        view.barred,
        view.top,
        view.pile,
        view.discards,
        view.turn,
        view.happening,
        view.happened_to,
        view.detail_1,
        view.detail_2,
        view.given,
    ):
        mixed = (mixed ^ value) * 6364136223846793005 + 1442695040888963407
    for place in range(12):
        mixed = (mixed ^ view.cards[place]) * 6364136223846793005 + 1442695040888963407
        mixed = (mixed ^ view.who[place]) * 6364136223846793005 + 1442695040888963407
    me.notebook[0] = mixed
    if decision == OBSERVE:
        return 0
    return -10 - ((mixed >> 20) & 0xFFFFFFFFFF)


NOSY = made(nosy, observes=True, notebook=1)


def mixed_by(bout: Bout) -> str:
    """Return what a nosy player makes of all that he saw until he was asked first."""
    with pytest.raises(BadInput, match=r"answered -\d{6,}") as refusal:
        bout.rows(0, 1)
    return str(refusal.value)


@pytest.mark.parametrize("what", OWN_HANDS)
@pytest.mark.parametrize("course", COURSES)
def test_nothing_that_is_shown_or_told_depends_on_hidden_cards(course: str, what: str) -> None:
    for seed in unseen_seeds(course):
        bouts = bouts_of(COURSES[course], OWN_HANDS[what], NOSY, seed)
        assert len({mixed_by(bout) for bout in bouts}) == 1


def test_whatever_can_be_seen_is_seen() -> None:
    """The companion: each thing that is open changes what a nosy player makes of it."""
    base, own = COURSES["others play"], OWN_HANDS["play"]
    open_things: list[Any] = [
        dataclasses.replace(base, sizes=(5, 1, 3)),  # how many cards each has
        dataclasses.replace(base, sizes=(4, 2, 4)),  # and the pile
        dataclasses.replace(base, known=("", "", "2 blue switch")),
        dataclasses.replace(base, known=("", "", "blue slap"), sizes=(4, 2, 4)),
        dataclasses.replace(base, place=2),
        dataclasses.replace(base, scripts=((3, script(play=SLAP)),)),
        dataclasses.replace(base, settings=(("false_slap_rate", 1.0),)),
    ]
    tables = [(base, own), (base, own + ", red plain"), *((one, own) for one in open_things)]
    seen = [mixed_by(bouts_of(one, hand, NOSY, 0, deals=1)[0]) for one, hand in tables]
    assert len(set(seen)) == len(seen)


def test_a_card_that_he_takes_or_draws_himself_is_seen() -> None:
    course = COURSES["a slap"]
    seeds = [seed for seed in range(20) if took_a_card(course, seed)]
    assert len(seeds) >= 2
    for seed in seeds[:2]:
        bouts = bouts_of(course, OWN_HANDS["play"], NOSY, seed)
        assert len({mixed_by(bout) for bout in bouts}) > 1


# Hands that pass through his own fingers, and no others


def super_swap(*hands: str) -> str:
    """Return what a nosy seat 0 makes of a SUPER SWAP of seat 3, to the left."""
    rules = SwapRules(max_turns=2)
    players = seat_players(SWAP, rules, "random,test-scripted,test-scripted,test-scripted")
    players[0] = NOSY.seated(NOSY.name, rules, (), len(players))
    players[3] = dataclasses.replace(players[3], data=script(play=SUPER).view(np.uint8))
    held = tuple(cards(hand) for hand in (OWN_HANDS["play"], *hands))
    start = Position(held, cards("blue plain"), 0, (), 3)
    return mixed_by(Bout(SWAP, rules, players, stream_seeds(0), start))


def test_of_hands_that_are_passed_on_he_sees_the_two_in_his_own_hands() -> None:
    """To the left: he gets the hand of seat 3 and gives his to seat 1; the others stay hidden."""
    his, other = "blue super, 2 blue plain, blue slap", "blue super, blue plain, 2 blue slap"
    first = super_swap("green plain, red plain", "2 purple plain", his)
    assert super_swap("2 purple plain", "green plain, red plain", his) == first
    assert super_swap("2 red plain", "2 green plain", his) == first
    assert super_swap("green plain, red plain", "2 purple plain", other) != first


# S2: the dealer who names the colour


TINY: Any = {"plain": 1, "slap": 0, "switch": 0, "super_swap": 0, "swap_cards": 4, "cards": 2}
TINY_RULES = SwapRules.from_settings({**TINY, "max_turns": 1})


@cache
def deals_with_a_swap_first() -> list[tuple[int, Line]]:
    """Return deals of the deal that turn up a SWAP, and what they deal."""
    players = seat_players(SWAP, TINY_RULES, "random,random,random")
    deals = [
        (luck, lines_of(Bout(SWAP, TINY_RULES, players, stream_seeds(5, deal=luck)))[0])
        for luck in range(90)
    ]
    return [(luck, line) for luck, line in deals if line.detail == ("swap",)]


@pytest.mark.parametrize("name", [*NAMES, NOSY], ids=[*NAMES, "nosy"])
def test_the_dealer_names_the_colour_by_what_he_sees(name: Any) -> None:
    """The same deals of choice and other luck of the deal: one hand of his, one colour."""
    players = seat_players(SWAP, TINY_RULES, "random,random,random")
    is_nosy = name is NOSY
    if is_nosy:
        players[2] = NOSY.seated(NOSY.name, TINY_RULES, (), len(players))
    else:
        players[2] = seat_players(SWAP, TINY_RULES, f"{name},random")[0]
    named, others = defaultdict(set), defaultdict(set)
    for luck, line in deals_with_a_swap_first():
        bout = Bout(SWAP, TINY_RULES, players, stream_seeds(5, deal=luck))
        named[line.hands[2]].add(mixed_by(bout) if is_nosy else lines_of(bout)[1].detail)
        others[line.hands[2]].add(line.hands[:2])
    assert all(len(found) == 1 for found in named.values())
    assert sum(len(hands) > 1 for hands in others.values()) >= 3
    assert len(named) > 3
