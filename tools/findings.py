"""Writes docs/findings.md: what the commands say, run again, with their pictures.

    python -m tools.findings

takes some minutes on two cores.  Nothing in the page is written by hand but the words in `PARTS`.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_PAGE = _ROOT / "docs" / "findings.md"
_PICTURES = "pictures"

_HEAD = """# Findings

What herdlab has found, in its own words. Every block is what the command above it printed, cut to
its verdict or its table; `python -m tools.findings` runs them all again and writes this page.
"""


@dataclass(frozen=True)
class Part:
    """A command whose output stands in the page."""

    title: str
    words: str
    """What is said before it."""
    command: str
    paragraphs: int = 1
    """How much of the output is shown."""
    picture: str | None = None
    """What its picture shows, for those who cannot see it."""


PARTS = (
    Part(
        "Is the Guard Dog worth it?",
        "The rulebook calls buying one 'usually a good idea'.",
        "ask guard-dog",
        picture="turns that buying a dog saves, by rabbits and sheep",
    ),
    Part(
        "How far are strategies from perfect play?",
        "In turns, for a player alone; [exact.md](exact.md) says how it is worked out.",
        "solve herd --strategy climber,keeper,keeper-dog,dog-first,closer,tuned,racer,optimal",
        paragraphs=2,
    ),
    Part("", "And without any dog tiles:", "solve herd --dogs none", paragraphs=2),
    Part(
        "",
        "In games won, at a table with two keepers, every seat in turn:",
        "compare herd optimal keeper --field keeper,keeper",
    ),
    Part("", "", "compare herd racer keeper --field keeper,keeper"),
    Part("", "", "compare herd tuned keeper --field keeper,keeper"),
    Part(
        "",
        "A player who tries every trade out in his head, 200 games each, against one keeper:",
        "compare herd rollout:base=keeper:n=200 keeper --games 1000",
    ),
    Part(
        "How much of it is a race?",
        "If players never met, who wins would follow from how fast each is alone. Skunk, T and the "
        "common supply do the rest:",
        "race herd --players keeper-dog,keeper --games 2e5",
        paragraphs=2,
    ),
    Part("", "", "race herd --players keeper-dog,keeper,keeper --games 1e5", paragraphs=2),
    Part("", "", "race herd --players optimal,keeper,keeper --games 1e5", paragraphs=2),
    Part(
        "Trade up at once, or keep animals to breed from?",
        "",
        "ask trade-up",
        picture="what it is worth to keep another number than one of each animal",
    ),
    Part(
        "Pass the Donkey on, keep it, or claim with it?",
        "",
        "ask donkey",
        picture="win rate less that of passing the Donkey on, by players at the table",
    ),
    Part(
        "Burn SWAP cards or keep them; what is a fast hand worth?",
        "",
        "ask swap-hoard",
        picture="win rates by what is done with SWAP cards, by players at the table",
    ),
    Part(
        "Does bluffing pay?",
        "",
        "ask bluff",
        picture="where bluffing and calling are in balance, with three players",
    ),
    Part(
        "Does it pay to hold pieces hostage?",
        "",
        "ask hostage",
        picture="what one gains who holds pieces hostage",
    ),
    Part(
        "What is the first seat worth?",
        "",
        "ask seat herd",
        picture="what a seat is worth where all play alike",
    ),
    Part("", "", "ask seat barnyard"),
    Part("", "", "ask seat swap"),
    Part("", "", "ask seat horse-trader"),
    Part("", "", "ask seat bronco"),
)


def _printed(part: Part) -> str:
    """Run a command and return the part of its output that is shown, with what it is."""
    words = part.command.split()
    picture = f"{_PICTURES}/{'-'.join(words[1:])}.svg"
    if part.picture is not None:
        words += ["--figure", str(_PAGE.parent / picture)]
    done = subprocess.run(
        [sys.executable, str(_ROOT / "cli.py"), *words], capture_output=True, text=True, check=True
    )
    shown = "\n\n".join(done.stdout.split("\n\n")[: part.paragraphs])
    lines = [line.rstrip() for line in shown.splitlines()]
    text = "\n".join([f"    herdlab {part.command}", "", "```", *lines, "```", ""])
    return text + (f"\n![{part.picture}]({picture})\n" if part.picture else "")


def main() -> None:
    """Write the page."""
    page = [_HEAD]
    for part in PARTS:
        print(part.command, file=sys.stderr)
        page += [f"## {part.title}\n"] if part.title else []
        page += [f"{part.words}\n"] if part.words else []
        page.append(_printed(part))
    passing = _PAGE.with_suffix(".tmp")
    passing.write_text("\n".join(page))
    passing.replace(_PAGE)


if __name__ == "__main__":
    main()
