"""The detective: works out who wants which puzzle, and parts last with what the other wants.

Whoever trades gives away what he has no use for.  So a puzzle that a player has never given is
likely his own; the detective notes what it got from whom, and finds who fits which puzzle best.
In advanced games it also notes who bluffs and how often offers are called.  What it holds against
the others it forgets bit by bit, and its hostages it lets go when it gets no further: else a table
of detectives stalls.
"""

from herdlab.simcore._jit import inlined, inner
from herdlab.simcore.puzzle import view as puzzle
from herdlab.simcore.puzzle.rules import PIECES
from herdlab.simcore.puzzle.view import KEEP_BITS, ROOM, View
from herdlab.simcore.table import OBSERVE, Me
from herdlab.strategies import choice, members, number, strategy
from herdlab.strategies.puzzle import piece_sense as sense
from herdlab.strategies.puzzle.piece_sense import PUZZLE_GAMES, UNTIL

P_OFFER, P_GIVES, P_HOSTAGES, P_UNTIL, P_PASS_AT, P_CALL_ABOVE, P_REFUSE_ABOVE, P_BLUFF_BELOW = (
    range(8)
)
MOST_HELD, LEAST_HELD, NOT_LED = range(3)
BLUFFS_AT, HONEST_AT = ROOM * ROOM, ROOM * ROOM + ROOM
"""The notebook: pieces got, by giver and puzzle; then bluffs and honest offers seen, by speaker."""
CALLED_AT, ANSWERED_AT, LAPSED_AT, OWN_AT, STUCK_AT = range(HONEST_AT + ROOM, HONEST_AT + ROOM + 5)
"""Then how many offers were called and answered, whoever made them; by how many it has lowered its
own because they lapsed; its own pieces, and for how many beats they have been no others."""
_NOBODY = -1
_CALLED_BEFORE, _BLUFFS_BEFORE = 0.25, 0.25
"""What it takes for the rates of calls and bluffs before it has seen any offers."""
_WANTED, _HOSTAGE = 1 << 20, 1 << 30
"""By how much less gladly it parts with what the other wants, and with hostages."""
_LEAST = -3 * _HOSTAGE
_STUCK = 40
"""After so many beats in which it has got no further it lets its hostages go."""
_BYTE = (1 << KEEP_BITS) - 1


@inner
def observe(view: View, me: Me) -> None:
    """Note what it got from whom, who bluffed, and what became of offers."""
    notes, speaker = me.notebook, view.happened_to
    giver = _NOBODY
    if view.own != notes[OWN_AT]:
        notes[OWN_AT], notes[STUCK_AT] = view.own, 0
    elif view.happening != puzzle.OFFERED:
        notes[STUCK_AT] += 1
    if view.happening == puzzle.LAPSED:
        if speaker == view.seat:
            notes[LAPSED_AT] = min(notes[LAPSED_AT] + 1, int(me.params[P_OFFER]) - 1)
        elif notes[BLUFFS_AT + speaker] > 0:
            notes[BLUFFS_AT + speaker] -= 1
    elif view.happening in (puzzle.TRADED, puzzle.BLUFF_CALLED):
        notes[(HONEST_AT if view.detail_3 == view.detail_2 else BLUFFS_AT) + speaker] += 1
        notes[ANSWERED_AT if view.happening == puzzle.TRADED else CALLED_AT] += 1
        if speaker == view.seat:
            notes[LAPSED_AT] = max(notes[LAPSED_AT] - 1, 0)
            giver = view.detail_1
        elif view.detail_1 == view.seat:
            giver = speaker
    elif view.happening == puzzle.PASSED:
        step = 2
        if view.detail_1 == puzzle.PASS_LEFT:
            step = view.players - 1
        elif view.detail_1 == puzzle.PASS_RIGHT:
            step = 1
        giver = (view.seat + step) % view.players
    if giver != _NOBODY:
        for place in range(1, view.players):
            notes[ROOM * giver + place] += (view.got >> KEEP_BITS * place) & _BYTE


@inlined
def rate(few: int, many: int, before: float) -> float:
    """Return how often the first of two things happens; at first it takes it for `before`."""
    return (few + 2 * before) / (few + many + 2)


@inner
def wanted_by(who: int, view: View, me: Me) -> int:
    """Return the place of the puzzle that a player most likely wants, or 0 if it cannot tell.

    Of all ways to give the others a puzzle each, the one under which they gave away fewest pieces
    of their own; none if two ways that differ for this player are as good.
    """
    players = view.players
    best, second, found = 1 << 40, 1 << 40, 0
    for place in range(1, players):
        rest_1, rest_2 = _others(place)
        one, two = _rivals(who, view.seat, players)
        given = me.notebook[ROOM * who + place]
        if players == ROOM:
            fewest = given + min(
                me.notebook[ROOM * one + rest_1] + me.notebook[ROOM * two + rest_2],
                me.notebook[ROOM * one + rest_2] + me.notebook[ROOM * two + rest_1],
            )
        else:
            fewest = given + me.notebook[ROOM * one + rest_1]
        if fewest < best:
            best, second, found = fewest, best, place
        elif fewest < second:
            second = fewest
    return found if second > best else 0


@inlined
def _others(place: int) -> tuple[int, int]:
    """Return the other places of puzzles that are not its own (the second only with four)."""
    return 1 + (place == 1), 3 - (place == 3)  # noqa: PLR2004


