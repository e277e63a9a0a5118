"""A command as it is declared: from its options to what a function of herdlab finds and prints."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from herdlab.analysis.commands import COMMANDS, Command
from herdlab.commands.messages import load_engine, print_json, progress, say
from herdlab.commands.options import Shared, parameter
from herdlab.commands.stopping import EXIT_INTERRUPTED, telling
from herdlab.simcore.errors import BadInput
from herdlab.simcore.reading import real_path


def made(name: str, own: Callable[..., None] | None) -> Callable[..., None]:
    """Make a command, as it is declared, of its `own` function or of herdlab's that answers it."""
    declared = COMMANDS[name]
    parameters = [parameter(name, one) for one in declared.own]
    parameters += [
        parameter(name, one.name) for one in fields(Shared) if one.name in declared.options
    ]

    def run(**given: Any) -> None:
        mine = {key: given.pop(key) for key in declared.own}
        shared = Shared(**given)
        if own is None:
            _answer(declared, mine, shared)
        else:
            own(**mine, shared=shared)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run


def _answer(declared: Command, given: dict[str, Any], shared: Shared) -> None:
    """Answer a command with what a function of herdlab finds."""
    import herdlab

    _check_together(given, shared)
    name = "readings" if given.pop("readings", False) else declared.name
    if name == "ask" and given["question"] is None:
        name = "questions"
    function, now = getattr(herdlab, name), [""]
    if shared.out is not None:
        keep_out(shared.out, shared.written)
    arguments = shared.given(function, given)
    if "on_step" in inspect.signature(function).parameters:
        arguments["on_step"] = now.append
    try:
        tell(function, arguments, declared.unit, shared, title=lambda: now[-1])
    except typer.Exit as end:
        if end.exit_code == EXIT_INTERRUPTED and name == "ask" and not given["quick"]:
            say("--quick gives a rough answer within seconds")
        raise


def _check_together(given: Mapping[str, Any], shared: Shared) -> None:
    """Refuse options that say nothing beside each other, or one without another."""
    if given.get("rows") and shared.out is None:
        raise BadInput("--rows needs --out DIR, where the rows are kept")
    if given.get("quick") and given.get("max_games") is not None:
        raise BadInput(
            "--quick and --max-games do not go together: a quick answer plays a small, fixed number"
        )
    if "games" not in given:
        return
    stops_by = "--decide" if given.get("decide") else None
    stops_by = "--precision" if given.get("precision") is not None else stops_by
    if given["games"] is not None and stops_by is not None:
        raise BadInput(f"--games and {stops_by} do not go together; --max-games limits the latter")
    if given.get("max_games") is not None and stops_by is None:
        raise BadInput("--max-games limits a run that stops by what it sees; --games says how many")


def keep_out(folder: Path, files: Sequence[Path]) -> None:
    """Refuse to write anything of one's own into a run folder, which would be damaged then."""
    for file in files:
        if real_path(folder) in real_path(file).parents:
            raise BadInput(f"'{file}' is in the run folder '{folder}': write it elsewhere")


def tell(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    unit: str,
    shared: Shared,
    title: Callable[[], str] | None = None,
) -> None:
    """Find something out, save it where asked to, and print it.

    Files come first: whoever reads only the head of what is printed wants them too.
    """
    from herdlab.analysis.experiment import Interrupted

    takes = inspect.signature(function).parameters
    if "prepare" not in takes:  # it plays nothing, and what it lists is no result
        shared = Shared(json=shared.json)
    _check_files(shared)
    stopped = None
    try:
        with progress(unit, title) as advance:
            hears = {"on_progress": advance, "prepare": load_engine}
            heard = {key: one for key, one in hears.items() if key in takes}
            result = function(**arguments, **heard)
    except Interrupted as interrupted:
        telling()
        stopped, result = interrupted, interrupted.so_far
    except KeyboardInterrupt:
        if not unit:
            raise
        telling()
        result = None
    goes_on = f"; go on with: {stopped.resume}" if stopped and stopped.resume else ""
    if result is None:
        say(f"interrupted before there was anything to tell{goes_on}")
        raise typer.Exit(EXIT_INTERRUPTED)
    _write_files(result, shared)
    try:
        if shared.json:
            print_json(result.as_json())
        else:
            from herdlab.analysis.terminal.show_result import show_result

            show_result(result)
    finally:  # also where only the head of it was read
        for path in dict.fromkeys(shared.written):
            say(f"wrote {path}")
    if stopped is not None:
        part = "this is a part of what was asked for"
        if stopped.again:
            part = f"the same command with {stopped.again} prints exactly this"
        say(f"interrupted; {goes_on.removeprefix('; ') or part}")
        raise typer.Exit(EXIT_INTERRUPTED)


def _check_files(shared: Shared) -> None:
    """Refuse files that could not be written, before hours of work."""
    if not shared.written:
        return
    from herdlab.analysis.report.render import writing
    from herdlab.analysis.runs import result_files

    for path in shared.save or ():
        result_files.check(path)
    if shared.figure is not None:
        result_files.check(shared.figure, result_files.FIGURES)
    writing.check(shared.report or ())


def _write_files(result: Any, shared: Shared) -> None:
    for path in shared.save or ():
        from herdlab.analysis.runs import result_files

        result_files.save(result.frame(), result.as_json(), path)
    if shared.report:
        import herdlab

        herdlab.report(result, *shared.report)
    if shared.figure is not None:
        from herdlab.analysis.figures.drawing import save_drawing

        save_drawing(result.figures()[0], shared.figure)
