"""Clauses H1-H9 of Have You Herd?, tested from the rulebook; test_clauses_specials.py has the rest.

A test is called after its clause and says in its name what the rulebook says.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from simcore.batch import Bout, stream_seeds
from simcore.errors import BadInput
from simcore.herd.clauses import CLAUSES
from simcore.herd.rules import ANIMALS, DICE, HerdRules
from simcore.herd.table import Position, deal
from strategies.registry import seat_players
from tests.simcore.herd.harness import HERD, Line, Turn, double_turn, herd, log_lines, play_turn

RABBIT = herd(rabbit=1)
HERD_ANIMALS = ("rabbit", "sheep", "pig", "cow", "horse")
FOUR = ("fox", "wolf", "skunk", "dog")
SEEDS: dict[tuple[tuple[str, str], ...], int] = {}
"""What `rolling` has found: a seed that gives these rolls."""


def position(*herds: Mapping[str, int], **rest: Any) -> Position:
    """Return a position with these herds."""
    return Position(tuple(tuple(one.get(a, 0) for a in ANIMALS) for one in herds), **rest)


def play_game(
    line_up: str, start: Position | None = None, **settings: Any
) -> tuple[list[Line], dict[str, int]]:
    """Play a game; return its log and its row of outcomes."""
    rules = HerdRules.from_settings(settings)
    players = seat_players(HERD, rules, line_up)
    bout = Bout(HERD, rules, players, stream_seeds(1), start)
    rows, log = bout.logged(0)
    return log_lines(log, len(players)), dict(zip(bout.columns, rows[0].tolist(), strict=True))


def twelve(faces: Iterable[str]) -> list[str]:
    """Return a die with each of `faces` equally often."""
    distinct = list(dict.fromkeys(faces))
    return distinct * (12 // len(distinct))


def rolling(
    *herds: Mapping[str, int], rolls: list[tuple[str, str]], after: str = "none", **options: Any
) -> Turn:
    """Play a turn in which exactly `rolls` come up, the wolf's second roll included."""
    options["wolf_die"] = twelve(wolf for wolf, _ in rolls)
    options["fox_die"] = twelve(fox for _, fox in rolls)
    for seed in [SEEDS.get(tuple(rolls), 0), *range(600)]:
        turn = play_turn(*herds, seed=seed, **options)
        if [line.detail for line in turn.lines if "roll" in line.what] == rolls:
            SEEDS[tuple(rolls)] = seed
            return play_turn(*herds, seed=seed, after=after, **options)
    raise AssertionError(f"no seed below 600 gave {rolls}")


def refused(*herds: Mapping[str, int], play: Callable[..., Turn] = play_turn, **opts: Any) -> None:
    """Check that a choice cannot be made: it is no legal one, or there is none to be asked for."""
    try:
        turn = play(*herds, **opts)
    except BadInput as error:
        assert "not a legal choice" in str(error)
    else:
        assert set(turn.happened) <= {"roll", "wolf roll"}


def test_every_clause_has_a_test_of_its_name() -> None:
    from tests.simcore.herd import test_clauses_specials as specials

    names = [*globals(), *vars(specials)]
    tested = {match[1] for name in names if (match := re.match(r"test_h(\d+)_", name))}
    assert [clause for clause, _ in CLAUSES] == [f"H{n}" for n in range(1, 17)]
    assert tested == {clause[1:] for clause, _ in CLAUSES}


# H1 tiles


def test_h1_there_are_120_tiles() -> None:
    rules = HerdRules()
    assert rules.tiles == (52, 24, 20, 15, 4, 4)
    assert sum(rules.tiles) + rules.skunks == 120


def test_h1_what_is_earned_comes_from_the_supply() -> None:
    turn = play_turn(herd(rabbit=4, pig=2), RABBIT, dice=("rabbit", "pig"))
    assert turn.supply == {"rabbit": 45, "sheep": 24, "pig": 17, "cow": 15, "horse": 4, "dog": 4}


def test_h1_what_is_traded_away_returns_to_the_supply() -> None:
    turn = play_turn(herd(rabbit=6), RABBIT, before="sheep")
    assert (turn.supply["rabbit"], turn.supply["sheep"]) == (50, 23)


