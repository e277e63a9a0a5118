"""A match of Barnyard Swap in a player's words: what is asked, offered and really handed over."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from herdlab.analysis.words.phrases import counted
from herdlab.analysis.words.stories import Deed, Happening, Story, Teller
from herdlab.simcore.barnyard import view
from herdlab.simcore.barnyard.rules import (
    ANIMALS,
    DONKEY,
    KINDS,
    NUMBERS,
    POINTS_DONKEY,
    POINTS_WATCHDOG,
    WATCHDOG,
    BarnyardRules,
    hand_size,
)
from herdlab.simcore.barnyard.table import card_name, unpack
from herdlab.simcore.batch import Bout

Cards = tuple[int, ...]
_HANDS = 256
"""So many hands are kept in mind: most are the same from one happening to the next."""
_unpacked = lru_cache(_HANDS)(unpack)
_NAMES = tuple(card_name(card) for card in range(WATCHDOG + 1))
_PART = (1 << view.PART_BITS) - 1
_RECYCLED = {
    "shuffled": "shuffled",
    "turned": "turned over, the oldest discard on top",
    "as_is": "as it lies, the newest discard on top",
}


def tell(bout: Bout, number: int) -> Story:
    """Play match `number` of the bout again and tell it."""
    return _Teller(bout, number).story()


@lru_cache(_HANDS)
def in_words(cards: Cards) -> str:
    """Return a hand as ``pigs 3 5 7, cows 10, Donkey``."""
    farm = [card for card in cards if card < KINDS]
    parts = [
        f"{ANIMALS[animal]} {' '.join(str(card % NUMBERS + 1) for card in group)}"
        for animal, group in groupby(farm, lambda card: card // NUMBERS)
    ]
    wild = [(card_name(card), cards.count(card)) for card in (DONKEY, WATCHDOG)]
    parts += [name if n == 1 else f"{n} {name}s" for name, n in wild if n]
    return ", ".join(parts) or "nothing"


def _card(card: int) -> str:
    """Return ``7 pigs``, ``1 pig``, ``the Donkey``."""
    if card >= KINDS:
        return f"the {card_name(card)}"
    return card_name(card) if card % NUMBERS else f"1 {ANIMALS[card // NUMBERS].removesuffix('s')}"


def _points(n: int) -> str:
    return f"{n} point{'' if abs(n) == 1 else 's'}"


class _Teller(Teller):
    """Follows a match through its log."""

    rules: BarnyardRules
    hands: Sequence[Cards] = ()
    runaway = swapper = asked = drawn = successful = view.NONE
    offers = 0
    """Bidders who have offered something in this turn."""
    cards_left = 0
    """In the barnyard."""

    def beginning(self) -> str:
        """Return who holds how much, and what ends the match."""
        rules, n = self.rules, len(self.names)
        self.totals = [0] * n
        dealt = f"{n} players hold {hand_size(n)} of {len(rules.deck(n))} cards (B1, B2)"
        if rules.target:
            return (
                f"{dealt}; once somebody has {_points(rules.target)} the highest total wins (B18)"
            )
        sessions = counted(rules.sessions, "session")
        return f"{dealt}; the highest total after {sessions} wins (B18)"

    def end(self) -> str:
        """Return who wins, and with how many points."""
        wins = "wins" if len(self.winners) == 1 else "share the win"
        return f"{self.who(*self.winners)} {wins} with {_points(max(self.totals))}"

    def tell(self, row: list[int]) -> list[Happening]:
        """Return what a row of the log tells: a deal one happening a player, all else one."""
        what, session, turn, seat, *details = row[:8]
        barnyard, pile, packed = row[8], row[9], row[10:]
        n = len(self.names)
        hands = [_unpacked(packed[seat], packed[view.ROOM + seat]) for seat in range(n)]
        before = [()] * n if what == view.DEALT else self.hands
        self.hands = hands
        if what == view.DEALT:
            deeds = self._deal(seat, details[0], barnyard)
        elif what in (view.SCORED, view.WON):
            deeds = [self._score(seat, *details) if what == view.SCORED else self._end()]
        elif what in (view.DECLINED, view.FULL_HAND, view.STALLED):
            deeds = [self._stop(what, seat, details[0])]
        else:
            deeds = [self._turn(what, seat, details)]
        # the log counts the turns finished: a full hand comes after that, and ends the last one
        if what in (view.DEALT, view.SCORED, view.WON):
            turn = 0
        elif what not in (view.DECLINED, view.FULL_HAND, view.STALLED):
            turn += 1
        self.cards_left = barnyard
        state = {
            "hands": [[_NAMES[card] for card in hand] for hand in hands],
            "barnyard": barnyard,
            "pile": pile,
            "totals": list(self.totals),
        }
        when = turn, -(-turn // n), session if what == view.WON else session + 1  # B13: rounded up
        return self.placed(
            *(deeds, when, view.HAPPENINGS[what], state),
            lambda seat: (in_words(before[seat]), in_words(hands[seat])),
        )

    def _named(self, seat: int) -> str:
        """Return who acts, or nothing for the player whose turn it is."""
        return "" if seat == self.swapper else f"{self.who(seat)} "

    def _deal(self, first: int, runaway: int, barnyard: int) -> list[Deed]:
        """B3, B4: each player's cards, from the first swapper on; the dealer comes last."""
        self.runaway, self.swapper, self.successful = runaway, view.NONE, view.NONE
        n = len(self.names)
        *others, dealer = [(first + k) % n for k in range(n)]
        dealt = f"is dealt {len(self.hands[dealer])} cards"
        deeds = [Deed(seat, "B2 B3", f"{self.who(seat)} {dealt}") for seat in others]
        words = (
            f"{self.who(dealer)}, the dealer, {dealt} and lays the runaway aside unseen: "
            f"{_card(runaway)}{', out of play' if runaway >= KINDS else ''}; "
            f"{barnyard} cards are left in the barnyard"
        )
        return [*deeds, Deed(dealer, "B2 B3 B4", words, {"runaway": card_name(runaway)})]

    def _turn(self, what: int, seat: int, details: list[int]) -> Deed:
        """B5 to B9: what is asked, offered, traded, drawn or discarded."""
        card, *others = details
        if what == view.ASKED:
            self.swapper, self.asked, self.offers = seat, card, 0
            words = f"asks: what am I offered for {_card(card)}?"
            return Deed(seat, "B5", words, {"card": card_name(card)})
        if what == view.OFFERED:
            self.offers += 1
            offered = unpack(card, others[0])
            shown = [f"{_card(kind)}{' (both)' * (n > 1)}" for kind, n in Counter(offered).items()]
            facts = {"offers": [card_name(kind) for kind in offered]}
            return Deed(seat, "B6", f"{self._named(seat)}offers {' or '.join(shown)}", facts)
        if what == view.TRADED:
            return self._trade(seat, card, *others)
        if what == view.DREW:
            return self._draw(seat, card)
        assert what == view.DISCARDED
        words = f"discards {_card(card)}{', the card drawn' if card == self.drawn else ''}"
        return Deed(seat, "B9", words, {"card": card_name(card)})

    def _trade(self, seat: int, bidder: int, accepted: int, given: int, received: int) -> Deed:
        words = f"accepts {_card(accepted)} of {self.who(bidder)} for {_card(self.asked)}"
        is_other = (given, received) != (self.asked, accepted)
        if is_other:
            gives = _card(given) + (" instead" if given != self.asked else "")
            gets = _card(received) + (" instead" if received != accepted else "")
            words += f": gives {gives} and gets {gets}"
        cards = {"asked": self.asked, "accepted": accepted, "given": given, "received": received}
        facts = {"bidder": bidder} | {name: card_name(card) for name, card in cards.items()}
        return Deed(seat, "B7 B8" if is_other else "B7", words, facts)

    def _draw(self, seat: int, card: int) -> Deed:
        self.drawn, recycled = card, self.cards_left == 0
        words = "accepts no offer" if self.offers else "hears no offer"
        if recycled:
            how = _RECYCLED[self.rules.recycle]
            words += f"; the barnyard is used up and the pile of discards becomes it, {how}"
        clauses = f"{'B7' if self.offers else 'B6'} B9{' B10' if recycled else ''}"
        facts = {"card": card_name(card), "recycled": recycled}
        return Deed(seat, clauses, f"{words}; takes {_card(card)} from the barnyard", facts)

    def _stop(self, what: int, seat: int, how: int) -> Deed:
        """B11 to B13: a full hand that is shown, claimed or not claimed; or nobody has one."""
        if what == view.STALLED:
            rounds = counted(self.rules.max_rounds, "round")
            return Deed(seat, "B13", f"nobody has a full hand after {rounds}: a stall")
        animal = ANIMALS[self.hands[seat][0] // NUMBERS]
        hand = f"a full hand of {animal}"
        wild_card = next((card_name(card) for card in self.hands[seat] if card >= KINDS), None)
        clauses, words = "B11", f"shows {hand}: the swapping stops"
        if what == view.DECLINED:
            clauses, words = "B12", f"does not claim {hand} with the {wild_card}"
        elif how == view.CLAIMED:
            clauses = "B11 B12"
            words = f"claims {hand} with the {wild_card}: the swapping stops"
        self.successful = self.successful if what == view.DECLINED else seat
        facts = {"animal": animal, "wild_card": wild_card}
        return Deed(seat, clauses, self._named(seat) + words, facts)

    def _score(self, seat: int, score: int, numbers: int, parts: int, animal: int) -> Deed:
        hand = self.hands[seat]
        donkeys, watchdogs = (hand.count(card) for card in (DONKEY, WATCHDOG))
        points = {
            "numbers": numbers,
            "first": parts & _PART,
            "run": parts >> view.PART_BITS & _PART,
            "runaway": (parts >> 2 * view.PART_BITS) - NUMBERS,
            "donkey": POINTS_DONKEY * donkeys,
            "watchdog": POINTS_WATCHDOG * watchdogs,
        }
        words = {
            "runaway": f"runaway ({_card(self.runaway)})",
            "donkey": "Donkey" if donkeys == 1 else "Donkeys",
            "watchdog": "Watchdog" if watchdogs == 1 else "Watchdogs",
        }
        is_first = seat == self.successful
        clauses = "B14" if is_first else "B15"
        clauses += " B16" if points["runaway"] else ""
        clauses += " B17" if donkeys or watchdogs else ""
        shown = f"{numbers} numbers"
        if not is_first:
            values = {card: card % NUMBERS + 1 for card in hand if card < KINDS}
            mine = sum(values[card] for card in hand if card // NUMBERS == animal)
            shown += f" ({mine} of {ANIMALS[animal]} - {mine - numbers} of others)"
        for key, value in points.items():
            if value and key != "numbers":
                shown += f" {'+' if value > 0 else '-'} {abs(value)} {words.get(key, key)}"
        self.totals[seat] += score
        sentence = (
            f"{self.who(seat)} shows {in_words(hand)} and scores {score} = {shown}; "
            f"total {self.totals[seat]}"
        )
        facts = {"animal": ANIMALS[animal], "score": score, "points": points}
        return Deed(seat, clauses, sentence, facts)

    def _end(self) -> Deed:
        totals = ", ".join(f"{self.who(s)} {total}" for s, total in enumerate(self.totals))
        words = f"the match is over: {totals}"
        if self.rules.target and max(self.totals) < self.rules.target:
            limit = counted(self.rules.max_sessions, "session")
            words = f"nobody has {_points(self.rules.target)} after {limit}, and {words}"
        return Deed(self.winners[0], "B18", words, {"winners": self.winners})
