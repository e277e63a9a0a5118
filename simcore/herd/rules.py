"""The rulebook of Have You Herd? as typed, validated data (clauses H1-H16)."""

import dataclasses
import re
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from herdlab.simcore.errors import BadInput, find, match, unknown
from herdlab.simcore.rules import Rules, When, reading, rule

RABBIT, SHEEP, PIG, COW, HORSE, DOG = range(6)
ANIMALS = ("rabbit", "sheep", "pig", "cow", "horse", "dog")
PLURALS = ("rabbits", "sheep", "pigs", "cows", "horses", "dogs")
HERD_ANIMALS = (RABBIT, SHEEP, PIG, COW, HORSE)
"""What a complete herd needs (H4) and what multiplies (H7)."""

NO_TRADE, TO_SHEEP, TO_PIG, TO_COW, TO_HORSE, TO_DOG = range(6)
TRADES = ("none", "sheep", "pig", "cow", "horse", "dog")
"""A trade is named by what it gains (H15); trade t gains animal t."""

FACES = (*ANIMALS, "fox", "wolf", "skunk", "T")
FOX, WOLF, SKUNK, T = range(6, 10)
LETTERS = dict(zip("RSPCHDFWKT", FACES, strict=True))
"""One letter a face for ``wolf_die=5R2SPCWKT``; K is the skunk."""

HERD_VALUES = (1, 5, 10, 20, 40, 6)
"""What an animal counts when herds are compared (anchor strategies)."""

SIDES = 12
MAX_PLAYERS = 4


def _faces(counts: str) -> tuple[str, ...]:
    """Return the faces written as counts of letters, ``5R2SPCWKT``."""
    parts = re.findall(r"(\d*)([A-Z])", counts)
    return tuple(LETTERS[letter] for count, letter in parts for _ in range(int(count or 1)))


DICE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "assumed": (_faces("5R2SPCWKT"), _faces("5R2S2PHFD")),
    "super-farmer": (_faces("6R3SPCW"), _faces("6R2S2PHF")),
}
"""H6: the known pairs of dice, (wolf die, fox die)."""
_CUSTOM = "custom"
"""What any other pair is called."""


def read_die(key: str, given: Any) -> tuple[str, ...]:
    """Return the twelve faces of a die given as letter counts, names, or a list of names."""
    if isinstance(given, str) and re.fullmatch(r"(\d*[RSPCHDFWKT])+", given.upper()):
        if any(len(count) > len(str(SIDES)) for count in re.findall(r"\d+", given)):
            raise BadInput(f"rule {key} (H6) must have twelve faces, and got '{given}'")
        faces = _faces(given.upper())
    else:
        names = given.split(",") if isinstance(given, str) else given
        if not isinstance(names, list | tuple) or not all(isinstance(n, str) for n in names):
            raise BadInput(f"rule {key} (H6) must be twelve faces, and got '{given}'")
        faces = tuple(find(f"face in rule {key} (H6)", name.strip(), FACES) for name in names)
    if len(faces) != SIDES:
        raise BadInput(
            f"rule {key} (H6) must have twelve faces, and got {len(faces)}: {_summary(faces)}"
        )
    return faces


def _name_of(pair: tuple[tuple[str, ...], tuple[str, ...]]) -> str:
    """Return the name of a pair of dice, also of one that has none."""
    return next((name for name, dice in DICE.items() if dice == pair), _CUSTOM)


def _summary(faces: tuple[str, ...]) -> str:
    return ", ".join(f"{faces.count(face)} {face}" for face in FACES if face in faces)


def _die(number: int, words: str) -> Any:
    """Declare the field of a die."""
    return rule(DICE["assumed"][number], "H6", words, parse=read_die, show=_summary)


_SPECIALS = {FACES[face] for face in (DOG, FOX, WOLF, SKUNK, T)}


def _can_cancel_t(rules: Any) -> bool:
    """H9: return whether a roll can show a T and another special."""
    pair = set(rules.wolf_die), set(rules.fox_die)
    return any(FACES[T] in one and other & _SPECIALS for one, other in (pair, pair[::-1]))


def _can_lose_a_pair(rules: Any) -> bool:
    """H12: return whether the roll after a wolf can show an animal twice."""
    wolf_die, fox_die = set(rules.wolf_die), set(rules.fox_die)
    herd = {ANIMALS[animal] for animal in HERD_ANIMALS}
    return FACES[WOLF] in wolf_die | fox_die and bool(wolf_die & fox_die & herd)


