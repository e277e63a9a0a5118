"""SWAP! (Patch Products, 2002): clauses S1-S14 of docs/rules/swap.md."""

from herdlab.simcore.game import Benchmark, Event, Game, Histogram, SeatPlan
from herdlab.simcore.swap.clauses import CLAUSES
from herdlab.simcore.swap.rules import LEFT_BINS, MAX_PLAYERS, MIN_PLAYERS, SwapRules

SWAP = Game(
    name="swap",
    title="SWAP!",
    about="cards: match the colour, swap hands, slap, and be first to get rid of every card",
    min_players=MIN_PLAYERS,
    max_players=MAX_PLAYERS,
    rules_type=SwapRules,
    clauses=CLAUSES,
    decisions=("observe", "play", "partner", "colour", "direction"),
    length_unit="turns",
    has_scores=False,
    events=(
        Event("cards_left", "cards in the hand at the end"),
        Event("slapped_last", "SLAPs at which he was last, and took a card"),
        Event("swaps", "hands (or seats) exchanged by a SWAP", per_seat=False),
        Event("super_swaps", "times that all passed their hands on", per_seat=False),
        Event("slaps", "SLAPs that were slapped at", per_seat=False),
        Event("cards_drawn", "cards drawn from the pile, penalties included", per_seat=False),
        Event("reshuffles", "times that the discards became the pile", per_seat=False),
        Event(
            "drawn_games",
            "games ended by S11 or S12, shared by who has fewest cards",
            per_seat=False,
        ),
        Event("played_plain", "plain cards played", per_seat=False),
        Event("played_slap", "SLAP cards played, the winning one included", per_seat=False),
        Event("played_switch", "SWITCH COLOR cards played, likewise", per_seat=False),
        Event("played_super_swap", "SUPER SWAP cards played, likewise", per_seat=False),
        Event("played_swap", "SWAP cards played, likewise", per_seat=False),
        Event("last_plain", "games won with a plain card as the last", per_seat=False),
        Event("last_slap", "games won with a SLAP as the last", per_seat=False),
        Event("last_switch", "games won with a SWITCH COLOR as the last", per_seat=False),
        Event("last_super_swap", "games won with a SUPER SWAP as the last", per_seat=False),
        Event("last_swap", "games won with a SWAP as the last", per_seat=False),
        Event("last_taken", "games won because a SLAP took the last card", per_seat=False),
    ),
    folder="swap",
    histograms=(Histogram("cards_left", "cards in the hand at the end", 0, 1, LEFT_BINS),),
    seat_plan=SeatPlan(("shedder", "opportunist"), (2, 3, 4, 6, 10), 100_000),
    benchmarks=(
        Benchmark("shedder,shedder,shedder,shedder"),
        Benchmark("random,random,random,random"),
        Benchmark("rememberer,rememberer,rememberer,rememberer"),
    ),
)
GAMES = (SWAP,)
