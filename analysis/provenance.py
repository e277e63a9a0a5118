"""Where a result comes from: version and git revision."""

import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent


@cache
def version() -> str:
    """Return the installed version of herdlab."""
    try:
        return installed_version("herdlab")
    except PackageNotFoundError:
        return "not installed"


@cache
def revision() -> str | None:
    """Return the git revision of the checkout that this runs from, if it is one."""
    if not (_ROOT / ".git").exists():
        return None
    try:
        done = subprocess.run(
            ["git", "-C", str(_ROOT), "describe", "--always", "--dirty", "--abbrev=12"],
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
