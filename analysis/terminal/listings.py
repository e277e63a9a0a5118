"""Lists for a terminal: games, rules, strategies, questions, a game told move by move, speeds."""

from collections.abc import Iterable

from rich.text import Text

from herdlab.analysis.catalogue import GameRules, Games, Listing, Questions, Strategies
from herdlab.analysis.studies.bench import Bench
from herdlab.analysis.studies.trace import Trace
from herdlab.analysis.terminal.console import console, table
from herdlab.analysis.words.stories import Story
from herdlab.simcore.game import Game
from herdlab.simcore.rules import Rules, shown
from herdlab.strategies.plugins import BUILT_IN
from herdlab.strategies.strategy import Strategy

_WIDTH = 80
"""Columns of what is printed into a pipe."""


def show_listing(found: Listing) -> None:
    """Print what there is."""
    match found:
        case Games():
            _games(found.games)
        case GameRules():
            _rules(found.game, found.values)
        case Strategies(is_one=True):
            _strategy(found.strategies[0])
        case Strategies():
            _strategies(found)
        case Questions():
            _questions(found)
        case Trace():
            story(found.story, found.headline)
        case Bench():
            _bench(found)


def _games(all_games: Iterable[Game]) -> None:
    """Print what games there are."""
    rows = [
        [game.name, game.title, f"{game.min_players}-{game.max_players}", game.about]
        for game in all_games
    ]
    console().print(table(["name", "game", "players", "about"], rows))


def _rules(game: Game, values: Rules) -> None:
    """Print the clauses, then every setting with its value and what is allowed."""
    out = console()
    out.print(f"[bold]{game.title}[/bold]: the clauses\n")
    out.print(table(["clause", "what it says"], game.clauses))
    rows = []
    for key, note in values.notes().items():
        value = getattr(values, key)
        allowed = "true or false"
        if note.parse is not None:
            allowed = "see meaning"
        elif note.options:
            allowed = " or ".join(map(shown, note.options))
        elif note.low is not None:
            allowed = f"{note.low} to {note.high}"
        elif note.alternatives:
            allowed = " or ".join(map(shown, note.alternatives))
        rows.append([key, note.show(value), note.clause, allowed, note.words])
    out.print("\nthe settings, for --set name=value or a TOML file")
    out.print(table(["name", "value", "clause", "allowed", "meaning"], rows))
    out.print("\nreadings of unclear clauses, for studies to vary:")
    for key, note in values.notes().items():
        if note.alternatives:
            only = "" if note.when is None else f", only with {note.when.words}"
            values_ = " or ".join(map(shown, note.alternatives))
            out.print(f"  {key} = {values_} ({note.clause}{only})")
    out.print(f"[dim]hash of these rules: {values.hash}[/dim]")


def _strategies(found: Strategies) -> None:
    """Print all strategies of a game."""
    out, game = console(), found.game
    rows = [
        [one.name, one.words + ("" if one.source == BUILT_IN else f" ({one.source})")]
        for one in found.strategies
    ]
    out.print(f"strategies of {game.title}")
    out.print(table(["name", "what a human would do"], rows))
    out.print(
        f"\n[dim]'herdlab strategies {game.name} NAME' shows a strategy's parameters; "
        f"set them as NAME:parameter=value[/dim]"
    )


def _strategy(one: Strategy) -> None:
    """Print one strategy with its parameters."""
    out = console()
    out.print(Text(f"{one.name}: {one.words}"))
    rows = []
    for key, parameter in one.parameters.items():
        default = parameter.show(parameter.default)
        rows.append([key, default, parameter.allowed, parameter.words])
    if rows:
        out.print(table(["parameter", "default", "allowed", "meaning"], rows))
    else:
        out.print("It has no parameters.")


def _questions(found: Questions) -> None:
    """Print what can be asked, and how."""
    out = console(_WIDTH)
    rows = [[one.name, ", ".join(one.games) or "any", one.words] for one in found.questions]
    out.print(table(["question", "game", "what it asks"], rows))
    how = (
        "\n'herdlab ask guard-dog' plays until it is settled, and with --quick gives a rough "
        "answer; a question about any game is asked as 'herdlab ask seat swap'."
    )
    out.print(Text(how))


def story(told: Story, title: str) -> None:
    """Print a game move by move."""
    out = console()
    out.print(Text(title), style="bold")
    out.print(told.beginning)
    session, turn = None, 0
    for one in told.happenings:
        if one.session != session:
            session, turn = one.session, 0
            out.print(Text(f"\nSession {session}"), style="bold underline")
        if one.turn != turn:
            turn = one.turn
            who = f"seat {one.seat} {one.strategy}"
            round_ = "" if one.round is None else f" (round {one.round})"
            unit = told.unit.capitalize()
            head = f"\n{unit} {turn}{round_}, {who}: {one.before}" if turn else ""
            out.print(Text(head), style="bold", soft_wrap=True)
        clauses = ", ".join(one.clauses)
        change = f" -> {one.after}" if one.after != one.before else ""
        out.print(Text(f"  {one.words} ({clauses}){change}"), soft_wrap=True)
    out.print(Text(f"\n{told.end}"), style="bold")


def _bench(measured: Bench) -> None:
    """Print the speeds."""
    out = console()
    out.print(f"one chain step takes {measured.chain_step_ns:.2f} ns")
    rows = []
    for one in measured.results:
        settings = [f"{key}={shown(value)}" for key, value in one.settings.items()]
        speeds = f"{one.games_per_second:,.0f}", f"{one.chain_steps_per_game:,.0f}"
        who = " ".join([",".join(one.players), *settings])
        rows.append([one.game, who, str(one.threads), *speeds])
    head = ["game", "players", "threads ", "games a second ", "chain steps a game "]
    out.print(table(head, rows))
    for game, (cold, warm) in measured.starts.items():
        out.print(f"{game}: first start, compiling, {cold:.1f} s; later starts {warm:.2f} s")
