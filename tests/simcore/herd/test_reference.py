"""The engine against the plain-Python rulebook: same deals and choices, same states throughout."""

from itertools import product
from typing import Any

import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.herd.events import EVENTS
from herdlab.simcore.herd.rules import FACES, HerdRules
from herdlab.simcore.sums import LENGTH, WINNERS
from herdlab.strategies.registry import seat_players
from tests.reference import herd as reference
from tests.reference import luck
from tests.reference.herd_anchors import ANCHORS
from tests.simcore.herd.harness import ALL, HERD, Line, log_lines

READINGS = [
    {
        "t_cancels": t,
        "wolf_pair_loses": pair,
        "horse_price": price,
        "dice": dice,
        "first_game": first,
    }
    for t, pair, price, dice, first in product(
        (False, True), (1, 2), (2, 3), ("assumed", "super-farmer"), (False, True)
    )
]
ODD_RULES: list[dict[str, Any]] = [
    {"wolf_die": "3R2SPCHWKTD", "fox_die": "3R2SPCHFWKT"},
    {"wolf_die": "2RSP2FW2KT2D", "fox_die": "2RSC2FWK2T2D", "t_cancels": True},
    {"wolf_die": "4T2R2S2P2C", "fox_die": "4R2S2PH2T1F"},
    {"rabbits": 8, "sheep": 4, "pigs": 3, "cows": 3, "horses": 1, "dogs": 1, "max_turns": 300},
    {"max_rabbits": 15, "max_horses": 3, "max_dogs": 3, "horses": 12, "dogs": 12},
    {"max_dogs": 0, "dogs": 0, "skunks": 0},
    {"rabbits_for_sheep": 3, "sheep_for_pig": 3, "pigs_for_cow": 1, "max_turns": 500},
    {"max_turns": 7},
]

SOLVED = ("optimal", "racer")
"""Who solves the rules first; the usual supply is solved once, for the usual dice."""
SMALL = {"sheep": 8, "pigs": 6, "cows": 5}


def reference_rules(rules: HerdRules) -> reference.Rules:
    values = rules.as_dict()
    return reference.Rules(**{key: values[key] for key in reference.Rules.__dataclass_fields__})


