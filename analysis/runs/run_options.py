"""What every function of herdlab takes beside its own arguments, and playing accordingly."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, TypedDict, TypeVar, get_args

from herdlab.analysis.experiment import Experiment, Interrupted, WorkersLost
from herdlab.analysis.runs.progress import OnProgress
from herdlab.simcore.errors import BadInput, Names, names_in
from herdlab.simcore.game import Game, find_game

if TYPE_CHECKING:
    from herdlab.analysis.runs.run_folder import RunFolder
    from herdlab.simcore.batch import Crew

Whole = Annotated[float, "a whole number"]
"""A whole number, such as 1_000_000 or 1e6."""
Files = Sequence[str | Path]
Rules = Mapping[str, Any] | None
Prepare = Callable[[Game], None] | None
"""Hears that a request was found good, before the game's engine is loaded."""
Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


class Told(TypedDict, total=False):
    """What a function takes that tells a game; RunOptions has the defaults."""

    rules: Rules
    seed: Whole
    plugins: Files
    time_limit: float | None
    prepare: Prepare


class Played(Told, total=False):
    """What a function takes that plays."""

    threads: int | None
    on_progress: OnProgress | None


class Kept(Played, total=False):
    """What a function takes that may play for days."""

    out: "str | Path | RunFolder | None"
    cluster: str | None


class Replayed(TypedDict, total=False):
    """What a function takes that plays again what stands in a file."""

    plugins: Files
    threads: int | None
    time_limit: float | None
    on_progress: OnProgress | None
    prepare: Prepare


def whole(value: float, what: str = "the number of games") -> int:
    """Return a number that must be whole."""
    if isinstance(value, int):
        return value
    try:
        if value == int(value):
            return int(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadInput(f"{what} must be a whole number, and got {value!r}")


def names(given: Names) -> tuple[str, ...]:
    """Return strategies one by one."""
    return tuple(names_in(given))


def names_if(given: Names | None) -> tuple[str, ...] | None:
    """Return strategies one by one, if any are given."""
    return None if given is None else names(given)


def texts(given: Names) -> tuple[str, ...]:
    """Return one text or several as several."""
    return (given,) if isinstance(given, str) else tuple(given)


@dataclass(frozen=True)
class RunOptions:
    """What functions take beside their own arguments, with the defaults."""

    rules: Rules = None
    seed: Whole = 0
    plugins: Files = ()
    threads: int | None = None
    time_limit: float | None = 60
    on_progress: OnProgress | None = None
    prepare: Prepare = None
    out: "str | Path | RunFolder | None" = None
    cluster: str | None = None

    def experiment(self, game: str) -> Experiment:
        """Return where games are played by these options."""
        found, rules = find_game(game), self.rules or {}
        if not isinstance(rules, Mapping):
            raise BadInput(f"rules are a table, such as {{'horse_price': 3}}, and got '{rules}'")
        plugins: tuple[dict[str, str], ...] = ()
        if self.plugins:
            from herdlab.strategies.registry import load_plugin

            plugins = tuple(load_plugin(Path(file)).as_json() for file in self.plugins)
        seed = whole(self.seed, "the seed")
        return Experiment(found, found.rules_type.from_settings(rules), seed, plugins)

    def crew(self, experiment: Experiment, stack: ExitStack) -> "Crew":
        """Return who plays: a cluster, before anything is written that a wrong one would spoil."""
        if self.cluster is None:
            from herdlab.simcore.batch import Threads

            return Threads(self.threads)
        from herdlab.analysis.runs.cluster import LOCAL, Cluster
        from herdlab.analysis.runs.run_folder import RunFolder

        if self.cluster != LOCAL and self.threads is not None:
            raise BadInput("--threads is for this machine; a cluster has those of its workers")
        try:
            return stack.enter_context(Cluster(experiment, self.cluster, self.threads))
        except BadInput as mistake:
            if not isinstance(self.out, RunFolder):
                raise
            goes_on = self.out.resume_command
            raise BadInput(f"{mistake}. Or go on without a cluster: {goes_on}") from None

    def folder(
        self, out: "str | Path | RunFolder", experiment: Experiment, asked: dict[str, Any]
    ) -> "tuple[RunFolder, bool]":
        """Return the run folder, and whether it was made just now."""
        from herdlab.analysis.runs.run_folder import RunFolder
        from herdlab.strategies.plugins import loaded_plugins

        if not isinstance(out, RunFolder):
            return RunFolder.create(Path(out), asked, loaded_plugins(experiment.plugins)), True
        for what, key in (
            ("rules: their hash differs", "rules_hash"),
            ("plug-ins: they have changed", "plugins"),
        ):
            if out.manifest[key] != asked[key]:
                raise BadInput(f"run folder '{out.path}' was begun with other {what}")
        return out, False


OPTIONS = tuple(one.name for one in fields(RunOptions))
"""Arguments that say how to play, by whatever function."""


def takes_options(function: Callable[Arguments, Found]) -> Callable[Arguments, Found]:
    """Let the signature of a function list its options, and Python refuse what is none of them."""
    signature = inspect.signature(function)
    *own, options = signature.parameters.values()
    (typed,) = get_args(options.annotation)
    keyword = inspect.Parameter.KEYWORD_ONLY
    known = [
        inspect.Parameter(one.name, keyword, default=one.default, annotation=one.type)
        for one in fields(RunOptions)
        if one.name in typed.__annotations__
    ]
    shown = signature.replace(parameters=[*own, *known])

    @wraps(function)
    def public(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Found:
        for key in kwargs:
            if key not in shown.parameters:
                raise TypeError(f"{function.__name__}() got an unexpected keyword argument '{key}'")
        return function(*args, **kwargs)

    public.__signature__ = shown  # type: ignore[attr-defined]
    return public


def play(
    command: str,
    game: str,
    given: Mapping[str, Any],
    request_in: Callable[[Experiment], Any],
    study: Callable[..., Found],
    **arguments: Any,
) -> Found:
    """Play what `request_in` finds good, and keep there what is asked to be kept.

    `given` are RunOptions; `arguments` are those of the command beside what the request has.
    """
    from herdlab.analysis.runs.runner import Runner
    from herdlab.simcore.workers import TookTooLong, limited_to

    options = RunOptions(**given)
    with limited_to(options.time_limit), ExitStack() as stack:
        experiment = options.experiment(game)
        request = request_in(experiment)
        crew, folder, is_new = options.crew(experiment, stack), None, False
        if options.out is not None:
            asked = {"command": command, **experiment.as_json()}
            asked["arguments"] = {**request.arguments(), **arguments}
            folder, is_new = options.folder(options.out, experiment, asked)
            stack.callback(folder.close)
        try:
            if options.prepare is not None:
                options.prepare(experiment.game)
            found = study(request, Runner(crew, folder, options.on_progress))
            if folder is not None:
                folder.finish(found.as_json())  # type: ignore[attr-defined]
            return found
        except (KeyboardInterrupt, Interrupted) as stopped:
            if folder is None:
                raise
            folder.save()
            so_far = stopped.so_far if isinstance(stopped, Interrupted) else None
            raise Interrupted(so_far, None, folder.resume_command) from None
        except (WorkersLost, TookTooLong) as stopped:
            if folder is not None:
                folder.save()
                goes_on = f"Go on with: {folder.resume_command}"
            elif isinstance(stopped, WorkersLost):
                goes_on = "Run the command again"
            else:
                raise
            raise type(stopped)(f"{stopped}. {goes_on}") from None
        except BadInput as mistake:
            if folder is not None and is_new:
                folder.refused(mistake)
            raise
