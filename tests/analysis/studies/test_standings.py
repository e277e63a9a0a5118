"""Standings from synthetic wins of which the truth is known."""

from dataclasses import dataclass, replace
from itertools import combinations, product
from math import inf, isfinite, sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from herdlab.analysis.sampling.line_ups import copies_of_each, sample_line_ups, seatings
from herdlab.analysis.stats.estimates import (
    Estimate,
    difference_with,
    quantile,
    rate_with,
    unvaried,
)
from herdlab.analysis.studies import standings as ranked
from herdlab.analysis.studies.standings import (
    FEWEST_SHARED,
    Pair,
    Standing,
    Standings,
    _Sample,
    standings,
)
from tests.statistics import LARGEST_Z, z_of_rate

Floats = npt.NDArray[np.float64]
GROUPS = 50
T = 2.0095752371292397
"""Student's t with 49 degrees of freedom, 97.5 %."""


@dataclass(frozen=True)
class World:
    """Entrants of known skill at tables of a size: who wins is drawn by Luce's rule.

    `beats`, if there is one, gives instead the chance that the first of two beats the second.
    """

    skills: list[float]
    size: int = 2
    seat_skill: float = 1.0
    """How much better the first seat is."""
    deals: int = 20
    """In a group, of each seating."""
    beats: Any = None

    @property
    def names(self) -> list[str]:
        return [f"entrant-{e}" for e in range(len(self.skills))]

    def chances(self, order: tuple[int, ...]) -> Floats:
        """Return the chance that each seat of a table wins."""
        if self.beats is not None:
            first = self.beats[order[0]][order[1]]
            return np.array([first, 1 - first])
        weights = np.array([self.skills[entrant] for entrant in order], dtype=float)
        weights[0] *= self.seat_skill
        found: Floats = weights / weights.sum()
        return found

    def truth(self, entrant: int) -> float:
        """Return the win rate of one seat, everybody else being drawn from the entrants."""
        found = []
        for order in product(range(len(self.skills)), repeat=self.size):
            chances = self.chances(order)
            found += [chances[seat] for seat in range(self.size) if order[seat] == entrant]
        return float(np.mean(found))

    def arrays(self, rng: np.random.Generator | None = None) -> dict[str, Any]:
        """Return what `standings` takes; without a generator the wins are what is expected."""
        drawn = sample_line_ups(len(self.skills), self.size, 10_000, 0)
        orders = [seatings(one, 0) for one in drawn.line_ups]
        at = [order for one in orders for order in one]
        line_up_of = np.repeat(np.arange(len(orders)), [len(one) for one in orders])
        if rng is None:
            each = np.array([self.chances(order) * self.deals for order in at])
            wins = np.repeat(each[None], GROUPS, axis=0)
        else:
            by_seating = [rng.multinomial(self.deals, self.chances(o), size=GROUPS) for o in at]
            wins = np.stack(by_seating, axis=1).astype(float)
        return {
            "entrants_at": np.array(at),
            "wins": wins,
            "line_up_of": line_up_of,
            "deals": np.full(len(orders), float(self.deals)),
            "line_ups": np.array(copies_of_each(drawn.line_ups, len(self.skills))),
            "weights": np.array(drawn.weights, dtype=float),
            "possible": drawn.possible,
            "with_mix": False,  # as it takes its time
            "names": self.names,
            "seed": 0,
        }

    def play(self, seed: int, **changed: Any) -> Standings:
        return standings(**{**self.arrays(np.random.default_rng(seed)), **changed})


def named(found: Standings, name: str) -> Standing:
    return next(one for one in found.entrants if one.strategy == name)


def half_width(one: Estimate) -> float:
    return (one.high - one.low) / 2


# ---- figures ----


