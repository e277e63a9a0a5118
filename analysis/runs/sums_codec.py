"""Sums as JSON and back, to the bit: what a run folder keeps of games that were played, by stages.

Sums are dataclasses of whole numbers, lists, counters and arrays of them.  They are read back into
empty sums of the same shape, so a file never says what is to be made of it.
"""

import base64
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np

_WHOLE = np.dtype("<i8")


def packed(value: Any) -> Any:
    """Return sums, or a part of them, as JSON has it."""
    if is_dataclass(value):
        return {name: packed(getattr(value, name)) for name in _kept(value)}
    if isinstance(value, Counter):
        return sorted(value.items())
    if isinstance(value, list):
        return [packed(one) for one in value]
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype == object:
        return value.tolist()
    if value.dtype != _WHOLE:
        raise TypeError(f"sums are whole numbers, not {value.dtype}")
    return base64.b64encode(zlib.compress(value.tobytes(), level=1)).decode()


class NotKept(ValueError):
    """What is to be read back is not what sums of this shape were packed as."""


def restore(into: Any, kept: dict[str, Any]) -> None:
    """Make sums, a dataclass, what they were when they were packed.  Modified in place: `into`.

    `kept` comes from a file: anything but sums of the same kinds and shape raises NotKept.
    """
    try:
        for name in _kept(into):
            setattr(into, name, _unpacked(getattr(into, name), kept[name]))
    except NotKept:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, zlib.error) as error:
        raise NotKept(str(error)) from None


def _kept(sums: Any) -> list[str]:
    """Return the fields of sums but those that say ``metadata={"kept": False}``."""
    return [one.name for one in fields(sums) if one.metadata.get("kept", True)]


def _unpacked(like: Any, kept: Any) -> Any:
    """Return what `kept` was, which is of the same kind and shape as `like`."""
    if is_dataclass(like):
        restore(like, kept)
        return like
    if isinstance(like, Counter):
        counted = dict(kept)
        if not _are_whole([*counted, *counted.values()]):
            raise NotKept("counts are whole numbers")
        return Counter(counted)
    if isinstance(like, list) and like and is_dataclass(like[0]):
        return [_unpacked(*both) for both in zip(like, kept, strict=True)]
    if isinstance(like, np.ndarray):
        return _array(like, kept)
    if isinstance(like, int | float | str | list) and type(kept) is not type(like):
        raise NotKept(f"it is {type(kept).__name__}, not {type(like).__name__}")
    if isinstance(like, list) and not _are_whole(kept):
        raise NotKept("sums are whole numbers")
    return kept


def _array(like: Any, kept: Any) -> Any:
    if like.dtype == object:
        if not _are_whole(kept):
            raise NotKept("sums are whole numbers")
        return np.array(kept, dtype=object).reshape(like.shape)
    # a few bytes can unpack to gigabytes
    unpacked = zlib.decompressobj().decompress(base64.b64decode(kept), like.nbytes + 1)
    return np.frombuffer(unpacked, dtype=_WHOLE).reshape(like.shape).copy()


def _are_whole(value: Any) -> bool:
    """Whether something is a whole number, or nested lists of them."""
    if isinstance(value, list):
        return all(map(_are_whole, value))
    return type(value) is int


@dataclass
class Stage:
    """A run of consecutive numbers, `into` whose sums everything up to `at` has been merged."""

    games: range
    at: int
    into: Any
    looks: list[Any] = field(default_factory=list)
    """The sums, packed, at each look so far: what a look finds may depend on those before it."""

    def look(self) -> None:
        """Note what the sums are at a look."""
        self.looks.append(packed(self.into))

    def replayed_looks(self) -> Iterator[None]:
        """Make `into` what it was at each look in turn, and at last what it was in the end."""
        if self.looks:
            end = packed(self.into)
            for sums in self.looks:
                restore(self.into, sums)
                yield
            restore(self.into, end)

    def as_json(self) -> dict[str, Any]:
        """Return it for a checkpoint."""
        games = [self.games.start, self.games.stop]
        return {"games": games, "at": self.at, "into": packed(self.into), "looks": self.looks}
