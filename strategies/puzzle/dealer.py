"""The dealers: a family of players of the puzzle games, and the anchors in it.

A dealer offers and answers by how many pieces it has to spare and how many it needs, may keep a
few pieces of every other puzzle hostage, may call passes, and in advanced games bluff and call.
"""

from herdlab.simcore._jit import inlined
from herdlab.simcore.errors import BadInput
from herdlab.simcore.puzzle import view as puzzle
from herdlab.simcore.puzzle.rules import MAX_PLAYERS, PIECES, PuzzleRules
from herdlab.simcore.puzzle.view import View
from herdlab.simcore.rng import below
from herdlab.simcore.rules import Rules
from herdlab.simcore.table import Me
from herdlab.strategies import choice, members, number, strategy
from herdlab.strategies.puzzle import piece_sense as sense
from herdlab.strategies.puzzle.piece_sense import PUZZLE_GAMES, UNTIL
from herdlab.strategies.strategy import Values

P_OFFER, P_FEW, P_OFFER_FEW, P_NEAR, P_OFFER_NEAR, P_GIVES, P_ANSWER_FROM, P_ANSWER_TO = range(8)
P_PASSES, P_PASS_FROM, P_PASS_AT, P_DIRECTION = range(8, 12)
P_HOSTAGES, P_UNTIL, P_COMMIT, P_BLUFF = range(12, 16)
P_CALL = P_BLUFF + 4
AT_RANDOM, MOST_HELD, LEAST_HELD = range(3)
NEVER, FRESH, ALWAYS = range(3)
ANY = 0


@inlined
def hostages(view: View, me: Me) -> int:
    """Return how many pieces of every other puzzle it will not trade away."""
    return sense.hostages_kept(view, me.params[P_HOSTAGES], me.params[P_UNTIL])


@inlined
def offer_size(view: View, me: Me) -> int:
    """Return how many pieces it would offer if it had enough."""
    if sense.needs(view) <= me.params[P_NEAR]:
        return int(me.params[P_OFFER_NEAR])
    if view.spare <= me.params[P_FEW]:
        return int(me.params[P_OFFER_FEW])
    return int(me.params[P_OFFER])


@inlined
def calls_pass(view: View, me: Me) -> bool:
    """Whether it calls a pass now."""
    passes = me.params[P_PASSES]
    if not view.may_call or passes == NEVER or (passes == FRESH and view.is_kept):
        return False
    return me.params[P_PASS_FROM] <= sense.needs(view) <= me.params[P_PASS_AT]


@inlined
def speaks(view: View, me: Me) -> int:
    """Return what it does with the word."""
    if calls_pass(view, me):
        direction = int(me.params[P_DIRECTION])
        if direction == ANY:
            return puzzle.PASS_LEFT + below(me.luck, view.players - 1)
        return direction
    free = sense.free_pieces(view, hostages(view, me))
    if free <= 0:
        return puzzle.SILENT
    said = min(offer_size(view, me), view.largest_offer)
    if view.advanced and sense.chance(me.params[P_BLUFF + said - 1], me.luck):
        return sense.offers(said, min(int(me.params[P_COMMIT]), free, view.largest_offer))
    said = min(said, free)
    return sense.offers(said, said)


@inlined
def answers(view: View, me: Me) -> int:
    """Return whether it answers an offer, calls the bluff, or neither."""
    if view.advanced and sense.chance(me.params[P_CALL + view.said - 1], me.luck):
        return puzzle.CALL_BLUFF
    if not me.params[P_ANSWER_FROM] <= view.said <= me.params[P_ANSWER_TO]:
        return puzzle.NO
    return puzzle.TRADE if sense.free_pieces(view, hostages(view, me)) >= view.said else puzzle.NO


@inlined
def keeps_by_count(view: View, is_most_first: bool, kept: int) -> int:
    """Return the answer that parts with what it holds most (or least) of, own pieces last."""
    left, keep = view.number, sense.keeps(PIECES, 0)
    done = 0
    for _ in range(1, view.players):
        best, at = -1, 0
        for place in range(1, view.players):
            held = view.pieces[place]
            rank = held if is_most_first else PIECES - held
            if (done >> place) & 1 == 0 and rank > best:
                best, at = rank, place
        done |= 1 << at
        gone = min(left, max(0, view.pieces[at] - kept))
        left -= gone
        keep |= sense.keeps_of(at, view.pieces[at] - gone)
    return keep


_RATES = [f"{what}_{said}" for what in ("bluff", "call") for said in range(1, 5)]


def _needs_advanced(values: Values) -> bool:
    return any(float(values[rate]) > 0 for rate in _RATES)


def check(rules: Rules, values: Values, n_players: int) -> None:
    """P6, P11: refuse bluffs and calls in the plain game, and `across` with three."""
    assert isinstance(rules, PuzzleRules)
    if _needs_advanced(values) and not rules.advanced:
        raise BadInput(
            "bluffs or calls bluffs, which takes the advanced game (P11, P12): add --set "
            "advanced=true"
        )
    calls_across = values["passes"] != "never" and values["direction"] == "across"
    if calls_across and n_players < MAX_PLAYERS:
        raise BadInput(
            f"calls passes across, which takes four players (P6), and there are {n_players}: its "
            f"direction can be left, right or any"
        )


