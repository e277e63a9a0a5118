"""The engine against the plain-Python rulebook: same deals and choices, same states throughout."""

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import count, product
from typing import Any

import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.sums import LENGTH, WINNERS
from herdlab.simcore.swap.rules import SwapRules
from herdlab.strategies.registry import seat_players, strategies_of
from tests.reference import luck
from tests.reference import swap as reference
from tests.reference.swap_anchors import ANCHORS, Random
from tests.reference.swap_table import Card, Chooser, Rules, Table
from tests.simcore.swap.harness import SWAP, Line, log_lines

READINGS = [
    {"slap_empties": empties, "swap_seats": seats, "seat_next": after, "false_slap_rate": rate}
    for empties, (seats, after), rate in product(
        ("wins", "plays_on"),
        ((False, "place"), (True, "place"), (True, "player")),
        (0.0, 0.05, 0.4),
    )
]
SMALL_DECKS: list[dict[str, Any]] = [
    {"plain": 3, "slap": 1, "switch": 1, "super_swap": 1, "swap_cards": 2, "cards": 4},
    {"plain": 2, "slap": 0, "switch": 1, "super_swap": 0, "swap_cards": 1, "cards": 2},
    {"plain": 4, "slap": 7, "switch": 0, "super_swap": 0, "swap_cards": 0, "cards": 6},
    {"plain": 1, "slap": 1, "switch": 1, "super_swap": 1, "swap_cards": 1, "cards": 3},
    {"plain": 31, "slap": 7, "switch": 7, "super_swap": 7, "swap_cards": 60, "cards": 10},
]
ALL = [name for name in strategies_of(SWAP) if not name.startswith("test-")]


@cache
def card_of(text: str) -> Card:
    """Return a card of the harness as the reference has it."""
    colour, _, kind = text.rpartition(" ")
    return Card(colour, kind)


class SameLuck:
    """The luck of one game, worked out from the seed and not from what the engine did."""

    def __init__(self, seed: int, game: int) -> None:
        self.seed, self.game = seed, game
        self.drawn = {luck.DEAL: 0, luck.TABLE: 0}

    def _bits(self, kind: int) -> int:
        bits = luck.number(self.seed, self.game, kind, 0, self.drawn[kind])
        self.drawn[kind] += 1
        return bits

    def deal(self, n: int) -> int:
        return luck.below(self._bits(luck.DEAL), n)

    def table(self, n: int) -> int:
        return luck.below(self._bits(luck.TABLE), n)

    def last_slapper(self, weights: list[float]) -> int:
        """A player with speed w is last in proportion to 1/w, in parts of 2**27 of the slowest."""
        parts = [max(1, round(2**27 * self.slowest / w)) for w in weights]
        at = luck.below(self._bits(luck.TABLE), sum(parts))
        for place, part in enumerate(parts):
            at -= part
            if at < 0:
                return place
        raise AssertionError

    slowest = 1.0

    def false_slap(self, rate: float) -> bool:
        return self._bits(luck.TABLE) >> 32 < round(rate * 2**32)


def own_choices(seed: int, game: int, seat: int) -> Callable[[int], int]:
    """Return the luck of one seat's own choices: one stream for all of the game."""
    drawn = count()

    def below(n: int) -> int:
        return luck.below(luck.number(seed, game, luck.CHOICE, seat, next(drawn)), n)

    return below


def anchor(name: str, below: Callable[[int], int]) -> Chooser:
    """Return a plain-Python anchor; `random` draws its choices with `below`."""
    return Random(below) if name == "random" else ANCHORS[name]()


