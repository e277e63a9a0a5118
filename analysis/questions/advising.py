"""Ways that were weighed at several tables: which to take, where that holds, and its pictures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import MARGIN, POINTS, Finding, Of, measured
from herdlab.analysis.questions.drawn import (
    LESS,
    MORE,
    are_told_apart,
    best_others,
    forest_of_wins,
    rows_of,
)
from herdlab.analysis.questions.ways import Ranking, Weighed
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
from herdlab.analysis.words import phrases
from herdlab.analysis.words.phrases import capital, listed, sized

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing
    from herdlab.analysis.questions.asking import Answer

_LISTED = 2
"""So many numbers in a row are listed; more are given as from first to last."""


@dataclass(frozen=True)
class Words:
    """How a question speaks of its ways."""

    matter: str
    """What they are ways of doing: "what one does with the Donkey"."""
    advised: dict[str, str]
    """By way, as one tells somebody to take it: "pass the Donkey on"."""
    doing: dict[str, str]
    """By way, as the subject of a sentence: "passing it on"."""
    said: str = "it"
    """What holds, or does not, under other rules."""
    usual: str = ""
    """The way that all others are compared with in the figures."""


@dataclass(frozen=True)
class Advice:
    """What several tables say together."""

    way: str | None
    """The way to take at every table; None: there is none for all."""
    by_table: dict[int, str]
    """The way to take at each table: that of most tables where it is not known to be worse."""
    rankings: dict[int, Ranking]

    def where(self, what: str) -> list[int]:
        """Return the tables at which some way is `worse`, or `unsettled`."""
        return [n for n, one in self.rankings.items() if getattr(one, what)]

    @property
    def unsettled(self) -> list[int]:
        """The tables at which not all is settled."""
        return self.where("unsettled")

    @property
    def indifferent(self) -> list[int]:
        """The tables at which it is settled that all ways are as good."""
        return [n for n, one in self.rankings.items() if not (one.worse or one.unsettled)]


def advice(rankings: Mapping[int, Ranking]) -> Advice:
    """Return the way that suits most tables, and the tables that it does not suit."""
    suits: dict[str, int] = {}
    for one in rankings.values():
        for place, name in enumerate(one.best):
            suits[name] = suits.get(name, 0) + 2 + (place == 0)  # the first is the better guess
    usual = max(suits, key=lambda name: suits[name])
    by_table = {
        table: one.best[0] if usual in one.worse else usual for table, one in rankings.items()
    }
    is_for_all = all(name == usual for name in by_table.values())
    return Advice(usual if is_for_all else None, by_table, dict(rankings))


@dataclass(frozen=True)
class Change:
    """Other rules, other players or another speed, with which a question is asked again."""

    section: str
    label: str
    """Such as "with two Donkeys"."""
    experiment: Experiment
    others: str
    speed: float = 1.0
    """Of the player whose ways are weighed, that of the others being 1."""


@dataclass(frozen=True)
class Variant:
    """Other rules, or other players, under which ways were weighed again."""

    section: str
    label: str
    found: Weighed
    ways: Sequence[str]
    """Those that it is about; others may have been weighed with them."""

    @property
    def ranking(self) -> Ranking:
        """Which of them are best."""
        return self.found.ranking(self.ways)

    def finding(
        self, section: str, way: str, other: str, players: int, *, what: str = "again"
    ) -> Finding:
        """Return what a way wins more than another here."""
        of = Of(what, way, other, players, change=self.section, under=self.label)
        return measured(section, f"{self.label}: {way}", self.found.less(way, other), POINTS, of)


def worded(gain: Estimate) -> str:
    """Return what a difference of win rates comes to, in words that follow a way's name."""
    value, low, high = in_points(gain)
    kind = kind_of_wins(gain)
    if kind == Kind.TIE:
        return f"makes no difference that matters ({value:+.1f}, {low:+.1f} to {high:+.1f})"
    if kind == Kind.OPEN:
        return f"may be worth anything from {low:+.1f} to {high:+.1f} percentage points"
    often = "more" if kind == Kind.HIGHER else "less"
    return f"wins {sized(gain, f' percentage points {often} often')}"


