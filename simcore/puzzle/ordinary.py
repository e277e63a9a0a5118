"""Ordinary beats: honest offers that somebody answers, between players whose plans are known.

`simcore.puzzle.engine` plays every beat; these are most of them, and here they are played with
nothing else in the way.  A test holds that it gives the same games.
"""

import numpy as np

from herdlab.simcore._jit import inlined
from herdlab.simcore.asking import moves_of
from herdlab.simcore.puzzle import view
from herdlab.simcore.puzzle.book import BOOK, first_of_willing, speaker_of
from herdlab.simcore.puzzle.curve import next_point, note_point
from herdlab.simcore.puzzle.pieces import count_of, drawn
from herdlab.simcore.puzzle.plans import (
    number_of_plan,
    plan_anew,
    plan_of,
    planned_answers,
    planned_word,
)
from herdlab.simcore.puzzle.rules import PIECES
from herdlab.simcore.puzzle.view import BY_SEAT, OFFER, SEEN, STATE, TABLE_AT, TRADE
from herdlab.simcore.rng import GAMMA, mix64
from herdlab.simcore.table import Ints, Table

_SIZE_BITS = 3
_TRADES = TRADE * 0x55


@inlined
def see_what_is_ordinary(players: int, memory: Ints) -> int:
    """Note for each speaker how many he offers and who is first, or 0; return how many can."""
    n_ordinary = 0
    memory[STATE.is_new] = 0
    for speaker in range(players):
        code = planned_word(speaker, memory)
        said = (code // OFFER) & 7
        memory[STATE.ordinary + speaker] = 0
        if said and code == OFFER * said + said:
            codes = planned_answers(said, speaker, memory)
            if codes and codes & ~_TRADES == 0:
                memory[STATE.ordinary + speaker] = (BOOK.first + 4 * codes) << _SIZE_BITS | said
                n_ordinary += 1
    return n_ordinary


@inlined
def ordinary_beats(beat: int, table: Table) -> int:
    """Play ordinary beats; return the number of the first beat that is not played here.

    It stops before a beat that is not ordinary, and when a puzzle is complete (MOVED says whose
    pieces are to be looked at).
    """
    memory, streams, book, players = table.memory, table.streams, table.book, table.players
    seats, numbers = table.seats, table.moves.view(np.uint16)
    max_beats, sample = book[BOOK.max_beats], next_point(memory)
    while beat < max_beats:
        if beat == sample:
            note_point(players, memory, table.tallies)
            sample = next_point(memory)
        luck = streams[TABLE_AT] + GAMMA  # P3
        bits = mix64(luck)
        speaker = speaker_of(bits, book)
        ordinary = memory[STATE.ordinary + speaker]
        if ordinary == 0:
            break
        streams[TABLE_AT] = luck
        number, at = ordinary & 7, (ordinary >> _SIZE_BITS) & 0xFFFF
        first = first_of_willing(bits, at, book)
        holding, other = memory[STATE.holdings + speaker], memory[STATE.holdings + first]
        kept = memory[plan_of(speaker) + view.PLAN.commit]
        gift = drawn(holding, kept, number, speaker, streams)
        kept = memory[plan_of(first) + view.PLAN.give]
        back = drawn(other, kept, number, first, streams)
        holding += back - gift
        other += gift - back
        memory[STATE.holdings + speaker], memory[STATE.holdings + first] = holding, other
        memory[STATE.counts + BY_SEAT.end * speaker + BY_SEAT.offers] += 1
        memory[STATE.counts + BY_SEAT.end * speaker + BY_SEAT.trades_made] += 1
        memory[STATE.counts + BY_SEAT.end * first + BY_SEAT.trades_made] += 1
        beat += 1
        if (
            count_of(holding, memory[STATE.cards + speaker]) == PIECES  # P10
            or count_of(other, memory[STATE.cards + first]) == PIECES
        ):
            memory[SEEN.speaker], memory[STATE.moved] = speaker, 1 << speaker | 1 << first
            break
        if (
            number_of_plan(speaker, moves_of(speaker, seats), numbers, memory)
            != memory[plan_of(speaker) + view.PLAN.id]
            or number_of_plan(first, moves_of(first, seats), numbers, memory)
            != memory[plan_of(first) + view.PLAN.id]
        ):
            plan_anew(speaker, moves_of(speaker, seats), table.moves, memory)
            plan_anew(first, moves_of(first, seats), table.moves, memory)
            see_what_is_ordinary(players, memory)
    return beat
