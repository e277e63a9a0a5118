"""The puzzle games Horse Trader and Bronco, written from their rulebooks to be read beside them.

The clause ids P1..P13 are those of rules/puzzle.md. Nothing here is meant to be fast.
Rules, the table, the deal and the luck are in puzzle_table.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from .luck import below
from .puzzle_table import (
    LOW,
    MOST_PLAYERS,
    Chooser,
    Counts,
    Deeds,
    Detail,
    ForcedPass,
    Look,
    Luck,
    Offer,
    Result,
    Rules,
    SeededLuck,
    Step,
    Table,
    Word,
    deal,
    drawn_seat,
    pick,
)

__all__ = [
    "Chooser",
    "Deeds",
    "ForcedPass",
    "Game",
    "Look",
    "Offer",
    "Result",
    "Rules",
    "SeededLuck",
    "Step",
    "Table",
    "play",
    "play_from",
]

DIRECTIONS = {"left": 1, "right": -1, "across": 2}  # P6: in places to the left


def directions(players: int) -> list[str]:
    """Return the directions that may be called: across only with four players (P6)."""
    return ["left", "right"] if players < MOST_PLAYERS else ["left", "right", "across"]


class Game:
    """A game in progress: one method for each paragraph of the rulebook."""

    def __init__(self, table: Table, luck: Luck, choosers: Sequence[Chooser]) -> None:
        if len(choosers) != table.players:
            raise ValueError(f"{len(choosers)} choosers for {table.players} players")
        self.table = table
        self.rules = table.rules
        self.luck = luck
        self.choosers = choosers
        self.holder = 0  # who has the word
        self.is_kept = False  # whether he has it from the beat before (P7a)
        self.said = 0  # the number said in the offer that is being made
        self.pieces = table.totals()
        self.deeds = [Deeds() for _ in range(table.players)]
        self.result = Result([], table.beat, [], self.deeds)

    # Looking, asking and writing down
    def record(self, kind: str, *detail: Detail, gifts: dict[int, list[int]] | None = None) -> None:
        """Check that no piece was lost or made, and record a step."""
        table, gifts = self.table, gifts or {}
        if table.totals() != self.pieces or min(map(min, table.holdings)) < 0:
            raise AssertionError(f"pieces were lost or made: {table}")
        nothing = [0] * table.players
        holdings = tuple(tuple(holding) for holding in table.holdings)
        parted = tuple(tuple(gifts.get(seat, nothing)) for seat in range(table.players))
        self.result.steps.append(Step(kind, table.beat, self.holder, detail, holdings, parted))

    def look(self, question: str, seat: int, due: int = 0) -> Look:
        """Return what a player sees when he is asked."""
        table = self.table
        return Look(
            question=question,
            seat=seat,
            pieces=table.own_first(seat),
            said=self.said,
            due=due,
            sizes=tuple(table.size(other) for other in range(table.players)),
            calls=tuple(table.calls),
            may_call=self.may_call(seat),
            kept=self.is_kept,
            beat=table.beat,
            holder=self.holder,
            rules=self.rules,
            below=lambda n: below(self.luck.choice(seat), n),
        )

    def part_with(self, question: str, seat: int, due: int) -> list[int]:
        """Let a player choose so many of his pieces, which stay his until they are moved.

        He says what he wants to keep; the rest can go, and if that is not enough, anything.
        """
        gift = [0] * self.table.players
        if due == 0:
            return gift
        keep = self.choosers[seat].keep(self.look(question, seat, due))
        left = list(self.table.holdings[seat])
        can_go = self.beyond(seat, keep)
        for half in self.halves(seat, due):
            if sum(can_go) == 0:
                can_go = list(left)
            puzzle = pick(can_go, half * sum(can_go) >> 32)
            can_go[puzzle] -= 1
            left[puzzle] -= 1
            gift[puzzle] += 1
        return gift

    def beyond(self, seat: int, keep: Counts) -> list[int]:
        """Return by puzzle what a player holds beyond what he wants to keep, own puzzle first."""
        table = self.table
        if len(keep) != MOST_PLAYERS or min(keep) < 0:
            raise ValueError(f"nobody can keep {keep!r}")
        of_puzzle = [keep[(p - table.cards[seat]) % table.players] for p in range(table.players)]
        return [max(0, table.holdings[seat][p] - of_puzzle[p]) for p in range(table.players)]

    def halves(self, seat: int, due: int) -> list[int]:
        """Return 32 random bits for each piece: two from each number, the high half first."""
        halves = []
        for _ in range((due + 1) // 2):
            bits = self.luck.choice(seat)
            halves += [bits >> 32, bits & LOW]
        return halves[:due]

    def move(self, giver: int, taker: int, gift: list[int]) -> None:
        """Move pieces from one player to another."""
        for puzzle, count in enumerate(gift):
            self.table.holdings[giver][puzzle] -= count
            self.table.holdings[taker][puzzle] += count

    # THE SET-UP
    def set_up(self) -> None:
        """Look at the table that was dealt (P1, P2)."""
        self.record("deal", tuple(self.table.cards))

    # THE PLAY
    def play_on(self) -> Result:
        """Play beat after beat until somebody has completed his puzzle (P3, P13)."""
        table, result = self.table, self.result
        while not result.winners and table.beat < self.rules.max_beats:
            self.beat()
            if not result.winners and table.beat + 1 == self.rules.max_beats:  # P13
                self.record("stall")
            table.beat += 1
        result.beats = table.beat
        return result

    def beat(self) -> None:
        """Let one player have the word and do one thing (P3)."""
        table, players = self.table, self.table.players
        bits = self.luck.table()  # one for each beat, used or not
        self.said = 0
        self.is_kept = table.kept is not None
        if table.kept is not None:  # P7a
            self.holder = table.kept
        else:
            self.holder = drawn_seat(self.rules.tempo or (1.0,) * players, bits >> 32)
        table.kept = None
        word = self.choosers[self.holder].word(self.look("word", self.holder))
        self.check_word(word)
        if word is None:
            self.record("silent")
        elif isinstance(word, ForcedPass):
            self.forced_pass(word.direction)
        else:
            self.offer(word, bits & LOW)

    def check_word(self, word: Word) -> None:
        """Raise ValueError if the player with the word may not do this (P4, P6-P9, P11)."""
        largest = self.rules.largest_offer
        if isinstance(word, ForcedPass):
            if word.direction not in directions(self.table.players):  # P6
                raise ValueError(f"direction {word.direction!r}")
            if not self.may_call(self.holder):
                raise ValueError(f"player {self.holder} may not call a pass")
        elif isinstance(word, Offer):
            if not 1 <= word.said <= largest or not 0 <= word.committed <= largest:  # P4, P11
                raise ValueError(f"nobody may offer {word}")
            if word.said != word.committed and not self.rules.advanced:  # P11
                raise ValueError(f"no bluffs in the plain game: {word}")
            if word.committed > self.table.size(self.holder):
                raise ValueError(f"player {self.holder} does not hold so many: {word}")
        elif word is not None:
            raise ValueError(f"{word!r} is nothing to do with the word")

    # "Who'll trade one," or "Who'll trade two"
    def offer(self, word: Offer, half: int) -> None:
        """Commit pieces, say a number, and trade with the first opponent who answers (P4)."""
        table, holder = self.table, self.holder
        self.said = word.said
        if table.last_caller is not None:
            table.locked = True  # P8: also when it lapses
        self.deeds[holder].offers += 1
        self.deeds[holder].bluffs += word.said != word.committed
        committed = self.part_with("commit", holder, word.committed)
        self.record("offer", *word, gifts={holder: committed})
        answers = self.answers()
        if not answers:
            self.record("lapse", word.said)
            return
        first = self.first(list(answers), half)
        if answers[first] == "trade":
            self.trade(first, word, committed)
        else:
            self.call_the_bluff(first, word)

    def answers(self) -> dict[int, str]:
        """Return what the opponents say who want to answer or to call the bluff (P4, P5, P12)."""
        answers = {}
        allowed = ("no", "trade", "call") if self.rules.advanced else ("no", "trade")
        for seat in self.table.round_from(self.holder)[1:]:
            if self.table.size(seat) < self.said:  # P5, P12
                continue
            answer = self.choosers[seat].answer(self.look("answer", seat))
            if answer not in allowed:
                raise ValueError(f"answer {answer!r} is not one of {allowed}")
            if answer != "no":
                answers[seat] = answer
        return answers

    def first(self, willing: list[int], half: int) -> int:
        """Return who of the willing is first, drawn in proportion to their reaction (P4)."""
        seats = range(self.table.players)
        reaction = self.rules.reaction or (1.0,) * self.table.players
        return drawn_seat([reaction[seat] if seat in willing else 0.0 for seat in seats], half)

    def trade(self, partner: int, word: Offer, committed: list[int]) -> None:
        """Trade the pieces committed for the number said (P4, P11)."""
        holder = self.holder
        given = self.part_with("give", partner, word.said)
        self.move(holder, partner, committed)
        self.move(partner, holder, given)
        self.result.trades += 1
        self.deeds[holder].trades += 1
        self.deeds[partner].trades += 1
        self.deeds[holder].gained_by_bluffs += word.said - word.committed
        self.record("trade", partner, *word, gifts={holder: committed, partner: given})
        self.look_for_winners()

    # "HOLD YOUR HORSES", "PASS THE BUCK"
    def may_call(self, seat: int) -> bool:
        """Say whether a player may call a pass."""
        table, rules = self.table, self.rules
        if rules.advanced and rules.edition == "horse-trader":  # P9: in the whole game
            return table.calls[seat] < rules.calls
        if table.last_caller != seat:  # another player has called since, or nobody at all
            return rules.calls > 0
        if rules.edition == "bronco" and table.locked:  # P8
            return False
        return table.row < rules.calls  # P7, P8

    def forced_pass(self, direction: str) -> None:
        """Let everybody pass one piece in the direction called (P6)."""
        table, holder = self.table, self.holder
        table.row = table.row + 1 if table.last_caller == holder else 1
        table.last_caller, table.locked = holder, False
        table.kept = holder  # P7a
        table.calls[holder] += 1
        self.result.passes += 1
        self.deeds[holder].passes += 1
        passing = [seat for seat in table.round_from(holder) if table.size(seat) > 0]
        gifts = {seat: self.part_with("pass", seat, 1) for seat in passing}
        for seat, gift in gifts.items():  # all have chosen
            self.move(seat, table.left(seat, DIRECTIONS[direction]), gift)
        self.record("pass", direction, gifts=gifts)
        self.look_for_winners()

    # "HORSE FEATHERS!", "HORSE SHOES"
    def call_the_bluff(self, caller: int, word: Offer) -> None:
        """Let whoever was wrong pay the number said to the other, or all he has (P12)."""
        holder = self.holder
        is_right = word.said != word.committed
        payer, taker = (holder, caller) if is_right else (caller, holder)
        due = min(word.said, self.table.size(payer))  # what he committed is still his
        paid = self.part_with("pay", payer, due)
        self.move(payer, taker, paid)
        if is_right:
            self.result.called_right += 1
            self.deeds[caller].calls_right += 1
            self.deeds[caller].gained_by_calls += due
            self.deeds[holder].gained_by_bluffs -= due
        else:
            self.result.called_wrong += 1
            self.deeds[caller].calls_wrong += 1
            self.deeds[caller].gained_by_calls -= due
        self.record("bluff called", caller, *word, gifts={payer: paid})
        self.look_for_winners()

    # The winner of the game is the first player to complete his puzzle
    def look_for_winners(self) -> None:
        """End the game if somebody holds all 40 pieces of his puzzle (P10)."""
        table = self.table
        complete = [seat for seat in table.round_from(self.holder) if table.is_complete(seat)]
        if self.rules.simultaneous == "order":
            complete = complete[:1]
        if complete:
            self.result.winners = sorted(complete)
            self.record("win", tuple(self.result.winners))


def play(rules: Rules, luck: Luck, choosers: Sequence[Chooser]) -> Result:
    """Deal and play a game to its end, with one chooser for each player."""
    game = Game(deal(len(choosers), rules, luck), luck, choosers)
    game.set_up()
    return game.play_on()


def play_from(table: Table, luck: Luck, choosers: Sequence[Chooser]) -> Result:
    """Play on from any table to the end of the game; the table is changed."""
    return Game(table, luck, choosers).play_on()
