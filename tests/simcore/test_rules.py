"""Rules as data: defaults, presets, TOML and --set; what is wrong is refused with a sentence."""

from pathlib import Path

import pytest

from herdlab.simcore.errors import BadInput, unknown
from herdlab.simcore.herd.rules import DICE, HerdRules
from herdlab.simcore.rules import clauses, load_settings, read_weights, shown
from tests.words import meant


def test_defaults_are_the_rulebooks_numbers() -> None:
    rules = HerdRules()
    assert rules.tiles == (52, 24, 20, 15, 4, 4) and rules.skunks == 1
    assert (rules.max_rabbits, rules.max_horses, rules.max_dogs) == (12, 1, 1)
    assert [max(price) for price in rules.prices] == [0, 5, 2, 2, 2, 1]
    assert rules.max_turns == 10_000 and not rules.first_game


def test_every_reading_lists_its_alternatives_with_the_default_among_them() -> None:
    readings = {key: note for key, note in HerdRules.notes().items() if note.alternatives}
    assert set(readings) == {"dice", "t_cancels", "wolf_pair_loses", "horse_price"}
    for key, note in readings.items():
        assert getattr(HerdRules(), key) in note.alternatives
        for value in note.alternatives:
            HerdRules.from_settings({key: shown(value)})


def test_the_assumed_dice_are_those_of_clause_h6() -> None:
    wolf, fox = DICE["assumed"]
    assert sorted(wolf) == sorted(
        ["rabbit"] * 5 + ["sheep"] * 2 + ["pig", "cow", "wolf", "skunk", "T"]
    )
    assert sorted(fox) == sorted(
        ["rabbit"] * 5 + ["sheep"] * 2 + ["pig"] * 2 + ["horse", "fox", "dog"]
    )


def test_the_super_farmer_dice_are_those_of_clause_h6() -> None:
    wolf, fox = DICE["super-farmer"]
    assert sorted(wolf) == sorted(["rabbit"] * 6 + ["sheep"] * 3 + ["pig", "cow", "wolf"])
    assert sorted(fox) == sorted(["rabbit"] * 6 + ["sheep"] * 2 + ["pig"] * 2 + ["horse", "fox"])


def test_naming_a_pair_of_dice_sets_both_dice() -> None:
    rules = HerdRules.from_settings({"dice": "super-farmer"})
    assert (rules.wolf_die, rules.fox_die) == DICE["super-farmer"]


@pytest.mark.parametrize(
    "given",
    ["5R2SPCWKT", "rabbit,rabbit,rabbit,rabbit,rabbit,sheep,sheep,pig,cow,wolf,skunk,t"],
)
def test_a_die_is_written_as_letters_or_names(given: str) -> None:
    rules = HerdRules.from_settings({"wolf_die": given})
    assert rules.wolf_die == DICE["assumed"][0] and rules.dice == "assumed"


def test_other_faces_make_the_dice_custom() -> None:
    rules = HerdRules.from_settings({"wolf_die": "12R"})
    assert rules.dice == "custom" and rules.fox_die == DICE["assumed"][1]


def test_what_as_dict_gives_makes_the_same_rules_again() -> None:
    for settings in ({}, {"dice": "super-farmer"}, {"fox_die": "6R6T", "horse_price": 3}):
        rules = HerdRules.from_settings(settings)
        assert HerdRules.from_settings(rules.as_dict()) == rules


def test_the_hash_tells_rules_apart() -> None:
    hashes = {
        HerdRules.from_settings(settings).hash
        for settings in ({}, {"horse_price": 3}, {"dice": "super-farmer"}, {"first_game": True})
    }
    assert len(hashes) == 4
    assert HerdRules().hash == HerdRules.from_settings({"horse_price": "2"}).hash


