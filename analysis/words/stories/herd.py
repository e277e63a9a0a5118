"""A game of Have You Herd? in a player's words: dice as animals, herds before and after."""

from collections.abc import Sequence
from typing import Any

from herdlab.analysis.words.phrases import counted, listed
from herdlab.analysis.words.stories import Happening, Story, played
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
    rules, (names, log, winners, length) = bout.rules, played(bout, number)
    assert isinstance(rules, HerdRules)
    n = len(names)
    herds = list(deal(rules, n).herds)
    beginning = f"everybody starts with {in_words(herds[0])} (H3)"
    happenings = []
    for what, turn, seat, detail_1, detail_2, supply, skunk, *packed in log:
        after = [unpack(herd) for herd in packed[:n]]
        clauses, words, facts = _told(
            rules, what, names, seat, detail_1, detail_2, herds[seat], after[seat]
        )
        facts |= {
            "herds": [dict(zip(ANIMALS, herd, strict=True)) for herd in after],
            "supply": dict(zip(ANIMALS, unpack_supply(supply), strict=True)),
            "skunk": None if skunk == view.NOBODY else skunk,
        }
        happenings.append(
            Happening(
                turn + 1,
                turn // n + 1,  # H16: turns / players, rounded up
                seat,
                names[seat],
                view.HAPPENINGS[what],
                tuple(clauses),
                words,
                in_words(herds[seat]),
                in_words(after[seat]),
                facts,
            )
        )
        herds = after
    end = f"nobody has won after {counted(length, 'turn')} (H16)"
    if winners:
        end = f"seat {winners[0]} ({names[winners[0]]}) wins in turn {length}"
    return Story(beginning, happenings, end, winners, length)


def in_words(herd: Herd) -> str:
    """Return a herd as a player would name it."""
    parts = [amount(animal, owned) for animal, owned in enumerate(herd) if owned]
    return ", ".join(parts) if parts else "nothing"


def described(herd: Herd) -> str:
    """Return a herd within a sentence, such as "5 rabbits, 2 sheep and 1 cow"."""
    parts = [amount(animal, owned) for animal, owned in enumerate(herd) if owned]
    return listed(parts) if parts else "nothing"


def amount(animal: int, n: int) -> str:
    """Return ``1 rabbit``, ``2 rabbits``."""
    return f"{n} {ANIMALS[animal] if n == 1 else PLURALS[animal]}"


def _told(
    rules: HerdRules,
    what: int,
    names: list[str],
    seat: int,
    detail_1: int,
    detail_2: int,
    before: Herd,
    after: Herd,
) -> tuple[list[str], str, dict[str, Any]]:
    """Return the clauses that acted, the words and the facts of one line of the log."""
    if what == view.LOST_TURN:
        return ["H14"], "holds the skunk: loses this turn and returns the tile", {}
    if what == view.TRADED:
        price = rules.prices[detail_1]
        paid = " and ".join(amount(animal, n) for animal, n in enumerate(price) if n)
        partner = None if detail_2 == view.NOBODY else detail_2
        other = "the supply" if partner is None else f"seat {partner} ({names[partner]})"
        words = f"trades {paid} for {amount(detail_1, 1)} with {other}"
        facts = {"trade": ANIMALS[detail_1], "partner": partner}
        return (["H15"] if partner is None else ["H13", "H15"]), words, facts
    if what == view.SKUNKED:
        words = f"gives the skunk to seat {detail_1} ({names[detail_1]})"
        return ["H14"], words, {"receiver": detail_1}
    if what == view.WON:
        words = "has a rabbit, a sheep, a pig, a cow and a horse: wins"
        return ["H4"], f"seat {seat} ({names[seat]}) {words}", {}
    dice = {"dice": [FACES[detail_1], FACES[detail_2]]}
    shown = f"rolls {FACES[detail_1]} and {FACES[detail_2]}"
    if what == view.WOLF_ROLLED:
        lost = [b - a for b, a in zip(before, after, strict=True)]
        taken = " and ".join(amount(animal, n) for animal, n in enumerate(lost) if n)
        return ["H12"], f"{shown} for the wolf, which takes {taken or 'nothing'}", dice
    assert what == view.ROLLED
    parts = _rolled(rules, len(names), detail_1, detail_2, before, after)
    clauses = list(dict.fromkeys(clause for clause, _ in parts))
    return clauses, f"{shown}: " + "; ".join(words for _, words in parts), dice


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
