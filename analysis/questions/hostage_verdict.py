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
        """As a table of findings has it."""
        return f"{in_words(self.players)} players, offers of {in_words(self.offers)}"


@dataclass(frozen=True)
class Together:
    """What becomes of the game where all hold hostages."""

    longer: Estimate
    """By how many beats games are longer than where nobody does."""
    unfinished: Estimate


@dataclass(frozen=True)
class Holding:
    """What a player gains by holding hostages, in win rate, and what that does to the game."""

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


def state(gain: Estimate) -> str:
    """Return what a gain says."""
    return _STATES[kind_of_wins(gain)]


def verdict(found: Holding) -> list[str]:
    """Return the answer in a few sentences, from the findings alone."""
    gains, factors = found.among_others, _factors(found)
    states = {state(one) for one in gains.values()} - {OPEN}
    if found.never_differed or states == {NOTHING}:
        lost = 100 * found.without_winner
        why = f", as {lost:.0f} % of the games have no winner" if lost > 0 else ""
        return [f"Holding pieces hostage makes no difference that matters under these rules{why}"]
    lead = "It is not settled whether holding pieces hostage pays"
    if factors:
        lead = f"It depends on {listed(factors)}"
    elif states:
        lead = {PAYS: "Yes: holding pieces hostage pays", COSTS: "No: it costs wins"}[states.pop()]
    where = [_where(gains, kind) for kind in (PAYS, COSTS, NOTHING, OPEN)]
    told = [lead, f"Holding pieces hostage {'; it '.join(filter(None, where))}"]
    paying = [seat for seat, one in gains.items() if state(one) == PAYS]
    if paying:
        too = [one for seat in paying if state(one := found.among_holders[seat]) == PAYS]
        by = f" ({_range(too)})" if too else ""
        told.append(
            f"Where all others do it too, it pays at {len(too)} of these {len(paying)} tables{by}"
        )
    return [*told, *_with_passes(found), *_stalling(found)]


def _factors(found: Holding) -> list[str]:
    """Return on what it depends, as far as these tables tell."""
    known = {seat: state(one) for seat, one in found.among_others.items() if state(one) != OPEN}
    most = max(seat.offers for seat in found.among_others)
    without = {one for seat, one in known.items() if seat.offers == most}
    passing = {state(one) for one in found.with_passes.values()} - {OPEN}
    factors = {
        "how many pieces are offered at once": any(
            len({one for seat, one in known.items() if seat.players == n}) > 1
            for n in {seat.players for seat in known}
        ),
        "how many play": any(
            len({one for seat, one in known.items() if seat.offers == n}) > 1
            for n in {seat.offers for seat in known}
        ),
        "whether passes are called": bool(without and passing and not without & passing),
    }
    return [factor for factor, matters in factors.items() if matters]


def _where(gains: dict[Seat, Estimate], kind: str) -> str:
    """Return that it does this, at which tables and with how much it gains, if it does."""
    some = {seat: one for seat, one in gains.items() if state(one) == kind}
    where = []
    for players in dict.fromkeys(seat.players for seat in some):
        mine = {seat.offers: one for seat, one in some.items() if seat.players == players}
        offers = listed([in_words(one) for one in mine], "or")
        by = listed([give_or_take(one) for one in mine.values()])
        where.append(f"with {in_words(players)} players and offers of {offers} ({by} points)")
    return f"{kind} {listed(where)}" if where else ""


def _range(gains: Iterable[Estimate]) -> str:
    return f"{span((100 * abs(one.value) for one in gains), 1)} points"


def _with_passes(found: Holding) -> list[str]:
    """Return what passes do to it."""
    parts = []
    for kind in (COSTS, PAYS, NOTHING, OPEN):
        rows = [one for one in found.with_passes.values() if state(one) == kind]
        if rows:
            parts.append(
                f"{kind} at {len(rows)} of {len(found.with_passes)} tables ({_range(rows)})"
            )
    return [f"Where players call passes it {listed(parts)}"] if parts else []


def _stalling(found: Holding) -> list[str]:
    """Return what it does to the game."""
    each = found.together.values()
    if not each:
        return []
    by, never = (
        span((one.longer.value for one in each), 1),
        _shares([one.unfinished for one in each]),
    )
    told = [f"Where all do it, games take {by} beats longer and {never} never end"]
    if TOO_LATE in found.stalled:
        late = _shares(list(found.stalled[TOO_LATE].values()))
        told.append(f"If one player holds a piece too long, {late} of games never end")
    return told


def _shares(some: Sequence[Estimate]) -> str:
    """Return shares of games at several tables, with what they may be at any of them."""
    low, high = min(one.low for one in some), max(one.high for one in some)
    return f"{span(100 * one.value for one in some)} % ({100 * low:.1f} to {100 * high:.1f})"


def notes(found: Holding, readings: Mapping[str, Estimate]) -> list[str]:
    """Return where the answer holds and where not."""
    told = [
        "A hostage is one's last piece of another puzzle: as long as one keeps it, nobody can "
        "finish that puzzle. It is let go when no more pieces are needed than hostages are held; "
        "a forced pass may take it earlier.",
        "All but the first two tables are with the largest offers, one player holding.",
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
