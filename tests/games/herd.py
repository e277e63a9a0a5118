"""Cases of Have You Herd?"""

from tests.games import Cases

CASES = {
    "herd": Cases(
        pair=("keeper", "climber"),
        tables={
            "": ("keeper-dog,random,spoiler", {}),
            "cut short": ("keeper,random,climber", {"max_turns": 40}),
        },
        playthrough=("keeper-dog,random,climber,spoiler", 2026, 7, {}),
        reading_tables=(("random",) * 3, ("keeper", "climber")),
        readings=[
            ({}, []),
            ({"dice": "super-farmer"}, ["t_cancels"]),
            ({"wolf_die": "6R2SPCWK"}, ["t_cancels"]),
            ({"wolf_die": "6R2SPCKT"}, ["wolf_pair_loses"]),
            ({"wolf_die": "10SWT", "fox_die": "10RFD"}, ["wolf_pair_loses"]),
            ({"horses": 0, "max_turns": 300}, ["horse_price"]),
        ],
        short={"max_turns": 300},
        n_games=400,
        opponents="keeper-dog,random,climber",
        steady="keeper,climber",
        family="herder",
        members=("random", "climber", "keeper", "keeper-dog", "dog-first", "hermit"),
    )
}
