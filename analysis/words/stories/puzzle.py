"""A game of Horse Trader or Bronco in a player's words: offers, trades, passes and bluffs."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from herdlab.analysis.words.phrases import counted, listed, ordinal
from herdlab.analysis.words.phrases import in_words as number_words
from herdlab.analysis.words.stories import Deed, Happening, Story, Teller, played
from herdlab.simcore.batch import Bout
from herdlab.simcore.puzzle import view
from herdlab.simcore.puzzle.rules import PIECES, STRAIGHT, WHOLE_GAME, BroncoRules, PuzzleRules
from herdlab.simcore.puzzle.table import unpack

Counts = tuple[int, ...]
"""How many pieces of puzzle A, of B …"""

PUZZLES = "ABCD"
_WAYS = {
    view.PASS_LEFT: ("left", 1),
    view.PASS_RIGHT: ("right", -1),
    view.PASS_ACROSS: ("across", 2),
}


class Sayings(NamedTuple):
    """What players of an edition say and do."""

    offer: str
    pieces: tuple[str, str]
    """What comes after the number offered: one, several."""
    trades: str
    answer: str
    calls: tuple[str, ...]
    """To the left, to the right, across."""
    bluff: str
    win: str = ""
    win_together: str = ""


HORSE_TRADER = Sayings(
    offer="Who'll trade",
    pieces=("", ""),
    trades="trades",
    answer='say "{}"',
    calls=tuple(f"Hold your horses! {way}!" for way in ("Left", "Right", "Across")),
    bluff="Horse feathers!",
)
BRONCO = Sayings(
    offer="Who'll swap",
    pieces=(" piece", " pieces"),
    trades="swaps",
    answer="accept",
    calls=tuple(f"Pass the Buck - {way}!" for way in ("left", "right", "across")),
    bluff="Horse Shoes!",
    win=', shouts "BRONCO"',
    win_together=', shout "BRONCO" at once',
)


def tell(bout: Bout, number: int) -> Story:
    """Play game `number` of the bout, from its deal, again and tell it."""
    rules, (names, log, winners, length) = bout.rules, played(bout, number)
    assert isinstance(rules, PuzzleRules)
    teller = _Teller(rules, names, puzzles_wanted(log[0], len(names)))
    happenings = [one for row in log for one in teller.tell(row)]
    end = f"nobody has won in {counted(length, 'beat')} (P13)"
    if winners:
        wins = "wins" if len(winners) == 1 else "share the win"
        end = f"{teller.who(*winners)} {wins} in beat {length}"
    return Story(_beginning(rules, len(names)), happenings, end, winners, length, unit="beat")


def puzzles_wanted(deal: Sequence[int], players: int) -> Counts:
    """P2: return which puzzle each seat wants, from the first line of the log."""
    return tuple(int(deal[5]) >> view.CARD_BITS * seat & 15 for seat in range(players))


def in_words(counts: Counts, wanted: int) -> str:
    """Return what a player holds, his own puzzle first: ``12 C (own), 9 A, 8 B, 11 D``."""
    if not any(counts):
        return "nothing"
    others = [_of(puzzle, n) for puzzle, n in enumerate(counts) if n and puzzle != wanted]
    return ", ".join([f"{_of(wanted, counts[wanted])} (own)", *others])


def _of(puzzle: int, n: int) -> str:
    return f"{n} {PUZZLES[puzzle]}"


def _pieces(counts: Counts) -> str:
    """Return ``1 A and 2 B``."""
    some = [_of(puzzle, n) for puzzle, n in enumerate(counts) if n]
    return listed(some) if some else "nothing"


def _by_name(counts: Counts) -> dict[str, int]:
    return {PUZZLES[puzzle]: n for puzzle, n in enumerate(counts) if n}


def _beginning(rules: PuzzleRules, n: int) -> str:
    words = (
        f"{n} players are dealt {PIECES} pieces each, from puzzles {listed(PUZZLES[:n])} mixed "
        f'(P1); "2 B" are two pieces of puzzle B. In each beat one player has the word (P3). '
        f"Seat 1 sits to the left of seat 0."
    )
    return words + (" The advanced game: offers may be bluffs (P11)." if rules.advanced else "")


class _Teller(Teller):
    """Follows a game through its log."""

    def __init__(self, rules: PuzzleRules, names: list[str], wanted: Counts) -> None:
        super().__init__(names)
        self.rules, self.wanted = rules, wanted
        self.say = BRONCO if isinstance(rules, BroncoRules) else HORSE_TRADER
        self.holdings: list[Counts] = []
        """By seat."""
        self.speaker = view.NONE
        self.has_kept = False
        """Whether the word is the speaker's because he has just called (P7a)."""
        self.next_is_kept = False
        self.called = [0] * len(names)
        """Passes that each seat has called."""
        self.last_caller, self.in_a_row, self.is_locked = view.NONE, 0, False

    def tell(self, row: list[int]) -> list[Happening]:
        """Return what a row of the log tells: a deal one happening a player, all else one."""
        what, beat, self.speaker, detail, said, committed = row[:6]
        n = len(self.names)
        holdings = [unpack(row[6 + seat], n) for seat in range(n)]
        gifts = [unpack(row[6 + view.ROOM + seat], n) for seat in range(n)]
        before = [(0,) * n] * n if what == view.DEALT else self.holdings
        self.holdings = holdings
        if what in (view.OFFERED, view.PASSED, view.SILENCE):
            self.has_kept, self.next_is_kept = self.next_is_kept, what == view.PASSED
        if what == view.DEALT:
            deeds = self._deal()
        elif what == view.SILENCE:
            deeds = [Deed(self.speaker, (self._by(),), f"{self._again()}stays silent", {})]
        elif what == view.OFFERED:
            deeds = [self._offer(said, committed, gifts[self.speaker])]
        elif what == view.LAPSED:
            deeds = [self._lapse(said)]
        elif what == view.TRADED:
            deeds = [self._trade(detail, said, committed, gifts)]
        elif what == view.BLUFF_CALLED:
            deeds = [self._bluff_called(detail, said, committed, gifts, before)]
        elif what == view.PASSED:
            deeds = [self._pass(detail, gifts)]
        else:
            deeds = [self._end(what, detail)]
        state = {
            "holdings": [_by_name(counts) for counts in holdings],
            "puzzles": [PUZZLES[puzzle] for puzzle in self.wanted],
            "passes_called": list(self.called),
        }
        return self.placed(
            *(deeds, (0 if what == view.DEALT else beat + 1, None, None), view.HAPPENINGS[what]),
            state,
            lambda seat: (
                in_words(before[seat], self.wanted[seat]),
                in_words(holdings[seat], self.wanted[seat]),
            ),
        )

    def _by(self) -> str:
        """Return the clause that gave the speaker the word."""
        return "P7a" if self.has_kept else "P3"

    def _again(self) -> str:
        return "has the word again and " if self.has_kept else ""

    def _deal(self) -> list[Deed]:
        return [
            Deed(
                seat,
                ("P1", "P2"),
                f"{self.who(seat)} is dealt {sum(self.holdings[seat])} pieces and wants puzzle "
                f"{PUZZLES[puzzle]}",
                {},
            )
            for seat, puzzle in enumerate(self.wanted)
        ]

    def _offer(self, said: int, committed: int, pieces: Counts) -> Deed:
        """P4, P11: what is committed and said; P5: who cannot answer; P8: whom it locks."""
        clauses = [self._by(), "P4"]
        is_bluff = committed != said
        number = number_words(said) + self.say.pieces[said > 1]
        words = f"{self._again()}commits {_pieces(pieces)}{', a bluff' if is_bluff else ''}: "
        words += f'"{self.say.offer} {number}?"'
        few = [
            seat
            for seat, counts in enumerate(self.holdings)
            if seat != self.speaker and sum(counts) < said
        ]
        if few:
            clauses.append("P5")
            hold = "holds" if len(few) == 1 else "hold"
            words += f"; {self.who(*few)} {hold} too few to answer"
        if self.rules.limit == STRAIGHT and self.last_caller != view.NONE and not self.is_locked:
            self.is_locked = True
            if self.in_a_row < self.rules.calls:
                clauses.append("P8")
                caller = "he" if self.last_caller == self.speaker else self.who(self.last_caller)
                words += f"; now {caller} may not call a pass again until another player has"
        clauses += ["P11"] if is_bluff else []
        facts = {"said": said, "committed": committed, "pieces": _by_name(pieces)}
        return Deed(self.speaker, tuple(clauses), words, {**facts, "cannot_answer": few})

    def _lapse(self, said: int) -> Deed:
        """P4: nobody was willing."""
        does = "answers or calls the bluff" if self.rules.advanced else "answers"
        words = f"nobody {does}: the offer lapses"
        return Deed(self.speaker, ("P4",), words, {"said": said})

    def _trade(self, partner: int, said: int, committed: int, gifts: list[Counts]) -> Deed:
        """P4, P11: both give, and nobody else sees what."""
        gave, got = gifts[self.speaker], gifts[partner]
        words = (
            f"{self.say.trades} with {self.who(partner)}, the first to "
            f"{self.say.answer.format(number_words(said))}: gives {_pieces(gave)} and gets "
            f"{_pieces(got)}"
        )
        facts = {"partner": partner, "said": said, "committed": committed}
        clauses = ("P4",) if said == committed else ("P4", "P11")
        return Deed(
            self.speaker, clauses, words, {**facts, "gave": _by_name(gave), "got": _by_name(got)}
        )

    def _bluff_called(
        self, caller: int, said: int, committed: int, gifts: list[Counts], before: list[Counts]
    ) -> Deed:
        """P12: one of the two pays the other."""
        is_bluff = committed != said
        payer, payee = (self.speaker, caller) if is_bluff else (caller, self.speaker)
        paid = gifts[payer]
        found = "nothing is" if committed == 0 else "one piece is"
        found = f"{number_words(committed)} pieces are" if committed > 1 else found
        words = f'{self.who(caller)}, the first to react, calls "{self.say.bluff}" and is '
        if is_bluff:
            words += f"right: {found} committed, not {number_words(said)}. "
            words += f"Seat {payer} ({self.names[payer]}) "
        else:
            words += f"wrong: {found} committed. He "
        if any(paid):
            less = "all that he holds, " if sum(before[payer]) < said else ""
            words += f"pays {less}{_pieces(paid)}{',' if less else ''} to {self.who(payee)}"
        else:
            words += "has nothing to pay"
        facts: dict[str, Any] = {"caller": caller, "said": said, "committed": committed}
        facts |= {"is_bluff": is_bluff, "payer": payer, "paid": _by_name(paid)}
        return Deed(self.speaker, ("P12",), words, facts)

    def _pass(self, direction: int, gifts: list[Counts]) -> Deed:
        """P6, and P7, P8 or P9: what everybody passes, and how often the caller has called."""
        n = len(self.names)
        way, step = _WAYS[direction]
        self.called[self.speaker] += 1
        self.in_a_row = self.in_a_row + 1 if self.last_caller == self.speaker else 1
        self.last_caller, self.is_locked = self.speaker, False
        moves: list[str] = []
        for seat in [*range(self.speaker, n), *range(self.speaker)]:
            goes = _pieces(gifts[seat]) + ("" if moves else " goes")
            moves.append(f"{goes} from seat {seat} to seat {(seat + step) % n}")
        call = self.say.calls[direction - view.PASS_LEFT]
        words = f'{self._again()}calls "{call}", {self._how_often()}: {", ".join(moves)}'
        limit = {STRAIGHT: "P8", WHOLE_GAME: "P9"}.get(self.rules.limit, "P7")
        facts: dict[str, Any] = {"direction": way, "in_a_row": self.in_a_row}
        facts |= {"passed": [_by_name(gift) for gift in gifts]}
        return Deed(self.speaker, (self._by(), "P6", limit), words, facts)

    def _how_often(self) -> str:
        """P7, P8, P9: return how many calls of the caller this makes."""
        most = self.rules.calls
        if self.rules.limit == WHOLE_GAME:
            count = ordinal(self.called[self.speaker] - 1)
            return f"his {count} call of {number_words(most)} in the whole game"
        words = f"his {ordinal(self.in_a_row - 1)} call in a row"
        last = " and his last until another player calls"
        return words + (last if self.in_a_row == most else "")

    def _end(self, what: int, mask: int) -> Deed:
        """P10, P13: who has completed his puzzle, and who wins."""
        seats = range(len(self.names))
        winners = [seat for seat in seats if what == view.WON and mask >> seat & 1]
        complete = [s for s in seats if self.holdings[s][self.wanted[s]] == PIECES]
        facts = {"winners": winners, "complete": complete}
        if what != view.WON:
            words = f"nobody has completed his puzzle in {self.rules.max_beats:,} beats: no winner"
            return Deed(self.speaker, ("P13",), words, facts)
        named, who = listed([PUZZLES[self.wanted[seat]] for seat in winners]), self.who(*winners)
        if len(winners) == 1:
            words = f"{who} holds all {PIECES} pieces of puzzle {named}{self.say.win} and wins"
        else:
            words = f"{who} hold all {PIECES} pieces of puzzles {named}{self.say.win_together}"
            words += " and share the win"
        late = [seat for seat in complete if seat not in winners]
        if late:
            have, come = ("has", "comes") if len(late) == 1 else ("have", "come")
            words += f"; {self.who(*late)} {have} completed a puzzle in "
            words += f"the same movement, but {come} later to the left of the word"
        return Deed(winners[0], ("P10",), words, facts)
