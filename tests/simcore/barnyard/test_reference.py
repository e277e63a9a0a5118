"""The engine against the plain-Python rulebook: same deals and choices, same states throughout."""

from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import count, product
from typing import Any

import pytest

from herdlab.simcore.barnyard.rules import BarnyardRules
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.sums import LENGTH, PARTS, WINNERS
from herdlab.strategies.registry import seat_players, strategies_of
from tests.reference import barnyard as reference
from tests.reference import luck
from tests.reference.barnyard_anchors import ANCHORS, Random, Seats
from tests.reference.barnyard_table import Card, Chooser, Rules, Table
from tests.simcore.barnyard.harness import BARNYARD, Line, log_lines

READINGS = [
    {
        "runaway_wild": wild,
        "recycle": recycle,
        "collecting": collecting,
        "discard_wild": discard,
        "max_rounds": 12,
        "sessions": 2,
    }
    for wild, recycle, collecting, discard in product(
        ("out", "redraw"), ("shuffled", "turned", "as_is"), ("best", "declared"), (False, True)
    )
]
ALL = [name for name in strategies_of(BARNYARD) if not name.startswith("test-")]


def name_of(card: Card) -> str:
    """Return a card of the reference as the harness writes it."""
    return f"{card.number} {card.animal}" if card.number else card.animal


@cache
def card_of(name: str) -> Card:
    """Return a card of the harness as the reference has it."""
    number, _, animal = name.rpartition(" ")
    return Card(animal, int(number or 0))


def same_luck(seed: int, game: int) -> Callable[[int], Callable[[int], int]]:
    """Return the luck of one match, worked out from the seed and not from what the engine did."""

    def of_session(session: int) -> Callable[[int], int]:
        drawn = iter(range(10**9))

        def below(n: int) -> int:
            return luck.below(luck.number(seed, game, luck.DEAL, session, next(drawn)), n)

        return below

    return of_session


def own_choices(seed: int, game: int, seat: int) -> Callable[[int], int]:
    """Return the luck of one seat's own choices: one stream for all of the match."""
    drawn = count()

    def below(n: int) -> int:
        return luck.below(luck.number(seed, game, luck.CHOICE, seat, next(drawn)), n)

    return below


def anchor(name: str, below: Callable[[int], int]) -> Chooser:
    """Return a plain-Python anchor; `random` draws its choices with `below`."""
    return Random(below) if name == "random" else ANCHORS[name]()


def anchors_of(names: list[str], seed: int, game: int) -> Seats:
    """Return the plain-Python anchors of a line-up."""
    return Seats([anchor(name, own_choices(seed, game, s)) for s, name in enumerate(names)])


class SameChoices:
    """Chooses what the engine's log says was chosen."""

    def __init__(self, lines: list[Line]) -> None:
        self.by_turn = {(x.what, x.session, x.turn, x.seat): x for x in lines}
        self.ends = {x.session: x.seat for x in lines if x.what == "full hand"}
        self.declined = Counter((x.session, x.seat) for x in lines if x.what == "no claim")

    def _made(self, what: str, table: Table, seat: int) -> Line | None:
        return self.by_turn.get((what, table.session, table.turn, seat))

    def ask(self, table: Table, seat: int) -> Card:
        line = self._made("ask", table, seat)
        assert line is not None
        return card_of(str(line.detail[0]))

    def bid(self, table: Table, seat: int) -> list[Card]:
        line = self._made("bid", table, seat)
        return [] if line is None else [card_of(one) for one in line.detail[0]]  # type: ignore[attr-defined]

    def accept(self, table: Table, seat: int) -> tuple[int, Card] | None:
        line = self._made("trade", table, seat)
        return None if line is None else (int(str(line.detail[0])), card_of(str(line.detail[1])))

    def hand_over(self, table: Table, seat: int, named: Card) -> Card:
        line = self._made("trade", table, table.swapper)
        assert line is not None
        return card_of(str(line.detail[2 if line.seat == seat else 3]))

    def discard(self, table: Table, seat: int) -> Card:
        line = self._made("discard", table, seat)
        assert line is not None
        return card_of(str(line.detail[0]))

    def claim(self, table: Table, seat: int) -> bool:
        if self.declined[table.session, seat]:
            self.declined[table.session, seat] -= 1
            return False
        return self.ends.get(table.session) == seat

    def collects(self, table: Table, seat: int) -> str:
        raise AssertionError("the declared animal is in no log: see Declared")


