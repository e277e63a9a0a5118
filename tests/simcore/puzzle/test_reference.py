"""The engine against the plain-Python rulebook: same deals and choices, same states throughout.

Every game is played three times: by the reference, by the engine with a log, and by the engine
without one, which takes a short cut at tables of strategies that look only at their own.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice, product
from random import Random
from typing import Any, cast

import pytest

from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.puzzle.rules import CURVE_POINTS, CURVE_STEP, PuzzleRules
from herdlab.simcore.puzzle.table import Position
from herdlab.simcore.puzzle.view import CARD_BITS
from herdlab.simcore.sums import Sums
from herdlab.simcore.table import OWN_ONLY
from herdlab.strategies.registry import seat_players
from tests.reference import puzzle as reference
from tests.reference.puzzle import Chooser, ForcedPass, Look, Offer, Result, Rules, Step, Table
from tests.reference.puzzle_anchors import ANCHORS
from tests.reference.puzzle_table import PIECES, Counts, Word
from tests.simcore.puzzle.harness import GAMES, log_lines, rules_of

Settings = dict[str, Any]

EDITIONS: list[Settings] = [
    {"game": game, "advanced": advanced}
    for game, advanced in product(("horse-trader", "bronco"), (False, True))
]
TABLES = list(product(EDITIONS, (3, 4)))
CALLERS, ADVANCED_ONLY = ("caller", "nagger"), ("bluffer", "sceptic")
TEMPO, REACTION = (1.0, 4.0, 0.5, 2.5), (3.0, 0.001, 1.0, 7.25)
SETTINGS: list[Settings] = [
    {"tempo": TEMPO},
    {"reaction": REACTION},
    {"tempo": (0.001, 1000.0, 1.0, 30.0), "reaction": (1000.0, 0.001, 1 / 3, 0.1)},
    {"simultaneous": "order"},
    *({"calls": calls} for calls in (0, 1, 2, 3, 4, 9)),
    *({"largest_offer": largest} for largest in (1, 2, 3, 4)),
    *({"max_beats": beats} for beats in (1, 2, 10, 11, 57)),
    {"tempo": TEMPO, "reaction": REACTION, "calls": 2, "largest_offer": 3, "max_beats": 70},
    {"tempo": TEMPO, "calls": 1, "largest_offer": 2, "simultaneous": "order", "max_beats": 150},
]


class Anything:
    """The twin of the strategy `test-anything`: its choices drawn as its text says."""

    def word(self, look: Look) -> Word:
        ways = ("left", "right", "across")[: len(look.sizes) - 1]
        legal: list[Word] = [None, *(ForcedPass(way) for way in ways if look.may_call)]
        largest = look.rules.largest_offer
        for said, committed in product(range(1, largest + 1), range(largest + 1)):
            if committed <= sum(look.pieces) and (look.rules.advanced or committed == said):
                legal.append(Offer(said, committed))
        return legal[look.below(len(legal))]

    def answer(self, look: Look) -> str:
        return ("no", "trade", "call")[look.below(3 if look.rules.advanced else 2)]

    def keep(self, look: Look) -> Counts:
        return tuple(look.below(PIECES + 1) for _ in range(4))


PLAIN_PYTHON: dict[str, Callable[[], Chooser]] = {**ANCHORS, "test-anything": Anything}


def anchors_of(edition: Settings) -> list[str]:
    """Return the anchors that may play this edition."""
    return [name for name in ANCHORS if edition["advanced"] or name not in ADVANCED_ONLY]


def for_seats(settings: Settings, n: int) -> Settings:
    """Return settings with weights for so many seats."""
    return {k: v[:n] if k in ("tempo", "reaction") else v for k, v in settings.items()}


def plain_rules(rules: PuzzleRules) -> Rules:
    """Return the engine's rules as the reference has them."""
    fields = Rules.__dataclass_fields__.keys() - {"edition"}
    return Rules(edition=rules.game, **{name: getattr(rules, name) for name in fields})


