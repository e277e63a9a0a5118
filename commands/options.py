"""The options of all commands, and how words on the command line are read.

Whatever is slow to import is imported inside functions.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, Overflow
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, NamedTuple, get_args

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


class Option(NamedTuple):
    """How an argument of a command is typed."""

    annotation: Any
    default: Any


NEEDED = inspect.Parameter.empty
"""The default of what must be given."""


def option(
    kind: Any, names: str, help: str, completes: Any = None, *, default: Any = None, **more: Any
) -> Option:
    """Return an option by its names, such as ``--players -p``."""
    if kind is bool:
        default = False
    elif default is None:
        kind |= None
    made = typer.Option(*names.split(), help=help, autocompletion=completes, **more)
    return Option(Annotated[kind, made], default)


def whole(names: str, help: str, low: int = 1, high: int = 10**12, default: Any = None) -> Option:
    """Return an option that takes a whole number, by default a number of games."""

    def read(text: Any) -> int:
        return read_whole(names.split(maxsplit=1)[0], str(text), low, high)

    return option(int, names, help, default=default, metavar="NUMBER", parser=read)


def number(name: str, help: str, metavar: str = "NUMBER", zero: str = "") -> Option:
    """Return an option that takes a number, such as 0.005; or `zero`, a word for 0."""

    def read(text: str) -> float:
        try:
            return 0.0 if zero and text.casefold() == zero else float(text)
        except ValueError:
            raise BadInput(f"{name} must be a number, such as 0.005, and got '{text}'") from None

    return option(float, name, help, metavar=metavar, parser=read)


def players(names: str, help: str, default: Any = None, kind: Any = str) -> Option:
    """Return an option that takes strategies."""
    return option(kind, names, help, completion.strategies, default=default)


def argument(
    kind: Any, help: str | None, completes: Any = None, metavar: str | None = None
) -> Option:
    """Return what stands without an option; it must be given where its kind has no None."""
    made = typer.Argument(help=help, autocompletion=completes, metavar=metavar)
    return Option(Annotated[kind, made], None if NoneType in get_args(kind) else NEEDED)


_TEXTS, _FILES = list[str], list[Path]
_DEALS = "How many deals (all dice and cards of a game), such as 1e6.  [default: {}]"
_OPTIONS = {
    "game": argument(str, "A game, as 'herdlab games' lists.", completion.games, "GAME"),
    "ask.game": argument(
        str | None,
        "Where a question is about more than one game.",
        completion.asked_games,
        "[GAME]",
    ),
    "name": argument(str | None, "Show this one's parameters.", completion.strategy_names),
    "a": argument(str, "A strategy.", completion.strategy, "A"),
    "b": argument(str, "Another.", completion.strategy, "B"),
    "sweep.strategy": argument(str, "Whose parameters, or who plays.", completion.strategy),
    "tune.strategy": argument(str, "Whose parameters.", completion.strategy),
    "question": argument(
        str | None, "Without one, all questions are listed.", completion.questions, "[QUESTION]"
    ),
    "file": argument(
        Path,
        "A study, STUDY.toml, whose parts are played; or a result, RESULT.json, as --json prints "
        "and --save writes it, which is shown as it is.  The plug-ins of a study run as programs: "
        "play studies you trust.",
        metavar="FILE",
    ),
    "folder": argument(
        Path,
        "What --out was given.  Plug-ins in it run as programs: resume folders you trust.",
        metavar="DIR",
    ),
    "result": argument(Path, "What --json printed.", metavar="RESULT.json"),
    "action": argument(str | None, None, completion.CACHE, "[clear]"),
    "players": players(
        "--players -p",
        "Strategies by seat, with commas; parameters with colons: keeper,herder:keep_sheep=2",
        NEEDED,
    ),
    "advise.players": players(
        "--players -p",
        "Strategies that play on, with commas, yours first.  [default: keeper for all]",
    ),
    "ask.players": players(
        "--players -p", "Strategies to ask it for, with commas, where it takes them."
    ),
    "field": players(
        "--field -f",
        "The others at the table, with commas.  [default: copies of the last strategy named, at "
        "the smallest table]",
    ),
    "entrants": players(
        "--entrants -e", "Strategies, with commas, or all (slow ones only by name).", NEEDED
    ),
    "against": players("--against -a", "Who sits at the tables, with commas.", NEEDED),
    "strategies": players(
        "--strategy --strategies",
        "Whose turns; repeatable, or with commas.  [default: climber, keeper, keeper-dog, "
        "dog-first, optimal, which is the best play]",
        kind=_TEXTS,
    ),
    "vary": option(
        _TEXTS,
        "--vary -v",
        "A parameter of the strategy, or rules.NAME; or NAME=value,value,…",
        completion.varied,
        default=NEEDED,
        metavar="NAME=FROM:TO:STEP",
    ),
    "metric": option(
        str,
        "--metric -m",
        "What is measured: win, length, score or an event, as simulate prints them.",
        completion.metrics,
        default="win",
    ),
    "games": whole("--games -n", _DEALS.format("2e4")),
    "compare.games": whole("--games -n", _DEALS.format("1e5")),
    "simulate.games": whole(
        "--games -n", "How many (with --rotate: deals), such as 1e6.  [default: 1e5]"
    ),
    "tournament.games": whole(
        "--games -n", "For each line-up, in all its seatings.  [default: 1e4]"
    ),
    "advise.games": whole("--games -n", "For each move, such as 1e6.  [default: 2e4]"),
    "simulate.precision": number(
        "--precision", "Play until every win rate is known to ± this, such as 0.001."
    ),
    "precision": number("--precision", "Play until every figure is known to ± this, as 0.002."),
    "max_games": whole(
        "--max-games", "Stop there at the latest, counted as --games.  [default: 1e7]"
    ),
    "ask.max_games": whole(
        "--max-games", "Leave a comparison open that so many deals do not settle.  [default: 2e5]"
    ),
    "max_line_ups": whole(
        "--max-line-ups", "Of more than these a sample.  [default: 1000]", high=100_000
    ),
    "tournament.size": whole("--size", "How many sit at a table.", high=99, default=NEEDED),
    "size": whole("--size", "How many sit at a table.  [default: the fewest that can]", high=99),
    "rotate": option(bool, "--rotate", "Play every deal in all rotations of the seats."),
    "rows": option(bool, "--rows", "Keep a row of every game too, as Parquet in DIR/rows."),
    "number": whole(
        "--game --number -g", "Which game of the run, counted from 0.", 0, 2**62, default=0
    ),
    "decide": option(
        bool, "--decide", "Play until it is settled which is higher, or that neither."
    ),
    "margin": number(
        "--margin",
        "What lies surely within ± this is no difference that matters, unless its sign is settled "
        "first.  [default: 0.005 for win, half a percentage point]",
    ),
    "readings": option(bool, "--readings", "Repeat it under every reading of unclear clauses."),
    "best": option(
        str, "--best", "high or low: what is good.  [default: by metric]", completion.BEST
    ),
    "dogs": option(
        _TEXTS,
        "--dogs",
        "sold, as the rules have them; rolled-only, given by the die but not sold; none, no dog "
        "tiles.  Repeatable.  [default: sold]",
        completion.DOGS,
    ),
    "herd": option(
        str,
        "--herd",
        "Your own: rabbits=6,sheep=2,dogs=1.",
        completion.herds,
        default=NEEDED,
        metavar="ANIMAL=COUNT,…",
    ),
    "others": option(
        _TEXTS,
        "--other --others -o",
        "Another player's; once for each, from your left on.  [default: as yours]",
        completion.herds,
        metavar="ANIMAL=COUNT,…",
    ),
    "phase": option(
        str,
        "--phase",
        "What to decide: the trade before or after the roll; whom to give the skunk.",
        completion.PHASES,
        default="before",
        metavar="before|after|skunk",
    ),
    "t": option(bool, "--t", "A T was rolled: trade after the roll with another player only."),
    "skunk": option(str, "--skunk", "Who holds it, counted to your left.", metavar="1|2|3"),
    "turn": whole(
        "--turn", "Turns finished so far, for strategies that look at it.", 0, 1_000_000, default=0
    ),
    "ask.quick": option(bool, "--quick", "A rough answer from few games, in seconds."),
    "report.quick": option(bool, "--quick", "A rough report from few games, in seconds."),
    "bench.quick": option(bool, "--quick", "Measure roughly, in seconds; leave starts out."),
    "report.out": option(
        Path,
        "--out",
        "The folder for the report, made if there is none.  [default: that of FILE]",
        metavar="DIR",
    ),
    "html": option(bool, "--html", "Write DIR/STUDY.html.  [default: both]"),
    "pdf": option(bool, "--pdf", "Write DIR/STUDY.pdf.  [default: both]"),
    "fresh": option(
        bool,
        "--fresh",
        "Play all parts anew.  Without it, what was played of the same request by the same "
        "herdlab is taken from DIR/.herdlab/STUDY.",
    ),
    "seed": whole(
        "--seed -s", "A whole number; all luck follows from it.", 0, 2**64 - 1, default=0
    ),
    "rules": option(Path, "--rules", "A TOML file with settings."),
    "set": option(
        _TEXTS, "--set", "A setting of the rules.", completion.settings, metavar="KEY=VALUE"
    ),
    "plugin": option(
        _FILES,
        "--plugin",
        "A file with strategies.  It runs as a program: use files you trust.",
        metavar="FILE.py",
    ),
    "resume.plugin": option(
        _FILES,
        "--plugin",
        "Run your own file of a plug-in, not the copy in DIR; both must be the same.",
        metavar="FILE.py",
    ),
    "threads": whole("--threads -t", "Default: all cores.", high=1024),
    "out": option(
        Path, "--out", "Keep what is played in a new folder: resume DIR goes on.", metavar="DIR"
    ),
    "cluster": option(
        str,
        "--cluster",
        "Play on a Dask cluster, such as tcp://10.0.0.1:8786; 'local' starts one here.",
        metavar="ADDRESS",
    ),
    "json": option(bool, "--json", "Print JSON."),
    "save": option(
        _FILES, "--save", "Write it to FILE.csv, .parquet or .json too.", metavar="FILE"
    ),
    "report": option(
        _FILES, "--report", "Write a report too, as FILE.html or .pdf.", metavar="FILE"
    ),
    "figure": option(Path, "--figure", "Draw it, as FILE.svg, .png or .pdf.", metavar="FILE"),
    "time_limit": number(
        "--time-limit",
        "Stop if a strategy computes longer than this for one answer; none for no limit.  "
        "[default: 60]",
        "SECONDS",
        "none",
    ),
}
"""By the name of the argument, or of a command and of its argument."""


def parameter(command: str, name: str) -> inspect.Parameter:
    """Return an argument of a command as its signature has it."""
    annotation, default = _OPTIONS.get(f"{command}.{name}") or _OPTIONS[name]
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=default, annotation=annotation)


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
