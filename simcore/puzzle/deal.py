"""P1, P2: the pieces and the puzzle cards are dealt.

Every piece is thrown to one of four places, two random bits each; then the places that got too
many give pieces, drawn at random, to those that got too few.  No piece is treated otherwise than
another, so every deal of 40 to each player is equally likely, at a tenth of the numbers that
shuffling all pieces would take.
"""

import numpy as np

from herdlab.simcore._jit import inlined
from herdlab.simcore.bits import ones
from herdlab.simcore.puzzle.book import SEATS
from herdlab.simcore.puzzle.pieces import BITS, of_sums, running, size_of, taken_at
from herdlab.simcore.puzzle.rules import MAX_PLAYERS, PIECES
from herdlab.simcore.puzzle.view import DEAL_AT, STATE
from herdlab.simcore.rng import Luck, next_number, scale
from herdlab.simcore.table import Ints

_THROWN = np.uint64((1 << PIECES) - 1)


@inlined
def deal_cards(players: int, memory: Ints, streams: Luck) -> None:
    """P2: give each seat a puzzle card, every order as likely."""
    orders = 24 if players == MAX_PLAYERS else 6
    order = scale(next_number(streams, DEAL_AT), orders)
    left = 0x3210  # the cards in a row, four bits each
    for seat in range(players):
        orders //= players - seat
        place = 4 * (order // orders)
        order %= orders
        memory[STATE.cards + seat] = (left >> place) & 15
        left = (left & ((1 << place) - 1)) | (left >> (place + 4)) << place


@inlined
def deal_pieces(players: int, memory: Ints, streams: Luck) -> None:
    """P1: give each seat 40 pieces."""
    at_0 = at_1 = at_2 = at_3 = 0
    for puzzle in range(players):
        high = next_number(streams, DEAL_AT) & _THROWN
        low = next_number(streams, DEAL_AT) & _THROWN
        n_both, n_high, n_low = ones(high & low), ones(high), ones(low)
        at_0 |= (PIECES - n_high - n_low + n_both) << BITS * puzzle
        at_1 |= (n_low - n_both) << BITS * puzzle
        at_2 |= (n_high - n_both) << BITS * puzzle
        at_3 |= n_both << BITS * puzzle
    memory[STATE.holdings], memory[STATE.holdings + 1] = at_0, at_1
    memory[STATE.holdings + 2], memory[STATE.holdings + 3] = at_2, at_3
    due_of_last = PIECES if players == MAX_PLAYERS else 0
    receiver = 0
    for donor in range(MAX_PLAYERS):
        due = PIECES if donor < SEATS else due_of_last
        sums = running(memory[STATE.holdings + donor])
        while sums >> 3 * BITS > due:
            while size_of(memory[STATE.holdings + (receiver & SEATS)]) >= PIECES:
                receiver += 1
            taken = taken_at(sums, scale(next_number(streams, DEAL_AT), sums >> 3 * BITS))
            memory[STATE.holdings + donor] -= of_sums(taken)
            memory[STATE.holdings + (receiver & SEATS)] += of_sums(taken)
            sums -= taken
