"""The generator: pure, fair, and without echoes between draws, games and streams."""

import numba
import numpy as np
import pytest

from herdlab.simcore.rng import (
    CHOICE,
    DEAL,
    DICE,
    GAMMA,
    KINDS,
    TABLE,
    below,
    draw,
    game_key,
    mix64,
    scale,
    stream_key,
)
from tests.reference import luck as reference
from tests.statistics import FALSE_ALARM, chi_square_p

SIDES = 12


@numba.njit
def rolls(seed, first_game, n_games, kind, index, n_draws, spread):  # type: ignore[no-untyped-def]
    """Return faces of a twelve-sided die: (games, draws).  spread=0 makes every key the same."""
    faces = np.empty((n_games, n_draws), dtype=np.int64)
    for game in range(n_games):
        key = stream_key(game_key(np.uint64(seed), (first_game + game) * spread), kind, index)
        for k in range(n_draws):
            faces[game, k] = scale(draw(key, k), 12)
    return faces


def pair_p(first: np.ndarray, second: np.ndarray) -> float:
    """Return the p-value of all 144 pairs being equally likely."""
    counts = np.bincount(first.ravel() * SIDES + second.ravel(), minlength=SIDES**2)
    return chi_square_p(counts, counts.sum() / SIDES**2)


def test_splitmix64_gives_the_published_numbers() -> None:
    """SplitMix64 from state 0: the test vector of its authors' reference code."""
    expected = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]
    assert [int(draw(np.uint64(0), k)) for k in range(4)] == expected
    assert int(mix64(GAMMA)) == expected[0]


def test_a_number_is_a_pure_function_of_seed_game_stream_and_draw() -> None:
    first = rolls(5, 100, 50, DICE, 2, 20, 1)
    again = rolls(5, 120, 10, DICE, 2, 20, 1)
    assert (first[20:30] == again).all()


def test_faces_of_a_die_are_equally_likely() -> None:
    faces = rolls(7, 0, 12_000, DICE, 0, 100, 1)
    counts = np.bincount(faces.ravel(), minlength=SIDES)
    assert chi_square_p(counts, faces.size / SIDES) > FALSE_ALARM


@pytest.mark.parametrize("lag", [1, 2, 7])
def test_successive_draws_are_independent(lag: int) -> None:
    faces = rolls(11, 0, 20_000, DICE, 1, 60, 1)
    assert pair_p(faces[:, :-lag], faces[:, lag:]) > FALSE_ALARM


@pytest.mark.parametrize("k", [0, 1, 30])
def test_the_same_draw_of_consecutive_games_is_independent(k: int) -> None:
    faces = rolls(13, 0, 1_000_000, DICE, 0, k + 1, 1)[:, k]
    assert pair_p(faces[:-1], faces[1:]) > FALSE_ALARM


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((DICE, 0), (DICE, 1)),
        ((DICE, 0), (CHOICE, 0)),
        ((DEAL, 0), (TABLE, 0)),
        ((DEAL, 0), (DEAL, 1)),
    ],
)
def test_the_same_draw_of_two_streams_is_independent(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    first, second = (rolls(17, 0, 100_000, *stream, 10, 1) for stream in (one, other))
    assert pair_p(first, second) > FALSE_ALARM


def test_two_seeds_are_independent() -> None:
    first, second = (rolls(seed, 0, 100_000, DICE, 0, 10, 1) for seed in (0, 1))
    assert pair_p(first, second) > FALSE_ALARM


def test_known_faults_would_be_caught() -> None:
    """A stream shared by consecutive games, a die with a heavy face, and an echo of one draw."""
    shared = rolls(13, 0, 100_000, DICE, 0, 1, 0)[:, 0]
    assert pair_p(shared[:-1], shared[1:]) < FALSE_ALARM
    faces = rolls(7, 0, 12_000, DICE, 0, 100, 1)
    heavy = np.where((faces == 0) & (rolls(8, 0, 12_000, DICE, 0, 100, 1) == 0), 1, faces)
    assert chi_square_p(np.bincount(heavy.ravel()), heavy.size / SIDES) < FALSE_ALARM
    echo = faces.copy()
    echo[:, 1::20] = echo[:, 0::20]
    assert pair_p(echo[:, :-1], echo[:, 1:]) < FALSE_ALARM


def test_no_two_of_a_million_streams_are_equal() -> None:
    """Their keys and their first numbers all differ; a chance repeat has odds of 1 to 10^7."""

    @numba.njit
    def firsts(n_games):  # type: ignore[no-untyped-def]
        found = np.empty((n_games * 40, 2), dtype=np.uint64)
        at = 0
        for game in range(n_games):
            of_game = game_key(np.uint64(3), game)
            for kind in range(4):
                for index in range(10):
                    key = stream_key(of_game, kind, index)
                    found[at, 0], found[at, 1] = key, draw(key, 0)
                    at += 1
        return found

    found = firsts(25_000)
    assert len(np.unique(found[:, 0])) == len(found) == 1_000_000
    assert len(np.unique(found[:, 1])) == len(found)


def test_below_goes_through_its_stream_draw_by_draw() -> None:
    key = stream_key(np.uint64(game_key(np.uint64(1), 2)), CHOICE, 3)
    luck = np.array([key], dtype=np.uint64)
    assert [below(luck, 7) for _ in range(50)] == [
        scale(np.uint64(draw(np.uint64(key), k)), 7) for k in range(50)
    ]


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_the_numbers_are_those_of_the_plain_python_generator(seed: int) -> None:
    for game, kind, index, k in [(0, 0, 0, 0), (1, 2, 3, 4), (10**12, 3, 13, 1000)]:
        of_game = np.uint64(game_key(np.uint64(seed), game))
        key = np.uint64(stream_key(of_game, kind, index))
        assert int(draw(key, k)) == reference.number(seed, game, kind, index, k)


def test_every_kind_of_stream_has_a_name() -> None:
    assert [KINDS[kind] for kind in (DICE, DEAL, CHOICE, TABLE)] == list(KINDS)
