"""The command about compiled code: where it is kept, and how it goes."""

from herdlab.commands.messages import echo
from herdlab.commands.options import Shared


def cache(action: str | None, shared: Shared) -> None:
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
