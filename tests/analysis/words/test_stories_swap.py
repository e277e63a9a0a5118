"""Traces of SWAP!: what is told has happened, under every reading."""

import json
from collections import Counter
from collections.abc import Iterator

import pytest

from herdlab.analysis.terminal import listings
from herdlab.analysis.words import stories
from herdlab.analysis.words.stories.swap import in_words
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import find_game
from herdlab.simcore.swap.rules import N_CARDS, SWAP_CARD, SwapRules
from herdlab.simcore.swap.table import card_name
from herdlab.strategies.registry import seat_players

SWAP = find_game("swap")
CARDS = {card_name(card): card for card in range(N_CARDS)}
ONE_OF_EACH_COLOUR = {"plain": 1, "slap": 0, "switch": 0, "super_swap": 0, "swap_cards": 0}


def told(line_up: str, n_games: int, **settings: object) -> Iterator[stories.Story]:
    rules = SwapRules.from_settings(settings)
    bout = Bout(SWAP, rules, seat_players(SWAP, rules, line_up), stream_seeds(6))
    return (stories.tell(bout, number) for number in range(n_games))


def all_words(line_up: str, n_games: int, **settings: object) -> Iterator[str]:
    found = told(line_up, n_games, **settings)
    return (one.words for story in found for one in story.happenings)


def hand_of(one: stories.Happening, player: int) -> Counter[str]:
    return Counter(one.facts["hands"][player])


def check_states(story: stories.Story, n_cards: int) -> None:
    """Hands change by what is said to be played, drawn, taken and exchanged, and not otherwise."""
    assert story.happenings[0].what == "deal" and story.length > 0
    last = story.happenings[0]
    for one in story.happenings:
        facts, hands = one.facts, one.facts["hands"]
        assert sum(map(len, hands)) + facts["pile"] + facts["discards"] == n_cards
        assert one.after == in_words(tuple(CARDS[card] for card in hands[one.seat]))
        before, after = hand_of(last, one.seat), hand_of(one, one.seat)
        card = Counter([facts["card"]]) if facts.get("card") else Counter()
        if one.what == "deal":
            assert one.before == "nothing"
        elif one.what == "play":
            assert after == before - card and facts["top"] == facts["card"]
            is_drawn = (last.what, last.turn) == ("draw", one.turn)
            assert one.clauses == ("S5" if is_drawn else "S4",)
        elif one.what in ("draw", "false slap", "emptied"):
            assert after == before + card
        elif one.what == "slap":
            assert after == before - card
            assert hand_of(one, facts["last"]) == hand_of(last, facts["last"]) + card
            assert facts["last"] != one.seat
        elif one.what == "swap":
            assert hand_of(one, facts["partner"]) == before
            assert after == hand_of(last, facts["partner"])
        elif one.what == "super swap":
            order, step = facts["places"], 1 if facts["direction"] == "left" else -1
            for place, player in enumerate(order):
                receiver = order[(place + step) % len(order)]
                assert hand_of(one, receiver) == hand_of(last, player)
        else:
            assert hands == last.facts["hands"]
        if one.what != "swap" or "S14" not in one.clauses:
            assert facts["places"] == last.facts["places"]
        last = one


def test_every_happening_names_the_clauses_that_acted() -> None:
    known, seen = dict(SWAP.clauses), set()
    found = [*told("shedder,raider,random", 20)]
    found += told("random,random,random,random", 1, false_slap_rate=0.2, swap_seats=True)
    found += told("random,random,random", 1, max_turns=5)
    found += told("random,random,random", 1, cards=1, **ONE_OF_EACH_COLOUR)
    for story in found:
        for one in story.happenings:
            assert one.clauses and set(one.clauses) <= set(known)
            seen |= set(one.clauses)
            assert "\n" not in one.words
    assert seen == set(known) - {"S1"}


def test_words_and_states_agree() -> None:
    seen = set()
    for story in told("shedder,raider,random,random", 20):
        check_states(story, 104)
        seen |= {one.what for one in story.happenings}
    assert seen == {"deal", "play", "draw", "colour", "swap", "super swap", "slap", "win"}


SMALL: dict[str, object] = {
    **ONE_OF_EACH_COLOUR,
    "cards": 2,
    "plain": 2,
    "swap_cards": 1,
    "max_turns": 50,
}
SETTINGS: list[tuple[str, dict[str, object]]] = [
    ("random,random", {}),
    (",".join(["random"] * 10), {}),
    ("random,raider,random", {"swap_seats": True}),
    ("random,raider,random", {"swap_seats": True, "seat_next": "player"}),
    ("random,shedder,random", {"slap_empties": "plays_on"}),
    ("random,shedder,random", {"false_slap_rate": 0.1}),
    ("random,random,random,random", {"false_slap_rate": 0.3, "swap_seats": True, "max_turns": 200}),
    ("random,shedder,random", {"slap_speed": "1,4,0.5", "cards": 3}),
    ("shedder,shedder,random", {"max_turns": 7}),
    ("random,random", {"cards": 1, **ONE_OF_EACH_COLOUR}),
    ("random,random,random,random", {**SMALL, "false_slap_rate": 1}),
    ("random,random,random", {**SMALL, "slap": 2, "slap_empties": "plays_on"}),
]


