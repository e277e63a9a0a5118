"""How the Guard Dog's answer is worded: every sentence from the figures, none by heart."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from herdlab.analysis.questions.guard_dog.found import Elsewhere, Found, pays
from herdlab.analysis.questions.guard_dog.habits import FIRST, SPARE
from herdlab.analysis.questions.guard_dog.solo import Exact, shows_dog
from herdlab.analysis.questions.guard_dog.words import (
    DOES,
    buyer,
    described,
    habit_sentences,
    on_what,
    ranging,
    sized,
    turns,
)
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
from herdlab.analysis.words.phrases import in_words, listed
from herdlab.simcore.herd.lattice import ROLLED_ONLY
from herdlab.simcore.herd.rules import DOG, FACES, FOX, WOLF

_OFTEN = 0.5
"""A share of turns from which on one who never buys can be said to have a dog anyway."""
_MOST_RUNS = 3
_MANY = 0.01
"""A share of games without a winner from which on it is said."""
_THOUSANDTH = 0.001


def verdict(found: Found) -> list[str]:
    """Return the answer, the shortest sentence first."""
    sentences = [
        _headline(found),
        *habit_sentences(found.habits, found.turns),
        _unfinished(found),
        _perfect(found),
        _price(found.exact),
        _owning(found.exact),
        _free(found.exact),
        *_elsewhere(found),
    ]
    return [one for one in sentences if one]


def without_dogs(mean: float, setting: str) -> str:
    """Return the answer where nobody can have a dog."""
    return (
        f"There is no Guard Dog to be had: with {setting} nobody can own one, so there is nothing "
        f"to buy and nothing to compare; perfect play takes {mean:.2f} turns alone."
    )


def _headline(found: Found) -> str:
    """Return yes, no, or on what it depends."""
    exact, kinds = found.exact, found.kinds
    if not exact.most_owned:
        return f"No: a dog guards against nothing here{_why_nothing(exact)}."
    best = max(kinds, key=lambda way: (Kind.HIGHER in kinds[way], _mean(found, way)))
    who = buyer(best, found.habits).rstrip(",")
    main, everything = kinds[SPARE] | kinds[FIRST], set().union(*kinds.values())
    if kinds[best] == {Kind.HIGHER}:
        return f"Yes: it pays to be {who}."
    if Kind.HIGHER in everything:
        if Kind.LOWER in kinds[best]:
            return f"It depends on {on_what(found.habits.gains(best))}."
        return f"At some tables: there it pays to be {who}."
    if Kind.OPEN in main:
        return "It is not settled whether buying a dog pays."
    if pays(exact):
        return "Only at the right moment: as a habit buying a dog does not pay."
    if Kind.LOWER not in main:
        return "It makes no difference that matters whether one buys a dog."
    if exact.has_dog >= _OFTEN:
        return f"There is no need to buy one: the dice give it free, and {_has(exact)}."
    return "No: do not buy it."


def _unfinished(found: Found) -> str:
    """Return that many games have no winner, where it is so."""
    share = found.habits.unfinished
    if share < _MANY:
        return ""
    most = found.exact.rules.max_turns
    return f"Up to {100 * share:.0f} % of games have no winner after {most:,} turns (H16)."


def _mean(found: Found, way: str) -> float:
    gains = found.habits.gains(way)
    return sum(one.value for one in gains.values()) / len(gains)


def _why_nothing(exact: Exact) -> str:
    shown = {*exact.rules.wolf_die, *exact.rules.fox_die}
    if FACES[FOX] not in shown and FACES[WOLF] not in shown:
        return ", since neither fox nor wolf is on the dice"
    return ", since neither fox nor wolf takes anything that it could keep"


# ---- perfect play ----


def _perfect(found: Found) -> str:
    """Return what perfect play does, and when."""
    exact = found.exact
    if not exact.moments:
        return "No herd can buy one."
    if not exact.is_ever_bought:
        return (
            f"Perfect play never buys one: alone, with none of the {exact.moments:,} herds that "
            f"could is it the fastest move, and where it comes nearest, with {_best_herd(exact)}, "
            f"it costs {turns(-exact.best.gain)}{_in_a_race(found.race)}."
        )
    return (
        f"Perfect play buys one with {exact.right:,} of the {exact.moments:,} herds that could, "
        f"{_where(exact)}, and saves {turns(exact.buying)} of {exact.turns[ROLLED_ONLY]:.2f} by "
        f"it{_and_wins(found.perfect)}."
    )


def _best_herd(exact: Exact) -> str:
    return described((exact.best.herd or ())[:DOG])


def _in_a_race(race: Mapping[int, float]) -> str:
    if not race:
        return ""
    most = 100 * max(race.values())
    amount = f"less than {_THOUSANDTH}" if most < _THOUSANDTH else f"at most {most:.3f}"
    return (
        f"; and where only being first counts, the best play gains {amount} percentage points by "
        f"being able to buy"
    )


def _and_wins(one: Estimate | None) -> str:
    if one is None:
        return ""
    kind = kind_of_wins(one)
    if kind in (Kind.TIE, Kind.OPEN):
        span = f"{100 * one.low:+.1f} to {100 * one.high:+.1f} percentage points"
        return f"; what that adds to its win rate {DOES[kind]} ({span})"
    return f", {'and' if kind == Kind.HIGHER else 'but'} wins {sized(one)} {_often(kind)}"


def _often(kind: str) -> str:
    return "more often" if kind == Kind.HIGHER else "less often"


def _where(exact: Exact) -> str:
    """Return with which rabbits and sheep it is right to buy, from the map, best runs first."""
    runs = runs_of(next(iter(exact.maps.values())))
    if not runs:
        return f"most of all with {_best_herd(exact)}"
    named = [
        f"{sheep} sheep and {first if first == last else f'{first} to {last}'} "
        f"rabbit{'' if last == 1 else 's'}"
        for sheep, first, last in runs[:_MOST_RUNS]
    ]
    return f"such as {listed(named, 'or')}"


def runs_of(cells: Sequence[Sequence[float | None]]) -> list[tuple[int, int, int]]:
    """Return where buying is right, as (sheep, first and last number of rabbits), best first."""
    found: list[tuple[float, tuple[int, int, int]]] = []
    for sheep in range(len(cells[0]) if cells else 0):
        column, rabbits = [row[sheep] or 0.0 for row in cells], 0
        for is_right, group in groupby(column, lambda gain: gain > 0):
            gains = list(group)
            if is_right:
                found.append((max(gains), (sheep + 1, rabbits + 1, rabbits + len(gains))))
            rabbits += len(gains)
    return [run for _, run in sorted(found, reverse=True)]


# ---- what a dog is worth ----


def _price(exact: Exact) -> str:
    """Return the dog weighed against what it costs."""
    worth, price = exact.usual.worth, exact.usual.price
    if not price:
        return ""
    if not exact.most_owned:
        return f"What is given for it, a rabbit, a sheep and the trade, would save {turns(price)}."
    but = "but" if price > worth else "and"
    return (
        f"On average over the turns in which one can buy, the dog saves {turns(worth)}, {but} the "
        f"rabbit, the sheep and the trade given for it would save {turns(price)}."
    )


def _owning(exact: Exact) -> str:
    """Return what a dog in hand is worth, by stage."""
    if not exact.most_owned:
        return ""
    parts = [f"{turns(one.owning)} to one with {one.name}" for one in exact.stages]
    return f"To have one is worth {listed(parts)}, and never more than {turns(exact.most_owned)}."


def _free(exact: Exact) -> str:
    """Return what the dogs on the dice are worth."""
    if not shows_dog(exact.rules):
        return "The dice give none free."
    if not exact.most_owned:
        return ""
    return f"The free one on the dice is worth {turns(exact.free)} a game: {_has(exact)}."


def _has(exact: Exact) -> str:
    return f"one who never buys has a dog in {100 * exact.has_dog:.0f} % of his turns"


# ---- other readings and dice ----


def _elsewhere(found: Found) -> list[str]:
    """Return under which rules the answer is another."""
    everywhere, here = found.elsewhere, kind_of_wins(found.spare)
    if not everywhere:
        return []
    other = [one for one in everywhere if kind_of_wins(one.spare) not in (here, Kind.OPEN)]
    open_ = [one for one in everywhere if kind_of_wins(one.spare) == Kind.OPEN != here]
    if other or open_:
        sentence = _depends(other, open_, everywhere)
    else:
        span = ranging([one.spare for one in everywhere])
        amount = f" {span}" if here in (Kind.HIGHER, Kind.LOWER) else f" ({span})"
        sentence = (
            f"It is the same {_all(everywhere)}: buying whenever one can spare it {DOES[here]}"
            f"{amount}."
        )
    return [sentence, *_perfect_elsewhere(found)]


def _depends(
    other: Sequence[Elsewhere], open_: Sequence[Elsewhere], everywhere: Sequence[Elsewhere]
) -> str:
    """Return on what it depends, and with which rules it is how."""
    on = dict.fromkeys(
        "the dice" if one.variant.is_dice else "how the rules are read" for one in other or open_
    )
    parts = []
    for kind, group in groupby(sorted(other, key=_kind_there), _kind_there):
        rows = list(group)
        amount = "" if kind == Kind.TIE else f" {ranging([one.spare for one in rows])}"
        where = _names(rows, everywhere)
        parts.append(f"buying whenever one can spare it {DOES[kind]}{amount} with {where}")
    parts += [f"it is not settled with {_names(open_, everywhere)}"] if open_ else []
    same = [one for one in everywhere if one not in other and one not in open_]
    parts += [f"it is as here with {_names(same, everywhere)}"] if same else []
    return f"It depends on {listed(list(on))}: {'; '.join(parts)}."


def _kind_there(one: Elsewhere) -> Kind:
    return kind_of_wins(one.spare)


def _all(elsewhere: Sequence[Elsewhere]) -> str:
    dice = sum(one.variant.is_dice for one in elsewhere)
    readings = len(elsewhere) - dice
    parts = [f"under {_counted(readings, 'reading')} of the rules"] if readings else []
    parts += [f"with {_counted(dice, 'pair')} of dice"] if dice else []
    return listed(parts)


def _counted(n: int, what: str) -> str:
    return f"{in_words(n)} other {what}{'' if n == 1 else 's'}"


def _perfect_elsewhere(found: Found) -> list[str]:
    """Return where perfect play gains by buying and where it does not."""
    does = [one for one in found.elsewhere if pays(one.exact)]
    others = [one for one in found.elsewhere if not pays(one.exact)]
    if not pays(found.exact):
        if not does:
            return ["Nor does perfect play gain by buying with any of these."]
        parts = [f"{turns(one.exact.buying)} with {one.variant.label}" for one in does]
        return [f"Perfect play does gain by buying {listed(parts)}."]
    where = _names(others, found.elsewhere) if others else ""
    return [f"Perfect play gains nothing by buying with {where}."] if others else []


def seldom(found: Found) -> list[str]:
    """Return where perfect play buys but gains nothing worth speaking of."""
    parts = [
        f"{one.variant.label} with {one.exact.right:,} of {one.exact.moments:,} herds, saving "
        f"{turns(one.exact.buying)}"
        for one in found.elsewhere
        if one.exact.is_ever_bought and not pays(one.exact)
    ]
    if not parts:
        return []
    return [f"Perfect play does buy, but gains next to nothing by it, with {'; with '.join(parts)}"]


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
