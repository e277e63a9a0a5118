"""What is needed to ask, and what an answer is made of.

A question plays *duels* (comparisons on common deals) and collects *findings*; its verdict is
composed from them.  Quick answers play a fixed, small number of deals and say that they are rough;
others go on until every duel is settled, or its limit is reached.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from herdlab.analysis.experiment import Experiment, joined
from herdlab.analysis.findings import POINTS, Finding, measured
from herdlab.analysis.result import Result
from herdlab.analysis.runs.progress import OnProgress
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.paired_samples import Arm, Measured, PairedSamples
from herdlab.analysis.stats.estimates import corrected
from herdlab.analysis.studies.compare import CompareRequest, Comparison, compare
from herdlab.analysis.words.phrases import sentence
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game

if TYPE_CHECKING:
    import pandas as pd

_FINE = 1000
"""Parts of a step that a progress bar tells apart."""


def tables_of(experiment: Experiment) -> list[int]:
    """Return the numbers of players that the game and its rules allow; refuse rules for none."""
    found, refused = [], None
    for players in range(experiment.smallest_table, experiment.game.max_players + 1):
        try:
            experiment.rules.check_players(players)
            found.append(players)
        except BadInput as mistake:
            refused = mistake
    if refused is not None and not found:
        raise refused
    return found


@dataclass(frozen=True)
class Duel:
    """A comparison that a question needs: who is better, A or B, in a field, under some rules."""

    label: str
    a: str
    b: str
    others: tuple[str, ...]
    """The rest of the table."""
    experiment: Experiment
    metric: str = "win"
    margin: float | None = None
    """Within this a difference does not matter; None: half a percentage point of win rates."""

    def finding(self, section: str, found: Comparison) -> Finding:
        """Return the difference A - B that was found."""
        unit = POINTS if found.metric.is_rate else found.metric.words
        return measured(section, self.label, found.difference, unit)


@dataclass
class Ask:
    """A question as it was asked, and how the answer is to be found."""

    question: str
    experiment: Experiment
    quick: bool = False
    players: tuple[str, ...] | None = None
    """The line-up it is asked for, where a question takes one."""
    max_deals: int = 200_000
    """Deals after which a duel that is not settled is left open."""
    runner: Runner = HERE
    on_progress: OnProgress | None = None
    games: int = 0
    """Games played so far."""
    begun: float = field(default_factory=time.perf_counter)

    def duels(
        self,
        wanted: Sequence[Duel],
        *,
        quick_deals: int = 2_000,
        deals: int | None = None,
        steps: tuple[int, int] = (0, 1),
    ) -> list[Comparison]:
        """Play duels; they share one chance of a wrong interval, as they stand in one table.

        They are played until settled, or for so many `deals`: better where the size of a difference
        is asked for that is settled at once.
        `steps` says which part of the question this is, and of how many, for the progress bar.
        """
        fixed = quick_deals if self.quick else deals and min(deals, self.max_deals)
        confidence = corrected(len(wanted))
        found = []
        for number, duel in enumerate(wanted):
            request = CompareRequest(
                duel.experiment,
                duel.a,
                duel.b,
                duel.others,
                duel.metric,
                deals=fixed or self.max_deals,
                decide=not fixed,
                margin=duel.margin,
                confidence=confidence,
            )
            heard = self.heard(number, len(wanted), steps)
            found.append(compare(request, runner=self.runner, on_progress=heard))
            self.games += found[-1].games
        return found

    def measure(
        self,
        arms: Sequence[Arm],
        metric: str,
        deals: int,
        *,
        experiment: Experiment | None = None,
        steps: tuple[int, int] = (0, 1),
    ) -> Measured:
        """Measure arms side by side on so many common deals."""
        experiment = experiment or self.experiment
        panel = PairedSamples(experiment.game, arms, metric, experiment.seed)
        heard = self.heard(0, 1, steps)
        advance: Callable[[int], None] | None = None
        if heard is not None:
            tell = heard
            advance = lambda done: tell(done, deals)  # noqa: E731 (a def would be typed twice)
        found = panel.measure(range(deals), runner=self.runner, on_progress=advance)
        self.games += found.games
        return found

    def heard(self, number: int, total: int, steps: tuple[int, int] = (0, 1)) -> OnProgress | None:
        """Return what hears of one of `total` tasks of step `steps`, as a share of everything."""
        if self.on_progress is None:
            return None
        tell, (step, n_steps) = self.on_progress, steps

        def hear(done: int, of: int) -> None:
            share = (number + done / max(1, of)) / max(1, total)
            tell(round(_FINE * (step + share) / n_steps), _FINE)

        return hear

    def answer(
        self,
        said: Sequence[str],
        *,
        settled: bool,
        findings: Sequence[Finding],
        notes: Sequence[str] = (),
        data: dict[str, Any] | None = None,
    ) -> "Answer":
        """Return the answer, with what was played to find it; the first sentence says most."""
        return Answer(
            replace(self, on_progress=None),
            tuple(map(sentence, said)),
            settled,
            list(findings),
            list(map(sentence, notes)),
            data or {},
            self.games,
            time.perf_counter() - self.begun,
        )


@dataclass(frozen=True, repr=False)
class Answer(Result):
    """What was found: a sentence first, then the figures, then where it stops being true."""

    ask: Ask
    said: tuple[str, ...]
    """Sentences, the answer first, then why."""
    is_settled: bool
    findings: list[Finding]
    notes: list[str]
    """Where it holds and where not, and what to bear in mind; whole sentences."""
    data: dict[str, Any]
    """What the picture is drawn from, beside the findings."""
    games: int
    seconds: float

    @property
    def settled(self) -> bool:
        """Whether the intervals settle everything that is said."""
        return self.is_settled

    @property
    def verdict(self) -> str:
        """All that is said."""
        return " ".join(self.said)

    @property
    def arguments(self) -> dict[str, Any]:
        """What beside rules and seed decides the answer."""
        mine = self.ask
        return {
            "question": mine.question,
            "quick": mine.quick,
            "players": joined(mine.players),
            "max_games": None if mine.quick else mine.max_deals,
        }

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``ask --json`` prints."""
        return {
            "command": "ask",
            "question": self.ask.question,
            **self.ask.experiment.as_json(),
            "arguments": self.arguments,
            "headline": self.said[0],
            "points": list(self.said[1:]),
            "verdict": self.verdict,
            "settled": self.is_settled,
            "rough": self.ask.quick,
            "findings": [one.as_json() for one in self.findings],
            "notes": self.notes,
            "data": self.data,
            "games": self.games,
            **provenance(self.seconds),
        }

    @classmethod
    def from_json(cls, whole: Mapping[str, Any]) -> Self:
        """Return the answer that `as_json` was made from; its data are as JSON has them."""
        game, arguments = find_game(whole["game"]), whole["arguments"]
        rules = game.rules_type.from_settings(whole["rules"])
        experiment = Experiment(game, rules, whole["seed"], tuple(whole["plugins"]))
        players = arguments["players"] and tuple(arguments["players"].split(","))
        ask = Ask(whole["question"], experiment, arguments["quick"], players)
        ask.max_deals = arguments["max_games"] or ask.max_deals
        return cls(
            ask,
            (whole["headline"], *whole["points"]) if "headline" in whole else (whole["verdict"],),
            whole["settled"],
            [Finding.from_json(one) for one in whole["findings"]],
            list(whole["notes"]),
            dict(whole["data"]),
            whole["games"],
            whole["seconds"],
        )

    def frame(self) -> "pd.DataFrame":
        """Return one row a finding."""
        import pandas as pd

        return pd.DataFrame([one.as_json() for one in self.findings])