@pytest.mark.parametrize(
    ("special", "mine", "back"),
    [("fox", {"rabbit": 7}, "rabbit"), ("wolf", {"pig": 1}, "pig"), ("wolf", {"dog": 1}, "dog")],
)
def test_h1_what_is_lost_returns_to_the_supply(
    special: str, mine: dict[str, int], back: str
) -> None:
    turn = play_turn(herd(**mine), herd(), dice=(special, "pig"))
    assert turn.supply[back] == HerdRules().tiles[ANIMALS.index(back)] - (back == "rabbit")


@pytest.mark.parametrize("players", [2, 4])
def test_h1_no_tile_ever_appears_or_vanishes(players: int) -> None:
    lines, _ = play_game(",".join(["random"] * players), max_turns=400)
    for line in lines:
        owned = Counter(line.supply)
        for one in line.herds:
            owned.update(one)
        assert tuple(owned[animal] for animal in ANIMALS) == HerdRules().tiles
        assert min(line.supply.values()) >= 0


def test_h1_who_multiplies_gets_what_is_left() -> None:
    mine = herd(rabbit=1, sheep=5)
    turn = play_turn(mine, herd(sheep=2), dice=("sheep", "horse"), sheep=8)
    assert turn.herds[0] == {"rabbit": 1, "sheep": 6}  # owed three, one was left
    assert turn.supply["sheep"] == 0


def test_h1_who_multiplies_gets_nothing_from_an_empty_supply() -> None:
    turn = play_turn(herd(sheep=1), herd(sheep=1), dice=("sheep", "horse"), sheep=2)
    assert turn.herds == ({"sheep": 1}, {"sheep": 1})


def test_h1_a_shortage_of_one_animal_leaves_the_other_alone() -> None:
    turn = play_turn(herd(rabbit=8, sheep=2), RABBIT, dice=("rabbit", "sheep"), rabbits=10)
    assert turn.herds[0] == {"rabbit": 9, "sheep": 3}


def test_h1_a_shortage_holds_on_a_double() -> None:
    turn = double_turn(herd(pig=4), RABBIT, animal="pig", then="horse", pigs=5)
    assert [line.herds[0] for line in turn.lines] == [{"pig": 5}, {"pig": 5}]


@pytest.mark.parametrize(
    ("gain", "mine", "theirs", "rule"),
    [
        ("sheep", {"rabbit": 6}, {"sheep": 2}, "sheep"),
        ("pig", {"rabbit": 6, "sheep": 2}, {"pig": 2}, "pigs"),
        ("cow", {"rabbit": 6, "pig": 2}, {"cow": 2}, "cows"),
        ("dog", {"rabbit": 6, "sheep": 2}, {"dog": 1}, "dogs"),
    ],
)
def test_h1_a_trade_needs_the_tile_to_be_there(
    gain: str, mine: dict[str, int], theirs: dict[str, int], rule: str
) -> None:
    table = herd(**mine), herd(**theirs)
    none_left: Any = {rule: theirs[gain]}
    one_left: Any = {rule: theirs[gain] + 1}
    refused(*table, before=gain, **none_left)
    refused(*table, after=gain, **none_left)
    assert "trade" in play_turn(*table, before=gain, **one_left).happened


def test_h1_a_horse_must_be_there_to_be_traded_for() -> None:
    table = herd(cow=2, sheep=2), herd(horse=1), herd(horse=1)
    refused(*table, before="horse", horses=2)
    assert play_turn(*table, before="horse", horses=3).herds[0]["horse"] == 1


def test_h1_players_cannot_own_more_tiles_than_there_are() -> None:
    with pytest.raises(BadInput, match="H1"):
        play_turn(herd(sheep=20), herd(sheep=5))
    with pytest.raises(BadInput, match="H1"):
        play_turn(herd(rabbit=12), herd(rabbit=12), rabbits=23)


# H2 players


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_h2_two_to_four_play_or_one_alone(players: int) -> None:
    turn = play_turn(*[RABBIT] * players, dice=("rabbit", "pig"))
    assert turn.herds == ({"rabbit": 2}, *[{"rabbit": 1}] * (players - 1))
    assert turn.next_seat == 1 % players


