"""Does a verdict stand?  Every reading, one at a time, and one sentence about all of them."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import herdlab
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.runs.runner import HERE, on_threads
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind
from herdlab.analysis.studies.compare import CompareRequest, compare
from herdlab.analysis.studies.readings import ReadingComparison, Readings, compare_readings
from herdlab.analysis.terminal.show_result import show_result
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from tests.games import cases

HERD = find_game("herd")
CASES = cases()


def asked(game: str = "herd", deals: int = 200, **options: Any) -> CompareRequest:
    found = find_game(game)
    rules = found.rules_type.from_settings(options.pop("settings", {}))
    a, b = options.pop("names", CASES[game].pair)
    return CompareRequest(
        Experiment(found, rules, options.pop("seed", 1)), a, b, deals=deals, **options
    )


# ---- which readings ----


@pytest.mark.parametrize("game", CASES)
def test_every_other_alternative_of_every_reading_has_a_row(game: str) -> None:
    rules = find_game(game).rules_type()
    wanted = {"as given"}
    for key, note in rules.notes().items():
        wanted |= {
            f"{key}={str(one).lower()}"
            for one in note.alternatives
            if one != getattr(rules, key) and note.matters(rules)
        }
    found = compare_readings(asked(game, 100))
    assert found.rows[0].setting == "as given" and found.rows[0].clause == ""
    assert {one.setting for one in found.rows} == wanted and len(found.rows) == len(wanted) >= 2
    hashes = [one.comparison.request.experiment.rules.hash for one in found.rows]
    assert len(set(hashes)) == len(hashes) and hashes[0] == rules.hash
    clauses = {clause for clause, _ in find_game(game).clauses}
    assert all(one.clause in clauses for one in found.rows[1:])


def test_known_readings_of_the_herd() -> None:
    found = [(one.setting, one.clause) for one in played().rows]
    assert found == [
        ("as given", ""),
        ("dice=super-farmer", "H6"),
        ("t_cancels=true", "H9"),
        ("wolf_pair_loses=2", "H12"),
        ("horse_price=3", "H15"),
    ]


def test_other_dice_are_really_played() -> None:
    request = asked(deals=500)
    given, dice = compare_readings(request).rows[:2]
    rules: Any = dice.comparison.request.experiment.rules
    farmer: Any = HERD.rules_type.from_settings({"dice": "super-farmer"})
    assert rules == farmer and rules.hash != request.experiment.rules.hash
    assert rules.wolf_die.count("rabbit") == 6 and "T" not in rules.wolf_die
    confidence = dice.comparison.request.confidence
    direct = asked(deals=500, settings={"dice": "super-farmer"})
    difference = compare(replace(direct, confidence=confidence)).difference
    assert difference == dice.comparison.difference != given.comparison.difference


def test_only_the_one_setting_is_changed() -> None:
    settings = {"horse_price": 3, "max_rabbits": 10}
    found = compare_readings(asked(deals=100, settings=settings))
    assert [one.setting for one in found.rows[1:]] == [
        "dice=super-farmer",
        "t_cancels=true",
        "wolf_pair_loses=2",
        "horse_price=2",
    ]
    for one in found.rows:
        rules: Any = one.comparison.request.experiment.rules
        assert rules.max_rabbits == 10
        assert rules.horse_price == (2 if one.setting == "horse_price=2" else 3)


def test_a_value_that_is_no_named_alternative_is_held_against_all_of_them() -> None:
    found = compare_readings(asked(deals=100, settings={"horse_price": 4}))
    prices = [one.setting for one in found.rows if one.setting.startswith("horse_price")]
    assert prices == ["horse_price=2", "horse_price=3"]


def test_custom_dice_still_work() -> None:
    settings = {"wolf_die": "5R2S2PCWK"}
    found = compare_readings(asked(deals=100, settings=settings))
    assert [one.setting for one in found.rows][:3] == [
        "as given",
        "dice=assumed",
        "dice=super-farmer",
    ]
    assert len(found.rows) == 5  # without a T on the dice t_cancels changes nothing
    own: Any = found.rows[0].comparison.request.experiment.rules
    for one in found.rows:
        rules: Any = one.comparison.request.experiment.rules
        is_named = one.setting.startswith("dice=")
        assert rules.dice == (one.setting.partition("=")[2] if is_named else "custom")
        assert (rules.wolf_die == own.wolf_die) != is_named


def test_a_reading_that_cannot_be_played_is_refused_with_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules_type = type(HERD.rules_type())
    usual = rules_type.check_players

    def check_players(self: Any, n_players: int) -> None:
        usual(self, n_players)
        if self.horse_price == 3:
            raise BadInput("no horse costs three")

    monkeypatch.setattr(rules_type, "check_players", check_players)
    with pytest.raises(BadInput, match="with horse_price=3: no horse costs three"):
        compare_readings(asked(deals=100))


# ---- one error budget ----


def test_the_rows_share_the_chance_of_error() -> None:
    request = asked(deals=300)
    found = compare_readings(request)
    for one in found.rows:
        assert one.comparison.request.confidence == pytest.approx(1 - 0.05 / 5)
    alone = compare(request).difference
    shared = found.rows[0].comparison.difference
    assert shared.value == alone.value
    ratio = (shared.high - shared.low) / (alone.high - alone.low)
    assert ratio == pytest.approx(2.5758 / 1.95996, rel=1e-3)


def test_decided_rows_share_it_too() -> None:
    request = asked(deals=2000, decide=True, names=("herder", "keeper"), margin=0.001)
    found = compare_readings(request).rows[0].comparison
    alone = compare(request)
    assert found.deals >= alone.deals and found.interval == "anytime"
    at_most = replace(request, deals=1000)
    wide, usual = (
        compare_readings(at_most).rows[0].comparison.difference,
        compare(at_most).difference,
    )
    assert wide.high - wide.low > usual.high - usual.low


# ---- the sentence ----


@cache
def played() -> Readings:
    return compare_readings(asked(deals=100))


NONE = Estimate(0.0, -1e-4, 1e-4, 100)
"""So small that play that is the same settles it."""


def as_if(*kinds: Kind) -> Readings:
    """Return readings in which each comparison came out as said."""
    found = played()
    settings = [one.setting for one in found.rows]
    return Readings(
        [
            ReadingComparison(
                setting, "", replace(found.rows[0].comparison, kind=kind, difference=NONE)
            )
            for setting, kind in zip(settings, kinds, strict=True)
        ]
    )


def test_it_holds_under_all() -> None:
    assert as_if(*[Kind.HIGHER] * 5).sentence == "holds under all 5 readings tried"
    assert (
        as_if(Kind.TIE, Kind.SAME, Kind.TIE, Kind.SAME, Kind.TIE).sentence
        == "holds under all 5 readings tried"
    )


def test_it_fails_under_some_which_are_named() -> None:
    one = as_if(Kind.HIGHER, Kind.LOWER, Kind.HIGHER, Kind.HIGHER, Kind.HIGHER)
    assert one.sentence == "holds under 4 of 5 readings tried; fails with dice=super-farmer"
    assert [row.setting for row in one.failing] == ["dice=super-farmer"]
    two = as_if(Kind.LOWER, Kind.LOWER, Kind.TIE, Kind.LOWER, Kind.HIGHER).sentence
    assert two.startswith("holds under 3 of 5 readings tried; fails with ")
    assert "t_cancels=true" in two and "horse_price=3" in two and "super-farmer" not in two


def test_not_settled_is_not_a_verdict() -> None:
    assert as_if(*[Kind.OPEN] * 5).sentence == "is too close to call under all 5 readings tried"
    some = as_if(Kind.OPEN, Kind.HIGHER, Kind.OPEN, Kind.OPEN, Kind.LOWER).sentence
    assert some.startswith("is too close to call under the rules as given, but not with ")
    assert "dice=super-farmer" in some and "horse_price=3" in some and "t_cancels" not in some


def test_a_reading_that_is_not_settled_is_not_said_to_contradict() -> None:
    """Too few games under one reading do not show that the verdict fails with it."""
    sentence = as_if(Kind.HIGHER, Kind.HIGHER, Kind.HIGHER, Kind.HIGHER, Kind.OPEN).sentence
    assert "holds under 4 of 5 readings tried" in sentence
    assert "fails with horse_price=3" not in sentence
    assert "too close to call" in sentence and "horse_price=3" in sentence


def test_a_verdict_that_really_fails_under_one_reading() -> None:
    """With the other dice it matters little that climber climbs down to its last animal."""
    names = ("climber", "random")
    found = compare_readings(asked(deals=1500, names=names, field=("keeper",), margin=0.05))
    kinds = [one.comparison.kind for one in found.rows]
    assert kinds == [Kind.LOWER, Kind.TIE, Kind.LOWER, Kind.LOWER, Kind.LOWER]
    assert found.sentence == "holds under 4 of 5 readings tried; fails with dice=super-farmer"


# ---- how it is written ----


def test_names_with_colons_do_not_break_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    """It was made of the sentence up to its first colon."""
    names = ("herder", "herder:dog=first")
    show_result(compare_readings(asked(deals=300, names=names)))
    (given,) = [one for one in capsys.readouterr().out.splitlines() if one.startswith("as given")]
    assert given.rstrip().endswith(("as given", "too close to call"))
    turned = asked(deals=2_000, names=names[::-1], field=("herder",))
    assert compare(turned).verdict.startswith("herder wins more")
    assert compare(replace(turned, a=names[0], b=names[1])).verdict.startswith("herder wins more")


def test_json_and_frame_have_a_row_a_reading() -> None:
    found = compare_readings(asked(deals=100))
    written = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert written["command"] == "readings" and written["sentence"] == found.sentence
    assert len(written["readings"]) == 5
    for row, one in zip(written["readings"], found.rows, strict=True):
        assert row["setting"] == one.setting and row["verdict"] == one.comparison.verdict
        assert row["rules_hash"] == one.comparison.request.experiment.rules.hash
        assert row["difference"] == one.comparison.difference.value
        assert row["holds"] == (one not in found.failing)
    frame = found.frame()
    assert frame["setting"].tolist() == [one.setting for one in found.rows]
    assert frame["value"].tolist() == [one.comparison.difference.value for one in found.rows]
    assert set(frame["verdict"]) == {one.comparison.verdict for one in found.rows}


def test_it_can_be_made_again_from_its_json() -> None:
    found = compare_readings(asked(deals=100, settings={"first_game": True}), runner=on_threads(2))
    again = herdlab.replay(json.loads(json.dumps(found.as_json())), threads=1)
    assert isinstance(again, Readings)
    differences = [[row.comparison.difference for row in one.rows] for one in (found, again)]
    assert differences[0] == differences[1] and again.sentence == found.sentence


def test_progress_goes_on_through_all_rows() -> None:
    heard: list[tuple[int, int]] = []
    compare_readings(
        asked(deals=100), HERE.telling(lambda done, total: heard.append((done, total)))
    )
    done = [one for one, _ in heard]
    assert done == sorted(done) and heard[-1] == (500, 500)
    assert {total for _, total in heard} == {500}
