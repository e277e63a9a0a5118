"""How sure advice is, that it is made again to the bit, and what is refused."""

import json
from itertools import pairwise
from math import sqrt
from typing import Any

import pytest

from herdlab.analysis.exact.advise import CLEAR, ONLY, UNSETTLED, advise, wins_apart
from herdlab.analysis.exact.advise_request import AdviseRequest
from herdlab.analysis.exact.herd_moves import read_herd, written
from herdlab.analysis.experiment import Experiment, Interrupted
from herdlab.analysis.runs.run_options import names_if
from herdlab.analysis.runs.runner import HERE, on_threads
from herdlab.analysis.stats.estimates import difference_of, quantile, wilson
from herdlab.analysis.terminal.show_result import show_result as show
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.rules import HerdRules
from tests.analysis.exact.test_advise import (
    GAMES,
    HERD,
    MINE,
    OTHER,
    THIRD,
    advised,
    asked,
    wins_of,
)
from tests.words import meant

# ---- how sure ----


def test_differences_are_taken_game_by_game() -> None:
    found = advised(MINE, OTHER, THIRD)
    wins = {
        one.move.name: wins_of(found.request, one.move.start)
        for one in found.moves
        if one.move.start is not None
    }
    best = wins[found.best.move.name].astype(float)
    z = quantile(found.difference_confidence)
    for one in found.moves[1:]:
        gap = best - wins[one.move.name]
        assert one.behind is not None and one.behind.value == pytest.approx(gap.mean(), abs=1e-12)
        differing = int((gap != 0).sum())
        wanted = difference_of(
            gap.sum(), differing, GAMES, differing, found.difference_confidence, largest=1
        )
        assert one.behind.low == pytest.approx(wanted.low, abs=1e-12)
        assert one.behind.high == pytest.approx(wanted.high, abs=1e-12)
        half = z * gap.std(ddof=1) / sqrt(GAMES)
        assert one.behind.high - one.behind.low >= 1.98 * half
        assert one.behind.low < one.behind.value < one.behind.high
        independent = sqrt(best.var() + wins[one.move.name].var())
        assert gap.std() < 0.8 * independent  # what the pairing is worth
    rates = [one.win_rate for one in found.moves]
    assert rates == [wilson(int(wins[one.move.name].sum()), GAMES) for one in found.moves]
    assert all(a.value >= b.value for a, b in pairwise(rates))


def test_the_intervals_of_all_pairs_share_the_error() -> None:
    assert advised(MINE, OTHER).difference_confidence == pytest.approx(1 - 0.05 / 6)  # 4 moves
    assert advised("rabbits=1", OTHER).difference_confidence == pytest.approx(0.95)


def test_a_few_games_that_differ_settle_nothing() -> None:
    """Four of four for one side happen by chance one time in eight; the plain interval says no."""
    four, ten = (wins_apart(20_000, 5_000 + k, 5_000, 5_000, 0.95) for k in (4, 10))
    assert four.value == 4 / 20_000 and four.low < 0 < ten.low
    none = wins_apart(20_000, 5_000, 5_000, 5_000, 0.95)
    assert none.value == 0 and none.low == -none.high < 0
    every = wins_apart(20_000, 20_000, 0, 0, 0.95)
    assert every.value == every.high == 1 and 0.999 < every.low < 1


def test_what_is_not_settled_says_how_many_more_games_would_do() -> None:
    few = advised(MINE, MINE, games=1_000)
    assert few.kind == UNSETTLED and few.more is not None and few.more > 1_000
    assert few.sentence.startswith("Not settled: ") and "more games a move should" in few.sentence
    assert few.as_json()["settled"] is False and few.as_json()["more_games"] == few.more
    dog = advised(MINE, MINE, games=8_000)
    assert "dog" not in {one.move.name for one in dog.rivals}  # that one surely is worse


def test_what_is_clear_says_by_how_much() -> None:
    found = advised("rabbits=1,sheep=1", OTHER, games=8_000)
    assert [one.move.name for one in found.moves] == ["none", "dog"] and found.kind == CLEAR
    gap, rate = found.moves[1].behind, found.best.win_rate
    assert gap is not None and found.more is None
    assert found.sentence == (
        f"Make no trade, which is clearly best: it wins {100 * rate.value:.2f} % "
        f"({100 * rate.low:.2f} to {100 * rate.high:.2f}), {100 * gap.value:.2f} percentage points "
        f"({100 * gap.low:.2f} to {100 * gap.high:.2f}) more than 1 rabbit and 1 sheep for 1 dog."
    )