def in_points(gain: Estimate) -> tuple[float, float, float]:
    """Return a difference of win rates and its interval in percentage points."""
    return 100 * gain.value, 100 * gain.low, 100 * gain.high


def at_tables(by_table: Mapping[int, Weighed], words: Words, section: str) -> Iterator[Finding]:
    """Yield what all ways win more than the usual one, by way and table."""
    for way in next(iter(by_table.values())).names:
        for n, one in by_table.items() if way != words.usual else ():
            gain, of = one.less(way, words.usual), Of("ways", way, words.usual, n)
            yield measured(section, f"{way}, {n} players", gain, POINTS, of)


def under_changes(
    variants: Sequence[Variant], words: Words, section: str, players: int
) -> Iterator[Finding]:
    """Yield the same of each change; `section` and what is changed is the heading."""
    for one in variants:
        for way in one.found.names:
            if way != words.usual:
                yield one.finding(f"{section}: {one.section}", way, words.usual, players)


def beside_advised(
    said: Advice,
    by_table: Mapping[int, Weighed],
    variants: Sequence[Variant],
    table: int,
    words: Words,
) -> Iterator[Finding]:
    """Yield the figures of the verdict where it advises another way than the usual one.

    The verdict compares with what it advises; the other tables of an answer with the usual way.
    """
    for n, way in said.by_table.items():
        ranking, section = said.rankings[n], f"win rate, less that of {words.doing[way]}"
        for other in (*ranking.best, *ranking.worse, *ranking.unsettled):
            if other != way != words.usual:
                gain, of = by_table[n].less(other, way), Of("advised", other, way, n)
                yield measured(section, f"{other}, {n} players", gain, POINTS, of)
    way = said.by_table[table]
    section = f"win rate, less that of {words.doing[way]}, {table} players: "
    for one in variants:
        for other in one.ways:
            if way in one.ways and other != way != words.usual:
                yield one.finding(section + one.section, other, way, table, what="advised again")


def spanned(tables: Sequence[int]) -> str:
    """Return such as "3 to 6 players" or "2, 4 and 10 players"."""
    first, last = tables[0], tables[-1]
    if len(tables) > _LISTED and list(tables) == list(range(first, last + 1)):
        return f"{first} to {last} players"
    return f"{listed(tables)} players"


def sentence(
    found: Advice, by_table: Mapping[int, Weighed], ways: Sequence[str], table: int, words: Words
) -> str:
    """Return which way to take; what the others cost at `table`; and at which tables it is so."""
    if all(_is_same(one, ways) for one in by_table.values()):
        return f"{words.matter} changes nothing: all games came out alike"
    if len(found.indifferent) == len(found.rankings):
        where = spanned(list(found.by_table))
        return (
            f"{words.matter} makes no difference that matters with {where}: "
            f"{_others(by_table[table], found.by_table[table], ways, table, words)}"
        )
    if found.way is None:
        groups: dict[str, list[int]] = {}
        for n, way in found.by_table.items():
            groups.setdefault(way, []).append(n)
        parts = [
            f"with {spanned(tables)} {words.advised[way]} "
            f"({_others(by_table[tables[0]], way, ways, tables[0], words)})"
            for way, tables in groups.items()
        ]
        return f"it depends on the number of players: {'; '.join(parts)}"
    return (
        f"{words.advised[found.way]}: "
        f"{_others(by_table[table], found.way, ways, table, words)}{_scope(found, words)}"
    )


def _scope(found: Advice, words: Words) -> str:
    """Return at which tables it is the best way, and where others are as good or not settled."""
    tables = list(found.by_table)
    if len(tables) == 1:
        return ""
    parts = []
    best = [n for n, one in found.rankings.items() if len(one.best) == 1 and not one.unsettled]
    if best:
        parts.append(f"; so it is with {spanned(best)}")
    if found.indifferent:
        parts.append(f"; with {spanned(found.indifferent)} it makes no difference that matters")
    for way, doing in words.doing.items():
        matters = [n for n in tables if n not in found.indifferent]
        as_good = [n for n in matters if way in found.rankings[n].best and way != found.way]
        if as_good:
            parts.append(f"; with {spanned(as_good)} {doing} is as good")
        open_ = [n for n in tables if way in found.rankings[n].unsettled]
        if open_:
            parts.append(f"; with {spanned(open_)} it is not settled whether {doing} is worse")
    return "".join(parts)


