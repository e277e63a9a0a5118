"""A game of SWAP! in a player's words: cards played, hands exchanged, slaps and colours named."""

from collections import Counter
from functools import lru_cache

from herdlab.analysis.words.phrases import counted
from herdlab.analysis.words.stories import Deed, Happening, Story, Teller, played
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
    rules, (names, log, winners, length) = bout.rules, played(bout, number)
    assert isinstance(rules, SwapRules)
    teller = _Teller(rules, names)
    happenings = [one for row in log for one in teller.tell(row)]
    end = f"{teller.who(*winners)} wins in turn {length}"
    if log[-1][0] != view.WON:
        fewest = "has the fewest cards and wins" if len(winners) == 1 else "share the win"
        drawn = f"a drawn game after {counted(length, 'turn')}"
        end = f"{drawn}: {teller.who(*winners)} {fewest}"
    return Story(_beginning(rules, len(names)), happenings, end, winners, length)


@lru_cache(_HANDS)
def in_words(cards: Cards) -> str:
    """Return a hand as ``blue: 3 plain, SLAP; red: SWITCH COLOR; 2 SWAP``."""
    parts = []
    counts = Counter(cards)
    for colour, name in enumerate(COLOURS):
        held = [
            _several(KINDS[kind], counts[COLOURED_KINDS * colour + kind])
            for kind in range(COLOURED_KINDS)
            if counts[COLOURED_KINDS * colour + kind]
        ]
        parts += [f"{name}: {', '.join(held)}"] if held else []
    parts += [_several("SWAP", counts[SWAP_CARD])] if counts[SWAP_CARD] else []
    return "; ".join(parts) if parts else "nothing"


def _several(name: str, n: int) -> str:
    return name if n == 1 else f"{n} {name}"


def _card(card: int) -> str:
    """Return ``a SWAP``, ``a red SLAP``, ``a plain red card``."""
    if card != SWAP_CARD and card % COLOURED_KINDS == PLAIN:
        return f"a plain {COLOURS[card // COLOURED_KINDS]} card"
    return f"a {card_name(card)}"


def _cards(n: int) -> str:
    return f"{n} card{'' if n == 1 else 's'}"


def _beginning(rules: SwapRules, n: int) -> str:
    words = f"{n} players hold {rules.cards} of {len(rules.deck())} cards (S1, S2)"
    if rules.swap_seats:
        words += "; a player keeps the name of the seat he begins in, wherever he moves (S14)"
    return words


