"""Parameters that name another strategy."""

from collections.abc import Callable
from typing import cast

import pytest

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.sampling.parameter_grid import read_grid
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.rules import HerdRules
from herdlab.simcore.herd.view import TRADE
from herdlab.strategies import another, member, number, registry, strategy
from herdlab.strategies.registry import named, named_player, read_line_up, seat_players
from tests.words import meant

HERD = find_game("herd")
RULES = HerdRules()


@pytest.fixture(autouse=True)
def _registered(own_registry: None) -> None:
    """Register strategies for this test only; test-ring and test-chain name each other."""
    for name, other in (
        ("test-follower", "keeper"),
        ("test-ring", "test-chain"),
        ("test-chain", "test-ring"),
        ("test-lost", "keper"),
    ):
        strategy("herd", name, leader=another(other, "whom it follows"), n=number(2, "steps"))(
            make_function()
        )
    member("herd", "test-late", "test-follower", "Follows climber.", leader="climber")


def make_function() -> Callable[..., int]:
    def follows(decision, view, me):  # type: ignore[no-untyped-def]
        """Follows somebody."""
        return 0 if decision == TRADE else 1

    return cast(Callable[..., int], follows)


def written(text: str) -> dict[str, str]:
    [(one, _, values)] = read_line_up(HERD, text)
    assert all(isinstance(value, float | int) for value in values)
    return one.written(values)


def refused(text: str) -> str:
    with pytest.raises(BadInput) as error:
        read_line_up(HERD, text)
    return str(error.value)


def test_it_is_shown_as_it_was_written() -> None:
    assert written("test-follower") == {"leader": "keeper", "n": "2"}
    assert written("test-follower:leader=climber:n=3") == {"leader": "climber", "n": "3"}
    text = "herder/keep_sheep=2/dog=never"
    assert written(f"test-follower:leader={text}")["leader"] == text
    assert written("test-late")["leader"] == "climber"


def test_another_name_is_another_number_and_the_same_name_the_same() -> None:
    texts = ("climber", "spoiler", "herder/dog=first", "climber")
    values = [read_line_up(HERD, f"test-follower:leader={text}")[0][2][0] for text in texts]
    assert values[0] == values[3] and len(set(values)) == 3


def test_a_name_that_nobody_has_is_refused_with_the_nearest() -> None:
    assert f"unknown strategy of herd 'keper': {meant('keeper')}?" in refused(
        "test-follower:leader=keper"
    )
    assert "unknown strategy of herd ''" in refused("test-follower:leader=")
    assert "unknown strategy of herd 'shedder'" in refused("test-follower:leader=shedder")


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("keep_shep=2", f"unknown parameter of herder 'keep_shep': {meant('keep_sheep')}?"),
        ("keep_sheep=x", "parameter keep_sheep of herder must be a whole number from 0 to 99"),
        ("dog=nevr", f"unknown value of parameter dog of herder 'nevr': {meant('never')}?"),
        ("dog", "a parameter is written herder/name=value, and got 'dog' in 'herder/dog'"),
    ],
)
def test_its_parameters_are_read_as_those_of_a_player(setting: str, sentence: str) -> None:
    assert sentence in refused(f"test-follower:leader=herder/{setting}")


def test_a_strategy_cannot_come_to_name_itself() -> None:
    sentence = "parameter leader of test-follower must name a strategy that does not lead back to"
    assert sentence in refused("test-follower:leader=test-follower")
    assert sentence in refused("test-follower:leader=test-late")  # the same by another name
    assert "does not lead back" in refused("test-ring")
    assert "does not lead back" in refused("test-follower:leader=test-ring")
    assert written("test-follower:leader=test-ring/leader=keeper")


def test_a_default_that_nobody_has_is_refused_when_it_is_used() -> None:
    assert "unknown strategy of herd 'keper'" in refused("test-lost")
    assert written("test-lost:leader=keeper")


def test_the_named_strategy_is_found_and_compiled() -> None:
    one, values = named("herd", "herder/keep_sheep=3")
    assert one.name == "herder" and one.written(values)["keep_sheep"] == "3"
    player = named_player("herd", RULES, "keeper")
    assert player.params == seat_players(HERD, RULES, "keeper")[0].params


def test_the_named_strategy_must_be_able_to_play_at_the_table() -> None:
    def check(rules: object, values: object, n_players: int) -> None:
        if n_players != 2:
            raise BadInput("plays only at tables of two")

    strategy("herd", "test-duellist", check=check)(make_function())
    players = "test-follower:leader=test-duellist"
    registry.check_line_up(HERD, RULES, f"{players},keeper")
    with pytest.raises(BadInput, match="strategy 'test-duellist' plays only at tables of two"):
        registry.check_line_up(HERD, RULES, f"{players},keeper,keeper")


def test_the_named_strategies_can_be_varied() -> None:
    experiment = Experiment(HERD, RULES)
    vary = ["leader=keeper,herder/dog=first", "n=1:2:1"]
    grid = read_grid(experiment, "test-follower", vary, most_variables=2)
    assert [point.player for point in grid.points()][::2] == [
        "test-follower:leader=keeper:n=1",
        "test-follower:leader=herder/dog=first:n=1",
    ]
    assert grid.given_place() == 1
    with pytest.raises(BadInput, match=meant("keeper")):
        read_grid(experiment, "test-follower", ["leader=keper"], most_variables=1)
