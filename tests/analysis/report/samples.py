"""Small reports made by hand, to be rendered as HTML and as PDF."""

from collections.abc import Callable, Sequence
from functools import cache

from matplotlib.figure import Figure

from herdlab.analysis.figures.drawing import Drawing
from herdlab.analysis.figures.parts.style import (
    AXIS,
    BLUE,
    COLOURS,
    GREY,
    INK,
    IS_NARROW,
    MARKERS,
    empty,
    styled,
    wrapped,
)
from herdlab.analysis.report.document import (
    Cell,
    Column,
    Method,
    Paragraph,
    Provenance,
    Report,
    Section,
    Summary,
    Table,
    Verdict,
)
from herdlab.analysis.report.render.html import render_html

SCRIPT = "<script>alert(1)</script>"
MARKUP = "$x^2$ \\LaTeX{} #typst[*b*] _i_ @ref \"q\" 'q' `code` <b>"
CLOSING = "</style></script></title>-->]]>"
BRACES = "{{ 7*7 }} {% raw %} {# gone #}"
EMOJI = "🐑 sheep 🐕\u200d🦺"
RIGHT_TO_LEFT = "כבשה שחורה"
LONG_WORD = "sheep" * 60
STRANGE = (SCRIPT, MARKUP, CLOSING, BRACES, EMOJI, RIGHT_TO_LEFT, LONG_WORD)
"""Names that somebody could give to a strategy."""


def tiny() -> Report:
    """Return a report of a verdict alone."""
    return Report("Is it worth it?", "Have You Herd?", (Verdict("Nobody won in one game."),))


def plain() -> Report:
    """Return a report with every kind of part, as it would usually look."""
    rates = {"keeper": 0.413, "keeper-dog": 0.359, "closer": 0.228}
    return Report(
        title="Is the Guard Dog worth it?",
        about="Have You Herd?",
        lead=(
            Verdict(
                "No: do not buy it. With 3 players one who buys a dog whenever he can spare it "
                "wins 5.3 percentage points (5.0 to 5.7) less often than one who never does.",
                ("So it is at every table of 2, 3 and 4, whatever the others do.",),
                "95 % for all tables together.",
            ),
            Summary(
                (
                    ("Win rates", "keeper wins 41.3 % of games, more than any other."),
                    ("Length of games", "Half of all games take 31 turns or fewer."),
                    ("Dog and luck", "No herd that could buy a dog is faster for it."),
                )
            ),
            Paragraph(
                "A dog costs a sheep and keeps the fox away, once. Whether that is a good price "
                "is the oldest question about the game.\n\nHere it is answered by playing."
            ),
        ),
        sections=(
            Section(
                "Win rates",
                (
                    Paragraph(
                        "Three strategies sat at one table, in every order, and played 100,000 "
                        "games. The intervals hold with 99 %."
                    ),
                    _rates("keeper wins most", rates),
                    _table("Win rates by strategy", rates),
                ),
            ),
            Section("Length of games", (_lines(), Paragraph("Nothing else differs."))),
            Section("Dog and luck", (_map(),)),
            Section(
                "How this was found",
                (
                    Method(
                        (
                            "Every line-up was played on the same deals, in every seat in turn.",
                            "Intervals are Wilson's; those of all strategies hold together "
                            "with 95 %.",
                        )
                    ),
                ),
            ),
            Section(
                "Make it again",
                (
                    Provenance(
                        "herdlab report reports/guard-dog.toml --html --out reports/",
                        (
                            ("seed", "7"),
                            ("games", "100,000"),
                            ("herdlab", "0.1.0"),
                            ("rules", "herd, as given (8f14e45fceea167a)"),
                        ),
                        'title = "Is the Guard Dog worth it?"\ngame = "herd"\nseed = 7\n\n'
                        '[[part]]\ncommand = "simulate"\nplayers = "keeper,keeper-dog,closer"\n',
                    ),
                ),
            ),
        ),
    )


def strange() -> Report:
    """Return a report whose every text could be taken for markup, or is hard to set."""
    rates = {name: 0.5 / (place + 1) for place, name in enumerate(STRANGE)}
    everything = " ".join(STRANGE)
    return Report(
        title=f"{SCRIPT} {MARKUP} {CLOSING} {BRACES} {EMOJI} {RIGHT_TO_LEFT}",
        about=MARKUP,
        lead=(
            Verdict(f"{SCRIPT} wins. {MARKUP}", (f"{CLOSING} {BRACES}",), MARKUP, is_rough=True),
            Summary(
                ((SCRIPT, everything), ("???", "leads to a title without letters"), ("no", "way"))
            ),
            Paragraph(everything),
        ),
        sections=(
            Section(
                SCRIPT,
                (_rates(f"{SCRIPT} {MARKUP}", rates), _table(MARKUP, rates)),
            ),
            Section("???", (Paragraph(LONG_WORD), Paragraph(""))),
            Section("???", (Method(STRANGE),)),
            Section(
                LONG_WORD,
                (
                    Provenance(
                        f"herdlab simulate herd '{SCRIPT}' {LONG_WORD}",
                        tuple((name, name) for name in STRANGE),
                        "\n".join(STRANGE),
                    ),
                ),
            ),
        ),
    )


