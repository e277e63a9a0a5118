"""Text that is safe to print: nothing in it steers a terminal, and every locale can show it.

Names, titles, paths and JSON come from files of other people.  Whatever prints them goes through
`escaped`: `commands.messages` for plain lines, `analysis.terminal.show.console` for tables.
"""

import codecs
from unicodedata import category, normalize

ERRORS = "herdlab"
"""The error handler of standard output and standard error, as `register_fallback` makes it."""
_PLAIN = {
    "±": "+/-",
    "−": "-",
    "–": "-",
    "—": "-",
    "·": "-",
    "…": "...",
    "≤": "<=",
    "≥": ">=",
    "≈": "~",
    "×": "x",
    "→": "->",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    **dict.fromkeys("━╸╺─", "-"),
}
"""What stands for signs that a locale lacks."""

_LONGEST = 200
"""Letters of what a plug-in's error says that are passed on."""


def escaped(text: str, keep: str = "") -> str:
    """Return a text with what is no letter, sign or space written as Python would escape it.

    That is control characters, what turns the direction of writing, and half characters.  Those
    in `keep` stay as they are.
    """
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or one in keep or category(one) == "Zs" else _escape(one)
        for one in text
    )


def in_one_line(text: str) -> str:
    """Return the same with a space for every line break and tab."""
    return escaped("".join(" " if one in "\n\r\t" else one for one in text))


def error_in_words(error: BaseException) -> str:
    """Return an error in one short line; a plug-in's own may not even be printable."""
    try:
        said = in_one_line(str(error))
    except BaseException:
        said = ""
    kind = in_one_line(type(error).__name__)
    return (f"{kind}: {said}" if said else kind)[:_LONGEST]


def _escape(one: str) -> str:
    if "\udc80" <= one <= "\udcff":  # how Python reads a byte that is no letter of the locale
        return f"\\x{ord(one) & 0xFF:02x}"
    return one.encode("unicode_escape", "surrogatepass").decode("ascii")


def register_fallback() -> None:
    """Register the error handler that writes in ASCII what an encoding lacks."""
    codecs.register_error(ERRORS, _fallback)


def _fallback(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(map(_in_ascii, lacking)), error.end


def _in_ascii(one: str) -> str:
    plain = _PLAIN.get(one)
    if plain is None:
        plain = normalize("NFKD", one).encode("ascii", "ignore").decode("ascii")
    return plain or _escape(one)
