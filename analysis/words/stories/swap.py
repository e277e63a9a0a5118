"""A game of SWAP! in a player's words: cards played, hands exchanged, slaps and colours named."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from herdlab.analysis.words.phrases import counted
from herdlab.analysis.words.stories import Deed, Happening, Story, Teller
from herdlab.simcore.batch import Bout
from herdlab.simcore.swap import view
from herdlab.simcore.swap.rules import (
    COLOURED_KINDS,
    COLOURS,
    KINDS,
    PLAIN,
    SWAP_CARD,
    SWITCH,
    SwapRules,
)
from herdlab.simcore.swap.table import card_name, unpack

Cards = tuple[int, ...]
_HANDS = 256
"""So many hands are kept in mind: most are the same from one happening to the next."""
_unpacked = lru_cache(_HANDS)(unpack)


def tell(bout: Bout, number: int) -> Story:
    """Play game `number` of the bout again and tell it."""
    return _Teller(bout, number).story()


@lru_cache(_HANDS)
def in_words(cards: Cards) -> str:
    """Return a hand as ``blue: 3 plain, SLAP; red: SWITCH COLOR; 2 SWAP``."""
    parts, counts = [], Counter(cards)
    for colour, name in enumerate(COLOURS):
        kinds = [
            (KINDS[kind], counts[COLOURED_KINDS * colour + kind]) for kind in range(COLOURED_KINDS)
        ]
        held = [_several(kind, n) for kind, n in kinds if n]
        parts += [f"{name}: {', '.join(held)}"] if held else []
    parts += [_several("SWAP", counts[SWAP_CARD])] if counts[SWAP_CARD] else []
    return "; ".join(parts) or "nothing"


def _several(name: str, n: int) -> str:
    return name if n == 1 else f"{n} {name}"


def _card(card: int) -> str:
    """Return ``a SWAP``, ``a red SLAP``, ``a plain red card``."""
    if card != SWAP_CARD and card % COLOURED_KINDS == PLAIN:
        return f"a plain {COLOURS[card // COLOURED_KINDS]} card"
    return f"a {card_name(card)}"


class _Teller(Teller):
    """Follows a game through its log."""

    rules: SwapRules
    hands: Sequence[Cards] = ()
    """By player."""
    places: Sequence[int] = ()
    """Which player sits at each place."""
    colour = top = drawn = view.NONE
    """`drawn` is the card that a player must play at once, if there is one."""
    mover = view.NONE
    """Whose turn it is; nobody's at the deal."""
    turn = view.NONE
    passes = 0
    """How many players have passed in a row."""
    is_taken = False
    """Whether a card was taken by a slap in this turn."""

    def beginning(self) -> str:
        """Return who holds how much."""
        n, rules = len(self.names), self.rules
        words = f"{n} players hold {rules.cards} of {len(rules.deck())} cards (S1, S2)"
        if rules.swap_seats:
            words += "; a player keeps the name of the seat he begins in, wherever he moves (S14)"
        return words

    def end(self) -> str:
        """Return who wins, or who has the fewest cards."""
        who = self.who(*self.winners)
        if self.log[-1][0] == view.WON:
            return f"{who} wins in turn {self.length}"
        fewest = "has the fewest cards and wins" if len(self.winners) == 1 else "share the win"
        return f"a drawn game after {counted(self.length, 'turn')}: {who} {fewest}"

    def tell(self, row: list[int]) -> list[Happening]:
        """Return what a row of the log tells: a deal one happening a player, all else one."""
        what, turn, player, detail, card, colour, pile, discards = row[:8]
        n, laid = len(self.names), row[8:]
        places = laid[view.ROOM : view.ROOM + n]
        hands = [_unpacked(laid[places.index(player)]) for player in range(n)]
        before = [()] * n if what == view.DEALT else self.hands
        was_at, self.places = self.places, places
        self.hands = hands
        is_deal = self.mover == view.NONE and what in (view.DEALT, view.NAMED)
        if not is_deal and turn != self.turn:
            self.turn, self.mover, self.is_taken = turn, player, False
        if what == view.DEALT:
            deeds = self._deal(player, detail, colour)
        elif what in (view.PLAYED, view.DREW, view.PASSED):
            deeds = [self._turn(what, player, detail)]
        elif what in (view.RESHUFFLED, view.FALSE_SLAP, view.EMPTIED):
            deeds = [self._other_draw(what, player, detail)]
        elif what == view.SUPER_SWAPPED:
            deeds = [self._pass_on(player, detail, len(before[player]))]
        elif what == view.SWAPPED:
            deeds = [self._exchange(player, detail, len(before[player]), was_at)]
        elif what == view.SLAPPED:
            self.is_taken = True
            left = f"the last to slap: {counted(len(hands[player]), 'card')} left"
            words = f"loses {_card(card)}, taken unseen, to {self.who(detail)}, {left}"
            deeds = [Deed(player, "S9", words, {"last": detail, "card": card_name(card)})]
        elif what == view.NAMED:
            switched = "S8" if self.top % COLOURED_KINDS == SWITCH else "S6"
            words = f"{self._named(player)}names {COLOURS[detail]}"
            deeds = [Deed(player, "S2" if is_deal else switched, words)]
        else:
            deeds = [self._end(what, player)]
        self.colour = colour
        state = {
            "hands": [[card_name(one) for one in hand] for hand in hands],
            "places": places,
            "colour": None if colour == view.NONE else COLOURS[colour],
            "top": card_name(self.top),
            "pile": pile,
            "discards": discards,
        }
        turn = 0 if is_deal else turn + 1
        return self.placed(
            *(deeds, (turn, -(-turn // n), None), view.HAPPENINGS[what], state),
            lambda seat: (in_words(before[seat]), in_words(hands[seat])),
        )

    def _named(self, player: int) -> str:
        """Return who acts, or nothing for the player whose turn it is."""
        return "" if player == self.mover else f"{self.who(player)} "

    def _deal(self, dealer: int, top: int, colour: int) -> list[Deed]:
        """S2: each player's cards; the dealer comes last and turns up a card to start."""
        self.top = top
        dealt = f"is dealt {counted(len(self.hands[dealer]), 'card')}"
        others = [player for player in range(len(self.names)) if player != dealer]
        words = f"{self.who(dealer)}, the dealer, {dealt} and turns up {_card(top)}"
        words += "" if colour == view.NONE else f": the colour is {COLOURS[colour]}"
        deeds = [Deed(player, "S2", f"{self.who(player)} {dealt}") for player in others]
        return [*deeds, Deed(dealer, "S2", words, {"card": card_name(top)})]

    def _turn(self, what: int, player: int, card: int) -> Deed:
        """S4, S5: the card that a player plays, or draws because there is none to play."""
        facts = {} if card == view.NONE else {"card": card_name(card)}
        colour = COLOURS[self.colour]
        nothing = f"has no {colour} card and no SWAP"
        self.passes = self.passes + 1 if what == view.PASSED else 0
        if what == view.PASSED:
            return Deed(player, "S3 S11", f"{nothing}, and there is nothing to draw: passes", facts)
        if what == view.DREW:
            is_playable = card == SWAP_CARD or card // COLOURED_KINDS == self.colour
            self.drawn = card if is_playable else view.NONE
            keeps = "" if is_playable else " and keeps it"
            return Deed(player, "S5", f"{nothing}: draws {_card(card)}{keeps}", facts)
        self.top = card
        if self.drawn != view.NONE:
            self.drawn = view.NONE
            return Deed(player, "S5", f"plays {_card(card)}, the card drawn, at once", facts)
        on = f" on {colour}" if card == SWAP_CARD else ""
        return Deed(player, "S4", f"plays {_card(card)}{on}", facts)

    def _other_draw(self, what: int, player: int, detail: int) -> Deed:
        """S10, S11, S13: a new pile, a penalty, or a card for a player who has lost the last."""
        if what == view.RESHUFFLED:
            words = (
                f"the draw pile is empty: the discards under the top card are shuffled into a "
                f"new one of {counted(detail, 'card')}"
            )
            return Deed(player, "S11", words, {"reshuffled": detail})
        facts = {"card": None if detail == view.NONE else card_name(detail)}
        if what == view.EMPTIED:
            words = f"has lost his last card: draws {_card(detail)} and plays on"
            return Deed(player, "S10", words, facts)
        words = f"{self._named(player)}slaps at a card that is no SLAP"
        if detail == view.NONE:
            return Deed(player, "S11 S13", f"{words}; there is nothing to draw", facts)
        return Deed(player, "S13", f"{words} and draws {_card(detail)} as the penalty", facts)

    def _pass_on(self, player: int, direction: int, had: int) -> Deed:
        """S7: all hands go on by one place."""
        way, step = ("left", -1) if direction == view.TO_THE_LEFT else ("right", 1)
        giver = self.places[(self.places.index(player) + step) % len(self.places)]
        gets = f"gets {counted(len(self.hands[player]), 'card')} of {self.who(giver)}"
        words = f"all pass their hands to the {way}: {gets} and gives {counted(had, 'card')} away"
        return Deed(player, "S7", words, {"direction": way})

    def _exchange(self, player: int, partner: int, cards: int, was_at: Sequence[int]) -> Deed:
        """S6, S14: hands or seats exchanged, with the number of cards before and after."""
        had, has = counted(cards, "card"), counted(len(self.hands[player]), "card")
        facts = {"partner": partner}
        if not self.rules.swap_seats:
            words = f"exchanges hands with {self.who(partner)}: gives {had} and gets {has}"
            return Deed(player, "S6", words, facts)
        words = (
            f"changes places with {self.who(partner)}: moves from place {was_at.index(player)} to "
            f"place {self.places.index(player)} and finds {has} there, having left {had}"
        )
        return Deed(player, "S6 S14", words, facts)

    def _end(self, what: int, player: int) -> Deed:
        facts = {"winners": self.winners}
        if what == view.WON:
            how = "lost his last card and wins" if self.is_taken else ""
            words = f"has {how or 'played his last card and wins at once'}"
            return Deed(player, "S10", words, facts)
        assert what == view.DRAWN_GAME
        clause, why = "S12", f"nobody has won in {self.rules.max_turns} turns"
        if self.passes == len(self.names):
            clause, why = "S11", "everybody has passed in a row"
        have = "has" if len(self.winners) == 1 else "have"
        words = f"{why}: a drawn game; {self.who(*self.winners)} {have} the fewest cards: "
        return Deed(player, clause, f"{words}{len(self.hands[self.winners[0]])}", facts)
