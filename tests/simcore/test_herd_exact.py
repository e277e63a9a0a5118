"""The exact solo game against figures of others, a plain-Python solver, and Monte Carlo."""

import json
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from herdlab.simcore.batch import Bout, simulate, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd import exact
from herdlab.simcore.herd.rules import HerdRules
from herdlab.simcore.sums import LENGTH, Sums
from herdlab.strategies.herd import solved
from herdlab.strategies.plugins import BUILT_IN
from herdlab.strategies.registry import load_plugin, read_line_up, seat_players, strategies_of
from tests.reference import herd_solo as reference
from tests.simcore.herd.harness import HERD
from tests.statistics import FALSE_ALARM, LARGEST_Z, chi_square_p, z_of_mean

FIGURES = json.loads(
    (Path(reference.__file__).parent / "solo_figures.json").read_text(encoding="utf-8")
)["figures"]
PUBLISHED = [
    # strategy, settings, mean and sd of the turns: exact_solo of the figures the project was given
    ("climber", {}, 45.2313335842, 21.6073696912),
    ("keeper", {}, 18.544307624, 5.2553878374),
    ("keeper-dog", {"horse_price": 3}, 21.969493667, 5.8300679279),
]
SMALL: dict[str, Any] = {"max_rabbits": 6, "sheep": 4, "pigs": 3, "cows": 3, "horses": 1}
ODD_RULES: dict[str, dict[str, Any]] = {
    "few tiles": {},
    "T cancels, dear horse": {"t_cancels": True, "horse_price": 3},
    "parent game": {"dice": "super-farmer", "first_game": True},
    "all on both dice": {"wolf_die": "3R2SPCHWKTD", "fox_die": "3R2SPCHFWKT"},
    "all on both dice, T cancels, wolf takes two": {
        "wolf_die": "3R2SPCHWKTD",
        "fox_die": "3R2SPCHFWKT",
        "t_cancels": True,
        "wolf_pair_loses": 2,
    },
    "no T, two wolves": {"wolf_die": "4R3SPC2WK", "wolf_pair_loses": 2},
    "T on both dice": {"wolf_die": "2T3R2S2P2CW", "fox_die": "3R2S2PH2T2F"},
    "no dogs allowed": {"max_dogs": 0},
    "two horses": {
        "max_horses": 2,
        "horses": 3,
        "wolf_die": "4R2SPCHWKT",
        "fox_die": "4R2S2P2HFD",
    },
    "other prices": {
        "rabbits_for_sheep": 3,
        "sheep_for_pig": 3,
        "pigs_for_cow": 1,
        "horse_price": 1,
    },
    "many specials": {"wolf_die": "2R2SPC2W2D2T", "fox_die": "2R2S2PHFWDTK"},
    "a rabbit traded away never returns": {"fox_die": "7S2PHFD"},
    "a sheep traded away never returns": {
        "rabbits_for_sheep": 13,
        "first_game": True,
        "wolf_die": "5R3S2PCT",
        "fox_die": "6R2P2HFD",
    },
    "rabbits buy nothing": {
        "max_rabbits": 3,
        "wolf_die": "3R4S2PCWT",
        "fox_die": "3R4S2PHFD",
    },
    "doubles upon doubles": {"wolf_die": "9RSWT", "fox_die": "9RSFD"},
    "two dogs": {"max_dogs": 2, "dogs": 3},
    "fewer rabbits than the limit": {"rabbits": 5, "dogs": 1},
    "nothing is ever lost": {"wolf_die": "5R3SPCKT", "fox_die": "5R2S2PHKT", "skunks": 0},
}
HOPELESS: dict[str, dict[str, Any]] = {
    "no horses": {"horses": 0},
    "too few cows for a horse": {"cows": 1, "fox_die": "4R2S2PHCFD"},
}
GAMES = 20_000


def rules_of(settings: dict[str, Any]) -> HerdRules:
    return HerdRules.from_settings(settings)


def plain(rules: HerdRules) -> reference.SoloRules:
    """Return the rules as the reference has them."""
    fields = reference.SoloRules.__dataclass_fields__
    return reference.SoloRules(**{key: getattr(rules, key) for key in fields})


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everything be worked out anew, and leave nothing behind."""
    monkeypatch.setattr(solved, "_kept", lambda name, make: make())
    monkeypatch.setattr(solved, "_optima", {})


# FIGURES OF OTHERS
@pytest.mark.parametrize(("name", "settings", "mean", "sd"), PUBLISHED)
def test_the_published_figures(name: str, settings: dict[str, Any], mean: float, sd: float) -> None:
    found = solved.solo(rules_of(settings), name)
    assert (found.mean, found.sd) == pytest.approx((mean, sd), abs=2e-10)


def _marked(entries: list[dict[str, Any]]) -> Iterator[Any]:
    """Name each entry; mark as slow what is neither of the default rules nor keeper's."""
    for entry in entries:
        name = f"{entry['strategy']} {entry['set']} {entry['dogs']}"
        is_quick = entry["dogs"] == "sold" and (not entry["set"] or entry["strategy"] == "keeper")
        yield pytest.param(entry, id=name, marks=[] if is_quick else [pytest.mark.slow])