def plain_table(start: Position, rules: Rules) -> Table:
    """Return a position as the reference has it."""
    return Table(
        holdings=[list(holding) for holding in start.holdings],
        cards=list(start.cards),
        rules=rules,
        beat=start.beat,
        kept=start.speaker,
        last_caller=start.last_caller,
        row=start.in_a_row,
        locked=start.is_locked,
        calls=list(start.called),
    )


def plain_game(
    rules: Rules, names: Sequence[str], seed: int, game: int, start: Position | None = None
) -> tuple[Result, Counts]:
    """Play a game by the reference; return what came of it and the puzzle cards."""
    luck, choosers = reference.SeededLuck(seed, game), [PLAIN_PYTHON[name]() for name in names]
    if start is not None:
        return reference.play_from(plain_table(start, rules), luck, choosers), start.cards
    result = reference.play(rules, luck, choosers)
    return result, cast(Counts, result.steps[0].detail[0])


def plain_row(result: Result, cards: Counts) -> dict[str, int]:
    """Return the row of outcomes of a game of the reference, by the names of the columns."""
    kinds = Counter(step.kind for step in result.steps)
    row = {
        "winners": sum(1 << seat for seat in result.winners),
        "length": result.beats,
        "trades": result.trades,
        "passes": result.passes,
        "bluffs_called_right": result.called_right,
        "bluffs_called_wrong": result.called_wrong,
        "lapses": kinds["lapse"],
        "silences": kinds["silent"],
        "stalls": int(not result.winners),
    }
    for seat, (deeds, card) in enumerate(zip(result.deeds, cards, strict=True)):
        by_seat = {
            "own_pieces": result.steps[-1].holdings[seat][card],
            "trades_made": deeds.trades,
            "offers": deeds.offers,
            "passes_called": deeds.passes,
            "bluffs_tried": deeds.bluffs,
            "calls_right": deeds.calls_right,
            "calls_wrong": deeds.calls_wrong,
            "gained_by_bluffs": deeds.gained_by_bluffs,
            "gained_by_calls": deeds.gained_by_calls,
        }
        row |= {f"{name}_{seat}": value for name, value in by_seat.items()}
    return row


def add_curve(
    curves: Counter[tuple[int, int, int]],
    result: Result,
    cards: Counts,
    first: tuple[Counts, ...],
    begin: int,
) -> None:
    """Add a game's own pieces to the curves, by seat, part (see `Curve`) and point."""
    before = {begin: first}
    for step in result.steps:
        if step.kind != "deal":
            before[step.beat + 1] = step.holdings
    for point in range(CURVE_POINTS):
        beat = min(begin + CURVE_STEP * point, result.beats)
        is_over = beat == result.beats
        for seat, card in enumerate(cards):
            own = before[beat][seat][card]
            curves[seat, 2 * is_over, point] += own
            curves[seat, 2 * is_over + 1, point] += own * own
        if is_over:
            return


def same_curves(sums: Sums, bout: Bout, curves: Counter[tuple[int, int, int]], where: str) -> None:
    """Check the curves of own pieces that the engine tallied."""
    for seat in range(n := len(bout.players)):
        ours = sums.tallied(bout.game.tallies(n)[f"curve own_pieces_{seat}"])
        theirs = [curves[seat, part, p] for part in range(4) for p in range(CURVE_POINTS)]
        assert ours == theirs, (where, seat)