@pytest.mark.parametrize("size", [2, 3, 4])
def test_win_rates_are_those_of_one_seat_among_all_others(size: int) -> None:
    world = World([1.0, 2.0, 4.0], size, seat_skill=1.5)
    arrays = world.arrays()
    arrays["wins"] = arrays["wins"] + np.linspace(-0.01, 0.01, GROUPS)[:, None, None]  # some spread
    found = standings(**arrays)
    rates = [named(found, name).win_rate for name in world.names]
    assert [one.value for one in rates] == pytest.approx([world.truth(e) for e in range(3)])
    assert sum(one.value for one in rates) / 3 == pytest.approx(1 / size)
    assert [one.strategy for one in found.entrants] == ["entrant-2", "entrant-1", "entrant-0"]


def test_line_ups_with_other_numbers_of_deals_count_by_their_weight() -> None:
    """Three times the deals in one line-up: the same win rate, with its games three times."""
    world = World([1.0, 2.0, 4.0], 3)
    arrays = world.arrays(np.random.default_rng(1))
    plain = standings(**arrays)
    deals = arrays["deals"].copy()
    deals[4] *= 3
    wins = arrays["wins"].copy()
    wins[:, arrays["line_up_of"] == 4] *= 3
    more = standings(**{**arrays, "deals": deals, "wins": wins})
    for name in world.names:
        one, other = named(plain, name).win_rate, named(more, name).win_rate
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


def test_pairs_are_of_the_tables_where_both_sit() -> None:
    """Rates against each other, not against third ones: at tables of two the head-to-head."""
    world = World([1.0, 2.0, 4.0])
    found = world.play(3)
    assert [(one.a, one.b) for one in found.pairs] == [
        ("entrant-0", "entrant-1"),
        ("entrant-0", "entrant-2"),
        ("entrant-1", "entrant-2"),
    ]
    for pair, (a, b) in zip(found.pairs, [(1, 2), (1, 4), (2, 4)], strict=True):
        truth = (a - b) / (a + b)
        error = half_width(pair.difference) / T
        assert abs(pair.difference.value - truth) < LARGEST_Z * error and error < 0.05
        assert pair.is_real


def test_pairs_at_larger_tables_are_weighted_as_they_are_drawn() -> None:
    world = World([1.0, 2.0, 4.0], 3)
    found = {(one.a, one.b): one.difference.value for one in standings(**world.arrays()).pairs}
    for a, b in [(0, 1), (0, 2), (1, 2)]:
        gaps = []
        for order in product(range(3), repeat=3):  # everybody at the table drawn at random
            if a in order and b in order:
                chances = world.chances(order)
                rate = {e: np.mean([chances[s] for s in range(3) if order[s] == e]) for e in (a, b)}
                gaps.append(rate[a] - rate[b])
        assert found[f"entrant-{a}", f"entrant-{b}"] == pytest.approx(float(np.mean(gaps)))


def test_intervals_are_students_over_groups() -> None:
    world = World([1.0, 2.0])
    arrays = world.arrays(np.random.default_rng(5))
    found = named(standings(**arrays), "entrant-0").win_rate
    # Seatings (0, 0), (0, 1), (1, 0), (1, 1): entrant 0 against itself and against the other.
    wins = arrays["wins"]
    own = (wins[:, 0, 0] + wins[:, 0, 1]) / (2 * world.deals)
    other = (wins[:, 1, 0] + wins[:, 2, 1]) / (2 * world.deals)
    by_group = (own + other) / 2
    assert found.value == pytest.approx(by_group.mean())
    half = T * by_group.std(ddof=1) / sqrt(GROUPS)  # which Wilson's is near to, not too near an end
    assert half_width(found) == pytest.approx(half, rel=0.02)
    assert found.n == GROUPS


def test_seats_have_ratings_too() -> None:
    found = World([1.0, 1.0, 1.0], 3, seat_skill=2.0).play(7)
    first, second, third = found.seats
    assert first.low > second.high and first.low > third.high
    assert second.low < third.value < second.high


# ---- a sample of line-ups ----

VALUES = np.array([0.1, 0.4, 0.4, 0.7])
EVEN = np.ones((4, 1))
SAMPLE = _Sample(line_ups=4, possible=20, deals=1000)
T_3, T_9 = 3.1824463052842624, 2.2621571628540993
"""Student's t with 3 and 9 degrees of freedom, 97.5 %."""


