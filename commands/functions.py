"""The commands that functions of herdlab answer: the options that each has of its own."""

from collections.abc import Callable
from typing import Annotated, Any

from herdlab.commands import completion
from herdlab.commands.options import argument, number, option, whole
from herdlab.commands.shared import answers
from herdlab.simcore.errors import BadInput

_MOST_AT_A_TABLE = 99
_DEALS = "How many deals (all dice and cards of a game), such as 1e6.  [default: {}]"

GameName = Annotated[
    str, argument("A game, as 'herdlab games' lists.", completion.games, metavar="GAME")
]
Players = Annotated[
    str,
    option(
        "--players -p",
        "Strategies by seat, with commas; parameters with colons: keeper,herder:keep_sheep=2",
        completion.strategies,
    ),
]
Deals = Annotated[int | None, whole("--games -n", _DEALS.format("1e5"))]
FewerDeals = Annotated[int | None, whole("--games -n", _DEALS.format("2e4"))]
MaxGames = Annotated[
    int | None,
    whole("--max-games", "Stop there at the latest, counted as --games.  [default: 1e7]"),
]
Metric = Annotated[
    str,
    option(
        "--metric -m",
        "What is measured: win, length, score or an event, as simulate prints them.",
        completion.metrics,
    ),
]
Field = Annotated[
    str | None,
    option(
        "--field -f",
        "The others at the table, with commas.  [default: copies of the last strategy named, at "
        "the smallest table]",
        completion.strategies,
    ),
]
Vary = Annotated[
    list[str],
    option(
        "--vary -v",
        "A parameter of the strategy, or rules.NAME; or NAME=value,value,…",
        completion.varied,
        metavar="NAME=FROM:TO:STEP",
    ),
]
Answered = Callable[..., Any] | None
"""The function that answers, where it is not the one called as the command."""


@answers
def games() -> None:
    """List the games."""


@answers
def rules(game: GameName) -> None:
    """Print the clauses of a game, its readings and settings."""


@answers
def strategies(
    game: GameName,
    name: Annotated[
        str | None, argument("Show this one's parameters.", completion.strategy_names)
    ] = None,
) -> None:
    """List the strategies of a game, or the parameters of one."""


@answers
def simulate(
    game: GameName,
    players: Players,
    games: Annotated[
        int | None,
        whole("--games -n", "How many (with --rotate: deals), such as 1e6.  [default: 1e5]"),
    ] = None,
    precision: Annotated[
        float | None,
        number("--precision", "Play until every win rate is known to ± this, such as 0.001."),
    ] = None,
    max_games: MaxGames = None,
    rotate: Annotated[
        bool, option("--rotate", "Play every deal in all rotations of the seats.")
    ] = False,
    rows: Annotated[
        bool, option("--rows", "Keep a row of every game too, as Parquet in DIR/rows.")
    ] = False,
) -> None:
    """Play a line-up many times: who wins, how long, what happens."""


@answers
def trace(
    game: GameName,
    players: Players,
    number: Annotated[
        int,
        whole("--game --number -g", "Which game of the run, counted from 0.", 0, 2**62),
    ] = 0,
) -> None:
    """Tell one game of a run move by move, clause by clause."""


@answers
def compare(
    game: GameName,
    a: Annotated[str, argument("A strategy.", completion.strategy, metavar="A")],
    b: Annotated[str, argument("Another.", completion.strategy, metavar="B")],
    field: Field = None,
    metric: Metric = "win",
    games: Deals = None,
    decide: Annotated[
        bool, option("--decide", "Play until it is settled which is higher, or that neither.")
    ] = False,
    margin: Annotated[
        float | None,
        number(
            "--margin",
            "What lies surely within ± this is no difference that matters, unless its sign is "
            "settled first.  [default: 0.005 for win, half a percentage point]",
        ),
    ] = None,
    max_games: MaxGames = None,
    readings: Annotated[
        bool, option("--readings", "Repeat it under every reading of unclear clauses.")
    ] = False,
) -> Answered:
    """Play A and B in the same seats, against the same field, on the same deals."""
    import herdlab

    return herdlab.readings if readings else None


@answers
def tournament(
    game: GameName,
    entrants: Annotated[
        str,
        option(
            "--entrants -e",
            "Strategies, with commas, or all (slow ones only by name).",
            completion.strategies,
        ),
    ],
    size: Annotated[int, whole("--size", "How many sit at a table.", high=_MOST_AT_A_TABLE)],
    games: Annotated[
        int | None, whole("--games -n", "For each line-up, in all its seatings.  [default: 1e4]")
    ] = None,
    max_line_ups: Annotated[
        int | None,
        whole("--max-line-ups", "Of more than these a sample.  [default: 1000]", high=100_000),
    ] = None,
) -> None:
    """Play everybody against everybody: standings, pairs, ratings, and the mix to play."""


