"""Clauses S1-S5 of SWAP! (deck, deal, order, play, draw), tested from the rulebook.

A test is called after its clause and says in its name what the rulebook says.
"""

from collections import Counter
from typing import Any

import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.swap.rules import COLOURS, PLAIN, SLAP, SUPER, SWAP_KIND, SWITCH, SwapRules
from tests.simcore.swap.harness import KIND_NAMES, bout, name, of, outcome, play, script, table
from tests.simcore.swap.tables import ONE_EACH, games, kinds, lines_of, refused, seated

PLAIN_ONLY: dict[str, Any] = {"plain": 20, "slap": 0, "switch": 0, "super_swap": 0, "swap_cards": 0}


def deck_of(rules: SwapRules) -> Counter[str]:
    return Counter(name(card) for card in rules.deck())


# S1 deck


def test_s1_there_are_104_cards() -> None:
    deck = deck_of(SwapRules())
    assert deck.total() == 104
    assert deck.pop("swap") == 16
    per_kind = {"plain": 12, "slap": 4, "switch": 4, "super": 2}
    assert deck == {
        f"{colour} {kind}": n
        for colour in ("blue", "green", "purple", "red")
        for kind, n in per_kind.items()
    }


def test_s1_all_cards_are_on_the_table() -> None:
    """With the whole deck dealt but one card, the hands and the start card are the deck."""
    settings = {"plain": 3, "slap": 1, "switch": 0, "swap_cards": 10}
    deck = deck_of(SwapRules.from_settings(settings))
    for deal, *_ in games("random,random,random", 5, **settings, cards=11):
        assert (deal.pile, deal.discards) == (0, 1)
        held = Counter(card for hand in deal.hands for card in hand)
        assert held + Counter(map(str, deal.detail)) == deck


@pytest.mark.parametrize(
    ("key", "count", "in_deck"),
    [
        ("swap_cards", 0, 88),
        ("swap_cards", 60, 148),
        ("plain", 31, 180),
        ("plain", 0, 56),
        ("slap", 7, 116),
        ("switch", 0, 88),
        ("super_swap", 7, 124),
    ],
)
def test_s1_the_composition_is_a_setting(key: str, count: int, in_deck: int) -> None:
    settings: Any = {key: count, "cards": 5}
    lines = lines_of(seated("random,random", **settings))
    assert lines[0].pile + lines[0].discards + sum(map(len, lines[0].hands)) == in_deck
    kind = {"swap_cards": "swap", "super_swap": "blue super"}.get(key, f"blue {key}")
    assert deck_of(SwapRules.from_settings(settings))[kind] == count


@pytest.mark.parametrize(
    ("key", "word"),
    [("swap_cards", "swap"), ("slap", "slap"), ("switch", "switch"), ("super_swap", "super")],
)
def test_s1_what_is_not_in_the_deck_is_never_played(key: str, word: str) -> None:
    def played(**settings: Any) -> set[str]:
        return {
            str(line.detail[0]).split()[-1]
            for lines in games("random,random,random", 10, **settings)
            for line in of(lines, "play")
        }

    assert word not in played(**{key: 0, "max_turns": 200})
    assert word in played(max_turns=200)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("swap_cards", -1),
        ("swap_cards", 61),
        ("plain", 32),
        ("plain", -1),
        ("slap", 8),
        ("switch", "8"),
        ("super_swap", 8),
        ("plain", 1.5),
        ("slap", True),
        ("switch", "many"),
    ],
)
def test_s1_a_composition_that_cannot_be_is_refused(key: str, value: object) -> None:
    with pytest.raises(BadInput, match=rf"rule {key} \(S1\) must be a whole number from 0 to"):
        SwapRules.from_settings({key: value})


def test_s1_a_setting_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(BadInput, match="unknown rule of swap 'swap_card': .*'swap_cards'"):
        SwapRules.from_settings({"swap_card": 3})


# S2 deal


@pytest.mark.parametrize("players", range(2, 11))
def test_s2_everybody_gets_ten_cards_and_the_rest_is_the_pile(players: int) -> None:
    deal = lines_of(seated(",".join(["random"] * players), max_turns=1))[0]
    assert [len(hand) for hand in deal.hands] == [10] * players
    assert (deal.what, deal.discards, deal.pile) == ("deal", 1, 104 - 10 * players - 1)


