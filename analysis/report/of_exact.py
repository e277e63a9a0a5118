"""What was worked out exactly, as a report: turns alone, and the game as a race."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING, Any

from herdlab.analysis.figures.courses import Course, courses
from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.report import document
from herdlab.analysis.report.columns import half, number, table_of, text, value
from herdlab.analysis.tables import Whole, tables_of
from herdlab.analysis.words.numbers import POINTS, RATE, percent
from herdlab.analysis.words.phrases import capital, listed, sentence

if TYPE_CHECKING:
    import pandas as pd

_SHARES = {"5 %": 0.05, "50 %": 0.5, "95 %": 0.95}
_DOGS = {
    "sold": "dogs as the rules have them",
    "rolled-only": "dogs only rolled",
    "none": "no dogs",
}
_ALMOST_ALL = 99.9
"""Per cent: where finishing-time curves end."""
_EXACT = (
    "A player's game alone was worked out exactly, as a Markov chain over all herds, without any "
    "game being played."
)


def compose_solved(whole: Whole) -> document.Composed:
    """Return exact solo games as parts of a document."""
    parts: list[document.Part] = [document.Paragraph(sentence(one)) for one in whole["sentences"]]
    if any(one["distribution"] for one in whole["results"]):
        parts.insert(0, _finishing(whole))
    return document.Composed(
        "A player alone",
        document.Verdict(_verdict(whole), how_sure=_EXACT),
        True,
        (document.Section("Turns until the herd is complete", (*parts, _turns(whole))),),
        (_EXACT,),
    )


def _name(whole: Whole, one: Whole) -> str:
    return f"{one['strategy']}, {_DOGS[one['dogs']]}" if _has_several(whole) else one["strategy"]


def _has_several(whole: Whole) -> bool:
    """Whether dogs are had in several ways."""
    return len({row["dogs"] for row in whole["results"]}) > 1


def _verdict(whole: Whole) -> str:
    known = [one for one in whole["results"] if one["mean_turns"] is not None]
    if not known:
        return "None of these strategies is sure to finish."
    fastest = sorted(known, key=lambda one: one["mean_turns"])
    told = [f"{_name(whole, one)} {one['mean_turns']:.3f}" for one in fastest]
    return f"Turns alone, on average and exactly: {listed(told)}."


def _finishing(whole: Whole) -> Drawing:
    lines = []
    for one in whole["results"]:
        if one["distribution"]:
            done = [100 * share for share in accumulate(one["distribution"], initial=0.0)]
            end = next((at for at, share in enumerate(done) if share > _ALMOST_ALL), len(done))
            shown, median = done[: end + 1], _within(one["distribution"], 0.5)
            lines.append(Course(_name(whole, one), range(len(shown)), shown, mark=median))
    values = "; ".join(f"{one.label} {one.mark}" for one in lines)
    how: Any = {"x_label": "own turns", "y_label": "herds complete, %", "zero_to": (0.0, 100.0)}
    return Drawing(
        "Who has finished by which turn, alone",
        partial(courses, lines, is_step=True, **how),
        f"Rising curves of the chance to have finished, by turn. Half have by turn: {values}.",
        "Marked: the turn by which half have finished. Exact, so without intervals.",
    )


def _within(distribution: Sequence[float], share: float) -> int | None:
    """Return the turns within which it is done with such a chance."""
    found = enumerate(accumulate(distribution), start=1)
    return next((turns for turns, done in found if done >= share), None)


def _turns(whole: Whole) -> document.Table:
    turns = tables_of(whole)["results"]
    turns["dogs"] = turns["dogs"].map(_DOGS)
    for name, share in _SHARES.items():
        turns[name] = [_within(one["distribution"], share) for one in whole["results"]]
    best = turns[turns["strategy"] == "optimal"].set_index("dogs")["mean_turns"].dropna()
    if len(best):
        turns["above"] = turns["mean_turns"] - turns["dogs"].map(best)
    columns = (
        text("strategy", "strategy"),
        *([text("dogs", "dogs")] if _has_several(whole) else []),
        number("mean turns", "mean_turns", ".6f"),
        number("sd", "sd_turns", ".6f"),
        *(number(name, name) for name in _SHARES),
        number("above the best", "above", ".6f"),
    )
    note = "5 %, 50 %, 95 %: turns within which it is done with that chance."
    return table_of("Turns alone, exactly", turns, columns, note)


def compose_race(whole: Whole) -> document.Composed:
    """Return a game taken as a race as parts of a document."""
    racers, n = tables_of(whole)["racers"], len(whole["strategies"])
    parts: list[document.Part] = [
        _race_table("By seat", racers[n:]),
        document.Points(tuple(_remarks(whole))),
    ]
    sure = (
        f"The race, in which players only finish their own solo games, is exact; the real game "
        f"and what skunk, T trades and supply add were measured on {whole['lucks']:,} deals, "
        f"{whole['games']:,} games, and their intervals hold together with 95 %."
    )
    if whole["strategies"]:
        parts.insert(0, _race_table("By strategy, each in every seat", racers[:n]))
    return document.Composed(
        f"{listed(whole['players'])}: race and real game",
        document.Verdict(sentence(capital(whole["sentence"])), how_sure=sure),
        whole["precision_reached"] is not False,
        (document.Section("Race and real game", tuple(parts)),),
        (sure,),
    )


_LEAST_SHOWN = 5e-5
"""A chance that is rounded to nothing is not worth a line."""


def _remarks(whole: Whole) -> Iterator[str]:
    """Yield what the tables do not say themselves."""
    yield f"Alone, exactly: {', '.join(map(_solo, whole['solo']))}."
    yield f"The race lasts {whole['race_turns']:.2f} turns of all seats together."
    if whole["nobody"] > _LEAST_SHOWN:
        yield f"Nobody finishes it: {percent(whole['nobody'])}."
    for names, what in (
        (whole["watchers"], "what comes of looking at others, if so:"),
        (whole["hoarders"], "that no supply is large enough for"),
    ):
        if names:
            yield f"With T trades counts {what} {listed(names)}."
    dice = *whole["rules"]["wolf_die"], *whole["rules"]["fox_die"]
    if not (whole["watchers"] or whole["hoarders"] or "T" in dice):
        yield "These dice have no T: what stands there is chance."
    if whole["precision_reached"] is False:
        wanted = percent(whole["arguments"]["precision"])
        yield f"± {wanted}, which was asked for, was not reached in {whole['lucks']:,} deals."


def _solo(one: Whole) -> str:
    if one["mean_turns"] is None:
        return f"{one['strategy']} may never finish"
    return f"{one['strategy']} {one['mean_turns']:.3f} turns (sd {one['sd_turns']:.2f})"


def _race_table(title: str, racers: "pd.DataFrame") -> document.Table:
    columns = (
        number("seat", "seat"),
        text("strategy", "strategy"),
        value("race", RATE, "race"),
        half("skunk", POINTS, "skunk", inf),
        half("T trades", POINTS, "t", inf),
        half("supply", POINTS, "supply", inf),
        half("real game", RATE, most=inf),
    )
    note = "In per cent of games won: race + skunk + T trades + supply = real game."
    return table_of(title, racers.dropna(axis="columns", how="all"), columns, note)
