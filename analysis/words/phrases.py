"""How answers put things into words."""

from collections.abc import Iterable, Sequence

from herdlab.analysis.stats.estimates import Estimate

_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh"),
    *("eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth"),
)
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_MOST_DIGITS = 6
_SHOWN = 0.05
"""What one digit shows."""


def listed(words: Sequence[object], last: str = "and") -> str:
    """Return such as "2, 3 and 4"."""
    *others, final = (str(one) for one in words)
    return f"{', '.join(others)} {last} {final}" if others else final


def sentence(text: str) -> str:
    """Return a text with a full stop; names of strategies keep their small letters."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def capital(text: str) -> str:
    """Return a sentence that begins with no name of a strategy with a capital letter."""
    return text[:1].upper() + text[1:]


def counted(number: int, noun: str) -> str:
    """Return such as "1 game" or "2,000 games"."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def ordinal(number: int) -> str:
    """Return such as "first" of 0."""
    return _ORDINALS[number] if number < len(_ORDINALS) else f"{number + 1}th"


def in_words(number: int) -> str:
    """Return such as "three" of 3."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def holds_under(settings: Sequence[str]) -> str:
    """Return that an answer stands, with the readings that were tried."""
    others = f"{in_words(len(settings))} other reading{'' if len(settings) == 1 else 's'}"
    return f"This holds under the rules as given and {others} tried: {listed(settings)}."


def span(values: Iterable[float], digits: int = 0) -> str:
    """Return such as "9 to 12", or one number where all are alike."""
    some = sorted(values)
    return " to ".join(dict.fromkeys(f"{one:.{digits}f}" for one in (some[0], some[-1])))


def ranging(found: Iterable[Estimate], unit: str = " percentage points") -> str:
    """Return from where to where differences of rates lie; no sign where all have the same."""
    values = [100 * one.value for one in found]
    least, most = min(values), max(values)
    if least < 0 < most:
        return f"{least:+.1f} to {most:+.1f}{unit}"
    return f"{span(map(abs, values), 1)}{unit}"


def turns(value: float) -> str:
    """Return a number of turns, in as many digits as it takes to see it."""
    digits = next((n for n in range(2, _MOST_DIGITS) if round(value, n)), _MOST_DIGITS)
    return f"{value:.{digits if value else 2}f} turns"


def sized(one: Estimate, unit: str = "", digits: int = 1) -> str:
    """Return how large a difference of rates is in per cent, such as "5.3 (5.0 to 5.7)".

    It has so many `digits` where with one an end would look like nothing.
    """
    value, low, high = 100 * one.value, 100 * one.low, 100 * one.high
    if value < 0:
        value, low, high = -value, -high, -low
    digits = 1 if min(abs(low), abs(high)) >= _SHOWN else digits
    return f"{value:.{digits}f}{unit} ({low:.{digits}f} to {high:.{digits}f})"


def give_or_take(one: Estimate, digits: int = 1) -> str:
    """Return a rate, or a difference of rates, in per cent, such as "17.5 ± 0.6"."""
    half = max(one.high - one.value, one.value - one.low)
    return f"{100 * one.value:.{digits}f} ± {100 * half:.{digits}f}"
