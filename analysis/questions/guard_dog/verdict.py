"""All that is found out about the Guard Dog, and how that is put into words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from herdlab.analysis.questions.advising import worded
from herdlab.analysis.questions.guard_dog import habits as played
from herdlab.analysis.questions.guard_dog import solo
from herdlab.analysis.questions.guard_dog.dice import Variant
from herdlab.analysis.questions.guard_dog.habits import FIRST, NEVER, REFERENCE, SPARE, TUNED
from herdlab.analysis.questions.ways import Weighed
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
from herdlab.analysis.words.phrases import capital, in_words, listed, ranging, turns
from herdlab.analysis.words.stories.herd import described
from herdlab.simcore.herd.lattice import ROLLED_ONLY
from herdlab.simcore.herd.rules import DOG, FACES, FOX, WOLF

BUYING = {
    SPARE: "buying a dog whenever you can spare it",
    FIRST: "buying a dog before all else",
    TUNED: "buying by a rule of thumb",
}
DOES = {
    Kind.HIGHER: "gains",
    Kind.LOWER: "loses",
    Kind.TIE: "makes no difference that matters",
    Kind.OPEN: "is not settled",
}
PAYS = 0.01
"""Turns from which on buying at the right moments is worth speaking of."""
_HAS_ANYWAY = 0.5
"""A share of turns from which on you can be said to have a dog without buying."""
_MANY = 0.01
"""A share of games without a winner from which on it is said."""
_THOUSANDTH = 0.001


@dataclass(frozen=True)
class Elsewhere:
    """What was found under other rules."""

    variant: Variant
    exact: solo.Exact
    turns: played.Turns
    habits: Weighed
    perfect: Estimate | None
    """What buying adds to perfect play's win rate; None where it never buys."""

    @property
    def spare(self) -> Estimate:
        """What buying whenever one can spare it adds to the win rate."""
        return self.habits.less(SPARE, NEVER)

    @property
    def kind(self) -> Kind:
        """The verdict on that."""
        return kind_of_wins(self.spare)


@dataclass(frozen=True)
class Found:
    """All that an answer is composed from."""

    exact: solo.Exact
    turns: played.Turns
    habits: played.Habits
    moments: list[played.Moment]
    race: dict[int, float]
    """By players: what being able to buy adds to the chance in a race, exact."""
    perfect: Estimate | None
    """What buying adds to perfect play's win rate; None where it never buys."""
    elsewhere: list[Elsewhere]
    endless: list[Variant]
    """Other rules under which even perfect play may never complete a herd: left out."""

    @property
    def spare(self) -> Estimate:
        """What was measured elsewhere too, under the rules as given."""
        return self.habits.gains(SPARE)[REFERENCE, NEVER]

    @property
    def kinds(self) -> dict[str, set[Kind]]:
        """By way to buy, what was found at the tables."""
        return {
            way: {kind_of_wins(one) for one in self.habits.gains(way).values()}
            for way in self.habits.buyers
        }

    @property
    def is_settled(self) -> bool:
        """Whether nothing is open that the verdict speaks of."""
        measured = [one.spare for one in self.elsewhere]
        measured += [self.perfect] if self.perfect is not None else []
        kinds = set().union(*self.kinds.values(), (kind_of_wins(one) for one in measured))
        return Kind.OPEN not in kinds


def pays(exact: solo.Exact) -> bool:
    """Whether perfect play gains by buying what is worth speaking of."""
    return exact.is_ever_bought and exact.buying >= PAYS


def verdict(found: Found) -> list[str]:
    """Return the answer, the shortest sentence first."""
    return [_headline(found), *_of_habits(found), *_of_perfect_play(found), *_elsewhere(found)]


def without_dogs(mean: float, setting: str) -> list[str]:
    """Return the answer where nobody can have a dog."""
    return [
        f"There is no Guard Dog to be had: with {setting} nobody can own one",
        f"Perfect play takes {mean:.2f} turns alone",
    ]


def _headline(found: Found) -> str:
    """Return yes, no, or on what it depends."""
    exact, kinds = found.exact, found.kinds
    averages = {way: _average(found.habits.gains(way).values()) for way in kinds}
    best = max(kinds, key=lambda way: (Kind.HIGHER in kinds[way], averages[way]))
    as_people_do = kinds[SPARE] | kinds[FIRST]
    if not exact.most_owned:
        on_dice = {*exact.rules.wolf_die, *exact.rules.fox_die} & {FACES[FOX], FACES[WOLF]}
        why = "takes anything that it could keep" if on_dice else "is on the dice"
        return f"No: a dog guards against nothing here, since neither fox nor wolf {why}"
    if kinds[best] == {Kind.HIGHER}:
        return f"Yes: {BUYING[best]} pays"
    if {Kind.HIGHER, Kind.LOWER} <= kinds[best]:
        return "It depends on the table whether buying a dog pays"
    if Kind.HIGHER in kinds[best]:
        return f"At some tables: there {BUYING[best]} pays"
    if Kind.OPEN in as_people_do:
        return "It is not settled whether buying a dog pays"
    if pays(exact):
        return "Only at the right moment: as a habit buying a dog does not pay"
    if Kind.LOWER not in as_people_do:
        return "It makes no difference that matters whether you buy a dog"
    if exact.has_dog >= _HAS_ANYWAY:
        return "There is no need to buy one: the dice give it free"
    return "No: do not buy it"


def _average(gains: Iterable[Estimate]) -> float:
    values = [one.value for one in gains]
    return sum(values) / len(values)


