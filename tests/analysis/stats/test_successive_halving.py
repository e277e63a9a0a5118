"""Successive halving by hand; test_tune.py has searches with luck in them."""

from collections.abc import Sequence

from herdlab.analysis.stats.successive_halving import CandidateScore, Round, halve, rounds_of

VALUES = {7: 5, 3: 1, 9: 4, 2: 4, 5: 0, 8: 6, 1: 2}
"""What each candidate has on a deal."""


def test_a_search_by_hand() -> None:
    """Seven, then three, on 64 and 192 deals; nobody believed 8 before it was second to none."""
    asked: list[tuple[list[int], range]] = []

    def play(candidates: Sequence[int], deals: range) -> list[tuple[int, int]]:
        asked.append((list(candidates), deals))
        n = len(deals)
        return [(VALUES[one] * n, VALUES[one] ** 2 * n) for one in candidates]

    found = halve(list(VALUES), 200, 50, play)
    assert found.rounds == [Round(7, 66), Round(3, 198)]
    assert asked == [([7, 3, 9, 2, 5, 8, 1], range(50, 116)), ([8, 7, 9], range(116, 314))]
    assert found.ranking == [
        *(CandidateScore(one, 264 * VALUES[one], 264 * VALUES[one] ** 2, 264) for one in (8, 7, 9)),
        *(CandidateScore(one, 66 * VALUES[one], 66 * VALUES[one] ** 2, 66) for one in (2, 1, 3, 5)),
    ]


def test_a_round_has_64_deals_at_least_and_no_more_than_asked() -> None:
    assert rounds_of(9, 193) == [Round(9, 64), Round(3, 192)]
    assert rounds_of(9, 196) == [Round(9, 65), Round(3, 195)]
    assert rounds_of(4, 100) == [Round(4, 64), Round(2, 100)]
    assert rounds_of(3, 50) == [Round(3, 50)] and rounds_of(1, 7) == [Round(1, 7)]
    assert [one.candidates for one in rounds_of(10, 10_000)] == [10, 4, 2]


def test_a_score_begins_with_nothing() -> None:
    one = CandidateScore(4)
    assert (one.total, one.squares, one.deals) == (0, 0, 0)
    assert one.with_more(5, 6, 7).with_more(10, 20, 30) == CandidateScore(4, 15, 26, 37)


def test_each_of_three_rounds_keeps_as_many_as_the_next_has() -> None:
    asked: list[list[int]] = []

    def play(candidates: Sequence[int], deals: range) -> list[tuple[int, int]]:
        asked.append(list(candidates))
        return [(one * len(deals), 0) for one in candidates]

    found = halve(range(10), 900, 0, play)
    assert found.rounds == [Round(10, 100), Round(4, 300), Round(2, 900)]
    assert asked == [list(range(10)), [9, 8, 7, 6], [9, 8]]
    assert [one.candidate for one in found.ranking] == list(range(9, -1, -1))
