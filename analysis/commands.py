"""Every command of herdlab, declared once.

--help, resume, report, verify, studies and completion are made of these tables.  Options are named
as the arguments of herdlab's functions; `herdlab.commands.options` says how each is typed.
"""

from dataclasses import dataclass

_EXACT = ("rules", "set", "plugin", "threads", "time_limit", "json", "save", "report")
_PLAYED = ("seed", *_EXACT)
_KEPT = ("out", "cluster", *_PLAYED)
_DRAWN = (*_KEPT, "figure")
_TOLD = ("seed", "rules", "set", "plugin", "time_limit", "json")
_RESUMED = ("plugin", "threads", "cluster", "time_limit", "json", "save", "report")
_REPORTED = ("plugin", "threads", "time_limit", "json")

_LISTS, _PLAYS, _COMPARES = "Games and strategies", "Play", "Compare and search"
_SOLVES, _KEEPS, _ITSELF = "Exact values, advice, answers", "Reports and results", "herdlab itself"

_TYPED = {"readings": ("compare", "--readings")}


@dataclass(frozen=True)
class Command:
    """What is to be known of a command."""

    name: str
    group: str
    """The heading in --help under which it stands."""
    options: tuple[str, ...] = ()
    """Those that it shares with others."""
    unit: str = ""
    """What its progress is counted in; nothing where it only looks something up."""
    composer: str = ""
    """The function in `herdlab.analysis` that makes a document of its result."""

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return _SUMMARIES[self.name]

    @property
    def example(self) -> str:
        """A line to try."""
        return _EXAMPLES[self.name]

    @property
    def positional(self) -> tuple[str, ...]:
        """Arguments that stand without an option."""
        return tuple(_TAKES[self.name].partition("/")[0].split())

    @property
    def own(self) -> tuple[str, ...]:
        """Arguments and options that it does not share."""
        return tuple(_TAKES[self.name].replace("/", "").split())

    @property
    def words(self) -> tuple[str, ...]:
        """How it is typed, the command first and then switches."""
        return _TYPED.get(self.name, (self.name,))

    @property
    def is_typed(self) -> bool:
        """Whether it is a command and not a switch of another."""
        return self.name not in _TYPED

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


_TAKES = {
    "games": "",
    "rules": "game",
    "strategies": "game name",
    "simulate": "game / players games precision max_games rotate rows",
    "trace": "game / players number",
    "compare": "game a b / field metric games decide margin max_games readings",
    "readings": "game a b / field metric games decide margin max_games",
    "tournament": "game / entrants size games max_line_ups",
    "sweep": "game strategy / vary field metric best games",
    "tune": "game strategy / vary against size games",
    "luck": "game / players metric games",
    "solve": "game / strategies dogs",
    "race": "game / players games precision max_games",
    "advise": "game / herd others players phase t skunk turn games",
    "ask": "question game / quick players max_games",
    "report": "file / out html pdf quick fresh",
    "resume": "folder",
    "verify": "result",
    "bench": "/ quick",
    "cache": "action",
}
"""Arguments that stand alone, and behind the stroke those with an option, of its own."""
_SUMMARIES = {
    "games": "List the games.",
    "rules": "Print the clauses of a game, its readings and settings.",
    "strategies": "List the strategies of a game, or the parameters of one.",
    "simulate": "Play a line-up many times: who wins, how long, what happens.",
    "trace": "Tell one game of a run move by move, clause by clause.",
    "compare": "Play A and B in the same seats, against the same field, on the same deals.",
    "tournament": "Play everybody against everybody: standings, pairs, ratings, and the mix to "
    "play.",
    "sweep": "Vary one or two parameters over a grid on common deals: curve or heat map.",
    "tune": "Search for good parameters, then measure what was found on fresh deals.",
    "luck": "Say how much is luck, of what kind, and how much is who plays and in which seat.",
    "solve": "Work out the solo game exactly: mean, spread and distribution of turns, and the best "
    "play.",
    "race": "Say how much of the win rates is a mere race, and what skunk, T and supply add to it.",
    "advise": "Say what to do in a position of herd: every legal move with what it is worth.",
    "ask": "Answer a question: the verdict in a sentence, then the numbers behind it.",
    "report": "Make a report of a study, or of a saved result, as a web page and a PDF.",
    "resume": "Go on with a run that --out keeps, however it ended; of one that is done, tell the "
    "result.",
    "verify": "Replay a result and say whether it holds.",
    "bench": "Measure the speed.",
    "cache": "Show where compiled code is kept, or 'clear' it.",
}
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
    Command("simulate", _PLAYS, _KEPT, "games", "report.of_simulation.compose_simulation"),
    Command("trace", _PLAYS, _TOLD),
    Command("compare", _COMPARES, _KEPT, "deals", "report.of_comparison.compose_comparison"),
    Command("readings", _COMPARES, _KEPT, "deals", "report.of_comparison.compose_readings"),
    Command("tournament", _COMPARES, _KEPT, "games", "report.of_tournament.compose_tournament"),
    Command("sweep", _COMPARES, _DRAWN, "deals", "report.of_sweep.compose_sweep"),
    Command("tune", _COMPARES, _KEPT, "games", "report.of_tune.compose_tuned"),
    Command("luck", _COMPARES, _PLAYED, "deals", "report.of_luck.compose_luck"),
    Command("solve", _SOLVES, _EXACT, "%", "report.of_exact.compose_solved"),
    Command("race", _SOLVES, _PLAYED, "deals", "report.of_exact.compose_race"),
    Command("advise", _SOLVES, _PLAYED, "games a move", "report.of_advice.compose_advice"),
    Command("ask", _SOLVES, (*_PLAYED, "figure"), "%", "questions.answer_document.compose_answer"),
    Command("report", _KEEPS, _REPORTED),
    Command("resume", _KEEPS, _RESUMED),
    Command("verify", _KEEPS, ("plugin", "time_limit")),
    Command("bench", _ITSELF, ("json",), "%"),
    Command("cache", _ITSELF),
)
COMMANDS = {one.name: one for one in _ALL}
"""By name, in the order of --help; `readings` is typed as a switch of another."""
RESULTS = {name: one for name, one in COMMANDS.items() if one.composer}
"""Those whose result can be reported, and verified."""
