"""What must hold in every game of SWAP!, for any rules, line-up and position."""

import dataclasses
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from herdlab.simcore.batch import Bout, Threads, simulate, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.sums import LENGTH, WINNERS, Sums, add_up
from herdlab.simcore.swap.rules import COLOURS, MAX_PLAYERS, N_CARDS, SwapRules
from herdlab.simcore.swap.table import Position, check_position, left_over, pack, unpack
from herdlab.simcore.table import OBSERVES
from herdlab.strategies.registry import seat_players, strategies_of
from tests.simcore.swap.harness import SWAP, Line, bout, log_lines, name, script
from tests.simcore.swap.tables import lines_of, seated

NAMES = [one for one in strategies_of(SWAP) if one != "test-scripted"]
FEW = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
LARGEST: dict[str, Any] = {
    "plain": 31, "slap": 7, "switch": 7, "super_swap": 7, "swap_cards": 60, "max_turns": 400,
}  # fmt: skip


@st.composite
def rule_sets(draw: st.DrawFn, players: int) -> SwapRules:
    values: dict[str, Any] = {
        "max_turns": draw(st.integers(1, 150)),
        "slap_empties": draw(st.sampled_from(("wins", "plays_on"))),
        "false_slap_rate": draw(st.sampled_from((0.0, 0.0, 0.1, 1.0))),
        "swap_seats": draw(st.booleans()),
        "seat_next": draw(st.sampled_from(("place", "player"))),
        "cards": draw(st.integers(1, 10)),
    }
    if draw(st.booleans()):
        speeds = st.floats(0.001, 1000)
        values["slap_speed"] = draw(st.lists(speeds, min_size=players, max_size=players))
    if draw(st.booleans()):
        per_kind = st.integers(0, 3)
        for key in ("plain", "slap", "switch", "super_swap", "swap_cards"):
            values[key] = draw(per_kind)
    rules = SwapRules.from_settings(values)
    try:
        rules.check_players(players)
    except BadInput:  # too few cards
        return SwapRules(plain=4, slap=2, cards=2, max_turns=100)
    return rules


@st.composite
def positions(draw: st.DrawFn, rules: SwapRules, players: int) -> Position | None:
    deck = draw(st.permutations(rules.deck()))
    if len(deck) < 3 * players + 3:
        return None
    hands = []
    for _ in range(players):
        n_cards = draw(st.integers(1, 3))
        hands.append(tuple(deck[:n_cards]))
        deck = deck[n_cards:]
    n_discards, n_pile = draw(st.integers(1, len(deck))), draw(st.integers(0, 3))
    discards, deck = tuple(deck[:n_discards]), deck[n_discards:]
    who = draw(st.permutations(range(players))) if rules.swap_seats else ()
    return Position(
        tuple(hands),
        discards,
        draw(st.integers(0, 3)),
        tuple(deck[:n_pile]),
        draw(st.integers(0, players - 1)),
        draw(st.integers(0, rules.max_turns - 1)),
        tuple(who),
    )


def can_play(hand: Sequence[str], colour: str) -> bool:
    """S4: whether a hand has a card of the colour in force, or a SWAP."""
    return any(card == "swap" or card.startswith(colour) for card in hand)


def check_cards(rules: SwapRules, lines: list[Line], discards: Counter[str], top: str) -> None:
    """S1: every card is in a hand, in the pile or among the discards, at every line."""
    deck = Counter(map(name, rules.deck()))
    for line in lines:
        if line.what == "play":
            top = str(line.detail[0])
            discards[top] += 1
        elif line.what == "reshuffle":
            discards = Counter([top])
        held = Counter(card for hand in line.hands for card in hand)
        assert held.total() + line.pile + line.discards == deck.total()
        assert discards.total() == line.discards
        assert held + discards <= deck
        assert (deck - held - discards).total() == line.pile


def check_moves(lines: list[Line]) -> None:
    """S4, S5, S10, S11: what is played could be, who draws must, who passes can do nothing else."""
    card = ""
    for before, line in zip(lines, lines[1:], strict=False):
        place = before.who.index(line.player)
        must_draw = not can_play(before.hands[place], before.colour)
        drawn = str(before.detail[0]) if before.what == "draw" else ""
        if line.what == "play":
            card = str(line.detail[0])
            assert can_play([card], before.colour)
            assert all(one for at, one in enumerate(line.hands) if at != place)
            assert card in before.hands[place]
            assert card == drawn or before.what != "draw" or before.turn != line.turn
        elif line.what == "draw":
            assert must_draw
        elif line.what == "pass":
            assert must_draw and (line.pile, line.discards) == (0, 1)
        elif line.what == "colour":
            assert card.split()[-1:] != ["switch"] or line.detail[0] != before.colour
        if drawn and can_play([drawn], before.colour):
            assert line.what == "play" and line.turn == before.turn
        elif drawn:
            assert line.turn == before.turn + 1 or line.what == "drawn game"