@dataclasses.dataclass(frozen=True)
class HerdRules(Rules):
    """The rules of Have You Herd?; every [reading] is a field with its alternatives."""

    game: ClassVar[str] = "herd"

    rabbits: int = rule(52, "H1", "rabbit tiles", low=4, high=127)
    sheep: int = rule(24, "H1", "sheep tiles", low=0, high=31)
    pigs: int = rule(20, "H1", "pig tiles", low=0, high=31)
    cows: int = rule(15, "H1", "cow tiles", low=0, high=31)
    horses: int = rule(4, "H1", "horse tiles", low=0, high=31)
    dogs: int = rule(4, "H1", "dog tiles", low=0, high=31)
    skunks: int = rule(1, "H1", "skunk tiles; without one the face only cancels", low=0, high=1)
    first_game: bool = rule(False, "H3", "everybody starts with a sheep too")
    dice: str = reading(
        "assumed",
        "H6",
        "the pair of dice, by name; 'custom' when wolf_die or fox_die say otherwise",
        alternatives=tuple(DICE),
        only=False,
    )
    wolf_die: tuple[str, ...] = _die(0, "its twelve faces, as 5R2SPCWKT or names")
    fox_die: tuple[str, ...] = _die(1, "its twelve faces, as 5R2S2PHFD or names")
    max_rabbits: int = rule(12, "H7", "most rabbits a player may own", low=1, high=15)
    max_horses: int = rule(1, "H7", "most horses a player may own", low=1, high=3)
    max_dogs: int = rule(1, "H7", "most dogs a player may own", low=0, high=3)
    t_cancels: bool = reading(
        False,
        "H9",
        "T is one of the specials that cancel one another",
        alternatives=(False, True),
        when=When("a T on one die and a special on the other", _can_cancel_t),
    )
    wolf_pair_loses: int = reading(
        1,
        "H12",
        "tiles lost of a kind that both dice show",
        alternatives=(1, 2),
        when=When("a wolf on a die and an animal on both", _can_lose_a_pair),
    )
    rabbits_for_sheep: int = rule(5, "H15", "rabbits for a sheep", low=1, high=15)
    sheep_for_pig: int = rule(2, "H15", "sheep for a pig", low=1, high=31)
    pigs_for_cow: int = rule(2, "H15", "pigs for a cow", low=1, high=31)
    horse_price: int = reading(
        2,
        "H15",
        "cows for a horse",
        alternatives=(2, 3),
        only=False,
        low=1,
        high=31,
        when=When("horse tiles", lambda rules: rules.horses > 0),
    )
    max_turns: int = rule(10_000, "H16", "turns after which nobody wins", low=1, high=1_000_000)

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        """Return the rules; naming a pair of dice sets both, giving faces makes them custom."""
        settings = cls.by_name(settings)
        name = settings.pop("dice", None)
        name = None if name is None else match(str(name), (*DICE, _CUSTOM)) or str(name)
        faces = {key: read_die(key, settings[key]) for key in _DIE_KEYS if key in settings}
        if name is not None and name not in DICE and not (name == _CUSTOM and len(faces) == 2):  # noqa: PLR2004
            raise unknown(
                "value of rule dice (H6), where wolf_die and fox_die are not both given", name, DICE
            )
        pair = dict(zip(_DIE_KEYS, DICE.get(name or "assumed", DICE["assumed"]), strict=True))
        pair.update(faces)
        settings.update(pair, dice=_name_of((pair["wolf_die"], pair["fox_die"])))
        return super().from_settings(settings)

    def but(self, **settings: Any) -> Self:
        """Return the same rules with other `settings`; a pair of dice by name replaces both."""
        mine, settings = self.as_dict(), self.by_name(settings)
        if "dice" in settings:
            mine = {key: value for key, value in mine.items() if key not in _DIE_KEYS}
        return self.from_settings({**mine, **settings})

    def check(self) -> None:
        """Refuse dice and supplies with which the game could not be played."""
        for key in _DIE_KEYS:
            read_die(key, getattr(self, key))
        if self.dice != _name_of((self.wolf_die, self.fox_die)):
            raise BadInput(
                f"rule dice (H6) is '{self.dice}', but wolf_die and fox_die are "
                f"'{_name_of((self.wolf_die, self.fox_die))}': HerdRules.from_settings sets both"
            )
        faces = set(self.wolf_die) | set(self.fox_die)
        if len(faces) == 1 and FACES.index(faces.pop()) in HERD_ANIMALS:
            raise BadInput(
                f"rules wolf_die and fox_die (H6, H8) must differ somewhere, and both show only "
                f"{self.wolf_die[0]}s: every roll would be a double and no turn would end"
            )
        if self.first_game and self.sheep < MAX_PLAYERS:
            raise BadInput(
                f"rule sheep (H1, H3) must be at least {MAX_PLAYERS} with first_game=true, "
                f"and got '{self.sheep}'"
            )

    @property
    def tiles(self) -> tuple[int, ...]:
        """H1: how many tiles of each animal there are."""
        return (self.rabbits, self.sheep, self.pigs, self.cows, self.horses, self.dogs)

    @property
    def limits(self) -> tuple[int, ...]:
        """H7: how many of each animal a player may own; as many as there are where no limit is."""
        return (self.max_rabbits, self.sheep, self.pigs, self.cows, self.max_horses, self.max_dogs)

    @property
    def prices(self) -> tuple[tuple[int, ...], ...]:
        """H15: what each trade of `TRADES` costs, as a count of each animal."""
        return (
            (0, 0, 0, 0, 0, 0),
            (self.rabbits_for_sheep, 0, 0, 0, 0, 0),
            (0, self.sheep_for_pig, 0, 0, 0, 0),
            (0, 0, self.pigs_for_cow, 0, 0, 0),
            (0, 0, 0, self.horse_price, 0, 0),
            (1, 1, 0, 0, 0, 0),
        )


_DIE_KEYS = ("wolf_die", "fox_die")
