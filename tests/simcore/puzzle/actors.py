"""Strategies of the puzzle games that look at everything they are shown, for the tests."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.batch import Bout
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Player
from herdlab.simcore.puzzle.rules import PuzzleRules
from herdlab.simcore.puzzle.view import (
    ANSWER,
    BLUFF_CALLED,
    COMMIT,
    DEALT,
    GIVE,
    LAPSED,
    OFFER,
    OFFERED,
    PASS,
    PASS_LEFT,
    PASS_RIGHT,
    PASSED,
    PAY,
    SILENCE,
    TRADED,
    WORD,
)
from herdlab.simcore.table import OBSERVE
from herdlab.strategies import number
from tests.simcore.puzzle.harness import N_DECISIONS
from tests.simcore.puzzle.tables import made

MIXED, ASKED = 0, 1


def nosy(decision, view, me):  # type: ignore[no-untyped-def]
    """Mixes all that it is shown and told into one number.

    It plays by its script as often as its parameter says, and then answers with that number,
    which is never legal.
    """
    mixed = me.notebook[MIXED]
    for value in (
        decision,
        view.own,
        view.spare,
        view.kinds,
        view.seat,
        view.players,
        view.advanced,
        view.largest_offer,
        view.speaker,
        view.is_kept,
        view.may_call,
        view.said,
        view.number,
        view.receiver,
        view.beat,
        view.happening,
        view.happened_to,
        view.detail_1,
        view.detail_2,
        view.detail_3,
        view.gave,
        view.got,
    ):
        mixed = (mixed ^ value) * 6364136223846793005 + 1442695040888963407
    for place in range(4):
        mixed = (mixed ^ view.pieces[place]) * 6364136223846793005 + 1442695040888963407
        mixed = (mixed ^ view.held[place]) * 6364136223846793005 + 1442695040888963407
        mixed = (mixed ^ view.called[place]) * 6364136223846793005 + 1442695040888963407
    me.notebook[MIXED] = mixed
    if decision == OBSERVE:
        return 0
    me.notebook[ASKED] += 1
    if me.notebook[ASKED] > me.params[0]:
        return -10 - ((mixed >> 20) & 0xFFFFFFFFFF)
    script = me.data.view(np.int64)
    if script.shape[0] > 0:
        begin, n = script[2 * decision], script[2 * decision + 1]
        if n > 0:
            step = me.notebook[2 + decision]
            me.notebook[2 + decision] += 1
            return script[begin + min(step, n - 1)]
    return 0 if decision in (WORD, ANSWER) else 40


def nosy_player(
    rules: PuzzleRules, asked: int, script: np.ndarray | None, players: int, observes: bool = True
) -> Player:
    """Return a nosy player who answers so many questions by the script, and then tells."""
    one = made(
        nosy,
        game=rules.game,
        observes=observes,
        notebook=2 + N_DECISIONS,
        parameters={"asked": number(0, "questions", high=9999)},
    )
    player = one.seated("nosy", rules, (float(asked),), players)
    data = np.zeros(0, dtype=np.uint8) if script is None else script.view(np.uint8)
    return dataclasses.replace(player, data=data)


def told_by(made: Bout, game: int = 0) -> str | None:
    """Return what a nosy player tells (where, and his number), or None if he is not asked."""
    try:
        made.rows(game, game + 1)
    except BadInput as refusal:
        told = str(refusal)
        assert "answered -" in told and "'nosy'" in told, told
        return told
    return None


def sees_the_table(decision, view, me):  # type: ignore[no-untyped-def]
    """Fails with a number that says what it saw wrong."""
    total, kinds = 0, 0
    for seat in range(view.players):
        total += view.held[seat]
    for place in range(1, 4):
        kinds += view.pieces[place] > 0
    if total != 40 * view.players or view.players != me.params[0]:
        return -101
    if view.own != view.pieces[0] or kinds != view.kinds:
        return -102
    if view.own + view.spare != view.held[view.seat]:
        return -103
    if view.spare != view.pieces[1] + view.pieces[2] + view.pieces[3]:
        return -104
    if view.players == 3 and (view.pieces[3] != 0 or view.held[3] != 0 or view.called[3] != 0):
        return -105
    if view.happening != 0 or view.gave != 0 or view.got != 0 or view.detail_1 != -1:
        return -106
    if view.happened_to != -1 or view.detail_2 != -1 or view.detail_3 != -1:
        return -107
    if not 0 <= view.speaker < view.players:
        return -108
    if decision in (WORD, COMMIT) and view.speaker != view.seat:
        return -109
    if decision in (ANSWER, GIVE) and (view.speaker == view.seat or not 1 <= view.said <= 4):
        return -110
    if decision in (ANSWER, GIVE) and view.held[view.seat] < view.said:
        return -111
    if decision in (COMMIT, GIVE, PAY) and not 1 <= view.number <= 4:
        return -112
    if decision == GIVE and view.number != view.said:
        return -113
    if decision == PASS and view.number != 1:
        return -114
    if decision == PAY and view.number > view.held[view.seat]:
        return -115
    if decision != WORD and (view.is_kept != 0 or view.may_call != 0):
        return -116
    if decision == WORD and view.is_kept and view.called[view.seat] == 0:
        return -117
    if decision in (WORD, COMMIT, ANSWER) and view.receiver != -1:
        return -118
    if decision == GIVE and view.receiver != view.speaker:
        return -119
    if decision in (PASS, PAY) and not 0 <= view.receiver < view.players:
        return -120
    if decision in (PASS, PAY) and view.receiver == view.seat:
        return -121
    if decision == PAY and view.speaker not in (view.seat, view.receiver):
        return -122
    if decision == WORD:
        pick = (view.beat * 7 + view.own) % 5
        if pick == 4:
            return 1 + view.beat % (view.players - 1) if view.may_call else 0
        committed = pick if view.advanced else pick + 1
        return OFFER * (pick + 1) + min(committed, pick + 1) if view.own > 4 else 0
    if decision == ANSWER:
        return (view.beat + view.seat) % (2 + view.advanced)
    return 40


def passes_on(decision, view, me):  # type: ignore[no-untyped-def]
    """Calls passes in the direction of its parameter, and fails if another gets its piece."""
    if decision == WORD:
        return int(me.params[0]) if view.may_call else 0
    step = 1 if me.params[0] == PASS_LEFT else -1 if me.params[0] == PASS_RIGHT else 2
    if decision == PASS and view.receiver != (view.seat + step + view.players) % view.players:
        return -130
    return 0 if decision == ANSWER else 40


SEES: dict[str, Any] = {"parameters": {"players": number(0, "players", high=9)}}

BOOK_HELD, BOOK_CALLED, WRONG = 4, 8, 12


def diarist(decision, view, me):  # type: ignore[no-untyped-def]
    """Keeps books on what it is told, and fails when they are not what it sees.

    Slots: 4 its pieces, 4 what everyone holds, 4 how many passes everyone has called, what is
    wrong.
    """
    book, what = me.notebook, view.happening
    if decision == OBSERVE:
        speaker, other, said, committed = (
            view.happened_to,
            view.detail_1,
            view.detail_2,
            view.detail_3,
        )
        is_mine = what == PASSED or (
            what in (TRADED, BLUFF_CALLED) and view.seat in (speaker, other)
        )
        if what == DEALT:
            for place in range(4):
                book[place] = view.pieces[place]
                book[BOOK_HELD + place] = view.held[place]
                book[BOOK_CALLED + place] = view.called[place]
        elif what == TRADED:
            book[BOOK_HELD + speaker] += said - committed
            book[BOOK_HELD + other] -= said - committed
        elif what == BLUFF_CALLED:
            is_right = said != committed
            payer, taker = (speaker, other) if is_right else (other, speaker)
            paid = min(said, book[BOOK_HELD + payer])
            book[BOOK_HELD + payer] -= paid
            book[BOOK_HELD + taker] += paid
        elif what == PASSED:
            book[BOOK_CALLED + speaker] += 1
            step = 1 if other == 1 else view.players - 1 if other == 2 else 2
            empty = 0
            for seat in range(view.players):
                empty |= (book[BOOK_HELD + seat] == 0) << seat
            for seat in range(view.players):
                if (empty >> seat) & 1 == 0:
                    book[BOOK_HELD + seat] -= 1
                    book[BOOK_HELD + (seat + step) % view.players] += 1
        elif what not in (SILENCE, OFFERED, LAPSED):
            book[WRONG] = 201
        if what in (DEALT, SILENCE, OFFERED, LAPSED) and other != -1:
            book[WRONG] = 202
        if what in (OFFERED, LAPSED, TRADED, BLUFF_CALLED) and not 1 <= said <= 4:
            book[WRONG] = 203
        if what not in (TRADED, BLUFF_CALLED) and committed != -1:
            book[WRONG] = 204  # it was told what nobody has turned up
        if not is_mine and (view.gave != 0 or view.got != 0):
            book[WRONG] = 205  # it was told of pieces that it neither gave nor got
        if is_mine:
            for place in range(4):
                gave, got = (view.gave >> 8 * place) & 255, (view.got >> 8 * place) & 255
                book[place] += got - gave
    for place in range(4):
        if book[WRONG] == 0:
            if book[place] != view.pieces[place]:
                book[WRONG] = 206 + 1000 * what
            if book[BOOK_HELD + place] != view.held[place]:
                book[WRONG] = 207 + 1000 * what
            if book[BOOK_CALLED + place] != view.called[place]:
                book[WRONG] = 208 + 1000 * what
    if decision == OBSERVE:
        return 0
    if book[WRONG] != 0:
        return -book[WRONG]
    if decision == WORD:
        pick = view.beat % 5
        if pick == 4:
            return 1 + view.beat % (view.players - 1) if view.may_call else 0
        committed = (pick + view.beat % 2) % 5 if view.advanced else pick + 1
        return OFFER * (pick + 1) + committed if view.own > 4 else 0
    if decision == ANSWER:
        return (view.beat + view.seat) % (2 + view.advanced)
    return 0


DIARY: dict[str, Any] = {"observes": True, "notebook": 13}


def refusal_of(made: Bout, games: int) -> str:
    """Return the sentence with which a bout's games end."""
    with pytest.raises(BadInput) as refusal:
        made.rows(0, games)
    return str(refusal.value)
