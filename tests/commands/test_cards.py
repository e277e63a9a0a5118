"""The command line with the card games: what people see, and one sentence for every mistake."""

import re
from pathlib import Path

import pytest

from tests.command_line import herdlab, refuses, result_of
from tests.words import meant, took_too_few_or_many, unknown

BARNYARD = ("simulate", "barnyard", "-p", "collector,honest,miser")
SWAP = ("simulate", "swap", "-p", "shedder,raider")
MISTAKES = [
    (("simulate", "barnyrd", "-p", "collector"), ["unknown game", meant("barnyard")]),
    (("simulate", "barnyard", "-p", "colector,miser,miser"), [meant("collector")]),
    (("simulate", "barnyard", "-p", "collector,miser"), took_too_few_or_many(3, 14, 2)),
    (("simulate", "barnyard", "-p", ",".join(["miser"] * 15)), took_too_few_or_many(3, 14, 15)),
    ((*BARNYARD, "--set", "donkeys=2"), ["donkeys (B1)", "4 or more players", "there are 3"]),
    ((*BARNYARD, "--set", "donkeys=3"), ["donkeys (B1)", "1 or 2", "'3'"]),
    ((*BARNYARD, "--set", "recycle=turnd"), ["recycle (B10)", meant("turned")]),
    ((*BARNYARD, "--set", "sessions=0"), ["sessions (B18)", "from 1 to 250", "'0'"]),
    ((*BARNYARD, "--set", "slap_speed=1"), [unknown("rule of barnyard", "slap_speed")]),
    (
        ("simulate", "barnyard", "-p", "watcher:shy=x,miser,miser"),
        ["parameter shy of watcher", "'x'"],
    ),
    (("simulate", "swap", "-p", "shedder"), took_too_few_or_many(2, 10, 1)),
    (("simulate", "swap", "-p", ",".join(["raider"] * 11)), took_too_few_or_many(2, 10, 11)),
    ((*SWAP, "--set", "slap_speed=1,2,3"), ["slap_speed (S9)", "each of 2 players", "got 3"]),
    ((*SWAP, "--set", "slap_speed=1,0"), ["slap_speed (S9)", "0.001 to 1000", "'1,0'"]),
    ((*SWAP, "--set", "cards=30", "--set", "plain=0"), ["need 61 cards (S2)", "has 56 (S1)"]),
    ((*SWAP, "--set", "false_slap_rate=2"), ["false_slap_rate (S13)", "from 0 to 1", "'2'"]),
    ((*SWAP, "--set", "slap_empties=win"), ["slap_empties (S10)", meant("wins")]),
    (("strategies", "swap", "rader"), [meant("raider")]),
]


@pytest.mark.parametrize(("words", "parts"), MISTAKES, ids=lambda value: " ".join(value)[-60:])
def test_a_mistake_gets_one_sentence_and_exit_code_2(
    words: tuple[str, ...], parts: list[str]
) -> None:
    refuses(words, parts)


def test_a_match_is_told_by_sessions_with_scores_ends_and_spreads() -> None:
    done = herdlab("simulate", "barnyard", "-p", "collector,honest,miser,purist", "-n", "500")
    assert done.returncode == 0
    assert "500 games" in done.stdout and "2,000 sessions" in done.stdout
    assert re.search(r"collector\s+0\s+\d+\.\d\d\s+\d+\.\d\d to \d+\.\d\d", done.stdout)
    parts = ("mean score", "natural full hand", "points for the runaway", "session_score", "95 %")
    for part in (*parts, "A session takes "):
        assert part in done.stdout


def test_a_game_of_swap_is_told_with_kinds_last_cards_and_cards_left() -> None:
    done = herdlab("simulate", "swap", "-p", "shedder,raider,random", "-n", "500")
    assert done.returncode == 0
    for part in (
        "turns",
        "cards_left",
        "SUPER SWAP cards played",
        "took the last card",
        "Never happened",
    ):
        assert part in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("barnyard", "-p", "watcher,random,miser", "--set", "sessions=2"),
        ("swap", "-p", "rememberer,random,shedder", "--set", "slap_speed=1,2,4"),
    ],
)
def test_the_same_command_prints_the_same_figures_for_any_number_of_threads(
    words: tuple[str, ...],
) -> None:
    results = [result_of("simulate", *words, "-n", "300", "--threads", t) for t in ("1", "2", "7")]
    for result in results:
        for key in ("seconds", "games_per_second"):
            del result[key]
    assert results[0] == results[1] == results[2]


def test_rules_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text("slap_speed = [1, 2.5]\nswap_seats = true\n")
    result = result_of("rules", "swap", "--rules", str(file))
    assert result["rules"]["slap_speed"] == [1, 2.5] and result["rules"]["swap_seats"]
    assert result["readings"] == {
        "slap_empties": ["wins", "plays_on"],
        "seat_next": ["place", "player"],
    }
    for game, last in (("barnyard", "B18"), ("swap", "S14")):
        assert last in herdlab("rules", game).stdout


def test_trace_tells_the_matches_that_simulate_counted() -> None:
    words = (
        "barnyard",
        "--players",
        "collector,random,miser",
        "--seed",
        "8",
        "--set",
        "sessions=2",
    )
    told = [result_of("trace", *words, "--game", str(number)) for number in range(3)]
    counted = result_of("simulate", *words, "--games", "3")
    assert counted["length"]["mean"] == pytest.approx(sum(one["length"] for one in told) / 6)
    shares = [
        sum(1 / len(one["winners"]) for one in told if seat in one["winners"]) / 3
        for seat in range(3)
    ]
    assert [seat["win_rate"] for seat in counted["seats"]] == pytest.approx(shares)
