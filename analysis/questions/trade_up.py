"""Whether to trade up at once or to keep animals to breed from, and how many of each.

Who trades at once (climber), who never gives the last of an animal away (keeper), and the fastest
of all numbers to keep (tuned), at tables of each other; alone they are solved exactly.
"""

from collections.abc import Mapping, Sequence
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
from herdlab.analysis.findings import POINTS, TURNS, Finding, exactly, measured
from herdlab.analysis.questions.asking import Answer, Ask
from herdlab.analysis.questions.drawn import headed, sections
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
from herdlab.analysis.sampling.paired_samples import in_every_seat
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of, kind_of_wins
from herdlab.analysis.studies.readings import other_readings
from herdlab.analysis.words.phrases import listed
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.rules import HERD_ANIMALS, PLURALS, HerdRules
from herdlab.strategies.herd import solved
from herdlab.strategies.herd.solved import OPTIMAL

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing

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
    steps = 3 + len(SIZES) + len(readings)
    found = _alone(ask, steps)
    intervals = len(one_at_a_time()) + 9 * len(SIZES) + 4 * len(readings)
    for place, size in enumerate(SIZES, 2):
        fields = list(found.players)
        if size == SIZES[0] or not ask.quick:
            fields.append(OPTIMAL)
        found.tables[size] = _table(
            ask, ask.experiment, found.players, size, fields, intervals, (place, steps)
        )
    found.numbers = _numbers(ask, intervals, (2 + len(SIZES), steps))
    for place, reading in enumerate(readings, 3 + len(SIZES)):
        under = {
            size: _table(
                ask, reading.experiment, found.players, size, [KEEPS], intervals, (place, steps)
            )
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
        findings=_findings(found),
        notes=_notes(ask, found),
        data={
            "tuned": found.tuned.strategy,
            "words": found.tuned.words,
            "kept": dict(zip(KEPT, found.tuned.numbers, strict=True)),
        },
    )


def drawings(answer: Answer) -> "list[Drawing]":
    """Draw what another number than one wins, whether to keep at all, and where that stands."""
    from herdlab.analysis.figures.forest import forest_drawing, tallied
    from herdlab.analysis.figures.parts.style import written

    rows = [
        replace(one, label=answer.data["words"]) if one.label == TUNED else one
        for one in headed(sections(answer.findings, _NUMBERS), "")
    ]
    nothing = next(one for one in rows if one.label == _NOTHING)
    drawn = [
        forest_drawing(
            [one for one in rows if one is not nothing],  # it would dwarf all others
            _numbers_title(rows),
            x_label="win rate less keeper's, percentage points (two players, the other a keeper)",
            above="wins more often than keeper",
            below="wins less often",
            margin=100 * MARGIN_OF_WIN,
            caption="Keeper keeps one of each animal, the rows another number of one of them, and "
            "what is best alone; to keep nothing at all, which is not drawn, wins "
            f"{written(nothing.value or 0.0, 1, sign='+')}",
        )
    ]
    for a, b, at_tables in ((KEEPS, CLIMBS, _KEEP), (TUNED, KEEPS, _BETTER)):
        above, below = f"{a} wins more than {b}", f"{b} wins more than {a}"
        for section, among in (
            (at_tables, "cases"),
            (_UNDER.format(a, b), "cases of other readings"),
        ):
            rows = headed(sections(answer.findings, section), "")
            if rows:
                title = tallied(
                    rows,
                    f"{a[0].upper()}{a[1:]}, beside {b},",
                    among=among,
                    margin=100 * MARGIN_OF_WIN,
                )
                label = f"{a}'s win rate less {b}'s, percentage points"
                drawn.append(
                    forest_drawing(
                        rows,
                        title,
                        x_label=label,
                        above=above,
                        below=below,
                        margin=100 * MARGIN_OF_WIN,
                        caption=""
                        if among == "cases"
                        else "A row is a reading of the rules at "
                        "a table of so many, the others all being keepers",
                    )
                )
    return drawn


def _numbers_title(rows: Sequence[Finding]) -> str:
    """Return which other numbers are surely better than one of each."""
    better = [one for one in rows if kind_of(one, 100 * MARGIN_OF_WIN) == Kind.HIGHER]
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


