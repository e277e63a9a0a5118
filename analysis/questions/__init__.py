"""Questions that people ask, each a file or a folder: what is compared, and how it is worded.

A question is declared in its own module: ``QUESTION = Question(…)``, of plain values only.  Beside
it stand `answer(ask)`, `drawings(answer)` and, if there is anything to refuse, `check(ask)`.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from herdlab.simcore.errors import BadInput, match, unknown
from herdlab.simcore.game import Game, find_game, games

if TYPE_CHECKING:
    from herdlab.analysis.figures.drawing import Drawing
    from herdlab.analysis.questions.asking import Answer, Ask


@dataclass(frozen=True)
class Question:
    """A question that can be asked."""

    name: str
    words: str
    keywords: str
    """Beginnings of words that point to this question."""
    plays: str
    """The strategies that its answer speaks of."""
    games: tuple[str, ...] = ()
    """The games it is about, the usual one first; none: any game, which is named with it."""
    takes_players: bool = False
    """Whether it can be asked for strategies that one names."""
    module: str = ""
    """Where it is answered; known from where it is declared."""

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
        from herdlab.analysis.questions.drawn import drawn_from_words

        found: list[Drawing] = import_module(self.module).drawings(answer)
        return [*found, *drawn_from_words(answer.findings)]


def _declared() -> Iterator[Question]:
    """Yield what the files and folders here declare as `QUESTION`.

    Declarations are read, not run: importing a question brings numpy, and pressing Tab must not.
    """
    here = Path(__file__).parent
    for file in (*here.glob("*.py"), *here.glob("*/__init__.py")):
        source = file.read_text(encoding="utf-8")
        _, is_declared, after = source.partition("\nQUESTION = ")
        if is_declared:
            call = ast.parse(after[: after.index("\n)") + 2], mode="eval").body
            assert isinstance(call, ast.Call)
            given = {str(one.arg): ast.literal_eval(one.value) for one in call.keywords}
            module = file.parent.name if file.stem == "__init__" else file.stem
            yield Question(**given, module=f"{__name__}.{module}")


def _place(one: Question) -> tuple[int, str]:
    """Return where a question is listed: in the order of the games, those of any game last."""
    order = list(games())
    return order.index(one.games[0]) if one.games else len(order), one.name


QUESTIONS = {one.name: one for one in sorted(_declared(), key=_place)}


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

    A word may begin with a keyword, unless it has a dash, as names have.  Words of the question
    itself break a tie.
    """
    words = set(re.findall(r"[\w-]+", text.lower()))

    def fit(one: Question) -> tuple[int, int]:
        keys = one.keywords.split()
        hits = [word in keys or (word.isalpha() and word.startswith(tuple(keys))) for word in words]
        return sum(hits), len(words & set(re.findall(r"\w+", one.words.lower())))

    best = max(QUESTIONS.values(), key=fit)
    return best if fit(best)[0] else None
