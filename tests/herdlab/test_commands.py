"""The table of commands: what is said there of each is so."""

import inspect
from importlib import import_module

import pytest
import typer

import herdlab
from herdlab.analysis.commands import COMMANDS, RESULTS
from herdlab.cli import app
from herdlab.commands.options import Shared
from tests.command_line import herdlab as run

SAID = {"seed": "seed", "rules": "rules", "threads": "threads", "time_limit": "time_limit"}
SAID |= {"plugin": "plugins", "out": "out", "cluster": "cluster"}
"""Shared options, and the arguments that they are of functions."""


def test_every_command_stands_in_help_with_its_own_example() -> None:
    told = run("--help").stdout
    for one in [one for one in COMMANDS.values() if one.is_typed]:
        assert f"herdlab {one.name} " in f"{one.example} "
        assert f"\n  {one.name} " in told and f"\n{one.group}:\n" in told
        assert " ".join(run(one.name, "--help").stdout.split()).endswith(one.example)


@pytest.mark.parametrize("name", [name for name, one in COMMANDS.items() if one.is_typed])
def test_a_command_has_the_options_that_it_is_said_to_have(name: str) -> None:
    one = COMMANDS[name]
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    takes = {parameter.name for parameter in command.params}
    assert set(one.options) <= takes
    stand_alone = [option.name for option in command.params if option.param_type_name == "argument"]
    assert stand_alone == list(one.positional) and takes == {*one.own, *one.options}
    if one.composer:
        function = inspect.signature(getattr(herdlab, name)).parameters
        for option, argument in SAID.items():
            if (name, option) != ("solve", "seed"):  # which it takes to be verified, and ignores
                assert (option in one.options) == (argument in function), option
        assert set(one.positional) <= set(function)
        own = takes - set(Shared.__dataclass_fields__) - {"readings"}
        assert own <= set(function), "arguments are called as options"


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_has_a_function_and_a_document(name: str) -> None:
    module, function = RESULTS[name].composer.rsplit(".", 1)
    assert callable(getattr(import_module(f"herdlab.analysis.{module}"), function))
    assert callable(getattr(herdlab, name))