def test_h2_five_or_none_are_refused() -> None:
    with pytest.raises(BadInput):
        play_game(",".join(["hermit"] * 5))
    with pytest.raises(BadInput):
        play_game("")


def test_h2_alone_a_skunk_goes_to_nobody_and_the_other_die_multiplies() -> None:
    turn = play_turn(RABBIT, dice=("skunk", "rabbit"))
    assert turn.happened == ["roll"]
    assert turn.herds[0] == {"rabbit": 2}
    assert turn.lines[-1].skunk is None


def test_h2_alone_a_skunk_costs_no_turn() -> None:
    lines, _ = play_game("hermit", max_turns=3, wolf_die="12K", fox_die="12R")
    assert [(line.what, line.herds[0]["rabbit"]) for line in lines] == [
        ("roll", 2),
        ("roll", 3),
        ("roll", 5),
    ]


def test_h2_alone_a_t_bars_the_final_trade_and_the_other_die_multiplies() -> None:
    mine = herd(rabbit=11, sheep=2)
    refused(mine, dice=("T", "sheep"), after="pig", max_turns=1)
    turn = play_turn(mine, dice=("T", "sheep"), before="sheep")
    assert turn.herds[0] == {"rabbit": 6, "sheep": 5}  # the trade before the roll is free


@pytest.mark.parametrize("pair", [("skunk", "fox"), ("wolf", "skunk"), ("dog", "skunk")])
def test_h2_alone_a_skunk_still_cancels(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=8), dice=pair, after="sheep", max_turns=1)
    assert turn.happened == ["roll", "trade"]
    assert turn.herds[0] == {"rabbit": 3, "sheep": 1}


def test_h2_alone_a_t_cancels_as_in_h9() -> None:
    options: Any = {"after": "sheep", "max_turns": 1}
    turn = play_turn(herd(rabbit=8), dice=("T", "fox"), t_cancels=True, **options)
    assert turn.herds[0] == {"rabbit": 3, "sheep": 1}
    refused(herd(rabbit=8), dice=("T", "skunk"), **options)
    turn = play_turn(herd(rabbit=8), dice=("T", "skunk"), t_cancels=True, **options)
    assert turn.herds[0] == {"rabbit": 3, "sheep": 1}


# H3 start


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_h3_everybody_starts_with_one_rabbit(players: int) -> None:
    assert deal(HerdRules(), players) == position(*[RABBIT] * players)


def test_h3_in_a_first_game_everybody_takes_a_sheep_as_well() -> None:
    rules = HerdRules.from_settings({"first_game": "true"})
    assert deal(rules, 3) == position(*[herd(rabbit=1, sheep=1)] * 3)
    lines, _ = play_game("hermit,hermit", first_game=True, wolf_die="12C", fox_die="12H")
    assert lines[0].herds == ({"rabbit": 1, "sheep": 1},) * 2
    assert (lines[0].supply["rabbit"], lines[0].supply["sheep"]) == (50, 22)


def test_h3_the_first_seat_begins_and_play_goes_left() -> None:
    lines, _ = play_game("hermit,hermit,hermit", max_turns=5, wolf_die="12C", fox_die="12H")
    assert [line.seat for line in lines] == [0, 1, 2, 0, 1]


def test_h3_a_seat_that_is_not_at_the_table_cannot_be_to_move() -> None:
    with pytest.raises(BadInput, match="H3"):
        play_game("hermit,hermit", position(RABBIT, RABBIT, seat=2))


# H4 win

LACKS_HORSE = herd(rabbit=1, sheep=1, pig=1, cow=3)
LACKS_SHEEP = herd(rabbit=6, pig=1, cow=1, horse=1)
LACKS_RABBIT = herd(sheep=2, pig=1, cow=1, horse=1)
LACKS_PIG = herd(rabbit=1, sheep=1, cow=1, horse=1)


def test_h4_a_trade_before_the_roll_wins_and_no_roll_follows() -> None:
    turn = play_turn(LACKS_HORSE, RABBIT, before="horse")
    assert (turn.winner, turn.happened, turn.next_seat) == (0, ["trade"], None)