class SameDice:
    """The dice of one game, worked out from the seed and not from what the engine did."""

    def __init__(self, rules: HerdRules, seed: int, number: int) -> None:
        self.rules, self.seed, self.number = rules, seed, number
        self.drawn = [0] * 4
        self.n_rolls = 0

    def __call__(self, seat: int) -> tuple[str, str]:
        bits = luck.number(self.seed, self.number, luck.DICE, seat, self.drawn[seat])
        outcome = luck.below(bits, 144)
        self.drawn[seat] += 1
        self.n_rolls += 1
        return self.rules.wolf_die[outcome // 12], self.rules.fox_die[outcome % 12]


class SameChoices:
    """Chooses what the engine's log says was chosen between this roll and the next."""

    def __init__(self, lines: list[Line], dice: SameDice) -> None:
        self.dice = dice
        self.made: dict[tuple[int, str, int], Line] = {}
        n_rolls = 0
        for line in lines:
            n_rolls += line.what in ("roll", "wolf roll")
            self.made.setdefault((n_rolls, line.what, line.turn), line)

    def _made(self, what: str, turn: int) -> Line | None:
        return self.made.get((self.dice.n_rolls, what, turn))

    def trade(self, position: reference.Position, seat: int, options: list[str]) -> str:
        line = self._made("trade", position.turn)
        return "none" if line is None else str(line.detail[0])

    def partner(
        self, position: reference.Position, seat: int, trade: str, options: list[int]
    ) -> int:
        line = self._made("trade", position.turn)
        assert line is not None and isinstance(line.detail[1], int)
        return line.detail[1]

    def skunk(self, position: reference.Position, seat: int, options: list[int]) -> int:
        line = self._made("skunk", position.turn)
        assert line is not None and isinstance(line.detail[0], int)
        return line.detail[0]


class Anchors:
    """Each seat chooses by its own plain-Python anchor strategy."""

    def __init__(self, names: list[str], rules: reference.Rules) -> None:
        self.seats = [ANCHORS[name](rules) for name in names]

    def trade(self, position: reference.Position, seat: int, options: list[str]) -> str:
        return self.seats[seat].trade(position, seat, options)

    def partner(
        self, position: reference.Position, seat: int, trade: str, options: list[int]
    ) -> int:
        return self.seats[seat].partner(position, seat, trade, options)

    def skunk(self, position: reference.Position, seat: int, options: list[int]) -> int:
        return self.seats[seat].skunk(position, seat, options)


def compare(settings: dict[str, Any], names: list[str], seed: int, games: range) -> int:
    """Play `games` twice and compare every state; return how many states were compared."""
    rules = HerdRules.from_settings(settings)
    plain = reference_rules(rules)
    players = seat_players(HERD, rules, ",".join(names))
    bout = Bout(HERD, rules, players, stream_seeds(seed))
    fast = bout.rows(games.start, games.stop)
    n, compared = len(names), 0
    for number in games:
        row, log = bout.logged(number)
        assert (row[0] == fast[number - games.start]).all(), "logged and unlogged play differ"
        lines = [line for line in log_lines(log, n) if line.what != "win"]
        dice = SameDice(rules, seed, number)
        chooser: Any = SameChoices(lines, dice)
        if all(name in ANCHORS for name in names):
            chooser = Anchors(names, plain)
        result = reference.play(reference.deal(n, plain), plain, dice, chooser)
        where = f"{names}, {settings}, seed {seed}, game {number}"
        for line, step in zip(lines, result.steps, strict=True):
            same = (line.what, line.seat, line.detail, line.skunk) == (
                step.kind,
                step.seat,
                step.detail,
                step.skunk,
            )
            herds = tuple([tuple([h.get(a, 0) for a in reference.ANIMALS]) for h in line.herds])
            supply = tuple([line.supply[a] for a in reference.ANIMALS])
            assert same and herds == step.herds and supply == step.supply, (where, line, step)
        assert int(row[0, LENGTH]) == result.turns, where
        winners = 0 if result.winner is None else 1 << result.winner
        assert int(row[0, WINNERS]) == winners, where
        counted = row[0, 2:].reshape(n, len(EVENTS))
        for place, event in enumerate(EVENTS):
            assert counted[:, place].tolist() == result.events[event.name], (where, event)
        compared += len(lines)
    return compared


@pytest.mark.parametrize("settings", READINGS, ids=str)
def test_all_readings_with_random_players(settings: dict[str, Any]) -> None:
    for n_players in (1, 2, 3, 4):
        compare(settings, ["random"] * n_players, seed=n_players, games=range(6))


@pytest.mark.parametrize("settings", READINGS[::3], ids=str)
def test_all_readings_with_anchors_of_the_reference(settings: dict[str, Any]) -> None:
    """Here the choices, too, are the plain-Python ones: the anchors are followed to the letter."""
    compare(settings, ["climber", "keeper", "keeper-dog", "dog-first"], seed=5, games=range(6))
    compare(settings, ["keeper-dog", "hermit", "keeper"], seed=6, games=range(6))
    compare(settings, ["dog-first", "climber"], seed=7, games=range(6))
    compare(settings, ["keeper"], seed=8, games=range(6))


@pytest.mark.parametrize("settings", ODD_RULES, ids=str)
def test_odd_dice_supplies_and_limits(settings: dict[str, Any]) -> None:
    for n_players in (1, 2, 3, 4):
        compare(settings, ["random"] * n_players, seed=20, games=range(8))
        anchors = ["keeper-dog", "climber", "dog-first", "keeper"][:n_players]
        compare(settings, anchors, seed=21, games=range(8))


@pytest.mark.parametrize("name", ALL)
def test_every_strategy(name: str) -> None:
    limit = {"max_turns": 400}
    assert compare(limit, [name, "random", name, "keeper-dog"], seed=30, games=range(24)) > 1000
    supply = SMALL if name in SOLVED else {}
    compare({**limit, "dice": "super-farmer", **supply}, ["random", name], seed=31, games=range(12))


def test_a_known_fault_would_be_caught() -> None:
    """The reference under another reading than the engine's must not agree."""
    rules = HerdRules.from_settings({"wolf_pair_loses": 2})
    players = seat_players(HERD, HerdRules(), "keeper,keeper")
    bout = Bout(HERD, HerdRules(), players, stream_seeds(1))
    differences = 0
    for number in range(200):
        row, _ = bout.logged(number)
        plain = reference_rules(rules)
        anchors = Anchors(["keeper", "keeper"], plain)
        dice = SameDice(rules, 1, number)
        result = reference.play(reference.deal(2, plain), plain, dice, anchors)
        differences += int(row[0, LENGTH]) != result.turns
    assert differences > 0


def test_the_faces_are_the_same_words() -> None:
    assert set(FACES) == {*reference.ANIMALS, "fox", "wolf", "skunk", "T"}
