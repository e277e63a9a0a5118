"""`ask bluff`: the sentence follows from the figures, whatever they are."""

import json
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

import herdlab
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.questions import bluff as asked
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.bluff_verdict import (
    BLUFFED,
    CALLED,
    COSTS,
    DEPENDS,
    HONEST,
    IDLE,
    OPEN,
    PAYS,
    REFUSES,
    UNCALLED,
    AtTable,
    Bluff,
    notes,
)
from herdlab.analysis.questions.bluff_verdict import (
    verdict as sentences,
)
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind
from herdlab.analysis.studies.two_rate_equilibrium import GainPlane, RateEquilibrium
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from tests.analysis.questions import checked_drawings
from tests.quick import few_replicates


def verdict(found: list[AtTable]) -> str:
    """Return all that is said."""
    return ". ".join(sentences(found))


THREE = ("reaction", "1,1,1")  # equal, but it says how many play
ON_CALLS = "It depends on how often the table calls"
UNDER_RULES = "Bluffing makes no difference under these rules"
NO_WINNER = ", as 100 % of the games have no winner"
YES, NO = "yes, bluffing pays", "no, bluffing does not pay"
"""What several tests look for; the last two begin a sentence or not."""


def experiment_of(game: str, settings: dict[str, Any]) -> Experiment:
    found = find_game(game)
    return Experiment(found, found.rules_type.from_settings(settings), 1)


@cache
def quick(game: str = "horse-trader", *settings: tuple[str, Any], seed: int = 1) -> Answer:
    return herdlab.ask("bluff", game, quick=True, rules=dict(settings), seed=seed)


# ---- counting pieces ----


@pytest.mark.parametrize("bluff", [Bluff(4), Bluff(2), Bluff(2, 1), Bluff(4, 3), Bluff(1)])
def test_pieces_balance_where_both_are_indifferent(bluff: Bluff) -> None:
    said, gain = bluff.says, bluff.says - bluff.commits
    calls, bluffs = bluff.calls, bluff.bluffs
    honest, bluffing = calls * said, (1 - calls) * gain - calls * said
    assert honest == pytest.approx(bluffing)
    answering, calling = -bluffs * gain, bluffs * said - (1 - bluffs) * said
    assert answering == pytest.approx(calling)


def test_a_bluff_in_words_and_as_a_player() -> None:
    assert Bluff(4).words == "says four, commits nothing"
    assert Bluff(2, 1).words == "says two, commits one"
    bluffer = "dealer:offer=2:commit=1:bluff_2=1:call_1=0:call_2=0:call_3=0:call_4=0"
    assert Bluff(2, 1).player(1, 0) == bluffer
    same = herdlab.compare(
        "horse-trader", "bluffer", bluffer, games=200, rules={"advanced": True}, seed=3
    )
    assert same.kind == Kind.SAME


# ---- the sentence ----


def duel(kind: Kind, value: float = 0.0, won: float = 1 / 3) -> Any:
    difference = Estimate(value, value - 0.01, value + 0.01, 100)
    b = Estimate(won, won, won, 100)
    return SimpleNamespace(kind=kind, difference=difference, b=b, is_settled=kind != Kind.OPEN)


def found(
    uncalled: Kind, called: Kind, size: int = 3, *, refusing: float | None = None, **more: Any
) -> AtTable:
    sign = {Kind.HIGHER: 0.5, Kind.LOWER: -0.4}
    corners = {
        UNCALLED: duel(uncalled, sign.get(uncalled, 0.0), more.pop("won", 1 / size)),
        CALLED: duel(called, sign.get(called, 0.0)),
        HONEST: duel(more.pop("calling", Kind.LOWER)),
        BLUFFED: duel(more.pop("catching", Kind.HIGHER)),
    }
    if more.pop("balanced", False):
        at = RateEquilibrium(
            Estimate(0.35, 0.34, 0.36, 16), Estimate(0.22, 0.21, 0.23, 16), 100, True
        )
        gain = Estimate(0.002, -0.01, 0.014, 16)
        wider = Estimate(0.001, -0.02, 0.017, 16)
        rates = {"bluffs never, calls 22 %": gain, "bluffs 35 %, calls never": wider}
        more |= {"balance": at, "rates": rates}
        more["plane"] = GainPlane((0, 1), None)  # type: ignore[arg-type]
    if refusing is not None:
        more["ways"] = {REFUSES: Estimate(refusing, refusing - 0.05, refusing + 0.05, 16)}
    return AtTable(size, corners, **more)


