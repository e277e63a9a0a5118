"""Rollout: tries out in its head whatever it could do, and does what wins most often there."""

from typing import cast

import numpy as np

from herdlab.simcore._jit import inner
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd import playout
from herdlab.simcore.herd.rules import NO_TRADE, TO_DOG, HerdRules
from herdlab.simcore.herd.view import NOBODY, PARTNER, SKUNK_TO, TRADE, View
from herdlab.simcore.rules import Rules
from herdlab.simcore.table import FAILED, Ints, Me
from herdlab.strategies import another, number, strategy
from herdlab.strategies.herd.table_sense import can_serve, can_trade, winning_trade
from herdlab.strategies.registry import named, named_player
from herdlab.strategies.strategy import Values

P_N, P_DOUBT = 1, 2
AHEAD = playout.DESK.end
BEHIND = AHEAD + TO_DOG + 1
NOTEBOOK = BEHIND + TO_DOG + 1
"""On its desk, behind the second table: games won only with an option, only without it."""


def _check(rules: Rules, values: Values, n_players: int) -> None:
    one, _ = named("herd", values["base"])
    if one.observes or one.notebook:
        raise BadInput(
            f"cannot play out as '{values['base']}', which takes notes: in the middle of a game "
            f"it would have none"
        )


def _make_data(rules: Rules, values: Values) -> Ints:
    from herdlab.simcore.herd.playout_loop import make_kit  # which loads the engine

    return make_kit(cast(HerdRules, rules), named_player("herd", rules, values["base"]))


@inner
def is_legal(decision: int, option: int, view: View) -> bool:
    """Whether `option` is an answer to `decision`."""
    if decision == TRADE:
        return option == NO_TRADE or can_trade(view, option)
    return option > 0 and (decision == SKUNK_TO or can_serve(view, option))


@inner
def first_to_serve(trade: int, view: View) -> int:
    """Return the nearest player who can serve `trade` after a T; 0, the supply, if none binds."""
    if trade != NO_TRADE:
        for k in range(view.players):
            if (view.legal[k] >> trade) & 1:
                return k
    return 0


@inner
def outcome(decision: int, option: int, game: int, view: View, me: Me) -> int:
    """Return whether it wins a game of this number in its head after `option`, or FAILED."""
    playout.put_position(view, me)
    if decision == SKUNK_TO:
        playout.put_skunk(option, me)
    else:
        trade = view.trade if decision == PARTNER else option
        partner = option if decision == PARTNER else first_to_serve(trade, view)
        winner = playout.put_trade(trade, partner, me)
        if winner != NOBODY:
            return np.int64(winner == 0)
    return playout.play_out(game, view, me)


@inner
def try_all(decision: int, liked: int, n_options: int, view: View, me: Me) -> int:
    """Play all games; note for each option those won only with it, and only with `liked`.

    Returns FAILED or 0.
    """
    notes = me.notebook
    for slot in range(AHEAD, NOTEBOOK):
        notes[slot] = 0
    playout.draw_luck(me)
    for game in range(int(me.params[P_N])):
        usual = outcome(decision, liked, game, view, me)
        if usual == FAILED:
            return FAILED
        for option in range(n_options):
            if option != liked and is_legal(decision, option, view):
                won = outcome(decision, option, game, view, me)
                if won == FAILED:
                    return FAILED
                notes[AHEAD + option] += won > usual
                notes[BEHIND + option] += won < usual
    return 0


@strategy(
    "herd",
    "rollout",
    notebook=NOTEBOOK,
    make_data=_make_data,
    check=_check,
    slow=True,
    base=another("keeper", "as whom all play in its head, itself included"),
    n=number(200, "games in its head for each thing that it could do", low=1, high=100_000),
    doubt=number(
        1,
        "standard errors by which something must do better there than what base would do",
        high=99,
        whole=False,
    ),
)
def rollout(decision: int, view: View, me: Me) -> int:
    """Plays every trade out in its head, many times, as base plays, and makes the best; slow.

    The games in its head have luck of their own, the same for everything that it tries: what
    differs is then what it did and not the dice.  Without some doubt a few games lead it astray:
    with n=50 it plays worse than its base.  Partners and skunks it chooses in the same way.
    """
    if decision == TRADE:
        winning = winning_trade(view)
        if winning != NO_TRADE:
            return winning
    n_options = TO_DOG + 1 if decision == TRADE else view.players
    n_legal, best = 0, 0
    for option in range(n_options):
        if is_legal(decision, option, view):
            n_legal, best = n_legal + 1, option
    if n_legal == 1:
        return best
    playout.sit_down(view, me)
    best = playout.choice_of_kit(decision, view, me)
    if best < 0 or best >= n_options or not is_legal(decision, best, view):
        return best
    if try_all(decision, best, n_options, view, me) == FAILED:
        return FAILED
    most = 0
    for option in range(n_options):
        ahead, behind = me.notebook[AHEAD + option], me.notebook[BEHIND + option]
        lead = ahead - behind
        if lead > most and lead * lead > me.params[P_DOUBT] ** 2 * (ahead + behind):
            best, most = option, lead
    return best
