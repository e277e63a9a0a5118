"""The command that makes reports, of studies and of results."""

from functools import partial
from pathlib import Path
from textwrap import fill, shorten
from typing import TYPE_CHECKING, Any

import typer

from herdlab.commands.messages import echo, load_engine, print_json, progress, say, tell_of_plugins
from herdlab.commands.options import Shared
from herdlab.commands.stopping import EXIT_INTERRUPTED, telling
from herdlab.simcore.errors import BadInput, unknown
from herdlab.simcore.safe_text import in_one_line

if TYPE_CHECKING:
    from herdlab.analysis.report.document import Report

    Made = tuple[Report, list[dict[str, Any]]]

_STUDY, _RESULT = ".toml", ".json"
STRANGE = (
    *(LookupError, TypeError, AttributeError, ValueError, ArithmeticError),
    *(AssertionError, RecursionError, MemoryError),
)
"""What comes of values that no command ever wrote."""
_WIDTH = 80
_LONGEST_TITLE = 40


def report(
    file: Path, out: Path | None, html: bool, pdf: bool, quick: bool, fresh: bool, shared: Shared
) -> None:
    """Make a report of a study, or of a saved result, as a web page and a PDF."""
    from herdlab.analysis.report.render.writing import KINDS
    from herdlab.analysis.runs.run_folder_reading import is_run_folder

    kind = file.suffix.lower()
    if kind not in (_STUDY, _RESULT):
        raise unknown("kind of file", kind or file.name, (_STUDY, _RESULT))
    if kind == _RESULT and (quick or fresh or shared.plugin):
        raise BadInput("--quick, --fresh and --plugin are for studies: a result is only shown")
    folder = file.parent if out is None else out
    if folder.suffix.lower() in KINDS and not folder.is_dir():
        raise BadInput(
            f"--out is the folder for the report, whose files are named as FILE is, and got "
            f"'{folder}'"
        )
    if is_run_folder(folder):
        raise BadInput(f"'{folder}' is a run folder: write the report elsewhere, with --out DIR")
    kinds = [".html"] * (html or not pdf) + [".pdf"] * (pdf or not html)
    files = [folder / f"{file.stem}{one}" for one in kinds]
    if kind == _RESULT:
        made, results = _of_result(file, files)
    else:
        made, results = _of_study(file, files, quick, fresh, shared)
    if shared.json:
        print_json({"command": "report", "title": made.title, "parts": results})
    else:
        _show(made, files)


def _of_result(file: Path, files: list[Path]) -> "Made":
    """Write the report of a result, which is not played again."""
    from herdlab.analysis.report.compose import compose_result
    from herdlab.analysis.report.render import writing
    from herdlab.analysis.runs.run_folder_reading import check_around
    from herdlab.analysis.studies.verify import read_result

    check_around(file)
    whole = read_result(file)
    try:
        made = compose_result(whole)
        rendered = writing.render(made, files)
    except KeyError as missing:
        raise BadInput(f"result '{file}' is not what --json writes: it has no {missing}") from None
    except STRANGE:
        raise BadInput(
            f"result '{file}' is not what --json writes: some value in it is of another kind"
        ) from None
    _make_folders(files)
    writing.write_rendered(rendered, files)
    return made, [whole]


def _of_study(file: Path, files: list[Path], quick: bool, fresh: bool, shared: Shared) -> "Made":
    """Play a study, as far as it was not yet, and write its report."""
    import herdlab
    from herdlab.analysis.report.render import writing
    from herdlab.analysis.report.study import running
    from herdlab.analysis.report.study.study import COMMANDS, StudyPart, read_study
    from herdlab.analysis.runs.progress import PER_CENT

    functions = {name: getattr(herdlab, name) for name in COMMANDS}
    plugins = shared.plugin or []
    study = read_study(file, functions, plugins, partial(tell_of_plugins, file))
    from herdlab.analysis.report.compose import (
        compose_study,  # brings matplotlib, not for a mistake
    )

    if quick:
        study = running.quickly(study)
    keep = files[0].parent / ".herdlab" / file.stem
    _make_folders(files, keep)
    now = ""

    def begin(number: int, part: StudyPart) -> None:
        nonlocal now
        title = shorten(part.title, _LONGEST_TITLE, placeholder=" …")
        now = f"part {number} of {len(study.parts)}: {title}"

    try:
        with progress(PER_CENT, lambda: now) as advance:
            results = running.run_study(
                study,
                functions,
                keep=keep,
                fresh=fresh,
                threads=shared.threads,
                time_limit=shared.time_limit,
                on_part=begin,
                on_progress=advance,
                prepare=load_engine,
            )
    except running.StudyInterrupted as stopped:
        telling()
        same = "the same command without --fresh" if fresh else "the same command"
        say(f"{stopped}; {same} goes on from there")
        raise typer.Exit(EXIT_INTERRUPTED) from None
    try:
        made = compose_study(study, results, is_quick=quick)
        rendered = writing.render(made, files)
    except STRANGE:
        if fresh:
            raise
        raise BadInput(
            f"a result that is kept in '{keep}' is not what herdlab writes: play anew, with --fresh"
        ) from None
    writing.write_rendered(rendered, files)
    return made, [one for one in results if one is not None]


def _make_folders(files: list[Path], keep: Path | None = None) -> None:
    """Make the folders of a report, and refuse what cannot be written before hours of play."""
    from herdlab.analysis.report.render import writing
    from herdlab.analysis.runs import result_files

    _make(files[0].parent, files)
    writing.check(files)
    if keep is not None:
        _make(keep, [keep.parent, keep])
        result_files.check(keep / "result.json")


def _make(folder: Path, inside: list[Path]) -> None:
    for path in inside:  # nobody typed these names, and the folder may be somebody else's
        if path.is_symlink():
            raise BadInput(
                f"'{path}' is a link, and would lead elsewhere: take it away, or give --out"
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"folder '{folder}' cannot be made: {error.strerror}") from None


def _show(made: "Report", files: list[Path]) -> None:
    """Print what a report says first, and where it is."""
    from herdlab.analysis.report.document import Summary, Verdict

    for part in made.lead:
        if isinstance(part, Verdict):
            echo(fill(in_one_line(part.headline), _WIDTH))
        elif isinstance(part, Summary):
            for title, sentence in part.points:
                line = in_one_line(f"- {title}: {sentence}")
                echo(fill(line, _WIDTH, subsequent_indent="  "))
    echo("\n".join(f"written: {in_one_line(str(file))}" for file in files))
