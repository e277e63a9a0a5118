"""Functions about results and runs that were kept: report, replay, verify, resume, rows."""

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from herdlab.analysis.commands import RESULTS
from herdlab.analysis.experiment import Interrupted
from herdlab.analysis.runs.run_options import OPTIONS, Replayed, takes_options
from herdlab.api import playing
from herdlab.simcore.errors import BadInput, unknown

if TYPE_CHECKING:
    import pandas as pd

    from herdlab.analysis.result import Result
    from herdlab.analysis.runs.run_folder import RunFolder
    from herdlab.analysis.studies.verify import Verified

_FUNCTIONS: dict[str, Callable[..., Any]] = {name: getattr(playing, name) for name in RESULTS}
_ASKED = ("game", "rules", "seed")
_STRANGE = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, AssertionError)
"""What comes of values that no command ever wrote, where nothing refuses them before."""


def report(found: "Result | Mapping[str, Any]", *files: str | Path) -> None:
    """Write the report of what was found to files, each as its suffix says, .html or .pdf.

    `found` is what a function of herdlab returned, or its JSON.
    """
    from herdlab.analysis.report.compose import compose_result
    from herdlab.analysis.report.render import writing
    from herdlab.analysis.result import plain

    paths = [Path(file) for file in files]
    writing.check(paths)
    whole = found if isinstance(found, Mapping) else found.as_json()
    writing.write(compose_result(plain(whole)), paths)


@takes_options
def replay(result: Mapping[str, Any], **options: Unpack[Replayed]) -> Any:
    """Play again what `as_json` of a result describes; its plug-ins are loaded, or given here."""
    if result["command"] not in _FUNCTIONS:
        raise unknown("command of a result", str(result["command"]), _FUNCTIONS)
    strange = "the arguments of the result are not what herdlab writes"
    return _again(result, "the result", strange, options)


@takes_options
def verify(
    result: "str | Path | Result | Mapping[str, Any]", **options: Unpack[Replayed]
) -> "Verified":
    """Play a result again and say whether it holds.

    It is what a function of herdlab returned, its JSON, or a file that ``--json`` wrote.
    """
    from herdlab.analysis.result import plain
    from herdlab.analysis.runs.run_folder_reading import check_around
    from herdlab.analysis.studies import verify as verifier
    from herdlab.strategies.registry import load_plugin

    if isinstance(result, str | Path):
        check_around(Path(result))
        claimed = verifier.read_result(Path(result))
    else:
        claimed = plain(result if isinstance(result, Mapping) else result.as_json())
    plugins = options.pop("plugins", ())
    verifier.check_plugins(claimed, [load_plugin(Path(file)).as_json() for file in plugins])
    try:
        again = replay(claimed, **options)
    except Interrupted:  # a part of a result tells nothing of the whole
        raise KeyboardInterrupt from None
    return verifier.Verified(claimed, again)


@takes_options
def resume(
    folder: "str | Path | RunFolder", *, cluster: str | None = None, **options: Unpack[Replayed]
) -> Any:
    """Go on with what was begun with ``out=folder``; return what it finds.

    What is asked for stands in the folder.  A run that is done plays nothing more.  The plug-ins
    that the run was begun with are run, as the folder has them, or from the files in `plugins` if
    these hold the same.
    """
    from herdlab.analysis.runs.run_folder import RunFolder

    held = folder if isinstance(folder, RunFolder) else RunFolder.resume(Path(folder))
    where = f"run folder '{held.path}'"
    with closing(held):
        plugins = held.plugins_from([Path(one) for one in options.get("plugins", ())])
        how = {**options, "plugins": plugins, "out": held, "cluster": cluster}
        strange = f"{where} is damaged: what it holds is not what herdlab writes"
        return _again(held.manifest, where, strange, how)


def rows(folder: str | Path) -> "pd.DataFrame":
    """Return the rows of all games that a run with ``rows=True`` has kept in its folder.

    Only files that the run accounts for are read, and only if they are as they were written.
    """
    from herdlab.analysis.runs.rows import read_rows

    return read_rows(Path(folder))


def _again(asked: Mapping[str, Any], where: str, strange: str, how: Mapping[str, Any]) -> Any:
    """Play what was asked for; refuse arguments that say how, such as a plug-in to be run."""
    arguments = asked["arguments"]
    for key in (*OPTIONS, "game"):
        if key in arguments:
            raise BadInput(f"the arguments of {where} have '{key}', which herdlab never writes")
    function, what = _FUNCTIONS[asked["command"]], {key: asked[key] for key in _ASKED}
    try:
        return function(**what, **arguments, **how)
    except _STRANGE as error:
        raise BadInput(f"{strange}: {error}") from error
