"""Every command of herdlab, declared once.

--help, resume, report, verify, studies and completion are made of this table.  The function of a
command is in `herdlab.commands` and declares the options that are its own; those that commands
share are named here.
"""

from dataclasses import dataclass

_PLAYED = ("seed", "rules", "set", "plugin", "threads", "time_limit", "json", "save", "report")
_KEPT = ("out", "cluster", *_PLAYED)
_EXACT = _PLAYED[1:]

_LISTS, _PLAYS, _COMPARES = "Games and strategies", "Play", "Compare and search"
_SOLVES, _KEEPS, _ITSELF = "Exact figures, advice, answers", "Reports and results", "herdlab itself"


@dataclass(frozen=True)
class Command:
    """What is to be known of a command beside its function and its own options."""

    name: str
    group: str
    """The heading in --help under which it stands."""
    module: str
    """The one in `herdlab.commands` that has its function; none of what is a command's switch."""
    example: str
    options: tuple[str, ...] = ()
    """Those that it shares with others."""
    unit: str = "%"
    """What its progress is counted in."""
    composer: str = ""
    """The module in `analysis.report` that makes a document of its result, and the function."""
    positional: tuple[str, ...] = ("game",)
    """Arguments that stand without an option."""
    switch: tuple[str, str] | None = None
    """The command that it is, and the switch that makes it so, where it is none by its name."""
    in_studies: bool = True
    """Whether it can be a part of a study, if it has a result."""

    @property
    def is_kept(self) -> bool:
        """Whether a folder can keep what is played, for `resume` to go on."""
        return "out" in self.options

    @property
    def is_played(self) -> bool:
        """Whether chance has a part in it."""
        return "seed" in self.options


_ALL = (
    Command("games", _LISTS, "catalogue", "herdlab games --json", ("json",)),
    Command(
        "rules",
        _LISTS,
        "catalogue",
        "herdlab rules herd --set dice=super-farmer",
        ("rules", "set", "json"),
    ),
    Command(
        "strategies", _LISTS, "catalogue", "herdlab strategies herd herder", ("plugin", "json")
    ),
    Command(
        "simulate",
        _PLAYS,
        "play",
        "herdlab simulate herd -p keeper,herder:dog=first -n 1e6 --rotate",
        _KEPT,
        "games",
        "of_simulation.compose_simulation",
    ),
    Command(
        "trace",
        _PLAYS,
        "play",
        "herdlab trace herd -p keeper,keeper-dog --seed 1 --game 42",
        ("seed", "rules", "set", "plugin", "time_limit", "json"),
    ),
    Command(
        "compare",
        _COMPARES,
        "studies",
        "herdlab compare herd keeper keeper-dog --field keeper,keeper --readings",
        _KEPT,
        "deals",
        "of_comparison.compose_comparison",
        ("game", "a", "b"),
    ),
    Command(
        "readings",
        _COMPARES,
        "",
        "herdlab compare herd keeper keeper-dog --readings",
        _KEPT,
        "deals",
        "of_comparison.compose_readings",
        ("game", "a", "b"),
        ("compare", "--readings"),
    ),
    Command(
        "tournament",
        _COMPARES,
        "studies",
        "herdlab tournament herd -e keeper,closer,climber,random --size 3",
        _KEPT,
        "games",
        "of_tournament.compose_tournament",
    ),
    Command(
        "sweep",
        _COMPARES,
        "studies",
        "herdlab sweep herd herder --vary keep_sheep=0:4:1 --field keeper,keeper",
        (*_KEPT, "figure"),
        "deals",
        "of_sweep.compose_sweep",
        ("game", "strategy"),
    ),
    Command(
        "tune",
        _COMPARES,
        "studies",
        "herdlab tune herd herder -v keep_sheep=0:3:1 -v dog=never,spare,first -a keeper,dog-first",
        _KEPT,
        "games",
        "of_tune.compose_tuned",
        ("game", "strategy"),
        in_studies=False,
    ),
    Command(
        "luck",
        _COMPARES,
        "studies",
        "herdlab luck herd -p keeper,keeper-dog,random",
        _PLAYED,
        "deals",
        "of_luck.compose_luck",
    ),
    Command(
        "solve",
        _SOLVES,
        "solve",
        "herdlab solve herd --strategy keeper --strategy optimal --dogs none",
        _EXACT,
        composer="of_exact.compose_solved",
    ),
    Command(
        "race",
        _SOLVES,
        "solve",
        "herdlab race herd --players keeper,keeper-dog",
        _PLAYED,
        "deals",
        "of_exact.compose_race",
    ),
    Command(
        "advise",
        _SOLVES,
        "solve",
        "herdlab advise herd --herd rabbits=6,sheep=2 --other rabbits=4,sheep=1",
        _PLAYED,
        "games a move",
        "of_advice.compose_advice",
        in_studies=False,
    ),
    Command(
        "ask",
        _SOLVES,
        "ask",
        "herdlab ask guard-dog --quick",
        (*_PLAYED, "figure"),
        composer="of_answer.compose_answer",
        positional=("question", "game"),
    ),
    Command(
        "report",
        _KEEPS,
        "report",
        "herdlab report reports/guard-dog.toml --quick --out /tmp",
        ("plugin", "threads", "time_limit", "json"),
    ),
    Command(
        "resume",
        _KEEPS,
        "saved",
        "herdlab simulate herd -p keeper,random -n 1e9 --out friday; herdlab resume friday",
        ("threads", "cluster", "time_limit", "json", "save", "report"),
    ),
    Command(
        "verify",
        _KEEPS,
        "saved",
        "herdlab simulate herd -p keeper,random --json > r.json; herdlab verify r.json",
        ("plugin", "time_limit"),
    ),
    Command("bench", _ITSELF, "maintenance", "herdlab bench --quick", ("json",)),
    Command("cache", _ITSELF, "maintenance", "herdlab cache clear"),
)
COMMANDS = {one.name: one for one in _ALL}
"""By name, in the order of --help."""
RESULTS = {name: one for name, one in COMMANDS.items() if one.composer}
"""Those whose result can be reported, and verified."""
