"""Cases of SWAP!"""

from tests.games import Cases

CASES = {
    "swap": Cases(
        pair=("raider", "shedder"),
        tables={"": ("shedder,raider,random", {})},
        playthrough=("shedder,raider,random,shedder", 2026, 81, {}),
        reading_tables=(("random",) * 3, ("shedder", "raider")),
        readings=[
            ({}, ["seat_next"]),
            ({"seat_next": "player"}, ["seat_next"]),
            ({"swap_seats": True}, []),
            ({"swap_seats": True, "swap_cards": 0}, ["seat_next"]),
            ({"slap": 0}, ["slap_empties", "seat_next"]),
        ],
        short={"max_turns": 400},
        n_games=300,
        opponents="shedder,random,raider",
        steady="shedder,raider",
        family="tactician",
        members=("shedder", "raider"),
    )
}