def test_which_line_ups_were_drawn_varies_as_a_sample_without_replacement() -> None:
    """Cochran 2.6: s² / m times the share of line-ups that were not drawn."""
    found = SAMPLE.covariance(VALUES[:, None], EVEN)
    assert found == pytest.approx(np.array([[VALUES.var(ddof=1) / 4 * (1 - 4 / 20)]]))
    of_all = _Sample(line_ups=4, possible=4, deals=1000).covariance(VALUES[:, None], EVEN)
    assert of_all.tolist() == [[0.0]]


def test_a_weighted_mean_of_line_ups_varies_as_a_ratio() -> None:
    """Cochran 6.5, of the three line-ups that count: 0.1, twice 0.4, and 0.7, about 0.4."""
    weights = np.array([[1.0], [2.0], [0.0], [1.0]])
    apart = (0.3**2 + 0.3**2) / 4**2  # weights add up to 4
    found = SAMPLE.covariance(VALUES[:, None], weights)
    assert found == pytest.approx(np.array([[apart * 3 / 2 * (1 - 4 / 20)]]))


def test_one_line_up_says_nothing_of_how_line_ups_vary() -> None:
    """One entrant sat in all four line-ups, another in a single one: 0, and no division by 0."""
    weights = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 0.0], [1.0, 0.0]])
    found = SAMPLE.covariance(np.column_stack([VALUES, VALUES]), weights)
    wanted = [[VALUES.var(ddof=1) / 4 * (1 - 4 / 20), 0.0], [0.0, 0.0]]
    assert found == pytest.approx(np.array(wanted))


def test_degrees_of_freedom_are_those_of_the_fewer() -> None:
    assert [SAMPLE.freedom(50, 4), SAMPLE.freedom(4, 50)] == [3, 3]
    assert _Sample(line_ups=4, possible=4, deals=1000).freedom(50, 4) == 49


def test_a_difference_varies_with_deals_and_with_line_ups() -> None:
    groups = np.linspace(-0.02, 0.04, 10)
    spread = sqrt(groups.var(ddof=1) / 10 + 0.0004)
    for line_ups, t in ((4, T_3), (30, T_9)):
        one = SAMPLE.difference(groups, 0.0004, line_ups)
        assert one.value == pytest.approx(0.01) and one.n == 10
        wanted = difference_with(0.01, (t / quantile() * spread) ** 2, 1000 * line_ups)
        assert (one.low, one.high) == pytest.approx((wanted.low, wanted.high))
        assert one.high - one.low == pytest.approx(2 * t * spread, rel=0.01)
    wide = SAMPLE.difference(groups, 1.0, 4)
    assert -1 <= wide.low < -0.8 and 0.8 < wide.high <= 1


def test_a_difference_that_never_varied_is_not_certain() -> None:
    one, wanted = SAMPLE.difference(np.full(10, 0.25), 0.0, 4), unvaried(0.25, 1000, -1, 1)
    assert (one.value, one.low, one.high, one.n) == (0.25, wanted.low, wanted.high, 10)


def test_a_variance_that_rounding_leaves_below_0_is_none() -> None:
    """Means of 0.25 and 0 in every group: the first is not 0, the second may be."""
    differences = np.repeat([[0.25, 0.0]], 10, axis=0)
    real = ranked._holm(differences, np.array([-1e-18, -1e-18]), np.array([4, 4]), SAMPLE)
    assert real.tolist() == [True, False]


