"""The rulebook of SWAP! as typed, validated data (clauses S1-S14)."""

import dataclasses
from typing import ClassVar

from herdlab.simcore.errors import BadInput
from herdlab.simcore.rules import Rules, When, check_weights, read_weights, reading, rule, weights

BLUE, GREEN, PURPLE, RED = range(4)
COLOURS = ("blue", "green", "purple", "red")
PLAIN, SLAP, SWITCH, SUPER, SWAP_KIND = range(5)
KINDS = ("plain", "SLAP", "SWITCH COLOR", "SUPER SWAP", "SWAP")
COLOURED_KINDS = 4
SWAP_CARD = len(COLOURS) * COLOURED_KINDS
"""A coloured card is 4 * colour + kind, from 0 to 15; then comes the SWAP, which has no colour."""
N_CARDS = SWAP_CARD + 1

MIN_PLAYERS, MAX_PLAYERS = 2, 10
MOST_DECK = 4 * (31 + 7 + 7 + 7) + 60
LEFT_BINS = 60
"""The histogram of cards left in a hand."""


@dataclasses.dataclass(frozen=True)
class SwapRules(Rules):
    """The rules of SWAP!; every [reading] is a field with its alternatives."""

    game: ClassVar[str] = "swap"

    swap_cards: int = rule(16, "S1", "SWAP cards in the deck [reading]", low=0, high=60)
    plain: int = rule(12, "S1", "plain cards in each colour [reading]", low=0, high=31)
    slap: int = rule(4, "S1", "SLAP cards in each colour [reading]", low=0, high=7)
    switch: int = rule(4, "S1", "SWITCH COLOR cards in each colour [reading]", low=0, high=7)
    super_swap: int = rule(2, "S1", "SUPER SWAP cards in each colour [reading]", low=0, high=7)
    cards: int = rule(10, "S2", "cards dealt to each player", low=1, high=30)
    slap_speed: tuple[float, ...] = weights(
        "S9", "how fast each player slaps: 0.001 to 1000 each, as 1,2,4,0.5"
    )
    slap_empties: str = reading(
        "wins",
        "S10",
        "a player whose last card is taken wins, or draws a card and plays on",
        alternatives=("wins", "plays_on"),
        when=When("SLAP cards in the deck", lambda rules: rules.slap > 0),
    )
    max_turns: int = rule(5000, "S12", "turns after which a game is drawn", low=1, high=1_000_000)
    false_slap_rate: float = rule(
        0.0, "S13", "how often another player slaps a card that is no SLAP", low=0, high=1
    )
    swap_seats: bool = rule(False, "S14", "a SWAP exchanges seats and not hands")
    seat_next: str = reading(
        "place",
        "S14",
        "after seats were exchanged, who is next: left of the place where the card was played, "
        "or left of its player",
        alternatives=("place", "player"),
        when=When(
            "swap_seats=true and SWAP cards in the deck",
            lambda rules: rules.swap_seats and rules.swap_cards > 0,
        ),
    )

    def deck(self) -> tuple[int, ...]:
        """S1: return the cards in the order in which the deck is stacked."""
        per_colour = (self.plain, self.slap, self.switch, self.super_swap)
        coloured = [
            card for card in range(SWAP_CARD) for _ in range(per_colour[card % COLOURED_KINDS])
        ]
        return (*coloured, *[SWAP_CARD] * self.swap_cards)

    def check(self) -> None:
        """Refuse speeds that are none."""
        read_weights("slap_speed", "S9", self.slap_speed)

    def check_players(self, n_players: int) -> None:
        """S2, S9: refuse a deck that is too small, and speeds for another number of players."""
        needed, there = n_players * self.cards + 1, len(self.deck())
        if there < needed:
            raise BadInput(
                f"{n_players} players with {self.cards} cards each and a card to start need "
                f"{needed} cards (S2), and the deck has {there} (S1)"
            )
        check_weights("slap_speed", "S9", self.slap_speed, n_players)

    def speeds(self, n_players: int) -> tuple[float, ...]:
        """S9: return how fast each player slaps."""
        return self.slap_speed or (1.0,) * n_players
