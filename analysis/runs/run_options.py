"""What every function of herdlab takes beside its own arguments, and playing accordingly."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from herdlab.analysis.experiment import Experiment, Interrupted, WorkersLost
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Game, find_game

if TYPE_CHECKING:
    from herdlab.analysis.runs.progress import OnProgress
    from herdlab.analysis.runs.run_folder import RunFolder
    from herdlab.analysis.runs.runner import Runner
    from herdlab.simcore.batch import Crew


class RunOptions(TypedDict, total=False):
    """What every function takes beside its own arguments."""

    rules: Mapping[str, Any] | None
    seed: int
    plugins: Sequence[str | Path]
    threads: int | None
    on_progress: "OnProgress | None"
    prepare: Callable[[Game], None] | None
    time_limit: float | None
    """Seconds that a strategy may compute for one answer, by default 60; None for no limit."""


class LongRunOptions(RunOptions, total=False):
    """What functions take that may play for days."""

    out: "str | Path | RunFolder | None"
    """A new folder that keeps what has been played, so that `resume` can go on."""
    cluster: str | None
    """The address of a Dask scheduler, or ``local`` for one on this machine."""


def check_keys(setting: Mapping[str, Any], known: Collection[str]) -> None:
    """Refuse what no function takes, as Python does."""
    for key in setting:
        if key not in known:
            raise TypeError(f"unexpected argument '{key}'")


def experiment_of(game: str, setting: RunOptions) -> Experiment:
    """Return where games are played by this setting."""
    check_keys(setting, LongRunOptions.__optional_keys__)
    found, rules = find_game(game), setting.get("rules") or {}
    if not isinstance(rules, Mapping):
        raise BadInput(f"rules are a table, such as {{'horse_price': 3}}, and got '{rules}'")
    files = [Path(file) for file in setting.get("plugins", ())]
    plugins: tuple[dict[str, str], ...] = ()
    if files:
        from herdlab.strategies.registry import load_plugin

        plugins = tuple(load_plugin(file).as_json() for file in files)
    return Experiment(found, found.rules_type.from_settings(rules), setting.get("seed", 0), plugins)


def thread_runner(experiment: Experiment, setting: RunOptions) -> "Runner":
    """Return who plays what was found good: the threads of this machine."""
    from herdlab.analysis.runs.runner import on_threads

    check_keys(setting, RunOptions.__optional_keys__)
    _prepare(experiment, setting)
    return on_threads(setting.get("threads"), setting.get("on_progress"))


def _prepare(experiment: Experiment, setting: RunOptions) -> None:
    prepare = setting.get("prepare")
    if prepare is not None:
        prepare(experiment.game)


def play_long(
    command: str, request: Any, play: Callable[..., Any], setting: LongRunOptions, **more: Any
) -> Any:
    """Play what was found good where the setting says, and keep there what is asked to be kept.

    `more` are arguments of the command beside those that the request has.
    """
    from herdlab.analysis.runs.runner import Runner
    from herdlab.simcore.workers import TookTooLong

    experiment = request.experiment
    with ExitStack() as stack:
        crew = _crew(experiment, setting, stack)
        folder, is_new = None, False
        if setting.get("out") is not None:
            asked = {"command": command, **experiment.as_json()}
            asked["arguments"] = {**request.arguments(), **more}
            folder, is_new = _folder(experiment, asked, setting)
            stack.callback(folder.close)
        try:
            _prepare(experiment, setting)
            found = play(request, runner=Runner(crew, folder, setting.get("on_progress")))
            if folder is not None:
                folder.finish(found.as_json())
        except (KeyboardInterrupt, Interrupted) as stopped:
            if folder is None:
                raise
            folder.save()
            so_far = stopped.so_far if isinstance(stopped, Interrupted) else None
            raise Interrupted(so_far, None, folder.resume_command) from None
        except WorkersLost as lost:
            if folder is None:
                raise WorkersLost(f"{lost}. Run the command again") from None
            folder.save()
            raise WorkersLost(f"{lost}. Go on with: {folder.resume_command}") from None
        except TookTooLong as stopped:
            if folder is None:
                raise
            folder.save()
            raise TookTooLong(f"{stopped}. Go on with: {folder.resume_command}") from None
        except BadInput as mistake:
            if folder is not None and is_new:
                folder.refused(mistake)
            raise
        return found


def _crew(experiment: Experiment, setting: LongRunOptions, stack: ExitStack) -> "Crew":
    """Return who plays: a cluster, before anything is written that a wrong address would spoil."""
    address, threads = setting.get("cluster"), setting.get("threads")
    if address is None:
        from herdlab.simcore.batch import Threads

        return Threads(threads)
    from herdlab.analysis.runs.cluster import LOCAL, Cluster
    from herdlab.analysis.runs.run_folder import RunFolder

    if address != LOCAL and threads is not None:
        raise BadInput("--threads is for this machine; a cluster has those of its workers")
    try:
        return stack.enter_context(Cluster(experiment, address, threads))
    except BadInput as mistake:
        resumed = setting.get("out")
        if not isinstance(resumed, RunFolder):
            raise
        raise BadInput(f"{mistake}. Or go on without a cluster: {resumed.resume_command}") from None


def _folder(
    experiment: Experiment, asked: dict[str, Any], setting: LongRunOptions
) -> "tuple[RunFolder, bool]":
    """Return the run folder, and whether it was made just now."""
    from herdlab.analysis.runs.run_folder import RunFolder
    from herdlab.strategies.registry import loaded_plugins

    out = setting["out"]
    if isinstance(out, RunFolder):
        if out.manifest["rules_hash"] != experiment.rules.hash:
            raise BadInput(
                f"run folder '{out.path}' was begun with other rules: their hash differs"
            )
        if out.manifest["plugins"] != list(experiment.plugins):
            raise BadInput(
                f"run folder '{out.path}' was begun with other plug-ins: they have changed"
            )
        return out, False
    assert out is not None
    plugins = loaded_plugins(experiment.plugins)
    return RunFolder.create(Path(out), asked, plugins), True