@pytest.mark.parametrize("count", [1, 7, 30])
def test_s2_how_many_cards_are_dealt_is_a_setting(count: int) -> None:
    deal = lines_of(seated("random,random,random", max_turns=1, cards=count))[0]
    assert [len(hand) for hand in deal.hands] == [count] * 3


@pytest.mark.parametrize("players", [1, 11])
def test_s2_two_to_ten_play(players: int) -> None:
    with pytest.raises(BadInput, match=f"swap takes 2 to 10 players, and got {players}"):
        seated(",".join(["random"] * players))
    with pytest.raises(BadInput, match=f"swap takes 2 to 10 players, and got {players}"):
        bout(SwapRules(cards=1), {}, players)


@pytest.mark.parametrize("count", [0, 31, "ten"])
def test_s2_a_hand_that_cannot_be_is_refused(count: object) -> None:
    with pytest.raises(BadInput, match=r"rule cards \(S2\) must be a whole number from 1 to 30"):
        SwapRules.from_settings({"cards": count})


def test_s2_a_deck_that_is_too_small_is_refused() -> None:
    with pytest.raises(BadInput, match=r"need 111 cards \(S2\), and the deck has 104 \(S1\)"):
        seated(",".join(["random"] * 10), cards=11)
    with pytest.raises(BadInput, match=r"need 5 cards \(S2\), and the deck has 4 \(S1\)"):
        seated("random,random,random,random", **ONE_EACH)
    assert lines_of(seated("random,random,random", **ONE_EACH))[0].pile == 0


def starts(players: int = 3, **settings: Any) -> dict[str, list[list[Any]]]:
    """Return games by the kind of their start card."""
    found: dict[str, list[list[Any]]] = {}
    line_up = ",".join(["test-anything"] * players)
    for lines in games(line_up, 150, seed=3, max_turns=1, **settings):
        found.setdefault(str(lines[0].detail[0]).split()[-1], []).append(lines)
    return found


def test_s2_the_top_card_of_the_pile_starts_the_discards_and_gives_the_colour() -> None:
    found = starts()
    assert set(found) == {"swap", *KIND_NAMES}
    for kind in KIND_NAMES:
        for lines in found[kind]:
            assert lines[0].colour == str(lines[0].detail[0]).split()[0]
    assert all(lines[0].colour == "" for lines in found["swap"])


@pytest.mark.parametrize("kind", KIND_NAMES)
def test_s2_a_special_start_card_has_no_effect(kind: str) -> None:
    found = starts()[kind]
    assert len(found) >= 3
    for deal, following, *_ in found:
        assert (following.what, following.player) in (("play", 0), ("draw", 0))
        assert following.colour == deal.colour


@pytest.mark.parametrize("players", [2, 3, 10])
@pytest.mark.parametrize("colour", range(4))
def test_s2_with_a_swap_the_dealer_names_any_colour_and_the_dealer_is_last(
    players: int, colour: int
) -> None:
    scripts = {seat: script(colour=(colour + 1) % 4) for seat in range(players)}
    scripts[players - 1] = script(colour=colour)
    made = bout(SwapRules(max_turns=1, switch=0, plain=16), scripts, players, seed=4)
    every = [lines_of(made, number) for number in range(40)]
    swaps = [lines for lines in every if lines[0].detail == ("swap",)]
    assert len(swaps) >= 2
    for deal, named, first, *_ in swaps:
        assert (deal.player, named.player, first.player) == (players - 1, players - 1, 0)
        assert (named.what, named.detail, named.turn) == ("colour", (COLOURS[colour],), 0)
        assert (first.turn, first.colour) == (0, COLOURS[colour])
        assert named.hands == deal.hands  # nobody swaps