def compare(
    settings: Settings,
    names: Sequence[str],
    seed: int,
    games: range,
    start: Position | None = None,
    fault: Settings | None = None,
) -> Counter[str]:
    """Play `games` by both and compare all; return how often what happened.

    `fault` are rules that the reference is given instead of the right ones.
    """
    n, edition = len(names), settings["game"]
    rules = rules_of(edition, **{k: v for k, v in settings.items() if k != "game"})
    plain = replace(plain_rules(rules), **(fault or {}))
    players = seat_players(GAMES[edition], rules, ",".join(names))
    bout = Bout(GAMES[edition], rules, players, stream_seeds(seed), start)
    fast = bout.rows(games.start, games.stop).tolist()
    happened: Counter[str] = Counter(games=len(games))
    happened["short cuts"] = len(games) * all(player.flags & OWN_ONLY for player in players)
    curves: Counter[tuple[int, int, int]] = Counter()
    for number in games:
        where = f"{','.join(names)}, {settings}, {start}, seed {seed}, game {number}"
        result, cards = plain_game(plain, names, seed, number, start)
        row, log = bout.logged(number)
        lines = log_lines(log, n)
        logged_cards = tuple(int(log[0, 5]) >> CARD_BITS * seat & 15 for seat in range(n))
        dealt = lines.pop(0) if start else lines[0]
        assert start is None or (dealt.holdings, logged_cards) == (start.holdings, cards), where
        for line, step in zip(lines, result.steps, strict=False):
            detail = (logged_cards,) if line.what == "deal" else line.detail
            ours = Step(line.what, line.beat, line.seat, detail, line.holdings, line.gifts)
            assert ours == step, where
        assert len(lines) == len(result.steps), where
        expected = plain_row(result, cards)
        for played in (row[0].tolist(), fast[number - games.start]):
            assert dict(zip(bout.columns, played, strict=True)) == expected, where
        add_curve(curves, result, cards, dealt.holdings, start.beat if start else 0)
        happened.update(step.kind for step in result.steps)
        happened["shared wins"] += len(result.winners) > 1
        happened["paid less"] += any(
            step.kind == "bluff called" and sum(map(sum, step.gifts)) < int(str(step.detail[1]))
            for step in result.steps
        )
    same_curves(bout.sums(games), bout, curves, f"{names}, {settings}, {start}, seed {seed}")
    return happened


def positions(settings: Settings, n: int, seed: int) -> Iterator[Position]:
    """Yield odd positions: puzzles nearly or half complete, calls made, and the word kept.

    All are what some beats of trading can lead to, or, in the advanced game, payments.
    """
    rng, rules, seats = Random(seed), rules_of(**settings), range(n)
    for turn in count():
        cards = rng.sample(seats, n)
        holdings = [[PIECES if puzzle == card else 0 for puzzle in seats] for card in cards]
        for _ in range(rng.choice((1, 1, 2, 3, 5, 60, 400))):
            giver, taker = rng.sample(seats, 2)
            _give_any(rng, holdings, giver, taker)
            _give_any(rng, holdings, taker, giver)
        if rules.advanced:
            rich = rng.choice(seats)
            for giver in rng.sample([s for s in seats if s != rich], rng.randint(1, n - 1)):
                for _ in range(rng.choice((1, 30, *range(PIECES - 4, PIECES + 1)))):
                    _give_any(rng, holdings, giver, rich)
        if any(holdings[seat][cards[seat]] == PIECES for seat in seats):
            continue
        caller = rng.choice((None, *seats))
        yield Position(
            holdings=tuple(map(tuple, holdings)),
            cards=tuple(cards),
            beat=rng.choice((0, 1, 17, 1000)),
            speaker=None if caller is None else rng.choice((None, caller)),
            last_caller=caller,
            in_a_row=0 if caller is None else rng.randint(1, max(1, rules.calls)),
            is_locked=caller is not None and rng.random() < 0.5,
            called=() if turn % 3 == 0 else tuple(rng.randint(0, 4) for _ in seats),
        )


def _give_any(rng: Random, holdings: list[list[int]], giver: int, taker: int) -> None:
    laid_out = [puzzle for puzzle, n in enumerate(holdings[giver]) for _ in range(n)]
    if laid_out:
        puzzle = rng.choice(laid_out)
        holdings[giver][puzzle] -= 1
        holdings[taker][puzzle] += 1


