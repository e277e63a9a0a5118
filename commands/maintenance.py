"""The commands about herdlab itself: bench, cache."""

from typing import Annotated

import typer

from herdlab.commands import completion
from herdlab.commands.shared import Json, echo, load_engine, print_json, progress


def bench(
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Measure roughly, in seconds; leave starts out."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure the speed."""
    from herdlab.simcore.game import games as all_games

    for game in all_games().values():
        load_engine(game)
    from herdlab.analysis.runs.progress import PER_CENT
    from herdlab.analysis.studies import bench as benchmark
    from herdlab.analysis.terminal import listings

    now = ""

    def begin(what: str) -> None:
        nonlocal now
        now = what

    with progress(PER_CENT, lambda: now) as advance:
        measured = benchmark.run(quick=quick, on_step=begin, on_progress=advance)
    if as_json:
        print_json(measured.as_json())
    else:
        listings.bench(measured)


def cache(
    action: Annotated[
        str | None, typer.Argument(metavar="[clear]", autocompletion=completion.CACHE)
    ] = None,
) -> None:
    """Show where compiled code is kept, or 'clear' it."""
    import os
    import shutil
    from contextlib import suppress

    from herdlab.analysis.words.phrases import counted
    from herdlab.simcore import _jit
    from herdlab.simcore.errors import BadInput, find

    if action is not None:
        action = find("action of cache", action, ("clear",))
    home = _jit.cache_home()
    sizes = []
    for folder, _, names in os.walk(home):
        for name in names:
            with suppress(OSError):  # another process has just taken it away
                sizes.append(os.lstat(os.path.join(folder, name)).st_size)
    held = f"{counted(len(sizes), 'file')}, {sum(sizes) / 1e6:.1f} MB"
    if action == "clear":
        shutil.rmtree(home, ignore_errors=True)
        if home.exists():
            raise BadInput(f"cache folder '{home}' cannot be cleared: not all of it can be deleted")
        echo(f"cleared {home}: {held}")
        return
    echo(f"{home}: {held}")
    echo(f"in use: {_jit.CACHE.name}")
