"""Makes every report in reports/ again, and reports/README.md, which shows them.

    python -m tools.gallery

plays what is not yet played of the studies (all of them: some minutes on two cores),
writes their pages and PDFs beside them, a picture of each to reports/pictures/, and the gallery.
"""

import sys
from pathlib import Path

import herdlab
from herdlab.analysis.figures.drawing import save_drawing
from herdlab.analysis.report.compose import compose_study
from herdlab.analysis.report.document import Report, Verdict
from herdlab.analysis.report.render import writing
from herdlab.analysis.report.study.running import run_study
from herdlab.analysis.report.study.study import COMMANDS, read_study
from herdlab.analysis.runs import result_files

_FOLDER = Path(__file__).resolve().parent.parent / "reports"
_STUDIES = ("guard-dog", "barnyard", "swap", "horse-trader", "bronco", "field-guide")
_HEAD = """# Reports

Each report is a web page that needs nothing else and a PDF, made of the study file beside them.
`make reports` makes them all again with the same numbers, and this page, in some minutes.
`herdlab report STUDY.toml` makes one; with `--quick` roughly, in seconds. How to write a study of
your own is in [docs/reports.md](../docs/reports.md). What `make run` writes goes to reports/run/,
which is not kept in the repository.
"""


def main() -> None:
    """Make them all."""
    functions = {name: getattr(herdlab, name) for name in COMMANDS}
    page = [_HEAD]
    for name in _STUDIES:
        print(f"{name} …", file=sys.stderr)
        study = read_study(_FOLDER / f"{name}.toml", functions)
        results = run_study(study, functions, keep=_FOLDER / ".herdlab" / name)
        made = compose_study(study, results)
        writing.write(made, [_FOLDER / f"{name}.html", _FOLDER / f"{name}.pdf"])
        page.append(_entry(name, made))
    result_files.write("\n".join(page).encode(), _FOLDER / "README.md")


def _entry(name: str, made: Report) -> str:
    """Return a report's place in the gallery, and draw its first picture."""
    verdict = next(part for part in made.lead if isinstance(part, Verdict))
    first = made.drawings[0]
    picture = f"pictures/{name}.svg"
    (_FOLDER / "pictures").mkdir(exist_ok=True)
    save_drawing(first, _FOLDER / picture)
    return (
        f"## {made.title}\n\n{verdict.headline}\n\n"
        f"[web page]({name}.html) · [PDF]({name}.pdf) · [study]({name}.toml)\n\n"
        f"![{first.title}]({picture})\n"
    )


if __name__ == "__main__":
    main()
