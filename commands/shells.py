"""How bash, zsh and fish ask for completions, and how they are answered.

typer installs and shows those in scripts/ in place of its own, which lose words at ``:`` and ``=``
in bash, put a space after ``herder:dog=`` and offer files where nothing fits.  A script passes on
what was typed; the answer is one line that says what follows, then one word a line.
"""

import os
import re
from pathlib import Path
from textwrap import shorten

import click
from click.shell_completion import (
    CompletionItem,
    ShellComplete,
    _resolve_context,
    _resolve_incomplete,
    add_completion_class,
    split_arg_string,
)
from typer import _completion_shared

from herdlab.commands.completion import Open
from herdlab.simcore.safe_text import in_one_line

_SCRIPTS = Path(__file__).parent / "scripts"
_LONGEST = 70
"""Characters of a description."""
_PARTS = re.compile(r".*[,:=/]")
"""What of a word is finished, so that no list need repeat it."""
_OPTION = re.compile(r"-[^=]*=")
_FILE = "file"
FILES, OPEN, WORDS = "files", "open", "words"
"""What is offered: files, words without a space after them, words with one."""


def register() -> None:
    """Let typer install and show these scripts, and click answer them."""
    for shell, answerer in {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}.items():
        script = (_SCRIPTS / f"herdlab.{shell}").read_text(encoding="utf-8")
        _completion_shared._completion_scripts[shell] = script
        add_completion_class(answerer)


class _Answer(ShellComplete):
    """Answers a shell; whatever is on the line, it never fails."""

    source_template = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is typed, without the program, and that one."""
        _, *args = os.environ["_TYPER_COMPLETE_ARGS"].split("\n")
        return args, os.environ["_TYPER_COMPLETE_WORD_TO_COMPLETE"]

    def complete(self) -> str:
        """Return what is offered, line by line."""
        try:
            args, word = self.get_completion_args()
            found = _OPTION.match(word)
            option = found[0] if found else ""  # such as --players=, which click takes off
            items = self.get_completions(args, word)
            items = [item for item in items if item.value.isprintable()]
            if not items:
                return ""
            if any(item.type == _FILE for item in items):
                return "\n".join([FILES, *self.answer([], len(option))])
            kind = OPEN if all(isinstance(item.value, Open) for item in items) else WORDS
            for item in items:
                item.value = option + item.value
            parts = _PARTS.match(word)
            return "\n".join([kind, *self.answer(items, len(parts[0]) if parts else 0)])
        except Exception:  # an error would land in the middle of the user's line
            return ""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Return what fits, as click does; typer's paths would offer nothing.

        Click forgets the arguments on a line that ends with an option without its value, as in
        ``simulate herd -p``; so what is typed of the value is put there.
        """
        ctx = _resolve_context(self.cli, self.ctx_args, self.prog_name, args)
        one, incomplete = _resolve_incomplete(ctx, args, incomplete)
        if isinstance(one, click.Parameter) and isinstance(one.type, click.Path):
            return [CompletionItem(incomplete, type=_FILE)]
        if isinstance(one, click.Option):
            ctx = _resolve_context(self.cli, self.ctx_args, self.prog_name, [*args, incomplete])
        found = one.shell_complete(ctx, incomplete)
        if isinstance(one, click.Group):
            if not all(word.startswith("-") for word in args):
                return []  # after a command that there is not
            for item in found:
                command = one.get_command(ctx, item.value)
                if command is not None:
                    item.help = command.get_short_help_str(_LONGEST)
        return found

    def answer(self, items: list[CompletionItem], kept: int) -> list[str]:
        """Return the lines for the shell; `kept` characters of the word stay as they are."""
        return [str(kept), *(self.format_completion(item, kept) for item in items)]

    def format_completion(self, item: CompletionItem, kept: int = 0) -> str:
        """Return the line of one word."""
        raise NotImplementedError


class _Bash(_Answer):
    """Bash says what line was typed; readline keeps the word up to the last break, as ``:``."""

    name = "bash_words"
    _stays = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["_TYPER_COMPLETE_ARGS"]
        begin, start = _places(line, os.environ["_TYPER_COMPLETE_WORDBREAKS"])
        self._stays = _unquoted(line[begin:start])
        return split_arg_string(line[:begin])[1:], _unquoted(line[begin:])

    def answer(self, items: list[CompletionItem], kept: int) -> list[str]:
        return [item.value.removeprefix(self._stays) for item in items]


class _Zsh(_Answer):
    """Zsh lists what comes after the part that is kept, with descriptions."""

    name = "zsh_words"

    def format_completion(self, item: CompletionItem, kept: int = 0) -> str:
        value = item.value[kept:].replace("\\", "\\\\").replace(":", "\\:")
        about = _described(item)
        return f"{value}:{about}" if about else value


class _Fish(_Answer):
    """Fish lists whole words, with descriptions."""

    name = "fish_words"

    def format_completion(self, item: CompletionItem, kept: int = 0) -> str:
        return f"{item.value}\t{_described(item)}"


def _described(item: CompletionItem) -> str:
    """Return the description of a word, short enough for a line."""
    about = re.sub(r"\s*\[[^]]*\]$", "", item.help or "")  # [default: …]
    return shorten(in_one_line(about), _LONGEST, placeholder=" …")


def _unquoted(text: str) -> str:
    return "".join(split_arg_string(text))


def _places(line: str, breaks: str) -> tuple[int, int]:
    """Return where the last word begins, and where the part of it that readline replaces."""
    begin = start = 0
    quote, is_escaped = "", False
    for place, sign in enumerate(line, start=1):
        if is_escaped:
            is_escaped = False
        elif sign == "\\" and quote != "'":
            is_escaped = True
        elif quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote, start = sign, place
        elif sign.isspace():
            begin = start = place
        elif sign in breaks:
            start = place
    return begin, start
