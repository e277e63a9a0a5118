"""The public functions of herdlab: every command, and what belongs to it.

Names and defaults are those of the command line.  Each function returns an object with numbers
and their intervals, `frame()`, a tidy DataFrame, and `as_json()`, which is what ``--json`` prints,
what `verify` plays again and what `report` makes a page or a PDF of.

What functions share:
`rules` are settings as for ``--set``.  `plugins` are files with strategies.  `threads` are by
default as many as there are cores.  `time_limit` is how many seconds a strategy may compute for
one answer (60; None for no limit).  `on_progress(done, total)` hears how it goes, `prepare(game)`
that a request was found good, before the game's engine is loaded, perhaps compiled.  Functions
that may play for days take `out`, a new folder from which `resume` goes on, and `cluster`, the
address of a Dask scheduler, or ``local`` for one on this machine.
"""

from herdlab.api.listings import bench, games, questions, rules, strategies
from herdlab.api.playing import (
    advise,
    ask,
    compare,
    luck,
    race,
    readings,
    simulate,
    solve,
    sweep,
    tournament,
    trace,
    tune,
)
from herdlab.api.saved import replay, report, resume, rows, verify
from herdlab.simcore.errors import BadInput

__all__ = [
    "BadInput",
    "advise",
    "ask",
    "bench",
    "compare",
    "games",
    "luck",
    "questions",
    "race",
    "readings",
    "replay",
    "report",
    "resume",
    "rows",
    "rules",
    "simulate",
    "solve",
    "strategies",
    "sweep",
    "tournament",
    "trace",
    "tune",
    "verify",
]