@pytest.mark.parametrize("entry", list(_marked(FIGURES)))
def test_the_figures_of_the_reference(entry: dict[str, Any]) -> None:
    rules, dogs = rules_of(entry["set"]), entry["dogs"]
    name = "optimal" if entry["strategy"] == "optimum" else entry["strategy"]
    found = solved.solo(rules, name, dogs)
    if entry["mean_turns"] is None:
        assert found.mean is None and found.sd is None
        return
    assert found.mean == pytest.approx(entry["mean_turns"], abs=1e-8)
    assert found.sd == pytest.approx(entry["sd_turns"], abs=1e-7)
    if entry["strategy"] == "optimum":
        fastest = solved.optimum(rules, dogs)
        assert fastest.mean == pytest.approx(entry["fewest_turns"], abs=1e-8)
        for place in entry["places"]:
            turns = fastest.turns(place["herd"], place["phase"], t_in_force=place["t_in_force"])
            assert turns == pytest.approx(place["turns"], abs=1e-8), place


# THE REFERENCE, LIVE
def differ(found: npt.NDArray[np.float64], expected: list[float]) -> float:
    """Return by how much two distributions differ anywhere."""
    longer = max(len(found), len(expected))
    a, b = (np.pad(np.asarray(one), (0, longer - len(one))) for one in (found, expected))
    return float(np.abs(a - b).max(initial=0.0))


