"""The loop behind `simcore.herd.playout` and the kits for it, apart: it loads the engine."""

import numpy as np

from herdlab.simcore._jit import address_of, helper
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.game import Player, find_game
from herdlab.simcore.herd.engine import ROW_WINNERS, play_games
from herdlab.simcore.herd.playout import BOOK_ROOM, KIT, desk_at, kit_at
from herdlab.simcore.herd.rules import HerdRules
from herdlab.simcore.herd.view import CHOOSE, View
from herdlab.simcore.table import FAILED, SEAT_FLAGS, SEAT_WORDS, Ints, Me, Table, aligned_zeros
from herdlab.simcore.window import WORD


@helper
def play(game: int, view: View, me: Me) -> int:
    """Play a game of this number from the desk's position; return 1 if seat 0 wins, 0, or FAILED.

    It has the signature of a strategy, and so can be called as one.
    """
    desk, kit = desk_at(me.notebook, 0), kit_at(me.data, 0)
    table = Table(
        desk.players,
        np.int64(0),
        desk.minds,
        kit.seats,
        kit.moves,
        desk.book,
        desk.memory,
        desk.streams,
        desk.notebooks,
        desk.log,
        desk.tallies,
    )
    if play_games(game, game + 1, desk.seeds, table, desk.rows) == FAILED:
        return FAILED
    return np.int64(desk.rows[0, ROW_WINNERS] & 1)


def make_kit(rules: HerdRules, player: Player) -> Ints:
    """Return the data of a strategy that plays games out by `rules`, `player` in every seat."""
    moves = Bout(find_game("herd"), rules, [player], stream_seeds(0)).moves
    book = moves.book(rules, 1)
    if book.size > BOOK_ROOM:
        raise ValueError(f"a book of {book.size} words, and there is room for {BOOK_ROOM}")
    params = np.array(player.params, dtype=np.float64).view(np.int64)
    at_data = KIT.end + params.size
    kit = aligned_zeros(at_data + -(-player.data.size // WORD), np.int64)
    kit[KIT.play], kit[KIT.choose] = address_of(play, CHOOSE), address_of(player.choose, CHOOSE)
    kit[KIT.params], kit[KIT.n_params] = KIT.end, params.size
    kit[KIT.data], kit[KIT.n_data] = at_data, player.data.size
    kit[KIT.seats + SEAT_FLAGS : KIT.book : SEAT_WORDS] = player.flags
    kit[KIT.book : KIT.book + book.size] = book
    kit[KIT.moves : KIT.play] = moves.tables.view(np.int64)
    kit[KIT.end : at_data] = params
    kit[at_data:].view(np.uint8)[: player.data.size] = player.data
    return kit
