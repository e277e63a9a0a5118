"""Have You Herd? (Winning Moves, 2007): clauses H1-H16 of docs/rules/herd.md."""

from herdlab.simcore.game import Benchmark, Game, SeatPlan
from herdlab.simcore.herd.clauses import CLAUSES
from herdlab.simcore.herd.events import EVENTS
from herdlab.simcore.herd.rules import MAX_PLAYERS, HerdRules

_FAR_OFF = 10_000
"""Turns, a hundred times as many as a game takes: nobody meets such a limit by chance."""

HERD = Game(
    name="herd",
    title="Have You Herd?",
    about="dice: multiply one rabbit into a herd of five different animals",
    min_players=1,
    max_players=MAX_PLAYERS,
    rules_type=HerdRules,
    clauses=CLAUSES,
    decisions=("observe", "trade", "partner", "skunk"),
    length_unit="turns",
    has_scores=False,
    events=EVENTS,
    folder="herd",
    may_be_undecided=lambda rules: rules.max_turns < _FAR_OFF,
    seat_plan=SeatPlan(("keeper", "optimal", "climber"), (2, 3, 4), 100_000),
    benchmarks=(
        Benchmark("keeper,keeper-dog,keeper,keeper-dog"),
        Benchmark("keeper,keeper-dog"),
        Benchmark("random,random,random,random"),
        Benchmark("spoiler,spoiler,spoiler,spoiler"),
    ),
)
GAMES = (HERD,)
