"""Files that somebody named: whatever is in them, there is a sentence."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from herdlab.analysis.studies.verify import read_result
from herdlab.simcore import reading
from herdlab.simcore.errors import BadInput
from herdlab.simcore.rules import load_settings
from herdlab.strategies.plugins import read_plugin

READERS: list[Callable[[Path], Any]] = [
    lambda path: load_settings(path, []),
    read_plugin,
    read_result,
]


@pytest.mark.parametrize("reader", READERS)
def test_a_named_pipe_is_refused_and_not_waited_for(
    reader: Callable[[Path], Any], tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    link = tmp_path / "link.py"
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(BadInput, match="py' cannot be read: it is a named pipe"):
            reader(path)


def test_the_pipe_of_a_shell_is_read_whole() -> None:
    read, write = os.pipe()
    os.write(write, b"x" * 1000)
    os.close(write)
    for number, size in ((read, 1000), (read, 0)):
        assert len(reading.read_file(Path(f"/dev/fd/{number}"))) == size
    os.close(read)


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for size in (0, 1, 3_000_000):
        file.write_bytes(b"x" * size)
        assert len(reading.read_file(file)) == size


@pytest.mark.parametrize("reader", READERS)
def test_what_never_ends_is_refused(
    reader: Callable[[Path], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As devices are; a file stands for one here."""
    monkeypatch.setattr(reading, "_MOST_BYTES", 10)
    file = tmp_path / "endless.py"
    file.write_bytes(b"#" * 11)
    with pytest.raises(BadInput, match="endless.py' cannot be read: File too large"):
        reader(file)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_that_no_file_can_have_is_refused(reader: Callable[[Path], Any], name: str) -> None:
    with pytest.raises(BadInput, match="cannot be read: Invalid argument"):
        reader(Path(name))


@pytest.mark.parametrize(
    ("text", "what"), [("9" * 5_000, "a number in it is too long"), ("[" * 5_000, "brackets")]
)
def test_rules_too_long_or_too_deep_are_refused(text: str, what: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(f"horse_price = {text}")
    with pytest.raises(BadInput, match=what):
        load_settings(file, [])


def test_rules_may_begin_with_the_mark_that_some_editors_write(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text("horse_price = 3", encoding="utf-8-sig")
    assert load_settings(file, []) == {"horse_price": 3}
