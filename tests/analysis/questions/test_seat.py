"""What a seat is worth: the figures, and how the verdict follows them."""

from dataclasses import replace

import pytest

import herdlab
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.figures.parts.style import WIDE
from herdlab.analysis.questions import seat
from herdlab.analysis.questions.asking import Answer
from herdlab.analysis.stats.confidence_sequences import BoundedSequence, boundary, tuning
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
from herdlab.analysis.studies import seat_advantage as seating
from herdlab.analysis.studies.seat_advantage import EqualPlayers, SeatAdvantages, measure_seats
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from tests.analysis.questions import checked_drawings
from tests.quick import few_games_of_seats
from tests.words import meant

HERD = Experiment(find_game("herd"), find_game("herd").rules_type())
NOBODY, FAIR = "nobody ever won at tables of 2", "fair share"
MORE, LESS = "percentage points more often", "percentage points less often"
SESSION = "In a single session"
"""What is said of whole answers; sentences of which the tables are made up are below."""


def gain(value: float, half: float = 0.002) -> Estimate:
    return Estimate(value, value - half, value + half, 10_000)


def seats(size: int, *gains: Estimate, strategy: str = "keeper") -> SeatAdvantages:
    return SeatAdvantages(EqualPlayers(HERD, strategy, size), 1 / size, list(gains), 10_000)


def pair(value: float, half: float = 0.002, strategy: str = "keeper") -> SeatAdvantages:
    return seats(2, gain(value, half), gain(-value, half), strategy=strategy)


@pytest.mark.parametrize(
    ("value", "half", "kind"),
    [
        (0.02, 0.002, Kind.HIGHER),
        (-0.02, 0.002, Kind.LOWER),
        (0.001, 0.002, Kind.TIE),
        (0.003, 0.0015, Kind.TIE),  # surely above 0, and surely too small to matter
        (0.001, 0.0045, Kind.OPEN),
        (0.0, 0.02, Kind.OPEN),
    ],
)
def test_no_difference_is_said_only_within_the_margin(value: float, half: float, kind: str) -> None:
    assert kind_of_wins(gain(value, half)) == kind


def test_the_figures_are_those_of_simulate() -> None:
    played = herdlab.simulate("herd", "keeper,keeper,keeper", games=3_000)
    found = measure_seats(EqualPlayers(HERD, "keeper", 3), 3_000, decide=False)
    assert found.share == pytest.approx(1 / 3) and found.games == 3_000
    for one, other in zip(found.gains, played.seats, strict=True):
        assert one.value == pytest.approx(other.win_rate.value - 1 / 3, abs=1e-12)
    assert sum(one.value for one in found.gains) == pytest.approx(0, abs=1e-12)


def test_it_plays_until_the_first_seat_is_settled() -> None:
    found = measure_seats(EqualPlayers(HERD, "keeper", 2), 1_000_000, decide=True, half=0.01)
    assert found.kind == Kind.HIGHER and found.games < 200_000
    assert found.first.high - found.first.low < 0.02
    swap = Experiment(find_game("swap"), find_game("swap").rules_type())
    few = measure_seats(EqualPlayers(swap, "shedder", 3), 3_000, decide=True)
    assert few.kind == Kind.OPEN and few.games == 3_000


