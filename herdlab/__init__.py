"""herdlab from Python: everything the command line finds out, as functions.

    import herdlab

    found = herdlab.compare("herd", "keeper", "keeper-dog", field="keeper,keeper")
    print(found.verdict)
    found.frame()

Names and defaults are those of the command line; `herdlab.api` says what they share.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from herdlab.api import (
        BadInput,
        advise,
        ask,
        compare,
        luck,
        race,
        readings,
        replay,
        report,
        resume,
        rows,
        simulate,
        solve,
        sweep,
        tournament,
        tune,
    )

__all__ = [
    "BadInput",
    "advise",
    "ask",
    "compare",
    "luck",
    "race",
    "readings",
    "replay",
    "report",
    "resume",
    "rows",
    "simulate",
    "solve",
    "sweep",
    "tournament",
    "tune",
]


def __getattr__(name: str) -> Any:
    """Load a public function when it is first used: `herdlab --help` must start fast."""
    if name not in __all__:
        raise AttributeError(f"module 'herdlab' has no attribute '{name}'")
    from herdlab import api

    found = globals()[name] = getattr(api, name)
    return found


def __dir__() -> list[str]:
    """Return the public names only."""
    return list(__all__)
