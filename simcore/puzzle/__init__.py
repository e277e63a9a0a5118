"""Horse Trader and Bronco, two editions of one game: clauses P1-P13 of docs/rules/puzzle.md."""

from dataclasses import replace

from herdlab.simcore.game import Benchmark, Curve, Event, Game, SeatPlan
from herdlab.simcore.puzzle.clauses import BRONCO_CLAUSES, HORSE_TRADER_CLAUSES
from herdlab.simcore.puzzle.rules import (
    CURVE_POINTS,
    CURVE_STEP,
    MAX_PLAYERS,
    MIN_PLAYERS,
    BroncoRules,
    HorseTraderRules,
)

_EVENTS = (
    Event("own_pieces", "pieces of his own puzzle at the end"),
    Event("trades_made", "trades that he took part in"),
    Event("offers", "offers that he made"),
    Event("passes_called", "passes that he called"),
    Event("bluffs_tried", "offers in which he said another number than he committed"),
    Event("calls_right", "times that he called a bluff that was one"),
    Event("calls_wrong", "times that he called an honest offer a bluff"),
    Event(
        "gained_by_bluffs",
        "pieces that his bluffs brought him, less what they cost",
        is_signed=True,
    ),
    Event(
        "gained_by_calls",
        "pieces that he was paid for his calls, less what he paid",
        is_signed=True,
    ),
    Event("trades", "offers that were answered", per_seat=False),
    Event("passes", "forced passes", per_seat=False),
    Event("bluffs_called_right", "called offers that were bluffs", per_seat=False),
    Event("bluffs_called_wrong", "called offers that were honest", per_seat=False),
    Event("lapses", "offers that nobody answered", per_seat=False),
    Event("silences", "beats in which nothing was offered or called", per_seat=False),
    Event("stalls", "games ended by P13, with no winner", per_seat=False),
)
_CURVES = (Curve("own_pieces", "pieces of his own puzzle", CURVE_STEP, CURVE_POINTS),)
_DECISIONS = ("observe", "word", "commit", "answer", "give", "pass", "pay")

HORSE_TRADER = Game(
    name="horse-trader",
    title="Horse Trader",
    about="jigsaws: trade pieces unseen, force passes, bluff, and be first to complete a puzzle",
    min_players=MIN_PLAYERS,
    max_players=MAX_PLAYERS,
    rules_type=HorseTraderRules,
    clauses=HORSE_TRADER_CLAUSES,
    decisions=_DECISIONS,
    length_unit="beats",
    has_scores=False,
    events=_EVENTS,
    folder="puzzle",
    curves=_CURVES,
    may_be_undecided=lambda rules: True,
    seat_plan=SeatPlan(("trader-2", "stockman"), (3, 4), 60_000),
    benchmarks=(
        Benchmark("trader-2,trader-2,trader-2,trader-2"),
        Benchmark("bluffer,sceptic,trader-2,trader-2", {"advanced": True}),
    ),
)
BRONCO = replace(
    HORSE_TRADER,
    name="bronco",
    title="Bronco",
    about="jigsaws: the rodeo edition of Horse Trader, with another limit on forced passes",
    rules_type=BroncoRules,
    clauses=BRONCO_CLAUSES,
    benchmarks=(Benchmark("caller,caller,nagger,trader-2"),),
)
GAMES = (HORSE_TRADER, BRONCO)
