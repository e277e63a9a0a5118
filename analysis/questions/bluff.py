"""`ask bluff`: whether bluffing pays, and how often one should call it.

Bluffing and calling are a game within the advanced game: the more is called, the less a bluff pays,
and the less is bluffed, the less a call pays.  All players here say the largest number they may; at
one rate they bluff, which is to commit nothing, and at another they call an offer instead of
answering it.  Asked for are the gains where all others do neither or nothing else, the rates in
balance, and whether anything else gains there: other rates, other bluffs, to answer no offer, or
to keep a notebook.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from herdlab.analysis.findings import (
    PER_CENT,
    POINTS,
    Finding,
    Of,
    exactly,
    measured,
    without_winner,
)
from herdlab.analysis.questions import Question, bluff_verdict
from herdlab.analysis.questions.asking import Answer, Ask, table_sizes
from herdlab.analysis.questions.bluff_verdict import (
    BLUFFED,
    CALLED,
    HONEST,
    UNCALLED,
    AtTable,
    Bluff,
)
from herdlab.analysis.questions.drawn import forest_of_wins, headed, rows_of
from herdlab.analysis.sampling.paired_samples import in_every_seat
from herdlab.analysis.stats.estimates import Estimate, corrected
from herdlab.analysis.stats.verdicts import Kind
from herdlab.analysis.studies.compare import CompareRequest, Comparison, compare
from herdlab.analysis.studies.tournament import TournamentRequest, tournament
from herdlab.analysis.studies.two_rate_equilibrium import (
    FreshDeals,
    TwoRateGame,
    break_even,
    estimates,
    find_equilibrium,
    gain_plane,
)
from herdlab.analysis.words.phrases import in_words
from herdlab.simcore.puzzle.rules import PuzzleRules

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing

QUESTION = Question(
    name="bluff",
    words="Does bluffing pay, and how often should one call it?",
    keywords="bluff call lie lying honest",
    plays="dealer detective",
    games=("horse-trader", "bronco"),
)
HALF_WIDTH = 0.005
"""Rates in balance are measured to within half a percentage point."""
_ABOUT = 0.05
"""The verdict says "about" a rate that is known to within this."""
_RATES, _QUICK_RATES = (0, 0.15, 0.3, 0.4, 0.55, 0.75, 1), (0, 0.25, 0.5, 0.75, 1)
"""Of the tables by which the plane is drawn."""
_PLANE_DEALS, _QUICK_PLANE_DEALS = 96, 48
_PILOT, _QUICK_PILOT = 96, 32
_BALANCE_DEALS, _QUICK_BALANCE_DEALS = 8_000, 128
_INSIDE_DEALS, _QUICK_INSIDE_DEALS = 3_200, 160
_EVEN_DEALS, _FEW_EVEN_DEALS = 480, 48
_CORNER_DEALS, _QUICK_DEALS = 2_000, 400
_GAMES_OF_STYLES, _FEW_GAMES_OF_STYLES = 100, 10
_SILENT = ":answer_to=0"
_BLUFFS, _CALLS = "bluffing: always less never", "calling: always less never"


def check(ask: Ask) -> None:
    """Refuse tempos and reactions that are for different numbers of players."""
    table_sizes(ask.experiment)


def answer(ask: Ask) -> Answer:
    """Measure corners, plane and balance at each table, then everything else in the balance."""
    rules, wanted = ask.experiment.rules, table_sizes(ask.experiment)
    assert isinstance(rules, PuzzleRules)
    ask.experiment = ask.experiment.under(advanced=True)
    bluff = Bluff(rules.largest_offer)
    ask.parts = len(wanted) * (7 if ask.quick else 8 + len(_other_bluffs(bluff)))
    tables = _corners(ask, bluff, wanted)
    active = [one for one in tables if one.kind != bluff_verdict.IDLE]
    for one in active:
        tables[tables.index(one)] = _at_table(ask, bluff, one, corrected(2 * len(active)))
    return ask.answer(
        bluff_verdict.verdict(tables),
        settled=all(_is_settled(one) for one in tables),
        findings=list(_findings(tables, bluff)),
        notes=bluff_verdict.notes(tables, ask.experiment.game.title),
        data={"bluff": bluff.words, "tables": [_data(one) for one in tables]},
    )


def _deals_of(ask: Ask, usual: int, few: int) -> int:
    """Return how many deals something is given: few if quick, and never more than are allowed.

    Where fewer are allowed than balances may take, everything gets less in proportion.
    """
    if ask.quick:
        return few
    share = min(1.0, ask.max_deals / _BALANCE_DEALS)
    return min(ask.max_deals, max(few, round(usual * share)))


def _at_table(ask: Ask, bluff: Bluff, found: AtTable, confidence: float) -> AtTable:
    """Return it with all else that is asked there; `confidence` is that of rates in balance."""
    deals = FreshDeals(ask.experiment, ask.runner)
    table = TwoRateGame(ask.experiment, found.size, bluff.player)
    rates = _QUICK_RATES if ask.quick else _RATES
    number = _deals_of(ask, _PLANE_DEALS, _QUICK_PLANE_DEALS)
    whole = gain_plane(table, deals, rates, number, ask.next_part())
    at = find_equilibrium(
        table,
        deals,
        whole.start(),
        pilot=_deals_of(ask, _PILOT, _QUICK_PILOT),
        most=_deals_of(ask, _BALANCE_DEALS, _QUICK_BALANCE_DEALS),
        half_width=None if ask.quick else HALF_WIDTH,
        confidence=confidence,
        on_progress=ask.next_part(),
    )
    found = _inside(ask, bluff, replace(found, plane=whole, balance=at), deals)
    ask.games += deals.games
    if ask.quick:
        return found
    return _styles(ask, bluff, replace(found, evens=_evens(ask, bluff, found.size)))


def _corners(ask: Ask, bluff: Bluff, sizes: list[int]) -> list[AtTable]:
    """Return always less never, where all others do the other thing always or never."""
    rates = {  # always, never, the others
        UNCALLED: ((1, 0), (0, 0), (0, 0)),
        CALLED: ((1, 1), (0, 1), (0, 1)),
        HONEST: ((0, 1), (0, 0), (0, 0)),
        BLUFFED: ((1, 1), (1, 0), (1, 0)),
    }
    deals, confidence = _deals_of(ask, _CORNER_DEALS, _QUICK_DEALS), corrected(4 * len(sizes))

    def corner(size: int, where: str) -> Comparison:
        always, never, others = (bluff.player(*one) for one in rates[where])
        field, how = (others,) * (size - 1), dict[str, Any](deals=deals, confidence=confidence)
        request = CompareRequest(ask.experiment, always, never, field, **how)
        found = compare(request, ask.next_runner())
        ask.games += found.games
        return found

    return [AtTable(size, {where: corner(size, where) for where in rates}) for size in sizes]


def _inside(ask: Ask, bluff: Bluff, found: AtTable, deals: FreshDeals) -> AtTable:
    """Return it with what one gains in the balance by other rates and in other ways."""
    assert found.balance is not None
    bluffs, calls = found.balance.rates
    tried = [*((one, calls) for one in (0, 0.5, 1)), *((bluffs, one) for one in (0, 0.5, 1))]
    rates = {
        f"bluffs {_per_cent(mine)}, calls {_per_cent(own)}": bluff.player(mine, own)
        for mine, own in dict.fromkeys([*tried, *product((0, 1), (0, 1))])
    }
    ways = {bluff_verdict.REFUSES: bluff.player(0, 0, _SILENT)}
    ways |= {other.words: other.player(bluffs, calls) for other in _other_bluffs(bluff)}
    ways["is a detective"] = "detective"
    same = bluff.player(bluffs, calls)
    contenders = [
        in_every_seat(ask.experiment.rules, who, [same] * (found.size - 1))
        for who in (same, *rates.values(), *ways.values())
    ]
    number = _deals_of(ask, _INSIDE_DEALS, _QUICK_INSIDE_DEALS)
    values = deals.groups(contenders, number, ask.next_part())
    gains = estimates(values[:, 1:] - values[:, :1], corrected(len(contenders) - 1))
    return replace(
        found,
        rates=dict(zip(rates, gains, strict=False)),
        ways=dict(zip(ways, gains[len(rates) :], strict=True)),
    )


def _other_bluffs(bluff: Bluff) -> list[Bluff]:
    """Return bluffs that commit more or say less, the strategy `bluffer`'s among them."""
    most, little = bluff.says, min(2, bluff.says)
    found = [Bluff(most, most - 1), Bluff(little, 0), Bluff(little, little - 1)]
    return [one for one in dict.fromkeys(found) if one != bluff]