def test_a_win_rate_of_a_sample_has_wilsons_interval_of_its_variance() -> None:
    """Widened from the normal to Student's quantile; weights 1, 2, 0, 1 are 16 / 6 line-ups."""
    groups, weights = np.linspace(0.2, 0.38, 10), np.array([1.0, 2.0, 0.0, 1.0])
    t = 4.302652729911275 / quantile()  # of the three line-ups that count
    variance = t**2 * (groups.var(ddof=1) / 10 + 0.0001)
    wanted = rate_with(0.29, variance, 2667)
    one = SAMPLE.rate(groups, 0.0001, weights, 0.01)
    assert one.value == pytest.approx(0.29) and one.n == 10
    assert (one.low, one.high) == pytest.approx((wanted.low - 0.01, wanted.high))
    assert SAMPLE.rate(groups, 0.0001, weights, 0.9).low == 0.0


@pytest.mark.parametrize("shared", [FEWEST_SHARED - 1, FEWEST_SHARED])
def test_two_who_share_few_line_ups_of_a_sample_are_not_compared(shared: int) -> None:
    world = World([1.0, 2.0, 4.0, 4.0], 4)
    arrays = world.arrays(np.random.default_rng(2))
    both = (arrays["line_ups"][:, :2] > 0).all(1)
    kept = np.flatnonzero(~both | (np.cumsum(both) <= shared))
    here = np.isin(arrays["line_up_of"], kept)
    renumbered = {old: new for new, old in enumerate(kept.tolist())}
    arrays |= {name: arrays[name][kept] for name in ("deals", "line_ups", "weights")}
    arrays |= {
        "entrants_at": arrays["entrants_at"][here],
        "wins": arrays["wins"][:, here],
        "line_up_of": np.array([renumbered[one] for one in arrays["line_up_of"][here].tolist()]),
    }
    compared = {(one.a, one.b) for one in standings(**arrays).pairs}
    assert (("entrant-0", "entrant-1") in compared) == (shared == FEWEST_SHARED)
    assert ("entrant-2", "entrant-3") in compared


def test_win_rates_are_told_apart_by_the_line_ups_that_each_sat_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three entrants make ten tables of three; each sits at six, and is missing from four."""
    seen: list[list[int]] = []
    usual = ranked._kinds_of_all

    def noted(overall: Floats, drawn: Floats, sits: npt.NDArray[np.int64], sample: _Sample) -> Any:
        seen.append(sits.tolist())
        return usual(overall, drawn, sits, sample)

    monkeypatch.setattr(ranked, "_kinds_of_all", noted)
    World([1.0, 2.0, 4.0], 3).play(1)
    assert seen == [[6, 6, 6]]


# ---- coverage and errors, over a thousand tournaments ----

RUNS = 1000


def unrated(at: Any, wins: Any, n_entrants: int, *, n_games: int) -> Any:
    """Stand for `rate`, which takes half of the time."""
    return SimpleNamespace(ratings=[Estimate(1500, 1500, 1500, n_games)] * n_entrants, seats=[])


@pytest.fixture
def without_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what is not looked at."""
    monkeypatch.setattr(ranked, "fit_ratings", unrated)


def test_of_all_line_ups_nothing_else_depends_on_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World([1.0, 1.0, 1.5, 3.0], deals=8)
    whole = world.play(1)
    monkeypatch.setattr(ranked, "fit_ratings", unrated)
    bare = world.play(1)
    entrants = [replace(one, rating=named(bare, one.strategy).rating) for one in whole.entrants]
    assert replace(whole, entrants=entrants, seats=[]) == bare


@pytest.mark.usefixtures("without_ratings")
def test_intervals_cover_as_often_as_they_say() -> None:
    """Win rates and differences; a fifth narrower is caught."""
    world = World([1.0, 1.5, 3.0], deals=8)
    truths = [world.truth(e) for e in range(3)]
    gaps = [(1 - 1.5) / 2.5, (1 - 3) / 4, (1.5 - 3) / 4.5]
    hits, narrow = np.zeros((2, 6), dtype=int)
    for run in range(RUNS):
        found = world.play(run)
        estimates = [named(found, name).win_rate for name in world.names]
        estimates += [pair.difference for pair in found.pairs]
        for place, (one, truth) in enumerate(zip(estimates, [*truths, *gaps], strict=True)):
            hits[place] += one.low <= truth <= one.high
            narrow[place] += abs(one.value - truth) <= 0.8 * half_width(one)
    for place in range(6):
        assert abs(z_of_rate(int(hits[place]), RUNS, 0.95)) < LARGEST_Z
        assert z_of_rate(int(narrow[place]), RUNS, 0.95) < -LARGEST_Z


