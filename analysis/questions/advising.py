"""Ways that were weighed at several tables: which to take, where that holds, and its pictures."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import MARGIN, POINTS, Finding, Of, measured
from herdlab.analysis.questions import drawn
from herdlab.analysis.questions.ways import Ranking, Weighed
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
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
    """By way, as an advice: "pass the Donkey on"."""
    doing: dict[str, str]
    """By way, as the subject of a sentence: "passing it on"."""
    said: str = "it"
    """What holds, or does not, under other rules."""
    usual: str = ""
    """The way that all others are compared with in the findings."""


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
    """A change under which ways were weighed again."""

    section: str
    label: str
    found: Weighed
    ways: Sequence[str]
    """Those that it is about; others may have been weighed with them."""

    @property
    def ranking(self) -> Ranking:
        """Which of them are best."""
        return self.found.ranking(self.ways)


@dataclass(frozen=True)
class Matter:
    """Ways of doing one thing, as weighed at tables of several sizes and again under changes."""

    words: Words
    ways: Sequence[str]
    by_table: Mapping[int, Weighed]
    table: int
    """At which the ways were weighed again."""
    variants: Sequence[Variant] = ()

    @cached_property
    def rankings(self) -> dict[int, Ranking]:
        """Which ways are best at each table."""
        return {n: one.ranking(self.ways) for n, one in self.by_table.items()}

    @cached_property
    def advised(self) -> dict[int, str]:
        """The way to take at each table: that of most tables where it is not known to be worse."""
        suits = Counter[str]()
        for one in self.rankings.values():
            suits.update((*one.best, *one.best, one.best[0]))  # the first is the better guess
        usual = max(suits, key=lambda way: suits[way])
        return {n: one.best[0] if usual in one.worse else usual for n, one in self.rankings.items()}

    @property
    def unsettled(self) -> bool:
        """Whether at some table not all is settled."""
        return any(one.unsettled for one in self.rankings.values())

    @property
    def indifferent(self) -> list[int]:
        """The tables at which it is settled that all ways are as good."""
        return [n for n, one in self.rankings.items() if not (one.worse or one.unsettled)]

    @property
    def verdict(self) -> list[str]:
        """What to do, and where that is different."""
        return list(map(capital, [self.sentence, *self.where_it_holds()[1]]))

    @property
    def notes(self) -> list[str]:
        """Where it holds, and where it is not settled."""
        return list(map(capital, self.where_it_holds()[0]))

    def as_data(self) -> dict[str, Any]:
        """Return what was advised at which tables, for JSON and the pictures."""
        return {
            "table": self.table,
            "tables": list(self.by_table),
            "advice": {str(n): way for n, way in self.advised.items()},
            "lucks": {str(n): one.deals for n, one in self.by_table.items()},
        }

    @property
    def sentence(self) -> str:
        """Which way to take; what the others cost at the usual table; and where it is so."""
        words, tables = self.words, list(self.advised)
        if all(_is_same(one, self.ways) for one in self.by_table.values()):
            return f"{words.matter} changes nothing: all games came out alike"
        way, found = self.advised[self.table], self.by_table[self.table]
        others = [one for one in self.ways if one != way]
        costs = listed([f"{words.doing[one]} {worded(found.less(one, way))}" for one in others])
        lead, scope = words.advised[way], self._scope(way)
        if self.indifferent == tables:
            lead = f"{words.matter} makes no difference that matters with {spanned(tables)}"
            scope = ""
        elif len(set(self.advised.values())) > 1:
            at = {one: [n for n in tables if self.advised[n] == one] for one in self.ways}
            parts = [f"with {spanned(n)} {words.advised[one]}" for one, n in at.items() if n]
            lead, scope = f"it depends on the number of players: {'; '.join(parts)}", ""
        return f"{lead}: with {self.table} players {costs}{scope}"

    def _scope(self, advised: str) -> str:
        """Return at which tables it is the best way, and where others are as good or open."""
        if len(self.rankings) == 1:
            return ""
        best = [n for n, one in self.rankings.items() if len(one.best) == 1 and not one.unsettled]
        where = [("so it is with {}", best)]
        where.append(("with {} it makes no difference that matters", self.indifferent))
        for way, doing in self.words.doing.items():
            matters = [n for n in self.rankings if n not in self.indifferent and way != advised]
            as_good = [n for n in matters if way in self.rankings[n].best]
            where.append((f"with {{}} {doing} is as good", as_good))
            open_ = [n for n, one in self.rankings.items() if way in one.unsettled]
            where.append((f"with {{}} it is not settled whether {doing} is worse", open_))
        return "".join(f"; {words.format(spanned(n))}" for words, n in where if n)

    def where_it_holds(self) -> tuple[list[str], list[str]]:
        """Return what to say of where the advice holds or is not settled, and of where it fails."""
        way, words = self.advised[self.table], self.words
        known = (way, *self.rankings[self.table].best)
        holding, fails, unsettled = list[str](), list[str](), list[str]()
        as_good: dict[str, list[str]] = {}
        for section, group in groupby(self.variants, lambda one: one.section):
            rows, kept = list(group), list[str]()
            for one in rows:
                others = [words.doing[other] for other in one.ranking.best if other not in known]
                says = self._otherwise(way, one)
                if one.ranking.unsettled and not one.ranking.worse:
                    unsettled.append(one.label)
                elif says:
                    fails.append(f"{one.label} {says}")
                elif others:
                    as_good.setdefault(listed(others), []).append(one.label)
                else:
                    kept.append(one.label)
            is_all = len(kept) == len(rows) > _LISTED
            holding += [f"under all {len(rows)} {section}"] if is_all else kept
        notes = [f"{words.said} holds {listed(holding)}"] if holding else []
        notes += [f"{listed(labels)}, {doing} is as good" for doing, labels in as_good.items()]
        notes += [f"{words.said} is not settled {listed(unsettled)}"] if unsettled else []
        return notes, fails

    def _otherwise(self, way: str, one: Variant) -> str:
        """Return what is different under a change, if anything is."""
        ranking, doing, matters = one.ranking, self.words.doing, self.rankings[self.table].worse
        if way not in one.ways:
            return self.words.advised[ranking.best[0]]
        if way in ranking.worse:
            best = ranking.best[0]
            gain = worded(one.found.less(best, way))
            return f"{self.words.advised[best]}: compared with {doing[way]}, it {gain}"
        if matters and not ranking.worse:
            return "it makes no difference that matters"
        if ranking.worse and not matters:
            worst = ranking.worse[-1]
            return f"it matters: {doing[worst]} {worded(one.found.less(worst, way))}"
        return ""

    def at_tables(self, section: str) -> Iterator[Finding]:
        """Yield what all ways win more than the usual one, by way and table."""
        usual = self.words.usual
        for way in self.by_table[self.table].names:
            for n, one in self.by_table.items() if way != usual else ():
                gain, of = one.less(way, usual), Of("ways", way, usual, n)
                yield measured(section, f"{way}, {n} players", gain, POINTS, of)

    def under_changes(self, section: str) -> Iterator[Finding]:
        """Yield the same of each change; `section` and what is changed is the heading."""
        usual = self.words.usual
        for one in self.variants:
            for way in one.found.names:
                if way != usual:
                    yield self._again(one, section, way, usual, "again")

    def beside_advised(self) -> Iterator[Finding]:
        """Yield the findings of the verdict where it advises another way than the usual one.

        The verdict compares with what it advises; the other tables of an answer with the usual way.
        """
        usual, doing = self.words.usual, self.words.doing
        for n, way in self.advised.items():
            ranking, section = self.rankings[n], f"win rate, less that of {doing[way]}"
            for other in (*ranking.best, *ranking.worse, *ranking.unsettled):
                if other != way != usual:
                    gain, of = self.by_table[n].less(other, way), Of("advised", other, way, n)
                    yield measured(section, f"{other}, {n} players", gain, POINTS, of)
        way = self.advised[self.table]
        section = f"win rate, less that of {doing[way]}, {self.table} players"
        for one in self.variants:
            for other in one.ways if way in one.ways and way != usual else ():
                if other != way:
                    yield self._again(one, section, other, way, "advised again")

    def _again(self, one: Variant, section: str, way: str, other: str, what: str) -> Finding:
        """Return what a way wins more than another under a change."""
        of = Of(what, way, other, self.table, change=one.section, under=one.label)
        gain = one.found.less(way, other)
        return measured(f"{section}: {one.section}", f"{one.label}: {way}", gain, POINTS, of)


def worded(gain: Estimate) -> str:
    """Return what a difference of win rates comes to, in words that follow a way's name."""
    value, low, high = in_points(gain)
    kind = kind_of_wins(gain)
    if kind == Kind.TIE:
        return f"makes no difference that matters ({value:+z.1f}, {low:+z.1f} to {high:+z.1f})"
    if kind == Kind.OPEN:
        return f"may be worth anything from {low:+z.1f} to {high:+z.1f} percentage points"
    often = "more" if kind == Kind.HIGHER else "less"
    return f"wins {sized(gain, f' percentage points {often} often')}"


