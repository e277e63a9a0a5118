"""`ask hostage`: whether it pays to hold pieces hostage.

Two players who differ in nothing else are weighed against each other in the same seats: one keeps
its last piece of every other puzzle until it needs no more pieces than it has hostages, the other
trades everything away.  They sit among players who hold none, and among players who all do; then
they let go earlier, hold more, meet passes and bluffs, and play under other readings.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import (
    MARGIN,
    PER_CENT,
    POINTS,
    Finding,
    Of,
    measured,
    without_winner,
)
from herdlab.analysis.questions import Question, hostage_verdict
from herdlab.analysis.questions.asking import Answer, Ask, table_sizes
from herdlab.analysis.questions.bluff_verdict import Bluff
from herdlab.analysis.questions.drawn import forest_of_wins, rows_of
from herdlab.analysis.questions.hostage_verdict import TOO_LATE, UNCALLED, Holding, Seat, Together
from herdlab.analysis.questions.ways import weigh
from herdlab.analysis.sampling.paired_samples import in_every_seat
from herdlab.analysis.stats.estimates import Estimate, corrected, rate_of
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
from herdlab.analysis.studies.readings import other_readings
from herdlab.analysis.words.phrases import capital, in_words
from herdlab.simcore.game import find_game
from herdlab.simcore.puzzle.rules import PuzzleRules
from herdlab.strategies.puzzle.piece_sense import PUZZLE_GAMES

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing
    from herdlab.analysis.sampling.paired_samples import Contender

QUESTION = Question(
    name="hostage",
    words="Does it pay to hold pieces hostage?",
    keywords="hostage hold piece puzzle",
    plays="dealer",
    games=("horse-trader", "bronco"),
)
OFFERS = (1, 2, 4)
AMONG_OTHERS, AMONG_HOLDERS = "one among players who hold none", "one among players who all do"
EARLIER, MORE = "lets go earlier", "holds more of every other puzzle"
PASSES, BLUFFS, READINGS = "where all call passes", "where offers may be bluffs", "other readings"
_EARLIER, _MORE = (1, 2, 5), (2, 3)
"""Pieces earlier than usual, and hostages, that are tried out."""
_CLOSE, _ELSEWHERE = 0.005, 0.01
"""How closely win rates are to be known, and where the question is asked again."""
_QUICK_DEALS = 700
_TOGETHER_DEALS, _QUICK_TOGETHER_DEALS = 2_000, 200
_STALLED_DEALS, _QUICK_STALLED_DEALS = 64, 16
_LONGEST = 20_000
"""Games that stall take as long as hundreds of others: few are played, and none for longer."""
_NONE = "holds none"


def holder(offers: int, hostages: int = 1, until: int | None = None, more: str = "") -> str:
    """Return the dealer who offers so many pieces and holds so many of every other puzzle."""
    lets_go = "" if until is None else f":until={until}"
    return f"dealer:offer={offers}:hostages={hostages}{lets_go}{more}"


class _Place(NamedTuple):
    """Where holding is weighed against not holding."""

    section: str
    experiment: Experiment
    players: int
    holding: dict[str, str]
    """By label, those who hold hostages."""
    none: str
    """The same player without."""
    other: str
    """Everybody else."""


def check(ask: Ask) -> None:
    """Refuse tempos and reactions that are for different numbers of players."""
    table_sizes(ask.experiment)


def answer(ask: Ask) -> Answer:
    """Weigh holding against not holding at every table, and again under other circumstances."""
    tables, most = table_sizes(ask.experiment), _rules(ask.experiment).largest_offer
    offers = sorted({min(one, most) for one in OFFERS})
    seats = [Seat(n, one) for n in tables for one in offers]
    places = [*_ordinary(ask.experiment, seats), *_elsewhere(ask.experiment, tables, most)]
    ask.parts = len(places) + 4 * len(tables)
    ask.intervals = sum(len(one.holding) for one in places)
    won, deals, same = 1.0, 0, True
    gains: dict[str, dict[str, Estimate]] = {}
    for section, experiment, players, who_hold, none, other in places:
        ways, others = {**who_hold, _NONE: none}, [other] * (players - 1)
        found = weigh(
            ask,
            experiment,
            {way: [in_every_seat(experiment.rules, who, others)] for way, who in ways.items()},
            pairs=[(label, _NONE) for label in who_hold],
            quick_deals=_QUICK_DEALS,
            close=_CLOSE if section in (AMONG_OTHERS, AMONG_HOLDERS) else _ELSEWHERE,
        )
        same = same and found.is_all_the_same
        mine = gains.setdefault(section, {})
        mine |= {label: found.less(label, _NONE) for label in who_hold}
        if section == AMONG_OTHERS:
            won, deals = min((won, deals), (players * found.rates[-1], found.deals))
    holding = Holding(
        among_others={seat: gains[AMONG_OTHERS][seat.words] for seat in seats},
        among_holders={seat: gains[AMONG_HOLDERS][seat.words] for seat in seats},
        with_passes=gains.get(PASSES, {}),
        together={n: _together(ask, n, most, len(tables)) for n in tables},
        stalled=_stalled(ask, tables, most),
        without_winner=max(0.0, 1 - won),
        never_differed=same,
    )
    return ask.answer(
        hostage_verdict.verdict(holding),
        settled=not any(kind_of_wins(one) == Kind.OPEN for one in _decisive(holding)),
        findings=list(_findings(gains, holding, deals)),
        notes=hostage_verdict.notes(holding, gains.get(READINGS, {})),
        data={"largest_offer": most, "margin": MARGIN},
    )


def _rules(experiment: Experiment) -> PuzzleRules:
    assert isinstance(experiment.rules, PuzzleRules)
    return experiment.rules


def _decisive(found: Holding) -> list[Estimate]:
    """Return the gains of which the verdict says what they are."""
    paying = [seat for seat, one in found.among_others.items() if kind_of_wins(one) == Kind.HIGHER]
    return [
        *found.among_others.values(),
        *(found.among_holders[seat] for seat in paying),
        *found.with_passes.values(),
    ]


def _ordinary(experiment: Experiment, seats: list[Seat]) -> Iterator[_Place]:
    """Yield every table, all others holding none and all holding one of each."""
    for section, hostages in ((AMONG_OTHERS, 0), (AMONG_HOLDERS, 1)):
        for seat in seats:
            none, mine = holder(seat.offers, 0), {seat.words: holder(seat.offers)}
            other = holder(seat.offers, hostages)
            yield _Place(section, experiment, seat.players, mine, none, other)


def _elsewhere(experiment: Experiment, tables: list[int], most: int) -> Iterator[_Place]:
    """Yield where it is asked again, with the largest offers, among players without hostages."""
    bluff, named = Bluff(most), {n: f"{in_words(n)} players" for n in tables}
    rates, none = (bluff.bluffs, bluff.calls), holder(most, 0)  # in balance, by pieces alone
    for n, words in named.items():
        until = {n - 1 + by: f"{words}, needing {n - 1 + by} or fewer" for by in _EARLIER}
        late = {label: holder(most, until=one) for one, label in until.items()}
        yield _Place(EARLIER, experiment, n, late, none, none)
    for n, words in named.items():
        more = {f"{words}, {in_words(one)} of each": holder(most, one) for one in _MORE}
        yield _Place(MORE, experiment, n, more, none, none)
    mine, other = (holder(most, hostages, more=":passes=fresh") for hostages in (1, 0))
    for edition, (n, words) in product(_editions(experiment), named.items()):
        yield _Place(PASSES, edition, n, {f"{edition.game.title}, {words}": mine}, other, other)
    advanced, mine = experiment.under(advanced=True), bluff.player(*rates, ":hostages=1")
    other, often = bluff.player(*rates), [f"{100 * one:.0f} %" for one in rates]
    for n, words in named.items():
        holding = {f"{words}, {often[0]} bluffs, {often[1]} calls": mine}
        yield _Place(BLUFFS, advanced, n, holding, other, other)
    for reading, (n, words) in product(other_readings(experiment), named.items()):
        holding = {f"{reading.setting}, {words}": holder(most)}
        yield _Place(READINGS, reading.experiment, n, holding, none, none)


def _editions(experiment: Experiment) -> list[Experiment]:
    """Return both editions under the same settings, this one first; none without passes."""
    rules = _rules(experiment)
    if not rules.calls:
        return []
    others = [find_game(name) for name in PUZZLE_GAMES if name != experiment.game.name]
    return [
        experiment,
        *(Experiment(one, one.rules_type(**vars(rules)), experiment.seed) for one in others),
    ]


def _together(ask: Ask, players: int, most: int, tables: int) -> Together:
    """Return what becomes of the game where all hold hostages; `tables` are so asked."""
    deals = _QUICK_TOGETHER_DEALS if ask.quick else min(ask.max_deals, _TOGETHER_DEALS)
    contenders = [
        in_every_seat(ask.experiment.rules, who, [who] * (players - 1))
        for who in (holder(most), holder(most, 0))
    ]
    longer = ask.measure(contenders, "length", deals).difference(0, 1, corrected(tables))
    return Together(longer, _unfinished(ask, contenders[0], deals, tables))


def _stalled(ask: Ask, tables: list[int], most: int) -> dict[str, dict[int, Estimate]]:
    """Return the share of games that are never finished where hostages are held for too long."""
    deals = _QUICK_STALLED_DEALS if ask.quick else min(ask.max_deals, _STALLED_DEALS)
    given, bluff = _rules(ask.experiment), Bluff(most)
    rules = given.but(max_beats=min(given.max_beats, _LONGEST))
    found: dict[str, dict[int, Estimate]] = {TOO_LATE: {}, UNCALLED: {}}
    honest, bluffing = holder(most, 0), bluff.player(bluff.bluffs, 0)
    holds = bluff.player(bluff.bluffs, 0, ":hostages=1")
    for n in tables:
        late = in_every_seat(rules, holder(most, until=n - 2), [honest] * (n - 1))
        bluffed = in_every_seat(rules.but(advanced=True), holds, [bluffing] * (n - 1))
        for why, contender in ((TOO_LATE, late), (UNCALLED, bluffed)):
            found[why][n] = _unfinished(ask, contender, deals, len(tables))
    return found


def _unfinished(ask: Ask, contender: "Contender", deals: int, tables: int) -> Estimate:
    """Return the share of games that stalled, with an interval that is good near 0 and 1 too.

    At each table three such shares are measured.
    """
    stalls = ask.measure([contender], "stalls", deals)
    return rate_of(*stalls.added_up(0), stalls.deals, corrected(3 * tables))


def _findings(
    gains: dict[str, dict[str, Estimate]], found: Holding, deals: int
) -> Iterator[Finding]:
    """Yield all findings, by section."""
    for section, some in gains.items():
        for label, one in some.items():
            yield measured(section, label, one, POINTS, Of(section, label))
    for n, all_hold in found.together.items():
        section = "where all hold hostages, games are longer by"
        label, of = f"{in_words(n)} players", Of("longer", players=n, others="all hold")
        yield measured(section, label, all_hold.longer, "beats", of)
    shares = {"all hold": {n: one.unfinished for n, one in found.together.items()}}
    for why, by_table in (shares | found.stalled).items():
        for n, share in by_table.items():
            label, of = f"{in_words(n)} players, {why}", Of("never finished", why, players=n)
            yield measured("games never finished", label, share, PER_CENT, of)
    if found.without_winner:
        yield without_winner("nobody holds, at most", found.without_winner, deals)


def drawings(answer: Answer) -> "list[Drawing]":
    """Draw what holding gains, how much it takes, and whether it does so under other rules."""
    drawn = []
    for wanted, among, caption in (
        ((AMONG_OTHERS, AMONG_HOLDERS), "cases", "The others all hold none, or all do"),
        ((PASSES, BLUFFS, READINGS), "cases of other games or readings", "The others hold none"),
        ((EARLIER, MORE), "other ways to hold", "The others hold none"),
    ):
        rows = rows_of(answer.findings, *wanted)
        drawn += forest_of_wins(
            [replace(one, section=capital(one.section)) for one in rows],
            "Holding",
            "win rate less that without hostages, percentage points",
            does=("pays", "costs"),
            above="holding pays",
            below="holding costs",
            among=among,
            caption=caption,
        )
    return drawn
