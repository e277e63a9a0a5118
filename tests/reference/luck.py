"""The random numbers in plain Python integers: number = f(seed, game, kind, index, draw)."""

from functools import lru_cache

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
DICE, DEAL, CHOICE, TABLE = range(4)


def mix(x: int) -> int:
    """Return SplitMix64's output function of a 64-bit number."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


@lru_cache
def key(seed: int, game: int, kind: int, index: int) -> int:
    """Return the key of stream (kind, index) in game `game` of seed `seed`."""
    of_game = mix((mix((seed + GAMMA) & MASK) + game * GAMMA) & MASK)
    of_stream = (kind * 256 + index + 1) * 0xD1B54A32D192ED03 & MASK
    return (mix(of_game ^ of_stream) + of_game) & MASK


def number(seed: int, game: int, kind: int, index: int, draw: int) -> int:
    """Return draw `draw` of stream (kind, index) in game `game` of seed `seed`: 64 bits."""
    return mix((key(seed, game, kind, index) + (draw + 1) * GAMMA) & MASK)


def below(bits: int, n: int) -> int:
    """Return an integer below `n` from 64 random bits."""
    return (bits >> 32) * n >> 32
