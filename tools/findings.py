"""Writes docs/findings.md: what the commands in tools/findings.toml say, with their pictures.

    python -m tools.findings

takes some minutes on two cores.
"""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parent.parent
_PAGE = _ROOT / "docs" / "findings.md"
_HEAD = """# Findings

What herdlab has found, in its own words. Every block is what the command above it printed, cut to
its verdict or its table; `python -m tools.findings` runs them all again and writes this page.
"""


def _printed(part: dict[str, Any]) -> str:
    """Run a command and return the part of its output that is shown, with what it is."""
    words = part["command"].split()
    picture = f"pictures/{'-'.join(words[1:])}.svg"
    if "picture" in part:
        words += ["--figure", str(_PAGE.parent / picture)]
    done = subprocess.run(
        [sys.executable, str(_ROOT / "cli.py"), *words], capture_output=True, text=True, check=True
    )
    shown = "\n\n".join(done.stdout.split("\n\n")[: part.get("paragraphs", 1)])
    lines = [line.rstrip() for line in shown.splitlines()]
    text = "\n".join([f"    herdlab {part['command']}", "", "```", *lines, "```", ""])
    return text + (f"\n![{part['picture']}]({picture})\n" if "picture" in part else "")


def main() -> None:
    """Write the page."""
    page = [_HEAD]
    for part in tomllib.loads(Path(__file__).with_suffix(".toml").read_text())["part"]:
        print(part["command"], file=sys.stderr)
        page += [f"## {part['title']}\n"] if "title" in part else []
        page += [f"{part['words']}\n"] if "words" in part else []
        page.append(_printed(part))
    passing = _PAGE.with_suffix(".tmp")
    passing.write_text("\n".join(page))
    passing.replace(_PAGE)


if __name__ == "__main__":
    main()
