"""The picture of a sweep is drawn from its JSON."""

import json
from functools import cache
from typing import Any

import pytest

import herdlab
from herdlab.analysis.figures.parts.style import NARROW, PAPER, WIDE
from herdlab.analysis.figures.sweeps import sweep_drawing
from tests.analysis.figures import check_texts


@cache
def swept(*vary: str, metric: str = "win", strategy: str = "herder") -> dict[str, Any]:
    found = herdlab.sweep("herd", strategy, vary=list(vary), metric=metric, games=200)
    whole: dict[str, Any] = json.loads(json.dumps(found.as_json()))
    return whole


ALL = {
    "a curve": lambda: swept("keep_sheep=0:3:1"),
    "names": lambda: swept("dog=never,spare"),
    "a map": lambda: swept("keep_sheep=0:3:1", "dog=never,spare"),
    "rules": lambda: swept("rules.horse_price=2,3", metric="length", strategy="keeper"),
    "an event": lambda: swept("keep_sheep=0:2:1", metric="dogs_bought"),
}


@pytest.mark.parametrize("wide", [WIDE, PAPER, NARROW])
@pytest.mark.parametrize("which", ALL)
def test_all_words_can_be_read(which: str, wide: float) -> None:
    figure = sweep_drawing(ALL[which]()).draw(wide)
    check_texts(figure)
    assert figure.get_size_inches()[0] == wide


def test_rates_are_in_per_cent_and_the_values_those_of_the_json() -> None:
    whole = ALL["a curve"]()
    drawing = sweep_drawing(whole)
    axes = drawing.draw(WIDE).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("keep_sheep", "win rate, %")
    assert axes.lines[0].get_ydata() == pytest.approx([100 * p["value"] for p in whole["points"]])
    first = whole["points"][0]
    assert f"0: {100 * first['value']:.2f} ({100 * first['ci_low']:.2f} to" in drawing.alt


def test_the_title_is_what_came_of_it_without_intervals() -> None:
    whole = ALL["a curve"]()
    assert sweep_drawing(whole).title == f"herder: {whole['headline']}"
    best = f"best at keep_sheep={whole['best']['keep_sheep']}"
    assert whole["headline"].startswith(f"{best} (") and " %);" in whole["headline"]
    assert " %, " in whole["sentence"]
    old = {key: value for key, value in whole.items() if key != "headline"}
    assert sweep_drawing(old).title == f"herder: {whole['sentence']}"


def test_of_rules_alone_nothing_is_best() -> None:
    assert "ties with the lowest or is too close to call" in sweep_drawing(ALL["rules"]()).caption
    assert "ties with the best or is too close to call" in sweep_drawing(ALL["a curve"]()).caption


def test_without_a_best_nothing_is_marked() -> None:
    assert "too close" not in sweep_drawing(ALL["an event"]()).caption
