"""Whether to trade up at once or to keep animals to breed from, and how many of each.

Who trades at once (climber), who never gives the last of an animal away (keeper), and the fastest
of all numbers to keep (tuned), at tables of each other; alone they are solved exactly.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from herdlab.analysis.exact import reserve_policies
from herdlab.analysis.exact.reserve_policies import (
    CLIMBER,
    KEEPER,
    Reserve,
    SoloTurns,
    fastest_reserves,
    one_at_a_time,
)
from herdlab.analysis.exact.solve import SolveRequest, solve
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import POINTS, TURNS, Finding, Of, exactly, measured
from herdlab.analysis.questions import Question
from herdlab.analysis.questions.advising import worded
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.drawn import forest_of_wins, headed, rows_of
from herdlab.analysis.questions.herd_rules import check_completable, herd_rules
from herdlab.analysis.questions.ways import Weighed, weigh
from herdlab.analysis.sampling.paired_samples import in_every_seat
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of_wins
from herdlab.analysis.studies.readings import Reading, other_readings
from herdlab.analysis.words.numbers import written
from herdlab.analysis.words.phrases import capital, holds_under, listed, ranging
from herdlab.simcore.errors import BadInput
from herdlab.strategies.herd import solved
from herdlab.strategies.herd.solved import OPTIMAL

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing

QUESTION = Question(
    name="trade-up",
    words="Trade up at once, or keep animals to breed from?",
    keywords="trad upgrad exchang breed multipl animal",
    plays="keeper climber tuned herder optimal",
    games=("herd",),
)
KEEPS, CLIMBS, TUNED = "keeper", "climber", "tuned"
SIZES = (2, 3, 4)
_QUICK_DEALS = 1_000
_SOLVED = 3
"""How many of the fastest reserves are solved, to know which is the fastest."""
_SOLVABLE = 100
"""Who takes more turns alone than this is not solved: it would take long."""
_SHOWN = 0.001
"""A share of games without a winner from which on it is mentioned."""
_ALONE = "Alone, turns to a complete herd"
_TABLES = {
    KEEPS: "Keep or trade up at once: keeper's win rate less climber's",
    TUNED: "The best numbers to keep (tuned): win rate less keeper's",
}
_FAR = "How far from the fastest play: win rate less optimal's, among optimal"
_NUMBERS = "Another number than one, at a table of 2 with keeper: less keeper's"


def way(who: str, among: str) -> str:
    """Return what a strategy is called among copies of another."""
    return f"{who} among {among}"


@dataclass
class Found:
    """All that is found out, as it comes in."""

    tuned: Reserve
    alone: SoloTurns
    exact: dict[str, float | None]
    """By strategy: mean turns alone, None where it may never end; of what is fast enough."""
    tables: dict[int, Weighed] = field(default_factory=dict)
    """By size; a way is such as "keeper among climber"."""
    numbers: dict[str, Estimate] = field(default_factory=dict)
    """By what is kept: its win rate less keeper's."""
    readings: list[tuple[Reading, dict[int, Weighed]]] = field(default_factory=list)

    @property
    def players(self) -> dict[str, str]:
        """By name: the strategy that plays."""
        tuned = {TUNED: self.tuned.strategy} if self.tuned != KEEPER else {}
        return {KEEPS: KEEPS, CLIMBS: CLIMBS, **tuned}

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Who is held against whom."""
        return [(KEEPS, CLIMBS), *([(TUNED, KEEPS)] if TUNED in self.players else [])]

    @property
    def spoken_of(self) -> dict[str, Reserve]:
        """By name, whose turns alone are told."""
        tuned = {TUNED: self.tuned} if TUNED in self.players else {}
        return {KEEPS: KEEPER, CLIMBS: CLIMBER, **tuned, **one_at_a_time()}

    def less(self, a: str, b: str) -> dict[tuple[int, str], Estimate]:
        """Return by table and field what `a` wins more than `b`, where both sat there."""
        return {
            (size, among): one.less(way(a, among), way(b, among))
            for size, one in self.tables.items()
            for among in self.players
            if {way(a, among), way(b, among)} <= set(one.names)
            and (size > 2 or among not in (a, b) or among == KEEPS)  # noqa: PLR2004 (the same)
        }

    def elsewhere(self, a: str, b: str) -> Iterator[tuple[str, int, Estimate]]:
        """Yield by reading and table what `a` wins more than `b` among keepers."""
        for reading, tables in self.readings:
            for size, table in tables.items():
                yield reading.setting, size, table.less(way(a, KEEPS), way(b, KEEPS))

    def lag(self, name: str) -> dict[int, Estimate]:
        """Return by table what a strategy wins more than the fastest play, among the latter."""
        mine, best = way(name, OPTIMAL), way(OPTIMAL, OPTIMAL)
        return {
            size: one.less(mine, best) for size, one in self.tables.items() if mine in one.names
        }

    def unfinished(self, name: str, size: int) -> float:
        """Return the share of games that nobody won where all play alike."""
        table = self.tables[size]
        return 1 - size * table.rates[table.names.index(way(name, name))]

    def turns(self, one: Reserve) -> str:
        """Return in words how many turns a strategy takes alone."""
        if one.strategy not in self.exact:  # games that were given up make the mean a least one
            return f"takes more than {int(self.alone.turns(one).low)} turns"
        turns = self.exact[one.strategy]
        return "may never finish" if turns is None else f"takes {turns:.1f} turns"


def check(ask: Ask) -> None:
    """Refuse rules under which nobody can complete a herd."""
    check_completable(ask.experiment)


def answer(ask: Ask) -> Answer:
    """Play all tables and say whether to keep animals back, and how many."""
    readings = [] if ask.quick else other_readings(ask.experiment)
    ask.parts = 3 + len(SIZES) + 2 * len(readings)
    ask.intervals = len(one_at_a_time()) + 9 * len(SIZES) + 4 * len(readings)
    found = _alone(ask)
    for size in SIZES:
        with_optimal = size == SIZES[0] or not ask.quick
        fields = [*found.players, *([OPTIMAL] if with_optimal else [])]
        found.tables[size] = _table(ask, ask.experiment, found.players, size, fields)
    found.numbers = _numbers(ask)
    for reading in readings:
        under = {
            size: _table(ask, reading.experiment, found.players, size, [KEEPS])
            for size in (SIZES[0], SIZES[-1])
        }
        found.readings.append((reading, under))
    gains = [one for pair in found.pairs for one in found.less(*pair).values()]
    return ask.answer(
        verdict(found),
        settled=all(kind_of_wins(one) != Kind.OPEN for one in gains),
        findings=list(_findings(found)),
        notes=_notes(ask, found),
        data={
            "tuned": found.tuned.strategy,
            "words": found.tuned.words,
            "kept": dict(zip(reserve_policies.KEPT, found.tuned.numbers, strict=True)),
        },
    )


def _alone(ask: Ask) -> Found:
    """Search for the best numbers to keep, and solve what is spoken of."""
    fastest = solved.optimum(herd_rules(ask.experiment)).mean
    if fastest is None or not isfinite(fastest):
        raise BadInput(
            "under these rules a player alone may never complete a herd, however well they play, "
            "and so no numbers to keep are the fastest"
        )
    alone = fastest_reserves(ask.experiment, quick=ask.quick, runner=ask.next_runner())
    ask.games += alone.games
    best = list(dict.fromkeys([*alone.ranking()[:_SOLVED], KEEPER]))
    wanted = [*best, CLIMBER, *one_at_a_time().values()]
    solvable = dict.fromkeys(one.strategy for one in wanted if alone.turns(one).value < _SOLVABLE)
    results = solve(SolveRequest(ask.experiment, tuple(solvable)), ask.next_runner()).results
    exact = {one.strategy: one.solo.mean for one in results}

    def turns(one: Reserve) -> float:
        found = exact.get(one.strategy, alone.turns(one).value)
        return inf if found is None else found

    return Found(min(best, key=turns), alone, {**exact, OPTIMAL: fastest})


def _table(
    ask: Ask, experiment: Experiment, players: Mapping[str, str], size: int, fields: Sequence[str]
) -> Weighed:
    """Let everybody sit among each of the fields, on the same deals."""
    texts = {**players, OPTIMAL: OPTIMAL}
    ways, pairs = {}, []
    for among in fields:
        for who in texts if among == OPTIMAL else players:
            contender = in_every_seat(experiment.rules, texts[who], [texts[among]] * (size - 1))
            ways[way(who, among)] = [contender]
        against = [(KEEPS, CLIMBS), *([(TUNED, KEEPS)] if TUNED in players else [])]
        if among == OPTIMAL:
            against = [(who, OPTIMAL) for who in players]
        pairs += [(way(a, among), way(b, among)) for a, b in against]
    return weigh(ask, experiment, ways, pairs=pairs, quick_deals=_QUICK_DEALS, close=MARGIN_OF_WIN)


def _numbers(ask: Ask) -> dict[str, Estimate]:
    """Return what another number of one animal wins more than keeper, at a table with keeper."""
    rules, others = ask.experiment.rules, one_at_a_time()
    players = {KEEPS: KEEPS, **{name: one.strategy for name, one in others.items()}}
    ways = {name: [in_every_seat(rules, who, [KEEPS])] for name, who in players.items()}
    how: Any = {"pairs": [(name, KEEPS) for name in others], "close": MARGIN_OF_WIN}
    found = weigh(ask, ask.experiment, ways, quick_deals=_QUICK_DEALS, **how)
    return {name: found.less(name, KEEPS) for name in others}


# ---- in words ----


def verdict(found: Found) -> list[str]:
    """Return what to do, why, and where it stands."""
    best = found.exact.get(OPTIMAL)
    fastest = "" if best is None else f"; the fastest play that there is takes {best:.1f}"
    return [
        *_whether(found),
        f"Alone {KEEPS} {found.turns(KEEPER)} and {CLIMBS} {found.turns(CLIMBER)}{fastest}",
        _how_many(found),
        *_how_far(found),
        *_under_readings(found),
    ]


def _whether(found: Found) -> list[str]:
    """Return whether to keep animals back, and what that is worth."""
    gains = found.less(KEEPS, CLIMBS)
    at, whether = f"at tables of {listed(SIZES)}", "to keep animals to breed from or to trade up"
    worth = f"Beside {CLIMBS}, who trades up at once, {KEEPS}, who never gives the last of an "
    worth += f"animal away, {worded(gains[SIZES[0], KEEPS])} with one {KEEPS}"
    leads = {
        Kind.HIGHER: f"Keep animals to breed from: {at} you win {ranging(gains.values())} more",
        Kind.LOWER: f"Trade up at once: {at} you win {ranging(gains.values())} more",
        Kind.TIE: f"It makes no difference that matters {at} whether {whether}",
        Kind.OPEN: f"It is not settled {at} whether it is better {whether}",
    }
    every = set(map(kind_of_wins, gains.values()))
    if len(every) == 1:
        return [leads[every.pop()], worth]
    depends = len(every - {Kind.OPEN}) > 1
    lead = "depends on the table" if depends else "is settled at some tables only"
    parts = [f"at a table of {n} with {who} {worded(one)}" for (n, who), one in gains.items()]
    return [f"Whether {whether} {lead}", f"{worth}; {'; '.join(parts)}"]


def _how_many(found: Found) -> str:
    """Return how many of each animal to keep, and what other numbers cost."""
    name, least = min(found.numbers.items(), key=lambda one: one[1].value, default=("", None))
    dearest = ""
    if least is not None and kind_of_wins(least) == Kind.LOWER:
        dearest = f"; of single changes the dearest is to {name}, which {worded(least)}"
    if TUNED not in found.players:
        return f"No numbers to keep were found that are faster alone than one of each{dearest}"
    gains = {size: one for (size, among), one in found.less(TUNED, KEEPS).items() if among == KEEPS}
    among = [f"at a table of {size} it {worded(one)}" for size, one in gains.items()]
    return (
        f"The fastest numbers to keep that were found are {found.tuned.words} ({TUNED}, who alone "
        f"{found.turns(found.tuned)}): among keepers {listed(among)}{dearest}"
    )


def _how_far(found: Found) -> list[str]:
    """Return what is still missing to the fastest play."""
    size = SIZES[0]
    lags = {name: found.lag(name) for name in (TUNED, KEEPS, CLIMBS)}
    parts = [f"{name} {worded(lag[size])}" for name, lag in lags.items() if lag]
    return (
        [f"Beside the fastest play, at a table of {size} with it, {listed(parts)}"] if parts else []
    )


def _under_readings(found: Found) -> list[str]:
    """Return whether it stands under other readings of the rules."""
    odd = [
        f"with {setting} at tables of {size} {a}, beside {b}, {worded(one)}"
        for a, b in found.pairs
        for setting, size, one in found.elsewhere(a, b)
        if kind_of_wins(one) != kind_of_wins(found.less(a, b)[size, KEEPS])
    ]
    if odd:
        return [f"Other readings of the rules change it: {'; '.join(odd)}"]
    settings = [reading.setting for reading, _ in found.readings]
    return [holds_under(settings)] if settings else []


def _findings(found: Found) -> Iterator[Finding]:
    turns = {name: one.strategy for name, one in found.spoken_of.items()}
    turns["the fastest play (optimal)"] = OPTIMAL
    for name, strategy in turns.items():
        if strategy in found.exact:
            yield exactly(_ALONE, name, found.exact[strategy], TURNS, Of("alone", name))
    for a, b in found.pairs:
        for (size, among), one in found.less(a, b).items():
            label, of = f"table of {size}, among {among}", Of("tables", a, b, size, among)
            yield measured(_TABLES[a], label, one, POINTS, of)
    for name in found.players:
        for size, one in found.lag(name).items():
            of = Of("lag", name, OPTIMAL, size, OPTIMAL)
            yield measured(_FAR, f"{name}, table of {size}", one, POINTS, of)
    pair = found.tables[SIZES[0]]
    numbers = [(name, name, one) for name, one in found.numbers.items()]
    for label, who in (("keep nothing (climber)", CLIMBS), (TUNED, TUNED)):
        if who in found.players:
            numbers.append((label, who, pair.less(way(who, KEEPS), way(KEEPS, KEEPS))))
    for label, who, one in numbers:
        yield measured(_NUMBERS, label, one, POINTS, Of("numbers", who, KEEPS, SIZES[0], KEEPS))
    for a, b in found.pairs:
        section = f"Under other readings, among keepers: {a} less {b}"
        for setting, size, one in found.elsewhere(a, b):
            of = Of("again", a, b, size, KEEPS, "readings", setting)
            yield measured(section, f"{setting}, table of {size}", one, POINTS, of)


def _notes(ask: Ask, found: Found) -> list[str]:
    notes = [
        f"{KEEPS} trades up whenever one of the animal given stays, {CLIMBS} whenever it can; "
        f"neither buys dogs"
    ]
    if TUNED in found.players:
        is_usual = found.tuned.strategy == TUNED
        other = "not the strategy of that name, which is for the usual rules"
        otherwise = "" if is_usual else f": {found.tuned.strategy}, {other}"
        notes.append(f"{TUNED} is who keeps {found.tuned.words}{otherwise}")
    most = reserve_policies.MOST_KEPT
    among = f"all {len(reserve_policies.reserves())} ways to keep 0 to {most} of each animal"
    if ask.quick:
        among = f"ways to keep 0 to {most} of each animal, two at most otherwise than {KEEPS}"
    notes.append(
        f"The fastest numbers were searched for among {among}, alone on deals that nothing else "
        f"here was measured on; at a table others may be better: herdlab tune searches there"
    )
    slow = [name for name, one in found.spoken_of.items() if one.strategy not in found.exact]
    if slow:
        notes.append(f"Too slow alone to be worked out exactly: {listed(slow)}")
    for name in found.players:
        nobody = {size: found.unfinished(name, size) for size in found.tables}
        if max(nobody.values()) > _SHOWN:
            shares = listed([f"{100 * one:.1f} %" for one in nobody.values()])
            notes.append(
                f"Where all play {name} nobody won {shares} of games at tables of "
                f"{listed(list(nobody))}"
            )
    if ask.quick:
        notes.append("Other readings of the rules were not tried; without --quick they are")
    return notes


# ---- in pictures ----


def drawings(answer: Answer) -> "list[Drawing]":
    """Draw what another number than one wins, whether to keep at all, and where that stands."""
    drawn = []
    numbers = [
        replace(one, label=answer.data["words"]) if one.of.who == TUNED else one
        for one in headed(rows_of(answer.findings, "numbers"), "")
    ]
    for nothing in [one for one in numbers if one.of.who == CLIMBS]:
        better = [one for one in numbers if one.kind == Kind.HIGHER]
        title = "No other number than one of each animal is surely better"
        if better:
            best = max(better, key=lambda one: one.value or 0.0)
            title = (
                f"Surely better than one of each animal: {best.label} ({best.value:+.1f} points)"
            )
        drawn += forest_of_wins(
            [one for one in numbers if one is not nothing],  # it would dwarf all others
            "",
            "win rate less keeper's, percentage points (two players, the other a keeper)",
            title=title,
            above="wins more often than keeper",
            below="wins less often",
            caption="Keeper keeps one of each animal, the rows another number of one of them, and "
            "what is best alone; to keep nothing at all, which is not drawn, wins "
            f"{written(nothing.value or 0.0, 1, sign='+')}",
        )
    reading = "A row is a reading of the rules at a table of so many, the others all being keepers"
    for a, b in ((KEEPS, CLIMBS), (TUNED, KEEPS)):
        for what, among, caption in (
            ("tables", "cases", ""),
            ("again", "cases of other readings", reading),
        ):
            rows = headed(rows_of(answer.findings, what), "")
            drawn += forest_of_wins(
                [one for one in rows if (one.of.who, one.of.against) == (a, b)],
                f"{capital(a)}, beside {b},",
                f"{a}'s win rate less {b}'s, percentage points",
                above=f"{a} wins more than {b}",
                below=f"{b} wins more than {a}",
                among=among,
                caption=caption,
            )
    return drawn
