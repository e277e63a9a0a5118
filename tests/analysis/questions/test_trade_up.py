"""Keep breeding stock or trade up at once: the search, and how the verdict follows the figures."""

import re
from collections.abc import Iterator
from itertools import product
from types import SimpleNamespace

import pytest

import herdlab
from herdlab.analysis.exact import reserve_policies
from herdlab.analysis.exact.reserve_policies import (
    CLIMBER,
    KEEPER,
    Reserve,
    SoloTurns,
    one_at_a_time,
    play_alone,
    reserves,
)
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.figures.parts.style import WIDE
from herdlab.analysis.questions import trade_up
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.trade_up import CLIMBS, KEEPS, TUNED, Found, way
from herdlab.analysis.questions.trade_up import verdict as sentences
from herdlab.analysis.questions.ways import Weighed
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.studies.readings import Reading
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.strategies.herd import solved
from herdlab.strategies.registry import read_line_up
from tests.analysis.questions import checked_drawings


def verdict(found: Found) -> str:
    """Return all that is said."""
    return ". ".join(sentences(found))


STARTS = {
    KEEPS: "Keep animals to breed from: ",
    CLIMBS: "Trade up at once: ",
    "tie": "It makes no difference that matters at tables of 2, 3 and 4",
    "open": "It is not settled at tables of 2, 3 and 4 whether it is better to keep",
}
"""How answers begin."""
SCENE = Experiment(find_game("herd"), find_game("herd").rules_type())
BEST = Reserve((1, 1, 2, 0))


