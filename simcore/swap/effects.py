"""What cards of SWAP! do to hands and seats (S6, S7, S9, S13), and who has the fewest (S11)."""

import numpy as np
from numba import int64, void

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.piles import left_of
from herdlab.simcore.rng import Luck, next_number, scale
from herdlab.simcore.swap.asking import tell
from herdlab.simcore.swap.cards import nth_card
from herdlab.simcore.swap.piles import draw_into_hand, put_into_hand, take_from_hand
from herdlab.simcore.swap.view import BOOK, FALSE_SLAP, NONE, SEEN, STATE, TABLE_AT, TO_THE_LEFT
from herdlab.simcore.table import TABLE, Ints, Table

_S32 = np.uint64(32)


@inlined
def last_to_slap(place: int, players: int, book: Ints, memory: Ints, streams: Luck) -> int:
    """S9: return the place of the other player who slaps last, drawn by 1 / slap speed."""
    others = book[BOOK.all_weights] - book[BOOK.weights + memory[SEEN.who + place]]
    at = scale(next_number(streams, TABLE_AT), others)
    last = place
    for _ in range(1, players):
        last = left_of(last, 1, players)
        at -= book[BOOK.weights + memory[SEEN.who + last]]
        if at < 0:
            break
    return last


@inlined
def take_unseen(place: int, last: int, memory: Ints, streams: Luck) -> int:
    """S9: move a card, unseen, from the hand at `place` to the one at `last`; return it."""
    which = scale(next_number(streams, TABLE_AT), memory[SEEN.cards + place])
    card = nth_card(memory[STATE.hands + place], which)
    take_from_hand(card, place, memory)
    put_into_hand(card, last, memory)
    memory[STATE.taken + memory[SEEN.who + last]] += 1
    return card


@inlined
def exchange(at: int, one: int, other: int, memory: Ints) -> None:
    """Exchange what two places have in the array that begins at `at`."""
    memory[at + one], memory[at + other] = memory[at + other], memory[at + one]


@inlined
def pass_round(at: int, direction: int, players: int, memory: Ints) -> None:
    """S7: move what each place has in the array at `at` one place to the left or to the right."""
    if direction == TO_THE_LEFT:
        moved = memory[at + players - 1]
        for place in range(players - 1, 0, -1):
            memory[at + place] = memory[at + place - 1]
        memory[at] = moved
    else:
        moved = memory[at]
        for place in range(players - 1):
            memory[at + place] = memory[at + place + 1]
        memory[at + players - 1] = moved


@inner_as(void(int64, TABLE))
def false_slaps(place: int, table: Table) -> None:
    """S13: let each other player slap falsely and draw for it."""
    for k in range(1, table.players):
        bits = next_number(table.streams, TABLE_AT)
        if np.int64(bits >> _S32) < table.book[BOOK.false_slaps]:
            other = left_of(place, k, table.players)
            tell(FALSE_SLAP, other, draw_into_hand(other, table), NONE, table)


@inlined
def with_fewest(players: int, memory: Ints) -> int:
    """S11, S12: return the bit mask of the players with the fewest cards."""
    fewest = memory[SEEN.cards]
    for place in range(1, players):
        fewest = min(fewest, memory[SEEN.cards + place])
    winners = 0
    for place in range(players):
        winners |= (memory[SEEN.cards + place] == fewest) << memory[SEEN.who + place]
    return winners
