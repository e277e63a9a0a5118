"""`ask swap-hoard`: burn SWAP cards or keep them, and what is a fast hand worth.

A player takes their slap speed along through the seats: each seat is a game by rules of its own,
and the mean over the seats is theirs.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from herdlab.analysis.experiment import Experiment
from herdlab.analysis.findings import POINTS, Finding, Of, measured
from herdlab.analysis.questions import Question, advising
from herdlab.analysis.questions.asking import Answer, Ask, is_allowed
from herdlab.analysis.questions.ways import Weighed, weigh
from herdlab.analysis.sampling.paired_samples import Contender, in_every_seat
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import Kind, kind_of_wins
from herdlab.analysis.studies.readings import other_readings
from herdlab.analysis.words.numbers import written
from herdlab.analysis.words.phrases import capital
from herdlab.simcore.errors import BadInput

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing

QUESTION = Question(
    name="swap-hoard",
    words="Burn SWAP cards or keep them; what is a fast hand worth?",
    keywords="swap hoard burn fast slap speed",
    plays="shedder tactician opportunist",
    games=("swap",),
)
BURN, LAST, CATCH = "burn them", "keep them for last", "wait for a last card"
PLAYERS = {BURN: "tactician:swap=0", LAST: "shedder", CATCH: "tactician:swap_at=1"}
WORDS = advising.Words(
    "when one plays SWAP cards",
    advised={
        BURN: "burn SWAP cards",
        LAST: "keep SWAP cards for when nothing else can be played",
        CATCH: "keep SWAP cards until somebody is down to one card, and take their hand",
    },
    doing={
        BURN: "burning them",
        LAST: "keeping them for last",
        CATCH: "keeping them until somebody is down to one card",
    },
    usual=LAST,
)
ORDINARY = "shedder"
TABLES, QUICK_TABLES, REFERENCE = (2, 3, 4, 6, 8, 10), (2, 3, 4, 6), 4
SPEEDS, NEVER_LAST, TWICE = (0.25, 0.5, 2.0, 4.0), 1000.0, 2.0
SLOW, FAST = 0.25, 4.0
LESS_THAN_LAST = "win rate, less that of keeping SWAP cards for last"
LESS_THAN_EVEN = "win rate, less that of slapping as fast as the others"
_HANDS = "other speeds"
_QUICK_DEALS, _QUICK_SPEEDS, _QUICK_CHANGES = 12_000, 6_000, 5_000
_CLOSE_SPEEDS, _CLOSE_ENOUGH = 0.005, 0.006
"""How closely win rates must be known of speeds, and where the question is asked again."""


def check(ask: Ask) -> None:
    """Refuse slap speeds, which are what the question varies, and tables that cannot be dealt."""
    rules: Any = ask.experiment.rules
    if rules.slap_speed:
        raise BadInput(
            "'swap-hoard' gives one player after the other another slap_speed (S9) itself, and "
            "takes none"
        )
    rules.check_players(QUICK_TABLES[0])


def answer(ask: Ask) -> Answer:
    """Weigh ways and speeds at several tables, and the ways again under other rules."""
    experiment, wanted = ask.experiment, QUICK_TABLES if ask.quick else TABLES
    tables = [n for n in wanted if is_allowed(experiment, n)]
    table = REFERENCE if REFERENCE in tables else tables[-1]
    changes = [] if ask.quick else [one for one in _changes(experiment) if _is_new(one, ask, table)]
    changes += [
        advising.Change(_HANDS, f"at {_hand(x)}", experiment, ORDINARY, x) for x in (SLOW, FAST)
    ]
    ask.parts, pairs = 2 * len(tables) + len(changes), len(PLAYERS) * (len(PLAYERS) - 1) // 2
    ask.intervals = len(tables) * (pairs + len(SPEEDS) + 1) + len(changes) * pairs
    as_given, by_table, speeds = advising.Change("", "", experiment, ORDINARY), {}, {}
    for n in tables:
        by_table[n] = weigh(ask, experiment, _ways(as_given, n), quick_deals=_QUICK_DEALS)
        speeds[n] = _weigh_speeds(ask, n)
    again: Any = {"quick_deals": _QUICK_CHANGES, "close": _CLOSE_ENOUGH}
    variants = [
        advising.Variant(
            one.section,
            one.label,
            weigh(ask, one.experiment, _ways(one, table), **again),
            tuple(PLAYERS),
        )
        for one in changes
    ]
    matter = advising.Matter(WORDS, list(PLAYERS), by_table, table, variants)
    return ask.answer(
        [*matter.verdict, capital(_worth_of_speed(speeds, table))],
        settled=not matter.unsettled and _is_speed_settled(speeds[table]),
        findings=[
            *matter.beside_advised(),
            *matter.at_tables(LESS_THAN_LAST),
            *_of_speeds(speeds),
            *matter.under_changes(f"{LESS_THAN_LAST}, {table} players"),
        ],
        notes=[*matter.notes, capital(_slow_and_fast(matter.advised[table], variants))],
        data={
            **matter.as_data(),
            "ways": {
                way: [advising.in_points(by_table[n].less(way, LAST)) for n in tables]
                for way in (BURN, CATCH)
            },
            "speeds": [*SPEEDS, NEVER_LAST],
            "by_speed": {
                str(n): [advising.in_points(_gain(one, speed)) for speed in (*SPEEDS, NEVER_LAST)]
                for n, one in speeds.items()
            },
        },
    )


def _weigh_speeds(ask: Ask, players: int) -> Weighed:
    """Weigh slower and faster hands against one as fast as the others."""
    hands = {
        _hand(speed): _seats(ask.experiment, PLAYERS[LAST], players, ORDINARY, speed)
        for speed in (1.0, *SPEEDS, NEVER_LAST)
    }
    pairs = [(_hand(speed), _hand(1.0)) for speed in (*SPEEDS, NEVER_LAST)]
    how: Any = {"quick_deals": _QUICK_SPEEDS, "close": _CLOSE_SPEEDS}
    return weigh(ask, ask.experiment, hands, pairs=pairs, rank=(), **how)


def _gain(hands: Weighed, speed: float) -> Estimate:
    """Return what a hand of that speed wins more than one as fast as the others."""
    return hands.less(_hand(speed), _hand(1.0))


def drawings(found: Answer) -> "list[Drawing]":
    """Draw what the ways win by the number of players, what speed is worth, and where it holds."""
    ways, *again = advising.drawings_of(
        found,
        found.data["ways"],
        WORDS,
        "Keeping SWAP cards for last",
        best="better",
        less=f"{LESS_THAN_LAST}, percentage points",
        below="keeping them for last wins more than both other ways",
        caption="A row is a change of the rules, of the deck or of the players, with the better of "
        "burning SWAP cards and waiting for a last card",
    )
    return [ways, _speed_drawing(found), *again]


def _speed_drawing(found: Answer) -> "Drawing":
    """Draw what a slower and a faster hand win."""
    from herdlab.analysis.figures.lines import Line, Pane, lines_drawing

    data = found.data
    slower = sum(speed < 1 for speed in data["speeds"])
    end = 4 * SPEEDS[-1]  # where "never last" is drawn
    at = [*data["speeds"][:slower], 1.0, *data["speeds"][slower:-1], end]
    hands = []
    for table, values in data["by_speed"].items():
        if int(table) in (*data["tables"][:3], data["tables"][-1]):
            all_values = [*values[:slower], (0.0, 0.0, 0.0), *values[slower:]]
            hands.append(Line(f"{table} players", at, all_values))
    pane = Pane(
        hands,
        "slap speed, that of the others being 1",
        f"{LESS_THAN_EVEN}, percentage points",
        "as fast as the others",
        is_log=True,
        ticks=[*((x, f"{x:g}") for x in at[:-1]), (end, "never last")],
    )
    gains = {table: values[-1] for table, values in data["by_speed"].items()}
    most = max(gains, key=lambda table: gains[table][0])
    value, low, high = (written(one, 1, sign="+") for one in gains[most])
    title = (
        f"Never being last to slap wins {value} points ({low} to {high}) with {most} players, "
        f"where it is worth most"
    )
    return lines_drawing(pane, title)


def _is_new(one: advising.Change, ask: Ask, table: int) -> bool:
    """Whether a change changes something and can be played: the deck may be too small (S2)."""
    is_other = one.experiment.rules.hash != ask.experiment.rules.hash or one.others != ORDINARY
    return is_other and is_allowed(one.experiment, table)


def _changes(experiment: Experiment) -> Iterator[advising.Change]:
    """Yield optional rules, readings, decks (of which the rulebook says nothing) and players."""
    rules: Any = experiment.rules
    few, many = rules.swap_cards // 2, min(60, 2 * rules.swap_cards)
    optional = [
        (f"with swap_seats, seat_next={one}", experiment.under(swap_seats=True, seat_next=one))
        for one in ("place", "player")
    ]
    optional.append(("with hands swapped", experiment.under(swap_seats=False)))
    optional.append(("with a false slap in ten", experiment.under(false_slap_rate=0.1)))
    readings = [(f"with {one.setting}", one.experiment) for one in other_readings(experiment)]
    decks = [
        (f"with {few} SWAP cards", experiment.under(swap_cards=few)),
        (f"with {many} SWAP cards", experiment.under(swap_cards=many)),
        ("without SUPER SWAPs", experiment.under(super_swap=0)),
        ("without SLAPs", experiment.under(slap=0)),
    ]
    for section, changed in (
        ("optional rules", optional),
        ("other readings", readings),
        ("other decks", decks),
    ):
        for label, other in changed:
            yield advising.Change(section, label, other, ORDINARY)
    yield advising.Change("other players", "among players who burn them", experiment, PLAYERS[BURN])
    yield advising.Change("other players", "among opportunists", experiment, "opportunist")


def _seats(
    experiment: Experiment, who: str, players: int, other: str, speed: float
) -> list[Contender]:
    """Return a player in every seat in turn, with their own slap speed in each."""
    whole = in_every_seat(experiment.rules, who, [other] * (players - 1))
    if speed == 1:
        return [whole]
    return [
        Contender(
            experiment.rules.but(slap_speed=[speed if n == seat else 1.0 for n in range(players)]),
            ((line_up, seat),),
            (1,),
        )
        for line_up, seat in whole.places
    ]


def _ways(one: advising.Change, players: int) -> dict[str, list[Contender]]:
    return {
        way: _seats(one.experiment, who, players, one.others, one.speed)
        for way, who in PLAYERS.items()
    }


def _hand(speed: float) -> str:
    return "never last" if speed == NEVER_LAST else f"slap speed {speed:g}"


def _worth_of_speed(speeds: dict[int, Weighed], table: int) -> str:
    """Return what a fast hand is worth, and at which tables it is worth nothing."""
    same = [n for n, one in speeds.items() if one.is_all_the_same]
    if len(same) == len(speeds):
        return "slap speed changes nothing: all games came out alike"
    said = (
        f"with {table} players slapping twice as fast as the others "
        f"{advising.worded(_gain(speeds[table], TWICE))}, "
        f"never being last {advising.worded(_gain(speeds[table], NEVER_LAST))}"
    )
    if same:
        said += f"; with {advising.spanned(same)} speed changes nothing"
    return said


def _is_speed_settled(found: Weighed) -> bool:
    """Whether what the verdict says of speed excludes nothing, or all that matters."""
    gains = [_gain(found, speed) for speed in (TWICE, NEVER_LAST)]
    return found.is_all_the_same or all(kind_of_wins(one) != Kind.OPEN for one in gains)


def _slow_and_fast(way: str, variants: Sequence[advising.Variant]) -> str:
    """Return what the way that is advised is worth to the slow and to the fast."""
    other = BURN if way == LAST else LAST
    slow, fast = (one.found.less(way, other) for one in variants if one.section == _HANDS)
    return (
        f"{WORDS.doing[way]}, compared with {WORDS.doing[other]}, {advising.worded(slow)} at "
        f"{_hand(SLOW)}, and {advising.worded(fast)} at {_hand(FAST)}"
    )


def _of_speeds(speeds: dict[int, Weighed]) -> Iterator[Finding]:
    for n, one in speeds.items():
        for hand in one.names[1:]:
            label, of = f"{hand}, {n} players", Of("speeds", hand, _hand(1.0), n)
            yield measured(LESS_THAN_EVEN, label, one.less(hand, _hand(1.0)), POINTS, of)
