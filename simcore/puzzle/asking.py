"""Asking the strategies of the puzzle games for their decisions, and telling them what happens.

Everything that a question needs stands in the thread's memory, so that a question is a call with
two arrays and not with a whole table.
"""

from numba import int64, void

from herdlab.simcore._jit import inlined, inner_as, readonly
from herdlab.simcore.asking import observes, write_log
from herdlab.simcore.puzzle import view
from herdlab.simcore.puzzle.pieces import count_of, is_keep, kinds_of, own_first, packed_keep
from herdlab.simcore.puzzle.rules import MAX_PLAYERS
from herdlab.simcore.puzzle.view import NONE, OFFER, ROOM, SEEN, STATE
from herdlab.simcore.table import FAILED, OBSERVE, TELL, Ints, Table


@inlined
def show_own(seat: int, memory: Ints) -> None:
    """Show a player his seat and what he holds."""
    memory[SEEN.seat] = seat
    holding, card = memory[STATE.holdings + seat], memory[STATE.cards + seat]
    own = count_of(holding, card)
    memory[SEEN.own], memory[SEEN.spare] = own, memory[SEEN.held + seat] - own
    memory[SEEN.kinds] = kinds_of(holding) - (own > 0)
    mine = own_first(holding, card, memory[SEEN.players])
    for place in range(ROOM):
        memory[SEEN.pieces + place] = count_of(mine, place)


@inlined
def is_legal_word(code: int, held: int, memory: Ints) -> bool:
    """P4, P6, P7-P9, P11: whether a player with so many pieces may do this with the word."""
    if code < OFFER:
        is_pass = code in (view.PASS_LEFT, view.PASS_RIGHT)
        if code == view.PASS_ACROSS:
            is_pass = memory[SEEN.players] == MAX_PLAYERS
        return code == view.SILENT or (is_pass and memory[SEEN.may_call] != 0)
    said, committed, largest = code // OFFER, code % OFFER, memory[SEEN.largest_offer]
    is_honest_enough = said == committed or memory[SEEN.advanced] != 0
    return is_honest_enough and said <= largest and committed <= min(largest, held)


@inlined
def answer_of(decision: int, seat: int, held: int, minds: Ints, memory: Ints) -> int:
    """Return the answer of a player who holds so many pieces, or FAILED if it is not legal."""
    answer = view.put(decision, seat, SEEN.begin, minds, memory)
    if decision == view.WORD:
        return answer if is_legal_word(answer, held, memory) else FAILED
    if decision == view.ANSWER:  # P4; P12: a bluff can be called in the advanced game only
        last = view.CALL_BLUFF if memory[SEEN.advanced] else view.TRADE
        return answer if view.NO <= answer <= last else FAILED
    return answer if is_keep(answer) else FAILED


@inner_as(int64(int64, int64, readonly(int64), int64[::1]))
def ask(decision: int, seat: int, minds: Ints, memory: Ints) -> int:
    """Ask the player in `seat`, who sees what he holds; return his answer, or FAILED."""
    show_own(seat, memory)
    return answer_of(decision, seat, memory[SEEN.held + seat], minds, memory)


@inlined
def receiver_of(seat: int, direction: int, players: int) -> int:
    """P6: return to whom a player passes."""
    step = 1 if direction == view.PASS_LEFT else players - 1 if direction == view.PASS_RIGHT else 2
    return (seat + step) % players


@inlined
def tell(what: int, first: int, second: int, third: int, table: Table) -> None:
    """Log what has happened, and tell the strategies that observe."""
    if table.watched:
        minds, seats, memory, log = table.minds, table.seats, table.memory, table.log
        _tell(what, first, second, third, minds, seats, memory, log)


@inner_as(void(int64, int64, int64, int64, *TELL))
def _tell(
    what: int,
    first: int,
    second: int,
    third: int,
    minds: Ints,
    seats: Ints,
    memory: Ints,
    log: Ints,
) -> None:
    """Log everything; tell what all can see, and to each what it gave and got itself."""
    speaker, players = memory[SEEN.speaker], memory[SEEN.players]
    numbers = (what, memory[SEEN.beat], speaker, first, second, third)
    write_log(numbers, (STATE.holdings, STATE.gifts), ROOM, memory, log)
    if what in (view.WON, view.STALLED):
        return
    memory[SEEN.happening], memory[SEEN.happened_to] = what, speaker
    memory[SEEN.detail_1], memory[SEEN.detail_2] = first, second
    # what was committed is turned up when the pieces change hands, or the bluff is called (P12)
    memory[SEEN.detail_3] = third if what in (view.TRADED, view.BLUFF_CALLED) else NONE
    for seat in range(players):
        if observes(seat, seats):
            gave = got = 0
            if what == view.PASSED:
                gave = memory[STATE.gifts + seat]
                for other in range(players):
                    if receiver_of(other, first, players) == seat:
                        got = memory[STATE.gifts + other]
            elif what in (view.TRADED, view.BLUFF_CALLED) and seat in (speaker, first):
                gave = memory[STATE.gifts + seat]
                got = memory[STATE.gifts + (first if seat == speaker else speaker)]
            card = memory[STATE.cards + seat]
            memory[SEEN.gave] = packed_keep(own_first(gave, card, players))
            memory[SEEN.got] = packed_keep(own_first(got, card, players))
            show_own(seat, memory)
            view.put(OBSERVE, seat, SEEN.begin, minds, memory)
    memory[SEEN.happening], memory[SEEN.happened_to] = 0, NONE
    memory[SEEN.detail_1] = memory[SEEN.detail_2] = memory[SEEN.detail_3] = NONE
    memory[SEEN.gave] = memory[SEEN.got] = 0