def _evens(ask: Ask, bluff: Bluff, size: int) -> dict[Bluff, Estimate | None]:
    """Return the share of calls at which bluffs break even, others bluffing as pieces have it."""
    deals, found = FreshDeals(ask.experiment, ask.runner), dict[Bluff, Estimate | None]()
    wanted, number = _other_bluffs(bluff), _deals_of(ask, _EVEN_DEALS, _FEW_EVEN_DEALS)
    for one in wanted:
        table, confidence = TwoRateGame(ask.experiment, size, one.player), corrected(len(wanted))
        given = table, deals, one.bluffs, one.calls, number, ask.next_part()
        found[one] = break_even(*given, confidence=confidence)
    ask.games += deals.games
    return found


def _styles(ask: Ask, bluff: Bluff, found: AtTable) -> AtTable:
    """Return it with the mix of styles, kept to for a whole game, that none can invade."""
    styles = {
        f"{offers}, {does}": bluff.player(bluffs, calls, more)
        for offers, bluffs in (("honest", 0), ("bluffs", 1))
        for does, calls, more in (
            ("answers", 0, ""),
            ("calls", 1, ""),
            ("answers nothing", 0, _SILENT),
        )
    }
    games = _deals_of(ask, _GAMES_OF_STYLES, _FEW_GAMES_OF_STYLES)
    request = TournamentRequest(ask.experiment, tuple(styles.values()), found.size, games)
    played = tournament(request, ask.next_runner())
    ask.games += played.schedule.games
    mix = played.standings.mix
    assert mix is not None
    shares = {
        name: Estimate(float(share), float(low), float(high), mix.regret.n)
        for name, share, low, high in zip(styles, mix.mix.shares, mix.low, mix.high, strict=True)
    }
    won = float(mix.mix.shares @ mix.mix.payoffs)
    return replace(found, styles=shares, unfinished=max(0.0, 1 - found.size * won))