def called(found: Standings) -> tuple[bool, bool, bool]:
    """Return whether any pair is real, any two are told apart, any interval leaves out 0."""
    told = any(len(one.not_told_apart) < len(found.entrants) - 1 for one in found.entrants)
    alone = any(not one.difference.low <= 0 <= one.difference.high for one in found.pairs)
    return any(one.is_real for one in found.pairs), told, alone


@pytest.mark.usefixtures("without_ratings")
def test_equals_are_told_apart_in_five_per_cent_of_tournaments_at_most() -> None:
    """All pairs together; single tests of each pair, which would be too many, are caught."""
    world, counts = World([1.0] * 4, deals=8), np.zeros(3, dtype=int)
    for run in range(RUNS):
        counts += called(world.play(run))
    real, told, alone = (z_of_rate(int(count), RUNS, 0.05) for count in counts)
    assert real < LARGEST_Z and told < LARGEST_Z
    assert alone > LARGEST_Z
    assert counts[0] > 0 and counts[1] > 0  # not just never anything


@pytest.mark.usefixtures("without_ratings")
def test_a_real_difference_is_found_and_equals_beside_it_are_left_alone() -> None:
    world, runs = World([1.0, 1.0, 1.0, 1.5], deals=20), 200
    found_all = wrong = 0
    for run in range(runs):
        found = world.play(run)
        with_best = [one for one in found.pairs if "entrant-3" in (one.a, one.b)]
        others = [one for one in found.pairs if one not in with_best]
        found_all += all(one.is_real for one in with_best)
        wrong += any(one.is_real for one in others)
        best = named(found, "entrant-3")
        assert found.entrants[0] == best and best.not_told_apart == []
    assert found_all > 0.95 * runs
    assert z_of_rate(wrong, runs, 0.05) < LARGEST_Z


def t_of_pairs(arrays: dict[str, Any]) -> list[float]:
    """Return by pair of entrants at tables of two its mean difference in standard errors."""
    at, wins, found = arrays["entrants_at"], arrays["wins"], []
    for a, b in combinations(range(at.max() + 1), 2):
        first, second = (at == [a, b]).all(1), (at == [b, a]).all(1)
        gap = wins[:, first] - wins[:, second]
        by_group = (gap[..., 0] - gap[..., 1]).sum(1)
        found.append(float(by_group.mean() / by_group.std(ddof=1) * sqrt(GROUPS)))
    return found


def test_holm_goes_on_after_a_sure_difference() -> None:
    """A pair that its own interval tells apart may not be real among many, and is among few."""
    world = World([1.0, 1.0, 1.0, 1.35], deals=4)
    numbers = set()
    for run in range(40):
        one: list[Pair] = world.play(run).pairs
        gaps = [abs(t) for t in t_of_pairs(world.arrays(np.random.default_rng(run)))]
        order = np.argsort(gaps)[::-1]
        real = [one[place].is_real for place in order]
        assert real == sorted(real, reverse=True)  # the surest come first
        alone = sum(gap > T for gap in gaps)
        assert sum(real) <= alone
        # The surest of six needs 0.05 / 6 (t = 2.75), the next 0.05 / 5, and so on.
        needed = [2.7477, 2.6800, 2.5950, 2.4796, 2.3121, 2.0096]
        passes = [gaps[place] > least for place, least in zip(order, needed, strict=True)]
        wanted = passes.index(False) if False in passes else 6
        assert sum(real) == wanted
        numbers.add(wanted)
    assert len(numbers) > 2


# ---- words ----


