"""The commands about herdlab itself: bench, cache."""

import sys
from typing import Annotated

import typer

from commands.shared import Json, load_engine, print_json, say


def bench(as_json: Json = False) -> None:
    """Measure the speed."""
    from simcore.game import games as all_games

    for game in all_games().values():
        load_engine(game)
    from analysis import bench as benchmark
    from analysis import show

    measured = benchmark.run(say if sys.stderr.isatty() else lambda what: None)
    if as_json:
        print_json(measured.as_json())
    else:
        show.bench(measured)


def cache(
    action: Annotated[str | None, typer.Argument(metavar="[clear]")] = None,
) -> None:
    """Show where compiled code is kept, or 'clear' it."""
    import shutil

    from simcore import _jit
    from simcore.errors import find

    if action is not None:
        action = find("action of cache", action, ("clear",))
    home = _jit.cache_home()
    files = [path for path in home.rglob("*") if path.is_file()] if home.is_dir() else []
    size = sum(path.stat().st_size for path in files) / 1e6
    if action == "clear":
        shutil.rmtree(home, ignore_errors=True)
        typer.echo(f"cleared {home}: {len(files)} files, {size:.1f} MB")
        return
    typer.echo(f"{home}: {len(files)} files, {size:.1f} MB")
    typer.echo(f"in use: {_jit.CACHE.name}")