def test_h4_a_trade_after_the_roll_wins() -> None:
    turn = play_turn(RABBIT, LACKS_HORSE, dice=("sheep", "horse"), after="horse", seat=1)
    assert (turn.winner, turn.happened, turn.next_seat) == (1, ["roll", "trade"], None)


def test_h4_a_double_wins_before_the_dice_are_rolled_again() -> None:
    turn = double_turn(LACKS_PIG, RABBIT, animal="pig", then="fox")
    assert (turn.winner, turn.happened) == (0, ["roll"])


@pytest.mark.parametrize("lacking", HERD_ANIMALS)
def test_h4_every_one_of_the_five_animals_is_needed(lacking: str) -> None:
    mine = {animal: int(animal != lacking) for animal in HERD_ANIMALS}
    turn = play_turn({**mine, "dog": 1}, RABBIT, dice=("dog", "fox"))
    assert (turn.winner, turn.next_seat) == (None, 1)
    assert double_turn(mine, RABBIT, animal=lacking, then="fox").winner == 0


def test_h4_one_of_each_is_enough_and_no_dog_is_needed() -> None:
    turn = play_turn(LACKS_HORSE, RABBIT, before="horse")
    assert turn.herds[0] == dict.fromkeys(HERD_ANIMALS, 1)


def test_h4_a_trade_completes_the_herd_of_the_partner_in_another_players_turn() -> None:
    mine = herd(rabbit=5)
    turn = play_turn(mine, LACKS_RABBIT, dice=("T", "horse"), after="sheep")
    assert (turn.winner, turn.next_seat) == (1, None)
    turn = play_turn(LACKS_RABBIT, mine, dice=("T", "horse"), after="sheep", seat=1)
    assert (turn.winner, turn.next_seat) == (0, None)


@pytest.mark.parametrize("seat", [0, 1])
def test_h4_if_one_trade_completes_two_herds_the_player_whose_turn_it_is_wins(seat: int) -> None:
    herds = (LACKS_SHEEP, LACKS_RABBIT) if seat == 0 else (LACKS_RABBIT, LACKS_SHEEP)
    turn = play_turn(*herds, phase="after", t_in_force=True, after="sheep", seat=seat)
    assert turn.winner == seat
    assert all(set(one) == set(HERD_ANIMALS) for one in turn.herds)


def test_h4_a_whole_trade_is_one_change() -> None:
    mine = herd(rabbit=1, sheep=2, cow=1, horse=1)
    turn = play_turn(mine, RABBIT, before="pig", dice=("dog", "fox"))
    assert turn.winner is None  # the sheep are gone when the pig comes
    theirs = herd(rabbit=1, pig=1, cow=1, horse=1)
    turn = play_turn(herd(sheep=2), theirs, dice=("T", "dog"), after="pig")
    assert turn.winner is None  # his pig is gone when the sheep come


def test_h4_a_roll_that_is_no_double_cannot_give_a_first_tile_and_so_cannot_win() -> None:
    for special in ("skunk", "dog", "T"):
        turn = play_turn(LACKS_PIG, RABBIT, dice=(special, "pig"))
        assert turn.winner is None


def test_h4_a_position_with_a_complete_herd_is_refused() -> None:
    with pytest.raises(BadInput, match="H4"):
        play_turn(RABBIT, dict.fromkeys(HERD_ANIMALS, 1))


# H5 turn


def test_h5_a_turn_is_trade_once_roll_both_dice_trade_again() -> None:
    turn = play_turn(herd(rabbit=5, sheep=1), RABBIT, before="sheep", after="pig")
    assert turn.happened == ["trade", "roll", "trade"]
    assert turn.herds[0] == {"pig": 1}


def test_h5_at_most_one_trade_before_and_one_after() -> None:
    turn = play_turn(herd(sheep=8), RABBIT, before="pig", after="pig")
    assert turn.happened == ["trade", "roll", "trade"]
    assert turn.herds[0] == {"sheep": 4, "pig": 2}


def test_h5_nobody_has_to_trade() -> None:
    turn = play_turn(herd(rabbit=10, sheep=4), RABBIT)
    assert turn.happened == ["roll"]


