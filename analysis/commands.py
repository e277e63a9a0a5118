"""Every command of herdlab, declared once.

--help, resume, report, verify, studies and completion are made of this table.  The function of a
command is in `herdlab.commands` and declares the options that are its own; those that commands
share are named here.
"""

from dataclasses import dataclass

_EXACT = ("rules", "set", "plugin", "threads", "time_limit", "json", "save", "report")
_PLAYED = ("seed", *_EXACT)
_KEPT = ("out", "cluster", *_PLAYED)
_DRAWN = (*_KEPT, "figure")
_TOLD = ("seed", "rules", "set", "plugin", "time_limit", "json")
_RESUMED = ("threads", "cluster", "time_limit", "json", "save", "report")
_REPORTED = ("plugin", "threads", "time_limit", "json")

_LISTS, _PLAYS, _COMPARES = "Games and strategies", "Play", "Compare and search"
_SOLVES, _KEEPS, _ITSELF = "Exact figures, advice, answers", "Reports and results", "herdlab itself"

_POSITIONAL = {
    **dict.fromkeys(("compare", "readings"), ("game", "a", "b")),
    **dict.fromkeys(("sweep", "tune"), ("game", "strategy")),
    "ask": ("question", "game"),
}
_TYPED = {"readings": ("compare", "--readings")}


@dataclass(frozen=True)
class Command:
    """What is to be known of a command beside its function and its own options."""

    name: str
    group: str
    """The heading in --help under which it stands."""
    options: tuple[str, ...] = ()
    """Those that it shares with others."""
    unit: str = ""
    """What its progress is counted in; nothing where it only looks something up."""
    composer: str = ""
    """The module in `analysis.report` that makes a document of its result, and the function."""
    module: str = "functions"
    """The one in `herdlab.commands` that has its function; none of what is a command's switch."""

    @property
    def example(self) -> str:
        """A line to try."""
        return _EXAMPLES[self.name]

    @property
    def positional(self) -> tuple[str, ...]:
        """Arguments that stand without an option."""
        return _POSITIONAL.get(self.name, ("game",))

    @property
    def words(self) -> tuple[str, ...]:
        """How it is typed, the command first and then switches."""
        return _TYPED.get(self.name, (self.name,))

    @property
    def is_kept(self) -> bool:
        """Whether a folder can keep what is played, for `resume` to go on."""
        return "out" in self.options

    @property
    def is_played(self) -> bool:
        """Whether chance has a part in it."""
        return "seed" in self.options

    @property
    def is_part(self) -> bool:
        """Whether it can be a part of a study."""
        return bool(self.composer) and self.name not in ("tune", "advise")


_EXAMPLES = {
    "games": "herdlab games --json",
    "rules": "herdlab rules herd --set dice=super-farmer",
    "strategies": "herdlab strategies herd herder",
    "simulate": "herdlab simulate herd -p keeper,herder:dog=first -n 1e6 --rotate",
    "trace": "herdlab trace herd -p keeper,keeper-dog --seed 1 --game 42",
    "compare": "herdlab compare herd keeper keeper-dog --field keeper,keeper --readings",
    "tournament": "herdlab tournament herd -e keeper,closer,climber,random --size 3",
    "sweep": "herdlab sweep herd herder --vary keep_sheep=0:4:1 --field keeper,keeper",
    "tune": "herdlab tune herd herder -v keep_sheep=0:3:1 -v dog=never,spare,first "
    "-a keeper,dog-first",
    "luck": "herdlab luck herd -p keeper,keeper-dog,random",
    "solve": "herdlab solve herd --strategy keeper --strategy optimal --dogs none",
    "race": "herdlab race herd --players keeper,keeper-dog",
    "advise": "herdlab advise herd --herd rabbits=6,sheep=2 --other rabbits=4,sheep=1",
    "ask": "herdlab ask guard-dog --quick",
    "report": "herdlab report reports/guard-dog.toml --quick --out /tmp",
    "resume": "herdlab simulate herd -p keeper,random -n 1e9 --out friday; herdlab resume friday",
    "verify": "herdlab simulate herd -p keeper,random --json > r.json; herdlab verify r.json",
    "bench": "herdlab bench --quick",
    "cache": "herdlab cache clear",
}
_ALL = (
    Command("games", _LISTS, ("json",)),
    Command("rules", _LISTS, ("rules", "set", "json")),
    Command("strategies", _LISTS, ("plugin", "json")),
    Command("simulate", _PLAYS, _KEPT, "games", "of_simulation.compose_simulation"),
    Command("trace", _PLAYS, _TOLD),
    Command("compare", _COMPARES, _KEPT, "deals", "of_comparison.compose_comparison"),
    Command("readings", _COMPARES, _KEPT, "deals", "of_comparison.compose_readings", module=""),
    Command("tournament", _COMPARES, _KEPT, "games", "of_tournament.compose_tournament"),
    Command("sweep", _COMPARES, _DRAWN, "deals", "of_sweep.compose_sweep"),
    Command("tune", _COMPARES, _KEPT, "games", "of_tune.compose_tuned"),
    Command("luck", _COMPARES, _PLAYED, "deals", "of_luck.compose_luck"),
    Command("solve", _SOLVES, _EXACT, "%", "of_exact.compose_solved"),
    Command("race", _SOLVES, _PLAYED, "deals", "of_exact.compose_race"),
    Command("advise", _SOLVES, _PLAYED, "games a move", "of_advice.compose_advice"),
    Command("ask", _SOLVES, (*_PLAYED, "figure"), "%", "of_answer.compose_answer"),
    Command("report", _KEEPS, _REPORTED, module="report"),
    Command("resume", _KEEPS, _RESUMED, module="saved"),
    Command("verify", _KEEPS, ("plugin", "time_limit"), module="saved"),
    Command("bench", _ITSELF, ("json",), "%"),
    Command("cache", _ITSELF, module="cache"),
)
COMMANDS = {one.name: one for one in _ALL}
"""By name, in the order of --help."""
RESULTS = {name: one for name, one in COMMANDS.items() if one.composer}
"""Those whose result can be reported, and verified."""