def _per_cent(rate: float) -> str:
    return "never" if rate == 0 else "always" if rate == 1 else f"{100 * rate:.0f} %"


def _is_settled(found: AtTable) -> bool:
    """Whether it is known what bluffing does, and about at which rates it balances."""
    at = found.balance
    if at is None:
        idle = found.kind == bluff_verdict.IDLE
        return idle and all(one.is_settled for one in found.corners.values())
    widest = max(one.high - one.low for one in (at.x, at.y))
    return found.kind != bluff_verdict.OPEN and at.is_found and widest <= 2 * _ABOUT


def _findings(tables: list[AtTable], bluff: Bluff) -> Iterator[Finding]:
    """Yield all findings, by section."""
    for section, wheres in ((_BLUFFS, (UNCALLED, CALLED)), (_CALLS, (HONEST, BLUFFED))):
        for found, where in product(tables, wheres):
            one = found.corners[where].difference
            of = Of(section, players=found.size, others=where)
            yield measured(section, f"{found.words}, {where}", one, POINTS, of)
    for found in tables:
        if found.without_winner:
            label, deals = f"{found.words}, {HONEST}", found.corners[UNCALLED].deals
            at = {"players": found.size, "others": HONEST}
            yield without_winner(label, found.without_winner, deals, **at)
    section, pieces = "share of offers in balance", {"bluffs": bluff.bluffs, "calls": bluff.calls}
    balanced = [one for one in tables if one.balance is not None]
    for found in balanced:
        assert found.balance is not None
        for does, rate in (("bluffs", found.balance.x), ("calls", found.balance.y)):
            label, of = f"{found.words}: {does}", Of("balance", does, players=found.size)
            yield measured(section, label, rate, PER_CENT, of)
    for does, share in pieces.items() if balanced else ():
        label, of = f"{does}, counting pieces alone", Of("pieces alone", does)
        yield exactly(section, label, 100 * share, PER_CENT, of)
    for found in balanced:
        section = f"one among {in_words(found.size)} in that balance gains who"
        for label, one in [*found.rates.items(), *found.ways.items()]:
            yield measured(section, label, one, POINTS, Of("gains", label, players=found.size))
    for found in tables:
        section = f"share of calls at which another bluff breaks even, {found.words}"
        for other, even in found.evens.items():
            of = Of("breaks even", other.words, players=found.size)
            unknown = Finding(section, other.words, None, None, None, PER_CENT, of)
            yield unknown if even is None else measured(section, other.words, even, PER_CENT, of)
            words, of = "    counting pieces alone", Of("pieces alone", other.words)
            yield exactly(section, words, 100 * other.calls, PER_CENT, of)
    for found in tables:
        section = f"{found.words} who keep to one style: the mix that none can invade (95 % each)"
        for label, one in found.styles.items():
            yield measured(section, label, one, PER_CENT, Of("styles", label, players=found.size))


