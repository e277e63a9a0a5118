"""The deterministic anchor strategies of rules/herd.md, alone at the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .herd_solo_turn import DOG, UPWARD, Choose, Herd, Solo, complete

BEST_FIRST = tuple(reversed(UPWARD))  # cows->horse, pigs->cow, sheep->pig, rabbits->sheep


def winning_trade(solo: Solo, herd: Herd, legal: Sequence[str]) -> str | None:
    """Return a trade that wins at once, if there is one."""
    return next((trade for trade in legal if complete(solo.traded(herd, trade))), None)


def one_stays(solo: Solo, herd: Herd, trade: str) -> bool:
    """Say whether at least one of each animal given stays."""
    after = solo.traded(herd, trade)
    return all(after[animal] >= 1 for animal, paid in enumerate(solo.prices[trade]) if paid)


def dog_trade(solo: Solo, herd: Herd, legal: Sequence[str]) -> str | None:
    """Return the dog, if it has none and a rabbit and a sheep stay."""
    return "dog" if "dog" in legal and herd[DOG] == 0 and one_stays(solo, herd, "dog") else None


def keepers_trade(solo: Solo, herd: Herd, legal: Sequence[str]) -> str | None:
    """Return the best upward trade that leaves one of the animal given."""
    best = (trade for trade in BEST_FIRST if trade in legal and one_stays(solo, herd, trade))
    return next(best, None)


def climber(solo: Solo) -> Choose:
    """Make the best legal upward trade, always; never buy a dog."""

    def choose(herd: Herd, phase: str, legal: Sequence[str]) -> str | None:
        best = (trade for trade in BEST_FIRST if trade in legal)
        return winning_trade(solo, herd, legal) or next(best, None)

    return choose


def keeper(solo: Solo) -> Choose:
    """Trade as climber, but keep at least one of the animal given."""

    def choose(herd: Herd, phase: str, legal: Sequence[str]) -> str | None:
        return winning_trade(solo, herd, legal) or keepers_trade(solo, herd, legal)

    return choose


def keeper_dog(solo: Solo) -> Choose:
    """Trade as keeper; where keeper makes no trade, buy a dog."""

    def choose(herd: Herd, phase: str, legal: Sequence[str]) -> str | None:
        return (
            winning_trade(solo, herd, legal)
            or keepers_trade(solo, herd, legal)
            or dog_trade(solo, herd, legal)
        )

    return choose


def dog_first(solo: Solo) -> Choose:
    """Buy a dog before every other trade except one that wins."""

    def choose(herd: Herd, phase: str, legal: Sequence[str]) -> str | None:
        return (
            winning_trade(solo, herd, legal)
            or dog_trade(solo, herd, legal)
            or keepers_trade(solo, herd, legal)
        )

    return choose


def hermit(solo: Solo) -> Choose:
    """Never trade, not even to win."""
    return lambda herd, phase, legal: None


ANCHORS: dict[str, Callable[[Solo], Choose]] = {
    "climber": climber,
    "keeper": keeper,
    "keeper-dog": keeper_dog,
    "dog-first": dog_first,
    "hermit": hermit,
}