def test_h5_what_a_trade_before_the_roll_gained_multiplies() -> None:
    turn = play_turn(herd(rabbit=6), RABBIT, before="sheep", dice=("rabbit", "sheep"))
    assert turn.herds[0] == {"rabbit": 2, "sheep": 2}


def test_h5_what_a_roll_gained_can_be_traded() -> None:
    turn = play_turn(herd(rabbit=4), RABBIT, dice=("rabbit", "pig"), after="sheep")
    assert turn.herds[0] == {"rabbit": 1, "sheep": 1}


def test_h5_a_game_can_be_taken_up_before_the_roll_without_a_trade() -> None:
    turn = play_turn(herd(sheep=8), RABBIT, before="pig", after="pig", phase="roll")
    assert turn.happened == ["roll", "trade"]


def test_h5_a_game_can_be_taken_up_after_the_roll() -> None:
    turn = play_turn(herd(sheep=8), RABBIT, before="pig", after="pig", phase="after")
    assert turn.happened == ["trade"]
    assert turn.next_seat == 1
    assert play_turn(RABBIT, RABBIT, seat=1, phase="after").happened == []


def test_h5_a_phase_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadInput, match="phase"):
        play_turn(RABBIT, RABBIT, phase="between")


# H6 dice


def test_h6_assumed_dice() -> None:
    wolf_die, fox_die = HerdRules().wolf_die, HerdRules().fox_die
    one_each = dict.fromkeys(("pig", "cow", "wolf", "skunk", "T"), 1)
    assert Counter(wolf_die) == {"rabbit": 5, "sheep": 2, **one_each}
    assert Counter(fox_die) == {"rabbit": 5, "sheep": 2, "pig": 2, "horse": 1, "fox": 1, "dog": 1}


def test_h6_super_farmer_dice() -> None:
    rules = HerdRules.from_settings({"dice": "super-farmer"})
    assert Counter(rules.wolf_die) == {"rabbit": 6, "sheep": 3, "pig": 1, "cow": 1, "wolf": 1}
    assert Counter(rules.fox_die) == {"rabbit": 6, "sheep": 2, "pig": 2, "horse": 1, "fox": 1}


def test_h6_any_twelve_faces_make_a_die() -> None:
    rules = HerdRules.from_settings({"wolf_die": "6F6T", "fox_die": ["cow"] * 11 + ["skunk"]})
    assert Counter(rules.wolf_die) == {"fox": 6, "T": 6}
    assert Counter(rules.fox_die) == {"cow": 11, "skunk": 1}
    assert rules.dice == "custom"


@pytest.mark.parametrize("faces", ["5R", "13R", "rabbit,pig", ["rabbit"] * 11 + ["goat"]])
def test_h6_a_die_has_twelve_known_faces(faces: object) -> None:
    with pytest.raises(BadInput, match="H6"):
        HerdRules.from_settings({"wolf_die": faces})


def test_h6_an_unknown_pair_of_dice_is_refused() -> None:
    with pytest.raises(BadInput, match="H6"):
        HerdRules.from_settings({"dice": "super-farmers"})


def test_h6_dice_on_which_every_roll_is_a_double_are_refused() -> None:
    with pytest.raises(BadInput, match="H6"):
        HerdRules.from_settings({"wolf_die": "12R", "fox_die": "12R"})


@pytest.mark.parametrize("dice", list(DICE))
def test_h6_each_die_shows_its_own_faces_about_equally_often(dice: str) -> None:
    lines, _ = play_game("hermit,hermit", max_turns=3000, dice=dice)
    rolls = [line.detail for line in lines if line.what == "roll"]
    for die, faces in enumerate(DICE[dice]):
        shown = Counter(roll[die] for roll in rolls)
        assert set(shown) == set(faces)
        for face, times in shown.items():
            p = faces.count(face) / 12
            assert abs(times - len(rolls) * p) < 5 * (len(rolls) * p * (1 - p)) ** 0.5


# H7 multiply


def test_h7_example_a_one_rabbit_and_no_pig_roll_rabbit_and_pig() -> None:
    turn = play_turn(RABBIT, RABBIT, dice=("rabbit", "pig"))
    assert turn.herds == ({"rabbit": 2}, {"rabbit": 1})


