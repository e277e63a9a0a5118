"""Why a part of a study cannot be played, and which of its keys is to blame."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

from herdlab.analysis.report.study.toml_lines import Where
from herdlab.analysis.report.study.values import arguments_of
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Game

if TYPE_CHECKING:
    from herdlab.analysis.report.study.study import StudyPart


class _Good(Exception):
    """Stops a function of herdlab that has found its request good, before it plays."""


def _stop(_: Game) -> NoReturn:
    raise _Good


def refusal(part: "StudyPart", functions: Mapping[str, Callable[..., Any]]) -> str | None:
    """Return why herdlab's function cannot play a part, if it cannot."""
    try:
        part.call(functions, prepare=_stop)
    except _Good:
        return None
    except BadInput as mistake:
        return str(mistake)
    raise AssertionError(f"{part.command} played before its request was checked")


@dataclass(frozen=True)
class Blame:
    """Finds which key of a part is to blame for a refusal."""

    part: "StudyPart"
    functions: Mapping[str, Callable[..., Any]]
    sentence: str
    """Why the part is refused."""

    def in_words_of_studies(self) -> str:
        """Return the sentence with keys in place of options."""
        sentence = self.sentence
        for key in arguments_of(self.functions[self.part.command]):
            sentence = _option(key).sub(key, sentence)
        return sentence

    def place(self, here: Where, own_rules: Collection[str]) -> Where:
        """Return the key without which the part would not be refused so; else the part."""
        given, takes = self.part.arguments, arguments_of(self.functions[self.part.command])
        needed = [key for key in given if takes[key].default is takes[key].empty]
        places = [
            where
            for where, other in self._without(here, own_rules, needed)
            if refusal(other, self.functions) != self.sentence
        ]
        if not places and len(needed) == 1:
            return (*here, needed[0])
        for where in places:
            if where[-1] in given and self._names(str(where[-1])):
                return where
        if places:
            return places[0]
        about = [key for key in needed if self._names(key)]
        about += [key for key in needed if len(key) > 1 and f" {key}" in self.sentence]
        return (*here, about[0]) if about else here

    def _without(
        self, here: Where, own_rules: Collection[str], needed: Collection[str]
    ) -> Iterator[tuple[Where, "StudyPart"]]:
        """Yield each key that could be left out, and the part without it."""
        rules, given = self.part.rules, self.part.arguments
        for key in rules:
            place = here if key in own_rules else ()
            yield (*place, "rules", key), replace(self.part, rules=_but(rules, key))
        for key in given:
            if key not in needed:
                yield (*here, key), replace(self.part, arguments=_but(given, key))

    def _names(self, key: str) -> bool:
        """Whether the sentence names an option, its value, or a strategy or variable in it."""
        value = self.part.arguments[key]
        given = value if isinstance(value, list) else str(value).split(",")
        texts = [part.split(":")[0] for one in given for part in (one, one.split("=")[0])]
        texts += [one.partition("=")[2] for one in given]
        return (
            _option(key).search(self.sentence) is not None
            or self.sentence.endswith(f"got {value}")
            or any(f"'{text.strip()}" in self.sentence for text in texts if text.strip())
        )


def _but(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name != key}


def _option(key: str) -> re.Pattern[str]:
    """Return a pattern for what an argument is called on the command line."""
    return re.compile(rf"--{key.replace('_', '-')}\b")
