"""Clauses P1 and P2 of the puzzle games (pieces, goals), tested from the rulebooks.

The deal must be as likely as any other: counts are compared with the exact distribution.
False-alarm rate: |z| < 5 and chi-square tests at the same rate, with fixed seeds; each has a
companion in which a known fault is caught.
"""

from collections import Counter
from functools import cache
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.puzzle.pieces import BITS, FIELD
from herdlab.simcore.puzzle.view import PASS_LEFT
from tests.simcore.puzzle.harness import (
    bout,
    experiment,
    keep,
    offer,
    part_with,
    play,
    rules_of,
    script,
)
from tests.simcore.puzzle.tables import EDITIONS, cards_of, column, lines_of, of_all, seated
from tests.statistics import FALSE_ALARM, LARGEST_Z, chi_square_p, z_of_mean, z_of_rate

N_DEALS = 6000
_HELD, _GIFTS = 6, 10
"""Where a log has what everyone holds and parts with."""


@cache
def deals(players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return many deals: (deal, seat, puzzle) how many pieces, and (deal, seat) the cards."""
    own = {seat: script(word=PASS_LEFT, pass_on=keep(0, 40, 40, 40)) for seat in range(players)}
    made = bout(rules_of("horse-trader", max_beats=1), own, players, seed=11)
    found = np.empty((N_DEALS, 2, players), dtype=np.int64)
    for number in range(N_DEALS):
        log = made.logged(number)[1]
        found[number] = log[0, _HELD : _HELD + players], log[1, _GIFTS : _GIFTS + players]
    counts = found[..., None] >> BITS * np.arange(players) & FIELD
    return counts[:, 0], counts[:, 1].argmax(-1)


def hypergeometric(players: int) -> np.ndarray:
    """Return the chances that a seat holds 0 … 40 pieces of a puzzle."""
    others = 40 * players - 40
    ways = [comb(40, k) * comb(others, 40 - k) for k in range(41)]
    return np.array([way / comb(40 * players, 40) for way in ways])


def p_of_counts(counts: np.ndarray, players: int) -> float:
    """Return the chance of such counts; cells with few are put together."""
    found = np.bincount(counts, minlength=41)
    expected = hypergeometric(players) * len(counts)
    low = int(np.argmax(expected.cumsum() >= 10))
    high = 40 - int(np.argmax(expected[::-1].cumsum() >= 10))
    return chi_square_p(
        [int(found[: low + 1].sum()), *found[low + 1 : high].tolist(), int(found[high:].sum())],
        np.array([expected[: low + 1].sum(), *expected[low + 1 : high], expected[high:].sum()]),  # type: ignore[arg-type]
    )


# P1 pieces


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_p1_forty_pieces_to_each_player_and_forty_of_each_puzzle(
    players: int, edition: dict[str, Any]
) -> None:
    made = seated(of_all("test-anything", players), max_beats=1, **edition)
    for number in range(50):
        dealt = np.array(lines_of(made, number)[0].holdings)
        assert dealt.shape == (players, players)  # with three players one puzzle is left out
        assert dealt.sum(1).tolist() == dealt.sum(0).tolist() == [40] * players
        assert dealt.min() >= 0


@pytest.mark.parametrize("players", [1, 2, 5])
@pytest.mark.parametrize("game", ["horse-trader", "bronco"])
def test_p1_three_or_four_play(players: int, game: str) -> None:
    with pytest.raises(BadInput, match=f"{game} takes 3 to 4 players, and got {players}"):
        seated(of_all("trader-2", players), game)


@pytest.mark.parametrize("players", [3, 4])
def test_p1_every_seat_gets_of_every_puzzle_what_a_shuffle_gives(players: int) -> None:
    pieces, _ = deals(players)
    for seat in range(players):
        for puzzle in range(players):
            assert p_of_counts(pieces[:, seat, puzzle], players) > FALSE_ALARM, (seat, puzzle)


@pytest.mark.parametrize("players", [3, 4])
def test_p1_means_spreads_and_how_counts_go_together_are_those_of_a_shuffle(players: int) -> None:
    pieces, _ = deals(players)
    total = 40 * players
    off = pieces - 40 / players
    for seat in range(players):
        for puzzle in range(players):
            one = off[:, seat, puzzle]
            assert abs(z_of_mean(one.mean(), one.std(), N_DEALS, 0)) < LARGEST_Z
            for seat_2 in range(players):
                for puzzle_2 in range(players):
                    both = one * off[:, seat_2, puzzle_2]
                    of_seats = 40 * ((seat == seat_2) * total - 40)
                    of_puzzles = 40 * ((puzzle == puzzle_2) * total - 40)
                    exact = of_seats * of_puzzles / (total**2 * (total - 1))
                    z = z_of_mean(both.mean(), both.std(), N_DEALS, exact)
                    assert abs(z) < LARGEST_Z, (seat, puzzle, seat_2, puzzle_2)


@pytest.mark.parametrize("players", [3, 4])
def test_p1_in_many_deals_own_pieces_are_those_of_a_shuffle(players: int) -> None:
    made = bout(rules_of("bronco", max_beats=1), {}, players, seed=12)
    rows = made.rows(0, 200_000)
    for seat in range(players):
        assert p_of_counts(column(rows, made, f"own_pieces_{seat}"), players) > FALSE_ALARM


def thrown(players: int, rng: np.random.Generator) -> np.ndarray:
    """Return (deal, puzzle, place): every piece thrown to one of the seats, none evened out."""
    return rng.multinomial(40, [1 / players] * players, size=(N_DEALS, players))


@pytest.mark.parametrize("players", [3, 4])
def test_p1_a_deal_that_is_not_evened_out_would_be_caught(players: int) -> None:
    """The companion: pieces thrown to the seats alone spread more than a deal of 40 each."""
    pieces = thrown(players, np.random.default_rng(1))
    assert p_of_counts(pieces[:, 0, 0], players) < FALSE_ALARM


def test_p1_a_deal_evened_out_with_the_first_pieces_would_be_caught() -> None:
    """The companion: those with too many give of puzzle 0 first, instead of any piece."""
    pieces = thrown(4, np.random.default_rng(2)).transpose(0, 2, 1)
    for one in pieces:
        sizes = one.sum(1)
        for puzzle in range(4):
            while (sizes > 40).any() and one[(sizes > 40).argmax(), puzzle] > 0:
                giver, taker = (sizes > 40).argmax(), (sizes < 40).argmax()
                one[giver, puzzle] -= 1
                one[taker, puzzle] += 1
                sizes = one.sum(1)
    assert (pieces.sum(2) == 40).mean() > 0.99
    worst = min(p_of_counts(pieces[:, seat, 0], 4) for seat in range(4))
    assert worst < FALSE_ALARM


def test_p1_the_deal_is_the_games_and_not_the_players() -> None:
    """Whoever plays which edition, a game's number and the seed give the same deal."""
    dealt = set()
    for edition in EDITIONS:
        for line_up in ("trader-1,trader-2,caller,nagger", of_all("test-anything", 4)):
            made = seated(line_up, **edition, seed=5, max_beats=1)
            dealt.add(tuple(lines_of(made, number)[0].holdings for number in range(5)))
    assert len(dealt) == 1 and len(set(dealt.pop())) == 5


# P2 goals


def naive_orders(players: int) -> np.ndarray:
    """Return how often each order comes of a wrong shuffle: each card changed with any."""
    orders: Counter[tuple[int, ...]] = Counter()
    rng = np.random.default_rng(3)
    for _ in range(N_DEALS):
        cards = list(range(players))
        for place in range(players):
            other = int(rng.integers(players))
            cards[place], cards[other] = cards[other], cards[place]
        orders[tuple(cards)] += 1
    return np.array([orders[order] for order in permutations(range(players))])


@pytest.mark.parametrize("players", [3, 4])
def test_p2_every_order_of_the_puzzle_cards_is_as_likely(players: int) -> None:
    found = Counter(tuple(cards) for cards in deals(players)[1].tolist())
    orders = list(permutations(range(players)))
    counts = [found[order] for order in orders]
    assert sum(counts) == N_DEALS  # each player another puzzle
    assert chi_square_p(counts, N_DEALS / len(orders)) > FALSE_ALARM
    assert chi_square_p(naive_orders(players), N_DEALS / len(orders)) < FALSE_ALARM


@pytest.mark.parametrize("players", [3, 4])
def test_p2_the_card_has_nothing_to_do_with_the_pieces(players: int) -> None:
    pieces, cards = deals(players)
    sd = float(np.sqrt((np.arange(41) ** 2 * hypergeometric(players)).sum() - (40 / players) ** 2))
    for seat in range(players):
        own = pieces[np.arange(N_DEALS), seat, cards[:, seat]]
        assert abs(z_of_mean(own.mean(), sd, N_DEALS, 40 / players)) < LARGEST_Z
        assert p_of_counts(own, players) > FALSE_ALARM
        most = pieces[:, seat].max(1)  # as if he were given the card that he holds most of
        assert abs(z_of_mean(most.mean(), sd, N_DEALS, 40 / players)) > LARGEST_Z


def test_p2_seat_by_seat_each_puzzle_is_as_likely() -> None:
    _, cards = deals(4)
    for seat in range(4):
        for puzzle in range(4):
            found = int((cards[:, seat] == puzzle).sum())
            assert abs(z_of_rate(found, N_DEALS, 1 / 4)) < LARGEST_Z


@pytest.mark.parametrize("players", [3, 4])
def test_p2_own_pieces_are_those_of_the_puzzle_on_the_card(players: int) -> None:
    made = bout(rules_of("horse-trader", max_beats=1), {}, players, seed=13)
    rows = made.rows(0, 60)
    for number in range(60):
        dealt, cards = lines_of(made, number)[0].holdings, cards_of(made, number)
        for seat in range(players):
            own = int(column(rows, made, f"own_pieces_{seat}")[number])
            assert own == dealt[seat][cards[seat]]


@pytest.mark.parametrize(("cards", "ends"), [((1, 0, 2), "stall"), ((0, 1, 2), "win")])
def test_p2_all_pieces_of_another_puzzle_are_no_win(cards: tuple[int, ...], ends: str) -> None:
    """Seat 0 gets the last piece of puzzle 0: the same trade wins only with the card of it."""
    held = ((39, 1, 0), (1, 0, 39), (0, 39, 1))
    scripts = {
        0: script(word=offer(1), commit=part_with(held[0], (0, 1, 0), cards[0])),
        1: script(answer=1, give=part_with(held[1], (1, 0, 0), cards[1])),
    }
    lines = play(scripts, holdings=held, cards=cards)
    assert lines[1].holdings == ((40, 0, 0), (0, 1, 39), (0, 39, 1))
    assert [line.what for line in lines] == ["offer", "trade", ends]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("shift", range(3))
def test_p2_whoever_holds_all_forty_of_his_puzzle_wins(players: int, shift: int) -> None:
    """Seat 0 lacks one piece of the puzzle on his card, whichever that is; seat 1 has it."""
    cards = tuple((seat + shift) % players for seat in range(players))
    counts = np.zeros((players, players), dtype=int)
    for seat in range(players):
        counts[seat, cards[seat]] = 39
        counts[seat, cards[(seat - 1) % players]] = 1
    held = tuple(tuple(int(n) for n in row) for row in counts)
    game = experiment(
        {0: script(word=offer(1)), 1: script(answer=1)}, holdings=held, cards=cards, beats=1
    )
    assert game.lines[-1].what == "win" and game.lines[-1].detail == ((0,),)
    assert game.row["winners"] == 1 and game.row["own_pieces_0"] == 40
