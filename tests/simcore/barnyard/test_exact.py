"""Monte Carlo against exact values: the deal, the runaway, full hands after the deal.

False-alarm rate: |z| < 5 and chi-square tests at the same rate, with fixed seeds.
"""

from functools import cache
from math import comb

import numpy as np
import pytest

from herdlab.simcore.barnyard.rules import DONKEY, BarnyardRules
from herdlab.simcore.barnyard.view import DREW
from herdlab.simcore.sums import LENGTH
from tests.simcore.barnyard.harness import bout, script
from tests.statistics import FALSE_ALARM, LARGEST_Z, chi_square_p, z_of_rate

N_DEALS = 6000
_HANDS, _DONKEYS = 10, 50


@cache
def deals(n_players: int, runaway_wild: str = "out") -> np.ndarray:
    """Return of many deals: runaway, first card drawn, and the seat that holds the Donkey or -1."""
    settings = {"sessions": 1, "max_rounds": 1, "runaway_wild": runaway_wild}
    played = bout(BarnyardRules.from_settings(settings), {}, n_players, seed=11)
    found = np.empty((N_DEALS, 3), dtype=int)
    for number in range(N_DEALS):
        log = played.logged(number)[1]
        holds = log[0, _HANDS : _HANDS + n_players] >> _DONKEYS & 7
        drawn = log[log[:, 0] == DREW, 4]
        seat = int(holds.argmax()) if holds.any() else -1
        found[number] = log[0, 4], drawn[0] if len(drawn) else -1, seat
    return found


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_each_seat_is_dealt_the_donkey_in_7_of_52_deals(seat: int) -> None:
    dealt = int((deals(3)[:, 2] == seat).sum())
    assert abs(z_of_rate(dealt, N_DEALS, 7 / 52)) < LARGEST_Z


def test_the_donkey_is_in_no_hand_in_31_of_52_deals() -> None:
    assert abs(z_of_rate(int((deals(3)[:, 2] == -1).sum()), N_DEALS, 31 / 52)) < LARGEST_Z


def test_a_hand_of_another_size_would_be_caught() -> None:
    """Seven players hold six cards: one of them has the Donkey in 42 of 52 deals, not in 49."""
    dealt = int((deals(7)[:, 2] >= 0).sum())
    assert abs(z_of_rate(dealt, N_DEALS, 42 / 52)) < LARGEST_Z
    assert abs(z_of_rate(dealt, N_DEALS, 49 / 52)) > LARGEST_Z


def test_every_card_is_the_runaway_in_1_of_52_deals() -> None:
    counts = np.bincount(deals(3)[:, 0], minlength=52)
    assert chi_square_p(counts, N_DEALS / 52) > FALSE_ALARM
    assert abs(z_of_rate(int(counts[DONKEY]), N_DEALS, 1 / 52)) < LARGEST_Z


def test_redrawn_every_farm_animal_is_the_runaway_in_1_of_50_deals() -> None:
    """The other reading is told apart: by it, and not by luck, no wild card is laid aside."""
    counts = np.bincount(deals(3, "redraw")[:, 0], minlength=52)
    assert chi_square_p(counts[:50], N_DEALS / 50) > FALSE_ALARM
    assert counts[50:].tolist() == [0, 0]
    assert chi_square_p(counts, N_DEALS / 52) < FALSE_ALARM


def test_every_card_is_the_first_drawn_in_1_of_52_deals() -> None:
    drawn = deals(3)[:, 1]
    counts = np.bincount(drawn[drawn >= 0], minlength=52)
    assert counts.sum() >= N_DEALS - 5  # hardly a full hand is dealt
    assert chi_square_p(counts, counts.sum() / 52) > FALSE_ALARM
    faulty = counts.copy()
    faulty[:5] = faulty[:5] * 3 // 2  # a card in ten half as often again
    assert chi_square_p(faulty, faulty.sum() / 52) < FALSE_ALARM


def chance_of_a_full_hand(claims: bool) -> float:
    """Return the chance that one of seven hands of six cards is full, or claimed, after the deal.

    A hand is full in 5 * C(10, 6) ways and can be claimed in 5 * C(10, 5) * 2.  That two are at
    once is taken off; three at once have a chance below 10^-9.
    """
    natural, claim = 5 * comb(10, 6), 5 * comb(10, 5) * 2 * claims
    other_natural, other_claim = 4 * comb(10, 6), 4 * comb(10, 5) * claims
    both = natural * (other_natural + 2 * other_claim)
    both += claim * (other_natural + other_claim + 1)
    one = (natural + claim) / comb(52, 6)
    return 7 * one - comb(7, 2) * both / (comb(52, 6) * comb(46, 6))


@pytest.mark.parametrize("claims", [False, True])
def test_a_session_ends_after_the_deal_as_often_as_it_must(claims: bool) -> None:
    n = 400_000
    scripts = {seat: script(claim=int(claims)) for seat in range(7)}
    played = bout(BarnyardRules(sessions=1, max_rounds=1), scripts, 7, seed=12)
    ended = int((played.rows(0, n)[:, LENGTH] == 0).sum())
    exact = chance_of_a_full_hand(claims)
    assert abs(z_of_rate(ended, n, exact)) < LARGEST_Z
    assert abs(z_of_rate(ended, n, chance_of_a_full_hand(not claims))) > LARGEST_Z
    two_wild = 7 * 5 * comb(10, 4) / comb(52, 6)  # if two wild cards were a claim as well
    if claims:
        assert abs(z_of_rate(ended, n, exact + two_wild)) > LARGEST_Z