def mixed(edition: Settings, n: int, seed: int, others: Sequence[str] = ()) -> list[str]:
    """Return a line-up drawn from the anchors that may play, and others."""
    return Random(seed).choices([*anchors_of(edition), *others], k=n)


@pytest.mark.parametrize(("edition", "n"), TABLES, ids=str)
def test_every_anchor(edition: Settings, n: int) -> None:
    """Each at a table of its own kind, and among others."""
    chosen = edition | {"max_beats": 250}
    for place, name in enumerate(anchors_of(edition)):
        alone = compare(chosen, [name] * n, place, range(1))
        assert (alone["short cuts"] == 0) == (name in CALLERS)
        others = mixed(edition, n - 1, 100 + place)
        compare(chosen, [*others[:1], name, *others[1:]], 50 + place, range(3 + place % 2, 5))


@pytest.mark.parametrize(("edition", "n"), TABLES, ids=str)
def test_all_settings_with_anchors(edition: Settings, n: int) -> None:
    happened: Counter[str] = Counter()
    for place, settings in enumerate(SETTINGS):
        chosen = edition | {"max_beats": 100} | for_seats(settings, n)
        names = mixed(edition, n, 200 + place)
        names[place % n] = ("caller", "nagger", "trader-4")[place % 3]
        happened += compare(chosen, names, 300 + place, range(place, place + 1 + place % 2))
    assert {"offer", "trade", "lapse", "pass", "win", "stall"} <= set(happened), happened
    assert bool(happened["bluff called"]) == edition["advanced"]


@pytest.mark.parametrize(("edition", "n"), TABLES, ids=str)
def test_the_short_cut_with_all_settings(edition: Settings, n: int) -> None:
    """Tables of players who look only at their own: the longest way from the rulebook."""
    happened: Counter[str] = Counter()
    own_only = [name for name in anchors_of(edition) if name not in CALLERS]
    for place, settings in enumerate(SETTINGS):
        chosen = edition | {"max_beats": 100} | for_seats(settings, n)
        names = Random(400 + place).choices(own_only, k=n)
        happened += compare(chosen, names, 500 + place, range(1 + place % 2))
    assert happened["short cuts"] == happened["games"]
    assert {"offer", "trade", "lapse", "win", "stall"} <= set(happened), happened


@pytest.mark.parametrize(("edition", "n"), TABLES, ids=str)
def test_all_settings_with_players_who_do_anything(edition: Settings, n: int) -> None:
    happened: Counter[str] = Counter()
    for place, settings in enumerate(SETTINGS):
        chosen = edition | {"max_beats": 40} | for_seats(settings, n)
        happened += compare(chosen, ["test-anything"] * n, 600 + place, range(1))
        names = mixed(edition, n, 700 + place, ["test-anything"] * 4)
        happened += compare(chosen, names, 800 + place, range(1))
    assert {"offer", "trade", "lapse", "silent", "pass", "stall"} <= set(happened), happened
    assert bool(happened["bluff called"]) == edition["advanced"]


@pytest.mark.parametrize(("edition", "n"), TABLES, ids=str)
def test_positions_to_start_from(edition: Settings, n: int) -> None:
    happened: Counter[str] = Counter()
    for place, start in enumerate(islice(positions(edition, n, n), 30)):
        settings = edition | for_seats(SETTINGS[place % len(SETTINGS)], n)
        settings["max_beats"] = start.beat + settings.get("max_beats", 25)
        others = (["test-anything"] * 20, ["test-anything"], [])[place % 3]
        names = mixed(edition, n, 900 + place, others)
        happened += compare(settings, names, 1000 + place, range(2), start)
    assert {"offer", "trade", "lapse", "silent", "pass", "win", "stall"} <= set(happened), happened
    assert happened["short cuts"]
    assert bool(happened["paid less"]) == edition["advanced"], happened


