"""Plans: what strategies that look only at their own do with every holding, worked out once a run.

Such a strategy sees how many own and spare pieces it holds, and of how many other puzzles; for each
of these holdings it is asked every question once, and then no more in play.
"""

import numpy as np
import numpy.typing as npt
from numba import int64, uint8

from herdlab.simcore._jit import inlined, njit_as
from herdlab.simcore.asking import drew_luck, is_own_only
from herdlab.simcore.puzzle import view
from herdlab.simcore.puzzle.asking import answer_of
from herdlab.simcore.puzzle.pieces import count_of, kinds_of, turned, unpacked_keep
from herdlab.simcore.puzzle.rules import LARGEST_OFFER, PIECES
from herdlab.simcore.puzzle.view import NONE, OFFER, PLAN, PLAN_SLOTS, SEEN, STATE
from herdlab.simcore.rng import Luck
from herdlab.simcore.table import FAILED, TABLE, Ints, Table

_ANSWERS_AT, _SAID_BITS, _SEAT_BITS, _ANSWER = 8, 8, 2, 3
"""A plan's `word` has what to do with the word, and above that a byte for each number said, in
whose low two bits the answer stands: so the plans of four seats are put together by shifting."""
_ONE_SEAT = 0x03030303
PAY_AT = 32
"""`commit` and `give` are holdings to keep.  `forced` has two keep answers, for PASS and, so many
bits higher, for PAY, which come up less often.  Only memory has the `id`, the plan's number."""
_KEPT_SLOTS = PLAN.id
_SPARE_BITS, _KIND_BITS = 7, 2
_ENTRIES = (PIECES + 1) << (_SPARE_BITS + _KIND_BITS)
_ID_BYTES, _WORD_BYTES = 2, 8
_PLANS_AT = _ENTRIES * _ID_BYTES // _WORD_BYTES
MOVES_SIZE = _ENTRIES * (_ID_BYTES + _KEPT_SLOTS * _WORD_BYTES)
"""A table has a number for every holding, then the plans with these numbers: most are alike."""


@inlined
def _entry(own: int, spare: int, kinds: int) -> int:
    return (own << _SPARE_BITS | spare) << _KIND_BITS | kinds


@inlined
def plan_of(seat: int) -> int:
    """Return where a seat's plan stands in memory."""
    return STATE.plans + PLAN_SLOTS * seat


@inlined
def planned_word(seat: int, memory: Ints) -> int:
    """Return what a seat's plan does with the word."""
    return memory[plan_of(seat) + PLAN.word] & 0xFF


@inlined
def planned_answers(said: int, speaker: int, memory: Ints) -> int:
    """Return what all but the speaker answer by their plans, two bits for each seat."""
    codes = memory[STATE.answers] >> _SAID_BITS * (said - 1)
    return codes & 0xFF & ~(_ANSWER << _SEAT_BITS * speaker)


