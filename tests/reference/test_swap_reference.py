"""The reference game of SWAP! itself, clause by clause, in situations made by hand.

Cards are written b, bL, bC, bU (blue: plain, SLAP, SWITCH COLOR, SUPER SWAP) and S (SWAP).
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from .swap import Game, play
from .swap_anchors import ANCHORS, Raider, Shedder
from .swap_table import COLOURS, KINDS, SWAP, Card, Result, Rules, Step, Table, deal, in_deck_order

LETTERS = {"": "plain", "L": "slap", "C": "switch", "U": "super"}
CODES = {c[0] + letter: Card(c, kind) for c in COLOURS for letter, kind in LETTERS.items()}
CODES["S"] = SWAP
COUNTS = {"plain": 12, "slap": 4, "switch": 4, "super": 2, "swap": 16}


def cards(codes: str) -> list[Card]:
    return [CODES[code] for code in codes.split()]


def table(*hands: str, top: str = "b", pile: str = "", under: str = "", **rules: object) -> Table:
    """Return a table on which the colour of the top card is in force."""
    discards = cards(f"{under} {top}")
    made = replace(Rules(), **rules)  # type: ignore[arg-type]
    held, players = [cards(hand) for hand in hands], list(range(len(hands)))
    return Table(held, players, discards[-1].colour, cards(pile), discards, made)


def told(steps: list[Step]) -> str:
    """Return the steps in words: kind, player and detail of each."""
    code = {card: code for code, card in CODES.items()}
    rows = [(step.kind, step.player, *step.detail) for step in steps]
    words = [[code[w] if isinstance(w, Card) else str(w) for w in row] for row in rows]
    return ", ".join(map(" ".join, words))


class Script:
    """Luck that was written down (what is not is 0, or no), or from a seed."""

    def __init__(self, seed: int | None = None, **written: str) -> None:
        self.rng = None if seed is None else random.Random(seed)
        self.written = {kind: numbers.split() for kind, numbers in written.items()}
        self.asked: list[object] = []

    def next(self, kind: str, asked: object, weights: list[float]) -> int:
        self.asked.append((kind, asked))
        if self.rng is not None:
            return self.rng.choices(range(len(weights)), weights)[0]
        numbers = self.written.get(kind, [])
        return int(numbers.pop(0)) if numbers else 0

    def deal(self, n: int) -> int:
        return self.next("deal", n, [1] * n)

    def table(self, n: int) -> int:
        return self.next("table", n, [1] * n)

    def last_slapper(self, weights: list[float]) -> int:
        return self.next("last", weights, [1 / weight for weight in weights])

    def false_slap(self, rate: float) -> bool:
        return self.next("false", rate, [1 - rate, rate]) == 1


class Say:
    """Choices written down, or from a seed; notes the questions with options and hand."""

    def __init__(self, seed: int = 0, **answers: str | int) -> None:
        self.rng = random.Random(seed)
        self.answers = answers
        self.asked: list[object] = []

    def word(self, kind: str, table: Table, player: int, options: list[str]) -> str:
        assert len(options) > 1
        self.asked.append((kind, player, options, in_deck_order(table.hand(player))))
        return str(self.answers.get(kind, self.rng.choice(options)))

    def play(self, table: Table, player: int, options: list[str]) -> str:
        return self.word("play", table, player, options)

    def partner(self, table: Table, player: int, options: list[int]) -> int:
        return int(self.word("partner", table, player, [str(other) for other in options]))

    def colour(self, table: Table, player: int, options: list[str]) -> str:
        return self.word("colour", table, player, options)

    def direction(self, table: Table, player: int) -> str:
        return self.word("direction", table, player, ["left", "right"])


def turn(table: Table, luck: Script | None = None, say: Say | None = None, player: int = 0) -> Game:
    game = Game(table, luck or Script(), say or Say())
    game.turn(player)
    return game


# S1, S2: deck and deal
def test_s1_the_deck_has_104_cards() -> None:
    deck = Rules().deck()
    assert len(deck) == 104 and deck == in_deck_order(deck)
    assert [deck[n] for n in (0, 11, 12, 16, 20, 22, 87, 88)] == cards("b b bL bC bU g rU S")
    assert Counter(deck) == {card: COUNTS[card.kind] for card in CODES.values()}


def test_s2_cards_are_dealt_one_at_a_time_and_shuffled_while_drawn() -> None:
    rules = Rules(swap_cards=1, plain=1, slap=1, switch=0, super_swap=0, cards=2)
    luck = Script(deal="8 0 0 1 4")  # deck: b bL g gL p pL r rL S
    dealt = deal(2, rules, luck)
    # S; b of b..rL -> rL in front; that rL -> r in front; bL -> pL there; last of r pL g gL p
    assert dealt.hands == [cards("S rL"), cards("b bL")]
    assert dealt.discards == cards("p") and dealt.draw_pile == cards("r pL g gL")
    assert dealt.colour == "purple" and dealt.players == [0, 1]
    assert luck.asked == [("deal", n) for n in (9, 8, 7, 6, 5)]


def test_s2_the_dealer_in_the_last_seat_names_the_colour_for_a_swap() -> None:
    say = Say(colour="red")
    game = Game(table("g", "r", "p b", top="S"), Script(), say)
    game.set_up()
    assert told(game.steps) == "deal 2 S, colour 2 red"
    assert [step.colour for step in game.steps] == ["", "red"]
    assert say.asked == [("colour", 2, list(COLOURS), cards("b p"))]
    for top in ("b", "bL", "bC", "bU"):  # only the colour counts
        game = Game(table("g", "r", top=top), Script(), say)
        game.set_up()
        assert told(game.steps) == f"deal 1 {top}" and game.table.colour == "blue"
    assert len(say.asked) == 1


def test_s2_two_to_ten_players_and_enough_cards() -> None:
    for players, rules in ((1, Rules()), (11, Rules()), (10, Rules(cards=11))):
        with pytest.raises(ValueError, match="players|deck"):
            deal(players, rules, Script())
    assert len(deal(10, Rules(), Script()).draw_pile) == 3


# S3, S4, S5: turns
def test_s3_seat_0_begins_and_play_goes_to_the_left() -> None:
    result = Game(table("b b b", "b b", "b b b"), Script(), Say()).play_on()
    assert told(result.steps) == "play 0 b, play 1 b, play 2 b, play 0 b, play 1 b, win 1"
    assert [step.turn for step in result.steps] == [0, 1, 2, 3, 4, 4]
    assert result == Result([1], 5, False, result.steps, [1, 0, 2])


def test_s4_the_kind_is_a_choice_among_the_playable_ones() -> None:
    turn(table("S bU bC bL b g gL", "r", "r"), say=(say := Say(play="super")))
    assert say.asked[0] == ("play", 0, list(KINDS), cards("b bL bC bU g gL S"))
    for wrong in ("slap", "pass"):
        with pytest.raises(ValueError, match="cannot be played"):
            turn(table("S b gL", "r"), say=Say(play=wrong))
    # One kind is no choice, but must be played.
    (step,) = turn(table("b g b", "r", pile="b"), say=(unasked := Say())).steps
    assert told([step]) == "play 0 b" and unasked.asked == []
    assert step.hands == (tuple(cards("b g")), tuple(cards("r")))
    assert (step.draw_pile, step.discards) == (1, 2)


def test_s5_draws_a_card_and_keeps_or_plays_it() -> None:
    game = turn(table("g", "r", pile="b r p"), Script(deal="1"))
    assert told(game.steps) == "draw 0 r"
    assert game.table.hands[0] == cards("g r") and game.table.draw_pile == cards("b p")
    # A playable one is played at once with its effect.
    game = turn(table("g", "r", pile="bC"), say=Say(colour="green"))
    assert told(game.steps) == "draw 0 bC, play 0 bC, colour 0 green"
    assert [step.colour for step in game.steps] == ["blue", "blue", "green"]
    assert [len(step.hands[0]) for step in game.steps] == [2, 1, 1]
    swap = turn(table("g", "r r", pile="S"), say=Say(colour="red"))
    assert told(swap.steps) == "draw 0 S, play 0 S, swap 0 1, colour 0 red"
    assert swap.table.hands == [cards("r r"), cards("g")]


# S6, S7, S8: the special cards
def test_s6_swaps_hands_then_names_any_colour() -> None:
    say = Say(partner=0, colour="blue")
    game = turn(table("r r", "S g", "p", "p"), say=say, player=1)
    assert told(game.steps) == "play 1 S, swap 1 0, colour 1 blue"
    assert game.table.hands == [cards("g"), cards("r r"), cards("p"), cards("p")]
    assert say.asked[0] == ("partner", 1, ["2", "3", "0"], cards("g"))
    assert say.asked[1] == ("colour", 1, list(COLOURS), cards("r r"))
    assert game.steps[1].players == (0, 1, 2, 3) and game.steps[1].colour == "blue"
    for wrong in (Say(partner=0), Say(partner=3), Say(colour="pink")):
        with pytest.raises(ValueError, match="is not one of"):
            turn(table("S g", "r", "r"), say=wrong)


def test_s7_everybody_passes_the_hand_to_the_left_or_right() -> None:
    hands = ("bU g", "r", "p")
    left = turn(table(*hands), say=Say(direction="left"))
    assert left.table.hands == [cards("p"), cards("g"), cards("r")]
    assert told(left.steps) == "play 0 bU, super swap 0 left" and left.table.colour == "blue"
    right = turn(table(*hands), say=Say(direction="right"))
    assert right.table.hands == [cards("r"), cards("p"), cards("g")]
    with pytest.raises(ValueError, match="direction"):
        turn(table(*hands), say=Say(direction="up"))


def test_s8_a_different_colour() -> None:
    game = turn(table("bC g", "r"), say=(say := Say(colour="red")))
    assert say.asked == [("colour", 0, ["green", "purple", "red"], cards("g"))]
    assert game.table.colour == "red" and game.table.top == Card("blue", "switch")
    # The newly named colour counts for the next player, not that of the top card.
    assert [game.playable(card) for card in cards("bC rC S")] == [False, True, True]
    with pytest.raises(ValueError, match="colour"):
        turn(table("bC g", "r"), say=Say(colour="blue"))


# S9, S10: slaps and winning
def test_s9_the_last_to_slap_takes_a_card_by_its_number_in_deck_order() -> None:
    luck = Script(last="1", table="2")
    start = table("p", "S r bL g rL", "p", slap_speed=(2.0, 9.0, 0.5))
    game = turn(start, luck, Say(play="slap"), player=1)
    assert luck.asked == [("last", [0.5, 2.0]), ("table", 4)]
    assert told(game.steps) == "play 1 bL, slap 1 0 rL"  # number 2 of g, r, rL, S
    assert game.table.hands[0] == cards("p rL")
    turn(table("bL g", "r", "r"), equals := Script())
    assert equals.asked == [("last", [1.0, 1.0]), ("table", 1)]
    moved = table("r", "bL g g", "r", slap_speed=(1.0, 2.0, 3.0))
    moved.players = [2, 0, 1]  # S14: the speed goes with the player
    turn(moved, luck := Script())
    assert luck.asked[0] == ("last", [2.0, 3.0])


@pytest.mark.parametrize("last", ["b", "bL", "bC", "bU", "S"])
def test_s10_the_last_card_wins_without_its_effect(last: str) -> None:
    game = turn(table(last, "r", false_slap_rate=1.0), luck := Script(), say := Say())
    assert told(game.steps) == f"play 0 {last}, win 0" and game.winner == 0
    assert luck.asked == [] and say.asked == [] and game.table.colour == "blue"


def test_s10_emptied_by_a_slap_wins_or_plays_on() -> None:
    wins = turn(table("bL g", "r", pile="p"))
    assert told(wins.steps) == "play 0 bL, slap 0 1 g, win 0" and wins.winner == 0
    on = turn(table("bL g", "r", pile="p", slap_empties="plays_on"))
    assert told(on.steps) == "play 0 bL, slap 0 1 g, emptied 0 p" and on.winner is None
    game = turn(table("bL g", "r", under="p", slap_empties="plays_on"), Script(deal="1"))
    assert told(game.steps) == "play 0 bL, slap 0 1 g, reshuffle 0 2, emptied 0 b"
    bare = table("bL g", "r", slap_empties="plays_on")
    bare.discards.clear()  # not a table of the game: only so is there nothing under the SLAP
    assert told(turn(bare).steps) == "play 0 bL, slap 0 1 g, win 0"


# S11, S12: drawn games
def test_s11_the_discards_under_the_top_card_become_the_pile() -> None:
    game = Game(table("g", "g", under="r p S", top="b"), luck := Script(deal="0 1"), Say())
    game.turn(0)
    game.turn(1)
    assert told(game.steps) == "reshuffle 0 3, draw 0 r, draw 1 p"
    assert luck.asked == [("deal", 3), ("deal", 2)]  # of r p S, then of S p
    assert game.table.discards == cards("b") and game.table.draw_pile == cards("S")
    assert (game.steps[0].draw_pile, game.steps[0].discards) == (3, 1)


def test_s11_a_whole_circuit_of_passes_is_a_draw_of_the_fewest() -> None:
    result = Game(table("r g", "g", "r r", "p"), Script(), Say()).play_on(place=3)
    assert told(result.steps) == "pass 3, pass 0, pass 1, pass 2, drawn game 2 (1, 3)"
    assert [step.turn for step in result.steps] == [0, 1, 2, 3, 3]
    assert result == Result([1, 3], 4, True, result.steps, [2, 1, 2, 1])


def test_s11_a_card_played_or_drawn_begins_a_new_circuit() -> None:
    start = table("g", "r", "b p p", false_slap_rate=0.5, max_turns=5)
    result = Game(start, Script(false="0 1"), Say()).play_on()
    story = "pass 0, pass 1, play 2 b, reshuffle 1 1, false slap 1 b, pass 0, play 1 b, "
    assert told(result.steps) == story + "drawn game 1 (0, 1)"
    drawing = Game(table("g", "r", pile="r"), Script(), Say()).play_on()
    assert told(drawing.steps) == "draw 0 r, pass 1, pass 0, drawn game 0 (1,)"


def test_s12_after_max_turns_the_fewest_share() -> None:
    start = table("b b b b", "b b b b b", "b b b", max_turns=4)
    start.players = [2, 1, 0]
    result = Game(start, Script(), Say()).play_on()
    assert told(result.steps).endswith("play 0 b, play 2 b, drawn game 2 (0, 2)")
    assert result == Result([0, 2], 4, True, result.steps, [2, 4, 2])
    won = Game(table("b", "r", max_turns=1), Script(), Say()).play_on()
    assert (won.winners, won.turns, won.is_draw) == ([0], 1, False)


# S13: false slaps
def test_s13_false_slaps_from_the_left_before_the_effect() -> None:
    luck, false = Script(false="1 0 1"), ("false", 0.25)
    start = table("r", "S g", "r", "r", pile="p", top="b", false_slap_rate=0.25)
    game = turn(start, luck, Say(partner=0, colour="red"), player=1)
    slaps = "false slap 2 p, reshuffle 0 1, false slap 0 b"
    assert told(game.steps) == f"play 1 S, {slaps}, swap 1 0, colour 1 red"
    assert luck.asked == [false, ("deal", 1), false, false, ("deal", 1)]
    assert game.table.hands[1] == cards("r b")
    # At a card drawn and played too; with nothing to draw there is no penalty.
    game = turn(table("g", "r", "r", pile="b", false_slap_rate=1.0), Script(false="1 1"))
    slaps = "reshuffle 1 1, false slap 1 b, false slap 2 None"
    assert told(game.steps) == f"draw 0 b, play 0 b, {slaps}"
    # Nobody slaps falsely at a SLAP, or at rate 0.
    luck = Script()
    turn(table("bL g g", "r", pile="b", false_slap_rate=1.0), luck)
    assert luck.asked == [("last", [1.0]), ("table", 2)]
    turn(table("b g g", "r", pile="b"), luck)
    assert len(luck.asked) == 2


# S14: swapping seats
def test_s14_players_move_and_take_over_the_cards_lying_there() -> None:
    game = turn(table("S g", "p", "r r", swap_seats=True), say=(say := Say(partner=2)))
    assert game.table.hands == [cards("g"), cards("p"), cards("r r")]
    assert game.table.hand(0) == cards("r r") and game.table.others(0) == [2, 1]
    assert say.asked[1] == ("colour", 0, list(COLOURS), cards("r r"))
    assert [step.players for step in game.steps] == [(0, 1, 2), (2, 1, 0), (2, 1, 0)]


@pytest.mark.parametrize(
    ("seat_next", "partner", "second"),
    [("place", 2, 1), ("player", 2, 2), ("place", 1, 0), ("player", 1, 2)],
)
def test_s14_whose_turn_is_next(seat_next: str, partner: int, second: int) -> None:
    start = table("S r g", "r r", "r r", swap_seats=True, seat_next=seat_next, max_turns=2)
    result = Game(start, Script(), Say(partner=partner, colour="red")).play_on()
    assert told(result.steps[3:-1]) == f"play {second} r"
    assert result.cards_left == [1 if player == second else 2 for player in range(3)]


# Anchors
def test_shedder() -> None:
    shedder = Shedder()
    some = table("g g r r S bL", "r r r", "b", "p", "b b b")
    order = ["slap", "plain", "switch", "super", "swap"]
    for first, kind in enumerate(order):
        assert shedder.play(some, 0, sorted(order[first:])) == kind
    assert shedder.partner(some, 0, [1, 2, 3, 4]) == 2
    assert shedder.partner(some, 2, [3, 4, 0, 1]) == 3
    assert shedder.colour(some, 0, list(COLOURS)) == "green"
    assert shedder.colour(some, 0, ["blue", "purple", "red"]) == "red"
    assert shedder.colour(some, 3, ["blue", "green", "red"]) == "blue"
    four = table("b", "r r r", "p p", "g g g")  # it gets its right neighbour's hand if all go left
    assert "".join(shedder.direction(four, n)[0] for n in range(4)) == "lllr"
    some.players = [0, 3, 2, 1, 4]
    assert shedder.partner(some, 0, [3, 2, 1, 4]) == 2
    assert shedder.partner(some, 2, [1, 4, 0, 3]) == 1


def test_raider_swaps_first_for_at_least_two_cards_fewer_than_it_keeps() -> None:
    assert Raider().play(table("S b b b", "r", "r r r"), 0, ["plain", "swap"]) == "swap"
    assert Raider().play(table("S b b", "r", "r r r"), 0, ["plain", "swap"]) == "plain"
    assert Raider().play(table("S b b b", "r", "r r r"), 0, ["plain", "slap"]) == "slap"


# Whole games
VARIANTS = [
    Rules(),
    Rules(slap_empties="plays_on", cards=2),
    Rules(false_slap_rate=0.2, max_turns=300),
    Rules(swap_seats=True),
    Rules(swap_seats=True, seat_next="player", false_slap_rate=0.02, max_turns=800),
    Rules(swap_cards=1, plain=3, slap=1, switch=0, super_swap=0, cards=3, false_slap_rate=0.1),
]


def check_game(result: Result, players: int, rules: Rules) -> None:
    """Check what must hold between the steps of any game."""
    before = result.steps[0]
    for step in result.steps:
        assert sum(map(len, step.hands)) + step.draw_pile + step.discards == len(rules.deck())
        assert step.kind == "swap" or step.players == before.players
        assert step.kind == "colour" or step.colour == before.colour
        own = before.hands[before.players.index(step.player)]
        could = [card for card in own if card.colour == before.colour or card == SWAP]
        if step.kind == "play":
            assert step.detail[0] in could
        elif step.kind in ("draw", "pass"):
            assert not could
        elif step.kind == "reshuffle":
            assert before.draw_pile == 0 and step.discards == 1
        if step.turn > before.turn and not rules.swap_seats:
            assert step.turn == before.turn + 1 and step.player == step.turn % players
        before = step
    last = result.steps[-1]
    assert last.turn == result.turns - 1 and sorted(last.players) == list(range(players))
    left = result.cards_left
    assert left == [len(last.hands[last.players.index(player)]) for player in range(players)]
    assert result.winners == [player for player in range(players) if left[player] == min(left)]
    assert result.is_draw == (min(left) > 0) == (last.kind == "drawn game")


@pytest.mark.parametrize("rules", VARIANTS)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_no_card_is_lost_and_no_rule_broken(players: int, rules: Rules) -> None:
    for seed in range(3):
        check_game(play(players, rules, Script(seed), Say(seed)), players, rules)


@pytest.mark.parametrize("name", list(ANCHORS))
def test_anchors_play_whole_games(name: str) -> None:
    for players in (2, 4, 10):
        rules = Rules(max_turns=1000, slap_speed=tuple(range(1, players + 1)))
        check_game(play(players, rules, Script(players), ANCHORS[name]()), players, rules)
