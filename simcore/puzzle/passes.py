"""P6-P9: forced passes, and how often they may be called."""

from herdlab.simcore._jit import inlined
from herdlab.simcore.puzzle.asking import receiver_of, tell
from herdlab.simcore.puzzle.book import CALLS, LIMIT
from herdlab.simcore.puzzle.parting import forced_to_part_with
from herdlab.simcore.puzzle.rules import STRAIGHT, WHOLE_GAME
from herdlab.simcore.puzzle.view import (
    CALLS_IN_A_ROW,
    COUNT_PASSES,
    COUNTS,
    GIFTS,
    HOLDINGS,
    IS_LOCKED,
    KEPT_WORD,
    LAST_CALLER,
    MOVED,
    N_COUNTS,
    NONE,
    PASS,
    PASSED,
    SEEN_CALLED,
    SEEN_HELD,
)
from herdlab.simcore.table import FAILED, Ints, Table


@inlined
def may_call(seat: int, book: Ints, memory: Ints) -> int:
    """P7, P8, P9: 1 if a player may call a pass."""
    limit, calls = book[LIMIT], book[CALLS]
    if limit == WHOLE_GAME:  # P9
        return 1 if memory[SEEN_CALLED + seat] < calls else 0
    if calls == 0:
        return 0
    if seat != memory[LAST_CALLER]:
        return 1
    if memory[CALLS_IN_A_ROW] >= calls:  # P7
        return 0
    return 0 if limit == STRAIGHT and memory[IS_LOCKED] else 1  # P8


@inlined
def forced_pass(direction: int, speaker: int, table: Table) -> int:
    """P6: let everybody pass a piece; all choose before any piece moves.  0 or FAILED."""
    memory, players = table.memory, table.players
    for k in range(players):
        seat = (speaker + k) % players
        memory[GIFTS + seat] = 0
        if memory[SEEN_HELD + seat]:
            to = receiver_of(seat, direction, players)
            gift = forced_to_part_with(PASS, 1, seat, to, table.minds, memory, table.streams)
            if gift == FAILED:
                return FAILED
            memory[GIFTS + seat] = gift
    for seat in range(players):
        gift, to = memory[GIFTS + seat], receiver_of(seat, direction, players)
        memory[HOLDINGS + seat] -= gift
        memory[HOLDINGS + to] += gift
        memory[SEEN_HELD + seat] -= gift != 0
        memory[SEEN_HELD + to] += gift != 0
    memory[COUNTS + N_COUNTS * speaker + COUNT_PASSES] += 1
    memory[SEEN_CALLED + speaker] += 1
    memory[CALLS_IN_A_ROW] = (
        memory[CALLS_IN_A_ROW] + 1 if memory[LAST_CALLER] == speaker else 1
    )  # P7
    memory[LAST_CALLER], memory[IS_LOCKED] = speaker, 0
    memory[KEPT_WORD] = speaker  # P7a
    if table.watched:
        tell(PASSED, direction, NONE, NONE, table.minds, table.seats, memory, table.log)
    for seat in range(players):
        memory[GIFTS + seat] = 0
    memory[MOVED] = (1 << players) - 1
    return 0
