"""From words on the command line to a command: names in any case, slips answered in a sentence."""

import sys
from typing import Any

import click
import typer
from typer.core import TyperCommand, TyperGroup

from herdlab.analysis.commands import COMMANDS
from herdlab.commands.messages import say
from herdlab.commands.stopping import EXIT_INTERRUPTED, telling
from herdlab.commands.streams import leave_output, showable
from herdlab.simcore.errors import BadInput, unknown


class Command(TyperCommand):
    """A command that refuses an option given twice, of which one would silently win."""

    def get_help(self, ctx: click.Context) -> str:
        """Return the help, in signs that the locale has."""
        return showable(super().get_help(ctx))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words after the command's name."""
        if not ctx.resilient_parsing:  # as completion reads them, with the last word half typed
            for word in args:
                if "\0" in word:  # no shell passes it on, and no file name has it
                    raise BadInput(f"'{word}' has a null character; leave it out")
            _, _, found = self.make_parser(ctx).parse_args(list(args))
            for one in found:
                takes_one = isinstance(one, click.Option) and not (one.multiple or one.is_flag)
                if takes_one and found.count(one) > 1:
                    times = found.count(one)
                    raise BadInput(f"{one.opts[0]} was given {times} times; give it once")
        return super().parse_args(ctx, args)


class Group(TyperGroup):
    """The commands of herdlab."""

    def get_help(self, ctx: click.Context) -> str:
        """Return the help, in signs that the locale has."""
        return showable(super().get_help(ctx))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in groups, as their declarations have them."""
        names = self.list_commands(ctx)
        widest = max(map(len, names))
        wide = formatter.width - 6 - widest
        for group in dict.fromkeys(COMMANDS[name].group for name in names):
            rows = [
                (name.ljust(widest), self.commands[name].get_short_help_str(wide))
                for name in names
                if COMMANDS[name].group == group
            ]
            with formatter.section(group):
                formatter.write_dl(rows)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name, in any case."""
        return super().get_command(ctx, cmd_name) or super().get_command(ctx, cmd_name.lower())

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command that is called; say what was probably meant where there is none."""
        if not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            raise _no_command(args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; output that nobody reads any more is no mistake."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            leave_output()
            raise typer.Exit(0) from None
        except KeyboardInterrupt:
            telling()
            say("interrupted")
            raise typer.Exit(EXIT_INTERRUPTED) from None
        return result


def _no_command(given: str, commands: list[str]) -> BadInput:
    """Return the mistake, with the command that was probably meant."""
    from herdlab.analysis.questions import QUESTIONS, question_meant
    from herdlab.simcore.game import games

    name = given.lower()
    if name in QUESTIONS:
        return BadInput(f"'{given}' is a question; ask it with: {QUESTIONS[name].command}")
    question = question_meant(given) if " " in given else None
    if question is not None:
        return BadInput(f"no command '{given}'; try: {question.command}")
    if name in games():
        return BadInput(f"'{given}' is a game; see who can play it with: herdlab strategies {name}")
    return unknown("command", given, commands)


def in_a_sentence(mistake: click.UsageError) -> str:
    """Return a mistake that was noticed while reading the words, and what to do about it."""
    said = " ".join(mistake.format_message().split()).rstrip(".")
    said = said[:1].lower() + said[1:]
    if isinstance(mistake, click.NoSuchOption):
        close = mistake.possibilities
        said = f"no option {mistake.option_name}" + (f"; did you mean {close[0]}?" if close else "")
    context = mistake.ctx
    if context is None:
        return f"{said}; see: herdlab --help"
    example = context.command.epilog or ""
    if isinstance(mistake, click.MissingParameter) and example.startswith("Example: "):
        return f"{said}; for example: {example.removeprefix('Example: ')}"
    takes_names = {"players", "entrants", "field", "against"} & {
        one.name for one in context.command.params
    }
    if said.startswith("got unexpected extra argument") and takes_names:
        return f"{said}; join names with commas and no spaces, such as -p keeper,random"
    return f"{said}; see: {context.command_path} --help"