def _of_habits(found: Found) -> list[str]:
    """Return what each way to buy does to the win rate, and that many games have no winner."""
    told = []
    for way in found.habits.buyers:
        gains = found.habits.gains(way)
        by_kind = {
            kind: [one for one in gains.values() if kind_of_wins(one) == kind] for kind in DOES
        }
        parts = [
            f"{DOES[kind]} at {_of_all(len(rows), len(gains))} tables ({ranging(rows)})"
            for kind, rows in by_kind.items()
            if rows
        ]
        says = f"{BUYING[way]} {listed(parts)}"
        if found.habits.is_idle(way):
            says = f"{BUYING[way]} changes nothing in any game"
        elif way == SPARE:
            says += f": with {REFERENCE} players, nobody else buying, it {worded(found.spare)}"
        elif way == TUNED:
            rules = played.RULES_OF_THUMB
            says += (
                f": {rules[found.habits.players[way]]}, the fastest of {in_words(len(rules))} rules"
                f"{_slower(found.turns)}"
            )
        told.append(capital(says))
    if found.habits.unfinished >= _MANY:
        share, most = 100 * found.habits.unfinished, found.exact.rules.max_turns
        told.append(f"Up to {share:.0f} % of games have no winner after {most:,} turns (H16)")
    return told


def _of_all(some: int, every: int) -> str:
    return f"all {every}" if some == every else f"{some} of {every}"


def _slower(alone: Mapping[str, float | None]) -> str:
    """Return by how much a rule of thumb is slower or faster alone; exact."""
    mine, never = alone[TUNED], alone[NEVER]
    if mine is None or never is None or mine == never:
        return ""
    return f"; alone it takes {turns(abs(mine - never))} {'more' if mine > never else 'less'}"


def _of_perfect_play(found: Found) -> list[str]:
    """Return when perfect play buys, and what a dog is worth to it."""
    exact = found.exact
    best = described((exact.best.herd or ())[:DOG])
    told = ["No herd can buy one"]
    if exact.is_ever_bought:
        told = [
            f"Perfect play buys one with {exact.right:,} of the {exact.moments:,} herds that "
            f"could, most of all with {best}, and saves {turns(exact.buying)} of "
            f"{exact.turns[ROLLED_ONLY]:.2f} by it"
        ]
        if found.perfect is not None:
            told.append(f"Being able to buy, perfect play {worded(found.perfect)}")
    elif exact.moments:
        told = [
            f"Perfect play never buys one: with none of the {exact.moments:,} herds that could "
            f"does it save turns; at best, with {best}, it costs {turns(-exact.best.gain)}"
        ]
        if found.race:
            most = 100 * max(found.race.values())
            amount = f"less than {_THOUSANDTH}" if most < _THOUSANDTH else f"at most {most:.3f}"
            told.append(f"Where only being first counts, it gains {amount} percentage points")
    if exact.usual.price:
        told.append(
            f"Where you can buy one, the dog saves {turns(exact.usual.worth)} on average; the "
            f"rabbit, the sheep and the trade given for it would save {turns(exact.usual.price)}"
        )
    if exact.most_owned:
        parts = [f"{turns(one.owning)} with {one.name}" for one in exact.stages]
        told.append(f"Owning one saves {listed(parts)}, and at most {turns(exact.most_owned)}")
    if not solo.shows_dog(exact.rules):
        told.append("The dice give none free")
    elif exact.most_owned:
        told.append(
            f"The free one on the dice is worth {turns(exact.free)} a game: without buying you "
            f"have a dog in {100 * exact.has_dog:.0f} % of your turns"
        )
    return told


def _elsewhere(found: Found) -> list[str]:
    """Return under which other readings and dice the answer is another."""
    everywhere, here = found.elsewhere, kind_of_wins(found.spare)
    if not everywhere:
        return []
    parts = []
    for kind, does in DOES.items():
        rows = [one for one in everywhere if one.kind == kind]
        if rows:
            by = ranging(one.spare for one in rows)
            parts.append(f"{does} ({by}) with {_names(rows, everywhere)}")
    on = dict.fromkeys(
        "the dice" if one.variant.is_dice else "how the rules are read"
        for one in everywhere
        if one.kind != here
    )
    lead = f"It depends on {listed(list(on))}" if on else "It is the same under other rules"
    gaining = [
        f"{turns(one.exact.buying)} with {one.variant.label}"
        for one in everywhere
        if pays(one.exact)
    ]
    return [
        f"{lead}: {BUYING[SPARE]} {'; it '.join(parts)}",
        f"There perfect play gains by buying {listed(gaining)}"
        if gaining
        else "Nor does perfect play gain by buying under any of these",
    ]


def _names(some: Sequence[Elsewhere], everywhere: Sequence[Elsewhere]) -> str:
    """Return under which rules; all pairs of dice, or all readings, in one word."""
    parts = []
    for is_dice, words in ((False, "readings of the rules"), (True, "pairs of dice")):
        mine = [one for one in some if one.variant.is_dice == is_dice]
        every = [one for one in everywhere if one.variant.is_dice == is_dice]
        if len(mine) == len(every) > 1:
            parts.append(f"all {in_words(len(mine))} other {words}")
        else:
            parts += [one.variant.label for one in mine]
    return listed(parts)


def seldom(found: Found) -> list[str]:
    """Return where perfect play buys but gains nothing worth speaking of."""
    parts = [
        f"{one.variant.label} with {one.exact.right:,} of {one.exact.moments:,} herds, saving "
        f"{turns(one.exact.buying)}"
        for one in found.elsewhere
        if one.exact.is_ever_bought and not pays(one.exact)
    ]
    told = "Perfect play does buy, but gains next to nothing by it, with "
    return [told + "; with ".join(parts)] if parts else []