def in_points(gain: Estimate) -> tuple[float, float, float]:
    """Return a difference of win rates and its interval in percentage points."""
    return 100 * gain.value, 100 * gain.low, 100 * gain.high


def spanned(tables: Sequence[int]) -> str:
    """Return such as "3 to 6 players" or "2, 4 and 10 players"."""
    first, last = tables[0], tables[-1]
    if len(tables) > _LISTED and list(tables) == list(range(first, last + 1)):
        return f"{first} to {last} players"
    return f"{listed(tables)} players"


def _is_same(one: Weighed, ways: Sequence[str]) -> bool:
    return all(pair in one.same for pair in one.apart if set(pair) <= set(ways))


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

    tables, rows = found.data["tables"], drawn.rows_of(found.findings, "ways")
    advised = set(found.data["advice"].values())
    does = drawn.LESS, drawn.MORE
    title, beside = subject, f"{subject}, beside another way,"
    if found.settled and len(advised) == 1 and drawn.are_told_apart(rows):
        title = capital(words.advised[advised.pop()])
    elif rows:
        title = tallied(rows, beside, above=does[0], below=does[1], margin=MARGIN)
    by_players = [Line(way, tables, values) for way, values in lines.items()]
    again = drawn.forest_of_wins(
        drawn.best_others(found.findings, but),
        f"{subject}, beside the {best} other way,",
        f"the {best} other way: {less} ({found.data['table']} players)",
        does=does,
        above="another way wins more",
        below=below,
        among="changes of rules or players",
        caption=caption,
    )
    pane = Pane(by_players, "players at the table", less, words.usual)
    return [lines_drawing(pane, title), *again]