@pytest.fixture(scope="module", autouse=True)
def _fewer_games() -> Iterator[None]:
    """Play half of a quick answer's games: enough for what is checked here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trade_up, "_QUICK_DEALS", 500)
        patch.setattr(reserve_policies, "_QUICK_ROUNDS", (250, 2_000))
        yield


@pytest.fixture(scope="module")
def quick() -> Answer:
    return herdlab.ask("trade-up", quick=True)


@pytest.fixture(scope="module")
def alone() -> SoloTurns:
    return play_alone(SCENE, [KEEPER, CLIMBER, BEST], 3_000)


def test_keepings_are_strategies_with_names() -> None:
    assert KEEPER.strategy == "keeper" and CLIMBER.strategy == "climber"
    assert BEST.strategy == "tuned" and Reserve((1, 1, 1, 0)).strategy == "closer"
    kept = "keep_rabbits=1:keep_sheep=2:keep_pigs=2:keep_cows=0"
    assert Reserve((1, 2, 2, 0)).strategy == f"herder:{kept}:dog=never"
    assert BEST.words == "1 rabbit, 1 sheep, 2 pigs and no cow"
    assert len(reserves()) == 81 and len(reserves(2)) == 33 and reserves(0) == [KEEPER]
    single = one_at_a_time()
    assert len(single) == 8 and single["keep no pigs"] == Reserve((1, 1, 0, 1))


@pytest.mark.parametrize("name", ["climber", "keeper", "closer", "tuned"])
def test_short_names_stand_for_the_same_numbers(name: str) -> None:
    (one,) = [one for one in reserves() if one.strategy == name]
    ((_, _, short),) = read_line_up(SCENE.game, name)
    ((_, _, long),) = read_line_up(SCENE.game, _written(one))
    assert short == long


def _written(one: Reserve) -> str:
    animals = ("rabbits", "sheep", "pigs", "cows")
    kept = [f"keep_{animal}={n}" for animal, n in zip(animals, one.numbers, strict=True)]
    return ":".join(["herder", *kept, "dog=never"])


def test_what_is_measured_alone_is_what_is_solved(alone: SoloTurns) -> None:
    for one in (KEEPER, BEST):
        exact = solved.solo(SCENE.rules, one.strategy).mean  # type: ignore[arg-type]
        measured = alone.turns(one)
        half = measured.high - measured.value
        assert exact is not None and abs(measured.value - exact) < 2 * half
    assert alone.ranking() == [BEST, KEEPER, CLIMBER]


def test_keep_animals_under_the_rules_as_they_are(quick: Answer) -> None:
    assert quick.verdict.startswith(STARTS[KEEPS])
    assert quick.data["kept"]["rabbits"] == 1 and quick.data["kept"]["pigs"] == 2
    turns = {one.label: one for one in quick.findings if one.unit == "turns"}
    best = turns["the fastest play (optimal)"]
    assert best.is_exact and best.value == pytest.approx(17.738, abs=0.001)
    assert all(one.value is not None and one.value > 17.6 for one in turns.values())
    points = [one for one in quick.findings if "climber's" in one.section]
    assert len(points) == 8 and all(one.low is not None and one.low > 0 for one in points)


def test_the_turns_alone_are_exact_in_quick_answers_too(quick: Answer) -> None:
    """The deals that chose the fastest numbers would flatter them."""
    turns = [one for one in quick.findings if one.unit == "turns"]
    assert len(turns) == 12 and all(one.is_exact for one in turns)
    assert quick.data["words"] in quick.verdict


SMALL = {"sheep": 4, "pigs": 4, "cows": 4, "max_rabbits": 6, "rabbits": 24}
"""Few herds are possible, and all is solved at once."""


def test_the_verdict_follows_the_rules() -> None:
    """On dice with nothing but rabbits and foxes no animal breeds that one could keep."""
    dice = {"wolf_die": "11RT", "fox_die": "10RFF", "max_turns": 600}
    found = herdlab.ask("trade-up", quick=True, rules={**dice, **SMALL})
    assert found.verdict.startswith(STARTS[CLIMBS])
    points = [one for one in found.findings if "climber's" in one.section]
    assert len(points) == 8 and all((one.high or 0) <= 0 for one in points)
    assert any((one.high or 0) < -0.5 for one in points)
    assert found.data["kept"]["rabbits"] == 0


def test_rules_under_which_nobody_may_finish_are_refused() -> None:
    endless = {**SMALL, "max_turns": 100, "horse_price": 31, "fox_die": "6R2S2PFD"}
    with pytest.raises(BadInput, match="a player alone may never complete a herd"):
        herdlab.ask("trade-up", quick=True, rules=endless)

    def loaded(game: object) -> None:
        raise AssertionError("too early")

    with pytest.raises(BadInput, match=r"rule horses \(H1, H4\) must be above 0"):
        herdlab.ask("trade-up", rules={"horses": 0}, prepare=loaded)


def test_who_is_given_up_has_no_mean() -> None:
    """With T alone on the wolf die nothing pairs up: who gives all of an animal away gets none."""
    found = herdlab.ask(
        "trade-up", quick=True, rules={**SMALL, "wolf_die": "12T", "max_turns": 600}
    )
    least = re.search(r"climber takes more than (\d+) turns", found.verdict)
    assert least and 450 < int(least[1]) <= 500 and "500.0" not in found.verdict
    turns = {one.label: one.value for one in found.findings if one.unit == "turns"}
    assert "climber" not in turns and "keeper" in turns
    assert all(one is None or one < 400 for one in turns.values())
    assert any(note.startswith("Too slow alone") and "climber" in note for note in found.notes)
    assert "Where all play climber nobody won 100.0 %, 100.0 % and 100.0 % of games at tables" in (
        " ".join(found.notes)
    )


def test_turns_alone_do_not_know_the_limit_of_games(alone: SoloTurns) -> None:
    short = play_alone(SCENE.under(max_turns=5), [KEEPER, CLIMBER, BEST], 3_000)
    assert [short.turns(one) for one in short.ways] == [alone.turns(one) for one in alone.ways]


def test_what_may_never_finish_is_never_the_fastest(
    alone: SoloTurns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its games that ended may all have been short."""
    exact = {BEST.strategy: None, "keeper": 18.5, "climber": 45.2}
    monkeypatch.setattr(trade_up, "fastest_reserves", lambda *_, **__: alone)
    monkeypatch.setattr(trade_up, "one_at_a_time", dict)
    solved = [
        SimpleNamespace(strategy=who, solo=SimpleNamespace(mean=mean))
        for who, mean in exact.items()
    ]
    monkeypatch.setattr(trade_up, "solve", lambda *_, **__: SimpleNamespace(results=solved))
    assert trade_up._alone(Ask("trade-up", SCENE, quick=True)).tuned == KEEPER


