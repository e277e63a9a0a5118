"""The reference game of Horse Trader and Bronco itself, clause by clause, made by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from .luck import CHOICE, DEAL, TABLE, number
from .puzzle import Deeds, ForcedPass, Game, Look, Offer, Rules, directions, play, play_from
from .puzzle_anchors import ANCHORS
from .puzzle_table import Chooser, Counts, SeededLuck, Step, Table, Word, deal

EVEN, NONE, OWN = [(10, 10, 10, 10)] * 4, (0, 0, 0, 0), (40, 0, 0, 0)
ADVANCED, BRONCO, RNG = Rules(advanced=True), Rules(edition="bronco"), random.Random()


def nth(index: int, size: int) -> int:
    """Return 32 bits that pick one of so many, all as likely."""
    return -(-(index << 32) // size)


def bits(high: int, low: int = 0) -> int:
    return high << 32 | low


def beat(holder: int, first: int = 0, willing: int = 1) -> int:
    """Return the bits of a beat of four: who has the word, and which of the willing is first."""
    return bits(nth(holder, 4), nth(first, willing))


class Script(SeededLuck):
    """Luck that was written down, by stream; what is not is 0. Notes what it was asked."""

    def __init__(self, **written: list[int]) -> None:
        self.written = written
        self.asked: list[str] = []

    def next(self, kind: int, index: int) -> int:
        stream = {DEAL: "deal", TABLE: "beats", CHOICE: f"seat{index}"}[kind]
        self.asked.append(stream)
        return self.written[stream].pop(0) if self.written.get(stream) else 0


class Say:
    """Choices written down: words one by one, then silence; one answer; what to keep."""

    def __init__(self, *words: Word, answer: str = "no", keep: Counts = NONE) -> None:
        self.words, self.says, self.keeps = list(words), answer, keep
        self.looks: list[Look] = []

    def word(self, look: Look) -> Word:
        self.looks.append(look)
        return self.words.pop(0) if self.words else None

    def answer(self, look: Look) -> str:
        self.looks.append(look)
        return self.says

    def keep(self, look: Look) -> Counts:
        self.looks.append(look)
        return self.keeps

    def asked(self) -> str:
        return "".join(f"{look.question[0]}{look.said}{look.due} " for look in self.looks)


def table(*held: Sequence[int], rules: Rules | None = None) -> Table:
    """Return a table on which the last player, if not told, holds the rest; cards 0, 1, 2, 3."""
    players, holdings = len(held[0]), [list(holding) for holding in held]
    if len(holdings) < players:
        holdings.append([40 - sum(column) for column in zip(*holdings, strict=True)])
    return Table(holdings, list(range(players)), rules or Rules())


def one_beat(start: Table, luck: Script | int, *says: Say) -> Game:
    """Play one beat; those for whom nothing is written say nothing."""
    luck = luck if isinstance(luck, Script) else Script(beats=[luck])
    game = Game(start, luck, [*says, *[Say() for _ in range(start.players - len(says))]])
    game.beat()
    return game


def told(steps: list[Step]) -> str:
    """Return the steps in words: kind, player with the word and detail of each."""
    return ", ".join(" ".join(map(str, (s.kind, s.seat, *s.detail))) for s in steps)


# P1, P2: pieces and cards
def test_p1_the_deal_throws_pieces_and_evens_out() -> None:
    ones = 2**64 - 1  # high and low: puzzle 0 to seat 1, then 1 to 3, 2 to 0, and 3 to 2
    luck = Script(deal=[bits(nth(23, 24)), *[0, ones], *[ones, ones], *[0, 0], *[ones, 0]])
    dealt = deal(4, Rules(), luck)
    assert dealt.cards == [3, 2, 1, 0] and len(luck.asked) == 1 + 8
    assert dealt.holdings == [[0, 0, 40, 0], [40, 0, 0, 0], [0, 0, 0, 40], [0, 40, 0, 0]]
    # All to seat 0, which gives its first piece 79 times, its last, and its first 40 times.
    dealt = deal(4, Rules(), luck := Script(deal=[*[0] * (1 + 8 + 79), bits(nth(80, 81))]))
    assert dealt.holdings == [[0, 0, 1, 39], [40, 0, 0, 0], [0, 39, 0, 1], [0, 1, 39, 0]]
    assert dealt.cards == [0, 1, 2, 3] and len(luck.asked) == 1 + 8 + 120
    # Three players, puzzle 1 in the middle: seat 0 with 80 gives the first 40, then the middle.
    dealt = deal(3, Rules(), luck := Script(deal=[bits(nth(3, 6)), 0, 0, ones, ones]))
    assert dealt.holdings == [[0, 0, 40], [40, 0, 0], [0, 40, 0]] and dealt.cards == [1, 2, 0]
    assert len(luck.asked) == 1 + 6 + 80
    seed = SeededLuck(7, 5)
    drawn = [seed.deal(), seed.choice(2), seed.table(), seed.choice(2), seed.choice(3)]
    streams = [(DEAL, 0, 0), (CHOICE, 2, 0), (TABLE, 0, 0), (CHOICE, 2, 1), (CHOICE, 3, 0)]
    assert drawn == [number(7, 5, *stream) for stream in streams]
    for wrong in ([(9,) * 4] * 4, [(41, 40, 40), (0,) * 3], [(20, 20)] * 2):
        with pytest.raises(ValueError, match="holdings|pieces|players"):
            table(*wrong)


# P3, P13: beats
def test_p3_the_word_goes_by_tempo_and_p13_the_game_stalls() -> None:
    start = table(*EVEN, rules=Rules(tempo=(1, 1, 2, 4), max_beats=4))
    luck = Script(beats=[bits(h << 29) for h in (0, 1, 3, 7)])
    result = play_from(start, luck, [Say() for _ in range(4)])
    assert told(result.steps) == "silent 0, silent 1, silent 2, silent 3, stall 3"
    assert [step.beat for step in result.steps] == [0, 1, 2, 3, 3] and result.beats == 4
    assert luck.asked == ["beats"] * 4 and result.winners == []


# P4, P5: offers
def test_p4_offers_and_p5_who_can_answer() -> None:
    offering, trading = Say(Offer(2, 2), keep=(10, 10, 9, 9)), Say(answer="trade", keep=OWN)
    says = [Say(answer="trade"), offering, trading, Say()]
    # Seat 1 lets one each of puzzles 3 and 0 go. Seat 2 is the second of the willing, 0 and 2; it
    # gives the last of its 30 pieces of puzzles 0, 1 and 3, and then the last again.
    luck = Script(beats=[beat(1, 1, 2)], seat2=[bits(nth(29, 30), nth(28, 29))])
    game = one_beat(table(*EVEN), luck, *says)
    assert told(game.result.steps) == "offer 1 2 2, trade 1 2 2 2"
    offer, trade = game.result.steps
    assert offer.holdings == tuple(EVEN) and offer.gifts == (NONE, (1, 0, 0, 1), NONE, NONE)
    assert trade.gifts == (NONE, (1, 0, 0, 1), (0, 0, 0, 2), NONE)
    assert trade.holdings == (EVEN[0], (9, 10, 10, 11), (11, 10, 10, 9), EVEN[3])
    assert luck.asked == ["beats", "seat1", "seat2"] and game.result.trades == 1
    assert [say.asked() for say in says] == ["a20 ", "w00 c22 ", "a20 g22 ", "a20 "]
    assert game.deeds == [Deeds(), Deeds(trades=1, offers=1), Deeds(trades=1), Deeds()]
    # An offer lapses: P5, seat 1 has not so many pieces.
    says = [Say(Offer(3, 3)), Say(answer="trade"), Say(), Say()]
    game = one_beat(table((37, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0)), beat(0), *says)
    assert told(game.result.steps) == "offer 0 3 3, lapse 0 3" and not says[1].looks
    assert game.deeds[0] == Deeds(offers=1) and game.result.steps[1].gifts == (NONE,) * 4


def test_no_such_choice() -> None:
    wrong = [Say(word) for word in (Offer(0, 0), Offer(4, 4), Offer(2, 1), Offer(3, 3))]
    wrong += [Say(ForcedPass(direction)) for direction in ("across", "up")]
    wrong += [Say(Offer(1, 1), keep=keep) for keep in ((1, 2, 3), (0, 0, 0, -1))]
    wrong += [Say(Offer(1, 1), answer=answer) for answer in ("call", "yes")]
    for say in wrong:
        start = table((1, 1, 0), (20, 20, 20), rules=Rules(largest_offer=3))
        with pytest.raises(ValueError, match="offer|bluffs|hold|direction|keep|answer"):
            one_beat(start, 0, say, say)


def test_p2_his_own_puzzle_comes_first_and_what_is_kept_goes_last() -> None:
    start = table((1, 2, 3, 4), (5, 6, 7, 8), (9, 9, 9, 9))
    start.cards = [2, 0, 3, 1]
    assert [start.own_first(seat) for seat in (0, 1)] == [(3, 4, 1, 2), (5, 6, 7, 8)]
    assert table((1, 2, 3), (5, 6, 7)).own_first(1) == (6, 7, 5, 0)
    start = table((2, 1, 0, 1), (20, 20, 20, 20), (0, 0, 20, 0))
    says = [Say(keep=(40, 0, 0, 1)), Say(), Say(), Say()]
    game = Game(start, luck := Script(seat0=[bits(nth(0, 1), nth(2, 3)), bits(nth(1, 2))]), says)
    # First the piece of puzzle 1; then the last of 0, 0 and 3; then one of 0 and 0.
    assert game.part_with("pay", 0, 3) == [1, 1, 0, 1]
    assert luck.asked == ["seat0"] * 2 and start.holdings[0] == [2, 1, 0, 1]
    start.cards = [3, 0, 1, 2]  # his own puzzle is 3, and next come 0, 1, 2
    assert game.beyond(0, (1, 1, 0, 5)) == [1, 1, 0, 0]


# P6: forced passes
@pytest.mark.parametrize("called", ["left 3012", "right 1230", "across 2301"])
def test_p6_everybody_passes_one(called: str) -> None:
    direction, givers = called.split()  # by seat: whose piece he gets
    own = [tuple(40 * (seat == puzzle) for puzzle in range(4)) for seat in (1, 2, 3, 0)]
    luck = Script(beats=[beat(2)])
    game = one_beat(table(*own), luck, Say(), Say(), Say(ForcedPass(direction)))
    assert told(game.result.steps) == f"pass 2 {direction}"
    assert luck.asked == ["beats", "seat2", "seat3", "seat0", "seat1"]
    gifts = [[count // 40 for count in counts] for counts in own]
    assert game.result.steps[0].gifts == tuple(map(tuple, gifts))
    for held, gift, giver in zip(game.table.holdings, gifts, givers, strict=True):
        assert held == [39 * gift[p] + gifts[int(giver)][p] for p in range(4)]
    assert game.table.calls == [0, 0, 1, 0] and game.deeds[2] == Deeds(passes=1)


def test_p6_no_piece_passes_none_and_all_choose_first() -> None:
    says = [Say(ForcedPass("left")), Say(), Say(), Say()]
    game = one_beat(table((5, 0, 0, 0), NONE, (0, 0, 0, 1), rules=ADVANCED), beat(0), *says)
    assert game.table.holdings == [[5, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [34, 40, 40, 40]]
    assert [len(say.looks) for say in says] == [2, 0, 1, 1]
    assert game.result.steps[0].gifts == ((1, 0, 0, 0), NONE, (0, 0, 0, 1), (1, 0, 0, 0))


# P7, P8, P9: who passes, offers, bluffs or is silent; and whether he might have passed.
LIMITS = [
    (Rules(), "0p 0p 0p 0s 0s 1p 1s 0p 0p 0p 0s", "yyynnyyyyyn"),
    (Rules(), "0p 0o 1o 0p 0o 0p 0s 0s 1s", "yyyyyynny"),
    (Rules(), "0p 0p 0s 1p 1s 0p 0p 0p 0o 0s", "yyyyyyyynn"),
    (BRONCO, "0p 0p 0p 0s 0s 1s", "yyynny"),
    (BRONCO, "0p 0s 1s 0p 0o 0s 1s 1o 1p 1s 0p 0s", "yyyyynyyyyyy"),
    (BRONCO, "0p 0s 1o 0s 2p 2s 0s", "yyynyyy"),
    (BRONCO, "1o 0o 0p 0p 0s", "yyyyy"),
    (replace(BRONCO, advanced=True), "0p 0b 0s 1p 1s 0p 0p 0p 0s", "yynyyyyyn"),
    (ADVANCED, "0p 0o 0p 0s 1p 1s 0p 0s 1s 1p 1s 0s 1p 1s", "yyyyyyynyyynyn"),
    (Rules(calls=1), "0p 0s 1p 1s 0p 0s", "ynynyn"),
    *[(replace(rules, calls=0), "0s 1o", "nn") for rules in (Rules(), BRONCO, ADVANCED)],
]


@pytest.mark.parametrize(("rules", "story", "may"), LIMITS)
def test_p7_p8_p9_who_may_call(rules: Rules, story: str, may: str) -> None:
    beats = story.split()
    words = {"s": None, "o": Offer(1, 1), "b": Offer(1, 0), "p": ForcedPass("left")}
    says = [Say(*[words[b[1]] for b in beats if b[0] == str(seat)]) for seat in range(4)]
    start = table(*EVEN, rules=replace(rules, max_beats=len(beats)))
    kept = [False, *[b[1] == "p" for b in beats[:-1]]]  # P7a: whatever is drawn, here seat 3
    luck = [beat(3 if keeps else int(b[0])) for b, keeps in zip(beats, kept, strict=True)]
    play_from(start, Script(beats=luck), says)
    asked = [look for say in says for look in say.looks if look.question == "word"]
    looks = sorted(asked, key=lambda look: look.beat)
    assert "".join("ny"[look.may_call] for look in looks) == may
    assert [look.kept for look in looks] == kept
    assert [look.holder for look in looks] == [int(b[0]) for b in beats]
    assert start.calls == [story.count(f"{seat}p") for seat in range(4)]


def test_p7_not_without_leave_and_from_any_table() -> None:
    held, cards, passing = [[10] * 4 for _ in range(4)], [2, 3, 0, 1], ForcedPass("left")
    for rules, row, locked in ((Rules(), 3, False), (BRONCO, 1, True), (BRONCO, 3, False)):
        start = Table(held, cards, rules, 7, 2, 2, row, locked, [0, 1, 3, 3])
        with pytest.raises(ValueError, match="may not call"):
            one_beat(start, 0, Say(), Say(), Say(passing))
    start = Table(held, cards, ADVANCED, 7, 2, 2, 5, True, [0, 1, 2, 3])
    game = one_beat(start, 0, Say(), Say(), Say(passing))
    assert start.calls == [0, 1, 3, 3] and (start.row, start.locked, start.kept) == (6, False, 2)
    assert game.result.steps[0].beat == 7 and game.result.passes == 1
    assert [game.may_call(seat) for seat in range(4)] == [True, True, False, False]


# P10: winning
def test_p10_several_complete_in_one_movement() -> None:
    for reading, holder, winners in (("share", 1, (0, 1)), ("order", 1, (1,)), ("order", 0, (0,))):
        rules = Rules(simultaneous=reading)
        start = table((39, 1, 0, 0), (1, 39, 0, 0), (0, 0, 20, 20), rules=rules)
        says = [Say(Offer(1, 1), answer="trade", keep=OWN) for _ in range(2)]
        result = play_from(start, Script(beats=[beat(holder)]), [*says, Say(), Say()])
        assert told(result.steps[1:]) == f"trade {holder} {1 - holder} 1 1, win {holder} {winners}"
        assert (result.winners, result.beats) == (list(winners), 1)
    for caller, winner in enumerate((1, 1, 2, 3)):  # all but seat 0 complete: first on the left
        held = ((38, 0, 1, 0), (0, 39, 0, 1), (1, 0, 39, 0), (1, 1, 0, 39))
        says = [Say(ForcedPass("across"), keep=OWN) for _ in range(4)]
        luck = Script(beats=[beat(caller)], seat3=[bits(nth(1, 2))])
        assert play_from(table(*held, rules=rules), luck, says).winners == [winner]


# P11, P12: bluffs. What seat 0 holds and offers, what seat 1 says, what both hold after it, what
# they gain by the bluff and by the call, and what they are asked. Seat 1 parts with puzzle 2.
BLUFFS = [
    ((3, 3, 0, 0), Offer(2, 1), "trade", ((2, 3, 2, 0), (1, 5, 3, 0)), (1, 0), "w00 c21 a20 g22 "),
    ((3, 3, 0, 0), Offer(4, 0), "trade", ((3, 3, 4, 0), (0, 5, 1, 0)), (4, 0), "w00 a40 g44 "),
    ((3, 3, 0, 0), Offer(1, 3), "trade", ((0, 3, 1, 0), (3, 5, 4, 0)), (-2, 0), "w00 c13 a10 g11 "),
    ((3, 3, 0, 0), Offer(2, 2), "trade", ((1, 3, 2, 0), (2, 5, 3, 0)), (0, 0), "w00 c22 a20 g22 "),
    ((3, 3, 0, 0), Offer(2, 1), "call", ((1, 3, 0, 0), (2, 5, 5, 0)), (-2, 2), "w00 c21 p22 a20 "),
    ((3, 3, 0, 0), Offer(1, 3), "call", ((2, 3, 0, 0), (1, 5, 5, 0)), (-1, 1), "w00 c13 p11 a10 "),
    ((1, 1, 0, 0), Offer(4, 2), "call", ((0, 0, 0, 0), (1, 6, 5, 0)), (-2, 2), "w00 c42 p42 a40 "),
    ((0, 0, 0, 0), Offer(3, 0), "call", ((0, 0, 0, 0), (0, 5, 5, 0)), (0, 0), "w00 a30 "),
    ((3, 3, 0, 0), Offer(3, 3), "call", ((3, 3, 3, 0), (0, 5, 2, 0)), (0, -3), "w00 c33 a30 p33 "),
]


@pytest.mark.parametrize(("held", "offer", "say", "after", "gains", "asked"), BLUFFS)
def test_p11_p12_bluffs(
    held: Counts, offer: Offer, say: str, after: tuple[Counts, Counts], gains: Counts, asked: str
) -> None:
    start = table(held, (0, 5, 5, 0), (9, 9, 9, 9), rules=ADVANCED)
    says = [Say(offer, keep=(0, 40, 40, 40)), Say(answer=say, keep=OWN)]
    game = one_beat(start, beat(0), *says)
    traded, bluffed = say == "trade", offer.said != offer.committed
    right, wrong = not traded and bluffed, not traded and not bluffed
    what = f"{'trade' if traded else 'bluff called'} 0 1 {offer.said} {offer.committed}"
    assert told(game.result.steps[1:]) == what and game.result.steps[1].holdings[:2] == after
    assert "".join(say.asked() for say in says) == asked
    assert game.deeds[0] == Deeds(traded, 1, 0, bluffed, gained_by_bluffs=gains[0])
    assert game.deeds[1] == Deeds(traded, 0, 0, 0, right, wrong, gained_by_calls=gains[1])
    result = game.result
    assert (result.trades, result.called_right, result.called_wrong) == (traded, right, wrong)


def test_p12_who_may_call_and_who_is_first() -> None:
    rules = Rules(advanced=True, reaction=(1, 5, 1, 3))
    for low, first in ((2**30 - 1, "bluff called 0 2"), (2**30, "trade 0 3")):
        says = [Say(Offer(3, 0)), *[Say(answer=answer) for answer in ("call", "call", "trade")]]
        game = one_beat(table((9, 9, 9, 9), (1, 1, 0, 0), (1, 1, 1, 0), rules=rules), low, *says)
        assert told(game.result.steps[1:]) == f"{first} 3 0" and not says[1].looks  # he has two
    start = table((39, 0, 0, 0), (1, 38, 1, 0), (0, 1, 39, 1), rules=ADVANCED)
    says = [Say(Offer(1, 1)), Say(answer="call", keep=(40, 40, 40, 0)), Say(), Say()]
    result = play_from(start, Script(), says)  # P10: a payment can complete a puzzle
    assert told(result.steps[1:]) == "bluff called 0 1 1 1, win 0 (0,)"


# Anchors
LOOK = Look("word", 1, OWN, 0, 0, (40,) * 4, NONE, False, False, 0, 0, ADVANCED, lambda n: n - 1)
HELD = ((35, 2, 2, 1), (37, 1, 1, 1), (39, 0, 1, 0), (37, 0, 0, 0))


def words(name: str, held: Sequence[Counts] = HELD, **more: object) -> list[Word]:
    looks = [replace(LOOK, pieces=pieces, **more) for pieces in held]  # type: ignore[arg-type]
    return [ANCHORS[name]().word(look) for look in looks]


def answers(name: str, said: int, held: Sequence[Counts] = HELD, rules: Rules = ADVANCED) -> str:
    looks = [replace(LOOK, pieces=pieces, said=said, rules=rules) for pieces in held]
    return " ".join(ANCHORS[name]().answer(look) for look in looks)


def test_traders_bluffer_and_sceptic() -> None:
    for k in (1, 2, 3, 4):
        offers = [Offer(min(k, spare), min(k, spare)) for spare in (5, 3, 1)]
        assert words(f"trader-{k}", may_call=True) == [*offers, None]
        assert answers(f"trader-{k}", 3) == "trade trade no no"
    assert words("trader-4", HELD[:1], rules=Rules(largest_offer=3)) == [Offer(3, 3)]
    assert words("bluffer") == [*[Offer(2, 1)] * 3, None] and words("sceptic") == words("trader-2")
    assert answers("bluffer", 2) == answers("sceptic", 2, rules=Rules()) == "trade trade no no"
    assert [answers("sceptic", n) for n in (1, 2)] == [
        "trade trade trade no",
        "call call call call",
    ]
    assert all(make().keep(LOOK) == OWN for make in ANCHORS.values())


@pytest.mark.parametrize("name", ["caller", "nagger"])
def test_caller_and_nagger(name: str) -> None:
    across, trading = [ForcedPass("across")] * 4, words("trader-2")
    assert words(name) == trading and words(name, may_call=True) == across
    assert words(name, may_call=True, kept=True) == (across if name == "caller" else trading)
    assert words(name, HELD[:1], may_call=True, sizes=(40,) * 3) == [ForcedPass("right")]
    # The direction is the caller's own next number, drawn before those of the pieces.
    luck = Script(beats=[beat(1)], seat1=[bits(nth(1, 3)), bits(nth(29, 30))])
    (game := Game(table(*EVEN), luck, [ANCHORS[name]()] * 4)).beat()
    assert luck.asked == ["beats", "seat1", "seat1", "seat2", "seat3", "seat0"]
    assert told(steps := game.result.steps) == "pass 1 right" and steps[0].gifts[1] == (0, 0, 0, 1)


def test_hostage() -> None:
    held = ((36, 2, 1, 1), (36, 2, 2, 0), (36, 2, 3, 0), (36, 1, 1, 1), (37, 1, 1, 1))
    assert words("hostage", held) == [Offer(1, 1), *[Offer(2, 2)] * 2, None, Offer(2, 2)]
    assert answers("hostage", 3, held) == "no no trade no trade"
    for question in ("commit", "give", "pass", "pay"):
        looks = [replace(LOOK, question=question, pieces=pieces) for pieces in held[-2:]]
        first = (40, 1, 1, 1) if question in ("commit", "give") else OWN
        assert [ANCHORS["hostage"]().keep(look) for look in looks] == [first, OWN]
    assert words("hostage", ((37, 1, 1, 0), (38, 1, 1, 0)), sizes=NONE[1:]) == [None, Offer(2, 2)]


# Whole games
class Anyhow(Say):
    """Does anything that is allowed."""

    def word(self, look: Look) -> Word:
        if look.may_call and RNG.random() < 0.3:
            return ForcedPass(RNG.choice(directions(len(look.sizes))))
        said, other = RNG.randint(1, 4), min(RNG.randint(0, 4), sum(look.pieces))
        return Offer(said, other if look.rules.advanced else said)

    def answer(self, look: Look) -> str:
        return RNG.choice(["no", "trade", "call"][: 2 + look.rules.advanced])

    def keep(self, look: Look) -> Counts:
        return tuple(RNG.randint(0, 12) for _ in range(4))


@pytest.mark.parametrize("rules", [Rules(), BRONCO, ADVANCED, replace(BRONCO, advanced=True)])
@pytest.mark.parametrize("players", [3, 4])
def test_no_piece_is_lost_and_no_rule_broken(rules: Rules, players: int) -> None:
    weights = (0.5, 1.0, 2.0, 3.0)[:players]
    rules = replace(rules, tempo=weights, reaction=weights[::-1], max_beats=200)
    names = [name for name in ANCHORS if name != "bluffer" or rules.advanced]
    tables: list[list[Chooser]] = [[ANCHORS[name]()] * players for name in names]
    tables += [[ANCHORS[name]() for name in names[-players:]], [Anyhow()] * players]
    for game, choosers in enumerate(tables):
        RNG.seed(game)
        result = play(rules, SeededLuck(1, game), choosers)
        kinds = [step.kind for step in result.steps]
        for before, step in pairwise(result.steps):
            begins = step.kind in ("offer", "pass", "silent") and before.kind != "deal"
            assert step.beat == before.beat + begins
            assert before.kind != "pass" or step.seat == before.seat
            assert rules.advanced or {sum(held) for held in step.holdings} == {40}
            if step.kind not in ("trade", "bluff called", "pass"):
                assert step.holdings == before.holdings
        assert step.beat + 1 == result.beats and (kinds[-1] == "win") == bool(result.winners)
        assert result.trades == kinds.count("trade") == sum(d.trades for d in result.deeds) / 2
        assert result.passes == kinds.count("pass") == sum(d.passes for d in result.deeds)
        assert result.called_right + result.called_wrong == kinds.count("bluff called")
