"""Cases of Horse Trader and Bronco."""

from dataclasses import replace

from tests.games import Cases

_HORSE_TRADER = Cases(
    pair=("trader-1", "trader-3"),
    tables={"": ("bluffer,sceptic,trader-2", {"advanced": True})},
    playthrough=("caller,hostage,nagger,trader-3", 2026, 16, {}),
    reading_tables=(("caller",) * 3, ("trader-4",) * 4),
    readings=[({}, [])],
    short={"advanced": True, "max_beats": 400},
    n_games=60,
    opponents="trader-3,caller,sceptic",
    steady="dealer:gives=most,dealer:gives=least",
    telling="bluffer,dealer:offer=4:call_3=1",
    family="dealer",
    members=(
        *(f"trader-{k}" for k in range(1, 5)),
        *("caller", "nagger", "bluffer", "sceptic", "hostage"),
    ),
)
CASES = {
    "horse-trader": _HORSE_TRADER,
    "bronco": replace(
        _HORSE_TRADER,
        tables={"": ("bluffer,caller,hostage,trader-3", {"advanced": True})},
        playthrough=("bluffer,sceptic,caller,nagger", 2026, 295, {"advanced": True}),
    ),
}