@pytest.mark.parametrize(
    ("uncalled", "called", "kind"),
    [
        (Kind.HIGHER, Kind.LOWER, DEPENDS),
        (Kind.HIGHER, Kind.TIE, DEPENDS),
        (Kind.HIGHER, Kind.HIGHER, PAYS),
        (Kind.TIE, Kind.HIGHER, PAYS),
        (Kind.LOWER, Kind.LOWER, COSTS),
        (Kind.TIE, Kind.LOWER, COSTS),
        (Kind.OPEN, Kind.LOWER, OPEN),
        (Kind.LOWER, Kind.HIGHER, OPEN),
    ],
)
def test_what_bluffing_does_follows_from_the_corners(
    uncalled: Kind, called: Kind, kind: str
) -> None:
    assert found(uncalled, called).kind == kind


def test_where_nothing_matters_it_says_so_and_why() -> None:
    idle = found(Kind.SAME, Kind.TIE, calling=Kind.SAME, catching=Kind.TIE, won=0.0)
    assert idle.kind == IDLE
    assert verdict([idle]) == UNDER_RULES + NO_WINNER
    finished = found(Kind.TIE, Kind.TIE, calling=Kind.TIE, catching=Kind.TIE)
    assert verdict([finished]) == UNDER_RULES


def test_the_same_question_has_another_sentence_for_other_figures() -> None:
    depends = verdict([found(Kind.HIGHER, Kind.LOWER, balanced=True)])
    assert depends.startswith(
        f"{ON_CALLS}. In balance three players bluff in 35.0 ± 1.0 % of their offers and call "
        "22.0 ± 1.0 %; no other rate of those tried then gains more than 1.7 points. Where nobody "
        "calls, always bluffing beats never: 50.0 ± 1.0 points with three players. Where everybody "
        "calls, never bluffing beats always: 40.0 ± 1.0 points with three players. "
    )
    harmless = verdict([found(Kind.HIGHER, Kind.TIE, balanced=True)])
    assert harmless.startswith(ON_CALLS) and "Where everybody calls" not in harmless
    assert verdict([found(Kind.HIGHER, Kind.HIGHER)]).lower().startswith(YES)
    assert verdict([found(Kind.LOWER, Kind.LOWER)]).lower().startswith(NO)
    assert verdict([found(Kind.OPEN, Kind.OPEN)]).startswith("It is not settled")
    mixed = verdict([found(Kind.HIGHER, Kind.HIGHER), found(Kind.LOWER, Kind.LOWER, 4)])
    assert mixed.startswith(
        f"It depends on how many play: with three players {YES}, and costs neither where nobody "
        f"calls nor where everybody does; with four players {NO}"
    )


def test_what_the_corners_do_not_bear_out_is_not_advised() -> None:
    advice = "Where everybody bluffs, always calling beats never"
    assert advice in verdict([found(Kind.HIGHER, Kind.LOWER, balanced=True)])
    assert advice not in verdict([found(Kind.HIGHER, Kind.LOWER, balanced=True, catching=Kind.TIE)])
    lost = found(Kind.HIGHER, Kind.LOWER, balanced=True)
    assert lost.balance is not None
    lost = replace(lost, balance=replace(lost.balance, is_found=False))
    assert "In balance" not in verdict([lost])
    assert any("not found" in one for one in notes([lost], "Bronco"))


def test_a_limit_that_says_little_is_left_out() -> None:
    rough = found(Kind.HIGHER, Kind.LOWER, balanced=True)
    rough = replace(rough, rates={"bluffs never": Estimate(0.01, -0.05, 0.07, 16)})
    assert "In balance" in verdict([rough]) and "gains more than" not in verdict([rough])


def test_a_rate_at_its_end_is_told_as_known_or_as_a_bound() -> None:
    some = found(Kind.HIGHER, Kind.LOWER, balanced=True)
    assert some.balance is not None
    held = replace(some.balance, y=Estimate(0.0, 0.0, 0.0, 16), held=(False, True))
    known = replace(some, balance=held)
    assert "35.0 ± 1.0 % of their offers and call none" in verdict([known])
    assert any("at its end" in one for one in notes([known], "Bronco"))
    loose = replace(some.balance, y=Estimate(1.0, 0.9, 1.0, 16))
    seems = replace(some, balance=loose)
    assert "and call 100 % (at least 90 %)" in verdict([seems])
    assert asked._is_settled(known) and asked._is_settled(seems)


@pytest.mark.parametrize(("half", "is_settled"), [(0.03, True), (0.06, False)])
def test_it_is_settled_where_rates_are_known_about(half: float, is_settled: bool) -> None:
    some = found(Kind.HIGHER, Kind.LOWER, balanced=True)
    assert some.balance is not None
    wide = Estimate(0.3, 0.3 - half, 0.3 + half, 16)
    assert asked._is_settled(replace(some, balance=replace(some.balance, x=wide))) is is_settled
    assert not asked._is_settled(found(Kind.OPEN, Kind.OPEN, balanced=True))


