"""The options of all commands, and how words on the command line are read.

Whatever is slow to import is imported inside functions.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, Overflow
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from herdlab.commands import completion
from herdlab.simcore.errors import BadInput

_GROUPED = re.compile(r"\d{1,3}(,\d{3})+")
_THOUSANDS = {"k": 10**3, "m": 10**6, "b": 10**9}


def read_whole(what: str, text: str, low: int, high: int) -> int:
    """Return a whole number written as 1000000, 1_000_000, 1,000,000, 1e6, 1000k or 1M."""
    digits = text.strip().lower().replace("_", "")
    if _GROUPED.fullmatch(digits):
        digits = digits.replace(",", "")
    times = _THOUSANDS.get(digits[-1:], 1)
    try:
        value = times * Decimal(digits[:-1] if times > 1 else digits)
    except (InvalidOperation, Overflow):
        value = Decimal("nan")
    if value.is_nan() or not low <= value <= high or value != int(value):
        raise BadInput(f"{what} must be a whole number from {low:,} to {high:,}, and got '{text}'")
    return int(value)


NEEDED = inspect.Parameter.empty
"""The default of what must be given."""


class Option(NamedTuple):
    """How an argument of a command is typed."""

    typed: str
    """Its names and a word for its value, as ``--plugin FILE.py``; of an argument the word."""
    kind: Any = str
    completes: Any = None
    default: Any = None
    reads: Callable[[str], Any] | None = None


def whole(names: str, low: int = 1, high: int = 10**12, default: Any = None) -> Option:
    """Return an option that takes a whole number, by default a number of games."""

    def read(text: Any) -> int:
        return read_whole(names.split(maxsplit=1)[0], str(text), low, high)

    return Option(f"{names} NUMBER", int, default=default, reads=read)


def number(name: str, word: str = "NUMBER", zero: str = "") -> Option:
    """Return an option that takes a number, such as 0.005; or `zero`, a word for 0."""

    def read(text: str) -> float:
        try:
            return 0.0 if zero and text.casefold() == zero else float(text)
        except ValueError:
            raise BadInput(f"{name} must be a number, such as 0.005, and got '{text}'") from None

    return Option(f"{name} {word}", float, reads=read)


def players(names: str, default: Any = None, kind: Any = str) -> Option:
    """Return an option that takes strategies."""
    return Option(names, kind, completion.strategies, default)


_TEXTS, _FILES = list[str], list[Path]
_OPTIONS = {
    "game": Option("GAME", str, completion.games, NEEDED),
    "ask.game": Option("[GAME]", str, completion.asked_games),
    "name": Option("[NAME]", str, completion.strategy_names),
    "a": Option("A", str, completion.strategy, NEEDED),
    "b": Option("B", str, completion.strategy, NEEDED),
    "strategy": Option("STRATEGY", str, completion.strategy, NEEDED),
    "question": Option("[QUESTION]", str, completion.questions),
    "file": Option("FILE", Path, default=NEEDED),
    "folder": Option("DIR", Path, default=NEEDED),
    "result": Option("RESULT.json", Path, default=NEEDED),
    "action": Option("[clear]", str, completion.choices(completion.CACHE)),
    "players": players("--players -p", NEEDED),
    "advise.players": players("--players -p"),
    "ask.players": players("--players -p"),
    "field": players("--field -f"),
    "entrants": players("--entrants -e", NEEDED),
    "against": players("--against -a", NEEDED),
    "strategies": players("--strategy --strategies", kind=_TEXTS),
    "vary": Option("--vary -v NAME=FROM:TO:STEP", _TEXTS, completion.varied, NEEDED),
    "metric": Option("--metric -m", str, completion.metrics, "win"),
    "games": whole("--games -n"),
    "precision": number("--precision"),
    "max_games": whole("--max-games"),
    "max_line_ups": whole("--max-line-ups", high=100_000),
    "tournament.size": whole("--size", high=99, default=NEEDED),
    "size": whole("--size", high=99),
    "rotate": Option("--rotate", bool),
    "rows": Option("--rows", bool),
    "number": whole("--game --number -g", 0, 2**62, 0),
    "decide": Option("--decide", bool),
    "margin": number("--margin"),
    "readings": Option("--readings", bool),
    "best": Option("--best", str, completion.choices(completion.BEST)),
    "dogs": Option("--dogs", _TEXTS, completion.choices(completion.DOGS)),
    "herd": Option("--herd ANIMAL=COUNT,…", str, completion.herds, NEEDED),
    "others": Option("--other --others -o ANIMAL=COUNT,…", _TEXTS, completion.herds),
    "phase": Option(
        "--phase before|after|skunk", str, completion.choices(completion.PHASES), "before"
    ),
    "t": Option("--t", bool),
    "skunk": Option("--skunk 1|2|3"),
    "turn": whole("--turn", 0, 1_000_000, 0),
    "quick": Option("--quick", bool),
    "html": Option("--html", bool),
    "pdf": Option("--pdf", bool),
    "fresh": Option("--fresh", bool),
    "seed": whole("--seed -s", 0, 2**64 - 1, 0),
    "rules": Option("--rules", Path),
    "set": Option("--set KEY=VALUE", _TEXTS, completion.settings),
    "plugin": Option("--plugin FILE.py", _FILES),
    "threads": whole("--threads -t", high=1024),
    "out": Option("--out DIR", Path),
    "cluster": Option("--cluster ADDRESS"),
    "json": Option("--json", bool),
    "save": Option("--save FILE", _FILES),
    "report": Option("--report FILE", _FILES),
    "figure": Option("--figure FILE", Path),
    "time_limit": number("--time-limit", "SECONDS", zero="none"),
}
"""By the name of the argument, or of a command and of its argument."""
_HELP = {
    "game": "A game, as 'herdlab games' lists.",
    "ask.game": "Where a question is about more than one game.",
    "name": "Show this one's parameters.",
    "a": "A strategy.",
    "b": "Another.",
    "sweep.strategy": "Whose parameters, or who plays.",
    "tune.strategy": "Whose parameters.",
    "question": "Without one, all questions are listed.",
    "file": "A study, STUDY.toml, whose parts are played; or a result, RESULT.json, as --json "
    "prints and --save writes it, which is shown as it is.  The plug-ins of a study run as "
    "programs: play studies you trust.",
    "folder": "What --out was given.  Plug-ins in it run as programs: resume folders you trust.",
    "result": "What --json printed.",
    "action": None,
    "players": "Strategies by seat, with commas; parameters with colons: "
    "keeper,herder:keep_sheep=2",
    "advise.players": "Strategies that play on, with commas, yours first.  [default: keeper for "
    "all]",
    "ask.players": "Strategies to ask it for, with commas, where it takes them.",
    "field": "The others at the table, with commas.  [default: copies of the last strategy named, "
    "at the smallest table]",
    "entrants": "Strategies, with commas, or all (slow ones only by name).",
    "against": "Who sits at the tables, with commas.",
    "strategies": "Whose turns; repeatable, or with commas.  [default: climber, keeper, "
    "keeper-dog, dog-first, optimal, which is the best play]",
    "vary": "A parameter of the strategy, or rules.NAME; or NAME=value,value,…",
    "metric": "What is measured: win, length, score or an event, as simulate prints them.",
    "games": "How many deals (all dice and cards of a game), such as 1e6.  [default: 2e4]",
    "compare.games": "How many deals (all dice and cards of a game), such as 1e6.  [default: 1e5]",
    "simulate.games": "How many (with --rotate: deals), such as 1e6.  [default: 1e5]",
    "tournament.games": "For each line-up, in all its seatings.  [default: 1e4]",
    "advise.games": "For each move, such as 1e6.  [default: 2e4]",
    "simulate.precision": "Play until every win rate is known to ± this, such as 0.001.",
    "race.precision": "Play until every figure is known to ± this, as 0.002.",
    "max_games": "Stop there at the latest, counted as --games.  [default: 1e7]",
    "ask.max_games": "Leave a comparison open that so many deals do not settle.  [default: 2e5]",
    "max_line_ups": "Of more than these a sample.  [default: 1000]",
    "tournament.size": "How many sit at a table.",
    "tune.size": "How many sit at a table.  [default: the fewest that can]",
    "rotate": "Play every deal in all rotations of the seats.",
    "rows": "Keep a row of every game too, as Parquet in DIR/rows.",
    "number": "Which game of the run, counted from 0.",
    "decide": "Play until it is settled which is higher, or that neither.",
    "margin": "What lies surely within ± this is no difference that matters, unless its sign is "
    "settled first.  [default: 0.005 for win, half a percentage point]",
    "readings": "Repeat it under every reading of unclear clauses.",
    "best": "high or low: what is good.  [default: by metric]",
    "dogs": "sold, as the rules have them; rolled-only, given by the die but not sold; none, no "
    "dog tiles.  Repeatable.  [default: sold]",
    "herd": "Your own: rabbits=6,sheep=2,dogs=1.",
    "others": "Another player's; once for each, from your left on.  [default: as yours]",
    "phase": "What to decide: the trade before or after the roll; whom to give the skunk.",
    "t": "A T was rolled: trade after the roll with another player only.",
    "skunk": "Who holds it, counted to your left.",
    "turn": "Turns finished so far, for strategies that look at it.",
    "ask.quick": "A rough answer from few games, in seconds.",
    "report.quick": "A rough report from few games, in seconds.",
    "bench.quick": "Measure roughly, in seconds; leave starts out.",
    "report.out": "The folder for the report, made if there is none.  [default: that of FILE]",
    "html": "Write DIR/STUDY.html.  [default: both]",
    "pdf": "Write DIR/STUDY.pdf.  [default: both]",
    "fresh": "Play all parts anew.  Without it, what was played of the same request by the same "
    "herdlab is taken from DIR/.herdlab/STUDY.",
    "seed": "A whole number; all luck follows from it.",
    "rules": "A TOML file with settings.",
    "set": "A setting of the rules.",
    "plugin": "A file with strategies.  It runs as a program: use files you trust.",
    "resume.plugin": "Run your own file of a plug-in, not the copy in DIR; both must be the same.",
    "threads": "Default: all cores.",
    "out": "Keep what is played in a new folder: resume DIR goes on.",
    "cluster": "Play on a Dask cluster, such as tcp://10.0.0.1:8786; 'local' starts one here.",
    "json": "Print JSON.",
    "save": "Write it to FILE.csv, .parquet or .json too.",
    "report": "Write a report too, as FILE.html or .pdf.",
    "figure": "Draw it, as FILE.svg, .png or .pdf.",
    "time_limit": "Stop if a strategy computes longer than this for one answer; none for no "
    "limit.  [default: 60]",
}
"""What --help says of each; a default stands in it where the function that answers has it."""


def parameter(command: str, name: str) -> inspect.Parameter:
    """Return an argument of a command as its signature has it."""
    here = f"{command}.{name}"
    one = _OPTIONS.get(here) or _OPTIONS[name]
    names = [word for word in one.typed.split() if word.startswith("-")]
    more = {
        "help": _HELP[here if here in _HELP else name],
        "metavar": " ".join(one.typed.split()[len(names) :]) or None,
        "autocompletion": one.completes,
        "parser": one.reads,
    }
    made = typer.Option(*names, **more) if names else typer.Argument(**more)
    default = False if one.kind is bool else one.default
    kind = one.kind | None if default is None else one.kind
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=default, annotation=Annotated[kind, made])


@dataclass(frozen=True, kw_only=True)
class Shared:
    """The options that commands share; `herdlab.analysis.commands` says which of them each has."""

    seed: int = 0
    rules: Path | None = None
    set: list[str] | None = None
    plugin: list[Path] | None = None
    threads: int | None = None
    out: Path | None = None
    cluster: str | None = None
    json: bool = False
    save: list[Path] | None = None
    report: list[Path] | None = None
    figure: Path | None = None
    time_limit: float | None = None

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            from herdlab.simcore.workers import limited_to

            with limited_to(self.time_limit):  # refuses what is no limit
                pass

    @property
    def written(self) -> list[Path]:
        """The files that are written."""
        figure = [] if self.figure is None else [self.figure]
        return [*(self.save or ()), *(self.report or ()), *figure]

    def given(self, function: Callable[..., Any], own: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments for a function of herdlab: `own` ones, and these, as it has them."""
        from herdlab.simcore.rules import load_settings

        shared = {**vars(self), "plugins": self.plugin}
        shared["rules"] = load_settings(self.rules, self.set or [])
        takes = inspect.signature(function).parameters
        return {
            key: value
            for key, value in {**shared, **own}.items()
            if key in takes and value not in (None, [])
        }