def test_one_move_is_nothing_to_decide() -> None:
    found = advised("rabbits=1", OTHER)
    assert found.kind == ONLY and found.best.behind is None
    assert found.sentence.startswith("Make no trade: nothing else is possible, and playing on wins")


# ---- made again, written, shown ----


@pytest.mark.parametrize("phase", ["before", "after", "skunk"])
def test_the_same_to_the_bit_for_any_number_of_threads(phase: str) -> None:
    found = [
        advise(asked(MINE, OTHER, THIRD, phase=phase, games=40_000), runner=on_threads(n)).as_json()
        for n in (1, 2, 3)
    ]
    for one in found:
        one.pop("seconds")
    assert found[0] == found[1] == found[2]


def test_its_json_repeats_it() -> None:
    found = advised(MINE, OTHER, THIRD, phase="after", t=True, skunk="2", turn=3)
    written_out = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert written_out["command"] == "advise" and written_out["best"] == found.best.move.name
    names = {"move", "win_rate", "ci_low", "ci_high", "solo_turns"}
    assert all(names <= set(one) for one in written_out["moves"])
    assert written_out["position"]["herds"][2]["cow"] == 1
    assert sum(one["sheep"] for one in written_out["position"]["herds"]) == 3
    assert written_out["position"]["supply"]["sheep"] == 21
    experiment = Experiment(
        HERD, HerdRules.from_settings(written_out["rules"]), written_out["seed"]
    )
    given = written_out["arguments"]
    given = {**given, "players": names_if(given["players"])}
    again = advise(AdviseRequest(experiment, **given)).as_json()
    again.pop("seconds")
    assert again == {key: written_out[key] for key in again}


def test_its_frame_has_a_row_for_each_move() -> None:
    found = advised(MINE, OTHER)
    frame = found.frame()
    assert list(frame["move"]) == [one.move.name for one in found.moves]
    assert frame["behind"].isna().sum() == 1


def test_without_others_the_opponent_stands_as_you_do() -> None:
    assert asked(MINE).herds == (read_herd(MINE), read_herd(MINE))
    assert asked(MINE, players="keeper,climber,closer").herds == (read_herd(MINE),) * 3
    scarce = asked("sheep=20,cows=6", players="keeper,keeper,keeper")
    assert scarce.herds[1:] == ((0, 2, 0, 4, 0, 0),) * 2  # as far as there are tiles
    assert asked(MINE).line_up == ["keeper", "keeper"]


@pytest.mark.parametrize(
    ("given", "herd"),
    [
        ("rabbits=6,sheep=2", (6, 2, 0, 0, 0, 0)),
        (" Rabbit = 1 , dog=1,horses=1", (1, 0, 0, 0, 1, 1)),
        ({"pigs": 2, "cow": 1}, (0, 0, 2, 1, 0, 0)),
        ("nothing", (0,) * 6),
    ],
)
def test_herds_are_read_in_singular_and_plural(given: Any, herd: tuple[int, ...]) -> None:
    assert read_herd(given) == herd == read_herd(written(herd))


def test_interrupted_it_has_what_was_played() -> None:
    def stop(done: int, total: int) -> None:
        if done > 20_000:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        advise(asked(MINE, OTHER, games=300_000), HERE.telling(stop))
    so_far = caught.value.so_far
    assert 20_000 < so_far.deals < 300_000 and caught.value.again == f"--games {so_far.deals}"
    again = advise(asked(MINE, OTHER, games=so_far.deals))
    assert again.moves == so_far.moves and again.request == so_far.request


