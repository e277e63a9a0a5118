"""A game of Pig in a player's words."""

from herdlab.analysis.words.stories import Happening, Story
from herdlab.simcore.batch import Bout
from herdlab.simcore.pig.view import BANKED, HAPPENINGS, LOST, SCORED
from herdlab.simcore.sums import LENGTH, WINNERS


def tell(bout: Bout, number: int) -> Story:
    """Play game `number` of the bout again and tell it."""
    rows, log = bout.logged(number)
    names = [player.name for player in bout.players]
    winners = [seat for seat in range(len(names)) if rows[0, WINNERS] >> seat & 1]
    length = int(rows[0, LENGTH])
    end = f"nobody has won after {length} turns (G5)"
    if winners:
        end = f"seat {winners[0]} ({names[winners[0]]}) wins in turn {length} (G4)"
    happenings = [_happening(row, names) for row in log.tolist()]
    return Story(f"{len(names)} at the table (G1)", happenings, end, winners, length)


def _happening(row: list[int], names: list[str]) -> Happening:
    """Return what a row of the log tells."""
    what, turn, seat, face, at_stake, *banks = row
    banked = banks[seat]
    if what == LOST:
        clauses, words = ("G3",), "rolls a 1 and loses what was at stake"
    elif what == BANKED:
        clauses, words = ("G2",), f"banks: {banked} in all"
    else:
        clauses, words = ("G2",), f"rolls a {face}: {at_stake} at stake"
    after = f"{banked} banked"
    return Happening(
        turn=turn + 1,
        round=turn // len(names) + 1,
        seat=seat,
        strategy=names[seat],
        what=HAPPENINGS[what],
        clauses=clauses,
        words=words,
        before=after if what == SCORED else "",
        after=after,
        facts={"face": face, "at_stake": at_stake, "banked": banked},
    )
