"""`ask donkey`: pass the Donkey on, keep it, or claim with it.

Ways to treat it are compared by strategy, one player among ordinary ones, in every seat: who holds
the Donkey at the end has often held bad cards as well, so that scores with and without it would
say little.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import POINTS, Finding, Of, measured
from herdlab.analysis.questions import Question
from herdlab.analysis.questions.advising import (
    Variant,
    Words,
    advice,
    beside_advised,
    sentence,
    told,
    where_it_holds,
)
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.drawn import (
    LESS,
    MORE,
    are_told_apart,
    best_others,
    rows_of,
)
from herdlab.analysis.questions.ways import Weighed, weigh
from herdlab.analysis.sampling.paired_samples import in_every_seat
from herdlab.analysis.stats.estimates import corrected
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN
from herdlab.analysis.studies.readings import other_readings
from herdlab.analysis.words.phrases import capital
from herdlab.simcore.errors import BadInput

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing
    from herdlab.analysis.sampling.paired_samples import Contender

QUESTION = Question(
    name="donkey",
    words="Pass the Donkey on, keep it, or claim with it?",
    keywords="donkey claim wild barnyard",
    plays="collector watcher honest",
    games=("barnyard",),
)
PASS, CLAIM, KEEP, DISCARD = "pass it on", "keep it for a claim", "keep it", "discard it"
WAIT = "pass it on, never claim"
PLAYERS = {
    PASS: "collector",
    CLAIM: "collector:donkey=keep-to-claim:bid_donkey=keep-to-claim",
    KEEP: "honest",
    DISCARD: "collector:discard_donkey=now",
    WAIT: "collector:claim_donkey=never",
}
WORDS = Words(
    "what one does with the Donkey",
    advised={
        PASS: "pass the Donkey on in every trade",
        CLAIM: "pass the Donkey on, unless one card more makes a claim with it",
        KEEP: "keep the Donkey",
        DISCARD: "discard the Donkey, or pass it on, whichever comes first",
    },
    doing={
        PASS: "passing it on",
        CLAIM: "keeping it when one card more makes a claim",
        KEEP: "keeping it",
        DISCARD: "discarding it",
    },
)
CLAIMING = Words(
    "whether one claims with it",
    advised={
        PASS: "claim with it when it makes a full hand",
        WAIT: "do not claim with it but wait for a natural full hand",
    },
    doing={PASS: "claiming", WAIT: "waiting for a natural full hand"},
    said="what is said of claiming",
)
ORDINARY = "collector"
TABLES, QUICK_TABLES, REFERENCE = (3, 4, 5, 6, 8), (3, 4, 5, 6), 4
LESS_THAN_PASSING = "win rate, less that of passing it on"
_QUICK_DEALS, _QUICK_CHANGES = 1_000, 600
_CLOSE_ENOUGH = 0.005
"""How closely win rates must be known where the question is asked again."""
_POINTS_DEALS = 4_000


@dataclass(frozen=True)
class _Change:
    """Other rules, or other players, under which the question is asked again."""

    section: str
    label: str
    experiment: Experiment
    others: str = ORDINARY


def answer(ask: Ask) -> Answer:
    """Weigh the ways at several tables, and again under other rules and among other players."""
    tables, changes, ways = _tables(ask), list(_changes(ask)), _ways(ask.experiment)
    table = REFERENCE if REFERENCE in tables else tables[0]
    again = sum(len(_pairs(one.experiment)) for one in changes)
    intervals = len(tables) * len(_pairs(ask.experiment)) + again
    steps = len(tables) + len(changes) + 1
    by_table = {
        n: weigh(
            ask,
            ask.experiment,
            _contenders(ask.experiment, n, ORDINARY),
            pairs=_pairs(ask.experiment),
            rank=(ways, (PASS, WAIT)),
            intervals=intervals,
            quick_deals=_QUICK_DEALS,
            steps=(step, steps),
        )
        for step, n in enumerate(tables)
    }
    again_weighed = [
        weigh(
            ask,
            one.experiment,
            _contenders(one.experiment, table, one.others),
            pairs=_pairs(one.experiment),
            rank=(_ways(one.experiment), (PASS, WAIT)),
            intervals=intervals,
            quick_deals=_QUICK_CHANGES,
            close=_CLOSE_ENOUGH,
            steps=(step, steps),
        )
        for step, one in enumerate(changes, len(tables))
    ]
    points = _in_points(ask, table, (steps - 1, steps))
    verdict: list[str] = []
    notes: list[str] = []
    found = []
    advised: list[Finding] = []
    for words, of in ((WORDS, None), (CLAIMING, (PASS, WAIT))):
        said = advice({n: one.ranking(of or ways) for n, one in by_table.items()})
        variants = [
            Variant(one.section, one.label, weighed, of or _ways(one.experiment))
            for one, weighed in zip(changes, again_weighed, strict=True)
        ]
        holds, fails = where_it_holds(said.by_table[table], said.rankings[table], variants, words)
        verdict += [sentence(said, by_table, of or ways, table, words), *fails]
        notes += holds
        found.append(said)
        advised += beside_advised(said, by_table, variants, table, words, PASS)
    return ask.answer(
        told(verdict),
        settled=not any(one.unsettled for one in found),
        findings=[*advised, *_findings(by_table, variants, table), *points],
        notes=told([*notes, _in_other_words(points, table)]),
        data={
            "table": table,
            "tables": tables,
            "advice": {str(n): way for n, way in found[0].by_table.items()},
            "claims": {str(n): way == PASS for n, way in found[1].by_table.items()},
            "lucks": {str(n): one.deals for n, one in by_table.items()},
            "lines": {
                way: [_per_cent(by_table[n], way) for n in tables]
                for way in (*ways, WAIT)
                if way != PASS
            },
        },
    )


def drawings(found: Answer) -> "list[Drawing]":
    """Draw what every way wins less, or more, than passing on: by players, and under changes."""
    from herdlab.analysis.figures.forest import forest_drawing, tallied
    from herdlab.analysis.figures.lines import Line, Pane, lines_drawing

    tables, table, margin = found.data["tables"], found.data["table"], 100 * MARGIN_OF_WIN
    lines = [Line(way, tables, values) for way, values in found.data["lines"].items()]
    less = "win rate less that of passing it on, percentage points"
    rows = rows_of(found.findings, "ways")
    title = tallied(
        rows, "Passing it on, beside another way,", above=LESS, below=MORE, margin=margin
    )
    advised = set(found.data["advice"].values())
    if found.settled and len(advised) == 1 and are_told_apart(rows):
        title = capital(WORDS.advised[advised.pop()])
    drawn = [lines_drawing(Pane(lines, "players at the table", less, PASS), title)]
    again = best_others(found.findings, but=(WAIT,))
    if again:
        subject, among = "Passing it on, beside the best other way,", "changes of rules or players"
        drawn.append(
            forest_drawing(
                again,
                tallied(again, subject, above=LESS, below=MORE, among=among, margin=margin),
                x_label=f"the best other way: {less} ({table} players)",
                above="another way wins more",
                below="passing it on wins more than all other ways",
                margin=margin,
                caption="A row is a change of the rules, a reading of theirs, or other players, "
                "with the best of the ways other than passing it on",
            )
        )
    return drawn


def _tables(ask: Ask) -> list[int]:
    """Return the tables that the rules allow."""
    allowed = []
    for n in QUICK_TABLES if ask.quick else TABLES:
        try:
            ask.experiment.rules.check_players(n)
        except BadInput:  # two Donkeys need four players
            continue
        allowed.append(n)
    return allowed


def _ways(experiment: Experiment) -> list[str]:
    """Return the ways that there are under these rules."""
    rules: Any = experiment.rules
    return [PASS, CLAIM, KEEP, *([DISCARD] if rules.discard_wild else [])]


def _pairs(experiment: Experiment) -> list[tuple[str, str]]:
    """Return the ways that are weighed against each other; waiting goes with passing on."""
    return [*combinations(_ways(experiment), 2), (WAIT, PASS)]


def _contenders(experiment: Experiment, players: int, other: str) -> dict[str, list["Contender"]]:
    others = [other] * (players - 1)
    ways = (*_ways(experiment), WAIT)
    return {way: [in_every_seat(experiment.rules, PLAYERS[way], others)] for way in ways}


def _changes(ask: Ask) -> Iterator[_Change]:
    """Yield the other rules that the rulebook allows; with time, readings and other players."""
    rules: Any = ask.experiment.rules
    experiment = ask.experiment
    donkeys = 3 - rules.donkeys
    words = "with two Donkeys" if donkeys > 1 else "with one Donkey"
    yield _Change("other rules", words, experiment.under(donkeys=donkeys))
    words = "where it may not" if rules.discard_wild else "where it may"
    changed = experiment.under(discard_wild=not rules.discard_wild)
    yield _Change("other rules", f"{words} be discarded", changed)
    if ask.quick:
        return
    for reading in other_readings(experiment):
        yield _Change("other readings", f"with {reading.setting}", reading.experiment)
    yield _Change("other players", "among watchers", experiment, "watcher")
    yield _Change("other players", "among the honest, who keep it", experiment, "honest")
    if rules.discard_wild:
        yield _Change("other players", "among players who discard it", experiment, PLAYERS[DISCARD])


def _findings(
    by_table: dict[int, Weighed],
    variants: Sequence[Variant],
    table: int,
) -> Iterator[Finding]:
    for way in by_table[table].names[1:]:
        for n, one in by_table.items():
            label, gain, of = f"{way}, {n} players", one.less(way, PASS), Of("ways", way, PASS, n)
            yield measured(LESS_THAN_PASSING, label, gain, POINTS, of)
    for variant in variants:
        for way in variant.found.names[1:]:
            section = f"the same with {table} players: {variant.section}"
            yield variant.finding(section, way, PASS, table)


def _in_points(ask: Ask, table: int, steps: tuple[int, int]) -> list[Finding]:
    """Return what the ways bring in points, and what of that is the price of the Donkey itself."""
    ways = _contenders(ask.experiment, table, ORDINARY)
    contenders = [contender for way in ways.values() for contender in way]
    deals = _QUICK_CHANGES if ask.quick else min(_POINTS_DEALS, ask.max_deals)
    score = ask.measure(contenders, "session_score", deals, steps=steps)
    price = ask.measure(contenders, "points_donkey", deals, steps=steps)
    each = score.samples.metrics[0].words.removeprefix("session_score").strip()
    section = f"points {each} with {table} players, less those of passing it on"
    confidence = corrected(2 * (len(ways) - 1))
    found = []
    for place, way in enumerate(ways):
        if way != PASS:
            for measure, what, label in (
                (score, "points", way),
                (price, "points of Donkeys", f"{way}: of that, Donkeys"),
            ):
                gain, of = measure.difference(place, 0, confidence), Of(what, way, PASS, table)
                found.append(measured(section, label, gain, f"points {each}", of))
    return found


def _in_other_words(points: Sequence[Finding], table: int) -> str:
    """Return what keeping costs in points, and how much of it is the rulebook's price."""
    score, price = (one for one in points if one.of.who == KEEP)
    assert score.value is not None and price.value is not None  # noqa: PT018
    return (
        f"with {table} players keeping it brings {score.value:+.2f} {score.unit} compared with "
        f"passing it on, {price.value:+.2f} by the Donkeys held at the end (B17) and "
        f"{score.value - price.value:+.2f} by all else, claims included"
    )


def _per_cent(one: Weighed, way: str) -> tuple[float, float, float]:
    gain = one.less(way, PASS)
    return 100 * gain.value, 100 * gain.low, 100 * gain.high
