"""`advise`: every legal move with what it is worth, held against play, the rules and the dice."""

import json
from math import inf, sqrt
from typing import Any

import numpy as np
import pytest

from herdlab.analysis.exact.advise import ALIKE, CLEAR, Advice, advise
from herdlab.analysis.exact.advise_request import AdviseRequest
from herdlab.analysis.exact.herd_moves import read_herd
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.run_options import names_if
from herdlab.analysis.stats.estimates import wilson
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.position import Position
from herdlab.simcore.herd.rules import HerdRules
from herdlab.simcore.sums import WINNERS
from herdlab.strategies.herd import solved
from herdlab.strategies.registry import seat_players
from tests.simcore.herd.harness import log_lines
from tests.statistics import LARGEST_Z

HERD = find_game("herd")
GAMES, SEED = 1_500, 5
MINE, OTHER, THIRD = "rabbits=6,sheep=2", "rabbits=3,sheep=1", "rabbits=7,pigs=2,cow=1"


def asked(herd: str = MINE, *others: str, **options: Any) -> AdviseRequest:
    settings = options.pop("rules", {})
    experiment = Experiment(HERD, HerdRules.from_settings(settings), options.pop("seed", SEED))
    players = names_if(options.pop("players", None))
    return AdviseRequest(experiment, herd, others, players, **{"games": GAMES, **options})


KNOWN: dict[str, Advice] = {}


def advised(herd: str = MINE, *others: str, **options: Any) -> Advice:
    key = repr((herd, others, options))
    if key not in KNOWN:
        KNOWN[key] = advise(asked(herd, *others, **options))
    return KNOWN[key]


def by_name(found: Advice) -> dict[str, Any]:
    return {one.move.name: one for one in found.moves}


