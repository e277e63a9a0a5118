"""The card game SWAP!, written from its rulebook to be read beside it.

The clause ids S1..S14 are those of rules/swap.md. Nothing here is meant to be fast.
Cards, rules, the table and the deal are in swap_table.py.
"""

from __future__ import annotations

from .swap_table import (
    COLOURS,
    DIRECTIONS,
    KINDS,
    SWAP,
    Card,
    Chooser,
    Detail,
    Luck,
    Result,
    Rules,
    Step,
    Table,
    deal,
    draw_from,
    in_deck_order,
    sorted_hand,
)

__all__ = ["SWAP", "Card", "Chooser", "Luck", "Result", "Rules", "Step", "Table", "play"]


class Game:
    """A game in progress: one method for each paragraph of the rulebook."""

    def __init__(self, table: Table, luck: Luck, chooser: Chooser) -> None:
        self.table = table
        self.rules = table.rules
        self.luck = luck
        self.chooser = chooser
        self.winner: int | None = None
        self.passes = 0  # turns in a row that were passed (S11)
        self.steps: list[Step] = []
        self.cards = table.all_cards()

    def record(self, kind: str, player: int, *detail: Detail) -> None:
        """Check that no card was lost or made, and record a step."""
        table = self.table
        if table.all_cards() != self.cards:
            raise AssertionError(f"cards were lost or made: {table}")
        hands = tuple(sorted_hand(tuple(hand)) for hand in table.hands)
        players, piles = tuple(table.players), (len(table.draw_pile), len(table.discards))
        step = Step(kind, table.turn, player, detail, hands, players, table.colour, *piles)
        self.steps.append(step)

    # SET UP
    def set_up(self) -> None:
        """Look at the start card; the dealer, in the last seat, names a colour for a SWAP (S2)."""
        dealer = self.table.players[-1]
        self.record("deal", dealer, self.table.top)
        if self.table.top == SWAP:
            self.name_colour(dealer, list(COLOURS))

    # PLAY
    def play_on(self, place: int = 0) -> Result:
        """Play, beginning with a place, to the left throughout (S3), until the game is over."""
        table = self.table
        while True:
            player = table.players[place]
            self.turn(player)
            if self.winner is not None:
                return self.result([self.winner], is_draw=False)
            a_circuit_passed = self.passes == len(table.players)  # S11
            if a_circuit_passed or table.turn + 1 >= self.rules.max_turns:  # S12
                winners = self.fewest_cards()
                self.record("drawn game", player, tuple(winners))
                return self.result(winners, is_draw=True)
            table.turn += 1  # S3: a turn passed counts as well
            if self.rules.seat_next == "player":  # S14: he may sit elsewhere now
                place = table.place(player)
            place = (place + 1) % len(table.players)

    def fewest_cards(self) -> list[int]:
        """Return the players with the fewest cards, who share a drawn game (S11, S12)."""
        fewest = min(len(hand) for hand in self.table.hands)
        return [who for who in sorted(self.table.players) if len(self.table.hand(who)) == fewest]

    def result(self, winners: list[int], is_draw: bool) -> Result:
        """Count the last turn too, and say how the game ended."""
        table = self.table
        table.turn += 1
        cards_left = [len(table.hand(player)) for player in sorted(table.players)]
        return Result(winners, table.turn, is_draw, self.steps, cards_left)

    def playable(self, card: Card) -> bool:
        """Say whether a card has the colour in force or is a SWAP (S4)."""
        return card.colour == self.table.colour or card == SWAP

    def turn(self, player: int) -> None:
        """Play one card, or draw one and play it if it can be played, or pass (S4, S5, S11)."""
        hand = self.table.hand(player)
        kinds = {card.kind for card in hand if self.playable(card)}
        if kinds:
            self.play_card(player, self.choose_card(player, kinds))
            return
        drawn = self.draw(player)
        if drawn is None:  # S11
            self.passes += 1
            self.record("pass", player)
            return
        self.passes = 0
        self.record("draw", player, drawn)
        if self.playable(drawn):  # S5: at once, with its effect
            self.play_card(player, drawn)

    def choose_card(self, player: int, kinds: set[str]) -> Card:
        """Choose a card to play: all coloured ones have the colour in force (S4)."""
        options = [kind for kind in KINDS if kind in kinds]
        kind = options[0]
        if len(options) > 1:
            kind = self.chooser.play(self.table, player, list(options))
        if kind not in options:
            raise ValueError(f"{kind!r} cannot be played, only {options}")
        return SWAP if kind == "swap" else Card(self.table.colour, kind)

    def play_card(self, player: int, card: Card) -> None:
        """Put a card on the discard pile and follow its special rules, unless it wins."""
        table = self.table
        self.passes = 0
        table.hand(player).remove(card)
        table.discards.append(card)
        self.record("play", player, card)
        if not table.hand(player):  # S10: the effect does not happen
            self.win(player)
            return
        if card.kind != "slap":
            self.false_slaps(player)  # S13: before the effect
        effects = {
            "swap": self.swap,
            "super": self.super_swap,
            "switch": self.switch_colour,
            "slap": self.slap,
        }
        if card.kind in effects:
            effects[card.kind](player)

    def draw(self, player: int) -> Card | None:
        """Draw a card from the draw pile into the hand; None if there is no card (S5, S11)."""
        table = self.table
        if not table.draw_pile and len(table.discards) > 1:  # S11: all under the top card
            table.draw_pile, table.discards = table.discards[:-1], table.discards[-1:]
            self.record("reshuffle", player, len(table.draw_pile))
        if not table.draw_pile:
            return None
        card = draw_from(table.draw_pile, self.luck)
        table.hand(player).append(card)
        return card

    def name_colour(self, player: int, options: list[str]) -> None:
        """Let a player name the colour to be in force (S2, S6, S8)."""
        colour = self.chooser.colour(self.table, player, list(options))
        if colour not in options:
            raise ValueError(f"colour {colour!r} is not one of {options}")
        self.table.colour = colour
        self.record("colour", player, colour)

    # SWAP
    def swap(self, player: int) -> None:
        """Swap hands, or seats, with another player and then name any colour (S6, S14)."""
        table = self.table
        options = table.others(player)
        partner = options[0]
        if len(options) > 1:
            partner = self.chooser.partner(table, player, list(options))
        if partner not in options:
            raise ValueError(f"partner {partner!r} is not one of {options}")
        here, there = table.place(player), table.place(partner)
        if self.rules.swap_seats:  # S14: the cards stay where they lie
            table.players[here], table.players[there] = partner, player
        else:
            hands = table.hands
            hands[here], hands[there] = hands[there], hands[here]
        self.record("swap", player, partner)
        self.name_colour(player, list(COLOURS))

    # SUPER SWAP
    def super_swap(self, player: int) -> None:
        """Let everybody pass the whole hand to the next on the left or right (S7)."""
        direction = self.chooser.direction(self.table, player)
        if direction not in DIRECTIONS:
            raise ValueError(f"direction {direction!r} is not one of {DIRECTIONS}")
        # To the left, each place gets the hand of the place to its right, the one before it.
        giver = -1 if direction == "left" else 1
        hands = self.table.hands
        self.table.hands = [hands[(place + giver) % len(hands)] for place in range(len(hands))]
        self.record("super swap", player, direction)

    # SWITCH COLOR
    def switch_colour(self, player: int) -> None:
        """Let the player name a different colour (S8)."""
        self.name_colour(player, [colour for colour in COLOURS if colour != self.table.colour])

    # SLAP
    def slap(self, player: int) -> None:
        """Let the last of the others to slap take a card, unseen, from the player (S9)."""
        table, hand = self.table, self.table.hand(player)
        others = table.others(player)
        last = self.luck.last_slapper([self.rules.speed(other) for other in others])
        if last not in range(len(others)):
            raise ValueError(f"slapper {last!r} of {len(others)}")
        loser = others[last]
        number = self.luck.table(len(hand))
        if number not in range(len(hand)):
            raise ValueError(f"card {number!r} of a hand of {len(hand)}")
        taken = in_deck_order(hand)[number]
        hand.remove(taken)
        table.hand(loser).append(taken)
        self.record("slap", player, loser, taken)
        if not hand:
            self.emptied(player)

    # WINNING
    def emptied(self, player: int) -> None:
        """Win without a card, or draw one and play on, as the rules say (S10)."""
        drawn = self.draw(player) if self.rules.slap_empties == "plays_on" else None
        if drawn is None:
            self.win(player)
        else:
            self.record("emptied", player, drawn)

    def win(self, player: int) -> None:
        """End the game at once (S10)."""
        self.winner = player
        self.record("win", player)

    # MAKE SWAP EVEN MORE FUN
    def false_slaps(self, player: int) -> None:
        """Let each of the others slap falsely and draw a card as the penalty (S13)."""
        rate = self.rules.false_slap_rate
        if rate == 0:
            return
        for slapper in self.table.others(player):
            if self.luck.false_slap(rate):
                self.record("false slap", slapper, self.draw(slapper))


def play(players: int, rules: Rules, luck: Luck, chooser: Chooser) -> Result:
    """Deal and play a game to its end."""
    game = Game(deal(players, rules, luck), luck, chooser)
    game.set_up()
    return game.play_on()
