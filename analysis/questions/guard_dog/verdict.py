"""How the Guard Dog's answer is worded: every sentence from the figures, none by heart."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from herdlab.analysis.questions.guard_dog import habits, solo
from herdlab.analysis.questions.guard_dog.found import Elsewhere, Found, pays
from herdlab.analysis.questions.guard_dog.habits import FIRST, NEVER, REFERENCE, SPARE, TUNED
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, is_clear, kind_of_wins
from herdlab.analysis.words.phrases import capital, in_words, listed, ranging, sized, span, turns
from herdlab.analysis.words.stories.herd import described
from herdlab.simcore.herd.lattice import ROLLED_ONLY
from herdlab.simcore.herd.rules import DOG, FACES, FOX, WOLF

BUYING = {SPARE: "buys a dog whenever he can spare it", FIRST: "buys a dog before all else"}
DOES = {
    Kind.HIGHER: "gains",
    Kind.LOWER: "loses",
    Kind.TIE: "makes no difference that matters",
    Kind.OPEN: "is not settled",
}
_UNIT = " percentage points"
_OFTEN = {Kind.HIGHER: "more often", Kind.LOWER: "less often", Kind.TIE: "as often"}
_HAS_ANYWAY = 0.5
"""A share of turns from which on one who never buys can be said to have a dog anyway."""
_MOST_RUNS = 3
_MANY = 0.01
"""A share of games without a winner from which on it is said."""
_THOUSANDTH = 0.001
_Gains = Mapping[tuple[int, str], Estimate]
"""By table and what the others do there."""


def verdict(found: Found) -> list[str]:
    """Return the answer, the shortest sentence first."""
    sentences = [
        _headline(found),
        *_of_habits(found),
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


# ---- the habits of buying ----


def _buyer(way: str, found: Found) -> str:
    """Return somebody by when he buys."""
    if way != TUNED:
        return f"one who {BUYING[way]}"
    rules = habits.RULES_OF_THUMB
    when = rules[found.habits.players[TUNED]]
    return f"one who buys {when}, the fastest of {in_words(len(rules))} rules of thumb,"


def _headline(found: Found) -> str:
    """Return yes, no, or on what it depends."""
    exact, kinds = found.exact, found.kinds
    if not exact.most_owned:
        return f"No: a dog guards against nothing here{_why_nothing(exact)}."

    def promise(way: str) -> tuple[bool, float]:
        gains = found.habits.gains(way).values()
        return Kind.HIGHER in kinds[way], sum(one.value for one in gains) / len(gains)

    best = max(kinds, key=promise)
    who = _buyer(best, found).rstrip(",")
    main, everything = kinds[SPARE] | kinds[FIRST], set().union(*kinds.values())
    if kinds[best] == {Kind.HIGHER}:
        return f"Yes: it pays to be {who}."
    if Kind.HIGHER in everything:
        if Kind.LOWER in kinds[best]:
            return f"It depends on {_on_what(found.habits.gains(best))}."
        return f"At some tables: there it pays to be {who}."
    if Kind.OPEN in main:
        return "It is not settled whether buying a dog pays."
    if pays(exact):
        return "Only at the right moment: as a habit buying a dog does not pay."
    if Kind.LOWER not in main:
        return "It makes no difference that matters whether one buys a dog."
    if exact.has_dog >= _HAS_ANYWAY:
        return f"There is no need to buy one: the dice give it free, and {_has(exact)}."
    return "No: do not buy it."


def _why_nothing(exact: solo.Exact) -> str:
    shown = {*exact.rules.wolf_die, *exact.rules.fox_die}
    if FACES[FOX] not in shown and FACES[WOLF] not in shown:
        return ", since neither fox nor wolf is on the dice"
    return ", since neither fox nor wolf takes anything that it could keep"


def _of_habits(found: Found) -> list[str]:
    """Return what each way to buy does to the win rate."""
    sentences, is_first = [], True
    for way in found.habits.buyers:
        who, gains = _buyer(way, found), found.habits.gains(way)
        if found.habits.is_idle(way):
            text = f"{who} came out as one who never does in every single game"
        elif len(_kinds(gains.values())) > 1:
            text = _by_table(who, gains)
        else:
            text, is_first = _at_every_table(who, gains, in_full=is_first), False
        sentences.append(f"{capital(text)}{_slower(way, found.turns)}.")
    return sentences


def _slower(way: str, alone: habits.Turns) -> str:
    """Return by how much a rule of thumb is slower or faster alone; exact."""
    mine, never = alone[way], alone[NEVER]
    if way != TUNED or mine is None or never is None or mine == never:
        return ""
    return f", and alone takes {turns(abs(mine - never))} {'more' if mine > never else 'less'}"


def _at_every_table(who: str, gains: _Gains, *, in_full: bool) -> str:
    """Return what a way does where it is the same at every table."""
    here, found = gains[REFERENCE, NEVER], gains.values()
    kind, sizes = kind_of_wins(here), listed(list(dict.fromkeys(size for size, _ in gains)))
    every = f"at every table of {sizes}, whatever the others do"
    if kind == Kind.OPEN:
        return f"of {who.rstrip(',')} it is not settled at any table"
    if kind == Kind.TIE:
        within = f"{_OFTEN[kind]} as one who never does, within ± {100 * MARGIN_OF_WIN:g} points"
        return f"{who} wins {within}{f', {every}' if in_full else ''}"
    if not in_full:
        return f"{who} wins {ranging(found)} {_OFTEN[kind]}"
    return (
        f"with {REFERENCE} players {who} wins {sized(here, _UNIT, 2)} {_OFTEN[kind]} than one who "
        f"never does; so it is {every}, by {ranging(found, unit='')}"
    )


def _by_table(who: str, gains: _Gains) -> str:
    """Return what a way does at how many tables; at which, if it gains at some and loses at some.

    All tables one by one are in the data.
    """
    by_kind = {kind: [one for one in gains.values() if kind_of_wins(one) == kind] for kind in DOES}
    parts = [
        f"{DOES[kind]} at {len(rows)} of {len(gains)} tables ({ranging(rows)})"
        for kind, rows in by_kind.items()
        if rows
    ]
    if by_kind[Kind.HIGHER] and by_kind[Kind.LOWER]:
        parts = []
        for sizes, rows in _by_size(gains):
            says = listed([DOES[kind] for kind in DOES if kind in _kinds(rows)], "or")
            others = ", by what the others do," if len(_kinds(rows)) > 1 else ""
            parts.append(f"{says}{others} with {listed(sizes)} players ({ranging(rows)})")
    return f"of {who.rstrip(',')}: buying {'; '.join(parts)}"


def _by_size(gains: _Gains) -> list[tuple[list[int], list[Estimate]]]:
    """Return the tables by number of players, those together at which it is alike."""
    found: list[tuple[list[int], list[Estimate]]] = []
    for size, group in groupby(gains.items(), lambda item: item[0][0]):
        rows = [one for _, one in group]
        if found and _kinds(found[-1][1]) == _kinds(rows):
            found[-1][0].append(size)
            found[-1][1].extend(rows)
        else:
            found.append(([size], rows))
    return found


def _on_what(gains: _Gains) -> str:
    """Return on what it depends whether a way gains or loses."""
    is_by_size = all(not {Kind.HIGHER, Kind.LOWER} <= _kinds(rows) for _, rows in _by_size(gains))
    return "how many play" if is_by_size else "how many play, and how the others do"


def _kinds(rows: Iterable[Estimate]) -> set[Kind]:
    return {kind_of_wins(one) for one in rows}


def _unfinished(found: Found) -> str:
    """Return that many games have no winner, where it is so."""
    share, most = found.habits.unfinished, found.exact.rules.max_turns
    if share < _MANY:
        return ""
    return f"Up to {100 * share:.0f} % of games have no winner after {most:,} turns (H16)."


# ---- perfect play, and what a dog is worth ----


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


def _best_herd(exact: solo.Exact) -> str:
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
    if not is_clear(kind):
        ends = f"{100 * one.low:+.1f} to {100 * one.high:+.1f} percentage points"
        return f"; what that adds to its win rate {DOES[kind]} ({ends})"
    return f", {'and' if kind == Kind.HIGHER else 'but'} wins {sized(one, _UNIT, 2)} {_OFTEN[kind]}"


def _where(exact: solo.Exact) -> str:
    """Return with which rabbits and sheep it is right to buy, from the map, best runs first."""
    runs = runs_of(next(iter(exact.maps.values())))
    if not runs:
        return f"most of all with {_best_herd(exact)}"
    named = [
        f"{sheep} sheep and {span((first, last))} rabbit{'' if last == 1 else 's'}"
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


def _price(exact: solo.Exact) -> str:
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


def _owning(exact: solo.Exact) -> str:
    """Return what a dog in hand is worth, by stage."""
    if not exact.most_owned:
        return ""
    parts = [f"{turns(one.owning)} to one with {one.name}" for one in exact.stages]
    return f"To have one is worth {listed(parts)}, and never more than {turns(exact.most_owned)}."


def _free(exact: solo.Exact) -> str:
    """Return what the dogs on the dice are worth."""
    if not solo.shows_dog(exact.rules):
        return "The dice give none free."
    if not exact.most_owned:
        return ""
    return f"The free one on the dice is worth {turns(exact.free)} a game: {_has(exact)}."


def _has(exact: solo.Exact) -> str:
    return f"one who never buys has a dog in {100 * exact.has_dog:.0f} % of his turns"


# ---- other readings and dice ----


def _elsewhere(found: Found) -> list[str]:
    """Return under which rules the answer is another."""
    everywhere, here = found.elsewhere, kind_of_wins(found.spare)
    if not everywhere:
        return []
    other = [one for one in everywhere if one.kind not in (here, Kind.OPEN)]
    open_ = [one for one in everywhere if one.kind == Kind.OPEN != here]
    if other or open_:
        sentence = _depends(other, open_, everywhere)
    else:
        amount = ranging(one.spare for one in everywhere)
        sentence = (
            f"It is the same {_all(everywhere)}: buying whenever one can spare it {DOES[here]} "
            f"{amount if is_clear(here) else f'({amount})'}."
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
    for kind, group in groupby(sorted(other, key=lambda one: one.kind), lambda one: one.kind):
        rows = list(group)
        amount = "" if kind == Kind.TIE else f" {ranging(one.spare for one in rows)}"
        where = _names(rows, everywhere)
        parts.append(f"buying whenever one can spare it {DOES[kind]}{amount} with {where}")
    parts += [f"it is not settled with {_names(open_, everywhere)}"] if open_ else []
    same = [one for one in everywhere if one not in other and one not in open_]
    parts += [f"it is as here with {_names(same, everywhere)}"] if same else []
    return f"It depends on {listed(list(on))}: {'; '.join(parts)}."


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
    others = [one for one in found.elsewhere if one not in does]
    if pays(found.exact):
        where = _names(others, found.elsewhere) if others else ""
        return [f"Perfect play gains nothing by buying with {where}."] if others else []
    if not does:
        return ["Nor does perfect play gain by buying with any of these."]
    parts = [f"{turns(one.exact.buying)} with {one.variant.label}" for one in does]
    return [f"Perfect play does gain by buying {listed(parts)}."]


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
