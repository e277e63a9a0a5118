"""What `sweep` and `tune` print."""

from rich.text import Text

from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of, kind_of_wins
from herdlab.analysis.studies.sweep import Sweep, SweepPoint
from herdlab.analysis.studies.tune_result import Opponent, SearchSoFar, Tuned
from herdlab.analysis.terminal.show import console, percent, table
from herdlab.analysis.words.phrases import counted

_BESIDE = 8
"""Values of the second variable that have a column each; of more every point has a line."""


def sweep(found: Sweep) -> None:
    """Print a sweep, the sentence first."""
    request, out = found.request, console()
    names = " and ".join(variable.name for variable in found.variables)
    others = ", ".join(request.others) or "nobody"
    out.print(
        Text.assemble(
            (request.experiment.game.title, "bold"),
            f"  {request.grid.given} with {others}, in every seat in turn, "
            f"{names} varied: {counted(len(found.points), 'point')} on the same "
            f"{found.lucks:,} lucks, {found.games:,} games, {request.experiment.title()}",
        )
    )
    out.print(Text(f"{found.metric.words}: {found.sentence}."), style="bold")
    if len(found.variables) > 1 and len(found.variables[1].texts) <= _BESIDE:
        _crossed(found)
    else:
        _listed(found)
    apart = ""
    if found.best is not None and len(found.points) > 1:
        apart = "; of differences: 95 % for all points at once"
    out.print(
        f"[dim]{found.games / found.seconds:,.0f} games a second; rules "
        f"{request.experiment.rules.hash}; intervals over lucks, 95 % for each point{apart}[/dim]"
    )


def _listed(found: Sweep) -> None:
    """Print a line for each point."""
    unit = " %" if found.metric.is_rate else ""
    names = [f"{variable.name} " for variable in found.variables]
    head = [*names, f"{found.metric.words}{',' if unit else ''}{unit} ", "95 % interval "]
    head += [] if found.best is None else ["difference ", "interval ", ""]
    rows = []
    for place, one in enumerate(found.points):
        cells = [*one.values.values(), found.amount(one.estimate.value), _span(found, one.estimate)]
        if one.difference is not None:
            is_best = place == found.best
            apart = ["", ""] if is_best else _apart(found, one.difference)
            cells += [*apart, _mark(found, one)]
        rows.append(cells)
    console().print(table(head, rows))


def _crossed(found: Sweep) -> None:
    """Print a grid of two variables as one."""
    first, second = found.variables
    width = len(second.texts)
    rows = []
    for row, text in enumerate(first.texts):
        points = found.points[row * width : (row + 1) * width]
        cells = [f"{found.amount(one.estimate.value)}{_star(found, one)}" for one in points]
        rows.append([text, *cells])
    halves = [one.estimate.high - one.estimate.value for one in found.points]
    unit = ", %" if found.metric.is_rate else ""
    marks = f"; ** {found.best_word}; * ties with it; ? too close to call"
    marks = "" if found.best is None else marks
    console().print(
        f"{found.metric.words}{unit}, ± {found.amount(max(halves))} at most{marks}; {first.name} "
        f"down, {second.name} across"
    )
    console().print(table([f"{first.name} ", *(f"{text}   " for text in second.texts)], rows))


def _star(found: Sweep, one: SweepPoint) -> str:
    if found.best is None:
        return ""
    if one is found.points[found.best]:
        return " **"
    return {Kind.TIE: " * ", Kind.OPEN: " ? "}.get(one.kind or Kind.LOWER, "   ")


def _mark(found: Sweep, one: SweepPoint) -> str:
    if found.best is not None and one is found.points[found.best]:
        return found.best_word
    return {Kind.TIE: "tie", Kind.OPEN: "too close to call"}.get(one.kind or Kind.LOWER, "")


def _span(found: Sweep, one: Estimate) -> str:
    return f"{found.amount(one.low)} to {found.amount(one.high)}"


def _apart(found: Sweep, one: Estimate) -> list[str]:
    scale, digits = (100, 2) if found.metric.is_rate else (1, 3)
    value, low, high = (
        f"{scale * figure:+.{digits}f}" for figure in (one.value, one.low, one.high)
    )
    return [value, f"{low} to {high}"]


