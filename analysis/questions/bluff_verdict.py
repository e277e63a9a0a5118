"""Bluffs, what was found of them at a table, and how that is put into words."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
from herdlab.analysis.studies.compare import Comparison
from herdlab.analysis.studies.two_rate_equilibrium import GainPlane, RateEquilibrium
from herdlab.analysis.words.phrases import capital, give_or_take, in_words, listed

UNCALLED, CALLED = "nobody calls", "everybody calls"
HONEST, BLUFFED = "nobody bluffs", "everybody bluffs"
"""Who else is at the table, where always is held against never."""
REFUSES = "never bluffs, answers no offer"

IDLE, PAYS, COSTS, DEPENDS, OPEN = "idle", "pays", "costs", "depends", "open"
"""What bluffing does: nothing, or the same whether it is called or not, or it depends on that."""
_NUMBERS = range(1, 5)
_TELLING = 0.03
"""That other rates gain no more than this is worth saying; of more it says little."""


@dataclass(frozen=True)
class Bluff:
    """A way to bluff: the number said, and the pieces committed."""

    says: int
    commits: int = 0

    @property
    def words(self) -> str:
        """As a table has it."""
        nothing = "nothing" if self.commits == 0 else in_words(self.commits)
        return f"says {in_words(self.says)}, commits {nothing}"

    @property
    def calls(self) -> float:
        """The share of calls at which it breaks even, counting pieces alone.

        An honest offer gains what was said whenever it is called.  A bluff gains what was said
        minus what was committed if it is answered, and loses what was said if it is called.
        """
        return (self.says - self.commits) / (3 * self.says - self.commits)

    @property
    def bluffs(self) -> float:
        """The share of bluffs at which calling is as good as answering, counting pieces alone."""
        return self.says / (3 * self.says - self.commits)

    def player(self, bluffs: float, calls: float, more: str = "") -> str:
        """Return the dealer who bluffs so and calls any number, at these rates."""
        called = "".join(f":call_{said}={calls:g}" for said in _NUMBERS)
        mine = f"offer={self.says}:commit={self.commits}:bluff_{self.says}={bluffs:g}"
        return f"dealer:{mine}{called}{more}"


@dataclass(frozen=True)
class AtTable:
    """What was found at tables of one size."""

    size: int
    corners: dict[str, Comparison]
    """Always less never: of bluffing where all others call and where none does, and of calling."""
    plane: GainPlane | None = None
    balance: RateEquilibrium | None = None
    rates: dict[str, Estimate] = field(default_factory=dict)
    """What one gains in the balance who bluffs and calls at other rates."""
    ways: dict[str, Estimate] = field(default_factory=dict)
    """What one gains there who plays in another way."""
    evens: dict[Bluff, Estimate | None] = field(default_factory=dict)
    """The share of calls at which other bluffs break even; None: it was not found."""
    styles: dict[str, Estimate] = field(default_factory=dict)
    """Shares of the players, where each keeps to one style for a whole game."""
    unfinished: float | None = None
    """The share of games without a winner among these."""

    @property
    def words(self) -> str:
        """The table in words."""
        return f"{in_words(self.size)} players"

    @property
    def kind(self) -> str:
        """What bluffing does here."""
        uncalled, called = self.corners[UNCALLED].kind, self.corners[CALLED].kind
        nothing = (Kind.SAME, Kind.TIE)
        if all(one.kind in nothing for one in self.corners.values()):
            return IDLE
        if uncalled == Kind.HIGHER and called in (Kind.LOWER, *nothing):
            return DEPENDS
        if Kind.HIGHER in (uncalled, called) and {uncalled, called} <= {Kind.HIGHER, *nothing}:
            return PAYS
        if {uncalled, called} <= {Kind.LOWER, *nothing}:
            return COSTS
        return OPEN

    @property
    def is_balanced(self) -> bool:
        """Whether rates were found from which nobody gains by another."""
        return self.balance is not None and self.balance.is_found

    @property
    def without_winner(self) -> float:
        """The share of games without a winner where nobody bluffs or calls."""
        return max(0.0, 1 - self.size * self.corners[UNCALLED].b.value)

    @property
    def most_gained(self) -> float:
        """What no other rates gain more than in the balance, as far as was measured."""
        return max([0.0, *(one.high for one in self.rates.values())])


_LEADS = {
    IDLE: "bluffing makes no difference under these rules",
    PAYS: "yes, bluffing pays, and costs neither where nobody calls nor where everybody does",
    COSTS: "no, bluffing does not pay, even where nobody calls",
    DEPENDS: "it depends on how often the table calls",
    OPEN: "it is not settled whether bluffing pays",
}
_CORNERS = (
    (UNCALLED, Kind.HIGHER, "always bluffing beats never"),
    (CALLED, Kind.LOWER, "never bluffing beats always"),
    (BLUFFED, Kind.HIGHER, "always calling beats never"),
    (HONEST, Kind.LOWER, "never calling beats always"),
)
"""Where always beats never or never always, and how that is told."""


def verdict(tables: Sequence[AtTable]) -> list[str]:
    """Return the answer in a few sentences, from the findings alone."""
    kinds = {one.kind for one in tables}
    lead = capital(_LEADS[tables[0].kind])
    if len(kinds) > 1:
        parts = [f"with {one.words} {_LEADS[one.kind]}" for one in tables]
        lead = f"It depends on how many play: {'; '.join(parts)}"
    lost = 100 * max(one.without_winner for one in tables)
    if kinds == {IDLE} and lost > 0:
        lead += f", as {lost:.0f} % of the games have no winner"
    active = [one for one in tables if one.kind != IDLE]
    told = [lead, *_in_balance([one for one in active if one.is_balanced])]
    for where, kind, does in _CORNERS:
        duels = [(one, one.corners[where]) for one in active if one.corners[where].kind == kind]
        gains = [(one, duel.difference) for one, duel in duels]
        if kind == Kind.LOWER:
            gains = [(one, gain.negative()) for one, gain in gains]
        told += _at_tables(f"Where {where}, {does}", gains)
    ways = [(one, one.ways[REFUSES]) for one in active if REFUSES in one.ways]
    refusing = [(one, gain) for one, gain in ways if kind_of_wins(gain) == Kind.HIGHER]
    better = "answering no offer, and only making honest ones, gains"
    return [*told, *_at_tables(f"Among players in balance {better}", refusing)]


def _at_tables(words: str, gains: Sequence[tuple[AtTable, Estimate]]) -> list[str]:
    """Return what is gained, table by table, if there is any where it is."""
    parts = [f"{give_or_take(gain)} points with {one.words}" for one, gain in gains]
    return [f"{words}: {listed(parts)}"] if parts else []


def _in_balance(tables: Sequence[AtTable]) -> list[str]:
    """Return how often to bluff and to call, and what another rate would gain."""
    parts = [
        f"{one.words} bluff in {_rate(one.balance.x, one.balance)} of their offers and call "
        f"{_rate(one.balance.y, one.balance)}"
        for one in tables
        if one.balance is not None
    ]
    if not parts:
        return []
    best = max(one.most_gained for one in tables)
    limit = f"; no other rate of those tried then gains more than {100 * best:.1f} points"
    return [f"In balance {', and '.join(parts)}{limit if best <= _TELLING else ''}"]


def _rate(one: Estimate, at: RateEquilibrium) -> str:
    """Return a rate in balance; one at 0 or 1 is known to be there, or only seems to be."""
    if one.value not in (0, 1):
        return f"{give_or_take(one)} %"
    if at.held[0 if one is at.x else 1]:
        return "none" if one.value == 0 else "all"
    other = one.high if one.value == 0 else one.low
    most = "at most" if one.value == 0 else "at least"
    return f"{100 * one.value:.0f} % ({most} {100 * other:.0f} %)"


def notes(tables: Sequence[AtTable], game: str) -> list[str]:
    """Return where the answer holds and where not."""
    found = [
        f"Bluffs are part of {game}'s advanced game only, so that is what was played.",
        "Nobody called forced passes, so that the two editions do not differ in this.",
    ]
    for one in tables:
        if one.balance is not None and not one.is_balanced:
            found.append(f"Rates in balance were not found with {one.words}.")
        elif one.balance is not None and any(one.balance.held):
            found.append(
                f"With {one.words} a rate in balance is at its end (0 or 100 %): one would lose by "
                f"leaving it, which is what was measured; the rate itself then has no interval."
            )
        better, worse = (
            [way for way, gain in one.ways.items() if kind_of_wins(gain) == kind]
            for kind in (Kind.HIGHER, Kind.LOWER)
        )
        if better:
            found.append(
                f"The balance of {one.words} is one of bluffing and calling alone: in it one does "
                f"better who {'; '.join(better)}{'; worse who ' * bool(worse)}{'; '.join(worse)}."
            )
        if one.unfinished is not None:
            mix = {name: 100 * share.value for name, share in one.styles.items() if share.value}
            shares = [f"{share:.0f} % '{name}'" for name, share in mix.items()]
            found.append(
                f"Where each of {one.words} keeps to one style for a whole game, and may also "
                f"answer nothing, no style can invade a mix of {listed(shares)}; of such games "
                f"{100 * one.unfinished:.0f} % are never finished."
            )
    return found