def test_fewer_deals_are_taken_where_fewer_are_allowed() -> None:
    def deals(most: int, **more: Any) -> list[int]:
        ask = Ask("bluff", experiment_of("horse-trader", {}), max_deals=most, **more)
        wanted = ((96, 48), (8_000, 128), (100, 10))
        return [asked._deals_of(ask, *one) for one in wanted]

    assert deals(200_000) == [96, 8_000, 100]
    assert deals(1_000) == [48, 1_000, 12]
    assert deals(20) == [20, 20, 10]
    assert deals(200_000, quick=True) == [48, 128, 10]


def test_intervals_of_one_table_of_figures_hold_together(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: dict[str, list[float]] = {"find_equilibrium": [], "break_even": []}
    for name, into in heard.items():
        real = getattr(asked, name)

        def listening(*args: Any, _real: Any = real, _into: Any = into, **more: Any) -> Any:
            _into.append(more["confidence"])
            return _real(*args, **more)

        monkeypatch.setattr(asked, name, listening)
    few_replicates(monkeypatch)
    ask = Ask("bluff", experiment_of("horse-trader", {"reaction": "1,1,1"}), max_deals=100)
    one = asked.answer(ask)
    assert heard == {
        "find_equilibrium": [pytest.approx(1 - 0.05 / 2)],
        "break_even": [pytest.approx(1 - 0.05 / 3)] * 3,
    }
    assert one.games < 100_000


def test_to_answer_nothing_is_told_only_where_it_gains() -> None:
    gains = verdict([found(Kind.HIGHER, Kind.LOWER, balanced=True, refusing=0.6)])
    assert gains.endswith("ones, gains: 60.0 ± 5.0 points with three players")
    costs = verdict([found(Kind.HIGHER, Kind.LOWER, balanced=True, refusing=-0.2)])
    assert "answering no offer" not in costs
    told = notes([found(Kind.HIGHER, Kind.LOWER, refusing=0.6)], "Bronco")
    assert any("does better who never bluffs, answers no offer." in one for one in told)
    assert "advanced game only" in told[0]


# ---- asked of the games ----


def test_a_quick_answer_of_one_table() -> None:
    one = quick("horse-trader", THREE)
    assert one.verdict.startswith(ON_CALLS) and one.data["tables"][0]["kind"] == DEPENDS
    assert one.settled and one.as_json()["rough"] and one.games > 10_000
    assert one.ask.experiment.rules.as_dict()["advanced"] is True
    by_label = {(each.section, each.label): each for each in one.findings}
    bluffs = by_label["share of offers in balance", "three players: bluffs"]
    calls = by_label["share of offers in balance", "three players: calls"]
    for each in (bluffs, calls):  # pieces say a third
        assert each.value is not None and 25 < each.value < 40 and each.unit == "%"
    uncalled = by_label[asked._BLUFFS, "three players, nobody calls"]
    assert uncalled.value == pytest.approx(200 / 3, abs=2)
    again = json.loads(json.dumps(one.as_json()))
    assert again["findings"] and again["data"]["tables"][0]["players"] == 3


def test_both_editions_are_the_same_as_nobody_calls_passes() -> None:
    one, other = quick("horse-trader", THREE), quick("bronco", THREE)
    assert one.verdict == other.verdict
    assert [each.as_json() for each in one.findings] == [each.as_json() for each in other.findings]


def test_under_rules_that_no_game_survives_bluffing_makes_no_difference() -> None:
    one = quick("horse-trader", ("max_beats", 5))
    assert one.verdict == f"{UNDER_RULES}{NO_WINNER}."
    assert {each["kind"] for each in one.data["tables"]} == {IDLE}
    never = [each.value for each in one.findings if each.section == "games without a winner"]
    assert never and set(never) == {100.0}
    assert {each.section for each in one.findings} == {
        asked._BLUFFS,
        asked._CALLS,
        "games without a winner",
    }


def test_it_needs_rules_for_one_number_of_players() -> None:
    with pytest.raises(BadInput, match="for each of"):
        quick("horse-trader", ("tempo", "1,1,1"), ("reaction", "1,1,1,1"))
    with pytest.raises(BadInput, match="takes no players"):
        herdlab.ask("bluff", quick=True, players="trader-1,trader-2,trader-3")


@pytest.mark.parametrize("settings", [(THREE,), (("max_beats", 5),)])
def test_the_picture_has_a_plane_for_each_table_or_the_corners(settings: Any) -> None:
    drawings = checked_drawings(quick("horse-trader", *settings))
    titles = [one.title for one in drawings]
    assert any(one.startswith("Always bluffing, beside never, ") for one in titles)
    planes = [one for one in drawings if one.alt.startswith("Plane")]
    assert planes == drawings[: len(planes)] and len(planes) == (settings == (THREE,))