class Declared(SameChoices):
    """The same, with the animals that the engine's strategies declared."""

    def __init__(self, lines: list[Line], animals: dict[tuple[int, int], str]) -> None:
        super().__init__(lines)
        self.animals = animals

    def collects(self, table: Table, seat: int) -> str:
        return self.animals[table.session, seat]


def declared_animals(log: Any) -> dict[tuple[int, int], str]:
    """Return what each player collected by the log of scores."""
    from herdlab.simcore.barnyard.rules import ANIMALS
    from herdlab.simcore.barnyard.view import SCORED

    return {(r[1], r[3]): ANIMALS[r[7]] for r in log.tolist() if r[0] == SCORED}


@lru_cache(4096)
def _sorted_cards(hand: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(sorted(card_of(one) for one in hand))


def compare(
    settings: dict[str, Any], names: list[str], seed: int, games: range, anchors: bool = False
) -> int:
    """Play `games` twice and compare every state; return how many states were compared."""
    rules = BarnyardRules.from_settings(settings)
    fields = Rules.__dataclass_fields__
    plain = Rules(**{key: value for key, value in rules.as_dict().items() if key in fields})
    players = seat_players(BARNYARD, rules, ",".join(names))
    bout = Bout(BARNYARD, rules, players, stream_seeds(seed))
    fast = bout.rows(games.start, games.stop)
    n, compared = len(names), 0
    columns = BARNYARD.columns(n)
    for number in games:
        row, log = bout.logged(number)
        assert (row[0] == fast[number - games.start]).all(), "logged and unlogged play differ"
        lines = log_lines(log, n)
        chooser: Any = Declared(lines, declared_animals(log))
        if anchors:
            chooser = anchors_of(names, seed, number)
        result = reference.play(n, plain, same_luck(seed, number), chooser)
        where = f"{names}, {settings}, seed {seed}, game {number}"
        told = [line for line in lines if line.what not in ("no claim", "win")]
        for line, step in zip(told, result.steps, strict=True):
            assert (line.what, line.session, line.seat) == (step.kind, step.session, step.seat), (
                where
            )
            hands = tuple(_sorted_cards(hand) for hand in line.hands)
            assert hands == step.hands, (where, line, step)
            assert (line.barnyard, line.pile) == (step.barnyard, step.pile), (where, line, step)
            _same_detail(line, step, where)
        totals = [int(row[0, columns.index(f"score_{seat}")]) for seat in range(n)]
        assert totals == result.totals, where
        assert [s for s in range(n) if row[0, WINNERS] >> s & 1] == sorted(result.winners), where
        assert int(row[0, LENGTH]) == sum(one.rounds for one in result.sessions), where
        assert int(row[0, PARTS]) == len(result.sessions), where
        for event, end in (
            ("natural_full_hands", "natural"),
            ("wild_claims", "claim"),
            ("stalls", "stall"),
        ):
            assert row[0, columns.index(event)] == sum(s.end == end for s in result.sessions), where
        compared += len(told)
    return compared


def _same_detail(line: Line, step: Any, where: str) -> None:
    theirs: tuple[object, ...] = step.detail
    if line.what == "bid":
        theirs = (tuple(sorted(step.detail[0])),)
        ours: tuple[object, ...] = (tuple(sorted(card_of(one) for one in line.detail[0])),)  # type: ignore[attr-defined]
    elif line.what == "score":
        theirs, ours = step.detail[:5], line.detail
    else:
        ours = tuple(
            card_of(x) if isinstance(x, str) and x not in ("natural", "claim") else x
            for x in line.detail
        )
    assert ours == theirs, (where, line, step)
    if line.what not in ("score", "full hand", "stall"):
        assert line.turn == step.turn, (where, line, step)


@pytest.mark.parametrize("settings", READINGS, ids=str)
def test_all_readings_with_players_who_do_anything(settings: dict[str, Any]) -> None:
    for n_players in (3, 4, 7, 8):
        compare(settings, ["test-anything"] * n_players, seed=n_players, games=range(1))


@pytest.mark.parametrize("n_players", range(3, 15))
def test_all_numbers_of_players(n_players: int) -> None:
    names = ["test-anything", "collector", "random", "miser"] * 4
    settings = {"max_rounds": 15, "sessions": 2, "donkeys": 1 if n_players == 3 else 2}
    assert compare(settings, names[:n_players], seed=40, games=range(2)) > 50


@pytest.mark.parametrize("settings", READINGS[::2], ids=str)
def test_all_readings_with_anchors_of_the_reference(settings: dict[str, Any]) -> None:
    """Here the choices, too, are the plain-Python ones: the anchors are followed to the letter."""
    compare(settings, ["collector", "honest", "miser", "purist"], 5, range(4), anchors=True)
    compare(settings, ["purist", "collector", "miser"], 6, range(4), anchors=True)
    eight = ["collector", "honest", "miser", "purist"] * 2
    compare({**settings, "donkeys": 2}, eight, 7, range(2), anchors=True)


@pytest.mark.parametrize("settings", READINGS[1::2], ids=str)
def test_random_draws_as_it_says(settings: dict[str, Any]) -> None:
    """All its choices are drawn again in plain Python, one after another of its own stream."""
    two = {**settings, "donkeys": 2}
    compare(settings, ["random"] * 3, 8, range(3), anchors=True)
    compare(settings, ["random", "collector", "random"], 9, range(3), anchors=True)
    compare(two, ["random", "miser", "honest", "random"], 10, range(3), anchors=True)
    eight = ["random", "collector", "random", "purist", "random", "random", "honest", "random"]
    compare(two, eight, 11, range(1), anchors=True)
    compare({**two, "discard_wild": False}, [*eight, "random"], 12, range(1), anchors=True)


@pytest.mark.parametrize(
    "settings",
    [
        {"target": 150, "max_rounds": 20},
        {"target": 200, "max_sessions": 3},
        {"sessions": 1},
        {"sessions": 7, "max_rounds": 3},
        {"max_rounds": 1},
    ],
    ids=str,
)
def test_matches_by_sessions_and_by_target(settings: dict[str, Any]) -> None:
    five = ["collector", "random", "miser", "purist", "honest"]
    compare(settings, five, 20, range(4), anchors=True)
    compare(settings, ["collector", "honest", "miser", "purist"], 21, range(4), anchors=True)


@pytest.mark.parametrize("name", ALL)
def test_every_strategy(name: str) -> None:
    few = {"max_rounds": 30, "sessions": 2}
    compare(few, [name, "test-anything", name, "collector"], 30, range(4))
    compare(few, ["random", name, name], 31, range(3))


def test_a_known_fault_would_be_caught() -> None:
    """Where the engine seats a miser and the reference an honest player, the scores differ."""
    rules = BarnyardRules()
    players = seat_players(BARNYARD, rules, "collector,collector,miser")
    bout = Bout(BARNYARD, rules, players, stream_seeds(1))

    def scores_by(names: list[str], number: int) -> list[object]:
        result = reference.play(3, Rules(), same_luck(1, number), anchors_of(names, 1, number))
        return [step.detail[0] for step in result.steps if step.kind == "score"]

    ours, same, faulty = [], [], []
    for number in range(5):
        lines = log_lines(bout.logged(number)[1], 3)
        ours.append([line.detail[0] for line in lines if line.what == "score"])
        same.append(scores_by(["collector", "collector", "miser"], number))
        faulty.append(scores_by(["collector", "collector", "honest"], number))
    assert ours == same
    assert ours != faulty