def test_h7_example_b_four_rabbits_roll_two_more() -> None:
    turn = double_turn(herd(rabbit=4), RABBIT, animal="rabbit", then="horse")
    assert turn.lines[0].herds[0] == {"rabbit": 7}


def test_h7_example_c_one_rabbit_and_one_sheep_roll_one_of_each() -> None:
    turn = play_turn(herd(rabbit=1, sheep=1), RABBIT, dice=("rabbit", "sheep"))
    assert turn.herds[0] == {"rabbit": 2, "sheep": 2}


@pytest.mark.parametrize("animal", HERD_ANIMALS)
def test_h7_example_d_a_pair_rolled_earns_a_first_tile(animal: str) -> None:
    turn = double_turn(herd(), RABBIT, animal=animal, then="fox")
    assert turn.lines[0].herds[0] == {animal: 1}


def test_h7_example_e_odd_amounts_are_ignored() -> None:
    turn = play_turn(herd(rabbit=6, pig=2), RABBIT, dice=("rabbit", "pig"))
    assert turn.herds[0] == {"rabbit": 9, "pig": 3}


@pytest.mark.parametrize("owned", range(14))
def test_h7_half_of_tiles_owned_and_symbols_rolled(owned: int) -> None:
    turn = play_turn(herd(sheep=owned), herd(), dice=("sheep", "horse"))
    assert turn.herds[0].get("sheep", 0) == owned + (owned + 1) // 2


@pytest.mark.parametrize("owned", [0, 1, 2, 7])
def test_h7_half_of_tiles_owned_and_two_symbols_rolled(owned: int) -> None:
    turn = double_turn(herd(sheep=owned), herd(), animal="sheep", then="fox")
    assert turn.lines[0].herds[0]["sheep"] == owned + (owned + 2) // 2


def test_h7_only_animals_on_the_dice_multiply() -> None:
    mine = herd(rabbit=4, sheep=4, pig=4)
    turn = play_turn(mine, herd(rabbit=4, cow=4), dice=("cow", "sheep"))
    assert turn.herds == ({"rabbit": 4, "sheep": 6, "pig": 4}, {"rabbit": 4, "cow": 4})


@pytest.mark.parametrize("owned", [8, 9, 11, 12])
def test_h7_never_more_than_12_rabbits(owned: int) -> None:
    turn = play_turn(herd(rabbit=owned), RABBIT, dice=("rabbit", "pig"))
    assert turn.herds[0] == {"rabbit": 12}
    assert turn.supply["rabbit"] == 39  # the excess stays in the supply


def test_h7_never_more_than_12_rabbits_on_a_double() -> None:
    turn = double_turn(herd(rabbit=11), RABBIT, animal="rabbit", then="horse")
    assert turn.lines[0].herds[0] == {"rabbit": 12}


def test_h7_never_more_than_one_horse() -> None:
    turn = play_turn(herd(horse=1), RABBIT, dice=("cow", "horse"))
    assert turn.herds[0] == {"horse": 1}
    turn = double_turn(herd(horse=1), RABBIT, animal="horse", then="fox")
    assert turn.herds[0] == {"horse": 1}


def test_h7_sheep_pigs_and_cows_have_no_limit_but_the_supply() -> None:
    turn = play_turn(herd(sheep=16, pig=13), RABBIT, dice=("sheep", "pig"))
    assert turn.herds[0] == {"sheep": 24, "pig": 20}
    turn = play_turn(herd(cow=10), RABBIT, dice=("cow", "fox"))
    assert turn.herds[0] == {"cow": 10}
    assert play_turn(herd(cow=10), RABBIT).herds[0] == {"cow": 15}


@pytest.mark.parametrize("too_many", [{"rabbit": 13}, {"horse": 2}, {"dog": 2}, {"sheep": -1}])
def test_h7_a_position_over_the_limit_is_refused(too_many: dict[str, int]) -> None:
    with pytest.raises(BadInput, match="H7"):
        play_turn(RABBIT, herd(**too_many))


# H8 doubles


