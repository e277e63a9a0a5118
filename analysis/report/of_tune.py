"""What tuning found, as a report: the winner on fresh deals, and what the search believed."""

from herdlab.analysis.report import columns
from herdlab.analysis.report.document import Cell, Composed, Section, Table, Verdict
from herdlab.analysis.stats.estimates import Estimate
from herdlab.analysis.stats.verdicts import MARGIN_OF_WIN, Kind, kind_of, kind_of_wins
from herdlab.analysis.tables import Whole, tables_of
from herdlab.analysis.words.numbers import POINTS, RATE, percent
from herdlab.analysis.words.phrases import capital, counted, listed, sentence

_SHOWN = 20
"""Candidates of the search that are listed; the JSON has all."""


def compose_tuned(whole: Whole) -> Composed:
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
    sure = (
        f"Measured on {counted(whole['lucks'], 'fresh deal')} that the search has not seen; "
        f"intervals of differences hold for all {len(whole['opponents']) + 1} together with 95 %."
    )
    rounds = [f"{one['candidates']:,} on {one['lucks']:,}" for one in whole["rounds"]]
    tried = (
        f"{counted(whole['candidates'], 'candidate')} of {counted(whole['grid_points'], 'point')} "
        f"were tried at tables of {whole['size']} in rounds, {', then '.join(rounds)} new deals: "
        f"{counted(whole['games'], 'game')} in all. The seed of the fresh deals is "
        f"{whole['fresh_seed']}."
    )
    return Composed(
        f"{given} tuned against {against}",
        Verdict(sentence(whole["verdict"]), _said(whole), sure),
        whole["settled"],
        (Section("On fresh deals", (_fresh(whole),)), Section("The search", (_search(whole),))),
        (tried,),
    )


def _estimate(one: Whole) -> Estimate:
    return Estimate(one["value"], one["ci_low"], one["ci_high"], one["lucks"])


def _said(whole: Whole) -> tuple[str, ...]:
    """Return what came of it compared with the strategy as given, and with the search."""

    def alone(one: Whole) -> Kind:
        """Return the verdict on the winner among copies of an opponent, compared with its share."""
        found = _estimate(one["one_among_copies"])
        return kind_of(found, MARGIN_OF_WIN, zero=whole["even_share"])

    given = whole["arguments"]["strategy"]
    over, search = _estimate(whole["over_given"]), _estimate(whole["over_believed"])
    if whole["is_as_given"]:
        first = f"it came out the same as {given}, as it was given, on every deal"
    else:
        size = over if over.value >= 0 else Estimate(-over.value, -over.high, -over.low, over.n)
        word = "more" if over.value >= 0 else "less"
        chance = {Kind.TIE: ": a tie", Kind.OPEN: ": too close to call"}.get(kind_of_wins(over), "")
        first = (
            f"it wins {100 * size.value:.2f} percentage points {word} "
            f"({RATE.between(size.low, size.high)}) than {given}, as it was given{chance}"
        )
    way = "too much" if search.value > 0 else "too little"
    second = (
        f"the search believed it wins {percent(whole['believed']['value'])}, "
        f"{100 * abs(search.value):.2f} percentage points {way} (interval of the error "
        f"{POINTS.between(search.low, search.high)})"
    )
    said = {
        Kind.LOWER: "it clearly wins less than an even share",
        Kind.TIE: "it ties with an even share",
        Kind.OPEN: "it is too close to call whether it wins more than an even share",
    }
    more = []
    for kind, words in said.items():
        those = [one["player"] for one in whole["opponents"] if alone(one) == kind]
        if those:
            more.append(f"where all others are {listed(those)} {words}")
    return tuple(sentence(capital(one)) for one in (first, second, *more))


_PLAYER = (columns.value("wins, %", RATE), columns.ends("95 % interval", RATE))
_CANDIDATES = (columns.text("candidate", "player"), *_PLAYER, columns.number("deals", "n"))


def _fresh(whole: Whole) -> Table:
    """Return the winner, the strategy as given and every opponent on fresh deals."""
    fresh, others = tables_of(whole)["fresh"], whole["size"] - 1
    named = {"winner": "the winner", "given": f"{whole['given']['player']}, as given"}
    fresh["player"] = fresh["role"].map(named).fillna(fresh["player"])

    def unless_same(column: columns.Shown, instead: Cell) -> columns.Shown:
        return columns.instead(column, lambda row: instead if row.get("is_same") else None)

    more = columns.value("the winner more by", POINTS, "difference")
    apart = columns.ends("interval", POINTS, "difference")
    shown = (
        columns.text("player", "player"),
        *_PLAYER,
        unless_same(more, Cell("0", 0.0)),
        unless_same(apart, Cell("the same")),
        columns.value("the winner among such", RATE, "one_among_copies"),
        columns.ends("interval", RATE, "one_among_copies"),
    )
    among = "each of them" if others == 1 else f"all {whole['fields']:,} fields of {others} of them"
    note = (
        f"In every seat against {among}, in per cent; an even share is "
        f"{percent(whole['even_share'])}."
    )
    return columns.table_of("On fresh deals", fresh, shown, note)


def _search(whole: Whole) -> Table:
    """Return what the search believed of its best candidates."""
    tried = tables_of(whole)["tried"].head(_SHOWN)
    note = "The best of many has been lucky too: only fresh deals tell."
    return columns.table_of("What the search believed", tried, _CANDIDATES, note, is_folded=True)
