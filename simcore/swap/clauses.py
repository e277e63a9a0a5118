"""The clauses of SWAP! in a sentence or two each, for `herdlab rules swap`."""

from herdlab.simcore.rules import clauses

CLAUSES = clauses("""
S1 Deck: 16 SWAP, and in each of blue, green, purple and red 12 plain, 4 SLAP, 4 SWITCH COLOR and
    2 SUPER SWAP: 104 cards.
S2 Deal: 2 to 10 players, 10 cards each; the next card starts the discard pile. If it is a SWAP
    the dealer, the last seat, names the colour; else only its colour counts.
S3 Order: seat 0 begins, to the left throughout. A turn spent passing is a turn.
S4 Play: one card of the colour in force, or a SWAP. Who can play must play.
S5 Draw: who cannot play draws one card; if it can be played it is played at once, else it is
    kept. The turn is over.
S6 SWAP: exchange hands with another player of your choice, then name any colour.
S7 SUPER SWAP: all pass their hands one seat to the left or right, as its player says.
S8 SWITCH COLOR: its player names a different colour.
S9 SLAP: the last of the others to slap takes a card, unseen, from the hand of its player. Who
    slaps with speed w is last with a chance in proportion to 1/w.
S10 Win: who plays his last card wins at once, without its effect. So does who loses his last card
    to a SLAP, or else he draws a card and plays on.
S11 Empty pile: the discards under the top card are shuffled into a new one. With none, who cannot
    play passes; when all pass in a row, those with the fewest cards share the win.
S12 Long games: after max_turns those with the fewest cards share the win.
S13 False slaps (optional): each other player slaps a card that is no SLAP at a certain rate and
    draws a card for it, before the card's effect.
S14 Swap seats (optional): a SWAP exchanges the players' seats and not their hands.
""")
