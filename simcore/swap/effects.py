"""What cards of SWAP! do to hands and seats (S6, S7, S9, S13), and who has the fewest (S11)."""

import numpy as np
import numpy.typing as npt
from numba import int64

from herdlab.simcore._jit import inlined, inner_as
from herdlab.simcore.piles import left_of
from herdlab.simcore.rng import GAMMA, mix64, scale
from herdlab.simcore.swap.asking import tell
from herdlab.simcore.swap.book import BOOK
from herdlab.simcore.swap.cards import CARD_WORD, nth_card
from herdlab.simcore.swap.piles import draw_into_hand
from herdlab.simcore.swap.view import (
    FALSE_SLAP,
    NONE,
    RESHUFFLED,
    SEEN,
    STATE,
    TABLE_AT,
    TO_THE_LEFT,
)
from herdlab.simcore.table import TABLE, Ints, Table

Streams = npt.NDArray[np.uint64]
_S32 = np.uint64(32)


@inlined
def last_to_slap(place: int, players: int, book: Ints, memory: Ints, streams: Streams) -> int:
    """S9: return the place of the other player who slaps last, drawn by 1 / slap speed."""
    position = streams[TABLE_AT] + GAMMA
    streams[TABLE_AT] = position
    others = book[BOOK.all_weights] - book[BOOK.weights + memory[SEEN.who + place]]
    at = scale(mix64(position), others)
    last = place
    for _ in range(1, players):
        last = left_of(last, 1, players)
        at -= book[BOOK.weights + memory[SEEN.who + last]]
        if at < 0:
            break
    return last


@inlined
def take_unseen(place: int, last: int, memory: Ints, streams: Streams) -> int:
    """S9: move a card, unseen, from the hand at `place` to the one at `last`; return it."""
    position = streams[TABLE_AT] + GAMMA
    streams[TABLE_AT] = position
    hand = memory[STATE.hands + place]
    card = nth_card(hand, scale(mix64(position), memory[SEEN.cards + place]))
    memory[STATE.hands + place] = hand - CARD_WORD[card]
    memory[STATE.hands + last] += CARD_WORD[card]
    memory[SEEN.cards + place] -= 1
    memory[SEEN.cards + last] += 1
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


@inner_as(int64(int64, int64, int64, TABLE))
def false_slaps(place: int, colour: int, logged: int, table: Table) -> int:
    """S13: let each other player slap falsely and draw for it; return the log's length."""
    memory, streams = table.memory, table.streams
    for k in range(1, table.players):
        position = streams[TABLE_AT] + GAMMA
        streams[TABLE_AT] = position
        if np.int64(mix64(position) >> _S32) < table.book[BOOK.false_slaps]:
            other = left_of(place, k, table.players)
            before = memory[STATE.reshuffles]
            card = draw_into_hand(other, memory, streams)
            if table.watched:
                logged = tell_of_draw(FALSE_SLAP, other, card, colour, before, logged, table)
    return logged


@inlined
def tell_of_draw(
    what: int, place: int, card: int, colour: int, reshuffles: int, logged: int, table: Table
) -> int:
    """Tell of a card drawn at `place`, and before it of a new pile if there was one."""
    memory = table.memory
    if memory[STATE.reshuffles] != reshuffles:  # as the table was before the card was drawn
        memory[SEEN.pile] += 1
        memory[STATE.hands + place] -= CARD_WORD[card]
        memory[SEEN.cards + place] -= 1
        logged = tell(RESHUFFLED, place, memory[SEEN.pile], NONE, colour, logged, table)
        memory[STATE.hands + place] += CARD_WORD[card]
        memory[SEEN.cards + place] += 1
        memory[SEEN.pile] -= 1
    return tell(what, place, card, NONE, colour, logged, table)


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
