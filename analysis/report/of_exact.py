"""What was worked out exactly, as a report: turns alone, and the game as a race."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate

from herdlab.analysis.figures.courses import Course, courses
from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.report.composing import (
    NOTHING,
    Composed,
    Result,
    number,
    percent,
    table,
)
from herdlab.analysis.report.document import (
    Cell,
    Paragraph,
    Part,
    Picture,
    Points,
    Section,
    Table,
    Verdict,
)
from herdlab.analysis.words.phrases import capital, listed, sentence

_SHARES = (0.05, 0.5, 0.95)
_DOGS = {
    "sold": "dogs as the rules have them",
    "rolled-only": "dogs only rolled",
    "none": "no dogs",
}
_ALMOST_ALL = 0.999
"""Where finishing-time curves end."""


_EXACT = (
    "A player's game alone was worked out exactly, as a Markov chain over all herds, without any "
    "game being played."
)


def compose_solved(whole: Result) -> Composed:
    """Return exact solo games as parts of a document."""
    parts: list[Part] = [
        *(Paragraph(sentence(one)) for one in whole["sentences"]),
    ]
    if any(one["distribution"] for one in whole["results"]):
        parts.insert(0, _finishing(whole))
    return Composed(
        "A player alone",
        Verdict(_verdict(whole), (), _EXACT),
        True,
        (Section("Turns until the herd is complete", (*parts, _turns(whole))),),
        (_EXACT,),
    )


def _name(whole: Result, one: Result) -> str:
    name: str = one["strategy"]
    return f"{name}, {_DOGS[one['dogs']]}" if _has_several(whole) else name


def _has_several(whole: Result) -> bool:
    """Whether dogs are had in several ways."""
    return len({row["dogs"] for row in whole["results"]}) > 1


def _verdict(whole: Result) -> str:
    known = [one for one in whole["results"] if one["mean_turns"] is not None]
    if not known:
        return "None of these strategies is sure to finish."
    fastest = sorted(known, key=lambda one: one["mean_turns"])
    told = [f"{_name(whole, one)} {one['mean_turns']:.3f}" for one in fastest]
    return f"Turns alone, on average and exactly: {listed(told)}."


def _finishing(whole: Result) -> Picture:
    lines = []
    for one in whole["results"]:
        if not one["distribution"]:
            continue
        done = [100 * share for share in accumulate(one["distribution"], initial=0.0)]
        end = next((at for at, share in enumerate(done) if share > 100 * _ALMOST_ALL), len(done))
        median = next((at for at, share in enumerate(done) if share >= 50), None)  # noqa: PLR2004
        shown = done[: end + 1]
        lines.append(Course(_name(whole, one), range(len(shown)), shown, mark=median))
    values = "; ".join(f"{one.label} {one.mark}" for one in lines)
    return Picture(
        Drawing(
            "Who has finished by which turn, alone",
            partial(
                courses,
                lines,
                x_label="own turns",
                y_label="herds complete, %",
                is_step=True,
                zero_to=(0.0, 100.0),
            ),
            f"Rising curves of the chance to have finished, by turn. Half have by turn: {values}.",
            "Marked: the turn by which half have finished. Exact, so without intervals.",
        )
    )


def _within(distribution: Sequence[float], share: float) -> int | None:
    """Return the turns within which it is done with such a chance."""
    for turns, done in enumerate(accumulate(distribution), start=1):
        if done >= share:
            return turns
    return None


def _turns(whole: Result) -> Table:
    best = {
        one["dogs"]: one["mean_turns"]
        for one in whole["results"]
        if one["strategy"] == "optimal" and one["mean_turns"] is not None
    }
    has_several = _has_several(whole)
    rows = []
    for one in whole["results"]:
        mean, sd = one["mean_turns"], one["sd_turns"]
        row = [Cell(one["strategy"])]
        row += [Cell(_DOGS[one["dogs"]])] if has_several else []
        row.append(NOTHING if mean is None else number(mean, f"{mean:.6f}"))
        row.append(NOTHING if sd is None else number(sd, f"{sd:.6f}"))
        for share in _SHARES:
            turns = _within(one["distribution"], share)
            row.append(NOTHING if turns is None else number(turns, str(turns)))
        if best:
            above = None if mean is None or one["dogs"] not in best else mean - best[one["dogs"]]
            row.append(NOTHING if above is None else number(above, f"{above:.6f}"))
        rows.append(row)
    head = [
        "strategy",
        *(["dogs"] if has_several else []),
        "mean turns ",
        "sd ",
        "5 % ",
        "50 % ",
        "95 % ",
    ]
    head += ["above the best "] if best else []
    note = "5 %, 50 %, 95 %: turns within which it is done with that chance."
    return table("Turns alone, exactly", head, rows, note)


def compose_race(whole: Result) -> Composed:
    """Return a game taken as a race as parts of a document."""
    tables: list[Part] = [_race_table("By seat", whole["seats"])]
    sure = (
        f"The race, in which players only finish their own solo games, is exact; the real game "
        f"and what skunk, T trades and supply add were measured on {whole['lucks']:,} deals, "
        f"{whole['games']:,} games, and their intervals hold together with 95 %."
    )
    if whole["strategies"]:
        tables.insert(0, _race_table("By strategy, each in every seat", whole["strategies"]))
    return Composed(
        f"{listed(whole['players'])}: race and real game",
        Verdict(sentence(capital(whole["sentence"])), (), sure),
        whole["precision_reached"] is not False,
        (Section("Race and real game", (*tables, Points(tuple(_remarks(whole))))),),
        (sure,),
    )


_LEAST_SHOWN = 5e-5
"""A chance that is rounded to nothing is not worth a line."""


def _remarks(whole: Result) -> Iterator[str]:
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


def _solo(one: Result) -> str:
    if one["mean_turns"] is None:
        return f"{one['strategy']} may never finish"
    return f"{one['strategy']} {one['mean_turns']:.3f} turns (sd {one['sd_turns']:.2f})"


def _with_half(one: Result, key: str, sign: str = "") -> Cell:
    """Return points with the longer side of the interval."""
    value = one[key]
    half = max(one[f"{key}_ci_high"] - value, value - one[f"{key}_ci_low"])
    return number(value, f"{100 * value:{sign}z.2f} ± {100 * half:.2f}")


def _race_table(title: str, racers: Sequence[Result]) -> Table:
    rows = []
    for one in racers:
        row = [Cell("–") if one["seat"] is None else number(one["seat"], str(one["seat"]))]
        row += [Cell(one["strategy"]), number(one["race"], f"{100 * one['race']:.2f}")]
        for key in ("skunk", "t", "supply"):
            row.append(_with_half(one, key, "+"))
        row.append(_with_half(one, "real"))
        rows.append(row)
    head = ["seat ", "strategy", "race ", "skunk ", "T trades ", "supply ", "real game "]
    if racers[0]["seat"] is None:
        head, rows = head[1:], [row[1:] for row in rows]
    note = "In per cent of games won: race + skunk + T trades + supply = real game."
    return table(title, head, rows, note)