@pytest.mark.parametrize(
    "options",
    [{}, {"phase": "after", "t": True}, {"phase": "skunk", "skunk": 1}, {"phase": "after"}],
)
def test_what_is_printed_fits_into_80_columns(
    options: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = advised("rabbits=6,sheep=3,dog=1", OTHER, THIRD, "horse=1,pig=3", **options)
    monkeypatch.setattr("herdlab.analysis.terminal.console._PIPED_WIDTH", 80)
    show(found)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    rows = [
        line for line in lines if line.rstrip().endswith(tuple("0123456789")) and " to " in line
    ]
    assert len(rows) >= len(found.moves)  # none is broken over two lines
    text = " ".join(" ".join(lines).split())
    assert found.sentence in text and "3 rabbits, 1 sheep" in text and "95 % interval" in text


# ---- refused ----


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"herd": "rabbits=13"}, "your herd cannot have 13 rabbits: 0 to 12 .H7"),
        ({"herd": "horses=2"}, "your herd cannot have 2 horses: 0 to 1 .H7"),
        ({"herd": "sheep=25"}, "your herd cannot have 25 sheep: there are 24 .H1"),
        ({"herd": "sheep=-1"}, "your herd cannot have -1 sheep: 0 to 24 .H7"),
        ({"others": ["rabbits=13"]}, "the herd of the opponent cannot have 13 rabbits.*H7"),
        (
            {"others": [OTHER, "dogs=2"]},
            "the herd of the 2nd player to the left cannot have 2 dogs.*H7",
        ),
        ({"others": ["sheep=23"]}, "the players own 25 sheep together, and there are 24 .H1"),
        (
            {
                "herd": "horses=3",
                "others": ["horses=2"],
                "rules": {"max_horses": 3},
            },
            "the players own 5 horses together, and there are 4 .H1",
        ),
        ({"herd": "rabbit=1,sheep=1,pig=1,cow=1,horse=1"}, "your herd is complete.*H4"),
        ({"skunk": "me"}, "holding the skunk, you lose this turn: there is nothing to decide.*H14"),
        ({"skunk": "me", "phase": "after"}, "holding the skunk loses his turn.*H14"),
        ({"skunk": "me", "phase": "skunk"}, "holding the skunk loses his turn.*H14"),
        ({"skunk": "2"}, "skunk's holder must be me or 1.*'2' .H14"),
        ({"skunk": "1", "rules": {"skunks": 0}}, "seat 1 cannot hold the skunk .H14"),
        ({"phase": "skunk", "rules": {"skunks": 0}}, "no skunk to give away.*H1"),
        ({"phase": "skunk", "rules": {"dice": "super-farmer"}}, "no die has a skunk .H6"),
        ({"phase": "after", "t": True, "rules": {"dice": "super-farmer"}}, "no die has a T .H6"),
        ({"t": True}, "a T is in force only in the phase 'after' the roll .H13"),
        ({"phase": "skunk", "t": True}, "they are on one die .H6"),
        (
            {
                "phase": "skunk",
                "t": True,
                "rules": {"wolf_die": "6R6T", "fox_die": "6R6K", "t_cancels": True},
            },
            "cancel one another: t_cancels=true .H9",
        ),
        ({"phase": "roll"}, "unknown phase 'roll'.*before, after, skunk"),
        ({"phase": "afther"}, meant("after")),
        ({"turn": 10_000}, "turn must be from 0 to 9999.*H16"),
        ({"turn": -1}, "turn must be from 0 .*H16"),
        ({"players": "keeper"}, "a strategy is needed.*2 in all, and got 1: keeper"),
        ({"players": "keeper", "others": []}, "advice needs another player.*H2"),
        ({"players": "keeper,keepr"}, meant("keeper")),
        ({"players": "keeper,keeper,keeper"}, "2 in all, and got 3"),
        ({"others": [OTHER] * 4}, "others are 1 to 3 players, and got 4 .H2"),
        ({"herd": "rabits=3"}, f"unknown animal 'rabits': {meant('rabbits')}"),
        ({"herd": "ship=3"}, f"unknown animal 'ship': {meant('sheep')}"),
        ({"others": ["hors=1"]}, meant("horses")),
        ({"herd": "rabbits"}, "rabbits=6,sheep=2, or 'nothing', and got 'rabbits'"),
        ({"herd": "rabbits=few"}, "got 'rabbits=few'"),
        ({"herd": "rabbits=1.5"}, "got 'rabbits=1.5'"),
        ({"herd": ""}, "a herd is written rabbits=6,sheep=2, or 'nothing', and got ''"),
        (
            {"herd": "rabbit=1,rabbits=2"},
            "'rabbit=1,rabbits=2' names rabbits twice",
        ),
        ({"games": 10}, "number of games must be from 100"),
    ],
)
def test_wrong_use_is_refused_with_a_sentence(given: dict[str, Any], sentence: str) -> None:
    options = {"herd": MINE, "others": [OTHER], **given}
    herd, others = options.pop("herd"), options.pop("others")
    with pytest.raises(BadInput, match=sentence):
        asked(herd, *others, **options)


def test_a_t_and_a_skunk_may_come_together_on_other_dice() -> None:
    dice = {"wolf_die": "6R6T", "fox_die": "6R6K"}
    request = asked(MINE, OTHER, phase="skunk", t=True, rules=dice)
    start = request.moves()[0].start
    assert start is not None and start.t_in_force and start.skunk == 1


def test_other_games_have_no_advice() -> None:
    swap = find_game("swap")
    with pytest.raises(BadInput, match="advice is for herd, and got 'swap'"):
        AdviseRequest(Experiment(swap, swap.rules_type()), MINE)
