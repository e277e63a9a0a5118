"""Cases of Barnyard Swap."""

from tests.games import Cases

CASES = {
    "barnyard": Cases(
        pair=("collector", "miser"),
        tables={
            "": ("collector,watcher,miser", {}),
            "a session": ("collector,watcher,miser,random", {"sessions": 1}),
        },
        playthrough=("collector,random,miser,honest", 2026, 82, {}),
        reading_tables=(("random",) * 3, ("collector", "watcher", "miser")),
        readings=[({}, [])],
        short={"max_rounds": 30, "sessions": 2},
        n_games=60,
        opponents="collector,random,miser",
        steady="collector,miser",
        family="gatherer",
        members=("collector", "honest", "miser", "purist"),
    )
}