@inlined
def _rivals(who: int, seat: int, players: int) -> tuple[int, int]:
    """Return the players other than `who` and itself (the second only with four)."""
    first = second = _NOBODY
    for other in range(players):
        if other not in (who, seat):
            if first == _NOBODY:
                first = other
            second = other
    return first, second


@inlined
def rank(place: int, left: int, view: View, me: Me) -> int:
    """Return how gladly it parts with a piece of a puzzle of which it has so many left.

    A puzzle that it is often given lies about with players who do not want it: nobody leads in it.
    """
    if me.params[P_GIVES] == NOT_LED:
        came = 0
        for giver in range(view.players):
            came += me.notebook[ROOM * giver + place]
        return came
    return left if me.params[P_GIVES] == MOST_HELD else -left


@inner
def parts_with(view: View, me: Me, kept: int, wanted: int) -> int:
    """Return the answer that parts with pieces by `rank`, with those that are `wanted` last.

    `kept` pieces of each puzzle stay as long as others can go; own ones go at the very last.
    """
    answer = sense.keeps(PIECES, 0)
    for place in range(1, ROOM):
        answer += sense.keeps_of(place, view.pieces[place])
    for _ in range(view.number):
        best, at = _LEAST, 0
        for place in range(1, view.players):
            left = answer >> KEEP_BITS * place & _BYTE
            if left > 0:
                worth = rank(place, left, view, me)
                worth -= (_HOSTAGE if left <= kept else 0) + (_WANTED if place == wanted else 0)
                if worth > best:
                    best, at = worth, place
        if at > 0:
            answer -= sense.keeps_of(at, 1)
    return answer


@inner
def speaks(view: View, me: Me, free: int) -> int:
    """Return whether it calls a pass, what it offers, and in advanced games whether it bluffs.

    It bluffs (says as much, and commits nothing) as long as offers are seldom called, and its own
    do not lapse.
    """
    notes = me.notebook
    if view.may_call and sense.needs(view) <= me.params[P_PASS_AT]:
        return puzzle.PASS_LEFT if view.called[view.seat] % 2 == 0 else puzzle.PASS_RIGHT
    if free <= 0:
        return puzzle.SILENT
    said = min(max(1, int(me.params[P_OFFER]) - notes[LAPSED_AT]), view.largest_offer)
    called = rate(notes[CALLED_AT], notes[ANSWERED_AT], _CALLED_BEFORE)
    if view.advanced and called < me.params[P_BLUFF_BELOW] and notes[LAPSED_AT] == 0:
        return sense.offers(said, 0)
    said = min(said, free)
    return sense.offers(said, said)


@inner
def answers(view: View, me: Me, free: int) -> int:
    """Return whether it answers, or calls the bluff of somebody who bluffs often."""
    if view.advanced:
        bluffs = me.notebook[BLUFFS_AT + view.speaker]
        bluffing = rate(bluffs, me.notebook[HONEST_AT + view.speaker], _BLUFFS_BEFORE)
        if bluffing > me.params[P_CALL_ABOVE]:
            return puzzle.CALL_BLUFF
        if bluffing > me.params[P_REFUSE_ABOVE]:
            return puzzle.NO
    return puzzle.TRADE if free >= view.said else puzzle.NO


@strategy(
    PUZZLE_GAMES,
    "detective",
    deterministic=True,
    observes=True,
    notebook=STUCK_AT + 1,
    offer=number(4, "pieces that it offers at once", low=1, high=4),
    gives=choice(
        "most",
        ("most", "least", "not-led"),
        "which pieces go first of those that the other does not want: of the puzzle it holds most "
        "of, or least of, or that nobody seems to lead in",
    ),
    hostages=number(
        1, "pieces of every other puzzle that it keeps, unless it gets no further", high=9
    ),
    until=UNTIL,
    pass_at=number(0, "calls passes when it needs so many pieces or fewer; 0: never", high=40),
    call_above=number(
        0.5, "calls the bluffs of who bluffs more often than this", high=1, whole=False
    ),
    refuse_above=number(
        0.4, "does not answer who bluffs more often than this", high=1, whole=False
    ),
    bluff_below=number(
        0.25, "bluffs as long as offers are called less often than this", high=1, whole=False
    ),
)
def detective(decision: int, view: View, me: Me) -> int:
    """Works out who wants what and parts last with what the other wants; keeps hostages."""
    if decision == OBSERVE:
        observe(view, me)
        return 0
    kept = sense.hostages_kept(view, me.params[P_HOSTAGES], me.params[P_UNTIL])
    if me.notebook[STUCK_AT] > _STUCK:
        kept = 0
    if decision == puzzle.WORD:
        return speaks(view, me, sense.free_pieces(view, kept))
    if decision == puzzle.ANSWER:
        return answers(view, me, sense.free_pieces(view, kept))
    wanted = 0 if decision == puzzle.COMMIT else wanted_by(view.receiver, view, me)
    return parts_with(view, me, kept if decision in (puzzle.COMMIT, puzzle.GIVE) else 0, wanted)


MEMBERS = {
    "marshal:pass_at=40": (
        "Plays like the detective, and calls a pass whenever it may: it knows what not to pass on."
    ),
}
members(PUZZLE_GAMES, "detective", MEMBERS)
