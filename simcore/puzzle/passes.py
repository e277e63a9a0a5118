"""P6-P9: forced passes, and how often they may be called."""

from herdlab.simcore._jit import inlined
from herdlab.simcore.puzzle.asking import receiver_of, tell
from herdlab.simcore.puzzle.book import BOOK
from herdlab.simcore.puzzle.parting import forced_to_part_with
from herdlab.simcore.puzzle.rules import STRAIGHT, WHOLE_GAME
from herdlab.simcore.puzzle.view import COUNT, N_COUNTS, NONE, PASS, PASSED, SEEN, STATE
from herdlab.simcore.table import FAILED, Ints, Table


@inlined
def may_call(seat: int, book: Ints, memory: Ints) -> int:
    """P7, P8, P9: 1 if a player may call a pass."""
    limit, calls = book[BOOK.limit], book[BOOK.calls]
    if limit == WHOLE_GAME:  # P9
        return 1 if memory[SEEN.called + seat] < calls else 0
    if calls == 0:
        return 0
    if seat != memory[STATE.last_caller]:
        return 1
    if memory[STATE.calls_in_a_row] >= calls:  # P7
        return 0
    return 0 if limit == STRAIGHT and memory[STATE.is_locked] else 1  # P8


@inlined
def forced_pass(direction: int, speaker: int, table: Table) -> int:
    """P6: let everybody pass a piece; all choose before any piece moves.  0 or FAILED."""
    memory, players = table.memory, table.players
    for k in range(players):
        seat = (speaker + k) % players
        memory[STATE.gifts + seat] = 0
        if memory[SEEN.held + seat]:
            to = receiver_of(seat, direction, players)
            gift = forced_to_part_with(PASS, 1, seat, to, table.minds, memory, table.streams)
            if gift == FAILED:
                return FAILED
            memory[STATE.gifts + seat] = gift
    for seat in range(players):
        gift, to = memory[STATE.gifts + seat], receiver_of(seat, direction, players)
        memory[STATE.holdings + seat] -= gift
        memory[STATE.holdings + to] += gift
        memory[SEEN.held + seat] -= gift != 0
        memory[SEEN.held + to] += gift != 0
    memory[STATE.counts + N_COUNTS * speaker + COUNT.passes_called] += 1
    memory[SEEN.called + speaker] += 1
    memory[STATE.calls_in_a_row] = (
        memory[STATE.calls_in_a_row] + 1 if memory[STATE.last_caller] == speaker else 1
    )  # P7
    memory[STATE.last_caller], memory[STATE.is_locked] = speaker, 0
    memory[STATE.kept_word] = speaker  # P7a
    if table.watched:
        tell(PASSED, direction, NONE, NONE, table.minds, table.seats, memory, table.log)
    for seat in range(players):
        memory[STATE.gifts + seat] = 0
    memory[STATE.moved] = (1 << players) - 1
    return 0
