"""What every function of herdlab takes beside its own arguments, and playing accordingly."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, ParamSpec, TypeVar

from herdlab.analysis.experiment import Experiment, Interrupted, WorkersLost
from herdlab.simcore.errors import BadInput, Names, names_in
from herdlab.simcore.game import Game, find_game

if TYPE_CHECKING:
    from herdlab.analysis.runs.progress import OnProgress
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
class Plan(Generic[Found]):
    """What a function of herdlab found that it is to play."""

    request: Callable[[Experiment], Any]
    """Makes the request, or refuses it."""
    play: Callable[..., Found]
    """Plays a request with a runner."""
    game: str | None = None
    """Where it is not the argument `game`."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the function beside those that the request has."""


@dataclass(frozen=True)
class RunOptions:
    """What functions take beside their own arguments; only those that may play for days all."""

    rules: Rules = None
    seed: Whole = 0
    plugins: Files = ()
    threads: int | None = None
    time_limit: float | None = 60
    on_progress: "OnProgress | None" = None
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

    def play(self, command: str, plan: Plan[Found], experiment: Experiment) -> Found:
        """Play what is found good, and keep there what is asked to be kept."""
        from herdlab.analysis.runs.runner import Runner
        from herdlab.simcore.workers import TookTooLong

        request = plan.request(experiment)
        with ExitStack() as stack:
            crew = self._crew(experiment, stack)
            folder, is_new = None, False
            if self.out is not None:
                asked = {"command": command, **experiment.as_json()}
                asked["arguments"] = {**request.arguments(), **plan.arguments}
                folder, is_new = self._folder(experiment, asked)
                stack.callback(folder.close)
            try:
                if self.prepare is not None:
                    self.prepare(experiment.game)
                found = plan.play(request, Runner(crew, folder, self.on_progress))
                if folder is not None:
                    folder.finish(found.as_json())  # type: ignore[attr-defined]
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
            return found

    def _crew(self, experiment: Experiment, stack: ExitStack) -> "Crew":
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

    def _folder(self, experiment: Experiment, asked: dict[str, Any]) -> "tuple[RunFolder, bool]":
        """Return the run folder, and whether it was made just now."""
        from herdlab.analysis.runs.run_folder import RunFolder
        from herdlab.strategies.plugins import loaded_plugins

        out = self.out
        assert out is not None
        if not isinstance(out, RunFolder):
            return RunFolder.create(Path(out), asked, loaded_plugins(experiment.plugins)), True
        for what, key, is_same in (
            ("rules: their hash differs", "rules_hash", experiment.rules.hash),
            ("plug-ins: they have changed", "plugins", list(experiment.plugins)),
        ):
            if out.manifest[key] != is_same:
                raise BadInput(f"run folder '{out.path}' was begun with other {what}")
        return out, False


OPTIONS = tuple(one.name for one in fields(RunOptions))
"""Arguments that say how to play, by whatever function."""


def plays(plan: Callable[Arguments, Plan[Found]]) -> Callable[Arguments, Found]:
    """Make a function that plays of one that says what to play.

    It takes the same arguments; `RunOptions` among them are looked at here.
    """
    signature = inspect.signature(plan)

    @wraps(plan)
    def public(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Found:
        from herdlab.simcore.workers import limited_to

        made = plan(*args, **kwargs)
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = bound.arguments
        options = RunOptions(**{key: given[key] for key in OPTIONS if key in given})
        with limited_to(options.time_limit):
            experiment = options.experiment(made.game or given["game"])
            return options.play(plan.__name__, made, experiment)

    found = plan.__annotations__["return"].removeprefix("Plan[").removesuffix("]")
    public.__annotations__ = {**plan.__annotations__, "return": found}
    public.__signature__ = signature.replace(return_annotation=found)  # type: ignore[attr-defined]
    return public