def test_intervals_are_tuned_to_the_margin_at_fair_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fair third of wins varies by 2 / 9: after v / (2 / 9) games it is known to ± 0.005."""
    made: list[tuple[float, ...]] = []

    def noted(*given: float) -> BoundedSequence:
        made.append(given)
        return BoundedSequence(*given)

    monkeypatch.setattr(seating, "BoundedSequence", noted)
    swap = Experiment(find_game("swap"), find_game("swap").rules_type())
    measure_seats(EqualPlayers(swap, "shedder", 3), 100, decide=True)
    assert len(made) == 3 and len(set(made)) == 1
    low, high, alpha, v, guess = made[0]
    assert (low, high, alpha, guess) == pytest.approx((-1 / 3, 2 / 3, 0.05 / 3, 0))
    assert boundary(v, tuning(v, alpha), 1.0, alpha / 2) / (v / (2 / 9)) == pytest.approx(0.005)


def test_a_table_where_nobody_wins_settles_nothing() -> None:
    experiment = HERD.under(max_turns=20)
    found = measure_seats(EqualPlayers(experiment, "hermit", 2), 200, decide=False)
    assert found.unfinished == 1 and found.kind == Kind.OPEN


def worths(*tables: SeatAdvantages) -> str:
    return seat._worths("Here", [("keeper", one) for one in tables])


def test_gains_are_put_into_words() -> None:
    assert worths(pair(0.021)) == (
        "Here at tables of 2 the first seat has 52.1 %, and beside its fair share wins 2.1 "
        "percentage points more often (1.9 to 2.3)"
    )
    both = [pair(-0.021), seats(3, gain(0), gain(0), gain(0))]
    assert worths(*both) == (
        "Here no seat matters at tables of 3: each wins its fair share within ± 0.5 percentage "
        "points; at tables of 2 the first seat has 47.9 %, and beside its fair share wins 2.1 "
        "percentage points less often (1.9 to 2.3) (the best is the second: 2.1 (1.9 to 2.3))"
    )


def test_what_is_not_settled_is_said_to_be_so() -> None:
    text = worths(pair(0.001, 0.01))
    assert "at tables of 2" in text and "may be worth anything from -0.9 to +1.1" in text
    even_first = seats(3, gain(0), gain(0.02), gain(-0.02))
    assert "beside its fair share makes no difference that matters" in worths(even_first)


def test_how_all_play_is_said_to_matter_where_it_does() -> None:
    main = [("keeper", pair(0.03))]

    def said(*others: SeatAdvantages) -> list[str]:
        return seat._by_strategy(main, [("climber", one) for one in others])

    assert said() == []
    (text,) = said(pair(0.031, strategy="climber"))
    assert text.startswith("So it is whichever of keeper and climber all play: 3.0 to 3.1 ")
    (text,) = said(pair(0.01, strategy="climber"))
    assert "all play: 1.0 to 3.0 percentage points" in text
    (text,) = said(pair(0, strategy="climber"))
    assert text.startswith("It depends on how all play: with climber at tables of 2 makes no ")
    (text,) = said(pair(0.001, 0.01, strategy="climber"))
    assert text.startswith("It is not settled everywhere: with climber at tables of 2 may be")


def test_readings_that_change_it_are_named() -> None:
    main = [("keeper", pair(0.03))]
    readings = [("horse_price=3", pair(0.02)), ("t_cancels=true", pair(-0.02))]
    assert seat._by_reading(main, readings[:1]) == [
        "This holds under the rules as given and one other reading tried: horse_price=3."
    ]
    (text,) = seat._by_reading(main, readings)
    assert text == (
        "Other readings of the rules change it: with t_cancels=true at tables of 2 wins 2.0 "
        "percentage points less often (1.8 to 2.2)"
    )


def test_games_that_nobody_wins_are_not_called_fair(monkeypatch: pytest.MonkeyPatch) -> None:
    few_games_of_seats(monkeypatch)
    never = replace(pair(0), share=0.0)
    assert worths(never) == f"Here {NOBODY}, from whichever seat"
    (text,) = seat._by_reading([("keeper", pair(0.03))], [("horse_price=3", never)])
    assert text.endswith("nobody ever won") and "horse_price=3" in text
    found = herdlab.ask("seat", "herd", quick=True, rules={"max_turns": 3})
    assert NOBODY in found.verdict and FAIR not in found.verdict
    assert [one["size"] for one in found.data["tables"]] == [2, 3, 4]
    assert {one["fair_share"] for one in found.data["tables"]} == {0.0}


def test_all_intervals_of_an_answer_share_one_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def play(table: EqualPlayers, games: int, *, confidence: float, **_: object) -> SeatAdvantages:
        given.append(confidence)
        return seats(table.size, *[gain(0)] * table.size, strategy=table.strategy)

    monkeypatch.setattr(seat, "measure_seats", play)
    herdlab.ask("seat", "herd", prepare=lambda game: None)
    assert len(given) > 9 and sum(1 - one for one in given) == pytest.approx(0.05)


def test_a_strategy_that_would_take_for_ever_is_refused() -> None:
    with pytest.raises(BadInput, match="simulate herd -p rollout:n=3,rollout:n=3 --games"):
        herdlab.ask("seat", "herd", quick=True, players="keeper,rollout:n=3")


@pytest.fixture(scope="module")
def found() -> Answer:
    return herdlab.ask("seat", "herd", quick=True)


def test_the_first_seat_gains_in_herd(found: Answer) -> None:
    assert MORE in found.verdict and LESS not in found.verdict and found.settled
    assert [one["size"] for one in found.data["tables"]] == [2, 3, 4]
    for one in found.data["tables"]:
        value, low, high = one["gains"][0]
        assert one["kinds"][0] == Kind.HIGHER and 0.01 < low < value < high < 0.05
    assert any("without --quick" in note for note in found.notes)


def test_the_verdict_follows_the_rules() -> None:
    """Who is slow to slap is worse off: then the seat matters, in a game where it does not."""
    slow = herdlab.ask("seat", "swap", quick=True, rules={"slap_speed": "1,50,50"})
    assert LESS in slow.verdict and MORE not in slow.verdict
    (one,) = slow.data["tables"]
    assert (one["size"], one["kinds"][0]) == (3, Kind.LOWER) and one["gains"][0][2] < 0
    assert any("slap_speed" in note for note in slow.notes)


def test_a_match_and_a_single_session_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    few_games_of_seats(monkeypatch)
    both = herdlab.ask("seat", "barnyard", quick=True)
    short = herdlab.ask("seat", "barnyard", quick=True, rules={"sessions": 1})
    assert SESSION in both.verdict and SESSION not in short.verdict
    gains = [[one["gains"][0][0] for one in each.data["tables"]] for each in (both, short)]
    assert len(gains[0]) == 8 and gains[0][4:] == gains[1] != gains[0][:4]
    rules = {one["rules_hash"] for one in both.data["tables"]}
    assert len(rules) == 2 and {one["rules_hash"] for one in short.data["tables"]} < rules


def test_strategies_can_be_named_and_are_checked_before_anything_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few_games_of_seats(monkeypatch)
    found = herdlab.ask("seat", "herd", quick=True, players="closer,climber")
    assert {one["strategy"] for one in found.data["tables"]} == {"closer", "climber"}

    def loaded(game: object) -> None:
        raise AssertionError("too early")

    with pytest.raises(BadInput, match=meant("keeper")):
        herdlab.ask("seat", "herd", players="keepr", prepare=loaded)
    with pytest.raises(BadInput, match="--players names nobody"):
        herdlab.ask("seat", "herd", players="", prepare=loaded)
    with pytest.raises(BadInput, match="a number for each of"):
        herdlab.ask("seat", "swap", rules={"slap_speed": [1.0] * 11}, prepare=loaded)


def test_it_can_be_drawn(found: Answer) -> None:
    (drawing,) = checked_drawings(found)  # a quick answer tries no readings
    assert drawing.title == "The first seat gains in all 3 cases"
    figure = drawing.draw(WIDE)
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels[:2] == ["first seat, keeper", "second seat, keeper"] and len(labels) == 9
    assert "fair share" in figure.axes[0].get_xlabel()