def test_s2_the_dealer_names_a_colour_by_his_own_hand() -> None:
    """The `shedder` names the colour he holds most of; ties: blue, green, purple, red."""
    every = games("random,random,shedder", 150, max_turns=1)
    found = [lines for lines in every if lines[0].detail == ("swap",)]
    assert len(found) >= 10
    for deal, named, *_ in found:
        held = Counter(card.split()[0] for card in deal.hands[2])
        assert named.detail == (max(COLOURS, key=lambda colour: held[colour]),)


@pytest.mark.parametrize("answer", [-1, 4, 99])
def test_s2_the_dealer_must_name_one_of_the_four_colours(answer: int) -> None:
    rules = SwapRules(plain=0, slap=0, switch=0, super_swap=0, swap_cards=20, cards=5)
    made = bout(rules, {2: script(colour=answer)}, 3, seed=5)
    where = f"in seat 2 answered {answer}, .* decision 'colour' in game 6 with seed 5"
    with pytest.raises(BadInput, match=where):
        made.rows(6, 7)


# S3 order


@pytest.mark.parametrize("players", [2, 3, 10])
def test_s3_seat_0_begins_and_play_goes_to_the_left(players: int) -> None:
    for lines in games(",".join(["random"] * players), 4, max_turns=25, **PLAIN_ONLY, cards=7):
        turns = [line for line in lines if line.what in ("play", "draw", "pass")]
        player_of = {line.turn: line.player for line in turns}
        assert player_of == {turn: turn % players for turn in player_of}


