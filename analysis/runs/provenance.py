"""Where a result comes from: version, git revision, and a hash of the sources."""

import hashlib
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parents[2]
"""The folder `herdlab`."""
_CHECKOUT = _PACKAGE.parent
_SOURCES = ("api", "simcore", "strategies", "analysis")
_LIBRARIES = ("numba", "llvmlite", "numpy", "scipy", "pyarrow")
_NO_RESULTS = ("analysis/report", "analysis/figures")
"""What only shows results: an edit there need not play hours again."""


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
    if not (_CHECKOUT / ".git").exists():
        return None
    try:
        named = _git("rev-parse", "--short=12", "HEAD")
        changed = _git("diff", "--name-only", "HEAD", "--", "*.py", "pyproject.toml")
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{named}-dirty" if changed else named


@cache
def fingerprint() -> str:
    """Return a hash of all that a result can depend on: sources, and libraries that reckon."""
    digest = hashlib.sha256(" ".join(map(installed_version, _LIBRARIES)).encode())
    found = [path for folder in _SOURCES for path in (_PACKAGE / folder).rglob("*.py")]
    for path in sorted(found):
        name = path.relative_to(_PACKAGE).as_posix()
        if not name.startswith(_NO_RESULTS):
            digest.update(f"{name}\n".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def provenance(seconds: float) -> dict[str, Any]:
    """Return what every result ends with."""
    return {"seconds": seconds, "version": version(), "revision": revision()}


def _git(*words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(_CHECKOUT), *words], capture_output=True, text=True, timeout=5, check=True
    )
    return done.stdout.strip()