@inlined
def number_of_plan(seat: int, begin: int, numbers: npt.NDArray[np.uint16], memory: Ints) -> int:
    """Return the number of a seat's plan for what it holds now; its table begins at `begin`."""
    holding, card = memory[STATE.holdings + seat], memory[STATE.cards + seat]
    own = count_of(holding, card)
    kinds = kinds_of(holding) - (own > 0)
    entry = _entry(own, memory[SEEN.held + seat] - own, kinds)
    return np.int64(numbers[np.uint64(begin // _ID_BYTES + entry)])


@inlined
def plan_anew(seat: int, begin: int, moves: npt.NDArray[np.uint8], memory: Ints) -> bool:
    """See to the plan of a seat for what it holds now; return whether it has changed."""
    which = number_of_plan(seat, begin, moves.view(np.uint16), memory)
    plan = plan_of(seat)
    if which == memory[plan + PLAN.id]:
        return False
    plans = moves.view(np.int64)
    at = begin // _WORD_BYTES + _PLANS_AT + _KEPT_SLOTS * which
    memory[plan + PLAN.word], memory[plan + PLAN.id] = plans[at], which
    for word in (PLAN.commit, PLAN.give):
        memory[plan + word] = turned(
            plans[at + word], memory[STATE.cards + seat], memory[SEEN.players]
        )
    memory[plan + PLAN.forced] = plans[at + PLAN.forced]
    memory[STATE.answers] &= ~(_ONE_SEAT << _SEAT_BITS * seat)
    memory[STATE.answers] |= (plans[at] >> _ANSWERS_AT) << _SEAT_BITS * seat
    return True


@inlined
def _numbered(n_plans: int, plans: Ints) -> int:
    """Return the number of the plan that stands after `n_plans` others: that of an equal one."""
    new = _PLANS_AT + _KEPT_SLOTS * n_plans
    for other in range(n_plans):
        at = _PLANS_AT + _KEPT_SLOTS * other
        same = 0
        while same < _KEPT_SLOTS and plans[at + same] == plans[new + same]:
            same += 1
        if same == _KEPT_SLOTS:
            return other
    return n_plans


@inlined
def _answer(decision: int, seat: int, held: int, minds: Ints, memory: Ints, streams: Luck) -> int:
    """Return an answer for the holding that is shown, or FAILED, also if luck was drawn for it."""
    luck = streams[seat]
    answer = answer_of(decision, seat, held, minds, memory)
    return FAILED if drew_luck(seat, luck, streams, memory) else answer


@inlined
def _planned(
    seat: int, held: int, minds: Ints, memory: Ints, streams: Luck, moves: Ints, at: int
) -> int:
    """Write the plan for the holding that is shown; return FAILED or 0."""
    answers = 0
    word = _answer(view.WORD, seat, held, minds, memory, streams)
    if word == FAILED:
        return FAILED
    for said in range(1, LARGEST_OFFER + 1):
        if held >= said:  # P5, P12
            memory[SEEN.said] = said
            answer = _answer(view.ANSWER, seat, held, minds, memory, streams)
            if answer == FAILED:
                return FAILED
            answers |= answer << _SAID_BITS * (said - 1)
    memory[SEEN.said] = 0
    moves[at] = word | answers << _ANSWERS_AT
    for other in (PLAN.commit, PLAN.give, PLAN.forced):
        moves[at + other] = 0
    if held:
        kept = 0
        for decision in (view.COMMIT, view.GIVE, view.PASS, view.PAY):
            if decision == view.COMMIT and word % OFFER == 0:
                continue
            kept = _answer(decision, seat, held, minds, memory, streams)
            if kept == FAILED:
                return FAILED
            if decision == view.COMMIT:
                moves[at + PLAN.commit] = unpacked_keep(kept)
            elif decision == view.GIVE:
                moves[at + PLAN.give] = unpacked_keep(kept)
            else:
                moves[at + PLAN.forced] |= kept << (PAY_AT if decision == view.PAY else 0)
    return 0


@njit_as(int64(int64, TABLE, uint8[::1]))
def tabulate(seat: int, table: Table, moves: npt.NDArray[np.uint8]) -> int:
    """Fill `moves` with the plans of `seat`'s strategy for everything that it can hold.

    A strategy that looks at more is asked in play.  Returns FAILED or 0.
    """
    if not is_own_only(seat, table.seats):
        return 0
    memory, ids, plans = table.memory, moves.view(np.uint16), moves.view(np.int64)
    memory[SEEN.seat] = NONE  # players in several seats share these plans
    n_plans = 0
    for own in range(PIECES):  # with all pieces of his own the game is over
        for kinds in range(memory[SEEN.players]):
            for spare in range(kinds, PIECES * kinds + 1):
                held = own + spare
                if held != PIECES and not memory[SEEN.advanced]:
                    continue  # in the plain game everybody always holds as many as he was dealt
                memory[SEEN.own], memory[SEEN.spare], memory[SEEN.kinds] = own, spare, kinds
                at = _PLANS_AT + _KEPT_SLOTS * n_plans
                failed = _planned(seat, held, table.minds, memory, table.streams, plans, at)
                if failed == FAILED:
                    return FAILED
                which = _numbered(n_plans, plans)
                ids[_entry(own, spare, kinds)] = which
                n_plans = max(n_plans, which + 1)
    return 0
