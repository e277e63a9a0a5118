"""What follows from the figures of `ask trade-up`, in words."""

from dataclasses import dataclass, field

from herdlab.analysis.exact.reserve_policies import CLIMBER, KEEPER, Reserve, SoloTurns
from herdlab.analysis.questions.ways import Weighed
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of_wins
from herdlab.analysis.studies.readings import Reading
from herdlab.analysis.words.phrases import holds_under, listed, sized
from herdlab.strategies.herd.solved import OPTIMAL

KEEPS, CLIMBS, TUNED = "keeper", "climber", "tuned"
SIZES = (2, 3, 4)
_PAIR = 2
ALONE = "Alone, turns to a complete herd"


def way(who: str, among: str) -> str:
    """Return what somebody is called among copies of another."""
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

    def less(self, a: str, b: str) -> dict[tuple[int, str], Estimate]:
        """Return by table and field what `a` wins more than `b`, where both sat there."""
        return {
            (size, among): one.less(way(a, among), way(b, among))
            for size, one in self.tables.items()
            for among in self.players
            if {way(a, among), way(b, among)} <= set(one.names)
            and (size != _PAIR or among not in (a, b) or among == KEEPS)  # which would be the same
        }

    def lag(self, name: str) -> dict[int, Estimate]:
        """Return by table what somebody wins more than the fastest play, among the latter."""
        mine, best = way(name, OPTIMAL), way(OPTIMAL, OPTIMAL)
        return {
            size: one.less(mine, best) for size, one in self.tables.items() if mine in one.names
        }

    def unfinished(self, name: str, size: int) -> float:
        """Return the share of games that nobody won where all play alike."""
        table = self.tables[size]
        return 1 - size * table.rates[table.names.index(way(name, name))]

    def turns(self, one: Reserve) -> str:
        """Return in words how many turns somebody takes alone."""
        if one.strategy not in self.exact:  # games that were given up make the mean a least one
            return f"takes more than {int(self.alone.turns(one).low)} turns"
        turns = self.exact[one.strategy]
        return "may never finish" if turns is None else f"takes {turns:.1f} turns"


def verdict(found: Found) -> list[str]:
    """Return what to do, why, and where it stands."""
    return [
        _whether(found),
        *_how_fast(found),
        _how_many(found),
        *_how_far(found),
        *_under_readings(found),
    ]


_WHO = f"{KEEPS}, who never gives the last of an animal away,"
_OTHER = f"{CLIMBS}, who trades up at once,"


def _whether(found: Found) -> str:
    """Return whether to keep animals back."""
    gains = found.less(KEEPS, CLIMBS)
    kinds = {where: kind_of_wins(one) for where, one in gains.items()}
    at = f"at tables of {listed(SIZES)}"
    if set(kinds.values()) == {Kind.TIE}:
        return (
            f"It makes no difference that matters {at} whether one keeps animals to breed from "
            f"({KEEPS}) or trades up at once ({CLIMBS})."
        )
    if set(kinds.values()) in ({Kind.HIGHER}, {Kind.LOWER}):
        is_kept = set(kinds.values()) == {Kind.HIGHER}
        sizes = sorted(abs(100 * one.value) for one in gains.values())
        what = "Keep animals to breed from" if is_kept else "Trade up at once"
        better, worse = (_WHO, CLIMBS) if is_kept else (_OTHER, KEEPS)
        pair = gains[SIZES[0], KEEPS]
        return (
            f"{what}: {better} wins more often than {worse} {at}, whoever the others are: by "
            f"{sized(pair, ' percentage points')} against one {KEEPS}, by {sizes[0]:.1f} to "
            f"{sizes[-1]:.1f} over all tables."
        )
    words = {
        Kind.HIGHER: f"{KEEPS} wins more often",
        Kind.LOWER: f"{CLIMBS} wins more often",
        Kind.TIE: "it makes no difference that matters",
        Kind.OPEN: "it is not settled",
    }
    parts = [
        f"{said} {listed([_where(where) for where, kind in kinds.items() if kind == one])}"
        for one, said in words.items()
        if one in kinds.values()
    ]
    whether = f"to keep animals to breed from ({KEEPS}) or to trade up at once ({CLIMBS})"
    clear = set(kinds.values()) - {Kind.OPEN}
    if not clear:
        return f"It is not settled {at} whether it is better {whether}."
    if len(clear) == 1:
        return f"Whether {whether} is settled at some tables only: {'; '.join(parts)}."
    return f"Whether {whether} depends on the table: {'; '.join(parts)}."


