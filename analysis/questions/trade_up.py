"""Whether to trade up at once or to keep animals to breed from, and how many of each.

Who trades at once (climber), who never gives the last of an animal away (keeper), and the fastest
of all numbers to keep (tuned), at tables of each other; alone they are solved exactly.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite
from typing import TYPE_CHECKING

from herdlab.analysis.exact.reserve_policies import (
    CLIMBER,
    KEEPER,
    KEPT,
    MOST_KEPT,
    Reserve,
    fastest_reserves,
    one_at_a_time,
    reserves,
)
from herdlab.analysis.exact.solve import SolveRequest, solve
from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import POINTS, TURNS, Finding, Of, exactly, measured
from herdlab.analysis.questions import Question
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.drawn import forest_of_wins, headed, rows_of
from herdlab.analysis.questions.trade_up_verdict import (
    ALONE,
    CLIMBS,
    KEEPS,
    SIZES,
    TUNED,
    Found,
    pairs_of,
    verdict,
    way,
)
from herdlab.analysis.questions.ways import Weighed, weigh
from herdlab.analysis.sampling.paired_samples import Contender, in_every_seat
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of_wins
from herdlab.analysis.studies.readings import other_readings
from herdlab.analysis.words.numbers import written
from herdlab.analysis.words.phrases import capital, listed
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.rules import HERD_ANIMALS, PLURALS, HerdRules
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
_QUICK_DEALS = 1_000
_SOLVED = 3
"""How many of the fastest reserves are solved, to know which is the fastest."""
_SOLVABLE = 100
"""Who takes more turns alone than this is not solved: it would take long."""
_SHOWN = 0.001
"""A share of games without a winner from which on it is mentioned."""
_KEEP = "Keep or trade up at once: keeper's win rate less climber's"
_BETTER = "The best numbers to keep (tuned): win rate less keeper's"
_FAR = "How far from the fastest play: win rate less optimal's, among optimal"
_NUMBERS = "Another number than one, at a table of 2 with keeper: less keeper's"
_NOTHING = "keep nothing (climber)"
_UNDER = "Under other readings, among keepers: {} less {}"


def check(ask: Ask) -> None:
    """Refuse rules under which nobody can complete a herd."""
    rules = _rules(ask)
    for animal in HERD_ANIMALS:
        if min(rules.tiles[animal], rules.limits[animal]) == 0:
            raise BadInput(
                f"rule {PLURALS[animal]} (H1, H4) must be above 0 for this question: nobody could "
                f"complete a herd, whatever one keeps"
            )


def answer(ask: Ask) -> Answer:
    """Play all tables and say whether to keep animals back, and how many."""
    readings = [] if ask.quick else other_readings(ask.experiment)
    ask.parts = 3 + len(SIZES) + 2 * len(readings)
    ask.intervals = len(one_at_a_time()) + 9 * len(SIZES) + 4 * len(readings)
    found = _alone(ask)
    for size in SIZES:
        fields = list(found.players)
        if size == SIZES[0] or not ask.quick:
            fields.append(OPTIMAL)
        found.tables[size] = _table(ask, ask.experiment, found.players, size, fields)
    found.numbers = _numbers(ask)
    for reading in readings:
        under = {
            size: _table(ask, reading.experiment, found.players, size, [KEEPS])
            for size in (SIZES[0], SIZES[-1])
        }
        found.readings.append((reading, under))
    return ask.answer(
        verdict(found),
        settled=all(
            kind_of_wins(one) != Kind.OPEN
            for a, b in pairs_of(found)
            for one in found.less(a, b).values()
        ),
        findings=list(_findings(found)),
        notes=_notes(ask, found),
        data={
            "tuned": found.tuned.strategy,
            "words": found.tuned.words,
            "kept": dict(zip(KEPT, found.tuned.numbers, strict=True)),
        },
    )


def drawings(answer: Answer) -> "list[Drawing]":
    """Draw what another number than one wins, whether to keep at all, and where that stands."""
    drawn = []
    numbers = [
        replace(one, label=answer.data["words"]) if one.of.who == TUNED else one
        for one in headed(rows_of(answer.findings, "numbers"), "")
    ]
    for nothing in [one for one in numbers if one.of.who == CLIMBS]:
        drawn += forest_of_wins(
            [one for one in numbers if one is not nothing],  # it would dwarf all others
            "",
            "win rate less keeper's, percentage points (two players, the other a keeper)",
            title=_numbers_title(numbers),
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


def _numbers_title(rows: Sequence[Finding]) -> str:
    """Return which other numbers are surely better than one of each."""
    better = [one for one in rows if one.kind == Kind.HIGHER]
    if not better:
        return "No other number than one of each animal is surely better"
    best = max(better, key=lambda one: one.value or 0.0)
    return f"Surely better than one of each animal: {best.label} ({best.value:+.1f} points)"


def _rules(ask: Ask) -> HerdRules:
    assert isinstance(ask.experiment.rules, HerdRules)
    return ask.experiment.rules


def _fastest(ask: Ask) -> float:
    """Return the turns of the fastest play; refuse rules under which that may go on for ever."""
    turns = solved.optimum(_rules(ask)).mean
    if turns is None or not isfinite(turns):
        raise BadInput(
            "under these rules a player alone may never complete a herd, however well he plays, "
            "and so no numbers to keep are the fastest"
        )
    return turns


def _alone(ask: Ask) -> Found:
    """Search for the best numbers to keep, and solve what is spoken of."""
    fastest = _fastest(ask)
    runner = ask.runner.telling(ask.next_part())
    alone = fastest_reserves(ask.experiment, quick=ask.quick, runner=runner)
    ask.games += alone.games
    best = list(dict.fromkeys([*alone.ranking()[:_SOLVED], KEEPER]))
    wanted = [*best, CLIMBER, *one_at_a_time().values()]
    solvable = dict.fromkeys(one.strategy for one in wanted if alone.turns(one).value < _SOLVABLE)
    request = SolveRequest(ask.experiment, tuple(solvable))
    results = solve(request, ask.runner.telling(ask.next_part())).results
    exact = {one.strategy: one.solo.mean for one in results}

    def turns(one: Reserve) -> float:
        if one.strategy not in exact:
            return alone.turns(one).value
        found = exact[one.strategy]
        return inf if found is None else found

    return Found(min(best, key=turns), alone, {**exact, OPTIMAL: fastest})


def _table(
    ask: Ask, experiment: Experiment, players: Mapping[str, str], size: int, fields: Sequence[str]
) -> Weighed:
    """Let everybody sit among each of the fields, on the same deals."""
    texts = {**players, OPTIMAL: OPTIMAL}
    ways, pairs = {}, []
    for among in fields:
        names = [*players, OPTIMAL] if among == OPTIMAL else list(players)
        for who in names:
            contender = in_every_seat(experiment.rules, texts[who], [texts[among]] * (size - 1))
            ways[way(who, among)] = [contender]
        if among == OPTIMAL:
            pairs += [(way(who, among), way(OPTIMAL, among)) for who in players]
        else:
            pairs.append((way(KEEPS, among), way(CLIMBS, among)))
            if TUNED in players:
                pairs.append((way(TUNED, among), way(KEEPS, among)))
    return _weigh(ask, experiment, ways, pairs)


def _weigh(
    ask: Ask,
    experiment: Experiment,
    ways: Mapping[str, Sequence[Contender]],
    pairs: Sequence[tuple[str, str]],
) -> Weighed:
    return weigh(ask, experiment, ways, pairs=pairs, quick_deals=_QUICK_DEALS, close=MARGIN_OF_WIN)


def _numbers(ask: Ask) -> dict[str, Estimate]:
    """Return what another number of one animal wins more than keeper, at a table with keeper."""
    ways = {name: one.strategy for name, one in one_at_a_time().items()}
    contenders = {
        name: [in_every_seat(ask.experiment.rules, strategy, [KEEPS])]
        for name, strategy in {KEEPS: KEEPS, **ways}.items()
    }
    found = _weigh(ask, ask.experiment, contenders, [(name, KEEPS) for name in ways])
    return {name: found.less(name, KEEPS) for name in ways}


def _spoken_of(found: Found) -> dict[str, Reserve]:
    """Return by name whose turns alone are told."""
    tuned = {TUNED: found.tuned} if TUNED in found.players else {}
    return {KEEPS: KEEPER, CLIMBS: CLIMBER, **tuned, **one_at_a_time()}


def _findings(found: Found) -> Iterator[Finding]:
    turns = {name: one.strategy for name, one in _spoken_of(found).items()}
    turns["the fastest play (optimal)"] = OPTIMAL
    for name, strategy in turns.items():
        if strategy in found.exact:
            yield exactly(ALONE, name, found.exact[strategy], TURNS, Of("alone", name))
    for section, (a, b) in zip((_KEEP, _BETTER), pairs_of(found), strict=False):
        for (size, among), one in found.less(a, b).items():
            label, of = f"table of {size}, among {among}", Of("tables", a, b, size, among)
            yield measured(section, label, one, POINTS, of)
    for name in found.players:
        for size, one in found.lag(name).items():
            of = Of("lag", name, OPTIMAL, size, OPTIMAL)
            yield measured(_FAR, f"{name}, table of {size}", one, POINTS, of)
    pair = found.tables[SIZES[0]]
    numbers = [(name, name, one) for name, one in found.numbers.items()]
    for label, who in ((_NOTHING, CLIMBS), (TUNED, TUNED)):
        if who in found.players:
            numbers.append((label, who, pair.less(way(who, KEEPS), way(KEEPS, KEEPS))))
    for label, who, one in numbers:
        yield measured(_NUMBERS, label, one, POINTS, Of("numbers", who, KEEPS, SIZES[0], KEEPS))
    for a, b in pairs_of(found):
        for reading, tables in found.readings:
            for size, table in tables.items():
                one = table.less(way(a, KEEPS), way(b, KEEPS))
                label = f"{reading.setting}, table of {size}"
                of = Of("again", a, b, size, KEEPS, "readings", reading.setting)
                yield measured(_UNDER.format(a, b), label, one, POINTS, of)


def _otherwise(tuned: Reserve) -> str:
    if tuned.strategy == TUNED:
        return ""
    return f": {tuned.strategy}, not the strategy of that name, which is for the usual rules"


def _notes(ask: Ask, found: Found) -> list[str]:
    notes = [
        f"{KEEPS} trades up whenever one of the animal given stays, {CLIMBS} whenever it can; "
        f"neither buys dogs"
    ]
    if TUNED in found.players:
        notes.append(f"{TUNED} is who keeps {found.tuned.words}{_otherwise(found.tuned)}")
    among = f"all {len(reserves())} ways to keep 0 to {MOST_KEPT} of each animal"
    if ask.quick:
        among = f"ways to keep 0 to {MOST_KEPT} of each animal, two at most otherwise than {KEEPS}"
    notes.append(
        f"The fastest numbers were searched for among {among}, alone on deals that nothing else "
        f"here was measured on; at a table others may be better: herdlab tune searches there"
    )
    slow = [name for name, one in _spoken_of(found).items() if one.strategy not in found.exact]
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
