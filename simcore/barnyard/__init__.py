"""Barnyard Swap (Geauga Publishers, 1941): clauses B1-B18 of docs/rules/barnyard.md."""

from simcore.barnyard.clauses import CLAUSES
from simcore.barnyard.rules import MAX_PLAYERS, MIN_PLAYERS, MOST_ROUNDS, BarnyardRules
from simcore.game import Event, Game, Histogram

BARNYARD = Game(
    name="barnyard",
    title="Barnyard Swap",
    about="cards: trade for a hand of one animal, pass the Donkey on, keep the Watchdog",
    min_players=MIN_PLAYERS,
    max_players=MAX_PLAYERS,
    rules_type=BarnyardRules,
    clauses=CLAUSES,
    decisions=(
        "observe",
        "plan",
        "ask",
        "bid",
        "bid twice",
        "accept",
        "hand over",
        "discard",
        "claim",
        "collect",
    ),
    length_unit="rounds",
    has_scores=True,
    events=(
        Event("donkey_held", "Donkeys in the hand at the end"),
        Event("watchdog_held", "Watchdogs in the hand at the end"),
        Event("finished", "sessions that he ended with a full hand, natural or claimed"),
        Event("points_numbers", "points for the numbers of his animal, less his other numbers"),
        Event("points_first", "points for the first full hand"),
        Event("points_run", "points for consecutive numbers"),
        Event("points_runaway", "points for the runaway"),
        Event("points_donkey", "points for Donkeys"),
        Event("points_watchdog", "points for Watchdogs"),
        Event("natural_full_hands", "sessions ended by a natural full hand", per_seat=False),
        Event("wild_claims", "sessions ended by a claim with a wild card", per_seat=False),
        Event("stalls", "sessions that nobody ended", per_seat=False),
        Event("trades", "trades between players", per_seat=False),
        Event(
            "targets_missed",
            "matches to a target that max_sessions ended",
            per_seat=False,
            per_part=False,
        ),
    ),
    engine_module="simcore.barnyard.table",
    part="session",
    histograms=(
        Histogram("session_score", "score of a session", -128, 1, 256),
        Histogram("match_score", "total of a match", -500, 5, 400),
        Histogram("rounds", "rounds of a session", 0, 1, MOST_ROUNDS + 1, per_seat=False),
    ),
)
