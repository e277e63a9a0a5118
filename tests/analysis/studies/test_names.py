"""Names in any case: every function finds the very same as with the names in their own case."""

import json
from pathlib import Path
from typing import Any

import pytest

import herdlab
from herdlab.analysis.studies.verify import differences
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.rules import load_settings
from herdlab.strategies import registry
from herdlab.strategies.registry import load_plugin, read_line_up

pytestmark = pytest.mark.usefixtures("quick_answers")

PLUGIN = """
from herdlab.strategies import choice, number, strategy
from herdlab.simcore.herd.view import TRADE

@strategy(
    "Herd",
    "my-own",
    Keep=number(2, "x"),
    tone=choice("Low", ("Low", "low", "HIGH"), "y"),
)
def my_own(decision, view, me):
    '''Never trades.'''
    return 0 if decision == TRADE else 1
"""

Call = tuple[str, tuple[Any, ...], dict[str, Any]]
FEW: dict[str, Any] = {"games": 100}
SMALL = {"sheep": 8, "pigs": 6, "cows": 5, "max_turns": 300}
"""Few animals, so that Have You Herd? is solved at once."""
SAME: list[tuple[Call, Call]] = [
    (
        ("simulate", ("herd", "keeper-dog:keep_sheep=2:dog=never,keeper"), {"games": 100}),
        ("simulate", ("Herd", "Keeper-Dog:KEEP_SHEEP=2:Dog=NEVER,KEEPER"), {"games": 100}),
    ),
    (
        ("simulate", ("herd", ["keeper", "rollout:base=herder/dog=first:n=1"]), {"games": 100}),
        ("simulate", ("HERD", ["Keeper", "ROLLOUT:BASE=Herder/DOG=First:N=1"]), {"games": 100}),
    ),
    (
        (
            "simulate",
            ("herd", "keeper,climber"),
            {"games": 100, "rules": {"horse_price": 3, "dice": "super-farmer"}},
        ),
        (
            "simulate",
            ("herd", "keeper,climber"),
            {"games": 100, "rules": {"HORSE_PRICE": 3, "Dice": "Super-Farmer"}},
        ),
    ),
    (
        ("compare", ("herd", "keeper", "climber"), {"field": "random", "games": 100}),
        (
            "compare",
            ("herd", "KEEPER", "Climber"),
            {"field": "RANDOM", "games": 100, "metric": "WIN"},
        ),
    ),
    (
        ("readings", ("swap", "shedder", "raider"), {"metric": "length", "games": 100}),
        ("readings", ("Swap", "Shedder", "Raider"), {"metric": "Length", "games": 100}),
    ),
    (
        ("tournament", ("herd", "keeper,herder:dog=never", 2), {"games": 100}),
        ("tournament", ("herd", "KEEPER,Herder:DOG=Never", 2), {"games": 100}),
    ),
    (
        (
            "sweep",
            ("herd", "herder", ["keep_sheep=0:2:1", "rules.dice=assumed,super-farmer"]),
            {"games": 100, "best": "high"},
        ),
        (
            "sweep",
            ("herd", "HERDER", ["Keep_Sheep=0:2:1", "RULES.Dice=Assumed,SUPER-FARMER"]),
            {"games": 100, "best": "HIGH", "metric": "Win"},
        ),
    ),
    (
        ("sweep", ("herd", "herder", "rules.first_game=false, true"), {**FEW, "metric": "length"}),
        ("sweep", ("herd", "herder", "Rules.First_Game=FALSE, True"), {**FEW, "metric": "Length"}),
    ),
    (
        ("tune", ("herd", "herder", "dog=never, first", "keeper,climber"), {"games": 100}),
        ("tune", ("herd", "Herder", "DOG=Never, FIRST", "KEEPER,Climber"), {"games": 100}),
    ),
    (
        ("luck", ("herd", "keeper, random"), {"games": 100}),
        ("luck", ("herd", "KEEPER, Random"), {"games": 100, "metric": "WIN"}),
    ),
    (
        (
            "advise",
            ("herd", "rabbits=6,sheep=2"),
            {"players": "keeper,climber", "phase": "after", "games": 100, "rules": SMALL},
        ),
        (
            "advise",
            ("HERD", "RABBITS=6,Sheep=2"),
            {"players": "Keeper,CLIMBER", "phase": "After", "games": 100, "rules": SMALL},
        ),
    ),
    (
        ("advise", ("herd", "nothing"), {"others": ["cow=1"], "skunk": "1", "games": 100}),
        ("advise", ("herd", "Nothing"), {"others": ["COW=1"], "skunk": "1", "games": 100}),
    ),
    (
        ("ask", ("seat", "swap"), {"quick": True, "players": "shedder"}),
        ("ask", ("SEAT", "Swap"), {"quick": True, "players": "Shedder"}),
    ),
    (
        ("solve", ("herd",), {"strategies": "keeper", "dogs": "rolled-only", "rules": SMALL}),
        ("solve", ("Herd",), {"strategies": ["KEEPER"], "dogs": ["Rolled-Only"], "rules": SMALL}),
    ),
    (
        ("race", ("herd", "keeper,closer"), {"games": 100, "rules": SMALL}),
        ("race", ("herd", "Keeper,CLOSER"), {"games": 100, "rules": SMALL}),
    ),
]


