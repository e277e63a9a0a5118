"""A game of Have You Herd? in a player's words: dice as animals, herds before and after."""

from collections.abc import Sequence

from herdlab.analysis.words.phrases import counted, listed
from herdlab.analysis.words.stories import Deed, Happening, Story, Teller
from herdlab.simcore.batch import Bout
from herdlab.simcore.herd import view
from herdlab.simcore.herd.position import deal
from herdlab.simcore.herd.rule_tables import multiply, unpack, unpack_supply
from herdlab.simcore.herd.rules import (
    ANIMALS,
    DOG,
    FACES,
    FOX,
    HERD_ANIMALS,
    PLURALS,
    RABBIT,
    SKUNK,
    WOLF,
    HerdRules,
    T,
)

Herd = Sequence[int]


def tell(bout: Bout, number: int) -> Story:
    """Play game `number` of the bout again and tell it."""
    return _Teller(bout, number).story()


def in_words(herd: Herd) -> str:
    """Return a herd as a player would name it."""
    return ", ".join(amount(animal, n) for animal, n in enumerate(herd) if n) or "nothing"


def described(herd: Herd) -> str:
    """Return a herd within a sentence, such as "5 rabbits, 2 sheep and 1 cow"."""
    parts = [amount(animal, n) for animal, n in enumerate(herd) if n]
    return listed(parts) if parts else "nothing"


def priced(herd: Herd) -> str:
    """Return what is paid or lost: every sort of animal with an "and"."""
    return " and ".join(amount(animal, n) for animal, n in enumerate(herd) if n)


def amount(animal: int, n: int) -> str:
    """Return ``1 rabbit``, ``2 rabbits``."""
    return f"{n} {ANIMALS[animal] if n == 1 else PLURALS[animal]}"


class _Teller(Teller):
    """Follows a game through its log."""

    rules: HerdRules

    def beginning(self) -> str:
        """Return what everybody starts with."""
        self.herds: Sequence[Herd] = deal(self.rules, len(self.names)).herds
        return f"everybody starts with {in_words(self.herds[0])} (H3)"

    def end(self) -> str:
        """Return who has won, if anybody has."""
        if self.winners:
            return f"{self.who(*self.winners)} wins in turn {self.length}"
        return f"nobody has won after {counted(self.length, 'turn')} (H16)"

    def tell(self, row: list[int]) -> list[Happening]:
        """Return what a row of the log tells, with all herds after it."""
        what, turn, seat, detail_1, detail_2, supply, skunk, *packed = row
        n, before = len(self.names), self.herds
        self.herds = after = [unpack(herd) for herd in packed[:n]]
        deed = self._told(what, seat, detail_1, detail_2, before[seat], after[seat])
        state = {
            "herds": [dict(zip(ANIMALS, herd, strict=True)) for herd in after],
            "supply": dict(zip(ANIMALS, unpack_supply(supply), strict=True)),
            "skunk": None if skunk == view.NOBODY else skunk,
        }
        return self.placed(
            *([deed], (turn + 1, turn // n + 1, None), view.HAPPENINGS[what], state),  # H16
            lambda seat: (in_words(before[seat]), in_words(after[seat])),
        )

    def _told(
        self, what: int, seat: int, detail_1: int, detail_2: int, before: Herd, after: Herd
    ) -> Deed:
        """Return what one line of the log says."""
        if what == view.LOST_TURN:
            return Deed(seat, "H14", "holds the skunk: loses this turn and returns the tile")
        if what == view.TRADED:
            paid = priced(self.rules.prices[detail_1])
            partner = None if detail_2 == view.NOBODY else detail_2
            other = "the supply" if partner is None else self.who(partner)
            words = f"trades {paid} for {amount(detail_1, 1)} with {other}"
            facts = {"trade": ANIMALS[detail_1], "partner": partner}
            return Deed(seat, "H15" if partner is None else "H13 H15", words, facts)
        if what == view.SKUNKED:
            words = f"gives the skunk to {self.who(detail_1)}"
            return Deed(seat, "H14", words, {"receiver": detail_1})
        if what == view.WON:
            words = "has a rabbit, a sheep, a pig, a cow and a horse: wins"
            return Deed(seat, "H4", f"{self.who(seat)} {words}")
        dice = {"dice": [FACES[detail_1], FACES[detail_2]]}
        shown = f"rolls {FACES[detail_1]} and {FACES[detail_2]}"
        if what == view.WOLF_ROLLED:
            taken = priced([b - a for b, a in zip(before, after, strict=True)]) or "nothing"
            return Deed(seat, "H12", f"{shown} for the wolf, which takes {taken}", dice)
        assert what == view.ROLLED
        parts = _rolled(self.rules, len(self.names), detail_1, detail_2, before, after)
        clauses = " ".join(dict.fromkeys(clause for clause, _ in parts))
        return Deed(seat, clauses, f"{shown}: " + "; ".join(words for _, words in parts), dice)


def _rolled(
    rules: HerdRules, n_players: int, first: int, second: int, before: Herd, after: Herd
) -> list[tuple[str, str]]:
    """Return what a roll did, clause by clause."""
    faces = (first, second)
    cancelling = {FOX, WOLF, SKUNK, DOG} | ({T} if rules.t_cancels else set())
    if first in cancelling and second in cancelling:
        return [("H9", "the two cancel each other, nothing happens")]
    if FOX in faces:
        if before[DOG]:
            return [("H11", "the dog chases the fox away and stays")]
        lost = before[RABBIT] - after[RABBIT]
        return [("H11", f"no dog, and the fox eats {amount(RABBIT, lost) if lost else 'nothing'}")]
    parts = []
    if WOLF in faces:
        if before[DOG]:
            parts.append(("H12", "the dog chases the wolf away and does not return"))
        else:
            parts.append(("H12", "no dog against the wolf, the dice are rolled again"))
    else:
        parts += _multiplied(rules, faces, before, after)
        if SKUNK in faces and (n_players == 1 or not rules.skunks):
            parts.append(("H2" if rules.skunks else "H1", "the skunk goes to nobody"))
        elif SKUNK in faces:
            parts.append(("H14", "the skunk is to be given away"))
        if first == second and not all(after[animal] for animal in HERD_ANIMALS):
            parts += [("H8", "a double, rolls again")] if first in HERD_ANIMALS else []
    if T in faces:
        parts.append(("H13", "T, the final trade only with another player"))
    return parts


def _multiplied(
    rules: HerdRules, faces: tuple[int, int], before: Herd, after: Herd
) -> list[tuple[str, str]]:
    """Return what was gained, and why not more."""
    parts = []
    gained = [a - b for b, a in zip(before, after, strict=True)]
    if DOG in faces:
        reason = "has a dog already" if before[DOG] else "no dog tile is left"
        parts.append(("H10", "takes a free dog" if gained[DOG] else reason))
    shown = [animal for animal in HERD_ANIMALS if animal in faces]
    if shown:
        new = ", ".join(f"+{amount(animal, gained[animal])}" for animal in shown if gained[animal])
        parts.append(("H7", new or "nothing multiplies"))
    for animal in shown:
        due = multiply(before[animal], faces.count(animal), rules.limits[animal])
        if gained[animal] < due:
            parts.append(("H1", f"the supply had no more {PLURALS[animal]}"))
    return parts
