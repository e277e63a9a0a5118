"""By which numbers the book picks who has the word, and who is first of the willing."""

import numpy as np
import pytest

from herdlab.simcore.game import find_game
from herdlab.simcore.puzzle.book import (
    BOOK,
    _reached,
    bounds,
    first_of_willing,
    speaker_of,
    write_rules,
)
from herdlab.simcore.puzzle.rules import PuzzleRules

WHOLE = 2**32


def rules_of(**settings: object) -> PuzzleRules:
    found = find_game("horse-trader").rules_type.from_settings(settings)
    assert isinstance(found, PuzzleRules)
    return found


@pytest.mark.parametrize(
    ("weights", "ends"),
    [
        ([1.0, 1.0, 2.0], [WHOLE // 4, WHOLE // 2, WHOLE]),
        ([1.0, 1.0, 1.0, 1.0], [WHOLE // 4, WHOLE // 2, 3 * WHOLE // 4]),
        ([0.0, 3.0, 0.0, 1.0], [0, 3 * WHOLE // 4, 3 * WHOLE // 4]),
        ([1.0, 0.0, 2.0], [round(WHOLE / 3), round(WHOLE / 3), WHOLE]),
    ],
)
def test_bounds_share_out_32_bits_by_weight(weights: list[float], ends: list[int]) -> None:
    assert bounds(weights) == ends


def test_a_number_that_reaches_a_bound_is_the_next_seats() -> None:
    pick = _reached.py_func  # type: ignore[attr-defined]
    book = [-1, 10, 20, 30, 99]
    numbers = [0, 9, 10, 11, 19, 20, 29, 30, 31]
    assert [int(pick(number, 1, book)) for number in numbers] == [0, 0, 1, 1, 1, 2, 2, 3, 3]


def test_the_word_goes_by_the_high_half_and_who_is_first_by_the_low(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(speaker_of.py_func.__globals__, "_reached", lambda *given: given[:2])  # type: ignore[attr-defined]
    bits = np.uint64(5 << 32 | 7)
    book = np.zeros(3, dtype=np.int64)
    assert speaker_of.py_func(bits, book) == (5, BOOK.tempo)  # type: ignore[attr-defined]
    assert first_of_willing.py_func(bits, 40, book) == (7, 40)  # type: ignore[attr-defined]


@pytest.mark.parametrize("players", [3, 4])
def test_every_set_of_the_willing_has_its_bounds(players: int) -> None:
    tempo, reaction = (1.0, 2.0, 0.5, 4.0)[:players], (1.0, 4.0, 2.0, 8.0)[:players]
    rules = rules_of(tempo=tempo, reaction=reaction, largest_offer=3, calls=7, max_beats=60)
    book = write_rules(rules, players)
    assert book[BOOK.tempo : BOOK.tempo + 3].tolist() == bounds(tempo)
    for willing in range(1, 1 << players):
        seats = [seat for seat in range(players) if willing >> seat & 1]
        at = BOOK.first + 4 * sum(4**seat for seat in seats)
        wanted = bounds([reaction[s] * (s in seats) for s in range(players)])
        assert book[at : at + 3].tolist() == wanted
    assert (book[BOOK.calls], book[BOOK.max_beats], book[BOOK.shared]) == (7, 60, 1)
    assert book[BOOK.start_last_caller] == book[BOOK.start_speaker] == -1 == min(book)
    assert (book[BOOK.has_start], book[BOOK.start_beat]) == (0, 0)
    even = write_rules(rules_of(simultaneous="order"), players)
    assert even[BOOK.tempo : BOOK.tempo + 3].tolist() == bounds([1.0] * players)
    assert even[BOOK.shared] == 0
