"""One rule for verdicts: the same interval and margin get the same verdict from everything."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from herdlab.analysis.exact.advise import ALIKE, CLEAR, UNSETTLED, Advice
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.forest import forest, tallied
from herdlab.analysis.figures.parts.style import BLUE, GREY, ORANGE, VERMILLION, WIDE
from herdlab.analysis.findings import POINTS, measured
from herdlab.analysis.questions import hostage_verdict
from herdlab.analysis.questions.advising import worded
from herdlab.analysis.questions.drawn import are_told_apart
from herdlab.analysis.questions.ways import Weighed
from herdlab.analysis.report.of_comparison import compose_readings
from herdlab.analysis.report.of_sweep import compose_sweep
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of, kind_of_wins
from herdlab.analysis.studies import standings as ranked
from herdlab.analysis.studies.compare import CompareRequest, compare
from herdlab.analysis.studies.readings import compare_readings
from herdlab.analysis.studies.seat_advantage import EqualPlayers, SeatAdvantages
from herdlab.analysis.studies.sweep import SweepRequest, sweep
from herdlab.analysis.studies.tune import OpponentResult
from herdlab.simcore.game import find_game
from tests.analysis.studies.test_standings import World

HERD = find_game("herd")
SCENE = Experiment(HERD, HERD.rules_type(), 0)
CASES = [
    (0.0030, 0.0015, Kind.TIE),  # its sign is settled, and it is too small to matter
    (-0.0030, 0.0015, Kind.TIE),
    (0.0000, 0.0049, Kind.TIE),
    (0.0300, 0.0100, Kind.HIGHER),
    (-0.0300, 0.0100, Kind.LOWER),
    (0.0060, 0.0055, Kind.HIGHER),  # above 0, and not inside the margin
    (-0.0060, 0.0055, Kind.LOWER),
    (0.0030, 0.0040, Kind.OPEN),
    (0.0000, 0.0500, Kind.OPEN),
    (-0.0020, 0.0100, Kind.OPEN),
]
TURNED = {Kind.HIGHER: Kind.LOWER, Kind.LOWER: Kind.HIGHER}


def estimate(value: float, half: float) -> Estimate:
    return Estimate(value, value - half, value + half, 1000)


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]:+.3f} ± {case[1]:.4f}")
def case(request: pytest.FixtureRequest) -> tuple[Estimate, Kind]:
    value, half, kind = request.param
    return estimate(value, half), kind


@pytest.fixture
def measure(monkeypatch: pytest.MonkeyPatch) -> Callable[[Estimate], None]:
    """Let every paired difference come out as said."""

    def set_to(one: Estimate) -> None:
        monkeypatch.setattr(PairedEstimates, "difference", lambda *_, **__: one)

    return set_to


def test_the_rule(case: tuple[Estimate, Kind]) -> None:
    one, kind = case
    assert kind_of_wins(one) == kind_of(one, MARGIN_OF_WIN) == kind
    turned = Estimate(-one.value, -one.high, -one.low, one.n)
    assert kind_of_wins(turned) == TURNED.get(kind, kind)
    sign = Kind.HIGHER if one.low > 0 else Kind.LOWER if one.high < 0 else Kind.OPEN
    assert kind_of(one) == sign  # without a margin there are no ties


def test_a_run_that_decides_stops_at_the_same_deals() -> None:
    """What excludes 0, or lies inside the margin, is settled, whatever it is then called."""
    rng = np.random.default_rng(0)
    for value, half in zip(rng.normal(0, 0.01, 2000), rng.exponential(0.01, 2000), strict=True):
        one = estimate(float(value), float(half))
        was = one.low > 0 or one.high < 0 or max(-one.low, one.high) < MARGIN_OF_WIN
        assert (kind_of_wins(one) != Kind.OPEN) == was


def test_compare_and_readings(case: tuple[Estimate, Kind], measure: Any) -> None:
    one, kind = case
    measure(one)
    request = CompareRequest(SCENE, "keeper", "climber", deals=100)
    found = compare(request)
    assert found.kind == found.outcome == kind == found.as_json()["kind"]
    assert found.is_settled == (kind != Kind.OPEN) == (found.more is None)
    begins = {
        Kind.HIGHER: "keeper wins more often than climber",
        Kind.LOWER: "climber wins more often than keeper",
        Kind.TIE: "a tie: ",
        Kind.OPEN: "too close to call: ",
    }
    assert found.verdict.startswith(begins[kind])
    again = compare_readings(request)
    assert {row.finding for row in again.rows} == {kind}
    whole = again.as_json()
    assert {row["kind"] for row in whole["readings"]} == {kind}
    figure = compose_readings(whole).sections[0].parts[0]
    assert isinstance(figure, Drawing)
    does = {
        Kind.HIGHER: "keeper wins more than climber in all 5 readings",
        Kind.LOWER: "keeper wins less than climber in all 5 readings",
        Kind.TIE: "keeper is a tie in all 5 readings",
        Kind.OPEN: "keeper: none of 5 readings is clear",
    }
    assert figure.title == does[kind]


def test_another_margin_decides_where_it_is_given(measure: Any) -> None:
    measure(estimate(0.0030, 0.0015))
    request = CompareRequest(SCENE, "keeper", "climber", deals=100, margin=0.001)
    assert compare(request).kind == Kind.HIGHER
    assert compare(replace(request, margin=0.01)).kind == Kind.TIE
    length = CompareRequest(SCENE, "keeper", "climber", deals=100, metric="length")
    assert compare(length).kind == Kind.HIGHER  # no margin, no tie


def test_sweep_and_its_report(case: tuple[Estimate, Kind], measure: Any) -> None:
    one, kind = case
    measure(one)
    found = sweep(SweepRequest(SCENE, "herder", ("keep_sheep=1,2",), deals=100))
    (other,) = [point for place, point in enumerate(found.measured) if place != found.best]
    assert other.kind == kind == other.as_json()["kind"]
    assert other.in_region == (kind in (Kind.TIE, Kind.OPEN))
    table = compose_sweep(found.as_json()).sections[0].parts[1]
    cells = {row[0].text: row[-1].text for row in table.rows}  # type: ignore[union-attr]
    words = {Kind.TIE: "tie", Kind.OPEN: "too close to call"}
    assert cells[other.values["keep_sheep"]] == words.get(kind, kind)


def test_tournament(case: tuple[Estimate, Kind], monkeypatch: pytest.MonkeyPatch) -> None:
    one, kind = case
    is_real = one.low > 0 or one.high < 0
    monkeypatch.setattr(ranked._Sample, "difference", lambda *_: one)
    monkeypatch.setattr(ranked, "_holm", lambda gaps, *_: np.full(gaps.shape[1], is_real))
    found = World([1.0, 1.0]).play(0)
    (pair,) = found.pairs
    assert pair.kind == kind and pair.is_real == (kind in TURNED)
    first, second = found.entrants
    assert first.ties == ([second.strategy] if kind == Kind.TIE else [])
    assert first.too_close == ([second.strategy] if kind == Kind.OPEN else [])


def test_seats(case: tuple[Estimate, Kind]) -> None:
    one, kind = case
    assert SeatAdvantages(EqualPlayers(SCENE, "keeper", 2), 0.5, [one, one], 1).kinds == [
        kind,
        kind,
    ]


def test_ways_to_play(case: tuple[Estimate, Kind]) -> None:
    one, kind = case
    found = Weighed(("a", "b"), (0.5, 0.4), 1000, {("a", "b"): one}, frozenset()).ranking()
    places = {Kind.TIE: found.best[1:], Kind.HIGHER: found.worse}
    assert places.get(kind, found.unsettled) == ("b",)
    words = {
        Kind.HIGHER: "more often",
        Kind.LOWER: "less often",
        Kind.TIE: "makes no difference",
        Kind.OPEN: "may be worth anything",
    }
    assert words[kind] in worded(one)


def test_hostages(case: tuple[Estimate, Kind]) -> None:
    one, kind = case
    does = {
        Kind.HIGHER: hostage_verdict.PAYS,
        Kind.LOWER: hostage_verdict.COSTS,
        Kind.TIE: hostage_verdict.NOTHING,
    }
    assert hostage_verdict.state(one) == does.get(kind, hostage_verdict.OPEN)


def test_figures(case: tuple[Estimate, Kind]) -> None:
    one, kind = case
    rows, margin = [measured("", "a row", one, POINTS)], 100 * MARGIN_OF_WIN
    axes = forest(rows, WIDE, x_label="x", above="more", below="less", margin=margin).axes[0]
    (mark,) = [line for line in axes.lines if line.get_marker() not in ("", "None")]
    colours = {Kind.HIGHER: BLUE, Kind.LOWER: VERMILLION, Kind.TIE: ORANGE, Kind.OPEN: GREY}
    assert mark.get_color() == colours[kind]
    does = {Kind.HIGHER: "wins more", Kind.LOWER: "wins less", Kind.TIE: "is a tie"}
    assert does.get(kind, "none of 1 cases is clear") in tallied(rows, "It", margin=margin)
    assert are_told_apart(rows) == (kind in TURNED)


@cache
def advised() -> Advice:
    import herdlab

    return herdlab.advise("herd", "rabbits=6,sheep=2,pigs=1", games=200)


def test_advice(case: tuple[Estimate, Kind]) -> None:
    """The best move compared with the next; that the next is clearly better settles nothing."""
    one, kind = case
    first, second = (replace(valued, behind=None) for valued in advised().moves[:2])
    found = replace(advised(), moves=[first, replace(second, behind=one)])
    wanted = {Kind.HIGHER: CLEAR, Kind.TIE: ALIKE, Kind.OPEN: UNSETTLED}
    if kind in wanted:
        assert found.kind == wanted[kind]
    else:
        assert found.kind != CLEAR


def test_tune(case: tuple[Estimate, Kind]) -> None:
    one, kind = case
    found = OpponentResult("keeper", one, one, is_same=False, alone=one)
    assert found.kind == kind
    words = {Kind.HIGHER: "beats", Kind.LOWER: "does worse than", Kind.TIE: "ties with"}
    assert found.words == words.get(kind, "is too close to call with")