def tuned(found: Tuned | SearchSoFar) -> None:
    """Print what a search found and what that is worth, the verdict first."""
    request, out = found.request, console()
    grid = request.grid
    if isinstance(found, SearchSoFar):
        out.print(Text(f"{request.experiment.game.title}  {grid.given} tuned, so far:"))
        out.print(Text(f"{found.sentence}."), style="bold")
        return
    tried = (
        counted(grid.size, "point")
        if not request.is_sampled
        else (f"{len(found.tried):,} of {counted(grid.size, 'point')}")
    )
    out.print(
        Text.assemble(
            (request.experiment.game.title, "bold"),
            f"  {grid.given} tuned at tables of {request.table} against "
            f"{', '.join(request.opponents)}: {tried} tried, {found.games:,} games, "
            f"{request.experiment.title()}",
        )
    )
    out.print(Text(f"{found.verdict}."), style="bold")
    for sentence in sentences(found):
        out.print(Text(f"{sentence}."))
    rows = [["the winner", *_rate(found.rate), "", "", "", ""]]
    rows.append(
        [
            f"{grid.given}, as given",
            *_rate(found.given),
            *_points(found.over_given, found.is_as_given),
            "",
            "",
        ]
    )
    rows += [
        [one.player, *_rate(one.rate), *_points(one.difference, one.is_same), *_rate(one.alone)]
        for one in found.opponents
    ]
    fields = len(request.fields)
    among = (
        "each of them"
        if request.table == 1 + 1
        else (f"all {fields:,} fields of {request.table - 1} of them")
    )
    out.print(
        f"\non fresh luck, {found.rate.n:,} lucks: in every seat against {among}, in per cent"
    )
    head = ["player", "wins ", "95 % interval ", "the winner more by ", "interval "]
    out.print(table([*head, "the winner among such ", "interval "], rows))
    rounds = [f"{one.candidates:,} on {one.lucks:,}" for one in found.rounds]
    out.print(f"the search: {', then '.join(rounds)} new lucks")
    k = len(found.opponents) + 1
    out.print(
        f"[dim]{found.games / found.seconds:,.0f} games a second; rules "
        f"{request.experiment.rules.hash}; seed of the fresh luck {request.fresh_seed}; "
        f"intervals over "
        f"lucks, those of the winner beside others 95 % for all {k} at once; an even share is "
        f"{percent(1 / request.table)}[/dim]"
    )


def sentences(found: Tuned) -> list[str]:
    """Return what came of it beside the verdict: beside the strategy as given, and the search."""
    given, over, search = found.request.grid.given, found.over_given, found.over_believed
    if found.is_as_given:
        first = f"it came out the same as {given}, as it was given, on every luck"
    else:
        size = over if over.value >= 0 else Estimate(-over.value, -over.high, -over.low, over.n)
        word = "more" if over.value >= 0 else "less"
        chance = {Kind.TIE: ": a tie", Kind.OPEN: ": too close to call"}.get(kind_of_wins(over), "")
        first = (
            f"it wins {100 * size.value:.2f} percentage points {word} ({100 * size.low:.2f} to "
            f"{100 * size.high:.2f}) than {given}, as it was given{chance}"
        )
    way = "too much" if search.value > 0 else "too little"
    second = (
        f"the search believed it wins {percent(found.believed.value)}, "
        f"{100 * abs(search.value):.2f} percentage points {way} (interval of the error "
        f"{100 * search.low:+.2f} to {100 * search.high:+.2f})"
    )
    share = 1 / found.request.table
    said = {
        Kind.LOWER: "it clearly wins less than an even share",
        Kind.TIE: "it ties with an even share",
        Kind.OPEN: "it is too close to call whether it wins more than an even share",
    }
    more = []
    for kind, words in said.items():
        those = [one for one in found.opponents if _alone(one, share) == kind]
        if those:
            more.append(f"where all others are {', '.join(one.player for one in those)} {words}")
    return [first, second, *more]


def _alone(one: Opponent, share: float) -> Kind:
    """Return the verdict on the winner among copies of an opponent, compared with its share."""
    return kind_of(one.alone, MARGIN_OF_WIN, zero=share)


def _rate(one: Estimate) -> list[str]:
    return [f"{100 * one.value:.2f}", f"{100 * one.low:.2f} to {100 * one.high:.2f}"]


def _points(one: Estimate, is_same: bool) -> list[str]:
    if is_same:
        return ["0", "the same"]
    return [f"{100 * one.value:+.2f}", f"{100 * one.low:+.2f} to {100 * one.high:+.2f}"]
