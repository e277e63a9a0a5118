"""Does a verdict stand?  A comparison repeated under every reading of a game's unclear clauses."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from herdlab.analysis.experiment import Experiment, Interrupted
from herdlab.analysis.result import Result
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.stats.verdicts import Kind
from herdlab.analysis.studies.compare import CompareRequest, Comparison, compare
from herdlab.simcore.errors import BadInput
from herdlab.simcore.rules import RuleNote

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Reading:
    """The rules with one unclear clause read in another way."""

    setting: str
    """Such as ``horse_price=3``."""
    clause: str
    experiment: Experiment


def other_readings(experiment: Experiment) -> list[Reading]:
    """Return every other reading that can matter, one change at a time; refuse impossible ones."""
    found = []
    for key, note, alternative, setting in _alternatives(experiment):
        if note.matters(experiment.rules):
            try:
                found.append(Reading(setting, note.clause, experiment.under(**{key: alternative})))
            except BadInput as mistake:
                raise BadInput(f"with {setting}: {mistake}") from None
    return found


def skipped_readings(experiment: Experiment) -> list[dict[str, str]]:
    """Return the readings that change nothing here, and with what they would matter."""
    return [
        {"setting": setting, "clause": note.clause, "only_with": note.when.words}
        for _, note, _, setting in _alternatives(experiment)
        if note.when is not None and not note.matters(experiment.rules)
    ]


def _alternatives(experiment: Experiment) -> Iterator[tuple[str, RuleNote, Any, str]]:
    """Yield rule, note, value and setting of every reading other than the given ones."""
    for key, note in experiment.rules.notes().items():
        for alternative in note.alternatives:
            if alternative != getattr(experiment.rules, key):
                yield key, note, alternative, f"{key}={note.show(alternative)}"


@dataclass(frozen=True)
class ReadingComparison:
    """A comparison under one reading."""

    setting: str
    """Such as ``horse_price=3``; "as given" for the rules that were asked for."""
    clause: str
    comparison: Comparison

    @property
    def finding(self) -> Kind:
        """Return the verdict; identical play is a tie."""
        return self.comparison.outcome


@dataclass(frozen=True, repr=False)
class Readings(Result):
    """Comparisons under the rules as given, and with each reading changed, one at a time."""

    rows: list[ReadingComparison]

    @property
    def failing(self) -> list[ReadingComparison]:
        """Those whose finding is another than under the rules as given."""
        return [one for one in self.rows if one.finding != self.rows[0].finding]

    @property
    def sentence(self) -> str:
        """Return whether the verdict stands, in a sentence."""
        n, others = len(self.rows), self.failing
        is_open = self.rows[0].finding == Kind.OPEN
        if not others:
            tried = "the one reading" if n == 1 else f"all {n} readings"
            return f"{'is too close to call' if is_open else 'holds'} under {tried} tried"
        fails = " and with ".join(one.setting for one in others if one.finding != Kind.OPEN)
        if is_open:
            return f"is too close to call under the rules as given, but not with {fails}"
        open_ = " and with ".join(one.setting for one in others if one.finding == Kind.OPEN)
        parts = [f"holds under {n - len(others)} of {n} readings tried"]
        parts += [f"fails with {fails}"] if fails else []
        parts += [f"is too close to call with {open_}"] if open_ else []
        return "; ".join(parts)

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``compare --readings --json`` prints."""
        given = self.rows[0].comparison.as_json()
        keys = ("rules_hash", "difference", "ci_low", "ci_high", "lucks", "verdict", "kind")
        return {
            **given,
            "command": "readings",
            "games": sum(one.comparison.games for one in self.rows),
            "readings": [
                {
                    "setting": one.setting,
                    "clause": one.clause,
                    "holds": one.finding == self.rows[0].finding,
                    **{key: one.comparison.as_json()[key] for key in (*keys, "settled")},
                }
                for one in self.rows
            ],
            "readings_not_tried": skipped_readings(self.rows[0].comparison.request.experiment),
            "sentence": self.sentence,
        }

    def tables(self) -> "dict[str, pd.DataFrame]":
        """Return the tables, that of the readings with all that is known of each comparison."""
        import pandas as pd

        found = super().tables()
        about = found["readings"][["setting", "clause", "holds", "rules_hash", "settled"]]
        each = [one.comparison.tables()["difference"] for one in self.rows]
        return found | {"readings": about.join(pd.concat(each, ignore_index=True))}


def compare_readings(request: CompareRequest, runner: Runner = HERE) -> Readings:
    """Repeat a comparison with every reading changed, one at a time; they share the error budget.

    A reading under which a strategy cannot play, or that is impossible with the settings given, is
    refused with its own sentence.
    """
    given = Reading("as given", "", request.experiment)
    readings = [given, *other_readings(request.experiment)]
    confidence = 1 - (1 - request.confidence) / len(readings)
    requests = []
    for one in readings:
        try:
            changed = replace(request, experiment=one.experiment, confidence=confidence)
        except BadInput as mistake:
            raise BadInput(f"with {one.setting}: {mistake}") from None
        requests.append(changed)
    rows: list[ReadingComparison] = []
    for one, asked in zip(readings, requests, strict=True):
        try:
            found = compare(asked, runner.for_part(len(rows), len(requests)))
        except Interrupted:
            raise Interrupted(Readings(rows) if rows else None, None) from None
        rows.append(ReadingComparison(one.setting, one.clause, found))
    return Readings(rows)