@pytest.mark.parametrize(("line_up", "settings"), SETTINGS, ids=str)
def test_other_rules_are_told_too(line_up: str, settings: dict[str, object]) -> None:
    n_cards = len(SwapRules.from_settings(settings).deck())
    for story in told(line_up, 10, **settings):
        assert story.end and story.winners and story.beginning
        check_states(story, n_cards)
        json.dumps([one.as_json() for one in story.happenings])
        last = story.happenings[-1]
        assert last.turn == story.length and last.facts["winners"] == story.winners


@pytest.mark.parametrize(
    ("sentence", "line_up", "settings"),
    [
        ("turns up a SWAP", "random,random,random", {}),
        ("turns up a blue SLAP: the colour is blue", "random,random,random", {}),
        ("has lost his last card and wins", "shedder,shedder,shedder", {}),
        (" and plays on", "shedder,shedder,shedder", {"slap_empties": "plays_on"}),
        ("no SLAP and draws ", "random,random,random", {"false_slap_rate": 0.1}),
        (
            "no SLAP; there is nothing to draw",
            "random,random,random,random",
            {**SMALL, "false_slap_rate": 1},
        ),
        ("shuffled into a new one of ", "random,random,random,random", {**SMALL, "slap": 1}),
        (
            "there is nothing to draw: passes",
            "random,random,random",
            {**ONE_OF_EACH_COLOUR, "cards": 1},
        ),
        (
            "everybody has passed in a row: a drawn game; seat 0 (random), seat 1 (random) and "
            "seat 2 (random) have the fewest cards: 1",
            "random,random,random",
            {**ONE_OF_EACH_COLOUR, "cards": 1},
        ),
        ("nobody has won in 3 turns: a drawn game", "random,random", {"max_turns": 3}),
        ("changes places with seat ", "random,random,random", {"swap_seats": True}),
        ("exchanges hands with seat ", "random,random", {}),
        ("pass their hands to the right", "random,random,random", {}),
        ("the card drawn, at once", "random,random,random", {}),
        ("plays a SWAP on ", "random,random,random", {}),
    ],
)
def test_what_is_seldom_is_told_as_well(
    sentence: str, line_up: str, settings: dict[str, object]
) -> None:
    assert any(sentence in words for words in all_words(line_up, 30, **settings))


def test_s2_s6_s8_a_colour_is_named_under_the_clause_that_asks_for_it() -> None:
    seen = set()
    for story in told("random,random,random", 40):
        for last, one in zip(story.happenings, story.happenings[1:], strict=False):
            if one.what == "colour":
                asked_by = {"deal": "S2", "swap": "S6", "play": "S8"}[last.what]
                assert one.clauses == (asked_by,)
                assert one.words.endswith(f"names {one.facts['colour']}")
                assert (one.turn == 0) == (asked_by == "S2")
                seen.add(asked_by)
    assert seen == {"S2", "S6", "S8"}


def test_s6_s7_the_numbers_of_cards_are_those_of_the_hands() -> None:
    seen = Counter[str]()
    for story in told("raider,random,random", 20):
        last = story.happenings[0]
        for one in story.happenings:
            had, has = len(last.facts["hands"][one.seat]), len(one.facts["hands"][one.seat])
            if one.what == "swap":
                assert f"gives {had} card" in one.words and f"gets {has} card" in one.words
            if one.what == "super swap":
                assert f"gets {has} card" in one.words and f"gives {had} card" in one.words
            seen[one.what] += had != has
            last = one
    assert seen["swap"] > 50 and seen["super swap"] > 20


def test_s14_players_change_places_and_the_cards_stay() -> None:
    moved = 0
    for story in told("raider,random,random,shedder", 20, swap_seats=True):
        last = story.happenings[0]
        for one in story.happenings:
            if one.what == "swap":
                then, now = last.facts["places"], one.facts["places"]
                lying = [hand_of(last, player) for player in then]
                assert [hand_of(one, player) for player in now] == lying
                mine, partner = one.seat, one.facts["partner"]
                assert now.index(mine) == then.index(partner)
                assert now.index(partner) == then.index(mine)
                words = f"from place {then.index(mine)} to place {now.index(mine)} "
                assert words in one.words
                moved += 1
            last = one
    assert moved


def test_a_round_is_turns_by_players_rounded_up() -> None:
    for story in told("shedder,raider,random", 5):
        assert story.happenings[-1].turn == story.length > 3
        for one in story.happenings:
            assert one.round == -(-one.turn // 3) and one.session is None
            assert "session" not in one.as_json()


def test_a_hand_in_words() -> None:
    assert in_words((0, 0, 0, 1, 14, SWAP_CARD, SWAP_CARD)) == (
        "blue: 3 plain, SLAP; red: SWITCH COLOR; 2 SWAP"
    )
    assert in_words(()) == "nothing"


def test_the_printed_story_has_a_heading_for_every_turn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (story,) = told("shedder,raider,random", 1)
    listings.story(story, "A game")
    lines = capsys.readouterr().out.splitlines()
    assert len([line for line in lines if line.startswith("Turn ")]) == story.length
    assert not any(line.startswith("Session") for line in lines)
    assert lines[-1] == story.end
