"""The command line of herdlab: puts the commands together, and turns mistakes into sentences.

The commands themselves are in commands/, which import what is slow only when they run.
"""

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated

import click
import typer

from herdlab.analysis.commands import COMMANDS
from herdlab.commands import shells
from herdlab.commands.cache import cache
from herdlab.commands.parsing import Command, Group, in_a_sentence
from herdlab.commands.report import report
from herdlab.commands.saved import resume, verify
from herdlab.commands.shared import EXIT_BAD_INPUT, made, say, tell_of_cache
from herdlab.commands.stopping import EXIT_INTERRUPTED, one_press_ends_it
from herdlab.commands.streams import is_want_of_memory, leave_output, prepare_streams
from herdlab.simcore.errors import BadInput

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


def _show_version(ctx: typer.Context, is_wanted: bool) -> None:
    if is_wanted and not ctx.resilient_parsing:  # which is so when Tab is pressed
        from herdlab.analysis.runs.provenance import version

        typer.echo(f"herdlab {version()}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_OWN: dict[str, Callable[..., None]] = {
    "report": report,
    "resume": resume,
    "verify": verify,
    "cache": cache,
}
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
    try:
        prepare_streams()
        with one_press_ends_it():
            code = _commands()(prog_name="herdlab", standalone_mode=False)
    except click.UsageError as mistake:
        say(in_a_sentence(mistake))
        code = EXIT_BAD_INPUT
    except BadInput as mistake:
        say(str(mistake))
        code = EXIT_BAD_INPUT
    except UnicodeEncodeError as error:  # as the name of a file
        say(f"'{error.object!s}' has a character that no file name can have; choose another name")
        code = EXIT_BAD_INPUT
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
        code = EXIT_BAD_INPUT
    tell_of_cache()
    sys.exit(code or 0)


if __name__ == "__main__":
    main()
