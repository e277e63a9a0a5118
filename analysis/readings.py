"""Does a verdict stand?  A comparison repeated under every reading of a game's unclear clauses."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from analysis.compare import ALIKE, SAME, UNSETTLED, CompareRequest, Comparison, compare
from analysis.progress import OnProgress
from analysis.scene import Interrupted, Scene
from analysis.venue import HERE, Venue
from simcore.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Reading:
    """The rules with one unclear clause read in another way."""

    setting: str
    """Such as ``horse_price=3``."""
    clause: str
    scene: Scene


def other_readings(scene: Scene) -> list[Reading]:
    """Return the scene with every reading changed, one at a time.

    One that is impossible beside the settings given is refused with its own sentence.
    """
    found = []
    for key, note in scene.rules.notes().items():
        for alternative in note.alternatives:
            if alternative != getattr(scene.rules, key):
                setting = f"{key}={note.show(alternative)}"
                try:
                    found.append(Reading(setting, note.clause, scene.under(**{key: alternative})))
                except BadInput as mistake:
                    raise BadInput(f"with {setting}: {mistake}") from None
    return found


@dataclass(frozen=True)
class UnderReading:
    """A comparison under one reading."""

    setting: str
    """Such as ``horse_price=3``; "as given" for the rules that were asked for."""
    clause: str
    comparison: Comparison

    @property
    def finding(self) -> str:
        """What was settled; play that is the same has no difference that matters."""
        if not self.comparison.is_settled:
            return UNSETTLED
        return ALIKE if self.comparison.kind == SAME else self.comparison.kind


@dataclass(frozen=True)
class Readings:
    """Comparisons under the rules as given, and with each reading changed, one at a time."""

    rows: list[UnderReading]

    @property
    def failing(self) -> list[UnderReading]:
        """Those whose finding is another than under the rules as given."""
        return [one for one in self.rows if one.finding != self.rows[0].finding]

    @property
    def sentence(self) -> str:
        """Return whether the verdict stands, in a sentence."""
        n, others = len(self.rows), self.failing
        if self.rows[0].finding == UNSETTLED:
            if not others:
                return f"is not settled under any of {n} readings"
            return f"is not settled under the rules as given, but with {_named(others)}"
        if not others:
            return f"holds under all {n} readings"
        open_ = [one for one in others if one.finding == UNSETTLED]
        fails = [one for one in others if one.finding != UNSETTLED]
        parts = [f"holds under {n - len(others)} of {n} readings"]
        parts += [f"fails with {_named(fails)}"] if fails else []
        parts += [f"is not settled with {_named(open_)}"] if open_ else []
        return "; ".join(parts)

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``compare --readings --json`` prints."""
        given = self.rows[0].comparison.as_json()
        keys = ("rules_hash", "difference", "ci_low", "ci_high", "lucks", "verdict", "settled")
        return {
            **given,
            "command": "readings",
            "games": sum(one.comparison.games for one in self.rows),
            "readings": [
                {
                    "setting": one.setting,
                    "clause": one.clause,
                    "holds": one.finding == self.rows[0].finding,
                    **{key: one.comparison.as_json()[key] for key in keys},
                }
                for one in self.rows
            ],
            "sentence": self.sentence,
        }

    def frame(self) -> "pd.DataFrame":
        """Return one row a reading."""
        import pandas as pd

        frame = pd.concat([one.comparison.frame() for one in self.rows], ignore_index=True)
        frame.insert(0, "setting", [one.setting for one in self.rows])
        frame["holds"] = [one.finding == self.rows[0].finding for one in self.rows]
        return frame


def _named(rows: list[UnderReading]) -> str:
    return " and with ".join(one.setting for one in rows)


def over_readings(
    request: CompareRequest,
    *,
    venue: Venue = HERE,
    on_progress: OnProgress | None = None,
) -> Readings:
    """Repeat a comparison with every reading changed, one at a time; they share the error budget.

    A reading under which a strategy cannot play, or that is impossible beside the settings given,
    is refused with its own sentence.
    """
    others = other_readings(request.scene)
    confidence = 1 - (1 - request.confidence) / (len(others) + 1)
    requests = [("as given", "", replace(request, confidence=confidence))]
    for other in others:
        try:
            changed = replace(request, scene=other.scene, confidence=confidence)
        except BadInput as mistake:
            raise BadInput(f"with {other.setting}: {mistake}") from None
        requests.append((other.setting, other.clause, changed))
    rows: list[UnderReading] = []
    for setting, clause, one in requests:
        heard = _part(on_progress, len(rows), requests)
        try:
            found = compare(one, venue=venue, on_progress=heard)
        except Interrupted:
            raise Interrupted(Readings(rows) if rows else None, None) from None
        rows.append(UnderReading(setting, clause, found))
    return Readings(rows)


def _part(on_progress: OnProgress | None, done: int, requests: list[Any]) -> OnProgress | None:
    """Return what hears of one comparison as a part of all, each taken for as long."""
    if on_progress is None:
        return None
    return lambda n, total: on_progress(done * total + n, len(requests) * total)