def _alone(ask: Ask, steps: int) -> Found:
    """Search for the best numbers to keep, and solve what is spoken of."""
    fastest = _fastest(ask)
    runner = ask.runner.telling(ask.heard(0, 1, (0, steps)))
    alone = fastest_reserves(ask.experiment, quick=ask.quick, runner=runner)
    ask.games += alone.games
    best = list(dict.fromkeys([*alone.ranking()[:_SOLVED], KEEPER]))
    wanted = [*best, CLIMBER, *one_at_a_time().values()]
    exact = _solved(ask, [one for one in wanted if alone.turns(one).value < _SOLVABLE], steps)

    def turns(one: Reserve) -> float:
        if one.strategy not in exact:
            return alone.turns(one).value
        found = exact[one.strategy]
        return inf if found is None else found

    return Found(min(best, key=turns), alone, {**exact, OPTIMAL: fastest})


def _solved(ask: Ask, wanted: Sequence[Reserve], steps: int) -> dict[str, float | None]:
    """Return exact turns alone by strategy."""
    request = SolveRequest(ask.experiment, tuple(dict.fromkeys(one.strategy for one in wanted)))
    results = solve(request, ask.runner.telling(ask.heard(0, 1, (1, steps)))).results
    return {one.strategy: one.solo.mean for one in results}


def _table(
    ask: Ask,
    experiment: Experiment,
    players: Mapping[str, str],
    size: int,
    fields: Sequence[str],
    intervals: int,
    steps: tuple[int, int],
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
    return weigh(
        ask,
        experiment,
        ways,
        pairs=pairs,
        intervals=intervals,
        quick_deals=_QUICK_DEALS,
        close=MARGIN_OF_WIN,
        steps=steps,
    )


def _numbers(ask: Ask, intervals: int, steps: tuple[int, int]) -> dict[str, Estimate]:
    """Return what another number of one animal wins more than keeper, at a table with keeper."""
    ways = {name: one.strategy for name, one in one_at_a_time().items()}
    contenders = {
        name: [in_every_seat(ask.experiment.rules, strategy, [KEEPS])]
        for name, strategy in {KEEPS: KEEPS, **ways}.items()
    }
    found = weigh(
        ask,
        ask.experiment,
        contenders,
        pairs=[(name, KEEPS) for name in ways],
        intervals=intervals,
        quick_deals=_QUICK_DEALS,
        close=MARGIN_OF_WIN,
        steps=steps,
    )
    return {name: found.less(name, KEEPS) for name in ways}


def _spoken_of(found: Found) -> dict[str, Reserve]:
    """Return by name whose turns alone are told."""
    tuned = {TUNED: found.tuned} if TUNED in found.players else {}
    return {KEEPS: KEEPER, CLIMBS: CLIMBER, **tuned, **one_at_a_time()}


def _findings(found: Found) -> list[Finding]:
    turns = {name: one.strategy for name, one in _spoken_of(found).items()}
    turns["the fastest play (optimal)"] = OPTIMAL
    rows = [
        exactly(ALONE, name, found.exact[strategy], TURNS)
        for name, strategy in turns.items()
        if strategy in found.exact
    ]
    for section, (a, b) in zip((_KEEP, _BETTER), pairs_of(found), strict=False):
        for (size, among), one in found.less(a, b).items():
            rows.append(measured(section, f"table of {size}, among {among}", one, POINTS))
    for name in found.players:
        for size, one in found.lag(name).items():
            rows.append(measured(_FAR, f"{name}, table of {size}", one, POINTS))
    rows += [measured(_NUMBERS, name, one, POINTS) for name, one in found.numbers.items()]
    pair = found.tables[SIZES[0]]
    rows.append(measured(_NUMBERS, _NOTHING, _against(pair, CLIMBS), POINTS))
    if TUNED in found.players:
        rows.append(measured(_NUMBERS, TUNED, _against(pair, TUNED), POINTS))
    for a, b in pairs_of(found):
        for reading, tables in found.readings:
            for size, table in tables.items():
                label, one = f"{reading.setting}, table of {size}", table.less(*_both(a, b))
                rows.append(measured(_UNDER.format(a, b), label, one, POINTS))
    return rows


def _both(a: str, b: str) -> tuple[str, str]:
    return way(a, KEEPS), way(b, KEEPS)


def _against(table: Weighed, name: str) -> Estimate:
    return table.less(way(name, KEEPS), way(KEEPS, KEEPS))


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
