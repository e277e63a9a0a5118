"""`ask bluff`: whether bluffing pays, and how often one should call it.

Bluffing and calling are a game within the advanced game: the more is called, the less a bluff pays,
and the less is bluffed, the less a call pays.  All players here say the largest number they may; at
one rate they bluff, which is to commit nothing, and at another they call an offer instead of
answering it.  Asked for are the gains where all others do neither or nothing else, the rates in
balance, and whether anything else gains there: other rates, other bluffs, to answer no offer, or
to keep a notebook.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from analysis.balance import Balance, Lucks, Table, balance, break_even, estimates, plane
from analysis.estimates import CONFIDENCE, Estimate
from analysis.panel import in_every_seat
from analysis.questions.asking import (
    PER_CENT,
    POINTS,
    Answer,
    Ask,
    Duel,
    Finding,
    exactly,
    measured,
    tables_of,
)
from analysis.questions.bluffing import (
    BLUFFED,
    CALLED,
    HONEST,
    IDLE,
    REFUSES,
    UNCALLED,
    AtTable,
    Bluff,
    notes,
    verdict,
)
from analysis.questions.wording import in_words
from analysis.tournament import TournamentRequest, tournament
from simcore.puzzle.rules import PuzzleRules

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HALF_WIDTH = 0.005
"""Rates in balance are measured to within half a percentage point."""
_RATES, _QUICK_RATES = (0, 0.15, 0.3, 0.4, 0.55, 0.75, 1), (0, 0.25, 0.5, 0.75, 1)
"""Of the tables by which the plane is drawn."""
_PLANE_LUCKS, _QUICK_PLANE_LUCKS = 96, 48
_PILOT, _QUICK_PILOT = 96, 32
_BALANCE_LUCKS, _QUICK_BALANCE_LUCKS = 8_000, 128
_INSIDE_LUCKS, _QUICK_INSIDE_LUCKS = 3_200, 160
_EVEN_LUCKS = 480
_CORNER_LUCKS, _QUICK_LUCKS = 2_000, 400
_GAMES_OF_STYLES = 100
_STEPS = 6
_SILENT = ":answer_to=0"
_BLUFFS, _CALLS = "bluffing: always less never", "calling: always less never"


def check(ask: Ask) -> None:
    """Refuse tempos and reactions that are for different numbers of players."""
    tables_of(ask.scene)


def answer(ask: Ask) -> Answer:
    """Measure corners, plane and balance at each table, then everything else in the balance."""
    rules, wanted = ask.scene.rules, tables_of(ask.scene)
    assert isinstance(rules, PuzzleRules)
    ask.scene = ask.scene.under(advanced=True)
    bluff = Bluff(rules.largest_offer)
    tables = [
        _at_table(ask, bluff, size, (_STEPS * place, _STEPS * len(wanted)))
        for place, size in enumerate(wanted)
    ]
    return ask.answer(
        verdict(tables),
        settled=not ask.quick and all(_is_settled(one) for one in tables),
        findings=list(_findings(tables, bluff)),
        notes=notes(tables, ask.scene.game.title, was_advanced=rules.advanced),
        data={"bluff": bluff.words, "tables": [_data(one) for one in tables]},
    )


def _at_table(ask: Ask, bluff: Bluff, size: int, steps: tuple[int, int]) -> AtTable:
    """Return all that is asked at tables of one size; nothing more where nothing matters."""
    step, of = steps
    found = AtTable(size, _corners(ask, bluff, size, steps))
    if found.kind == IDLE:
        return found
    lucks, table = Lucks(ask.scene, ask.threads), Table(ask.scene, size, bluff.player)
    rates = _QUICK_RATES if ask.quick else _RATES
    number = _QUICK_PLANE_LUCKS if ask.quick else _PLANE_LUCKS
    whole = plane(table, lucks, rates, number, ask.heard(0, 1, (step + 1, of)))
    at = balance(
        table,
        lucks,
        whole.start(),
        pilot=_QUICK_PILOT if ask.quick else _PILOT,
        most=_QUICK_BALANCE_LUCKS if ask.quick else min(ask.max_lucks, _BALANCE_LUCKS),
        half_width=None if ask.quick else HALF_WIDTH,
        on_progress=ask.heard(0, 1, (step + 2, of)),
    )
    found = replace(found, plane=whole, balance=at)
    found = _inside(ask, bluff, found, lucks, (step + 3, of))
    ask.games += lucks.games
    if ask.quick:
        return found
    evens = _evens(ask, bluff, size, (step + 4, of))
    return _styles(ask, bluff, replace(found, evens=evens), (step + 5, of))


def _corners(ask: Ask, bluff: Bluff, size: int, steps: tuple[int, int]) -> dict[str, Any]:
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
            ask.scene,
        )
        for where, (always, never, others) in rates.items()
    ]
    found = ask.duels(wanted, quick_lucks=_QUICK_LUCKS, lucks=_CORNER_LUCKS, steps=steps)
    return dict(zip(rates, found, strict=True))


def _inside(
    ask: Ask, bluff: Bluff, found: AtTable, lucks: Lucks, steps: tuple[int, int]
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
    arms = [in_every_seat(ask.scene.rules, who, others) for who in [*players, *ways.values()]]
    number = _QUICK_INSIDE_LUCKS if ask.quick else min(ask.max_lucks, _INSIDE_LUCKS)
    values = lucks.groups(arms, number, ask.heard(0, 1, steps))
    confidence = 1 - (1 - CONFIDENCE) / (len(arms) - 1)
    gains = estimates(values[:, 1:] - values[:, :1], confidence)
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
    lucks, found = Lucks(ask.scene, ask.threads), dict[Bluff, Estimate | None]()
    wanted = _other_bluffs(bluff)
    for place, one in enumerate(wanted):
        table = Table(ask.scene, size, one.player)
        heard = ask.heard(place, len(wanted), steps)
        found[one] = break_even(table, lucks, one.bluffs, one.calls, _EVEN_LUCKS, heard)
    ask.games += lucks.games
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
    request = TournamentRequest(ask.scene, tuple(styles.values()), found.size, _GAMES_OF_STYLES)
    played = tournament(request, threads=ask.threads, on_progress=ask.heard(0, 1, steps))
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
    if not all(one.is_settled for one in found.corners.values()):
        return False
    at = found.balance
    return at is None or (at.is_found and max(_half(at.x), _half(at.y)) <= 2 * HALF_WIDTH)


def _half(one: Estimate) -> float:
    return (one.high - one.low) / 2


def _findings(tables: list[AtTable], bluff: Bluff) -> Iterator[Finding]:
    """Yield all figures, by section."""
    for section, wheres in ((_BLUFFS, (UNCALLED, CALLED)), (_CALLS, (HONEST, BLUFFED))):
        for found, where in product(tables, wheres):
            one = found.corners[where].difference
            yield measured(section, f"{found.words}, {where}", one, POINTS)
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
        section = f"one among {in_words(found.size)} in that balance gains who"
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
        section = f"{found.words} who keep to one style: the mix that none can invade"
        for label, one in found.styles.items():
            yield measured(section, label, one, PER_CENT)


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


def _of(at: Balance) -> dict[str, Any]:
    return {
        "bluffs": [at.x.value, at.x.low, at.x.high],
        "calls": [at.y.value, at.y.low, at.y.high],
        "lucks": at.lucks,
        "found": at.is_found,
    }


def draw(answer: Answer) -> "Figure":
    """Draw which way each table moves, where neither rate moves, and how surely that is known."""
    from analysis.questions.bluff_plane import draw_planes

    tables = [one for one in answer.data["tables"] if one["plane"] is not None]
    if tables:
        title = f"{answer.ask.scene.game.title}, advanced: where bluffing and calling balance"
        return draw_planes(tables, f"{title} ({answer.data['bluff']})")
    from analysis.figures_answers import forest

    return forest(
        answer.findings,
        title=f"{answer.ask.scene.game.title}: always less never",
        x_label="win rate, percentage points",
        above="always is better",
        below="never is better",
    )
