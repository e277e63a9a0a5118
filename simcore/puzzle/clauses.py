"""The clauses of Horse Trader and Bronco in a sentence or two each, for `herdlab rules`."""

from herdlab.simcore.rules import clauses

_BEFORE = """
P1 Pieces: four puzzles of 40 pieces, three with three players; all are shuffled and dealt, 40 to
    each player.
P2 Goals: each player is dealt a puzzle card, face down; he wants all 40 pieces of it.
P3 Time: in each beat one player, drawn in proportion to his tempo, has the word: he offers a
    trade, calls a pass, or stays silent.
P4 Offer: he commits 1 to 4 pieces face down and says the number; the first opponent to say the
    same number, drawn among the willing in proportion to their reactions, gives as many of his
    own, unseen.  Nobody willing: the offer lapses.
P5 Who can answer: only an opponent who holds at least that many pieces.
P6 Forced pass: everybody passes one piece of his choice to the left, to the right or, with four
    players, across, as called.  All choose before any piece moves; who has no piece passes none.
"""
_HOW_OFTEN = """
P7 How often (plain game): up to three of his calls in a row, then not until another player has
    called.  Trades in between do not matter.
P7a The word after a call: the caller has the word in the next beat too.
P9 How often (advanced game): three calls in the whole game for each player.
"""
_HOW_OFTEN_IN_BRONCO = """
P7a The word after a call: the caller has the word in the next beat too.
P8 How often: up to three calls, one straight after another; once an offer, whoever makes it, even
    one that lapses, has followed his call he may not call again until another player has
    called.  A silent beat does not matter.
"""
_AFTER = """
P10 Win: the first to hold all 40 pieces of his puzzle, looked at after every movement of pieces.
P11 Bluff (advanced game): the number said need not be the number committed, which may be 0. Who
    answers gives the number said and gets what was committed.
P12 The bluff called (advanced game): instead of answering, an opponent who holds as many as were
    said may call the bluff.  If it was none he pays the number said to the offerer, else the
    offerer pays it to him; who holds fewer pays all he has.
P13 Stall: after max_beats the game ends with no winner.
"""

HORSE_TRADER_CLAUSES = clauses(_BEFORE + _HOW_OFTEN + _AFTER)
BRONCO_CLAUSES = clauses(_BEFORE + _HOW_OFTEN_IN_BRONCO + _AFTER)
