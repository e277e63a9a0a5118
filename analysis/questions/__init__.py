"""Questions that people ask, each in a file of its own: what is compared, and how it is worded."""

import re
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from herdlab.simcore.errors import BadInput, match, unknown
from herdlab.simcore.game import Game, find_game, games

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing
    from herdlab.analysis.questions.asking import Answer, Ask


@dataclass(frozen=True)
class Question:
    """A question that can be asked; its module has `answer`, `drawings`, perhaps `check`."""

    name: str
    words: str
    games: tuple[str, ...]
    """The games it is about, the usual one first; none: any game, which is named with it."""
    module: str
    keywords: tuple[str, ...]
    """Beginnings of words that point to this question."""
    takes_players: bool = False
    """Whether it can be asked for strategies that one names."""

    @property
    def command(self) -> str:
        """The command that asks it."""
        return f"herdlab ask {self.name}" + ("" if self.games else " herd")

    def about(self, game: str | None) -> Game:
        """Return the game that it is asked about; refuse one that it is not about."""
        if game is None:
            if not self.games:
                known = ", ".join(games())
                raise BadInput(
                    f"'{self.name}' can be asked of any game, so name one, such as "
                    f"'{self.command}': known: {known}"
                )
            return find_game(self.games[0])
        found = find_game(game)
        if self.games and found.name not in self.games:
            about = " and ".join(self.games)
            raise BadInput(f"'{self.name}' is a question about {about}, not about {found.name}")
        return found

    def check(self, ask: "Ask") -> None:
        """Refuse what it cannot be asked for, before an engine is loaded."""
        if ask.players is not None and not self.takes_players:
            raise BadInput(f"'{self.name}' chooses its strategies itself and takes no players")
        refuse = getattr(import_module(self.module), "check", None)
        if refuse is not None:
            refuse(ask)

    def answer(self, ask: "Ask") -> "Answer":
        """Find the answer."""
        found: Answer = import_module(self.module).answer(ask)
        return found

    def drawings(self, answer: "Answer") -> "list[Drawing]":
        """Return the pictures of an answer, of which the first says most; at least one."""
        found: list[Drawing] = import_module(self.module).drawings(answer)
        return found


def _question(
    name: str, words: str, *games: str, keywords: str, takes_players: bool = False
) -> Question:
    module = f"herdlab.analysis.questions.{name.replace('-', '_')}"
    return Question(name, words, games, module, tuple(keywords.split()), takes_players)


QUESTIONS = {
    one.name: one
    for one in (
        _question(
            "guard-dog", "Is the Guard Dog worth it?", "herd", keywords="guard dog wolf fox protect"
        ),
        _question(
            "trade-up",
            "Trade up at once, or keep animals to breed from?",
            "herd",
            keywords="trad upgrad exchang breed multipl animal",
        ),
        _question(
            "donkey",
            "Pass the Donkey on, keep it, or claim with it?",
            "barnyard",
            keywords="donkey claim wild barnyard",
        ),
        _question(
            "swap-hoard",
            "Burn SWAP cards or keep them; what is a fast hand worth?",
            "swap",
            keywords="swap hoard burn fast slap speed",
        ),
        _question(
            "bluff",
            "Does bluffing pay, and how often should one call it?",
            "horse-trader",
            "bronco",
            keywords="bluff call lie lying honest",
        ),
        _question(
            "hostage",
            "Does it pay to hold pieces hostage?",
            "horse-trader",
            "bronco",
            keywords="hostage hold piece puzzle",
        ),
        _question(
            "seat",
            "What is the first seat worth?",
            keywords="seat first start begin order",
            takes_players=True,
        ),
    )
}


def find_question(name: str) -> Question:
    """Return the question called `name`; for other words, point to the one that fits best."""
    found = match(name, QUESTIONS)
    if found is not None:
        return QUESTIONS[found]
    meant = question_meant(name)
    if meant is None:
        raise unknown("question", name, QUESTIONS)
    raise BadInput(f"no question '{name}'; try: {meant.command}")


def question_meant(text: str) -> Question | None:
    """Return the question with most keywords in `text`, if any has one.

    Words of the question itself break a tie.
    """
    words = set(re.findall(r"[\w-]+", text.lower()))

    def fit(one: Question) -> tuple[int, int]:
        hits = [any(_begins(word, key) for key in one.keywords) for word in words]
        return sum(hits), len(words & set(re.findall(r"\w+", one.words.lower())))

    best = max(QUESTIONS.values(), key=fit)
    return best if fit(best)[0] else None


def _begins(word: str, key: str) -> bool:
    """Whether a word begins with a keyword; names with dashes do not count."""
    return word == key or (word.isalpha() and word.startswith(key))