class _Teller(Teller):
    """Follows a game through its log."""

    def __init__(self, rules: SwapRules, names: list[str]) -> None:
        super().__init__(names)
        self.rules = rules
        self.hands: list[Cards] = []
        """By player."""
        self.places: list[int] = []
        """Which player sits at each place."""
        self.colour = self.top = self.drawn = view.NONE
        """`drawn` is the card that a player must play at once, if there is one."""
        self.mover = view.NONE
        """Whose turn it is; nobody's at the deal."""
        self.turn = view.NONE
        self.passes = 0
        """How many players have passed in a row."""
        self.is_taken = False
        """Whether a card was taken by a slap in this turn."""

    def tell(self, row: list[int]) -> list[Happening]:
        """Return what a row of the log tells: a deal one happening a player, all else one."""
        what, turn, player, detail, card, colour, pile, discards = row[:8]
        n, laid = len(self.names), row[8:]
        places = laid[view.ROOM : view.ROOM + n]
        hands = [_unpacked(laid[places.index(player)]) for player in range(n)]
        before: list[Cards] = [()] * n if what == view.DEALT else self.hands
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
        elif what in (view.SWAPPED, view.SUPER_SWAPPED):
            deeds = [self._exchange(what, player, detail, before, was_at)]
        elif what == view.SLAPPED:
            deeds = [self._slap(player, detail, card)]
        elif what == view.NAMED:
            deeds = [self._name(player, detail, is_deal)]
        else:
            deeds = [self._end(what, player, detail)]
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
        dealt = f"is dealt {_cards(len(self.hands[dealer]))}"
        others = [player for player in range(len(self.names)) if player != dealer]
        deeds = [Deed(player, ("S2",), f"{self.who(player)} {dealt}", {}) for player in others]
        words = f"{self.who(dealer)}, the dealer, {dealt} and turns up {_card(top)}"
        words += "" if colour == view.NONE else f": the colour is {COLOURS[colour]}"
        return [*deeds, Deed(dealer, ("S2",), words, {"card": card_name(top)})]

    def _turn(self, what: int, player: int, card: int) -> Deed:
        """S4, S5: the card that a player plays, or draws because he has none to play."""
        facts = {} if card == view.NONE else {"card": card_name(card)}
        colour = COLOURS[self.colour]
        self.passes = self.passes + 1 if what == view.PASSED else 0
        if what == view.PASSED:
            words = f"has no {colour} card and no SWAP, and there is nothing to draw: passes"
            return Deed(player, ("S3", "S11"), words, facts)
        if what == view.DREW:
            is_playable = card == SWAP_CARD or card // COLOURED_KINDS == self.colour
            self.drawn = card if is_playable else view.NONE
            words = f"has no {colour} card and no SWAP: draws {_card(card)}"
            return Deed(player, ("S5",), words + ("" if is_playable else " and keeps it"), facts)
        self.top = card
        if self.drawn != view.NONE:
            self.drawn = view.NONE
            return Deed(player, ("S5",), f"plays {_card(card)}, the card drawn, at once", facts)
        on = f" on {colour}" if card == SWAP_CARD else ""
        return Deed(player, ("S4",), f"plays {_card(card)}{on}", facts)

    def _other_draw(self, what: int, player: int, detail: int) -> Deed:
        """S10, S11, S13: a new pile, a penalty, or a card for a player who has lost his last."""
        if what == view.RESHUFFLED:
            words = (
                f"the draw pile is empty: the discards under the top card are shuffled into a "
                f"new one of {_cards(detail)}"
            )
            return Deed(player, ("S11",), words, {"reshuffled": detail})
        if what == view.EMPTIED:
            words = f"has lost his last card: draws {_card(detail)} and plays on"
            return Deed(player, ("S10",), words, {"card": card_name(detail)})
        words = f"{self._named(player)}slaps at a card that is no SLAP"
        if detail == view.NONE:
            return Deed(
                player, ("S11", "S13"), f"{words}; there is nothing to draw", {"card": None}
            )
        facts = {"card": card_name(detail)}
        return Deed(player, ("S13",), f"{words} and draws {_card(detail)} as the penalty", facts)

    def _slap(self, player: int, last: int, card: int) -> Deed:
        self.is_taken = True
        words = (
            f"loses {_card(card)}, taken unseen, to {self.who(last)}, the last to slap: "
            f"{_cards(len(self.hands[player]))} left"
        )
        return Deed(player, ("S9",), words, {"last": last, "card": card_name(card)})

    def _exchange(
        self, what: int, player: int, detail: int, before: list[Cards], was_at: list[int]
    ) -> Deed:
        """S6, S7, S14: hands or seats exchanged, with the number of cards before and after."""
        had, has = _cards(len(before[player])), _cards(len(self.hands[player]))
        if what == view.SUPER_SWAPPED:
            way, step = ("left", -1) if detail == view.TO_THE_LEFT else ("right", 1)
            giver = self.places[(self.places.index(player) + step) % len(self.places)]
            words = (
                f"all pass their hands to the {way}: gets {has} of {self.who(giver)} "
                f"and gives {had} away"
            )
            return Deed(player, ("S7",), words, {"direction": way})
        facts = {"partner": detail}
        if self.rules.swap_seats:
            words = (
                f"changes places with {self.who(detail)}: moves from place "
                f"{was_at.index(player)} to place {self.places.index(player)} and finds {has} "
                f"there, having left {had}"
            )
            return Deed(player, ("S6", "S14"), words, facts)
        words = f"exchanges hands with {self.who(detail)}: gives {had} and gets {has}"
        return Deed(player, ("S6",), words, facts)

    def _name(self, player: int, colour: int, is_deal: bool) -> Deed:
        clause = "S8" if self.top % COLOURED_KINDS == SWITCH else "S6"
        clause = "S2" if is_deal else clause
        words = f"{self._named(player)}names {COLOURS[colour]}"
        return Deed(player, (clause,), words, {})

    def _end(self, what: int, player: int, winners: int) -> Deed:
        sharers = [one for one in range(len(self.names)) if winners >> one & 1]
        facts = {"winners": sharers}
        if what == view.WON and self.is_taken:
            return Deed(player, ("S10",), "has lost his last card and wins", facts)
        if what == view.WON:
            return Deed(player, ("S10",), "has played his last card and wins at once", facts)
        assert what == view.DRAWN_GAME
        fewest = len(self.hands[sharers[0]])
        if self.passes == len(self.names):
            clause, why = "S11", "everybody has passed in a row"
        else:
            clause, why = "S12", f"nobody has won in {self.rules.max_turns} turns"
        words = f"{why}: a drawn game; {self.who(*sharers)}"
        words += f" {'has' if len(sharers) == 1 else 'have'} the fewest cards: {fewest}"
        return Deed(player, (clause,), words, facts)
