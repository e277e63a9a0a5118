"""Kept solutions: used again where they are the same, and only there."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from herdlab.simcore import _jit
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd import exact
from herdlab.simcore.herd.rules import HerdRules
from herdlab.strategies.herd import solved
from herdlab.strategies.plugins import Origin

SMALL = HerdRules().but(sheep=4, pigs=3, cows=3, max_rabbits=6)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep in an empty folder, and forget what is in memory."""
    monkeypatch.setattr(_jit, "CACHE", tmp_path)
    monkeypatch.setattr(solved, "_optima", {})
    return tmp_path / "solved"


def test_what_was_solved_is_used_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = solved.solo(SMALL, "optimal").distribution
    monkeypatch.setattr(exact, "distribution", _never)
    assert np.array_equal(solved.solo(SMALL, "optimal").distribution, first)


def test_what_does_not_matter_alone_is_not_solved_again(folder: Path) -> None:
    """H2, H16: skunk, turn limit, and tiles that one player cannot use up."""
    before = solved.optimum(SMALL)
    assert solved.optimum(SMALL.but(skunks=0, max_turns=99, rabbits=100, horses=9)) is before
    assert solved.optimum(SMALL.but(horse_price=3)) is not before
    assert solved.optimum(SMALL.but(rabbits=5)) is not before


@pytest.mark.parametrize("damage", [b"", b"no zip", None])
def test_a_damaged_file_is_made_again(folder: Path, damage: bytes | None) -> None:
    first = solved.solo(SMALL, "keeper").distribution
    (file,) = folder.glob("*.npz")
    text = file.read_bytes()
    file.write_bytes(text[: len(text) // 2] if damage is None else damage)
    assert np.array_equal(solved.solo(SMALL, "keeper").distribution, first)
    assert file.read_bytes() == text


def test_nothing_is_kept_of_plug_ins_nor_of_who_names_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper, _, values = solved.check_solvable("keeper")
    racer, _, named_by = solved.check_solvable("racer:rival=keeper")
    foreign = dataclasses.replace(keeper, origin=Origin("somewhere.py", "somewhere.py"))
    assert solved._is_lasting(keeper, values)
    assert solved._is_lasting(racer, named_by)
    assert not solved._is_lasting(foreign, values)
    monkeypatch.setattr(solved, "named", lambda game, text: (foreign, values))
    assert not solved._is_lasting(racer, named_by)
    monkeypatch.setattr(solved, "check_solvable", lambda text: (foreign, text, values))
    assert solved.solo(SMALL, "keeper").mean is not None
    assert not folder.exists()


def test_a_race_that_takes_too_long_is_refused(folder: Path) -> None:
    with pytest.raises(BadInput, match="after 400 turns the rivals are not done with a chance of"):
        solved.moves_against(SMALL, np.full(500, 0.5))


@pytest.mark.parametrize(
    ("herd", "words"),
    [
        ((13, 0, 0, 0, 0, 0), "cannot have 13 rabbits: 0 to 12"),
        ((1, 25, 0, 0, 0, 0), "cannot have 25 sheep: 0 to 24"),
        ((1, 0, 0, 0, 0), "a count of each of rabbits, sheep"),
    ],
)
def test_an_impossible_herd_is_refused(herd: tuple[int, ...], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        solved.solo(HerdRules(), "keeper", start=herd)


def _never(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("it was solved again")
