"""Pig, the folk game with one die: clauses G1-G5 of docs/rules/pig.md."""

from herdlab.simcore.game import Benchmark, Event, Game, SeatPlan
from herdlab.simcore.pig.rules import CLAUSES, MAX_PLAYERS, MIN_PLAYERS, PigRules

PIG = Game(
    name="pig",
    title="Pig",
    about="a die: roll on for more points, or bank them before a 1 takes them away",
    min_players=MIN_PLAYERS,
    max_players=MAX_PLAYERS,
    rules_type=PigRules,
    clauses=CLAUSES,
    decisions=("observe", "roll on"),
    length_unit="turns",
    has_scores=True,
    events=(
        Event("ones", "turns that a 1 ended"),
        Event("rolls", "rolls of the die", per_seat=False),
    ),
    folder="pig",
    may_be_undecided=lambda rules: rules.max_turns < rules.goal,
    seat_plan=SeatPlan(("holder", "timid"), (2, 3)),
    benchmarks=(Benchmark("holder,bold"),),
)
GAMES = (PIG,)
