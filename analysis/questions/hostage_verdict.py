"""Pieces held hostage: what was found of it, and how that is put into words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
from herdlab.analysis.words.phrases import give_or_take, in_words, listed, span

TOO_LATE, UNCALLED = "one lets go a piece too late", "one holds, no bluff is called"
PAYS, COSTS, NOTHING, OPEN = "pays", "costs", "makes no difference", "is not settled"
_STATES = {Kind.HIGHER: PAYS, Kind.LOWER: COSTS, Kind.TIE: NOTHING, Kind.OPEN: OPEN}


@dataclass(frozen=True)
class Seat:
    """Where one sits: so many players, who offer so many pieces at once."""

    players: int
    offers: int

    @property
    def words(self) -> str:
        """As a table of figures has it."""
        return f"{in_words(self.players)} players, offers of {in_words(self.offers)}"


@dataclass(frozen=True)
class Together:
    """What becomes of the game where all hold hostages."""

    longer: Estimate
    """By how many beats games are longer than where nobody does."""
    unfinished: Estimate


@dataclass(frozen=True)
class Holding:
    """Gains in win rate of one who holds hostages over one who does not, and what they cost."""

    among_others: dict[Seat, Estimate]
    """Among players who hold none."""
    among_holders: dict[Seat, Estimate]
    """Among players who all hold some."""
    with_passes: dict[str, Estimate] = field(default_factory=dict)
    """Where all call passes, by edition and table."""
    together: dict[int, Together] = field(default_factory=dict)
    """By players."""
    stalled: dict[str, dict[int, Estimate]] = field(default_factory=dict)
    """Shares of unfinished games: by TOO_LATE or UNCALLED, and players."""
    without_winner: float = 0.0
    """The largest share of games without a winner where nobody holds hostages."""
    never_differed: bool = False
    """Whether every game came out as without hostages."""


_PASSES = "whether passes are called"


def state(gain: Estimate) -> str:
    """Return what a gain says."""
    return _STATES[kind_of_wins(gain)]


def verdict(found: Holding) -> list[str]:
    """Return the answer in a few sentences, from the figures alone."""
    gains, factors = found.among_others, _factors(found)
    states = {state(one) for one in gains.values()} - {OPEN}
    if not states and not found.never_differed:
        lead = f"It is not settled whether holding pieces hostage pays {_where(gains, OPEN)}"
    elif factors:
        lead = f"It depends on {listed(factors)}: holding pieces hostage {_each(gains)}"
    elif states == {NOTHING} or found.never_differed:
        lost = found.without_winner
        why = f", as {100 * lost:.0f} % of the games have no winner" if lost > 0 else ""
        lead = f"Holding pieces hostage makes no difference that matters under these rules{why}"
    else:
        word = {PAYS: "Yes", COSTS: "No"}[states.pop()]
        lead = f"{word}: holding pieces hostage {_each(gains)}"
    if found.never_differed:
        return [lead]
    passing = _passing(found)
    if passing and _PASSES in factors:  # what it depends on belongs into the same sentence
        first, *passing = passing
        lead = f"{lead}; {first[0].lower()}{first[1:]}"
    return [lead, *passing, *_among_holders(found), *_stalling(found)]


def _factors(found: Holding) -> list[str]:
    """Return on what it depends, as far as these tables tell."""
    by_players, by_offers = dict[int, set[str]](), dict[int, set[str]]()
    for seat, one in found.among_others.items():
        if state(one) != OPEN:
            by_players.setdefault(seat.players, set()).add(state(one))
            by_offers.setdefault(seat.offers, set()).add(state(one))
    without = by_offers.get(max(seat.offers for seat in found.among_others), set())
    passing = {state(one) for one in found.with_passes.values()} - {OPEN}
    factors = {
        "how many pieces are offered at once": any(len(one) > 1 for one in by_players.values()),
        "how many play": any(len(one) > 1 for one in by_offers.values()),
        _PASSES: bool(without and passing and not without & passing),
    }
    return [factor for factor, matters in factors.items() if matters]


def _each(gains: dict[Seat, Estimate]) -> str:
    """Return what it does where, the same together."""
    places = {kind: _where(gains, kind) for kind in (PAYS, COSTS, NOTHING, OPEN)}
    parts = [f"{kind} {at}" for kind, at in places.items() if at and kind != OPEN]
    return "; ".join([*parts, *([f"{places[OPEN]} it {OPEN}"] if places[OPEN] else [])])


def _where(gains: dict[Seat, Estimate], kind: str) -> str:
    """Return the tables at which it does this, with how much it gains."""
    some = {seat: one for seat, one in gains.items() if state(one) == kind}
    where = []
    for players in dict.fromkeys(seat.players for seat in some):
        mine = {seat.offers: one for seat, one in some.items() if seat.players == players}
        offers = listed([in_words(one) for one in mine], "or")
        by = f" ({listed([give_or_take(one) for one in mine.values()])} points)"
        by = "" if kind == NOTHING else by
        where.append(f"with {in_words(players)} players and offers of {offers}{by}")
    return listed(where) if where else ""


def _among_holders(found: Holding) -> list[str]:
    """Return whether it pays among others who do it too, where it pays among those who do not."""
    paying = [seat for seat, one in found.among_others.items() if state(one) == PAYS]
    still = [seat for seat in paying if state(found.among_holders[seat]) == PAYS]
    if not paying:
        return []
    if not still:
        return ["Where all others do it too, it is not known to pay"]
    by = _range(found.among_holders[seat] for seat in still)
    if len(still) == len(paying):
        return [f"It pays there also where all others do it too, by {by}"]
    where = "; ".join(seat.words for seat in still)
    return [f"Where all others do it too it is known to pay only with {where} (by {by})"]


def _range(gains: Iterable[Estimate]) -> str:
    return f"{span((100 * abs(one.value) for one in gains), 1)} points"


def _stalling(found: Holding) -> list[str]:
    """Return what it does to the game."""
    if not found.together or all(state(one) == NOTHING for one in found.among_others.values()):
        return []
    each = found.together.values()
    by = span((one.longer.value for one in each), 1)
    never = _shares([one.unfinished for one in each])
    told = [f"Where all do it, games take {by} beats longer and {never} never end"]
    if TOO_LATE in found.stalled:
        late = _shares(list(found.stalled[TOO_LATE].values()))
        told.append(f"If one player holds a piece too long, {late} of games never end")
    return told


def _shares(some: Sequence[Estimate]) -> str:
    """Return shares of games at several tables, with what they may be at any of them."""
    low, high = min(one.low for one in some), max(one.high for one in some)
    return f"{span(100 * one.value for one in some)} % ({100 * low:.1f} to {100 * high:.1f})"


def _passing(found: Holding) -> list[str]:
    """Return what passes do to it."""
    by_state: dict[str, list[Estimate]] = {}
    for one in found.with_passes.values():
        by_state.setdefault(state(one), []).append(one)
    if not by_state:
        return []
    parts = []
    for kind in (COSTS, PAYS, NOTHING, OPEN):
        if kind in by_state:
            by = f" ({_range(by_state[kind])})" if kind in (COSTS, PAYS) else ""
            tables = f" at {len(by_state[kind])} of {len(found.with_passes)} tables"
            parts.append(f"{kind}{by}{tables if len(by_state) > 1 else ''}")
    return [f"Where players call passes it {listed(parts)}"]


def notes(found: Holding, readings: Mapping[str, Estimate]) -> list[str]:
    """Return where the answer holds and where not."""
    told = [
        "A hostage is one's last piece of another puzzle: as long as one keeps it, nobody can "
        "finish that puzzle. It is let go when no more pieces are needed than hostages are held; "
        "a forced pass may take it earlier.",
        "All but the first two tables of figures are with the largest offers, one player holding.",
        "As long as nobody calls a pass, Horse Trader and Bronco are the same game in this, and so "
        "are the plain and the advanced game as long as nobody bluffs or calls a bluff.",
        "Where offers may be bluffs, all bluff and call at the rates that balance counting pieces "
        "alone; 'ask bluff' measures those that balance in play.",
    ]
    if readings:
        parts = [
            f"{state(one)} with {label} ({give_or_take(one)} points)"
            for label, one in readings.items()
        ]
        told.append(f"Under other readings, with the largest offers, it {listed(parts)}.")
    unsettled = [
        f"{seat.words}, {where}"
        for where, gains in (
            ("others holding none", found.among_others),
            ("all others holding", found.among_holders),
        )
        for seat, one in gains.items()
        if state(one) == OPEN
    ]
    if unsettled and not found.never_differed:
        told.append(f"Not settled: {'; '.join(unsettled)}.")
    return told