@pytest.mark.parametrize("kind", [*KIND_NAMES, "swap"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_s3_whatever_is_played_the_next_to_the_left_is_next(kind: str, place: int) -> None:
    hands = ["red plain, purple plain"] * 3
    hands[place] = ("swap" if kind == "swap" else f"blue {kind}") + ", 3 green plain"
    lines = play(*hands, place=place, turns=2)
    turns = [line for line in lines if line.what in ("play", "draw")]
    assert {line.turn: line.player for line in turns} == {0: place, 1: (place + 1) % 3}


def test_s3_after_a_draw_the_next_to_the_left_is_next() -> None:
    lines = play("red plain", "red plain", "red plain", pile="3 green plain", turns=3, place=1)
    assert kinds(lines) == ["draw"] * 3
    assert [line.player for line in lines[1:-1]] == [1, 2, 0]


def test_s3_a_turn_in_which_a_player_can_only_pass_counts_as_a_turn() -> None:
    options: Any = {**ONE_EACH, "only_these_cards": True, "turns": 50}
    made = table("red plain", "green plain", pile="purple plain", **options)
    assert kinds(lines_of(made)) == ["draw", "pass", "pass"]
    assert [line.turn for line in lines_of(made)[1:-1]] == [0, 1, 2]
    assert outcome(made)["length"] == 3


# S4 play

ALL_KINDS = "blue plain, blue slap, blue switch, blue super, swap, red plain, 2 green slap"


@pytest.mark.parametrize("kind", range(5))
def test_s4_which_card_of_the_colour_or_swap_is_his_choice(kind: int) -> None:
    lines = play(ALL_KINDS, "green plain", "purple plain", scripts={0: script(play=kind)})
    played = of(lines, "play")
    wanted = "swap" if kind == SWAP_KIND else f"blue {KIND_NAMES[kind]}"
    assert [line.detail[0] for line in played] == [wanted]
    assert Counter(lines[0].hands[0]) - Counter(played[0].hands[0]) == {wanted: 1}
    assert (played[0].discards, lines[0].discards) == (2, 1)


@pytest.mark.parametrize("colour", COLOURS)
def test_s4_the_card_played_has_the_colour_in_force(colour: str) -> None:
    hand = ", ".join(f"{one} plain, {one} slap" for one in COLOURS)
    lines = play(hand, "swap", colour=colour, scripts={0: script(play=SLAP)})
    assert of(lines, "play")[0].detail == (f"{colour} slap",)


def test_s4_the_colour_in_force_counts_and_not_the_top_card() -> None:
    lines = play("blue plain, red slap, red plain", "swap", colour="red", discards="blue switch")
    assert of(lines, "play")[0].detail == ("red plain",)
    lines = play("blue plain, green plain", "red plain", colour="red", pile="green slap")
    assert kinds(lines) == ["draw"]


@pytest.mark.parametrize("only", ["blue plain", "blue slap", "blue switch", "blue super", "swap"])
def test_s4_who_can_play_must_play(only: str) -> None:
    """Not even a card that he would rather keep is kept, and no card is drawn."""
    lines = play(f"{only}, red plain, green plain", "red plain", pile="blue plain")
    assert of(lines, "play")[0].detail == (only,)
    assert not of(lines, "draw")


@pytest.mark.parametrize(
    ("hand", "answer"),
    [
        ("blue plain, blue slap", SWITCH),
        ("blue plain, blue slap", SUPER),
        ("blue plain, blue slap", SWAP_KIND),
        ("blue plain, blue switch, red slap", SLAP),  # the SLAP has another colour
        ("blue slap, swap, red plain", PLAIN),
        ("blue plain, blue slap", -1),
        ("blue plain, blue slap", 5),
        ("blue plain, blue slap", 64),
        ("blue plain, swap", -(2**62) + 1),
    ],
)
def test_s4_a_card_that_he_cannot_play_is_refused(hand: str, answer: int) -> None:
    illegal: Any = {"answer": answer, "decision": "play"}
    refused(f"{hand}, green plain", "red plain", **illegal, scripts={0: script(play=answer)})
    theirs = {1: script(play=answer)}
    refused("red plain", f"{hand}, green plain", **illegal, seat=1, place=1, scripts=theirs)


def test_s4_a_turn_is_one_card() -> None:
    made = table("3 blue plain", "3 blue slap, swap", turns=4)
    lines = lines_of(made)
    assert [line.turn for line in of(lines, "play")] == [0, 1, 2, 3]


# S5 draw


def test_s5_with_no_playable_card_he_draws_one_and_keeps_it() -> None:
    lines = play("red plain, green slap", "blue plain", pile="purple super, blue plain", turns=1)
    assert kinds(lines) == ["draw"]
    drawn = lines[1]
    assert (drawn.player, drawn.detail) == (0, ("purple super",))
    assert drawn.hands == (("green slap", "purple super", "red plain"), ("blue plain",))
    assert drawn.pile == lines[0].pile - 1
    assert lines[-1].hands == drawn.hands and lines[-1].colour == "blue"


def test_s5_a_drawn_plain_card_of_the_colour_is_played_at_once() -> None:
    lines = play("red plain", "green plain", pile="blue plain")
    assert kinds(lines) == ["draw", "play"]
    assert lines[2].hands == (("red plain",), ("green plain",))
    assert (lines[2].turn, lines[2].player, lines[2].discards) == (0, 0, 2)


EFFECTS = [
    ("blue slap", ["slap"]),
    ("blue switch", ["colour"]),
    ("blue super", ["super swap"]),
    ("swap", ["swap", "colour"]),
]


@pytest.mark.parametrize(("card", "effect"), EFFECTS)
def test_s5_a_drawn_special_card_is_played_at_once_with_its_effect(
    card: str, effect: list[str]
) -> None:
    lines = play("2 red plain", "3 green plain", pile=card)
    assert kinds(lines) == ["draw", "play", *effect]
    moved = {"blue slap": (1, 4), "blue switch": (2, 3)}.get(card, (3, 2))
    assert tuple(map(len, lines[-1].hands)) == moved


def test_s5_a_special_card_of_another_colour_is_kept() -> None:
    for card in ("red slap", "red switch", "red super"):
        assert kinds(play("red plain", "blue plain", pile=card)) == ["draw"]


def test_s5_only_one_card_is_drawn_even_if_it_cannot_be_played() -> None:
    made = table("red plain", "green plain", pile="purple plain, purple slap", turns=2)
    assert [(line.what, line.player) for line in lines_of(made)[1:-1]] == [("draw", 0), ("draw", 1)]
    assert outcome(made)["cards_drawn"] == 2


def test_s5_who_draws_and_plays_the_card_has_as_many_cards_as_before_and_does_not_win() -> None:
    made = table("red plain", "green plain", pile="blue plain")
    result = outcome(made)
    assert (result["cards_left_0"], result["drawn_games"]) == (1, 1)
    assert lines_of(made)[-1].what == "drawn game"
