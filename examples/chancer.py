r"""A strategy for Horse Trader and Bronco that watches the table and remembers.

    herdlab simulate bronco -p chancer,trader-2,sceptic --plugin examples/chancer.py \
        --set advanced=true

It bluffs until a bluff of its own has been called, and never again after that.
docs/writing-a-strategy.md tells all that `view` and `me` hold.
"""

from herdlab.simcore.puzzle.view import ANSWER, BLUFF_CALLED, NO, SILENT, TRADE, WORD, View
from herdlab.simcore.table import OBSERVE, Me
from herdlab.strategies import number, strategy
from herdlab.strategies.puzzle.piece_sense import PUZZLE_GAMES, keeps, offers

CAUGHT = 0  # the place in its notebook where it counts its bluffs that were called
PATIENCE = 0  # the place of the parameter below in me.params


@strategy(
    PUZZLE_GAMES,
    "chancer",
    observes=True,  # it is told what happens
    notebook=1,  # and has one number to remember
    patience=number(1, "how many called bluffs it takes to make it honest", low=1),
)
def chancer(decision: int, view: View, me: Me) -> int:
    """Says "three" and commits one piece, until it has been caught at it."""
    if decision == OBSERVE:
        if view.happening == BLUFF_CALLED and view.happened_to == view.seat:
            if view.detail_3 != view.detail_2:  # it committed another number than it said
                me.notebook[CAUGHT] += 1
        return 0
    if decision == WORD:
        if view.spare == 0:
            return SILENT
        if view.advanced and me.notebook[CAUGHT] < me.params[PATIENCE]:
            return offers(min(3, view.largest_offer), 1)
        number_offered = min(3, view.spare, view.largest_offer)
        return offers(number_offered, number_offered)
    if decision == ANSWER:
        return TRADE if view.spare >= view.said else NO
    return keeps(40, 0)  # which pieces: any but its own
