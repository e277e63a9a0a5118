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

from herdlab.analysis.findings import PER_CENT, POINTS, Finding, exactly, measured, without_winner
from herdlab.analysis.questions.asking import Answer, Ask, Duel, tables_of
from herdlab.analysis.questions.bluffing import (
    BLUFFED,
    CALLED,
    HONEST,
    IDLE,
    OPEN,
    REFUSES,
    UNCALLED,
    AtTable,
    Bluff,
    notes,
    verdict,
)
from herdlab.analysis.questions.drawn import headed, sections
from herdlab.analysis.sampling.paired_samples import in_every_seat
from herdlab.analysis.stats.estimates import Estimate, corrected
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of
from herdlab.analysis.studies.tournament import TournamentRequest, tournament
from herdlab.analysis.studies.two_rate_equilibrium import (
    FreshDeals,
    RateEquilibrium,
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
_STEPS = 5
"""At each table, beside the corners."""
_SILENT = ":answer_to=0"
_BLUFFS, _CALLS = "bluffing: always less never", "calling: always less never"


def check(ask: Ask) -> None:
    """Refuse tempos and reactions that are for different numbers of players."""
    tables_of(ask.experiment)


def answer(ask: Ask) -> Answer:
    """Measure corners, plane and balance at each table, then everything else in the balance."""
    rules, wanted = ask.experiment.rules, tables_of(ask.experiment)
    assert isinstance(rules, PuzzleRules)
    ask.experiment = ask.experiment.under(advanced=True)
    bluff = Bluff(rules.largest_offer)
    of = 1 + _STEPS * len(wanted)
    tables = _corners(ask, bluff, wanted, (0, of))
    active = [one for one in tables if one.kind != IDLE]
    confidence = corrected(2 * len(active))
    for place, one in enumerate(active):
        found = _at_table(ask, bluff, one, confidence, (1 + _STEPS * place, of))
        tables[tables.index(one)] = found
    return ask.answer(
        verdict(tables),
        settled=all(_is_settled(one) for one in tables),
        findings=list(_findings(tables, bluff)),
        notes=notes(tables, ask.experiment.game.title),
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


def _at_table(
    ask: Ask, bluff: Bluff, found: AtTable, confidence: float, steps: tuple[int, int]
) -> AtTable:
    """Return it with all else that is asked there; `confidence` is that of rates in balance."""
    step, of = steps
    deals, table = (
        FreshDeals(ask.experiment, ask.runner),
        TwoRateGame(ask.experiment, found.size, bluff.player),
    )
    rates = _QUICK_RATES if ask.quick else _RATES
    number = _deals_of(ask, _PLANE_DEALS, _QUICK_PLANE_DEALS)
    whole = gain_plane(table, deals, rates, number, ask.heard(0, 1, (step, of)))
    at = find_equilibrium(
        table,
        deals,
        whole.start(),
        pilot=_deals_of(ask, _PILOT, _QUICK_PILOT),
        most=_deals_of(ask, _BALANCE_DEALS, _QUICK_BALANCE_DEALS),
        half_width=None if ask.quick else HALF_WIDTH,
        confidence=confidence,
        on_progress=ask.heard(0, 1, (step + 1, of)),
    )
    found = replace(found, plane=whole, balance=at)
    found = _inside(ask, bluff, found, deals, (step + 2, of))
    ask.games += deals.games
    if ask.quick:
        return found
    evens = _evens(ask, bluff, found.size, (step + 3, of))
    return _styles(ask, bluff, replace(found, evens=evens), (step + 4, of))


def _corners(ask: Ask, bluff: Bluff, sizes: list[int], steps: tuple[int, int]) -> list[AtTable]:
    """Return always less never, where all others do the other thing always or never."""
    rates = {  # always, never, the others
        UNCALLED: ((1, 0), (0, 0), (0, 0)),
        CALLED: ((1, 1), (0, 1), (0, 1)),
        HONEST: ((0, 1), (0, 0), (0, 0)),
        BLUFFED: ((1, 1), (1, 0), (1, 0)),
    }
    wanted = [
        Duel(
            where,
            bluff.player(*always),
            bluff.player(*never),
            (bluff.player(*others),) * (size - 1),
            ask.experiment,
        )
        for size, (where, (always, never, others)) in product(sizes, rates.items())
    ]
    deals = _deals_of(ask, _CORNER_DEALS, _QUICK_DEALS)
    found = iter(ask.duels(wanted, quick_deals=deals, deals=deals, steps=steps))
    return [AtTable(size, {where: next(found) for where in rates}) for size in sizes]


def _inside(
    ask: Ask, bluff: Bluff, found: AtTable, deals: FreshDeals, steps: tuple[int, int]
) -> AtTable:
    """Return it with what one gains in the balance by other rates and in other ways."""
    assert found.balance is not None
    bluffs, calls = found.balance.rates
    rates = {
        f"bluffs {_per_cent(mine)}, calls {_per_cent(own)}": (mine, own)
        for mine, own in dict.fromkeys(
            [*((one, calls) for one in (0, 0.5, 1)), *((bluffs, one) for one in (0, 0.5, 1))]
            + list(product((0, 1), (0, 1)))
        )
    }
    ways = {REFUSES: bluff.player(0, 0, _SILENT)}
    for other in _other_bluffs(bluff):
        ways[other.words] = other.player(bluffs, calls)
    ways["is a detective"] = "detective"
    players = [bluff.player(bluffs, calls), *(bluff.player(*one) for one in rates.values())]
    others = [players[0]] * (found.size - 1)
    contenders = [
        in_every_seat(ask.experiment.rules, who, others) for who in [*players, *ways.values()]
    ]
    number = _deals_of(ask, _INSIDE_DEALS, _QUICK_INSIDE_DEALS)
    values = deals.groups(contenders, number, ask.heard(0, 1, steps))
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


def _evens(ask: Ask, bluff: Bluff, size: int, steps: tuple[int, int]) -> dict[Bluff, Any]:
    """Return the share of calls at which bluffs break even, others bluffing as pieces have it."""
    deals, found = FreshDeals(ask.experiment, ask.runner), dict[Bluff, Estimate | None]()
    wanted, number = _other_bluffs(bluff), _deals_of(ask, _EVEN_DEALS, _FEW_EVEN_DEALS)
    confidence = corrected(len(wanted))
    for place, one in enumerate(wanted):
        table = TwoRateGame(ask.experiment, size, one.player)
        heard = ask.heard(place, len(wanted), steps)
        found[one] = break_even(
            table, deals, one.bluffs, one.calls, number, heard, confidence=confidence
        )
    ask.games += deals.games
    return found


def _styles(ask: Ask, bluff: Bluff, found: AtTable, steps: tuple[int, int]) -> AtTable:
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
    played = tournament(request, ask.runner.telling(ask.heard(0, 1, steps)))
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
        return found.kind == IDLE and all(one.is_settled for one in found.corners.values())
    return found.kind != OPEN and at.is_found and max(_half(at.x), _half(at.y)) <= _ABOUT


def _half(one: Estimate) -> float:
    return (one.high - one.low) / 2


def _findings(tables: list[AtTable], bluff: Bluff) -> Iterator[Finding]:
    """Yield all figures, by section."""
    for section, wheres in ((_BLUFFS, (UNCALLED, CALLED)), (_CALLS, (HONEST, BLUFFED))):
        for found, where in product(tables, wheres):
            one = found.corners[where].difference
            yield measured(section, f"{found.words}, {where}", one, POINTS)
    for found in tables:
        if found.without_winner:
            deals = found.corners[UNCALLED].deals
            yield without_winner(f"{found.words}, {HONEST}", found.without_winner, deals)
    balanced = [one for one in tables if one.balance is not None]
    for found in balanced:
        assert found.balance is not None
        section = "share of offers in balance"
        yield measured(section, f"{found.words}: bluffs", found.balance.x, PER_CENT)
        yield measured(section, f"{found.words}: calls", found.balance.y, PER_CENT)
        if found is balanced[-1]:
            yield exactly(section, "bluffs, counting pieces alone", 100 * bluff.bluffs, PER_CENT)
            yield exactly(section, "calls, counting pieces alone", 100 * bluff.calls, PER_CENT)
    for found in balanced:
        section = _section_of_gains(found.size)
        for label, one in [*found.rates.items(), *found.ways.items()]:
            yield measured(section, label, one, POINTS)
    for found in tables:
        section = f"share of calls at which another bluff breaks even, {found.words}"
        for other, even in found.evens.items():
            if even is None:
                yield Finding(section, other.words, None, None, None, PER_CENT)
            else:
                yield measured(section, other.words, even, PER_CENT)
            words = "    counting pieces alone"
            yield exactly(section, words, 100 * other.calls, PER_CENT)
    for found in tables:
        section = f"{found.words} who keep to one style: the mix that none can invade (95 % each)"
        for label, one in found.styles.items():
            yield measured(section, label, one, PER_CENT)


def _section_of_gains(players: int) -> str:
    return f"one among {in_words(players)} in that balance gains who"


def _data(found: AtTable) -> dict[str, Any]:
    """Return what the picture is drawn from."""
    at, whole = found.balance, found.plane
    return {
        "players": found.size,
        "kind": found.kind,
        "plane": None
        if whole is None
        else {
            "rates": list(whole.rates),
            "bluffing_gains": whole.gains[0].tolist(),
            "calling_gains": whole.gains[1].tolist(),
        },
        "balance": None if at is None else _of(at),
        "unfinished_by_style": found.unfinished,
    }


def _of(at: RateEquilibrium) -> dict[str, Any]:
    return {
        "bluffs": [at.x.value, at.x.low, at.x.high],
        "calls": [at.y.value, at.y.low, at.y.high],
        "lucks": at.deals,
        "found": at.is_found,
        "held": list(at.held),
    }


def drawings(answer: Answer) -> "list[Drawing]":
    """Draw each table's plane, what always bluffing or calling gains, and who gains in balance."""
    from herdlab.analysis.figures.bluff_plane import plane_drawing
    from herdlab.analysis.figures.forest import forest_drawing, tallied

    margin = 100 * MARGIN_OF_WIN
    tables = [one for one in answer.data["tables"] if one["plane"] is not None]
    drawn = [plane_drawing(one, answer.data["bluff"]) for one in tables]
    for section, doing, wheres in (
        (_BLUFFS, "bluffing", (UNCALLED, CALLED)),
        (_CALLS, "calling", (HONEST, BLUFFED)),
    ):
        rows = headed(sections(answer.findings, section), "")
        drawn.append(
            forest_drawing(
                rows,
                _corners_title(rows, doing, wheres),
                x_label=f"win rate of always {doing}, less that of never, percentage points",
                above=f"always {doing} wins more",
                below=f"never {doing} wins more",
                margin=margin,
                caption="One player who does it always beside one who never does, at a table where "
                "the others all do as the row says",
            )
        )
    for table in tables:
        rows = headed(sections(answer.findings, _section_of_gains(table["players"])), "")
        subject = f"Leaving the balance of {in_words(table['players'])}"
        title = tallied(
            rows, subject, above="gains", below="loses", among="ways tried", margin=margin
        )
        drawn.append(
            forest_drawing(
                rows,
                title,
                x_label="win rate less that of one who plays as the others, percentage points",
                above="gains",
                below="loses",
                margin=margin,
                caption="One player who leaves the balance as the row says, while the others stay "
                "in it",
            )
        )
    return drawn


def _corners_title(rows: Sequence[Finding], doing: str, wheres: Sequence[str]) -> str:
    """Return what always doing it wins beside never, by what the others do."""
    words = {
        Kind.HIGHER: "wins more",
        Kind.LOWER: "wins less",
        Kind.TIE: "is a tie",
        Kind.OPEN: "is too close to call",
    }
    parts = []
    for where in wheres:
        kinds = {kind_of(one, 100 * MARGIN_OF_WIN) for one in rows if one.label.endswith(where)}
        found = words[kinds.pop()] if len(kinds) == 1 else "differs by the number of players"
        parts.append(f"{found} where {where}")
    return f"Always {doing}, beside never, {', and '.join(parts)}"