def found(call: Call) -> dict[str, Any]:
    name, arguments, options = call
    whole: dict[str, Any] = getattr(herdlab, name)(*arguments, **options).as_json()
    return {
        key: value for key, value in whole.items() if key not in ("seconds", "games_per_second")
    }


@pytest.mark.parametrize(("usual", "other"), SAME, ids=lambda call: f"{call[0]} {call[1][0]}")
def test_the_result_is_the_same_in_any_case(usual: Call, other: Call) -> None:
    assert json.dumps(found(other)) == json.dumps(found(usual))


def test_a_result_asked_for_in_capitals_can_be_replayed_and_resumed(tmp_path: Path) -> None:
    out = tmp_path / "run"
    result = herdlab.simulate(
        "HERD", "KEEPER,Herder:DOG=Never", games=100, rules={"Horse_Price": "3"}, out=out
    )
    whole = json.loads(json.dumps(result.as_json()))
    assert whole["arguments"]["players"] == "keeper,herder:dog=never"
    assert differences(whole, herdlab.replay(whole)) == []
    assert herdlab.resume(out).as_json()["seats"] == whole["seats"]


@pytest.mark.usefixtures("own_registry")
def test_a_plug_ins_names_are_found_too_its_own_capitals_first(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLUGIN)
    load_plugin(file)
    herd = find_game("herd")
    for text, spelled, value in (
        ("MY-OWN:KEEP=3", "my-own:Keep=3", 0.0),
        ("my-own:Tone=high", "my-own:tone=HIGH", 2.0),
        ("my-own:tone=low", "my-own:tone=low", 1.0),
        ("my-own:tone=Low", "my-own:tone=Low", 0.0),
    ):
        [(one, written, values)] = read_line_up(herd, text)
        assert (one.name, written, values[1]) == ("my-own", spelled, value)
    with pytest.raises(BadInput, match="unknown value of parameter tone of my-own 'LOW'"):
        read_line_up(herd, "my-own:tone=LOW")
    herdlab.simulate("herd", "My-Own,keeper", games=10, plugins=[file])


def test_a_die_is_written_in_any_case() -> None:
    rules = find_game("herd").rules_type
    assert rules.from_settings({"Wolf_Die": "5r2spcwkt"}) == rules()
    assert rules.from_settings({"FOX_DIE": "6R6T"}).but(DICE="Assumed") == rules()


# ---- mistakes ----


def test_a_rule_is_set_once_in_whatever_case(tmp_path: Path) -> None:
    for again in ("horse_price=4", "HORSE_PRICE = 3"):
        with pytest.raises(BadInput, match="^--set has horse_price twice, horse_price=3 and "):
            load_settings(None, ["horse_price=3", again])
    file = tmp_path / "rules.toml"
    file.write_text("Horse_Price = 3\nrabbits = 60\n")
    rules = find_game("herd").rules_type.from_settings(load_settings(file, ["horse_price=4"]))
    assert rules.as_dict()["horse_price"] == 4 and rules.as_dict()["rabbits"] == 60
    file.write_text("Horse_Price = 3\nhorse_price = 4\n")
    with pytest.raises(BadInput, match="rule horse_price is set twice: set it once"):
        find_game("herd").rules_type.from_settings(load_settings(file, []))


