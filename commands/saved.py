"""The commands about what was kept: resume, verify."""

from contextlib import closing
from functools import partial
from pathlib import Path

import typer

from herdlab.analysis.commands import COMMANDS
from herdlab.commands.answering import keep_out, tell
from herdlab.commands.messages import echo, load_engine, progress, tell_of_plugins
from herdlab.commands.options import Shared
from herdlab.simcore.safe_text import in_one_line

EXIT_DIFFERENT = 1


def resume(folder: Path, shared: Shared) -> None:
    """Go on with a run that --out keeps; of one that is done, tell the result."""
    import herdlab
    from herdlab.analysis.runs.run_folder import RunFolder

    keep_out(folder, shared.written)
    plugins = shared.plugin or []
    with closing(RunFolder.resume(folder)) as held:
        own = [one for one in held.plugins_from(plugins) if one not in plugins]
        tell_of_plugins(folder, [one.name for one in own])
        arguments = shared.given(herdlab.resume, {"folder": held, "plugins": plugins})
        tell(herdlab.resume, arguments, COMMANDS[held.manifest["command"]].unit, shared)


def verify(result: Path, shared: Shared) -> None:
    """Replay a result and say whether it holds."""
    import herdlab
    from herdlab.analysis.runs.run_folder_reading import check_around
    from herdlab.analysis.studies.verify import read_result

    check_around(result)
    claimed = read_result(result)
    unit = COMMANDS[claimed["command"]].unit if claimed["command"] in COMMANDS else ""
    play = partial(herdlab.verify, claimed, **shared.given(herdlab.verify, {}))
    with progress(unit) as advance:
        found = play(on_progress=advance, prepare=load_engine)
    echo(found.headline)
    if found.reworded and found.holds:
        echo(f"words that this version of herdlab would choose differently: {len(found.reworded)}")
    for one in found.wrong or found.reworded:
        echo(in_one_line(str(one)))
    if found.wrong:
        raise typer.Exit(EXIT_DIFFERENT)