@pytest.mark.parametrize("animal", HERD_ANIMALS)
def test_h8_example_f_roll_again_before_trading_on_doubles(animal: str) -> None:
    turn = double_turn(herd(rabbit=12), RABBIT, animal=animal, then="dog", after="sheep")
    assert turn.happened == ["roll", "roll", "trade"]


def test_h8_doubles_multiply_and_then_the_next_roll_multiplies() -> None:
    turn = double_turn(herd(rabbit=1), RABBIT, animal="rabbit", then="pig")
    assert [line.herds[0] for line in turn.lines] == [{"rabbit": 2}, {"rabbit": 3}]


def test_h8_roll_again_as_often_as_it_happens() -> None:
    pair = ("sheep", "sheep")
    turn = rolling(herd(), RABBIT, rolls=[pair, pair, pair, ("sheep", "pig")])
    assert [line.herds[0]["sheep"] for line in turn.lines] == [1, 2, 4, 6]
    assert turn.next_seat == 1


def test_h8_different_doubles_in_one_turn() -> None:
    turn = rolling(RABBIT, RABBIT, rolls=[("cow", "cow"), ("pig", "pig"), ("pig", "cow")])
    assert turn.herds[0] == {"rabbit": 1, "pig": 2, "cow": 2}


def test_h8_a_double_that_earns_nothing_is_rolled_again() -> None:
    turn = double_turn(herd(horse=1), RABBIT, animal="horse", then="dog")
    assert turn.herds[0] == {"horse": 1, "dog": 1}


def test_h8_no_second_roll_without_doubles() -> None:
    assert play_turn(RABBIT, RABBIT, dice=("rabbit", "pig")).happened == ["roll"]


def test_h8_no_trade_before_the_roll_again() -> None:
    turn = double_turn(herd(sheep=8), RABBIT, animal="cow", then="dog", before="pig")
    assert turn.happened == ["trade", "roll", "roll"]


def test_h8_a_special_after_a_double_acts_on_what_was_earned() -> None:
    turn = double_turn(herd(rabbit=4), RABBIT, animal="rabbit", then="fox")
    assert [line.herds[0] for line in turn.lines] == [{"rabbit": 7}, {"rabbit": 1}]
    turn = double_turn(herd(rabbit=4), RABBIT, animal="rabbit", then="T", after="none")
    assert turn.herds[0] == {"rabbit": 11}


def test_h8_a_t_after_a_double_binds_the_final_trade() -> None:
    rolls = [("pig", "pig"), ("T", "pig")]
    refused(herd(rabbit=6, sheep=2), herd(sheep=1), play=rolling, rolls=rolls, after="pig")
    turn = rolling(herd(rabbit=6), herd(sheep=1), rolls=rolls, after="sheep")
    assert turn.lines[-1].detail == ("sheep", 1)


# H9 two specials

ANIMAL_PAIRS = [(one, two) for one in FOUR for two in FOUR]
T_PAIRS = [pair for other in FOUR for pair in (("T", other), (other, "T"))]


@pytest.mark.parametrize("t_cancels", [False, True])
@pytest.mark.parametrize("pair", ANIMAL_PAIRS, ids="+".join)
def test_h9_two_of_fox_wolf_skunk_and_dog_cancel(pair: tuple[str, str], t_cancels: bool) -> None:
    mine = herd(rabbit=7, sheep=2)
    turn = play_turn(mine, RABBIT, dice=pair, t_cancels=t_cancels)
    assert turn.happened == ["roll"]
    assert turn.herds == ({"rabbit": 7, "sheep": 2}, {"rabbit": 1})
    assert turn.lines[-1].skunk is None


@pytest.mark.parametrize("pair", ANIMAL_PAIRS, ids="+".join)
def test_h9_cancelled_specials_leave_dog_and_skunk_where_they_are(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=7, dog=1), RABBIT, dice=pair, skunk=1)
    assert turn.herds[0] == {"rabbit": 7, "dog": 1}
    assert turn.lines[-1].skunk == 1


@pytest.mark.parametrize("pair", ANIMAL_PAIRS, ids="+".join)
def test_h9_the_final_trade_follows_with_the_supply(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=7), herd(sheep=1), dice=pair, after="sheep")
    assert turn.lines[-1].detail == ("sheep", None)
    assert turn.herds[0] == {"rabbit": 2, "sheep": 1}


