"""herdlab from Python: what is public, what functions take, and that commands print the same."""

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import herdlab
from herdlab import api
from herdlab.analysis.catalogue import Listing
from herdlab.analysis.runs.run_options import OPTIONS
from herdlab.analysis.studies import bench
from herdlab.simcore.errors import BadInput
from tests.children import ROOT
from tests.command_line import result_of

FUNCTIONS = [name for name in dir(herdlab) if name != "BadInput"]
NO_PLAY = {"games", "questions", "report", "rows", "rules", "strategies", "bench"}


def test_only_what_is_public_is_shown() -> None:
    assert dir(herdlab) == sorted(api.__all__) and "simulate" in dir(herdlab)
    everything: dict[str, Any] = {}
    exec("from herdlab import *", everything)
    assert set(everything) - {"__builtins__"} == set(api.__all__)
    with pytest.raises(AttributeError, match="'herdlab' has no attribute 'simulat'"):
        getattr(herdlab, "simulat")  # noqa: B009 (mypy would say so too)


def test_types_are_shipped() -> None:
    assert (ROOT / "herdlab" / "py.typed").exists()
    assert 'herdlab = ["py.typed"]' in (ROOT / "pyproject.toml").read_text()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_is_visible(name: str) -> None:
    function = getattr(herdlab, name)
    signature = inspect.signature(function)
    assert function.__doc__ and "Plan" not in str(signature.return_annotation)
    assert not any(one.kind is one.VAR_KEYWORD for one in signature.parameters.values())
    if name not in NO_PLAY:
        assert {"time_limit", "prepare"} <= set(signature.parameters)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_nobody_takes_is_refused_as_python_does(name: str) -> None:
    with pytest.raises(
        TypeError, match=rf"({name}|__call__)\(\) (got an unexpected keyword|missing \d req)"
    ):
        getattr(herdlab, name)("herd", gamse=3)


@pytest.mark.parametrize("games", [1e3, np.int64(1000), np.float64(1e3)])
def test_numbers_of_games_may_be_written_as_floats(games: float) -> None:
    found = herdlab.simulate("herd", ["keeper", "random"], games=games, seed=2.0)
    assert found.as_json()["arguments"]["games"] == 1000
    same = herdlab.simulate("herd", "keeper,random", games=1000, seed=2).as_json()["seats"]
    assert found.as_json()["seats"] == same


@pytest.mark.parametrize("games", [2.5, float("nan"), float("inf"), "many", None])
def test_numbers_that_are_not_whole_are_refused(games: Any) -> None:
    with pytest.raises(BadInput, match="the number of games must be a whole number, and got"):
        herdlab.luck("herd", "keeper,random", games=games)
    with pytest.raises(BadInput, match="size must be a whole number"):
        herdlab.tournament("herd", "keeper,random", 2.5)


def test_strategies_is_a_function_and_a_folder() -> None:
    from herdlab.strategies import registry

    assert herdlab.strategies.registry is registry  # type: ignore[attr-defined]
    assert "keeper" in herdlab.strategies("herd")
    (one,) = herdlab.strategies("herd", "Keeper").rows()
    assert one["name"] == "keeper" and one["parameters"]["keep_sheep"] == "1"


LISTINGS: dict[str, Callable[[], Listing]] = {
    "games": herdlab.games,
    "ask": herdlab.questions,
    "strategies herd": lambda: herdlab.strategies("herd"),
    "strategies swap shedder": lambda: herdlab.strategies("swap", "shedder"),
    "rules herd --set horse_price=3": lambda: herdlab.rules("herd", rules={"horse_price": 3}),
    "trace herd -p keeper,random --seed 7 --game 3": lambda: herdlab.trace(
        "herd", ["keeper", "random"], seed=7, number=3
    ),
}


@pytest.mark.usefixtures("own_registry")
@pytest.mark.parametrize("line", LISTINGS)
def test_commands_print_what_functions_return(line: str) -> None:
    found = LISTINGS[line]()
    assert json.loads(json.dumps(found.as_json())) == result_of(*line.split())
    assert repr(found).startswith(f"<{type(found).__name__}: ") and "\n" not in repr(found)
    assert len(found.frame()) == len(found.rows()) > 0
    assert "<table" in found._repr_html_()


def test_speeds_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = bench.benchmarks()[1:2]
    monkeypatch.setattr(bench, "benchmarks", lambda: tables)
    monkeypatch.setattr(bench, "_ROUND_SECONDS", 0.001)
    steps: list[str] = []
    found = herdlab.bench(quick=True, on_step=steps.append)
    assert found.as_json()["cold_start_s"] is None and "chain step" in repr(found)
    assert {row["game"] for row in found.rows()} == {"herd"} and len(steps) == 1


def test_a_result_is_verified_in_every_form(tmp_path: Path) -> None:
    found = herdlab.compare("herd", "keeper", "climber", games=200)
    file = tmp_path / "result.json"
    file.write_text(json.dumps(found.as_json()))
    for given in (found, found.as_json(), file, str(file)):
        checked = herdlab.verify(given, threads=1)
        assert (
            checked.holds and checked.rows() == [] and "every number is the same" in repr(checked)
        )
    changed = {**found.as_json(), "difference": 0.0, "seed": 1}
    checked = herdlab.verify(changed)
    assert not checked.holds and "does not hold" in checked.headline
    told = checked.as_json()
    assert told["holds"] is False and len(told["differences"]) == len(checked.differences) > 1


def test_line_ups_are_texts_in_results_and_blanks_in_them_do_not_matter() -> None:
    whole = herdlab.luck("herd", ["Keeper", "random"], games=200).as_json()
    assert whole["arguments"]["players"] == "keeper,random"
    whole["arguments"]["players"] = "keeper, random"  # as an earlier version wrote it
    assert herdlab.verify(whole).holds
    with pytest.raises(BadInput, match="two commas in a row in 'keeper,,random'"):
        herdlab.luck("herd", "keeper,,random")


@pytest.mark.usefixtures("own_registry")
def test_a_result_of_a_plug_in_is_verified_with_it() -> None:
    plugin = ROOT / "examples" / "patient_farmer.py"
    found = herdlab.simulate("herd", "patient-farmer,keeper", games=50, plugins=[plugin])
    assert herdlab.verify(found, plugins=[plugin]).holds
    with pytest.raises(BadInput, match="give it with --plugin"):
        herdlab.verify(found)


def test_options_of_all_functions_are_called_alike() -> None:
    for name in FUNCTIONS:
        given = inspect.signature(getattr(herdlab, name)).parameters
        shared = [key for key in given if key in OPTIONS]
        if name not in ("rules", "strategies"):
            assert all(given[key].kind is given[key].KEYWORD_ONLY for key in shared), name