def many() -> Report:
    """Return a report of forty strategies, with a wide table and a high figure."""
    rates = {f"strategy-{n:02d}": 0.5 - n / 90 for n in range(40)}
    columns = (Column("strategy"), *(Column(f"table {n + 1}", True) for n in range(11)))
    rows = tuple(
        (
            Cell(name),
            *(
                Cell(f"{100 * rate + ((place * 7 + n * 5) % 11):.1f}", 100 * rate + place * n % 11)
                for n in range(11)
            ),
        )
        for place, (name, rate) in enumerate(rates.items())
    )
    return Report(
        title="Forty strategies at eleven tables",
        about="Barnyard Swap",
        lead=(Verdict("strategy-00 wins most: 50.0 % of games (49.7 to 50.3)."),),
        sections=(
            Section("Win rates", (_rates("strategy-00 wins most", rates),)),
            Section("Every table", (Table("Win rates in per cent by table", columns, rows),)),
        ),
    )


def _table(title: str, rates: dict[str, float]) -> Table:
    rows = [
        (
            Cell(name),
            Cell(f"{rate:.1%}".replace("%", " %"), rate),
            Cell(f"{rate - 0.003:.1%} to {rate + 0.003:.1%}", rate),
            Cell(f"{int(100_000 * rate):,}", int(100_000 * rate)),
        )
        for name, rate in rates.items()
    ]
    unplayed = (Cell("nobody"), Cell("–"), Cell("–"), Cell("0", 0.0))
    return Table(
        title,
        (
            Column("strategy"),
            Column("win rate", True),
            Column("99 % interval", True),
            Column("wins", True),
        ),
        (unplayed, *rows),
        "A dash stands where nothing was measured.",
    )


def _rates(title: str, rates: dict[str, float]) -> Drawing:
    """Return dots with intervals, a row each, names above their rows on a phone."""

    def draw(wide: float) -> Figure:
        is_narrow = wide < IS_NARROW
        with styled():
            row = 0.45 if is_narrow else 0.3
            figure, axes = empty("games won in %", "", (wide, 0.8 + row * len(rates)))
            for place, (name, rate) in enumerate(rates.items()):
                short = name if len(name) < 24 else name[:23] + "…"
                axes.errorbar(100 * rate, -place, xerr=1.5, fmt="o", color=BLUE, capsize=3)
                if is_narrow:
                    axes.text(0, -place + 0.3, short, va="bottom")
                else:
                    axes.text(-1, -place, short, va="center", ha="right")
            axes.set_yticks([])
            axes.set_xlim(0, 55)
            axes.set_ylim(0.4 - len(rates), 0.9)
            axes.spines["left"].set_visible(False)
            return figure

    listed = ", ".join(f"{name} {100 * rate:.1f} %" for name, rate in rates.items())
    return Drawing(title, draw, f"Dots with intervals: {listed}.", "Bars are 99 % intervals.")


def _lines() -> Drawing:
    def draw(wide: float) -> Figure:
        with styled():
            label = "games that are over in %"
            figure, axes = empty("turn", label, (wide, 0.55 * wide + 0.6))
            turns = range(10, 70, 5)
            for place in range(len(COLOURS)):
                over = [100 / (1 + 2.718 ** ((30 + 3 * place - n) / 6)) for n in turns]
                label = f"line {place + 1}"
                axes.plot(turns, over, color=COLOURS[place], marker=MARKERS[place], label=label)
            axes.axhline(50, color=INK, linewidth=0.8)
            columns = 2 if wide < IS_NARROW else 3
            figure.legend(loc="outside lower left", ncols=columns)
            return figure

    return Drawing(
        "Half of all games take 31 turns or fewer",
        draw,
        "Six rising curves; the first crosses 50 % at turn 30, the last at turn 45.",
        "Each curve is one strategy; the line is at one half.",
    )


def _map() -> Drawing:
    """Return a heat map whose cells have black and white words in them."""
    values: Sequence[Sequence[float]] = [[(r - c) / 6.5 for c in range(6)] for r in range(5)]

    def draw(wide: float) -> Figure:
        with styled():
            figure, axes = empty("rabbits", "sheep", (wide, 0.4 * wide + 1.2))
            mesh = axes.pcolormesh(values, cmap="RdBu", vmin=-1, vmax=1)
            axes.grid(visible=False)
            for row, line in enumerate(values):
                for column, value in enumerate(line):
                    colour = "white" if abs(value) > 0.7 else "black"
                    text = f"{value:+.1f}".replace("-", "\N{MINUS SIGN}")
                    middle = (column + 0.5, row + 0.5)
                    axes.text(*middle, text, color=colour, ha="center", va="center", size=9)
            bar = figure.colorbar(mesh, ax=axes)
            bar.set_label("turns saved", weight="bold")
            note = wrapped("Nowhere is buying the fastest move.", wide - 2)
            axes.annotate(note, (0, 1.02), xycoords="axes fraction", color=GREY, va="bottom")
            axes.spines[:].set_color(AXIS)
            return figure

    return Drawing(
        "Buying never saves a turn",
        draw,
        "A map of 5 by 6 cells from −0.8 to +0.6 turns.",
        "Blue cells save turns, red ones lose them.",
    )


@cache
def page_of(sample: Callable[[], Report]) -> str:
    """Return a sample as a page, drawn once for all tests."""
    return render_html(sample())


SAMPLES: tuple[Callable[[], Report], ...] = (tiny, plain, strange, many)