def test_the_leader_in_a_sentence() -> None:
    clear = World([1.0, 2.0, 4.0]).play(1)
    rate = 100 * clear.entrants[0].win_rate.value
    assert clear.leader == (
        f"entrant-2 wins most, {rate:.2f} % of games, and every other entrant clearly less"
    )
    two = World([1.0, 4.0, 4.0]).play(1).leader
    assert two.endswith(" is too close to call") and "entrant-0" not in two
    equals = World([1.0, 1.0, 1.0]).play(2)
    assert equals.leader == "too close to call: no entrant is clearly behind the best"
    first, *others = clear.entrants
    many = replace(first, too_close=[f"other-{n}" for n in range(30)], ties=["entrant-1"])
    crowd = replace(clear, entrants=[many, *others, *others * 20]).leader
    assert crowd.endswith("; entrant-1 ties with it; 30 others are too close to call")
    tied = replace(first, ties=[one.strategy for one in others])
    assert replace(clear, entrants=[tied, *others]).leader == "all entrants tie with the best"


CIRCLE = [[0.5, 0.7, 0.3], [0.3, 0.5, 0.7], [0.7, 0.3, 0.5]]


def test_rock_paper_scissors_is_said_in_words_and_its_mix_is_even() -> None:
    world = World([1.0] * 3, beats=CIRCLE)
    found = world.play(4, with_mix=True)
    assert found.cycles == [
        "entrant-0 beats entrant-1, entrant-1 beats entrant-2, entrant-2 beats entrant-0: "
        "none of them is the best"
    ]
    # A share is the gap between the other two over the sum of all gaps; of 2,000 games each.
    error = sqrt(2 / 3) * 2 * sqrt(0.7 * 0.3 / 2000) / 1.2
    for one in found.entrants:
        assert one.mix is not None and one.mix.low < one.mix.value < one.mix.high
        assert abs(one.mix.value - 1 / 3) < LARGEST_Z * error
        # The largest of 200 normal deviates is 2.75 on the average.
        assert half_width(one.mix) == pytest.approx(2.75 * error, rel=0.4)
    assert found.mix is not None and found.mix.same_support > 0.9
    sentence = found.equilibrium
    assert sentence is not None and sentence.startswith("no single entrant can invade a mix of ")
    assert all(name in sentence for name in world.names)


def test_one_who_beats_everybody_is_the_mix_and_there_is_no_cycle() -> None:
    found = World([1.0, 2.0, 6.0]).play(4, with_mix=True)
    assert found.cycles == []
    shares = {one.strategy: one.mix.value for one in found.entrants if one.mix is not None}
    assert shares == {"entrant-2": 1.0, "entrant-1": 0.0, "entrant-0": 0.0}
    assert found.equilibrium is not None
    assert found.equilibrium.startswith("no single entrant can invade a table of entrant-2 alone")


def test_without_all_line_ups_there_is_no_mix() -> None:
    found = World([1.0, 2.0]).play(4)
    assert found.mix is None and found.equilibrium is None
    assert all(one.mix is None for one in found.entrants)


# ---- who never wins ----


def never() -> Standings:
    return World([0.0, 1.0, 2.0], 2, beats=[[0.5, 0, 0], [1, 0.5, 0.4], [1, 0.6, 0.5]]).play(6)


def test_one_who_never_wins_breaks_nothing() -> None:
    """It wins from its own copies only, so it may be weaker by any amount."""
    found = never()
    last = found.entrants[-1]
    assert last.strategy == "entrant-0" and last.not_told_apart == []
    assert last.rating.low == -inf and isfinite(last.rating.value) and last.rating.high < 1500
    assert last.win_rate.value == pytest.approx(1 / 6)
    assert [one.is_real for one in found.pairs if one.a == "entrant-0"] == [True, True]


def test_what_never_happened_is_not_certain_never_to_happen() -> None:
    """No win in 1,000 games each way: an interval has some width, as Wilson's does."""
    (pair,) = [one for one in never().pairs if (one.a, one.b) == ("entrant-0", "entrant-1")]
    assert pair.difference.value == -1 and pair.difference.n == GROUPS
    assert pair.difference.high > -1
