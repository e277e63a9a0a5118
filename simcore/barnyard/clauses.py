"""The clauses of Barnyard Swap in a sentence or two each, for `herdlab rules barnyard`."""

from herdlab.simcore.rules import clauses

CLAUSES = clauses("""
B1 Deck: sheep, pigs, goats, cows and horses numbered 1 to 10, a Donkey and a Watchdog: 52 cards.
    The extra Donkey of the pack only with four or more players.
B2 Players: 3 to 6 hold seven cards, 7 hold six, 8 to 14 use two packs and hold seven.
B3 Deal: the rest is the barnyard, face down; its top card is laid aside unseen: the runaway.
B4 Order: left of the dealer swaps first, then each to the left. Seat 0 opens the first session;
    the deal moves one seat to the left every session.
B5 Ask: the swapper names one farm-animal card of his hand and asks for bids on it.
B6 Bids: once round from the swapper's left, each offers none, one or several farm-animal cards
    that he holds; all earlier offers are public.
B7 Trade: the swapper accepts one offered card or none; one card for one, face down.
B8 Wild cards: either side may hand over a Donkey or Watchdog instead of the card he named. Nobody
    is told.
B9 Barnyard: a swapper who accepts nothing takes the top card and discards one of his hand, never
    a Donkey or Watchdog.
B10 Second pile: discards form a new pile, drawn from when the first is used up.
B11 Full hand: a player whose whole hand is one animal shows it and the swapping stops. Looked at
    after the deal, every trade and every discard, from the swapper leftwards.
B12 Claim: with all cards but one of one animal and that one a Donkey or Watchdog he may claim a
    full hand.
B13 Stall: a session that nobody finishes in max_rounds rounds stops; all are scored.
B14 The successful player: the sum of his numbers, 5 for being first, 10 if all cards are numbered
    and consecutive.
B15 Every other player: the sum of the animal he collects minus all his other numbers; 5 for five,
    6 for six or more consecutive numbers in one animal.
B16 Runaway: its number is added to the score of every player collecting that animal if even,
    subtracted if odd.
B17 Wild cards held at the end: each Donkey 10 points off, each Watchdog 10 points.
B18 Match: the highest total after four sessions wins, or once somebody has reached the target.
    Equal totals share the win.
""")