@pytest.fixture
def unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the solo values out: under rules of their own they take seconds."""
    monkeypatch.setattr(
        "herdlab.analysis.exact.advise._solo_turns", lambda _, moves: [inf] * len(moves)
    )


def wins_of(request: AdviseRequest, start: Position) -> np.ndarray[Any, Any]:
    """Return whether seat 0 wins each game from `start`."""
    players = seat_players(HERD, request.rules, ",".join(request.line_up))
    bout = Bout(HERD, request.rules, players, stream_seeds(request.experiment.seed), start)
    won: np.ndarray[Any, Any] = bout.rows(0, request.games)[:, WINNERS] & 1
    return won


# ---- the moves ----


def test_trades_are_named_as_in_the_rulebook_at_the_price_of_the_rules() -> None:
    herd = "rabbits=6,sheep=3,pigs=2,cows=3"
    words = {one.move.name: one.move.words for one in advised(herd, OTHER).moves}
    assert words == {
        "none": "no trade",
        "sheep": "5 rabbits for 1 sheep",
        "pig": "2 sheep for 1 pig",
        "cow": "2 pigs for 1 cow",
        "horse": "2 cows for 1 horse",
        "dog": "1 rabbit and 1 sheep for 1 dog",
    }
    dear = asked(herd, OTHER, rules={"horse_price": 3, "sheep_for_pig": 3, "pigs_for_cow": 3})
    words = {one.name: one.words for one in dear.moves()}
    assert words["horse"] == "3 cows for 1 horse" and words["pig"] == "3 sheep for 1 pig"
    assert "cow" not in words


def test_after_a_t_each_partner_is_a_move_of_its_own() -> None:
    request = asked("rabbits=6,sheep=2", OTHER, THIRD, "sheep=1,dog=1", phase="after", t=True)
    found = {(one.name, one.partner): one.words for one in request.moves()}
    assert list(found) == [
        ("none", None),
        ("sheep from 1", 1),
        ("sheep from 3", 3),
        ("pig from 2", 2),
        ("dog from 3", 3),
    ]
    assert found["pig from 2", 2] == "2 sheep for 1 pig from the 2nd player to the left"
    alone = asked("rabbits=6", OTHER, phase="after", t=True).moves()
    assert alone[1].words == "5 rabbits for 1 sheep from the opponent"


def test_where_each_move_leads() -> None:
    before = {one.name: one for one in asked(MINE, OTHER, THIRD, skunk=2, turn=7).moves()}
    herds = ((1, 3, 0, 0, 0, 0), (3, 1, 0, 0, 0, 0), (7, 0, 2, 1, 0, 0))
    assert before["sheep"].start == Position(herds, 0, "roll", False, 2, 7)
    after = {one.name: one for one in asked(MINE, OTHER, THIRD, phase="after", skunk="1").moves()}
    assert after["sheep"].start == Position(herds, 1, "before", False, 1, 1)
    bound = asked(MINE, OTHER, THIRD, phase="after", t=True).moves()
    herds = ((1, 3, 0, 0, 0, 0), (8, 0, 0, 0, 0, 0), (7, 0, 2, 1, 0, 0))
    assert {one.name: one for one in bound}["sheep from 1"].start == Position(herds, 1, turn=1)
    skunk = asked(MINE, OTHER, THIRD, phase="skunk", skunk=1).moves()
    same = (read_herd(MINE), read_herd(OTHER), read_herd(THIRD))
    assert [one.start for one in skunk] == [Position(same, 0, "after", skunk=k) for k in (1, 2)]
    assert [one.words for one in skunk][1] == "the skunk to the 2nd player to the left"


# ---- the values ----


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"skunk": 1},
        {"turn": 100},
        {"phase": "after"},
        {"phase": "after", "t": True},
        {"phase": "after", "skunk": 2},
    ],
)
@pytest.mark.parametrize("player", ["keeper", "climber", "dog-first", "spoiler"])
def test_a_move_is_worth_what_a_strategy_wins_that_makes_it(
    player: str, options: dict[str, Any]
) -> None:
    """The very same games: played from the position itself, where the strategy finds the move."""
    request = asked(MINE, OTHER, THIRD, players=f"{player},keeper,closer", **options)
    found, start = advise(request), request.position
    players = seat_players(HERD, request.rules, ",".join(request.line_up))
    _, log = Bout(HERD, request.rules, players, stream_seeds(SEED), start).logged(0)
    first = log_lines(log, 3)[0]
    name = "none"
    if first.what == "trade" and first.seat == 0:
        trade, partner = first.detail
        name = f"{trade}" if partner is None else f"{trade} from {partner}"
    assert by_name(found)[name].win_rate.value == wins_of(request, start).mean()
    assert 0 < by_name(found)[name].win_rate.value < 1


def test_a_skunk_is_worth_what_is_won_after_it() -> None:
    request = asked(MINE, OTHER, THIRD, phase="skunk", skunk=1)
    moves = advise(request).moves
    assert {one.move.partner for one in moves} == {1, 2}
    assert len({one.win_rate.value for one in moves}) == 2
    for one in moves:
        start = Position(request.herds, 0, "after", skunk=one.move.partner)
        assert one.win_rate.value == wins_of(request, start).mean()


def test_the_skunk_goes_to_him_who_would_win_next() -> None:
    """He has a horse for his cows; and I a turn later, for I get my third cow now."""
    soon, sooner = "rabbits=7,sheep=3,pigs=3,cows=2", "rabbits=7,sheep=1,pigs=1,cows=4"
    found = advised(soon, OTHER, sooner, phase="skunk")
    assert found.best.move.name == "skunk to 2" and found.kind == CLEAR
    assert found.moves[1].win_rate.value == 0
    assert found.sentence.startswith("Give the skunk to the 2nd player to the left, which is clear")


def test_a_trade_that_completes_the_herd_wins_at_once() -> None:
    """H4."""
    found = advised("rabbits=6,sheep=1,pigs=1,cows=3", OTHER)
    assert found.best.move.name == "horse" and found.best.move.at_once == "win"
    assert (found.best.win_rate.value, found.best.win_rate.low, found.best.solo_turns) == (1, 1, 1)
    assert found.sentence == "Trade 2 cows for 1 horse: it wins at once (H4)."
    assert found.games == GAMES * (len(found.moves) - 1)
    behind = by_name(found)["none"].behind
    corrected = wilson(round(by_name(found)["none"].win_rate.value * GAMES), GAMES,
                       found.difference_confidence)  # fmt: skip
    assert behind.value == pytest.approx(1 - corrected.value)
    assert (behind.low, behind.high) == pytest.approx((1 - corrected.high, 1 - corrected.low))


def test_a_trade_that_completes_the_partners_herd_loses_at_once() -> None:
    """H4, H13: rabbits make his herd complete."""
    partner = "sheep=2,pigs=1,cows=1,horses=1"
    found = advised("rabbits=6,sheep=1", partner, phase="after", t=True)
    lost = by_name(found)["sheep from 1"]
    assert lost.move.at_once == "loss" and lost.win_rate.high == 0 and lost.solo_turns is None
    assert found.moves[-1] is lost and found.best.move.name == "none"
    both = advised("rabbits=6,pigs=1,cows=1,horses=1", partner, phase="after", t=True)
    assert both.best.move.name == "sheep from 1" and both.best.move.at_once == "win"


LAST_CHANCE = "rabbits=1,sheep=3,pigs=2,horses=1"
SURE_TO_WIN = "rabbits=1,sheep=1,pigs=1,cows=3"
FEW_FACES = {"wolf_die": "6C6T", "fox_die": "6C6D"}


def test_values_worked_out_by_hand(unsolved: None) -> None:
    """The opponent wins in his next turn, so this one decides.

    After 2 sheep for a pig, or 2 pigs for a cow, the final trade completes the herd, with the
    supply or after a T with the opponent.  Without a trade only two cows at once do: 1 in 4.  A dog
    costs the last rabbit, and no die has another.
    """
    found = advised(LAST_CHANCE, SURE_TO_WIN, rules=FEW_FACES, games=4_000)
    rates = {name: one.win_rate for name, one in by_name(found).items()}
    assert set(rates) == {"none", "pig", "cow", "dog"}
    assert rates["pig"].value == rates["cow"].value == 1 and rates["dog"].value == 0
    assert abs(rates["none"].value - 1 / 4) < LARGEST_Z * sqrt(3 / 16 / 4_000)
    assert found.kind == ALIKE and "it hardly matters which" in found.sentence
    assert {found.best.move.name, found.moves[1].move.name} == {"pig", "cow"}
    again = advised(LAST_CHANCE, SURE_TO_WIN, rules=FEW_FACES, games=4_000, phase="after")
    assert {one.win_rate.value for one in again.moves} == {0}


def test_against_one_who_never_finishes_every_move_wins() -> None:
    """Nobody gets a horse without a trade, and a hermit makes none."""
    found = advised(MINE, OTHER, players="keeper,hermit", games=400)
    assert [one.win_rate.value for one in found.moves] == [1, 1, 1, 1]
    assert found.best.solo_turns == min(one.solo_turns or 99 for one in found.moves)
    assert found.best.win_rate == wilson(400, 400)
    assert [one.behind and one.behind.value for one in found.moves] == [None, 0, 0, 0]


def test_the_last_turn_of_all() -> None:
    """H16: whoever does not win in it never does."""
    found = advised("rabbits=6,sheep=1", OTHER, phase="after", turn=9_999)
    assert {one.move.at_once for one in found.moves} == {"nobody"} and found.games == 0
    assert {one.win_rate.value for one in found.moves} == {0}
    assert found.sentence == "No move wins any more: the game ends here (H4, H16)."
    json.dumps(found.as_json(), allow_nan=False)


@pytest.mark.parametrize("herd", [MINE, "rabbits=7,sheep=3,pigs=2,cows=1", "sheep=4,horse=1"])
def test_the_solo_value_is_that_of_the_fastest_play(herd: str) -> None:
    """The best of all moves is what the position is worth; exact, in turns."""
    optimum = solved.optimum(HerdRules())
    mine = read_herd(herd)
    for phase in ("before", "after"):
        turns = [one.solo_turns for one in advised(herd, OTHER, phase=phase).moves]
        assert min(one or 0 for one in turns) == pytest.approx(optimum.turns(mine, phase))
    bound = by_name(advised(herd, OTHER, phase="after", t=True))["none"]
    assert bound.solo_turns == pytest.approx(optimum.turns(mine, "after", t_in_force=True))
    given = advised(herd, OTHER, THIRD, phase="skunk").moves
    assert len(given) == 2
    for one in given:
        assert one.solo_turns == optimum.turns(mine, "after")


def test_a_game_that_never_ends_alone_has_no_solo_value(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless:
        def turns(self, *position: Any) -> float:
            return inf

    monkeypatch.setattr(solved, "optimum", lambda rules: Endless())
    found = advise(asked(MINE, OTHER))
    assert {one.solo_turns for one in found.moves} == {None}
    json.dumps(found.as_json(), allow_nan=False)