def test_toml_and_assignments_are_merged(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text('horse_price = 3\nfirst_game = true\ndice = "super-farmer"\n')
    rules = HerdRules.from_settings(load_settings(file, ["horse_price=2", "rabbits = 60"]))
    assert (rules.horse_price, rules.first_game, rules.rabbits) == (2, True, 60)
    assert rules.dice == "super-farmer"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"horse_pric": "3"}, ["unknown rule", "horse_pric", meant("horse_price")]),
        ({"horse_price": "two"}, ["horse_price", "H15", "whole number from 1 to 31", "'two'"]),
        ({"horse_price": 2.5}, ["horse_price", "whole number", "'2.5'"]),
        ({"horse_price": True}, ["horse_price", "whole number", "'true'"]),
        ({"first_game": "yes"}, ["first_game", "true or false", "'yes'"]),
        ({"first_game": 1}, ["first_game", "true or false", "'1'"]),
        ({"wolf_pair_loses": "3"}, ["wolf_pair_loses", "1 or 2", "'3'"]),
        ({"wolf_die": "5R2SPCWK"}, ["wolf_die", "twelve faces", "got 11"]),
        ({"wolf_die": "5R2SPCWKTT"}, ["wolf_die", "twelve faces", "got 13"]),
        ({"wolf_die": "99999999999R"}, ["wolf_die", "twelve faces", "'99999999999R'"]),
        ({"wolf_die": "rabit," * 11 + "fox"}, ["face", "rabit", meant("rabbit")]),
        ({"wolf_die": 12}, ["wolf_die", "twelve faces", "12"]),
        ({"dice": "superfarmer"}, ["dice", meant("super-farmer")]),
        ({"dice": "custom"}, ["dice", "custom", "not both given"]),
        ({"dice": ["a"]}, ["dice", "['a']"]),
        ({"wolf_die": "12R", "fox_die": "12R"}, ["every roll would be a double"]),
        ({"sheep": 2, "first_game": True}, ["sheep", "H3", "at least 4"]),
        ({"rabbits": 3}, ["rabbits", "H1", "from 4 to 127", "'3'"]),
        ({"max_turns": 0}, ["max_turns", "H16", "'0'"]),
    ],
)
def test_what_is_wrong_is_refused_with_a_sentence(
    settings: dict[str, object], words: list[str]
) -> None:
    with pytest.raises(BadInput) as caught:
        HerdRules.from_settings(settings)
    sentence = str(caught.value)
    assert "\n" not in sentence
    for word in words:
        assert word in sentence, sentence


def test_a_rules_object_cannot_be_made_inconsistent_or_changed() -> None:
    with pytest.raises(BadInput, match="dice"):
        HerdRules(dice="super-farmer")
    with pytest.raises(BadInput, match="twelve faces"):
        HerdRules(wolf_die=("rabbit",))
    with pytest.raises(AttributeError):
        HerdRules().horse_price = 3  # type: ignore[misc]


@pytest.mark.parametrize("text", ["horse_price", "=3", ""])
def test_an_assignment_needs_a_key_and_a_value(text: str) -> None:
    with pytest.raises(BadInput, match="key=value"):
        load_settings(None, [text])


def test_a_bad_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        load_settings(tmp_path / "none.toml", [])
    broken = tmp_path / "broken.toml"
    broken.write_text("horse_price == 3")
    with pytest.raises(BadInput, match="not valid TOML"):
        load_settings(broken, [])


def test_an_unknown_name_without_a_near_one_lists_what_there_is() -> None:
    assert str(unknown("game", "zzz", ["herd"])) == "unknown game 'zzz': known: herd"


def test_weights_are_numbers_within_limits_ends_included() -> None:
    for given in ("0.001,1000,2", [0.001, 1000, 2], (0.001, 1000.0, 2.0)):
        assert read_weights("tempo", "P3", given) == (0.001, 1000.0, 2.0)
    assert read_weights("tempo", "P3", " ") == () and read_weights("tempo", "P3", 3) == (3.0,)
    for bad in ("1,0.0009", "1000.1", "1,x", "nan", [True], None, "-1,1", "inf"):
        with pytest.raises(
            BadInput, match=r"rule tempo \(P3\) must be a number from 0.001 to 1000"
        ):
            read_weights("tempo", "P3", bad)


def test_a_clause_begins_with_its_id_and_goes_on_indented() -> None:
    text = "\nA1 Deal: seven cards\n    each.\nA1a Order: left.\n"
    assert clauses(text) == (("A1", "Deal: seven cards each."), ("A1a", "Order: left."))