def _where(where: tuple[int, str]) -> str:
    return f"at tables of {where[0]} with {where[1]}"


def _how_fast(found: Found) -> list[str]:
    """Return how many turns they take alone."""
    best = found.exact.get(OPTIMAL)
    words = [f"{who} {found.turns(one)}" for who, one in ((KEEPS, KEEPER), (CLIMBS, CLIMBER))]
    end = "" if best is None else f"; the fastest play that there is takes {best:.1f}"
    return [f"Alone {listed(words)}{end}."]


def _how_many(found: Found) -> str:
    """Return how many of each animal to keep, and what other numbers cost."""
    losses = sorted(
        (one.value, name) for name, one in found.numbers.items() if kind_of_wins(one) == Kind.LOWER
    )
    dearest = ""
    if losses:
        name = losses[0][1]
        by = sized(found.numbers[name], " points")
        dearest = f"; of single changes the dearest is to {name}: {by} less"
    if TUNED not in found.players:
        return f"No numbers to keep were found that are faster alone than one of each{dearest}."
    gains = {size: one for (size, among), one in found.less(TUNED, KEEPS).items() if among == KEEPS}
    known = [
        f"{_more(one)} at a table of {size}"
        for size, one in gains.items()
        if kind_of_wins(one) != Kind.OPEN
    ]
    open_ = [size for size, one in gains.items() if kind_of_wins(one) == Kind.OPEN]
    said = [f"among keepers it wins {listed(known)} than {KEEPS}"] if known else []
    said += [f"among keepers at tables of {listed(open_)} its gain is not settled"] if open_ else []
    return (
        f"The fastest numbers to keep that were found are {found.tuned.words} ({TUNED}, who alone "
        f"{found.turns(found.tuned)}): {', '.join(said)}{dearest}."
    )


def _more(one: Estimate) -> str:
    """Return how much more or less often somebody wins."""
    return {
        Kind.HIGHER: f"{sized(one, ' points')} more",
        Kind.LOWER: f"{sized(one, ' points')} less",
        Kind.TIE: f"as much, within ± {100 * MARGIN_OF_WIN:g} points,",
        Kind.OPEN: "more or less (not settled)",
    }[kind_of_wins(one)]


def _how_far(found: Found) -> list[str]:
    """Return what is still missing to the fastest play."""
    size = SIZES[0]
    lags = {name: found.lag(name) for name in (TUNED, KEEPS, CLIMBS)}
    kinds = {kind_of_wins(lag[size]) for lag in lags.values() if lag}
    if not kinds:
        return []
    if kinds == {Kind.OPEN}:
        return [f"How far all of them are from the fastest play at a table of {size} is open."]
    parts = [f"{name} wins {_more(lag[size])}" for name, lag in lags.items() if lag]
    return [f"Against the fastest play at a table of {size}, {listed(parts)} than that would."]


def _under_readings(found: Found) -> list[str]:
    """Return whether it stands under other readings of the rules."""
    if not found.readings:
        return []
    odd = []
    for reading, tables in found.readings:
        for a, b in pairs_of(found):
            given = found.less(a, b)
            for size, one in tables.items():
                now = kind_of_wins(one.less(way(a, KEEPS), way(b, KEEPS)))
                if now != kind_of_wins(given[size, KEEPS]):
                    said = {
                        Kind.HIGHER: "wins more",
                        Kind.LOWER: "wins less",
                        Kind.TIE: "wins as much",
                    }
                    end = f"{said[now]} than {b}" if now in said else f"or {b}: not settled"
                    odd.append(f"with {reading.setting} at tables of {size} {a} {end}")
    if not odd:
        return [holds_under([reading.setting for reading, _ in found.readings])]
    return [f"Other readings of the rules change it: {'; '.join(odd)}."]


def pairs_of(found: Found) -> list[tuple[str, str]]:
    """Return who is held against whom."""
    return [(KEEPS, CLIMBS), *([(TUNED, KEEPS)] if TUNED in found.players else [])]
