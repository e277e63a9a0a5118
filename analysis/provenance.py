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
    """Return the git revision of the checkout that this runs from, if it is one.

    "-dirty" says that its code differs from that; pages and reports may.
    """
    if not (_ROOT / ".git").exists():
        return None
    try:
        named = _git("rev-parse", "--short=12", "HEAD")
        changed = _git("diff", "--name-only", "HEAD", "--", "*.py", "pyproject.toml")
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{named}-dirty" if changed else named


def _git(*words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(_ROOT), *words], capture_output=True, text=True, timeout=5, check=True
    )
    return done.stdout.strip()
