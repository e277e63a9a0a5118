"""The options of the commands, and how words on the command line are read.

Whatever is slow to import is imported inside functions.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, Overflow
from pathlib import Path
from typing import Annotated, Any

import typer

from herdlab.commands import completion
from herdlab.simcore.errors import BadInput

_MOST_THREADS = 1024
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


def whole(name: str, *short: str, help: str, low: int = 1, high: int = 10**12) -> Any:
    """Return an option that takes a whole number, by default a number of games."""

    def read(text: Any) -> int:
        return read_whole(name, str(text), low, high)

    return typer.Option(name, *short, metavar="NUMBER", parser=read, help=help)


def number(name: str, *, help: str, metavar: str = "NUMBER", zero: str = "") -> Any:
    """Return an option that takes a number, such as 0.005; or `zero`, a word for 0."""

    def read(text: str) -> float:
        try:
            return 0.0 if zero and text.casefold() == zero else float(text)
        except ValueError:
            raise BadInput(f"{name} must be a number, such as 0.005, and got '{text}'") from None

    return typer.Option(name, metavar=metavar, parser=read, help=help)


def names(name: str, *short: str, help: str) -> Any:
    """Return an option that takes strategies."""
    return typer.Option(name, *short, help=help, autocompletion=completion.strategies)


def named(help: str, metavar: str | None = None) -> Any:
    """Return an argument that is a strategy."""
    return typer.Argument(help=help, metavar=metavar, autocompletion=completion.strategy)


def flag(name: str, help: str) -> Any:
    """Return an option that is given or not."""
    return typer.Option(name, help=help)


def files(name: str, help: str, metavar: str = "FILE") -> Any:
    """Return an option that takes a file or a folder."""
    return typer.Option(name, metavar=metavar, help=help)


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game, as 'herdlab games' lists.",
        autocompletion=completion.games,
    ),
]
Players = Annotated[
    str,
    names(
        "--players",
        "-p",
        help="Strategies by seat, with commas; parameters with colons: keeper,herder:keep_sheep=2",
    ),
]
_SEED = "A whole number; all luck follows from it."
_PLUGIN = "A file with strategies.  It runs as a program: use files you trust."
_TIME_LIMIT = (
    "Stop if a strategy computes longer than this for one answer; none for no limit.  [default: 60]"
)
_DEALS = "How many deals (all dice and cards of a game), such as 1e6.  [default: {}]"
Deals = Annotated[int | None, whole("--games", "-n", help=_DEALS.format("1e5"))]
FewerDeals = Annotated[int | None, whole("--games", "-n", help=_DEALS.format("2e4"))]
MaxGames = Annotated[
    int | None,
    whole("--max-games", help="Stop there at the latest, counted as --games.  [default: 1e7]"),
]
Metric = Annotated[
    str,
    typer.Option(
        "--metric",
        "-m",
        help="What is measured: win, length, score or an event, as simulate prints them.",
        autocompletion=completion.metrics,
    ),
]
Field = Annotated[
    str | None,
    names(
        "--field",
        "-f",
        help="The others at the table, with commas.  [default: copies of the last strategy named, "
        "at the smallest table]",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Shared:
    """The options that commands share; `herdlab.analysis.commands` says which of them each has."""

    seed: Annotated[int, whole("--seed", "-s", help=_SEED, low=0, high=2**64 - 1)] = 0
    rules: Annotated[Path | None, typer.Option("--rules", help="A TOML file with settings.")] = None
    set: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="A setting of the rules.",
            autocompletion=completion.settings,
        ),
    ] = None
    plugin: Annotated[list[Path] | None, files("--plugin", _PLUGIN, "FILE.py")] = None
    threads: Annotated[
        int | None, whole("--threads", "-t", help="Default: all cores.", high=_MOST_THREADS)
    ] = None
    out: Annotated[
        Path | None,
        files("--out", "Keep what is played in a new folder: resume DIR goes on.", "DIR"),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Play on a Dask cluster, such as tcp://10.0.0.1:8786; 'local' starts one here.",
        ),
    ] = None
    json: Annotated[bool, flag("--json", "Print JSON.")] = False
    save: Annotated[
        list[Path] | None, files("--save", "Write it to FILE.csv, .parquet or .json too.")
    ] = None
    report: Annotated[
        list[Path] | None, files("--report", "Write a report too, as FILE.html or .pdf.")
    ] = None
    figure: Annotated[Path | None, files("--figure", "Draw it, as FILE.svg, .png or .pdf.")] = None
    time_limit: Annotated[
        float | None, number("--time-limit", metavar="SECONDS", zero="none", help=_TIME_LIMIT)
    ] = None

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
        from inspect import signature

        from herdlab.simcore.rules import load_settings

        shared = {
            "seed": self.seed,
            "rules": load_settings(self.rules, self.set or []),
            "plugins": self.plugin,
            "threads": self.threads,
            "time_limit": self.time_limit,
            "out": self.out,
            "cluster": self.cluster,
        }
        takes = signature(function).parameters
        return {
            key: value
            for key, value in {**shared, **own}.items()
            if key in takes and value not in (None, [])
        }