def check_end(rules: SwapRules, lines: list[Line], row: dict[str, int]) -> None:
    """S10-S12: one winner without cards, or a draw shared by those with the fewest."""
    last, players = lines[-1], len(lines[0].who)
    assert [line.what in ("win", "drawn game") for line in lines].index(True) == len(lines) - 1
    left = {player: len(last.hands[place]) for place, player in enumerate(last.who)}
    assert [row[f"cards_left_{player}"] for player in range(players)] == [
        left[player] for player in range(players)
    ]
    winners = {player for player in range(players) if row["winners"] >> player & 1}
    assert row["winners"] < 1 << players
    if last.what == "win":
        assert winners == {last.player} and left[last.player] == 0 and row["drawn_games"] == 0
    else:
        fewest = min(left.values())
        assert winners == {player for player in left if left[player] == fewest} and fewest > 0
        assert row["drawn_games"] == 1
        assert row["length"] == rules.max_turns or lines[-2].what == "pass"
    assert row["length"] == last.turn + 1 <= rules.max_turns


def check_events(lines: list[Line], row: dict[str, int]) -> None:
    """A row counts what the log tells."""
    told = Counter(line.what for line in lines)
    for event, what in (("swaps", "swap"), ("super_swaps", "super swap"), ("slaps", "slap"),
                        ("reshuffles", "reshuffle")):  # fmt: skip
        assert row[event] == told[what]
    penalties = sum(line.what == "false slap" and line.detail[0] is not None for line in lines)
    assert row["cards_drawn"] == told["draw"] + told["emptied"] + penalties
    played = Counter(str(line.detail[0]).split()[-1] for line in lines if line.what == "play")
    assert row["played_plain"] == played["plain"] and row["played_swap"] == played["swap"]
    assert row["played_slap"] == played["slap"] and row["played_switch"] == played["switch"]
    assert row["played_super_swap"] == played["super"]
    takers = Counter(line.detail[0] for line in lines if line.what == "slap")
    for player in range(len(lines[0].who)):
        assert row[f"slapped_last_{player}"] == takers[player]
    last = sum(value for event, value in row.items() if event.startswith("last_"))
    assert last == told["win"]


@FEW
@given(data=st.data(), seed=st.integers(0, 2**64 - 1), players=st.integers(2, 10))
def test_any_game_keeps_to_the_rules(data: st.DataObject, seed: int, players: int) -> None:
    rules = data.draw(rule_sets(players))
    names = data.draw(st.lists(st.sampled_from(NAMES), min_size=players, max_size=players))
    start = data.draw(st.none() | positions(rules, players))
    bout = Bout(SWAP, rules, seat_players(SWAP, rules, ",".join(names)), stream_seeds(seed), start)
    rows, log = bout.logged(0)
    assert np.array_equal(rows, bout.rows(0, 1)), "watched and unwatched play differ"
    row = dict(zip(bout.columns, rows[0].tolist(), strict=True))
    lines = log_lines(log, players)
    top = str(lines[0].detail[0])
    under = [top] if start is None else [name(card) for card in start.discards]
    check_cards(rules, lines, Counter(under), top)
    check_moves(lines)
    check_end(rules, lines, row)
    check_events(lines, row)


@pytest.mark.parametrize("players", [2, 5, 10])
def test_the_largest_deck_is_no_trouble(players: int) -> None:
    rules = SwapRules.from_settings({**LARGEST, "cards": 26})
    bout = Bout(SWAP, rules, seat_players(SWAP, rules, ",".join(["random"] * players)),
                stream_seeds(players))  # fmt: skip
    for number in range(3):
        lines = lines_of(bout, number)
        top = str(lines[0].detail[0])
        check_cards(rules, lines, Counter([top]), top)
        check_moves(lines)


def test_a_card_too_many_would_be_caught() -> None:
    """The companion: a card that turns up in a hand from nowhere fails the check."""
    lines = lines_of(seated("random,random"))
    amiss = dataclasses.replace(lines[9], hands=((*lines[9].hands[0], "swap"), lines[9].hands[1]))
    other = [*lines[:9], amiss, *lines[10:]]
    top = str(lines[0].detail[0])
    check_cards(SwapRules(), lines, Counter([top]), top)
    with pytest.raises(AssertionError):
        check_cards(SwapRules(), other, Counter([top]), top)


@FEW
@given(
    coloured=st.tuples(*[st.integers(0, most) for _ in COLOURS for most in (31, 7, 7, 7)]),
    swaps=st.integers(0, 60),
)
def test_packing_a_hand_loses_nothing(coloured: tuple[int, ...], swaps: int) -> None:
    held = [card for card, n in enumerate((*coloured, swaps)) for _ in range(n)]
    assert list(unpack(pack(held))) == held
    assert len(coloured) + 1 == N_CARDS


