"""From ways that were weighed to a sentence: which to take, at which tables, under which rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from herdlab.analysis.findings import POINTS, Finding, Of, measured
from herdlab.analysis.questions.ways import Ranking, Weighed
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
from herdlab.analysis.words import phrases
from herdlab.analysis.words.phrases import listed

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


@dataclass(frozen=True)
class Advice:
    """What several tables say together."""

    way: str | None
    """The way to take at every table; None: there is none for all."""
    by_table: dict[int, str]
    """The way to take at each table: that of most tables where it is not known to be worse."""
    rankings: dict[int, Ranking]

    @property
    def matters(self) -> list[int]:
        """The tables at which some other way is worse."""
        return [n for n, one in self.rankings.items() if one.worse]

    @property
    def unsettled(self) -> list[int]:
        """The tables at which not all is settled."""
        return [n for n, one in self.rankings.items() if one.unsettled]

    @property
    def tables(self) -> list[int]:
        """All tables."""
        return list(self.by_table)

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
class Variant:
    """Other rules, or other players, under which ways were weighed again."""

    section: str
    label: str
    """Such as "with two Donkeys"."""
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
    value, low, high = (100 * one for one in (gain.value, gain.low, gain.high))
    kind = kind_of_wins(gain)
    if kind == Kind.TIE:
        return f"makes no difference that matters ({value:+.1f}, {low:+.1f} to {high:+.1f})"
    if kind == Kind.OPEN:
        return f"may be worth anything from {low:+.1f} to {high:+.1f} percentage points"
    if kind == Kind.LOWER:
        value, low, high = -value, -high, -low
    often = "more" if kind == Kind.HIGHER else "less"
    return f"wins {value:.1f} percentage points {often} often ({low:.1f} to {high:.1f})"


def beside_advised(
    said: Advice,
    by_table: Mapping[int, Weighed],
    variants: Sequence[Variant],
    table: int,
    words: Words,
    usual: str,
) -> Iterator[Finding]:
    """Yield the figures of the verdict where it advises another way than the `usual` one.

    The verdict compares with what it advises; the other tables of an answer compare with `usual`.
    """
    for n, way in said.by_table.items():
        ranking = said.rankings[n]
        for other in (*ranking.best, *ranking.worse, *ranking.unsettled):
            if other != way != usual:
                section = f"win rate, less that of {words.doing[way]}"
                gain = by_table[n].less(other, way)
                of = Of("advised", other, way, n)
                yield measured(section, f"{other}, {n} players", gain, POINTS, of)
    way = said.by_table[table]
    for one in variants:
        for other in one.ways:
            if way in one.ways and other != way != usual:
                section = f"win rate, less that of {words.doing[way]}, {table} players: "
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
    if not found.matters and not found.unsettled:
        return (
            f"{words.matter} makes no difference that matters with {spanned(found.tables)}: "
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
    if len(found.tables) == 1:
        return ""
    parts = []
    best = [n for n, one in found.rankings.items() if len(one.best) == 1 and not one.unsettled]
    if best:
        parts.append(f"; so it is with {spanned(best)}")
    if found.indifferent:
        parts.append(f"; with {spanned(found.indifferent)} it makes no difference that matters")
    for way, doing in words.doing.items():
        as_good = [n for n in found.tables if way in found.rankings[n].best and way != found.way]
        as_good = [n for n in as_good if n not in found.indifferent]
        if as_good:
            parts.append(f"; with {spanned(as_good)} {doing} is as good")
        open_ = [n for n in found.tables if way in found.rankings[n].unsettled]
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
    return [phrases.sentence(phrases.capital(one)) for one in clauses]


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