@pytest.mark.parametrize("pair", [*T_PAIRS, ("T", "T")], ids="+".join)
def test_h9_t_cancels_true_t_is_one_of_them_and_leaves_the_final_trade_free(
    pair: tuple[str, str],
) -> None:
    turn = play_turn(herd(rabbit=7), RABBIT, dice=pair, after="sheep", t_cancels=True)
    assert turn.happened == ["roll", "trade"]
    assert turn.herds[0] == {"rabbit": 2, "sheep": 1}
    kept = play_turn(herd(rabbit=7, dog=1), RABBIT, dice=pair, t_cancels=True)
    assert kept.herds[0] == {"rabbit": 7, "dog": 1}


@pytest.mark.parametrize("pair", [("T", "dog"), ("dog", "T")], ids="+".join)
def test_h9_t_cancels_false_t_leaves_a_dog_in_force(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=7), herd(sheep=1), dice=pair, after="sheep")
    assert turn.herds == ({"rabbit": 2, "sheep": 1, "dog": 1}, {"rabbit": 5})
    refused(herd(rabbit=7, sheep=2), herd(sheep=1), dice=pair, after="pig")


@pytest.mark.parametrize("pair", [("T", "skunk"), ("skunk", "T")], ids="+".join)
def test_h9_t_cancels_false_t_leaves_a_skunk_in_force(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=7), herd(sheep=1), dice=pair, after="sheep")
    assert turn.happened == ["roll", "skunk", "trade"]
    assert turn.lines[-1].skunk == 1
    assert turn.lines[-1].detail == ("sheep", 1)
    refused(herd(rabbit=7, sheep=2), herd(sheep=1), dice=pair, after="pig")


@pytest.mark.parametrize("pair", [("T", "wolf"), ("wolf", "T")], ids="+".join)
def test_h9_t_cancels_false_t_leaves_a_wolf_in_force(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=7, dog=1), herd(sheep=1), dice=pair, after="sheep")
    assert turn.happened == ["roll", "trade"]
    assert turn.herds == ({"rabbit": 2, "sheep": 1}, {"rabbit": 5})  # the dog is lost
    refused(herd(rabbit=7, sheep=2, dog=1), herd(sheep=1), dice=pair, after="pig")
    turn = play_turn(herd(rabbit=7), herd(sheep=1), dice=pair, after="sheep")
    assert turn.happened == ["roll", "wolf roll", "trade"]
    assert turn.lines[-1].detail == ("sheep", 1)


def test_h9_t_cancels_false_the_wolf_beside_a_t_takes_what_its_own_roll_shows() -> None:
    rolls = [("wolf", "T"), ("rabbit", "pig")]
    turn = rolling(herd(rabbit=7, pig=2), herd(sheep=1), rolls=rolls, after="sheep")
    assert turn.herds[0] == {"rabbit": 1, "sheep": 1, "pig": 1}
    assert turn.lines[-1].detail == ("sheep", 1)


@pytest.mark.parametrize("pair", [("T", "fox"), ("fox", "T")], ids="+".join)
def test_h9_t_cancels_false_a_fox_ignores_the_t(pair: tuple[str, str]) -> None:
    turn = play_turn(herd(rabbit=7, sheep=2), herd(pig=1), dice=pair, after="pig")
    assert turn.herds == ({"rabbit": 1, "pig": 1}, {"pig": 1})
    turn = play_turn(herd(rabbit=7, sheep=2, dog=1), herd(pig=1), dice=pair, after="pig")
    assert turn.herds == ({"rabbit": 7, "pig": 1, "dog": 1}, {"pig": 1})


def test_h9_t_cancels_false_t_with_t_is_a_t() -> None:
    turn = play_turn(herd(rabbit=7), herd(sheep=1), dice=("T", "T"), after="sheep")
    assert turn.happened == ["roll", "trade"]
    assert turn.lines[-1].detail == ("sheep", 1)
    refused(herd(rabbit=7, sheep=2), herd(sheep=1), dice=("T", "T"), after="pig")
