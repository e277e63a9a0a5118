"""What is counted for each seat of Have You Herd?, in one number: the columns of a game's row."""

from herdlab.simcore.game import Event

_COUNTED = (
    ("trades", 8, "trades made, dogs and trades after a T included"),
    ("dogs_bought", 8, "dogs bought, from the supply or from a player"),
    ("dogs_free", 7, "dogs given by the die"),
    ("rabbits_lost_to_fox", 10, "rabbits that foxes ate"),
    ("foxes_with_dog", 7, "foxes that met a dog"),
    ("foxes_without_dog", 7, "foxes that met none"),
    ("wolves_with_dog", 7, "wolves that met a dog"),
    ("wolves_without_dog", 7, "wolves that met none"),
)
"""Name, bits in the number, words.  The bits are enough for FLUSH_TURNS turns, with two trades and
fourteen rabbits lost in each."""
FLUSH_TURNS = 64
"""After so many turns the numbers are emptied."""

EVENTS = tuple(Event(name, words) for name, _, words in _COUNTED)
EVENT_WIDTHS = tuple(bits for _, bits, _ in _COUNTED)
EVENT_SHIFTS = {name: sum(EVENT_WIDTHS[:place]) for place, (name, _, _) in enumerate(_COUNTED)}
