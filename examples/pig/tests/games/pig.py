"""Cases of Pig."""

from tests.games import Cases

CASES = {
    "pig": Cases(
        pair=("holder", "timid"),
        tables={"": ("holder,timid,random", {})},
        playthrough=("holder,timid,random", 2026, 2, {}),
        reading_tables=(("random",) * 3, ("holder", "timid")),
        readings=[({}, [])],
        short={"goal": 30, "max_turns": 200},
        n_games=400,
        opponents="holder,random,timid",
        steady="holder,timid",
        family="holder",
        members=("timid", "bold"),
    )
}