def _is_same(one: Weighed, ways: Sequence[str]) -> bool:
    return all(pair in one.same for pair in one.apart if set(pair) <= set(ways))


def _others(one: Weighed, way: str, ways: Sequence[str], table: int, words: Words) -> str:
    costs = [f"{words.doing[w]} {worded(one.less(w, way))}" for w in ways if w != way]
    return f"with {table} players {listed(costs)}"


def where_it_holds(
    way: str, given: Ranking, variants: Sequence[Variant], words: Words
) -> tuple[list[str], list[str]]:
    """Return what to say of where the advice holds or is not settled, and of where it fails.

    `given` is the ranking under the rules as given.
    """
    holding, fails, unsettled = list[str](), list[str](), list[str]()
    as_good: dict[str, list[str]] = {}
    for section, group in groupby(variants, lambda one: one.section):
        rows, kept = list(group), list[str]()
        for one in rows:
            others = [w for w in one.ranking.best if w not in (way, *given.best)]
            says = _otherwise(way, bool(given.worse), one, words)
            if one.ranking.unsettled and not one.ranking.worse:
                unsettled.append(one.label)
            elif says is not None:
                fails.append(says)
            elif others:
                as_good.setdefault(listed([words.doing[w] for w in others]), []).append(one.label)
            else:
                kept.append(one.label)
        is_all = len(kept) == len(rows) > _LISTED
        holding += [f"under all {len(rows)} {section}"] if is_all else kept
    notes = [f"{words.said} holds {listed(holding)}"] if holding else []
    notes += [f"{listed(labels)}, {doing} is as good" for doing, labels in as_good.items()]
    notes += [f"{words.said} is not settled {listed(unsettled)}"] if unsettled else []
    return notes, fails


def told(clauses: Sequence[str]) -> list[str]:
    """Return clauses as sentences."""
    return [phrases.sentence(capital(one)) for one in clauses]


def _otherwise(way: str, matters: bool, one: Variant, words: Words) -> str | None:
    """Return what is different under other rules or among other players, if anything is."""
    ranking = one.ranking
    best = ranking.best[0] if way in ranking.worse or way not in one.ways else way
    if best != way:
        told = f"{one.label} {words.advised[best]}"
        if way in one.ways:
            told += f": compared with {words.doing[way]}, it {worded(one.found.less(best, way))}"
        return told
    if matters and not ranking.worse:
        return f"{one.label} it makes no difference that matters"
    if ranking.worse and not matters:
        worst = ranking.worse[-1]
        return f"{one.label} it matters: {words.doing[worst]} {worded(one.found.less(worst, best))}"
    return None


def drawings_of(
    found: "Answer",
    lines: Mapping[str, Sequence[tuple[float, float, float]]],
    words: Words,
    subject: str,
    *,
    best: str,
    less: str,
    below: str,
    caption: str,
    but: Sequence[str] = (),
) -> list["Drawing"]:
    """Draw what the other ways win more than the usual one: by players, and under each change.

    `subject` names the usual way, `less` the difference to it; the second picture has the `best` of
    the others, of which some may be left out (`but`).
    """
    from herdlab.analysis.figures.forest import tallied
    from herdlab.analysis.figures.lines import Line, Pane, lines_drawing

    tables, rows = found.data["tables"], rows_of(found.findings, "ways")
    advised = set(found.data["advice"].values())
    if found.settled and len(advised) == 1 and are_told_apart(rows):
        title = capital(words.advised[advised.pop()])
    else:
        beside = f"{subject}, beside another way,"
        title = tallied(rows, beside, above=LESS, below=MORE, margin=MARGIN) if rows else subject
    pane = Pane(
        [Line(way, tables, values) for way, values in lines.items()],
        "players at the table",
        less,
        words.usual,
    )
    return [
        lines_drawing(pane, title),
        *forest_of_wins(
            best_others(found.findings, but),
            f"{subject}, beside the {best} other way,",
            f"the {best} other way: {less} ({found.data['table']} players)",
            does=(LESS, MORE),
            above="another way wins more",
            below=below,
            among="changes of rules or players",
            caption=caption,
        ),
    ]