class SameChoices:
    """Chooses what the engine's log says was chosen, one choice after another."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.by_turn: dict[tuple[str, int], list[Line]] = {}
        for line in lines:
            self.by_turn.setdefault((line.what, line.turn), []).append(line)

    def _made(self, what: str, table: Table) -> Line:
        return self.by_turn[what, table.turn][-1]

    def play(self, table: Table, player: int, options: list[str]) -> str:
        return card_of(str(self._made("play", table).detail[0])).kind

    def partner(self, table: Table, player: int, options: list[int]) -> int:
        return int(str(self._made("swap", table).detail[0]))

    def colour(self, table: Table, player: int, options: list[str]) -> str:
        made = self.by_turn["colour", table.turn]
        return str(made.pop(0).detail[0])

    def direction(self, table: Table, player: int) -> str:
        return str(self._made("super swap", table).detail[0])


class Anchors:
    """Each player chooses by his own plain-Python anchor strategy."""

    def __init__(self, names: list[str], seed: int, game: int) -> None:
        choices = [own_choices(seed, game, player) for player in range(len(names))]
        self.players = [anchor(name, below) for name, below in zip(names, choices, strict=True)]

    def play(self, table: Table, player: int, options: list[str]) -> str:
        return self.players[player].play(table, player, options)

    def partner(self, table: Table, player: int, options: list[int]) -> int:
        return self.players[player].partner(table, player, options)

    def colour(self, table: Table, player: int, options: list[str]) -> str:
        return self.players[player].colour(table, player, options)

    def direction(self, table: Table, player: int) -> str:
        return self.players[player].direction(table, player)


@lru_cache(4096)
def _cards(hand: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(card_of(one) for one in hand)


def compare(
    settings: dict[str, Any], names: list[str], seed: int, games: range, anchors: bool = False
) -> int:
    """Play `games` twice and compare every state; return how many states were compared."""
    rules = SwapRules.from_settings(settings)
    values = rules.as_dict() | {"slap_speed": rules.slap_speed}
    plain = Rules(**{key: values[key] for key in Rules.__dataclass_fields__})
    players = seat_players(SWAP, rules, ",".join(names))
    bout = Bout(SWAP, rules, players, stream_seeds(seed))
    fast = bout.rows(games.start, games.stop)
    n, compared = len(names), 0
    column = {name: place for place, name in enumerate(SWAP.columns(n))}
    for number in games:
        row, log = bout.logged(number)
        assert (row[0] == fast[number - games.start]).all(), "logged and unlogged play differ"
        lines = log_lines(log, n)
        same_luck = SameLuck(seed, number)
        same_luck.slowest = min(rules.speeds(n))
        chooser: Any = Anchors(names, seed, number) if anchors else SameChoices(lines)
        result = reference.play(n, plain, same_luck, chooser)
        where = f"{names}, {settings}, seed {seed}, game {number}"
        for line, step in zip(lines, result.steps, strict=True):
            ours = (line.what, line.turn, line.player, line.colour, line.pile, line.discards)
            theirs = (step.kind, step.turn, step.player, step.colour, step.draw_pile, step.discards)
            assert ours == theirs, (where, line, step)
            hands = tuple(_cards(hand) for hand in line.hands)
            assert (hands, line.who) == (step.hands, step.players), (where, line, step)
            detail = tuple(
                card_of(x)
                if isinstance(x, str) and line.what not in ("colour", "super swap")
                else x
                for x in line.detail
            )
            assert detail == step.detail, (where, line, step)
        won = [player for player in range(n) if row[0, WINNERS] >> player & 1]
        assert won == sorted(result.winners), where
        assert int(row[0, LENGTH]) == result.turns, where
        assert bool(row[0, column["drawn_games"]]) == result.is_draw, where
        left = [int(row[0, column[f"cards_left_{player}"]]) for player in range(n)]
        assert left == result.cards_left, where
        _same_events(row[0], column, result.steps, where)
        compared += len(lines)
    return compared


def _same_events(row: Any, column: dict[str, int], steps: list[Any], where: str) -> None:
    kinds = [step.kind for step in steps]
    drawn = sum(
        step.kind in ("draw", "emptied")
        or (step.kind == "false slap" and step.detail[0] is not None)
        for step in steps
    )
    counted = {
        "swaps": kinds.count("swap"),
        "super_swaps": kinds.count("super swap"),
        "slaps": kinds.count("slap"),
        "reshuffles": kinds.count("reshuffle"),
        "cards_drawn": drawn,
    }
    played = [step.detail[0].kind for step in steps if step.kind == "play"]
    for event, kind in (("slap", "slap"), ("switch", "switch"), ("super_swap", "super"),
                        ("swap", "swap"), ("plain", "plain")):  # fmt: skip
        counted[f"played_{event}"] = played.count(kind)
        won = kinds[-1] == "win" and kinds[-2] == "play" and played[-1] == kind
        counted[f"last_{event}"] = int(won)
    counted["last_taken"] = int(kinds[-1] == "win" and kinds[-2] != "play")
    assert {name: int(row[column[name]]) for name in counted} == counted, where


@pytest.mark.parametrize("settings", READINGS, ids=str)
def test_all_readings_with_players_who_do_anything(settings: dict[str, Any]) -> None:
    for n_players in (2, 3, 4, 6):
        names = ["test-anything", "random", "shedder", "raider"] * 2
        compare({**settings, "max_turns": 150}, names[:n_players], n_players, range(4))


@pytest.mark.parametrize("n_players", range(2, 11))
def test_all_numbers_of_players(n_players: int) -> None:
    names = ["raider", "test-anything", "shedder", "random"] * 3
    speeds = [1, 2, 4, 0.5, 3, 1.5, 0.1, 7, 1, 2][:n_players]
    settings = {"slap_speed": speeds, "false_slap_rate": 0.02}
    assert compare(settings, names[:n_players], seed=40, games=range(8)) > 100


@pytest.mark.parametrize("settings", READINGS, ids=str)
def test_all_readings_with_anchors_of_the_reference(settings: dict[str, Any]) -> None:
    """Here the choices, too, are the plain-Python ones: the anchors are followed to the letter."""
    for n_players in (2, 4, 5):
        names = ["shedder", "raider", "shedder", "raider", "raider"][:n_players]
        compare({**settings, "max_turns": 150}, names, 5, range(4), anchors=True)


@pytest.mark.parametrize("settings", READINGS, ids=str)
def test_random_draws_as_it_says(settings: dict[str, Any]) -> None:
    """All its choices are drawn again in plain Python, one after another of its own stream."""
    short = {**settings, "max_turns": 150}
    for names in (
        ["random"] * 2,
        ["raider", "random"],
        ["random", "shedder", "random"],
        ["random", "random", "raider", "random", "shedder"],
    ):
        compare(short, names, 6, range(3), anchors=True)


@pytest.mark.parametrize("settings", SMALL_DECKS, ids=str)
@pytest.mark.parametrize("rate", [0.0, 0.7])
def test_small_and_large_decks(settings: dict[str, Any], rate: float) -> None:
    """Piles that run out, and games that nobody can go on with."""
    odd = {**settings, "max_turns": 80, "false_slap_rate": rate, "slap_empties": "plays_on"}
    for n_players in (2, 3, 4):
        compare(odd, ["test-anything"] * n_players, seed=20, games=range(6))
        compare(odd, ["shedder", "raider", "shedder", "raider"][:n_players], 21, range(6), True)
        compare(odd, ["random", "raider", "random", "random"][:n_players], 22, range(2), True)


@pytest.mark.parametrize("name", ALL)
def test_every_strategy(name: str) -> None:
    compare({}, [name, "test-anything", name, "shedder"], 30, range(12))
    compare({"swap_seats": True}, ["random", name], 31, range(8))


def test_a_known_fault_would_be_caught() -> None:
    """Where the engine seats a raider and the reference a shedder, the steps differ."""
    rules = SwapRules()
    bout = Bout(SWAP, rules, seat_players(SWAP, rules, "raider,raider,raider"), stream_seeds(1))

    def steps_by(names: list[str], number: int) -> list[tuple[str, int]]:
        result = reference.play(3, Rules(), SameLuck(1, number), Anchors(names, 1, number))
        return [(step.kind, step.player) for step in result.steps]

    ours, same, faulty = [], [], []
    for number in range(5):
        ours.append([(x.what, x.player) for x in log_lines(bout.logged(number)[1], 3)])
        same.append(steps_by(["raider", "raider", "raider"], number))
        faulty.append(steps_by(["shedder", "raider", "raider"], number))
    assert ours == same
    assert ours != faulty