@FEW
@given(data=st.data(), players=st.integers(2, 4))
def test_every_position_that_is_accepted_is_possible(data: st.DataObject, players: int) -> None:
    rules = SwapRules(plain=1, slap=1, switch=0, super_swap=0, swap_cards=1, max_turns=9)
    some = st.lists(st.integers(-1, 17), max_size=3).map(tuple)
    start = Position(
        tuple(data.draw(some) for _ in range(players)),
        data.draw(some),
        data.draw(st.integers(-1, 4)),
        data.draw(some),
        data.draw(st.integers(-1, 4)),
        data.draw(st.integers(-1, 9)),
    )
    try:
        check_position(rules, start)
    except BadInput:
        return
    placed = [*start.discards, *start.pile, *(card for hand in start.hands for card in hand)]
    assert Counter(placed) + Counter(left_over(rules, start)) == Counter(rules.deck())
    assert all(start.hands) and start.discards
    assert start.colour in range(4) and start.place in range(players) and start.turn in range(9)


LINE_UPS = ["random,raider", "shedder,random,test-anything", ",".join(["random"] * MAX_PLAYERS)]


@pytest.mark.parametrize("line_up", LINE_UPS)
@pytest.mark.parametrize("rules", [{}, {"max_turns": 30, "false_slap_rate": 0.2}], ids=str)
def test_every_game_has_one_win_to_share_and_histograms_count_all(
    line_up: str, rules: dict[str, Any]
) -> None:
    bout = seated(line_up, **rules)
    players, n = len(bout.players), 400
    rows, sums = bout.rows_and_sums(range(n))
    shares = sum(
        Fraction(k, with_others + 1) for row in sums.wins for with_others, k in enumerate(row)
    )
    assert shares == n and sums.unfinished == 0 and (rows[:, WINNERS] > 0).all()
    drawn = rows[:, bout.columns.index("drawn_games")]
    alone = np.array([int(mask).bit_count() == 1 for mask in rows[:, WINNERS]])
    assert (alone | (drawn == 1)).all()
    for player in range(players):
        left = rows[:, bout.columns.index(f"cards_left_{player}")]
        counted = sums.tallied(SWAP.tallies(players)[f"histogram cards_left_{player}"])
        assert counted == np.bincount(np.minimum(left, 59), minlength=60).tolist()


@pytest.mark.parametrize("line_up", LINE_UPS)
def test_results_are_the_same_for_any_threads_and_chunks(line_up: str) -> None:
    bout = seated(line_up, false_slap_rate=0.05, max_turns=300)
    players = len(bout.players)
    whole = bout.sums(range(1200))
    assert whole.totals == add_up(bout.rows(0, 1200), players).totals
    for threads, chunk in ((1, None), (2, None), (2, 7), (3, 500), (1, 5000)):
        into = Sums(players)
        assert simulate(bout.sums, into, range(1200), crew=Threads(threads), chunk=chunk) == whole


def test_games_do_not_depend_on_those_before() -> None:
    """A game in the middle of a batch is the game on its own, in a table used or fresh."""
    bout = seated("random,test-anything,raider,shedder", swap_seats=True, slap_empties="plays_on")
    rows = bout.rows(0, 60)
    for number in (0, 17, 59):
        assert np.array_equal(bout.rows(number, number + 1)[0], rows[number])
        assert np.array_equal(bout.logged(number)[0][0], rows[number])
    assert len(np.unique(rows, axis=0)) > 50


def test_a_game_that_failed_leaves_nothing_behind() -> None:
    """A choice is refused in the middle of one game; the next on the same table is as ever."""
    scripts = {1: script(direction=-1)}

    def fails(number: int) -> bool:
        try:
            bout(SwapRules(), scripts, 3).rows(number, number + 1)
        except BadInput:
            return True
        return False

    failing = next(number for number in range(100) if fails(number))
    sound = next(number for number in range(100) if not fails(number))
    used = bout(SwapRules(), scripts, 3)
    with pytest.raises(BadInput):
        used.rows(failing, failing + 1)
    fresh = bout(SwapRules(), scripts, 3).rows(sound, sound + 1)
    assert np.array_equal(used.rows(sound, sound + 1), fresh)


def test_who_watches_changes_nothing() -> None:
    """Players who draw no deal, told of every event or of none, play the same games."""
    rules = SwapRules(false_slap_rate=0.1, slap_empties="plays_on")
    silent = seat_players(SWAP, rules, "shedder,raider,shedder")
    watching = [dataclasses.replace(one, flags=one.flags | OBSERVES) for one in silent]
    plain = Bout(SWAP, rules, silent, stream_seeds(6)).rows(0, 100)
    assert np.array_equal(Bout(SWAP, rules, watching, stream_seeds(6)).rows(0, 100), plain)


def test_each_kind_of_luck_has_a_seed_of_its_own() -> None:
    rules = SwapRules()

    def rows(line_up: str, **kinds: int) -> np.ndarray:
        players = seat_players(SWAP, rules, line_up)
        return Bout(SWAP, rules, players, stream_seeds(1, **kinds)).rows(0, 100)

    sure = rows("shedder,raider,shedder")
    assert np.array_equal(rows("shedder,raider,shedder", choice=9), sure)
    assert np.array_equal(rows("shedder,raider,shedder", dice=9), sure)
    for kind in ("deal", "table"):
        assert not np.array_equal(rows("shedder,raider,shedder", **{kind: 9}), sure)
    assert not np.array_equal(rows("random,random", choice=9), rows("random,random"))
    assert (sure[:, LENGTH] > 0).all()
