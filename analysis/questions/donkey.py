"""`ask donkey`: pass the Donkey on, keep it, or claim with it.

Ways to treat it are compared by strategy, one player among ordinary ones, in every seat: who holds
the Donkey at the end has often held bad cards as well, so that scores with and without it would
say little.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import Finding, Of, measured
from herdlab.analysis.questions import Question, advising
from herdlab.analysis.questions.asking import Answer, Ask, is_allowed
from herdlab.analysis.questions.ways import Weighed, weigh
from herdlab.analysis.sampling.paired_samples import in_every_seat
from herdlab.analysis.stats.estimates import corrected
from herdlab.analysis.studies.readings import other_readings

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
WORDS = advising.Words(
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
    usual=PASS,
)
CLAIMING = advising.Words(
    "whether one claims with it",
    advised={
        PASS: "claim with it when it makes a full hand",
        WAIT: "do not claim with it but wait for a natural full hand",
    },
    doing={PASS: "claiming", WAIT: "waiting for a natural full hand"},
    said="what is said of claiming",
    usual=PASS,
)
ORDINARY = "collector"
TABLES, QUICK_TABLES, REFERENCE = (3, 4, 5, 6, 8), (3, 4, 5, 6), 4
LESS_THAN_PASSING = "win rate, less that of passing it on"
_QUICK_DEALS, _QUICK_CHANGES = 1_000, 600
_CLOSE, _CLOSE_ENOUGH = 0.003, 0.005
"""How closely win rates must be known, and where the question is asked again."""
_POINTS_DEALS = 4_000


def answer(ask: Ask) -> Answer:
    """Weigh the ways at several tables, and again under other rules and among other players."""
    changes = list(_changes(ask))
    wanted = QUICK_TABLES if ask.quick else TABLES  # two Donkeys need four players
    tables = [n for n in wanted if is_allowed(ask.experiment, n)]
    table = REFERENCE if REFERENCE in tables else tables[0]
    ask.parts = len(tables) + len(changes) + 2
    again = sum(len(_pairs(one.experiment)) for one in changes)
    ask.intervals = len(tables) * len(_pairs(ask.experiment)) + again
    as_given = advising.Change("", "", ask.experiment, ORDINARY)
    by_table = {n: _weighed(ask, as_given, n, _QUICK_DEALS, _CLOSE) for n in tables}
    weighed = [_weighed(ask, one, table, _QUICK_CHANGES, _CLOSE_ENOUGH) for one in changes]
    points = _in_points(ask, table)

    def matter(words: advising.Words, ways: Sequence[str] | None) -> advising.Matter:
        variants = [
            advising.Variant(one.section, one.label, each, ways or _ways(one.experiment))
            for one, each in zip(changes, weighed, strict=True)
        ]
        return advising.Matter(words, ways or _ways(ask.experiment), by_table, table, variants)

    treating, claiming = matter(WORDS, None), matter(CLAIMING, (PASS, WAIT))
    return ask.answer(
        [*treating.verdict, *claiming.verdict],
        settled=not (treating.unsettled or claiming.unsettled),
        findings=[
            *treating.beside_advised(),
            *claiming.beside_advised(),
            *treating.at_tables(LESS_THAN_PASSING),
            *treating.under_changes(f"the same with {table} players"),
            *points,
        ],
        notes=[*treating.notes, *claiming.notes, _in_other_words(points, table)],
        data={
            **treating.as_data(),
            "claims": {str(n): way == PASS for n, way in claiming.advised.items()},
            "lines": {
                way: [advising.in_points(by_table[n].less(way, PASS)) for n in tables]
                for way in (*treating.ways, WAIT)
                if way != PASS
            },
        },
    )


def drawings(found: Answer) -> "list[Drawing]":
    """Draw what every way wins less, or more, than passing on: by players, and under changes."""
    return advising.drawings_of(
        found,
        found.data["lines"],
        WORDS,
        "Passing it on",
        best="best",
        less="win rate less that of passing it on, percentage points",
        below="passing it on wins more than all other ways",
        caption="A row is a change of the rules, a reading of theirs, or other players, with the "
        "best of the ways other than passing it on",
        but=(WAIT,),
    )


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


def _weighed(
    ask: Ask, one: advising.Change, players: int, quick_deals: int, close: float
) -> Weighed:
    ways, rank = _contenders(one.experiment, players, one.others), (PASS, WAIT)
    how: Any = {"pairs": _pairs(one.experiment), "rank": (_ways(one.experiment), rank)}
    return weigh(ask, one.experiment, ways, quick_deals=quick_deals, close=close, **how)


def _changes(ask: Ask) -> Iterator[advising.Change]:
    """Yield the other rules that the rulebook allows; with time, readings and other players."""
    rules: Any = ask.experiment.rules
    two, may = rules.donkeys == 1, not rules.discard_wild

    def rule(label: str, **changed: Any) -> advising.Change:
        return advising.Change("other rules", label, ask.experiment.under(**changed), ORDINARY)

    def others(label: str, who: str) -> advising.Change:
        return advising.Change("other players", label, ask.experiment, who)

    yield rule(f"with {'two Donkeys' if two else 'one Donkey'}", donkeys=1 + two)
    yield rule(f"where it may{'' if may else ' not'} be discarded", discard_wild=may)
    if ask.quick:
        return
    for reading in other_readings(ask.experiment):
        label = f"with {reading.setting}"
        yield advising.Change("other readings", label, reading.experiment, ORDINARY)
    yield others("among watchers", "watcher")
    yield others("among the honest, who keep it", "honest")
    if not may:
        yield others("among players who discard it", PLAYERS[DISCARD])


def _in_points(ask: Ask, table: int) -> list[Finding]:
    """Return what the ways bring in points, and what of that is the price of the Donkey itself."""
    ways = _contenders(ask.experiment, table, ORDINARY)
    contenders = [one for way in ways.values() for one in way]
    deals = _QUICK_CHANGES if ask.quick else min(_POINTS_DEALS, ask.max_deals)
    score, price = (
        ask.measure(contenders, one, deals) for one in ("session_score", "points_donkey")
    )
    unit = score.samples.metrics[0].words.replace("session_score", "points")
    section = f"{unit} with {table} players, less those of passing it on"
    confidence = corrected(2 * (len(ways) - 1))
    found = []
    for place, way in enumerate(ways):
        for measure, what, label in (
            (score, "points", way),
            (price, "points of Donkeys", f"{way}: of that, Donkeys"),
        ):
            if way != PASS:
                gain, of = measure.difference(place, 0, confidence), Of(what, way, PASS, table)
                found.append(measured(section, label, gain, unit, of))
    return found


def _in_other_words(points: Sequence[Finding], table: int) -> str:
    """Return what keeping costs in points, and how much of it is the rulebook's price."""
    score, price = (one for one in points if one.of.who == KEEP)
    assert score.value is not None and price.value is not None  # noqa: PT018
    return (
        f"With {table} players keeping it brings {score.value:+.2f} {score.unit} compared with "
        f"passing it on, {price.value:+.2f} by the Donkeys held at the end (B17) and "
        f"{score.value - price.value:+.2f} by all else, claims included"
    )