def _looks_at_its_own(values: Values) -> bool:
    """Whether the numbers of own and spare pieces and kinds are all that it looks at."""
    return (
        values["passes"] == "never"
        and values["gives"] == "random"
        and float(values["hostages"]) <= 1
        and all(float(values[rate]) in (0, 1) for rate in _RATES)
    )


def _draws_no_luck(values: Values) -> bool:
    """Whether every piece and every choice of its own is fixed by what it sees."""
    rates = [float(values[rate]) for rate in _RATES]
    is_fixed = values["passes"] == "never" or values["direction"] != "any"
    return values["gives"] != "random" and is_fixed and all(rate in (0, 1) for rate in rates)


@strategy(
    PUZZLE_GAMES,
    "dealer",
    own_only=_looks_at_its_own,
    deterministic=_draws_no_luck,
    check=check,
    offer=number(2, "pieces that it offers at once", low=1, high=4),
    few=number(0, "with so many spare pieces or fewer it offers `offer_few`", high=160),
    offer_few=number(1, "pieces that it offers with few to spare", low=1, high=4),
    near=number(0, "needing so many pieces or fewer it offers `offer_near`", high=40),
    offer_near=number(1, "pieces that it offers near the end", low=1, high=4),
    gives=choice(
        "random",
        ("random", "most", "least"),
        "which spare pieces go first: any, of the puzzle it holds most of, or least of",
    ),
    answer_from=number(1, "the smallest number that it answers; 5: it answers none", low=1, high=5),
    answer_to=number(4, "the largest number that it answers; 0: it answers none", low=0, high=4),
    passes=choice(
        "never",
        ("never", "fresh", "always"),
        "calls a pass never, once whenever it gets the word afresh, or whenever it may",
    ),
    pass_from=number(0, "calls passes only when it needs so many pieces or more", high=40),
    pass_at=number(40, "calls passes only when it needs so many pieces or fewer", high=40),
    direction=choice("any", ("any", "left", "right", "across"), "where it calls the pass to"),
    hostages=number(0, "pieces of every other puzzle that it will not trade away", high=9),
    until=UNTIL,
    commit=number(
        1, "pieces that it commits when it bluffs (as many as it says are no bluff)", high=4
    ),
    bluff_1=number(0, "how often it bluffs when it means to offer one", high=1, whole=False),
    bluff_2=number(0, "how often it bluffs when it means to offer two", high=1, whole=False),
    bluff_3=number(0, "how often it bluffs when it means to offer three", high=1, whole=False),
    bluff_4=number(0, "how often it bluffs when it means to offer four", high=1, whole=False),
    call_1=number(0, "how often it calls the bluff of an offer of one", high=1, whole=False),
    call_2=number(0, "how often it calls the bluff of an offer of two", high=1, whole=False),
    call_3=number(0, "how often it calls the bluff of an offer of three", high=1, whole=False),
    call_4=number(0, "how often it calls the bluff of an offer of four", high=1, whole=False),
)
def dealer(decision: int, view: View, me: Me) -> int:
    """Offers and answers by what it has to spare; can keep hostages, call passes and bluff."""
    if decision == puzzle.WORD:
        return speaks(view, me)
    if decision == puzzle.ANSWER:
        return answers(view, me)
    kept = hostages(view, me) if decision in (puzzle.COMMIT, puzzle.GIVE) else 0
    gives = me.params[P_GIVES]
    if gives == AT_RANDOM:
        return sense.keeps(PIECES, kept)
    return keeps_by_count(view, gives == MOST_HELD, kept)


_PIECES = ("one piece", "two pieces", "three pieces", "four pieces")
_TRADES = "(or what it has to spare), and answers whenever it has enough to spare."
MEMBERS = {
    **{f"trader-{n}:offer={n}": f"Offers {some} {_TRADES}" for n, some in enumerate(_PIECES, 1)},
    "caller:passes=always": "Plays like trader-2, but calls a pass whenever it may.",
    "nagger:passes=fresh": (
        "Plays like trader-2, but calls one pass whenever it gets the word afresh and may."
    ),
    "bluffer:bluff_2=1": (
        'Plays like trader-2, but says "two" and commits one piece (advanced games).'
    ),
    "sceptic:call_2=1:call_3=1:call_4=1": (
        "Plays like trader-2, but calls the bluff of every offer of two or more (advanced games)."
    ),
    "hostage:hostages=1": (
        "Plays like trader-2, but keeps its last piece of each other puzzle until it needs "
        "few more."
    ),
    "stockman:offer=4:hostages=1": (
        "Offers four pieces, answers whenever it can, and keeps hostages like the strategy hostage."
    ),
}
members(PUZZLE_GAMES, "dealer", MEMBERS)
