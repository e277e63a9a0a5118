"""Every command of herdlab, declared once.

--help, resume, report, verify, studies and completion are made of this table.  Options are named
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


@dataclass(frozen=True)
class Command:
    """What is to be known of a command."""

    name: str
    group: str
    """The heading in --help under which it stands."""
    takes: str
    """Arguments that stand alone, and behind the stroke those with an option, of its own."""
    summary: str = ""
    """What it does, in a sentence; nothing of what is a switch of another."""
    example: str = ""
    """A line to try."""
    options: tuple[str, ...] = ()
    """Those that it shares with others."""
    unit: str = ""
    """What its progress is counted in; nothing where it only looks something up."""
    composer: str = ""
    """The function in `herdlab.analysis` that makes a document of its result."""
    typed: tuple[str, ...] = ()
    """How it is typed, where that is not its name."""

    @property
    def positional(self) -> tuple[str, ...]:
        """Arguments that stand without an option."""
        return tuple(self.takes.partition("/")[0].split())

    @property
    def own(self) -> tuple[str, ...]:
        """Arguments and options that it does not share."""
        return tuple(self.takes.replace("/", "").split())

    @property
    def words(self) -> tuple[str, ...]:
        """How it is typed, the command first and then switches."""
        return self.typed or (self.name,)

    @property
    def is_typed(self) -> bool:
        """Whether it is a command and not a switch of another."""
        return not self.typed

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


_ALL = (
    Command(
        "games",
        _LISTS,
        "",
        "List the games.",
        "herdlab games --json",
        ("json",),
    ),
    Command(
        "rules",
        _LISTS,
        "game",
        "Print the clauses of a game, its readings and settings.",
        "herdlab rules herd --set dice=super-farmer",
        ("rules", "set", "json"),
    ),
    Command(
        "strategies",
        _LISTS,
        "game name",
        "List the strategies of a game, or the parameters of one.",
        "herdlab strategies herd herder",
        ("plugin", "json"),
    ),
    Command(
        "simulate",
        _PLAYS,
        "game / players games precision max_games rotate rows",
        "Play a line-up many times: who wins, how long, what happens.",
        "herdlab simulate herd -p keeper,herder:dog=first -n 1e6 --rotate",
        _KEPT,
        "games",
        "report.of_simulation.compose_simulation",
    ),
    Command(
        "trace",
        _PLAYS,
        "game / players number",
        "Tell one game of a run move by move, clause by clause.",
        "herdlab trace herd -p keeper,keeper-dog --seed 1 --game 42",
        _TOLD,
    ),
    Command(
        "compare",
        _COMPARES,
        "game a b / field metric games decide margin max_games readings",
        "Play A and B in the same seats, against the same field, on the same deals.",
        "herdlab compare herd keeper keeper-dog --field keeper,keeper --readings",
        _KEPT,
        "deals",
        "report.of_comparison.compose_comparison",
    ),
    Command(
        "readings",
        _COMPARES,
        "game a b / field metric games decide margin max_games",
        options=_KEPT,
        unit="deals",
        composer="report.of_comparison.compose_readings",
        typed=("compare", "--readings"),
    ),
    Command(
        "tournament",
        _COMPARES,
        "game / entrants size games max_line_ups",
        "Play everybody against everybody: standings, pairs, ratings, and the mix to play.",
        "herdlab tournament herd -e keeper,closer,climber,random --size 3",
        _KEPT,
        "games",
        "report.of_tournament.compose_tournament",
    ),
    Command(
        "sweep",
        _COMPARES,
        "game strategy / vary field metric best games",
        "Vary one or two parameters over a grid on common deals: curve or heat map.",
        "herdlab sweep herd herder --vary keep_sheep=0:4:1 --field keeper,keeper",
        _DRAWN,
        "deals",
        "report.of_sweep.compose_sweep",
    ),
    Command(
        "tune",
        _COMPARES,
        "game strategy / vary against size games",
        "Search for good parameters, then measure what was found on fresh deals.",
        "herdlab tune herd herder -v keep_sheep=0:3:1 -v dog=never,spare,first -a keeper,dog-first",
        _KEPT,
        "games",
        "report.of_tune.compose_tuned",
    ),
    Command(
        "luck",
        _COMPARES,
        "game / players metric games",
        "Say how much is luck, of what kind, and how much is who plays and in which seat.",
        "herdlab luck herd -p keeper,keeper-dog,random",
        _PLAYED,
        "deals",
        "report.of_luck.compose_luck",
    ),
    Command(
        "solve",
        _SOLVES,
        "game / strategies dogs",
        "Work out the solo game exactly: mean, spread and distribution of turns, and the best "
        "play.",
        "herdlab solve herd --strategy keeper --strategy optimal --dogs none",
        _EXACT,
        "%",
        "report.of_exact.compose_solved",
    ),
    Command(
        "race",
        _SOLVES,
        "game / players games precision max_games",
        "Say how much of the win rates is a mere race, and what skunk, T and supply add to it.",
        "herdlab race herd --players keeper,keeper-dog",
        _PLAYED,
        "deals",
        "report.of_exact.compose_race",
    ),
    Command(
        "advise",
        _SOLVES,
        "game / herd others players phase t skunk turn games",
        "Say what to do in a position of herd: every legal move with what it is worth.",
        "herdlab advise herd --herd rabbits=6,sheep=2 --other rabbits=4,sheep=1",
        _PLAYED,
        "games a move",
        "report.of_advice.compose_advice",
    ),
    Command(
        "ask",
        _SOLVES,
        "question game / quick players max_games",
        "Answer a question: the verdict in a sentence, then the numbers behind it.",
        "herdlab ask guard-dog --quick",
        (*_PLAYED, "figure"),
        "%",
        "questions.answer_document.compose_answer",
    ),
    Command(
        "report",
        _KEEPS,
        "file / out html pdf quick fresh",
        "Make a report of a study, or of a saved result, as a web page and a PDF.",
        "herdlab report reports/guard-dog.toml --quick --out /tmp",
        _REPORTED,
    ),
    Command(
        "resume",
        _KEEPS,
        "folder",
        "Go on with a run that --out keeps, however it ended; of one that is done, tell the "
        "result.",
        "herdlab simulate herd -p keeper,random -n 1e9 --out friday; herdlab resume friday",
        _RESUMED,
    ),
    Command(
        "verify",
        _KEEPS,
        "result",
        "Replay a result and say whether it holds.",
        "herdlab simulate herd -p keeper,random --json > r.json; herdlab verify r.json",
        ("plugin", "time_limit"),
    ),
    Command(
        "bench",
        _ITSELF,
        "/ quick",
        "Measure the speed.",
        "herdlab bench --quick",
        ("json",),
        "%",
    ),
    Command(
        "cache",
        _ITSELF,
        "action",
        "Show where compiled code is kept, or 'clear' it.",
        "herdlab cache clear",
    ),
)
COMMANDS = {one.name: one for one in _ALL}
"""By name, in the order of --help; `readings` is typed as a switch of another."""
RESULTS = {name: one for name, one in COMMANDS.items() if one.composer}
"""Those whose result can be reported, and verified."""
