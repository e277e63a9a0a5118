"""Sums as JSON and back, to the bit: what a run folder keeps of games that were played.

Sums are dataclasses of whole numbers, lists, counters and arrays of them.  They are read back into
empty sums of the same shape, so a file never says what is to be made of it.
"""

import base64
import zlib
from collections import Counter
from dataclasses import fields, is_dataclass
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


def restore(into: Any, kept: dict[str, Any]) -> None:
    """Make sums, a dataclass, what they were when they were packed.  Modified in place: `into`."""
    for name in _kept(into):
        setattr(into, name, _unpacked(getattr(into, name), kept[name]))


def _kept(sums: Any) -> list[str]:
    """Return the fields of sums but those that say ``metadata={"kept": False}``."""
    return [one.name for one in fields(sums) if one.metadata.get("kept", True)]


def _unpacked(like: Any, kept: Any) -> Any:
    """Return what `kept` was, which is of the same kind and shape as `like`."""
    if is_dataclass(like):
        restore(like, kept)
        return like
    if isinstance(like, Counter):
        return Counter(dict(kept))
    if isinstance(like, list) and like and is_dataclass(like[0]):
        return [_unpacked(*both) for both in zip(like, kept, strict=True)]
    if not isinstance(like, np.ndarray):
        return kept
    if like.dtype == object:
        return np.array(kept, dtype=object).reshape(like.shape)
    whole = np.frombuffer(zlib.decompress(base64.b64decode(kept)), dtype=_WHOLE)
    return whole.reshape(like.shape).copy()