@pytest.mark.parametrize(("edition", "n"), TABLES, ids=str)
def test_several_complete_at_once(edition: Settings, n: int) -> None:
    """Everybody lacks one piece, which another has: one pass, or a trade, completes several."""
    happened = {"share": Counter[str](), "order": Counter[str]()}
    cards = (*range(1, n), 0)
    for to, simultaneous in product(range(1, n), happened):
        wanted = [(card, cards[(seat + to) % n]) for seat, card in enumerate(cards)]
        rows = [[(PIECES - 1) * (p == a) + (p == b) for p in range(n)] for a, b in wanted]
        start = Position(tuple(map(tuple, rows)), cards)
        chosen = edition | {"max_beats": 40, "simultaneous": simultaneous}
        for names in (["caller"] * n, ["trader-1"] * n, mixed(edition, n, to)):
            happened[simultaneous] += compare(chosen, names, to, range(2), start)
    assert happened["share"]["shared wins"] > 1
    assert happened["order"]["win"] > 1
    assert not happened["order"]["shared wins"]


def test_a_game_that_goes_on_beyond_the_curve() -> None:
    weights = {"tempo": (1000.0, 0.001, 0.001), "reaction": (1.0, 1000.0, 0.001)}
    long = {"game": "bronco", "max_beats": 430, **weights}
    assert compare(long, ["trader-1", "trader-2", "trader-2"], 3, range(1))["stall"]


# Faults that the comparison would catch: rules of the reference that are not those of the engine.
FAULTS: list[tuple[Settings, str, Settings]] = [
    ({}, "caller,nagger,caller,trader-2", {"calls": 2}),
    ({"advanced": True}, "caller,trader-1,trader-1,trader-2", {"calls": 4}),
    ({}, "caller,nagger,hostage,caller", {"edition": "bronco"}),
    ({"game": "bronco"}, "nagger,nagger,trader-2,trader-2", {"edition": "horse-trader"}),
    ({}, "trader-4,trader-4,trader-4", {"largest_offer": 3}),
    ({}, "trader-1,trader-2,trader-3", {"tempo": (1.0, 1.0, 1.1)}),
    ({}, "trader-1,trader-2,trader-3,trader-4", {"reaction": (1.0, 1.0, 1.0, 1.2)}),
    ({"max_beats": 20}, "trader-1,trader-1,trader-1", {"max_beats": 21}),
    ({"calls": 9}, "caller,caller,caller,caller", {"simultaneous": "order"}),
]


@pytest.mark.parametrize(("settings", "line_up", "fault"), FAULTS, ids=str)
def test_a_wrong_rule_would_be_caught(settings: Settings, line_up: str, fault: Settings) -> None:
    chosen, names = {"game": "horse-trader"} | settings, line_up.split(",")
    compare(chosen, names, 1, range(6))
    with pytest.raises(AssertionError, match=f"^{line_up}"):
        compare(chosen, names, 1, range(6), fault=fault)


def test_other_directions_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    names, settings = ["caller"] * 4, {"game": "bronco", "max_beats": 5}
    compare(settings, names, 1, range(1))
    monkeypatch.setattr(reference, "DIRECTIONS", {"left": -1, "right": 1, "across": 2})
    with pytest.raises(AssertionError, match="^caller"):
        compare(settings, names, 1, range(1))


@pytest.mark.parametrize("deed", sorted(reference.Deeds.__dataclass_fields__))
def test_a_miscount_would_be_caught(monkeypatch: pytest.MonkeyPatch, deed: str) -> None:
    """Every number of the row is compared: one more in a single game is noticed."""
    settings, names = {"game": "bronco", "advanced": True, "max_beats": 9}, ["test-anything"] * 3
    compare(settings, names, 2, range(1))
    end = reference.Game.play_on

    def miscounted(game: reference.Game) -> Result:
        result = end(game)
        setattr(result.deeds[1], deed, getattr(result.deeds[1], deed) + 1)
        return result

    monkeypatch.setattr(reference.Game, "play_on", miscounted)
    with pytest.raises(AssertionError, match="^test-anything"):
        compare(settings, names, 2, range(1))
