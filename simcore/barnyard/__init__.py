"""Barnyard Swap (Geauga Publishers, 1941): clauses B1-B18 of docs/rules/barnyard.md."""

from herdlab.simcore.barnyard import rules
from herdlab.simcore.barnyard.clauses import CLAUSES
from herdlab.simcore.game import Benchmark, Event, Game, Histogram, SeatPlan

_MATCH_BINS = rules.MATCH_LOW, rules.MATCH_WIDTH, rules.MATCH_BINS

BARNYARD = Game(
    name="barnyard",
    title="Barnyard Swap",
    about="cards: trade for a hand of one animal, pass the Donkey on, keep the Watchdog",
    min_players=rules.MIN_PLAYERS,
    max_players=rules.MAX_PLAYERS,
    rules_type=rules.BarnyardRules,
    clauses=CLAUSES,
    decisions=(
        *("observe", "plan", "ask", "bid", "bid twice", "accept"),
        *("hand over", "discard", "claim", "collect"),
    ),
    length_unit="rounds",
    has_scores=True,
    events=(
        Event("donkey_held", "Donkeys in the hand at the end"),
        Event("watchdog_held", "Watchdogs in the hand at the end"),
        Event("finished", "sessions that he ended with a full hand, natural or claimed"),
        Event("session_score", "points of a session, all parts together", is_signed=True),
        Event(
            "points_numbers",
            "points for the numbers of his animal, less his other numbers",
            is_signed=True,
        ),
        Event("points_first", "points for the first full hand", size=rules.POINTS_FIRST),
        Event("points_run", "points for consecutive numbers", size=rules.POINTS_WHOLE_RUN),
        Event("points_runaway", "points for the runaway", size=rules.NUMBERS, is_signed=True),
        Event("points_donkey", "points for Donkeys", size=-rules.POINTS_DONKEY, is_signed=True),
        Event("points_watchdog", "points for Watchdogs", size=rules.POINTS_WATCHDOG),
        Event("natural_full_hands", "sessions ended by a natural full hand", per_seat=False),
        Event("wild_claims", "sessions ended by a claim with a wild card", per_seat=False),
        Event("stalls", "sessions that nobody ended", per_seat=False),
        Event("trades", "trades between players", per_seat=False),
        Event(
            "targets_missed",
            "matches to a target that max_sessions ended",
            per_part=False,
            per_seat=False,
        ),
    ),
    folder="barnyard",
    part="session",
    histograms=(
        Histogram("session_score", "score of a session", rules.SCORE_LOW, 1, rules.SCORE_BINS),
        Histogram(
            *("match_score", "total of a match", *_MATCH_BINS),
            scale=lambda rules: rules.match_scale,
        ),
        Histogram("rounds", "rounds of a session", 0, 1, rules.MOST_ROUNDS + 1, per_seat=False),
    ),
    seat_plan=SeatPlan(("collector", "watcher"), (3, 4, 6, 10), 6_000),
    benchmarks=(
        Benchmark("collector,collector,collector,collector"),
        Benchmark("random,random,random,random"),
        Benchmark("watcher,watcher,watcher,watcher"),
    ),
)
GAMES = (BARNYARD,)
