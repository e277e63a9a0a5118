"""What tuning found, as a report: the winner on fresh deals, and what the search believed."""

from herdlab.analysis.report.composing import (
    NOTHING,
    Composed,
    Result,
    number,
    percent,
    rate_between,
    rate_cells,
    table,
)
from herdlab.analysis.report.document import Cell, Section, Table, Verdict
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of, kind_of_wins
from herdlab.analysis.words.phrases import capital, counted, listed, sentence

_SHOWN = 20
"""Candidates of the search that are listed; the JSON has all."""


def compose_tuned(whole: Result) -> Composed:
    """Return what tuning found as parts of a document."""
    given = whole["arguments"]["strategy"]
    if whole.get("interrupted"):
        return Composed(
            f"{given} tuned, so far",
            Verdict(sentence(whole["sentence"])),
            False,
            (Section("The search so far", (_search(whole),)),),
            (),
        )
    against = listed([one["player"] for one in whole["opponents"]])
    k = len(whole["opponents"]) + 1
    sure = (
        f"Measured on {counted(whole['lucks'], 'fresh deal')} that the search has not seen; "
        f"intervals of differences hold for all {k} together with 95 %."
    )
    return Composed(
        f"{given} tuned against {against}",
        Verdict(sentence(whole["verdict"]), _said(whole), sure),
        whole["settled"],
        (
            Section("On fresh deals", (_fresh(whole),)),
            Section("The search", (_search(whole),)),
        ),
        (
            f"{counted(whole['candidates'], 'candidate')} of "
            f"{counted(whole['grid_points'], 'point')} were tried at tables of {whole['size']} in "
            f"rounds, {_rounds(whole)} new deals: {counted(whole['games'], 'game')} in all. The "
            f"seed of the fresh deals is {whole['fresh_seed']}.",
        ),
    )


def _rounds(whole: Result) -> str:
    return ", then ".join(f"{one['candidates']:,} on {one['lucks']:,}" for one in whole["rounds"])


def _estimate(one: Result) -> Estimate:
    return Estimate(one["value"], one["ci_low"], one["ci_high"], one["lucks"])


def _said(whole: Result) -> tuple[str, ...]:
    """Return what came of it compared with the strategy as given, and with the search."""
    given, over, search = (
        whole["arguments"]["strategy"],
        *map(_estimate, (whole["over_given"], whole["over_believed"])),
    )
    if whole["is_as_given"]:
        first = f"it came out the same as {given}, as it was given, on every deal"
    else:
        size = over if over.value >= 0 else Estimate(-over.value, -over.high, -over.low, over.n)
        word = "more" if over.value >= 0 else "less"
        chance = {Kind.TIE: ": a tie", Kind.OPEN: ": too close to call"}.get(kind_of_wins(over), "")
        first = (
            f"it wins {100 * size.value:.2f} percentage points {word} "
            f"({rate_between(size.low, size.high)}) than {given}, as it was given{chance}"
        )
    way = "too much" if search.value > 0 else "too little"
    second = (
        f"the search believed it wins {percent(whole['believed']['value'])}, "
        f"{100 * abs(search.value):.2f} percentage points {way} (interval of the error "
        f"{rate_between(search.low, search.high, sign='+')})"
    )
    said = {
        Kind.LOWER: "it clearly wins less than an even share",
        Kind.TIE: "it ties with an even share",
        Kind.OPEN: "it is too close to call whether it wins more than an even share",
    }
    more = []
    for kind, words in said.items():
        those = [one["player"] for one in whole["opponents"] if _alone(whole, one) == kind]
        if those:
            more.append(f"where all others are {listed(those)} {words}")
    return tuple(sentence(capital(one)) for one in (first, second, *more))


def _alone(whole: Result, one: Result) -> Kind:
    """Return the verdict on the winner among copies of an opponent, compared with its share."""
    alone = _estimate(one["one_among_copies"])
    return kind_of(alone, MARGIN_OF_WIN, zero=whole["even_share"])


def _rate(one: Result) -> tuple[Cell, Cell]:
    return rate_cells(one["value"], one["ci_low"], one["ci_high"])


def _more(one: Result, is_same: bool) -> tuple[Cell, Cell]:
    if is_same:
        return number(0.0, "0"), Cell("the same")
    value, low, high = one["value"], one["ci_low"], one["ci_high"]
    return number(value, f"{100 * value:+.2f}"), number(low, rate_between(low, high, sign="+"))


def _fresh(whole: Result) -> Table:
    """Return the winner, the strategy as given and every opponent on fresh deals."""
    given = whole["given"]
    rows = [
        [Cell("the winner"), *_rate(whole["win_rate"]), *(NOTHING,) * 4],
        [
            Cell(f"{given['player']}, as given"),
            *_rate(given["win_rate"]),
            *_more(whole["over_given"], whole["is_as_given"]),
            *(NOTHING,) * 2,
        ],
        *(
            [
                Cell(one["player"]),
                *_rate(one["win_rate"]),
                *_more(one["difference"], one["is_same"]),
                *_rate(one["one_among_copies"]),
            ]
            for one in whole["opponents"]
        ),
    ]
    others = whole["size"] - 1
    among = "each of them" if others == 1 else f"all {whole['fields']:,} fields of {others} of them"
    head = ["player", "wins, % ", "95 % interval ", "the winner more by ", "interval "]
    note = (
        f"In every seat against {among}, in per cent; an even share is "
        f"{percent(whole['even_share'])}."
    )
    columns = [*head, "the winner among such ", "interval "]
    return table("On fresh deals", columns, rows, note)


def _search(whole: Result) -> Table:
    """Return what the search believed of its best candidates."""
    rows = [
        [Cell(one["player"]), *_rate(one), number(one["lucks"], f"{one['lucks']:,}")]
        for one in whole["tried"][:_SHOWN]
    ]
    note = "The best of many has been lucky too: only fresh deals tell."
    head = ["candidate", "wins, % ", "95 % interval ", "deals "]
    return table("What the search believed", head, rows, note, is_folded=True)