def table(keep: float, tune: float, half: float = 0.002) -> Weighed:
    """Return a table at which keeper gains `keep` on climber, and tuned `tune` on keeper."""
    apart = {}
    names = [way(who, among) for among in (KEEPS, CLIMBS, TUNED) for who in (KEEPS, CLIMBS, TUNED)]
    for among in (KEEPS, CLIMBS, TUNED):
        for a, b, value in ((KEEPS, CLIMBS, keep), (TUNED, KEEPS, tune)):
            gain = Estimate(value, value - half, value + half, 1_000)
            apart[way(a, among), way(b, among)] = gain
    return Weighed(tuple(names), (0.5,) * len(names), 1_000, apart, frozenset())


def found_of(alone: SoloTurns, tables: dict[int, Weighed], tuned: Reserve = BEST) -> Found:
    return Found(tuned, alone, {}, tables)


@pytest.mark.parametrize(
    ("keep", "half", "start"),
    [
        (0.2, 0.002, KEEPS),
        (-0.2, 0.002, CLIMBS),
        (0.0, 0.002, "tie"),
        (0.0, 0.04, "open"),
    ],
)
def test_what_to_do_is_said_first(alone: SoloTurns, keep: float, half: float, start: str) -> None:
    found = found_of(alone, {size: table(keep, 0.01, half) for size in (2, 3, 4)})
    assert verdict(found).startswith(STARTS[start])


def test_what_it_depends_on_is_named(alone: SoloTurns) -> None:
    found = found_of(alone, {2: table(0.2, 0.01), 3: table(-0.2, 0), 4: table(0, 0.02, 0.04)})
    text = verdict(found)
    assert "or to trade up depends on the table. Beside climber" in text
    assert "at a table of 2 with keeper wins 20.0 percentage points more often" in text
    assert "at a table of 3 with keeper wins 20.0 percentage points less often" in text
    assert "at a table of 4 with keeper may be worth anything" in text
    assert "table of 2 it wins 1.0 percentage points more often (0.8 to 1.2), at" in text
    assert "table of 3 it makes no difference that matters (+0.0, -0.2 to +0.2) and at" in text
    assert "table of 4 it may be worth anything from -2.0 to +6.0 percentage points" in text


@pytest.mark.parametrize(
    ("keep", "said"),
    [
        (0.2, "at a table of 2 with keeper wins 20.0 percentage points more often"),
        (-0.2, "at a table of 2 with keeper wins 20.0 percentage points less often"),
        (0.0, "at a table of 2 with keeper makes no difference that matters"),
    ],
)
def test_what_is_settled_at_some_tables_only_depends_on_nothing(
    alone: SoloTurns, keep: float, said: str
) -> None:
    found = found_of(alone, {2: table(keep, 0), 3: table(keep, 0), 4: table(keep / 100, 0, 0.04)})
    text = verdict(found)
    assert "is settled at some tables only. " in text and said in text
    assert "table of 4 with keeper may be worth anything" in text and "depends" not in text


def test_where_keeper_is_the_fastest_there_is_nothing_to_tune(alone: SoloTurns) -> None:
    found = found_of(alone, {size: table(0.2, 0.0) for size in (2, 3, 4)}, KEEPER)
    assert "No numbers to keep were found that are faster alone than one" in verdict(found)


def test_readings_that_change_it_are_named(alone: SoloTurns) -> None:
    found = found_of(alone, {size: table(0.2, 0.01) for size in (2, 3, 4)})
    reading = Reading("horse_price=3", "H15", SCENE.under(horse_price=3))
    found.readings = [(reading, {2: table(0.2, 0.01), 4: table(0.1, 0.02)})]
    assert verdict(found).endswith(
        "This holds under the rules as given and one other reading tried: horse_price=3."
    )
    found.readings = [(reading, {2: table(0.2, -0.01), 4: table(0.1, 0.02, 0.04)})]
    text = verdict(found)
    at, beside = "with horse_price=3 at tables of", "tuned, beside keeper,"
    assert f"{at} 2 {beside} wins 1.0 percentage points less often (0.8 to 1.2)" in text
    assert f"{at} 4 {beside} may be worth anything from -2.0 to +6.0" in text


def test_it_can_be_drawn(quick: Answer) -> None:
    drawings = checked_drawings(quick)
    assert drawings[1].title == "Keeper, beside climber, wins more in all 8 cases"
    figure = drawings[0].draw(WIDE)
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert len(labels) == 9 and "keep no rabbits" in labels
    assert all(f"keep {n} {one}" in labels for n, one in product((2,), ("pigs", "cows")))
