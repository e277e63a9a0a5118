"""`ask hostage`: whether it pays to hold pieces hostage.

Two players who differ in nothing else are weighed against each other in the same seats: one keeps
its last piece of every other puzzle until it needs no more pieces than it has hostages, the other
trades everything away.  They sit among players who hold none, and among players who all do; then
they let go earlier, hold more, meet passes and bluffs, and play under other readings.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import (
    NO_WINNER,
    PER_CENT,
    POINTS,
    Finding,
    Of,
    measured,
    without_winner,
)
from herdlab.analysis.questions import Question
from herdlab.analysis.questions.asking import Answer, Ask, tables_of
from herdlab.analysis.questions.bluffing import Bluff
from herdlab.analysis.questions.drawn import rows_of
from herdlab.analysis.questions.hostage_verdict import (
    OPEN,
    PAYS,
    TOO_LATE,
    UNCALLED,
    Holding,
    Seat,
    Together,
    notes,
    state,
    verdict,
)
from herdlab.analysis.questions.ways import weigh
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.analysis.sampling.paired_samples import Contender, in_every_seat
from herdlab.analysis.stats.estimates import Estimate, corrected, rate_of
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN
from herdlab.analysis.studies.readings import other_readings
from herdlab.analysis.words.phrases import capital, in_words
from herdlab.simcore.game import find_game
from herdlab.simcore.puzzle.rules import PuzzleRules
from herdlab.strategies.puzzle.piece_sense import PUZZLE_GAMES

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing

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


@dataclass(frozen=True)
class _Place:
    """Where holding is weighed against not holding."""

    section: str
    experiment: Experiment
    holding: dict[str, str]
    """By label, those who hold hostages."""
    none: str
    """The same player without."""
    others: tuple[str, ...]

    def contenders(self) -> dict[str, list[Contender]]:
        """Return all of them in every seat."""
        rules, ways = self.experiment.rules, {**self.holding, _NONE: self.none}
        return {way: [in_every_seat(rules, who, self.others)] for way, who in ways.items()}


def check(ask: Ask) -> None:
    """Refuse tempos and reactions that are for different numbers of players."""
    tables_of(ask.experiment)


def answer(ask: Ask) -> Answer:
    """Weigh holding against not holding at every table, and again under other circumstances."""
    rules, tables = ask.experiment.rules, tables_of(ask.experiment)
    assert isinstance(rules, PuzzleRules)
    most = rules.largest_offer
    offers = sorted({min(one, most) for one in OFFERS})
    seats = {seat.words: seat for n in tables for seat in [Seat(n, one) for one in offers]}
    places = [
        *_ordinary(ask.experiment, list(seats.values())),
        *_elsewhere(ask.experiment, tables, most),
    ]
    steps, won, deals, same = len(places) + 2, 1.0, 0, True
    gains: dict[str, dict[str, Estimate]] = {}
    for step, place in enumerate(places):
        found = weigh(
            ask,
            place.experiment,
            place.contenders(),
            pairs=[(label, _NONE) for label in place.holding],
            intervals=sum(len(one.holding) for one in places),
            quick_deals=_QUICK_DEALS,
            close=_CLOSE if place.section in (AMONG_OTHERS, AMONG_HOLDERS) else _ELSEWHERE,
            steps=(step, steps),
        )
        same = same and found.is_all_the_same
        for label in place.holding:
            gains.setdefault(place.section, {})[label] = found.less(label, _NONE)
        if place.section == AMONG_OTHERS:
            won, deals = min((won, deals), ((1 + len(place.others)) * found.rates[-1], found.deals))
    holding = Holding(
        among_others={seat: gains[AMONG_OTHERS][at] for at, seat in seats.items()},
        among_holders={seat: gains[AMONG_HOLDERS][at] for at, seat in seats.items()},
        with_passes=gains.get(PASSES, {}),
        together={n: _together(ask, n, most, len(tables), (steps - 2, steps)) for n in tables},
        stalled=_stalled(ask, tables, most, (steps - 1, steps)),
        without_winner=max(0.0, 1 - won),
        never_differed=same,
    )
    return ask.answer(
        verdict(holding),
        settled=not any(state(one) == OPEN for one in _decisive(holding)),
        findings=[
            *_findings(gains, holding),
            *(
                [without_winner("nobody holds, at most", holding.without_winner, deals, NO_WINNER)]
                if holding.without_winner
                else []
            ),
        ],
        notes=notes(holding, gains.get(READINGS, {})),
        data={"largest_offer": most, "margin": 100 * MARGIN_OF_WIN},
    )


def _decisive(found: Holding) -> list[Estimate]:
    """Return the gains of which the verdict says what they are."""
    paying = [seat for seat, one in found.among_others.items() if state(one) == PAYS]
    return [
        *found.among_others.values(),
        *(found.among_holders[seat] for seat in paying),
        *found.with_passes.values(),
    ]


def _ordinary(experiment: Experiment, seats: list[Seat]) -> Iterator[_Place]:
    """Yield every table, all others holding none and all holding one of each."""
    for section, hostages in ((AMONG_OTHERS, 0), (AMONG_HOLDERS, 1)):
        for seat in seats:
            others = (holder(seat.offers, hostages),) * (seat.players - 1)
            mine = {seat.words: holder(seat.offers)}
            yield _Place(section, experiment, mine, holder(seat.offers, 0), others)


def _elsewhere(experiment: Experiment, tables: list[int], most: int) -> Iterator[_Place]:
    """Yield where the question is asked again, with the largest offers, among who hold none."""

    def among(
        section: str, at: Experiment, players: int, holding: dict[str, str], none: str
    ) -> _Place:
        return _Place(section, at, holding, none, (none,) * (players - 1))

    none = holder(most, 0)
    for n in tables:
        words = f"{in_words(n)} players"
        at = {f"{words}, needing {n - 1 + by} or fewer": n - 1 + by for by in _EARLIER}
        late = {label: holder(most, until=until) for label, until in at.items()}
        yield among(EARLIER, experiment, n, late, none)
    for n in tables:
        words = f"{in_words(n)} players"
        more = {f"{words}, {in_words(one)} of each": holder(most, one) for one in _MORE}
        yield among(MORE, experiment, n, more, none)
    for edition in _editions(experiment):
        for n in tables:
            label, calls = f"{edition.game.title}, {in_words(n)} players", ":passes=fresh"
            mine, other = (holder(most, hostages, more=calls) for hostages in (1, 0))
            yield among(PASSES, edition, n, {label: mine}, other)
    for n in tables:
        bluff = Bluff(most)
        rates = bluff.bluffs, bluff.calls  # in balance, counting pieces alone
        often = f"{100 * bluff.bluffs:.0f} % bluffs, {100 * bluff.calls:.0f} % calls"
        who = {f"{in_words(n)} players, {often}": bluff.player(*rates, ":hostages=1")}
        yield among(BLUFFS, experiment.under(advanced=True), n, who, bluff.player(*rates))
    for reading in other_readings(experiment):
        for n in tables:
            label = f"{reading.setting}, {in_words(n)} players"
            yield among(READINGS, reading.experiment, n, {label: holder(most)}, none)


def _editions(experiment: Experiment) -> list[Experiment]:
    """Return both editions under the same settings, this one first; none without passes."""
    rules = experiment.rules
    assert isinstance(rules, PuzzleRules)
    if not rules.calls:
        return []
    others = [find_game(name) for name in PUZZLE_GAMES if name != experiment.game.name]
    return [
        experiment,
        *(Experiment(one, one.rules_type(**vars(rules)), experiment.seed) for one in others),
    ]


def _of_unfinished(tables: int) -> float:
    """Return the confidence of each share of games never finished: three a table."""
    return corrected(3 * tables)


def _together(ask: Ask, players: int, most: int, tables: int, steps: tuple[int, int]) -> Together:
    """Return what becomes of the game where all hold hostages; `tables` are so asked."""
    deals = _QUICK_TOGETHER_DEALS if ask.quick else min(ask.max_deals, _TOGETHER_DEALS)
    contenders = [
        in_every_seat(ask.experiment.rules, who, [who] * (players - 1))
        for who in (holder(most), holder(most, 0))
    ]
    beats = ask.measure(contenders, "length", deals, steps=steps)
    stalls = ask.measure(contenders[:1], "stalls", deals)
    return Together(
        beats.difference(0, 1, corrected(tables)),
        _share(stalls, _of_unfinished(tables)),
    )


def _stalled(
    ask: Ask, tables: list[int], most: int, steps: tuple[int, int]
) -> dict[str, dict[int, Estimate]]:
    """Return the share of games that are never finished where hostages are held for too long."""
    deals = _QUICK_STALLED_DEALS if ask.quick else min(ask.max_deals, _STALLED_DEALS)
    given = ask.experiment.rules
    assert isinstance(given, PuzzleRules)
    rules = given.but(max_beats=min(given.max_beats, _LONGEST))
    bluff, confidence = Bluff(most), _of_unfinished(len(tables))
    found: dict[str, dict[int, Estimate]] = {TOO_LATE: {}, UNCALLED: {}}
    for n in tables:
        late = in_every_seat(rules, holder(most, until=n - 2), [holder(most, 0)] * (n - 1))
        other = bluff.player(bluff.bluffs, 0)
        one = bluff.player(bluff.bluffs, 0, ":hostages=1")
        bluffed = in_every_seat(rules.but(advanced=True), one, [other] * (n - 1))
        for why, contender in ((TOO_LATE, late), (UNCALLED, bluffed)):
            stalls = ask.measure([contender], "stalls", deals, steps=steps)
            found[why][n] = _share(stalls, confidence)
    return found


def _share(stalls: PairedEstimates, confidence: float) -> Estimate:
    """Return the share of games that stalled, with an interval that is good near 0 and 1 too."""
    total, squares = stalls.added_up(0)
    return rate_of(total, squares, stalls.deals, confidence)


def _findings(gains: dict[str, dict[str, Estimate]], found: Holding) -> Iterator[Finding]:
    """Yield all figures, by section."""
    for section, some in gains.items():
        for label, one in some.items():
            yield measured(section, label, one, POINTS, Of(section, label))
    for n, all_hold in found.together.items():
        section = "where all hold hostages, games are longer by"
        label, of = f"{in_words(n)} players", Of("longer", players=n, others="all hold")
        yield measured(section, label, all_hold.longer, "beats", of)
    section = "games never finished"
    for n, all_hold in found.together.items():
        label = f"{in_words(n)} players, all hold"
        of = Of("never finished", players=n, others="all hold")
        yield measured(section, label, all_hold.unfinished, PER_CENT, of)
    for why, shares in found.stalled.items():
        for n, share in shares.items():
            label, of = f"{in_words(n)} players, {why}", Of("never finished", why, players=n)
            yield measured(section, label, share, PER_CENT, of)


def drawings(answer: Answer) -> "list[Drawing]":
    """Draw what holding gains, how much it takes, and whether it does so under other rules."""
    from herdlab.analysis.figures.forest import forest_drawing, tallied

    above, below = "holding pays", "holding costs"
    drawn = []
    for wanted, among, caption in (
        ((AMONG_OTHERS, AMONG_HOLDERS), "cases", "The others all hold none, or all do"),
        ((PASSES, BLUFFS, READINGS), "cases of other games or readings", "The others hold none"),
        ((EARLIER, MORE), "other ways to hold", "The others hold none"),
    ):
        rows = [
            replace(one, section=capital(one.section)) for one in rows_of(answer.findings, *wanted)
        ]
        if rows:
            drawn.append(
                forest_drawing(
                    rows,
                    tallied(
                        rows,
                        "Holding",
                        above="pays",
                        below="costs",
                        among=among,
                        margin=answer.data["margin"],
                    ),
                    x_label="win rate less that without hostages, percentage points",
                    above=above,
                    below=below,
                    margin=answer.data["margin"],
                    caption=caption,
                )
            )
    return drawn
