"""Random numbers that belong to the game: number = f(seed, game, kind, index, draw).

The generator is SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014; output function: Stafford's variant 13 of the MurmurHash3 finaliser) used as a keyed
counter: draw k of a stream is ``mix64(key + (k + 1) * GAMMA)``.  A stream's key is itself hashed
from the seed of its kind, the game's number, the kind and an index (a seat or a session), so that
no thread, chunk or other seat has any part in it.

The last step of the key is fed forward (``mix64(x) + h``), hence not invertible: a strategy that
is handed the key of its own choices cannot work back to the keys of the coming dice.
"""

from typing import NewType

import numpy as np
import numpy.typing as npt

from herdlab.simcore._jit import njit

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_INDEX_STEP = np.uint64(0xD1B54A32D192ED03)  # odd, unrelated to GAMMA
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)

Luck = npt.NDArray[np.uint64]
"""A stream that is being drawn from: one number, its position (see `below`)."""

Kind = NewType("Kind", int)
DICE = Kind(0)
"""Each seat's dice (index: seat)."""
DEAL = Kind(1)
"""The deal and the piles (index: session)."""
CHOICE = Kind(2)
"""Each seat's own choices (index: seat)."""
TABLE = Kind(3)
"""Table events: who slaps last, who reacts first (index: as the game says)."""
KINDS = ("dice", "deal", "choice", "table")


@njit
def mix64(x: np.uint64) -> np.uint64:
    """Return the SplitMix64 output function of `x`, a bijection on 64 bits."""
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@njit
def game_key(seed: np.uint64, game: int) -> np.uint64:
    """Return the key of one game for streams of a kind whose seed is `seed`."""
    return mix64(mix64(np.uint64(seed) + GAMMA) + np.uint64(game) * GAMMA)


@njit
def stream_key(of_game: np.uint64, kind: int, index: int) -> np.uint64:
    """Return the key of stream (`kind`, `index`) in the game with key `of_game`."""
    number = np.uint64(kind * 256 + index + 1)
    return mix64(of_game ^ (number * _INDEX_STEP)) + of_game


@njit
def draw(key: np.uint64, k: int) -> np.uint64:
    """Return draw `k` (0, 1, …) of the stream with key `key`: 64 random bits."""
    return mix64(key + np.uint64(k + 1) * GAMMA)


@njit
def next_number(streams: Luck, at: int) -> np.uint64:
    """Draw 64 random bits from the stream whose position is streams[at]; moves it on."""
    streams[at] += GAMMA
    return mix64(streams[at])


@njit
def scale(bits: np.uint64, n: int) -> int:
    """Return an integer below `n` (n < 2**31) from 64 random `bits`.

    The high half times n, shifted down: each number is off by less than 2**-32, for both dice of a
    roll together one part in 30 million.
    """
    return np.int64(((bits >> _S32) * np.uint64(n)) >> _S32)


@njit
def below(luck: Luck, n: int) -> int:
    """Draw an integer below `n` from a stream kept as ``luck = [position]``; moves it on."""
    luck[0] += GAMMA
    return scale(mix64(luck[0]), n)


@njit
def chain(n: int, x: np.uint64) -> np.uint64:
    """Return `x` after `n` steps of SplitMix64, each fed the last: the yardstick of `bench`."""
    for _ in range(n):
        x = mix64(x + GAMMA)
    return x
