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


def option(names: str, help: str, completes: Any = None, **more: Any) -> Any:
    """Return an option by its names, such as ``--players -p``."""
    return typer.Option(*names.split(), help=help, autocompletion=completes, **more)


def argument(help: str, completes: Any = None, metavar: str | None = None) -> Any:
    """Return an argument, which stands without a name."""
    return typer.Argument(help=help, autocompletion=completes, metavar=metavar)


def whole(names: str, help: str, low: int = 1, high: int = 10**12) -> Any:
    """Return an option that takes a whole number, by default a number of games."""
    name = names.split(maxsplit=1)[0]

    def read(text: Any) -> int:
        return read_whole(name, str(text), low, high)

    return option(names, help, metavar="NUMBER", parser=read)


def number(name: str, help: str, metavar: str = "NUMBER", zero: str = "") -> Any:
    """Return an option that takes a number, such as 0.005; or `zero`, a word for 0."""

    def read(text: str) -> float:
        try:
            return 0.0 if zero and text.casefold() == zero else float(text)
        except ValueError:
            raise BadInput(f"{name} must be a number, such as 0.005, and got '{text}'") from None

    return option(name, help, metavar=metavar, parser=read)


Plugins = Annotated[
    list[Path] | None,
    option(
        "--plugin",
        "A file with strategies.  It runs as a program: use files you trust.",
        metavar="FILE.py",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Shared:
    """The options that commands share; `herdlab.analysis.commands` says which of them each has."""

    seed: Annotated[
        int, whole("--seed -s", "A whole number; all luck follows from it.", 0, 2**64 - 1)
    ] = 0
    rules: Annotated[Path | None, option("--rules", "A TOML file with settings.")] = None
    set: Annotated[
        list[str] | None,
        option("--set", "A setting of the rules.", completion.settings, metavar="KEY=VALUE"),
    ] = None
    plugin: Plugins = None
    threads: Annotated[int | None, whole("--threads -t", "Default: all cores.", high=1024)] = None
    out: Annotated[
        Path | None,
        option("--out", "Keep what is played in a new folder: resume DIR goes on.", metavar="DIR"),
    ] = None
    cluster: Annotated[
        str | None,
        option(
            "--cluster",
            "Play on a Dask cluster, such as tcp://10.0.0.1:8786; 'local' starts one here.",
            metavar="ADDRESS",
        ),
    ] = None
    json: Annotated[bool, option("--json", "Print JSON.")] = False
    save: Annotated[
        list[Path] | None,
        option("--save", "Write it to FILE.csv, .parquet or .json too.", metavar="FILE"),
    ] = None
    report: Annotated[
        list[Path] | None,
        option("--report", "Write a report too, as FILE.html or .pdf.", metavar="FILE"),
    ] = None
    figure: Annotated[
        Path | None, option("--figure", "Draw it, as FILE.svg, .png or .pdf.", metavar="FILE")
    ] = None
    time_limit: Annotated[
        float | None,
        number(
            "--time-limit",
            "Stop if a strategy computes longer than this for one answer; none for no limit.  "
            "[default: 60]",
            metavar="SECONDS",
            zero="none",
        ),
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

        shared = {**vars(self), "plugins": self.plugin}
        shared["rules"] = load_settings(self.rules, self.set or [])
        takes = signature(function).parameters
        return {
            key: value
            for key, value in {**shared, **own}.items()
            if key in takes and value not in (None, [])
        }