def _data(found: AtTable) -> dict[str, Any]:
    """Return what the picture is drawn from."""
    at, whole = found.balance, found.plane
    return {
        "players": found.size,
        "kind": found.kind,
        "plane": whole
        and {
            "rates": list(whole.rates),
            "bluffing_gains": whole.gains[0].tolist(),
            "calling_gains": whole.gains[1].tolist(),
        },
        "balance": at
        and {
            "bluffs": [at.x.value, at.x.low, at.x.high],
            "calls": [at.y.value, at.y.low, at.y.high],
            "lucks": at.deals,
            "found": at.is_found,
            "held": list(at.held),
        },
        "unfinished_by_style": found.unfinished,
    }


def drawings(answer: Answer) -> "list[Drawing]":
    """Draw each table's plane, what always bluffing or calling gains, and who gains in balance."""
    from herdlab.analysis.figures.bluff_plane import plane_drawing

    tables = [one for one in answer.data["tables"] if one["plane"] is not None]
    drawn = [plane_drawing(one, answer.data["bluff"]) for one in tables]
    for section, doing, wheres in (
        (_BLUFFS, "bluffing", (UNCALLED, CALLED)),
        (_CALLS, "calling", (HONEST, BLUFFED)),
    ):
        rows = headed(rows_of(answer.findings, section), "")
        drawn += forest_of_wins(
            rows,
            "",
            f"win rate of always {doing}, less that of never, percentage points",
            title=_corners_title(rows, doing, wheres) if rows else "",
            above=f"always {doing} wins more",
            below=f"never {doing} wins more",
            caption="One player who does it always beside one who never does, at a table where "
            "the others all do as the row says",
        )
    gains = headed(rows_of(answer.findings, "gains"), "")
    for table in tables:
        drawn += forest_of_wins(
            [one for one in gains if one.of.players == table["players"]],
            f"Leaving the balance of {in_words(table['players'])}",
            "win rate less that of one who plays as the others, percentage points",
            does=("gains", "loses"),
            above="gains",
            below="loses",
            among="ways tried",
            caption="One player who leaves the balance as the row says, while the others stay "
            "in it",
        )
    return drawn


def _corners_title(rows: Sequence[Finding], doing: str, wheres: Sequence[str]) -> str:
    """Return what always doing it wins beside never, by what the others do."""
    words: dict[Kind | None, str] = {
        Kind.HIGHER: "wins more",
        Kind.LOWER: "wins less",
        Kind.TIE: "is a tie",
        Kind.OPEN: "is too close to call",
    }
    parts = []
    for where in wheres:
        kinds = {one.kind for one in rows if one.of.others == where}
        found = words[kinds.pop()] if len(kinds) == 1 else "differs by the number of players"
        parts.append(f"{found} where {where}")
    return f"Always {doing}, beside never, {', and '.join(parts)}"
