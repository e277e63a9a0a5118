"""The command line of herdlab: puts the commands together, and turns mistakes into sentences.

The commands themselves are in commands/, which import what is slow only when they run.
"""

import sys
from functools import lru_cache
from typing import Annotated, Any

import click
import typer

from herdlab.analysis.commands import COMMANDS
from herdlab.commands import shells
from herdlab.commands.answering import made
from herdlab.commands.cache import cache
from herdlab.commands.messages import say, tell_of_cache
from herdlab.commands.parsing import Command, Group, in_a_sentence
from herdlab.commands.report import report
from herdlab.commands.saved import resume, verify
from herdlab.commands.stopping import EXIT_INTERRUPTED, one_press_ends_it
from herdlab.commands.streams import is_want_of_memory, leave_output, prepare_streams
from herdlab.simcore.errors import BadInput

EXIT_BAD_INPUT = 2
app = typer.Typer(
    cls=Group,
    help="Monte Carlo strategy analysis for trading games.",
    epilog="Try: herdlab simulate herd --players keeper,keeper-dog --games 1e6",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help takes half the time of a decorated one
    context_settings={"help_option_names": ["-h", "--help"]},
)
shells.register()


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show it.")] = False,
) -> None:
    if version:
        from herdlab.analysis.runs import provenance

        typer.echo(f"herdlab {provenance.version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_OWN: dict[str, Any] = {"report": report, "resume": resume, "verify": verify, "cache": cache}
"""Functions of the commands that no function of herdlab answers alone."""
for _one in COMMANDS.values():
    if _one.is_typed:
        _command = app.command(
            _one.name, cls=Command, help=_one.summary, epilog=f"Example: {_one.example}"
        )
        _command(made(_one.name, _OWN.get(_one.name)))


@lru_cache
def _commands() -> click.Command:
    """Return all commands.  Reading their options takes most of a short command's time."""
    return typer.main.get_command(app)


def main() -> None:
    """Run the command line; a user's mistake is one sentence and exit code 2."""
    code = EXIT_BAD_INPUT
    try:
        prepare_streams()
        with one_press_ends_it():
            code = _commands()(prog_name="herdlab", standalone_mode=False) or 0
    except click.UsageError as mistake:
        say(in_a_sentence(mistake))
    except BadInput as mistake:
        say(str(mistake))
    except UnicodeEncodeError as error:  # as the name of a file
        say(f"'{error.object!s}' has a character that no file name can have; choose another name")
    except (OSError, MemoryError, RuntimeError, ImportError, ValueError) as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # pressed while a class was being made
            say("interrupted before there was anything to tell")
            sys.exit(EXIT_INTERRUPTED)
        if is_want_of_memory(error):
            say("there is not enough memory: give it more (ulimit -v), or use fewer --threads")
        elif isinstance(error, OSError) or sys.stdout.closed:  # by a plug-in
            leave_output()
            say(f"the output cannot be written: {getattr(error, 'strerror', None) or error}")
        else:
            raise
    tell_of_cache()
    sys.exit(code)


if __name__ == "__main__":
    main()
