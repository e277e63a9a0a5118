"""Traces: golden playthroughs, and words that fit what happened."""

import pytest

from herdlab.analysis.words import stories
from herdlab.analysis.words.stories.herd import in_words
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.rules import HerdRules
from herdlab.strategies.registry import seat_players
from tests.golden.regenerate import FOLDER, PLAYTHROUGHS, playthrough

HERD = find_game("herd")


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_the_golden_playthrough_is_replayed_line_by_line(name: str) -> None:
    golden = (FOLDER / f"{name}.txt").read_text().splitlines()
    for number, (now, then) in enumerate(
        zip(playthrough(name).splitlines(), golden, strict=True), 1
    ):
        assert now == then, f"line {number}"


def told(line_up: str, n_games: int, **settings: object) -> list[stories.Story]:
    rules = HerdRules.from_settings(settings)
    bout = Bout(HERD, rules, seat_players(HERD, rules, line_up), stream_seeds(6))
    return [stories.tell(bout, number) for number in range(n_games)]


def test_every_happening_names_the_clauses_that_acted() -> None:
    known = dict(HERD.clauses)
    seen = set()
    for story in told("random,random,keeper-dog,spoiler", 30):
        for one in story.happenings:
            assert one.clauses and set(one.clauses) <= set(known)
            seen |= set(one.clauses)
            assert "\n" not in one.words
    assert {"H4", "H7", "H8", "H9", "H10", "H11", "H12", "H13", "H14", "H15"} <= seen


def test_h16_a_round_is_turns_by_players_rounded_up() -> None:
    for story in told("keeper,climber,random", 5):
        assert story.happenings[-1].turn == story.length > 3
        for one in story.happenings:
            assert one.round == -(-one.turn // 3)


def test_words_and_states_agree() -> None:
    """A happening that changes the herd shows it; one that says nothing happens does not."""
    unchanged = trades = 0
    for story in told("random,keeper-dog", 30):
        for one in story.happenings:
            after = one.facts["herds"][one.seat]
            assert in_words(list(after.values())) == one.after
            if "nothing happens" in one.words:
                assert one.before == one.after
                unchanged += 1
            if one.what == "trade":
                assert one.before != one.after
                trades += 1
    assert unchanged > 10 and trades > 50


@pytest.mark.parametrize(
    "settings",
    [
        {"t_cancels": True},
        {"dice": "super-farmer", "wolf_pair_loses": 2},
        {"wolf_die": "2RSP2FW2KT2D", "fox_die": "2RSC2FWK2T2D", "max_turns": 60},
        {"sheep": 4, "pigs": 2, "dogs": 1, "max_turns": 200},
        {"skunks": 0, "max_turns": 3},
    ],
)
def test_other_rules_are_told_too(settings: dict[str, object]) -> None:
    for story in told("random,random,random", 20, **settings):
        assert story.end and (story.winners or "H16" in story.end)


def test_alone_the_skunk_goes_to_nobody() -> None:
    words = [one.words for story in told("keeper", 20) for one in story.happenings]
    assert any("the skunk goes to nobody" in sentence for sentence in words)


def test_a_herd_in_words() -> None:
    assert in_words((2, 1, 0, 0, 1, 0)) == "2 rabbits, 1 sheep, 1 horse"
    assert in_words((0,) * 6) == "nothing"