@answers
def sweep(
    game: GameName,
    strategy: Annotated[str, argument("Whose parameters, or who plays.", completion.strategy)],
    vary: Vary,
    field: Field = None,
    metric: Metric = "win",
    best: Annotated[
        str | None,
        option("--best", "high or low: what is good.  [default: by metric]", completion.BEST),
    ] = None,
    games: FewerDeals = None,
) -> None:
    """Vary one or two parameters over a grid on common deals: curve or heat map."""


@answers
def tune(
    game: GameName,
    strategy: Annotated[str, argument("Whose parameters.", completion.strategy)],
    vary: Vary,
    against: Annotated[
        str, option("--against -a", "Who sits at the tables, with commas.", completion.strategies)
    ],
    size: Annotated[
        int | None,
        whole(
            "--size",
            "How many sit at a table.  [default: the fewest that can]",
            high=_MOST_AT_A_TABLE,
        ),
    ] = None,
    games: FewerDeals = None,
) -> None:
    """Search for good parameters, then measure what was found on fresh deals."""


@answers
def luck(
    game: GameName, players: Players, metric: Metric = "win", games: FewerDeals = None
) -> None:
    """Say how much is luck, of what kind, and how much is who plays and where he sits."""


@answers
def solve(
    game: GameName,
    strategies: Annotated[
        list[str] | None,
        option(
            "--strategy --strategies",
            "Whose turns; repeatable, or with commas.  [default: climber, keeper, keeper-dog, "
            "dog-first, optimal, which is the best play]",
            completion.strategies,
        ),
    ] = None,
    dogs: Annotated[
        list[str] | None,
        option(
            "--dogs",
            "sold, as the rules have them; rolled-only, given by the die but not sold; none, no "
            "dog tiles.  Repeatable.  [default: sold]",
            completion.DOGS,
        ),
    ] = None,
) -> None:
    """Work out the solo game exactly: mean, spread and distribution of turns, and the best play."""


@answers
def race(
    game: GameName,
    players: Players,
    games: FewerDeals = None,
    precision: Annotated[
        float | None,
        number("--precision", "Play until every figure is known to ± this, as 0.002."),
    ] = None,
    max_games: MaxGames = None,
) -> None:
    """Say how much of the win rates is a mere race, and what skunk, T and supply add to it."""


@answers
def advise(
    game: GameName,
    herd: Annotated[
        str,
        option(
            "--herd",
            "Your own: rabbits=6,sheep=2,dogs=1.",
            completion.herds,
            metavar="ANIMAL=COUNT,…",
        ),
    ],
    others: Annotated[
        list[str] | None,
        option(
            "--other --others -o",
            "Another player's; once for each, from your left on.  [default: as yours]",
            completion.herds,
            metavar="ANIMAL=COUNT,…",
        ),
    ] = None,
    players: Annotated[
        str | None,
        option(
            "--players -p",
            "Strategies that play on, with commas, yours first.  [default: keeper for all]",
            completion.strategies,
        ),
    ] = None,
    phase: Annotated[
        str,
        option(
            "--phase",
            "What to decide: the trade before or after the roll; whom to give the skunk.",
            completion.PHASES,
            metavar="before|after|skunk",
        ),
    ] = "before",
    t: Annotated[
        bool, option("--t", "A T was rolled: trade after the roll with another player only.")
    ] = False,
    skunk: Annotated[
        str | None, option("--skunk", "Who holds it, counted to your left.", metavar="1|2|3")
    ] = None,
    turn: Annotated[
        int,
        whole("--turn", "Turns finished so far, for strategies that look at it.", 0, 1_000_000),
    ] = 0,
    games: Annotated[
        int | None, whole("--games -n", "For each move, such as 1e6.  [default: 2e4]")
    ] = None,
) -> None:
    """Say what to do in a position of herd: every legal move with what it is worth."""


@answers
def ask(
    question: Annotated[
        str | None,
        argument("Without one, all questions are listed.", completion.questions, "[QUESTION]"),
    ] = None,
    game: Annotated[
        str | None,
        argument("Where a question is about more than one game.", completion.asked_games, "[GAME]"),
    ] = None,
    quick: Annotated[bool, option("--quick", "A rough answer from few games, in seconds.")] = False,
    players: Annotated[
        str | None,
        option(
            "--players -p",
            "Strategies to ask it for, with commas, where it takes them.",
            completion.strategies,
        ),
    ] = None,
    max_games: Annotated[
        int | None,
        whole(
            "--max-games",
            "Leave a comparison open that so many deals do not settle.  [default: 2e5]",
        ),
    ] = None,
) -> Answered:
    """Answer a question: the verdict in a sentence, then the figures behind it."""
    import herdlab

    if question is None:
        return herdlab.questions
    if quick and max_games is not None:
        raise BadInput(
            "--quick and --max-games do not go together: a quick answer plays a small, fixed number"
        )
    return None


@answers
def bench(
    quick: Annotated[
        bool, option("--quick", "Measure roughly, in seconds; leave starts out.")
    ] = False,
) -> None:
    """Measure the speed."""
