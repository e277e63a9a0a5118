"""What is needed to ask, and what an answer is made of.

A question measures ways to play on common deals and collects *findings*; its verdict is composed
from them.  Quick answers play a fixed, small number of deals and say that they are rough; others
go on until everything is settled, or its limit is reached.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from herdlab.analysis.experiment import Experiment, joined
from herdlab.analysis.findings import Finding
from herdlab.analysis.questions import find_question
from herdlab.analysis.result import Result
from herdlab.analysis.runs.progress import OnProgress
from herdlab.analysis.runs.provenance import provenance
from herdlab.analysis.runs.runner import HERE, Runner
from herdlab.analysis.sampling.paired_estimates import PairedEstimates
from herdlab.analysis.sampling.paired_samples import Contender, PairedSamples
from herdlab.analysis.words.phrases import sentence
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game

if TYPE_CHECKING:
    import pandas as pd

_FINE = 1000
"""Shares of an answer that a progress bar tells apart."""


def is_allowed(experiment: Experiment, players: int) -> bool:
    """Whether so many can play by these rules."""
    try:
        experiment.rules.check_players(players)
    except BadInput:
        return False
    return True


def table_sizes(experiment: Experiment) -> list[int]:
    """Return the numbers of players that the game and its rules allow; refuse rules for none."""
    sizes = range(experiment.smallest_table, experiment.game.max_players + 1)
    allowed = [players for players in sizes if is_allowed(experiment, players)]
    if not allowed:
        experiment.rules.check_players(sizes[-1])
    return allowed


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
    intervals: int = 1
    """Intervals of the whole answer, which share one chance of being wrong."""
    parts: int = 1
    """Of how many parts it is made."""
    begun_parts: int = 0
    begun: float = field(default_factory=time.perf_counter)

    def measure(self, contenders: Sequence[Contender], metric: str, deals: int) -> PairedEstimates:
        """Measure contenders side by side on so many common deals: a part of the answer."""
        samples = PairedSamples(self.experiment.game, contenders, metric, self.experiment.seed)
        found = samples.measure(range(deals), runner=self.next_runner())
        self.games += found.games
        return found

    def next_runner(self) -> Runner:
        """Begin the next part; return what plays it."""
        return self.runner.telling(self.next_part())

    def next_part(self) -> OnProgress:
        """Begin the next part; return what hears of it, and tells it as a share of everything."""
        part, self.begun_parts = self.begun_parts, self.begun_parts + 1
        tell, parts = self.on_progress, max(self.parts, self.begun_parts)

        def hear(done: int, of: int) -> None:
            if tell is not None:
                tell(round(_FINE * (part + done / max(1, of)) / parts), _FINE)

        return hear

    def answer(
        self,
        said: Sequence[str],
        *,
        settled: bool,
        findings: Sequence[Finding],
        notes: Sequence[str] = (),
        data: dict[str, Any] | None = None,
        strategies: Sequence[str] | None = None,
    ) -> "Answer":
        """Return the answer, with what was played to find it; the first sentence says most.

        `strategies` are those that it speaks of, where these are not all that the question plays.
        """
        return Answer(
            replace(self, on_progress=None),
            tuple(map(sentence, said)),
            settled,
            list(findings),
            list(map(sentence, notes)),
            data or {},
            self.games,
            time.perf_counter() - self.begun,
            find_question(self.question).plays.split() if strategies is None else list(strategies),
        )


@dataclass(frozen=True, repr=False)
class Answer(Result):
    """What was found: a sentence first, then the findings, then where it stops being true."""

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
    strategies: list[str]

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
            "strategies": self.strategies,
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
            whole.get("strategies") or find_question(whole["question"]).plays.split(),
        )

    def frame(self) -> "pd.DataFrame":
        """Return one row a finding."""
        import pandas as pd

        return pd.DataFrame([one.as_json() for one in self.findings])
