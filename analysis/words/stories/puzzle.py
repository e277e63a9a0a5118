"""A game of Horse Trader or Bronco in a player's words: offers, trades, passes and bluffs."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from herdlab.analysis.words.phrases import capital, counted, listed, ordinal
from herdlab.analysis.words.phrases import in_words as number_words
from herdlab.analysis.words.stories import Deed, Happening, Story, Teller
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
    call: str
    bluff: str
    win: str
    win_together: str


HORSE_TRADER = Sayings(
    *("Who'll trade", ("", ""), "trades", 'say "{}"'),
    *("Hold your horses! {}!", "Horse feathers!", "", ""),
)
BRONCO = Sayings(
    *("Who'll swap", (" piece", " pieces"), "swaps", "accept"),
    *("Pass the Buck - {}!", "Horse Shoes!", ', shouts "BRONCO"', ', shout "BRONCO" at once'),
)


def tell(bout: Bout, number: int) -> Story:
    """Play game `number` of the bout, from its deal, again and tell it."""
    return _Teller(bout, number).story()


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


class _Teller(Teller):
    """Follows a game through its log."""

    rules: PuzzleRules
    unit = "beat"
    holdings: Sequence[Counts] = ()
    """By seat."""
    speaker = view.NONE
    has_kept = next_is_kept = False
    """Whether the word is the speaker's because he has just called (P7a)."""
    last_caller, in_a_row, is_locked = view.NONE, 0, False

    def beginning(self) -> str:
        """Return what is dealt, and what the words of the story mean."""
        n, cards = len(self.names), self.log[0][5]
        self.say = BRONCO if isinstance(self.rules, BroncoRules) else HORSE_TRADER
        self.wanted = tuple(cards >> view.CARD_BITS * seat & 15 for seat in range(n))  # P2
        self.called = [0] * n  # passes, by seat
        words = (
            f"{n} players are dealt {PIECES} pieces each, from puzzles {listed(PUZZLES[:n])} mixed "
            f'(P1); "2 B" are two pieces of puzzle B. In each beat one player has the word (P3). '
            f"Seat 1 sits to the left of seat 0."
        )
        advanced = " The advanced game: offers may be bluffs (P11)."
        return words + advanced * self.rules.advanced

    def end(self) -> str:
        """Return who has won, if anybody has."""
        if not self.winners:
            return f"nobody has won in {counted(self.length, 'beat')} (P13)"
        wins = "wins" if len(self.winners) == 1 else "share the win"
        return f"{self.who(*self.winners)} {wins} in beat {self.length}"

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
            deeds = [Deed(self.speaker, self._by(), f"{self._again()}stays silent")]
        elif what == view.OFFERED:
            deeds = [self._offer(said, committed, gifts[self.speaker])]
        elif what == view.LAPSED:
            does = "answers or calls the bluff" if self.rules.advanced else "answers"
            words = f"nobody {does}: the offer lapses"
            deeds = [Deed(self.speaker, "P4", words, {"said": said})]
        elif what == view.TRADED:
            deeds = [self._trade(detail, said, committed, gifts)]
        elif what == view.BLUFF_CALLED:
            deeds = [self._bluff_called(detail, said, committed, gifts, before)]
        elif what == view.PASSED:
            deeds = [self._pass(detail, gifts)]
        else:
            deeds = [self._end(what)]
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
        dealt = [
            f"{self.who(n)} is dealt {sum(held)} pieces" for n, held in enumerate(self.holdings)
        ]
        wants = [f"wants puzzle {PUZZLES[puzzle]}" for puzzle in self.wanted]
        return [Deed(n, "P1 P2", f"{dealt[n]} and {wants[n]}") for n in range(len(self.names))]

    def _offer(self, said: int, committed: int, pieces: Counts) -> Deed:
        """P4, P11: what is committed and said; P5: who cannot answer; P8: whom it locks."""
        clauses, is_bluff = f"{self._by()} P4", committed != said
        number = number_words(said) + self.say.pieces[said > 1]
        words = f"{self._again()}commits {_pieces(pieces)}{', a bluff' * is_bluff}: "
        words += f'"{self.say.offer} {number}?"'
        others = [seat for seat in range(len(self.names)) if seat != self.speaker]
        few = [seat for seat in others if sum(self.holdings[seat]) < said]
        if few:
            clauses += " P5"
            hold = "holds" if len(few) == 1 else "hold"
            words += f"; {self.who(*few)} {hold} too few to answer"
        if self.rules.limit == STRAIGHT and self.last_caller != view.NONE and not self.is_locked:
            self.is_locked = True
            if self.in_a_row < self.rules.calls:
                clauses += " P8"
                caller = "he" if self.last_caller == self.speaker else self.who(self.last_caller)
                words += f"; now {caller} may not call a pass again until another player has"
        clauses += " P11" * is_bluff
        facts = {"said": said, "committed": committed, "pieces": _by_name(pieces)}
        return Deed(self.speaker, clauses, words, {**facts, "cannot_answer": few})

    def _trade(self, partner: int, said: int, committed: int, gifts: list[Counts]) -> Deed:
        """P4, P11: both give, and nobody else sees what."""
        gave, got = gifts[self.speaker], gifts[partner]
        answer = self.say.answer.format(number_words(said))
        words = (
            f"{self.say.trades} with {self.who(partner)}, the first to {answer}: gives "
            f"{_pieces(gave)} and gets {_pieces(got)}"
        )
        facts: dict[str, Any] = {"partner": partner, "said": said, "committed": committed}
        facts |= {"gave": _by_name(gave), "got": _by_name(got)}
        return Deed(self.speaker, "P4" if said == committed else "P4 P11", words, facts)

    def _bluff_called(
        self, caller: int, said: int, committed: int, gifts: list[Counts], before: Sequence[Counts]
    ) -> Deed:
        """P12: one of the two pays the other."""
        is_bluff = committed != said
        payer, payee = (self.speaker, caller) if is_bluff else (caller, self.speaker)
        paid = gifts[payer]
        found = {0: "nothing is", 1: "one piece is"}.get(
            committed, f"{number_words(committed)} pieces are"
        )
        right = f"right: {found} committed, not {number_words(said)}. {capital(self.who(payer))}"
        words = right if is_bluff else f"wrong: {found} committed. He"
        less = sum(before[payer]) < said
        pays = (
            f"pays {'all that he holds, ' * less}{_pieces(paid)}{',' * less} to {self.who(payee)}"
        )
        words = f"{words} {pays if any(paid) else 'has nothing to pay'}"
        facts: dict[str, Any] = {"caller": caller, "said": said, "committed": committed}
        facts |= {"is_bluff": is_bluff, "payer": payer, "paid": _by_name(paid)}
        calls = f'{self.who(caller)}, the first to react, calls "{self.say.bluff}" and is {words}'
        return Deed(self.speaker, "P12", calls, facts)

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
        call = self.say.call.format(way if self.say is BRONCO else way.capitalize())
        words = f'{self._again()}calls "{call}", {self._how_often()}: {", ".join(moves)}'
        limit = {STRAIGHT: "P8", WHOLE_GAME: "P9"}.get(self.rules.limit, "P7")
        facts: dict[str, Any] = {"direction": way, "in_a_row": self.in_a_row}
        facts |= {"passed": [_by_name(gift) for gift in gifts]}
        return Deed(self.speaker, f"{self._by()} P6 {limit}", words, facts)

    def _how_often(self) -> str:
        """P7, P8, P9: return how many calls of the caller this makes."""
        most = self.rules.calls
        if self.rules.limit == WHOLE_GAME:
            count = ordinal(self.called[self.speaker] - 1)
            return f"his {count} call of {number_words(most)} in the whole game"
        last = " and his last until another player calls" * (self.in_a_row == most)
        return f"his {ordinal(self.in_a_row - 1)} call in a row{last}"

    def _end(self, what: int) -> Deed:
        """P10, P13: who has completed a puzzle, and who wins."""
        seats, winners = range(len(self.names)), self.winners
        complete = [s for s in seats if self.holdings[s][self.wanted[s]] == PIECES]
        facts = {"winners": winners, "complete": complete}
        if what != view.WON:
            words = f"nobody has completed his puzzle in {self.rules.max_beats:,} beats: no winner"
            return Deed(self.speaker, "P13", words, facts)
        named, who = listed([PUZZLES[self.wanted[seat]] for seat in winners]), self.who(*winners)
        words = f"{who} holds all {PIECES} pieces of puzzle {named}{self.say.win} and wins"
        if len(winners) > 1:
            together = f"{self.say.win_together} and share the win"
            words = f"{who} hold all {PIECES} pieces of puzzles {named}{together}"
        late = [seat for seat in complete if seat not in winners]
        if late:
            have, come = ("has", "comes") if len(late) == 1 else ("have", "come")
            words += f"; {self.who(*late)} {have} completed a puzzle in "
            words += f"the same movement, but {come} later to the left of the word"
        return Deed(winners[0], "P10", words, facts)