@pytest.mark.parametrize(
    "text", ["keeper:dog=never:dog=first", "keeper:dog=never:DOG=never", "racer:rival=a:rival=b"]
)
def test_a_parameter_is_set_once(text: str) -> None:
    with pytest.raises(BadInput, match=f"is set twice in '{text}': set it once"):
        registry.spelled(find_game("herd"), text)
    with pytest.raises(BadInput, match="is set twice in 'herder/dog=never/dog=first'"):
        registry.spelled(find_game("herd"), "racer:rival=herder/dog=never/dog=first")


STRAY: list[Call] = [
    ("simulate", ("herd", "keeper,"), {}),
    ("simulate", ("herd", ["keeper", ""]), {}),
    ("compare", ("herd", "keeper,", "climber"), {}),
    ("compare", ("herd", "keeper", "climber"), {"field": "keeper,"}),
    ("readings", ("herd", "keeper", "climber"), {"field": ",keeper"}),
    ("tournament", ("herd", "keeper,,climber", 2), {}),
    ("tournament", ("herd", "all,", 2), {}),
    ("sweep", ("herd", "herder", "keep_sheep=1,2"), {"field": "keeper,"}),
    ("sweep", ("herd", "herder,", "keep_sheep=1,2"), {}),
    ("tune", ("herd", "herder", "keep_sheep=1,2", "keeper,"), {}),
    ("luck", ("herd", "keeper,,keeper"), {}),
    ("race", ("herd", "keeper,climber,"), {}),
    ("solve", ("herd",), {"strategies": "keeper,"}),
    ("solve", ("herd",), {"dogs": "sold,"}),
    ("advise", ("herd", "rabbits=6,"), {}),
    ("advise", ("herd", "rabbits=6"), {"others": ["rabbits=6,,sheep=1"]}),
    ("advise", ("herd", "rabbits=6"), {"players": "keeper,"}),
    ("ask", ("seat", "herd"), {"players": "keeper,"}),
]


@pytest.mark.parametrize("call", STRAY, ids=str)
def test_a_stray_comma_is_refused_wherever_there_are_names(call: Call) -> None:
    name, arguments, options = call
    with pytest.raises(BadInput, match="^(stray comma at the|two commas in a row in) "):
        getattr(herdlab, name)(*arguments, **options)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (("tournament", ("herd", "keeper,KEEPER", 2), {}), "entrant 'keeper' is named twice"),
        (
            ("sweep", ("herd", "herder", ["keep_sheep=1,2", "KEEP_SHEEP=3,4"]), {}),
            "--vary has keep_sheep twice: vary it once",
        ),
        (
            ("sweep", ("herd", "herder", ["rules.dogs=1,2", "Rules.Dogs=3"]), {}),
            "--vary has rules.dogs twice",
        ),
        (("sweep", ("herd", "herder", "dog=never,NEVER"), {}), "the value never of dog twice"),
        (
            ("tune", ("herd", "herder", "dog=never,first", "keeper,Keeper"), {}),
            "--against has keeper twice: name each opponent once",
        ),
        (("advise", ("herd", "rabbits=6,Rabbit=2"), {}), "names rabbits twice: name each animal"),
        (
            ("compare", ("herd", "keeper", "climber"), {"metric": "WIN", "margin": 2}),
            "the margin of win rates must be below 1",
        ),
        (("tune", ("herd", "herder", "Rules.dogs=1,2", "keeper"), {}), "can be tuned"),
    ],
)
def test_what_is_named_twice_is_refused_in_any_case(call: Call, sentence: str) -> None:
    name, arguments, options = call
    with pytest.raises(BadInput) as refused:
        getattr(herdlab, name)(*arguments, **options)
    assert sentence in str(refused.value) and "\n" not in str(refused.value)
