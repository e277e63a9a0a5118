"""What happens seldom in a turn: a trade after a T, a skunk, a short supply, the wolf's losses."""

from numba import int64
from numba.types import UniTuple

from herdlab.simcore._jit import inlined, inner_as, readonly
from herdlab.simcore.herd.asking import ask, choose, seat_to_the_left, show_legal, show_partners
from herdlab.simcore.herd.herds import ADD_HERD, BYTE, SHIFT, count, trade_row
from herdlab.simcore.herd.rule_tables import BOOK
from herdlab.simcore.herd.rules import DOG, HORSE, NO_TRADE, RABBIT, SHEEP, TO_DOG, TO_SHEEP
from herdlab.simcore.herd.view import AFTER, NOBODY, PARTNER, ROLL, SEEN, SKUNK_TO, STATE
from herdlab.simcore.table import FAILED, Ints, Table


@inlined
def trade_with_player(
    seat: int, supply: int, skunk: int, turn: int, table: Table
) -> tuple[int, int, int]:
    """H13: the final trade after a T, which no partner can refuse.

    Returns the trade (or FAILED), the partner's seat and the supply.  Modified in place: herds.
    """
    book, memory, players = table.book, table.memory, table.players
    legal = show_partners(seat, table)
    if legal == 0:
        return NO_TRADE, NOBODY, supply
    trade = choose(seat, legal, supply, skunk, turn, AFTER, 1, table)
    if trade <= NO_TRADE:
        return trade, NOBODY, supply
    show_partners(seat, table)
    k = ask(PARTNER, seat, supply, skunk, turn, AFTER, trade, 1, table)
    if k < 1 or k >= players or not (memory[SEEN.legal + k] >> trade) & 1:
        return FAILED, NOBODY, supply
    partner = seat_to_the_left(k, seat, players)
    memory[STATE.herds + seat], memory[STATE.herds + partner], supply = exchange(
        memory[STATE.herds + seat], memory[STATE.herds + partner], trade, supply, book
    )
    return trade, partner, supply


@inner_as(UniTuple(int64, 3)(int64, int64, int64, int64, readonly(int64)))
def exchange(herd: int, other: int, trade: int, supply: int, book: Ints) -> tuple[int, int, int]:
    """H13: make `trade` with the owner of `other`; return both herds and the supply."""
    other -= 1 << SHIFT[trade]
    rabbits = 0
    if trade == TO_DOG:
        other += 1 << SHIFT[SHEEP]
        rabbits = 1
    elif trade == TO_SHEEP:
        rabbits = book[BOOK.prices + TO_SHEEP]
    else:
        other += book[BOOK.prices + trade] << SHIFT[trade - 1]
    # Rabbits that would take the partner over his limit go to the supply.
    taken = min(rabbits, book[BOOK.limits + RABBIT] - count(other, RABBIT))
    return herd + book[trade_row(trade) + ADD_HERD], other + taken, supply + (rabbits - taken)


@inlined
def give_skunk(seat: int, supply: int, skunk: int, turn: int, table: Table) -> int:
    """H14: the roller gives the skunk to an opponent; return his seat, or FAILED."""
    show_legal(0, table.players, table.memory)
    k = ask(SKUNK_TO, seat, supply, skunk, turn, ROLL, NO_TRADE, 0, table)
    if k < 1 or k >= table.players:
        return FAILED
    return seat_to_the_left(k, seat, table.players)


@inner_as(UniTuple(int64, 2)(int64, int64, int64))
def give_what_is_left(before: int, after: int, supply: int) -> tuple[int, int]:
    """H1: multiply again, from a supply that is short; return the herd and the supply."""
    herd = before
    for animal in range(DOG + 1):
        gained = count(after, animal) - count(before, animal)
        gained = min(gained, (supply >> (8 * animal)) & BYTE)
        herd += gained << SHIFT[animal]
        supply -= gained << (8 * animal)
    return herd, supply


@inner_as(UniTuple(int64, 2)(int64, int64, int64))
def lose_one(herd: int, supply: int, face: int) -> tuple[int, int]:
    """H12: one of the herd animal shown is lost, never the last rabbit; specials are ignored."""
    if face <= HORSE and count(herd, face) > (face == RABBIT):
        return herd - (1 << SHIFT[face]), supply + (1 << (8 * face))
    return herd, supply