def _live() -> Iterator[Any]:
    """Give every set of odd rules one way to have dogs, and two anchors."""
    for number, (words, settings) in enumerate(ODD_RULES.items()):
        names = ("keeper-dog", ("climber", "hermit", "dog-first", "keeper")[number % 4])
        yield pytest.param(settings, reference.DOGS[number // 2 % 3], names, id=words)


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize(("settings", "dogs", "names"), list(_live()))
def test_whole_distributions_and_the_optimum_under_odd_rules(
    settings: dict[str, Any], dogs: str, names: tuple[str, ...]
) -> None:
    rules, means = rules_of({**SMALL, **settings}), []
    for name in names:
        expected = reference.distribution(plain(rules), reference.ANCHORS[name], dogs=dogs)
        found = solved.solo(rules, name, dogs)
        assert differ(found.distribution, expected) < 1e-12, name
        assert (found.mean is None) == (reference.moments(expected) is None), name
        means.append(found.mean)
    fewest, fastest = reference.Optimum(plain(rules), dogs), solved.optimum(rules, dogs)
    herds = [fewest.box.herds[place] for place in np.flatnonzero(~fewest.box.is_complete)]
    for phase, t in (("before", False), ("roll", False), ("after", False), ("after", True)):
        expected = [fewest.turns(herd, phase, t) for herd in herds]
        turns = [fastest.turns(herd, phase, t_in_force=t) for herd in herds]
        np.testing.assert_allclose(turns, expected, rtol=0, atol=1e-8, err_msg=f"{phase} {t}")
    assert all(mean is None or fastest.mean < mean + 1e-8 for mean in means)


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("settings", HOPELESS.values(), ids=HOPELESS)
def test_rules_under_which_nobody_finishes(settings: dict[str, Any]) -> None:
    rules = rules_of({**SMALL, **settings})
    fewest, fastest = reference.Optimum(plain(rules)), solved.optimum(rules)
    assert fewest.turns((1, 0, 0, 0, 0, 0)) == fastest.mean == inf
    herds = [fewest.box.herds[place] for place in np.flatnonzero(~fewest.box.is_complete)]
    turns = [fastest.turns(herd) for herd in herds]  # some may have what is missing
    np.testing.assert_allclose(turns, [fewest.turns(herd) for herd in herds], rtol=0, atol=1e-8)
    for name in reference.ANCHORS:
        assert not any(reference.distribution(plain(rules), reference.ANCHORS[name]))
        assert solved.solo(rules, name).mean is None
    assert solved.solo(rules, "optimal").sentence == "never finishes"


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_kept")
def test_a_very_long_game() -> None:
    """Wolves and foxes on most faces: the fastest play takes 366 turns."""
    rules = rules_of({**SMALL, "wolf_die": "2RSPC7W", "fox_die": "2RSPH7F"})
    fewest = reference.Optimum(plain(rules)).turns((1, 0, 0, 0, 0, 0))
    assert fewest == pytest.approx(366.389213711, abs=1e-8)
    assert solved.optimum(rules).mean == pytest.approx(fewest, abs=1e-8)


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("start", [(0, 2, 0, 0, 1, 0), (5, 4, 3, 3, 0, 0), (6, 0, 0, 0, 0, 1)])
def test_another_start(start: tuple[int, ...]) -> None:
    rules = rules_of(SMALL)
    for name in ("climber", "dog-first"):
        expected = reference.distribution(plain(rules), reference.ANCHORS[name], start)
        assert differ(solved.solo(rules, name, start=start).distribution, expected) < 1e-12


@pytest.mark.usefixtures("nothing_kept")
def test_another_reading_gives_other_figures() -> None:
    """What the comparisons above would show if a clause were read in another way."""
    expected = reference.distribution(plain(rules_of(SMALL)), reference.ANCHORS["keeper-dog"])
    for other in ({"wolf_pair_loses": 2}, {"t_cancels": True}, {"max_dogs": 0}):
        found = solved.solo(rules_of({**SMALL, **other}), "keeper-dog")
        assert differ(found.distribution, expected) > 1e-5, other


# MONTE CARLO
def solvable() -> list[str]:
    """Return every registered strategy that can be solved as it is."""
    names = []
    for name, one in strategies_of(HERD).items():
        values = read_line_up(HERD, name)[0][2]
        if one.source == BUILT_IN and one.deterministic(one.written(values)):
            names.append(name)
    return names


def played(rules: HerdRules, name: str, games: int, seed: int) -> Sums:
    """Play games alone."""
    bout = Bout(HERD, rules, seat_players(HERD, rules, name), stream_seeds(seed))
    sums: Sums = simulate(bout.sums, Sums(1), range(games))
    return sums


def z_of_turns(sums: Sums, expected: exact.Solo) -> float:
    """Return how many standard errors the mean lies from the exact one."""
    assert expected.mean is not None and expected.sd is not None
    return z_of_mean(sums.totals[LENGTH] / sums.games, expected.sd, sums.games, expected.mean)


def p_of_lengths(sums: Sums, expected: exact.Solo) -> float:
    """Return the chance of lengths at least as far from the exact distribution as these.

    Lengths of which there should be less than ten are counted together with longer ones, those at
    the end with the ones before.
    """
    chances = expected.distribution
    counts = np.zeros(len(chances))
    counts[: len(sums.lengths) - 1] = sums.lengths[1 : len(chances) + 1]
    edges, so_far = [0], 0.0
    for turn, chance in enumerate(chances):
        so_far += chance * sums.games
        if so_far >= 10 and chances[turn + 1 :].sum() * sums.games >= 10:
            edges.append(turn + 1)
            so_far = 0.0
    expect = np.add.reduceat(chances, edges) * sums.games
    return chi_square_p(np.add.reduceat(counts, edges), [float(one) for one in expect])


def _who_finish() -> list[Any]:
    """Return the strategies that finish; the tables of racer take their time."""
    slow = [pytest.param("racer", marks=pytest.mark.slow)]
    return slow + [name for name in solvable() if name not in ("hermit", "racer")]


@pytest.mark.parametrize("name", _who_finish())
def test_monte_carlo_agrees_for_every_deterministic_strategy(name: str) -> None:
    """Each of the two checks has a false alarm about once in 1.7 million."""
    rules = HerdRules()
    expected = solved.solo(rules, name)
    sums = played(rules, name, GAMES, seed=11)
    assert sums.unfinished == 0
    assert expected.mean is not None and expected.mean > solved.optimum(rules).mean - 1e-9
    assert abs(z_of_turns(sums, expected)) < LARGEST_Z
    assert p_of_lengths(sums, expected) > FALSE_ALARM


def test_hermit_never_finishes_a_game_either() -> None:
    sums = played(rules_of({"max_turns": 500}), "hermit", 200, seed=11)
    assert sums.unfinished == 200


FAULTS = [
    # whose games, by which other reading, how many; the exact means differ by so many errors:
    ("keeper", {"horse_price": 3}, GAMES),  # 65
    ("keeper", {"max_dogs": 0}, GAMES),  # 29
    ("keeper-dog", {"max_dogs": 0}, GAMES),  # 3, but the lengths are others
    ("keeper", {"wolf_pair_loses": 2}, 1_000_000),  # 11
    pytest.param("keeper", {"t_cancels": True}, 6_000_000, marks=pytest.mark.slow),  # 10
]


@pytest.mark.parametrize(("name", "other", "games"), FAULTS)
def test_monte_carlo_would_show_a_known_fault(name: str, other: dict[str, Any], games: int) -> None:
    """Games by another reading than the solver's do not agree with it, its own do."""
    expected = solved.solo(HerdRules(), name)

    def agrees(settings: dict[str, Any]) -> bool:
        sums = played(rules_of(settings), name, games, seed=13)
        is_near = abs(z_of_turns(sums, expected)) < LARGEST_Z
        return is_near and p_of_lengths(sums, expected) > FALSE_ALARM

    assert agrees({}) and not agrees(other)


def test_the_right_mean_with_the_wrong_lengths_is_shown() -> None:
    """Lengths that are all near the mean pass its check and fail the other."""
    expected = solved.solo(HerdRules(), "keeper")
    sums = played(HerdRules(), "keeper", GAMES, seed=11)
    sums.lengths = [0] * 18 + [9_114, 10_886]
    sums.totals[LENGTH] = 18 * 9_114 + 19 * 10_886
    assert abs(z_of_turns(sums, expected)) < LARGEST_Z
    assert p_of_lengths(sums, expected) < FALSE_ALARM


# THE FASTEST PLAY
OTHER_RULES = [
    {"dice": "super-farmer"},
    {"t_cancels": True},
    {"wolf_pair_loses": 2},
    {"horse_price": 3},
]


@pytest.mark.parametrize(
    "settings", [{}, *(pytest.param(other, marks=pytest.mark.slow) for other in OTHER_RULES)]
)
def test_nobody_is_faster_than_the_optimum(settings: dict[str, Any]) -> None:
    rules = rules_of(settings)
    fewest = solved.optimum(rules).mean
    means = {name: solved.solo(rules, name).mean for name in solvable() if name != "racer"}
    assert means["hermit"] is None
    assert all(mean is None or fewest <= mean + 1e-9 for mean in means.values()), means
    assert means["optimal"] == pytest.approx(fewest, abs=1e-8)


# BAD INPUT
def test_a_strategy_that_draws_luck_is_refused() -> None:
    with pytest.raises(BadInput, match="'random' cannot be solved: it draws luck"):
        solved.solo(HerdRules(), "random")


@pytest.fixture
def plug_in(tmp_path: Path, own_registry: None) -> Callable[[str], None]:
    """Return a function that loads the plug-in `mine` with promises, for this test alone."""

    def load(promises: str) -> None:
        path = tmp_path / "plugin.py"
        path.write_text(
            "from herdlab.strategies import strategy\n\n"
            f'@strategy("herd", "mine", {promises})\n'
            "def mine(decision, view, me):\n"
            '    """Never trades."""\n'
            "    return 0\n"
        )
        load_plugin(path)

    return load


def test_a_plug_in_with_a_notebook_is_refused(plug_in: Callable[[str], None]) -> None:
    plug_in("deterministic=True, notebook=2")
    with pytest.raises(BadInput, match="'mine' cannot be solved: it keeps a notebook"):
        solved.solo(HerdRules(), "mine")


def test_a_plug_in_that_promises_nothing_is_refused(plug_in: Callable[[str], None]) -> None:
    plug_in("notebook=0")
    with pytest.raises(BadInput, match="'mine' .* does not declare that it is deterministic"):
        solved.solo(HerdRules(), "mine")


def test_a_plug_in_is_solved(plug_in: Callable[[str], None]) -> None:
    plug_in("deterministic=True")
    rules = rules_of({**SMALL, "wolf_die": "3R2S2P3CHW", "fox_die": "3R2S2P3C2H"})
    expected = reference.distribution(plain(rules), reference.ANCHORS["hermit"])
    found = solved.solo(rules, "mine")
    assert found.mean is not None and differ(found.distribution, expected) < 1e-12


@pytest.mark.parametrize("dogs", reference.DOGS)
def test_a_hermit_never_finishes(dogs: str) -> None:
    found = solved.solo(HerdRules(), "hermit", dogs)
    assert (found.mean, found.sd, found.sentence) == (None, None, "never finishes")
    assert not found.distribution.any()


def test_an_unknown_way_to_have_dogs_is_refused() -> None:
    with pytest.raises(BadInput, match="dogs"):
        solved.solo(HerdRules(), "keeper", "free")
