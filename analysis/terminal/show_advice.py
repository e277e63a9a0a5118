"""What `advise` prints."""

from rich.text import Text

from herdlab.analysis.exact.advise import AFTER, BEFORE, SKUNK
from herdlab.analysis.exact.advise_result import Advice, Valued
from herdlab.analysis.exact.herd_moves import PLACES, other_player
from herdlab.analysis.terminal.show import console, table
from herdlab.analysis.words.phrases import counted
from herdlab.analysis.words.stories.herd import in_words

_MOMENTS = {
    BEFORE: "your trade before the roll",
    AFTER: "your trade after the roll",
    SKUNK: "your skunk to give away",
}
_ENDS = {"win": "wins at once", "loss": "he wins at once", "nobody": "the game ends"}


def advice(found: Advice) -> None:
    """Print advice, what to do first."""
    request, out = found.request, console()
    t = ", after a T" if request.t else ""
    out.print(
        Text.assemble(
            (request.experiment.game.title, "bold"),
            f"  {_MOMENTS[request.phase]}{t}: {counted(found.lucks, 'game')} a move, "
            f"{request.experiment.title()}",
        )
    )
    out.print(Text(found.sentence), style="bold")
    out.print(table(["", "herd", "plays on as"], _seats(found)))
    out.print()
    sure = f"{100 * request.confidence:.4g} %"
    head = ["move", "win % ", f"{sure} interval ", "less ", f"{sure} of all ", "alone "]
    if request.t and request.phase == AFTER:
        head.insert(1, "from")
    out.print(table(head, [_cells(found, one) for one in found.moves]))
    out.print(
        Text(
            "win %: each interval by itself; less: percentage points below the first, on the "
            "same luck; these intervals hold "
            "all together\nalone: turns to a complete herd without the others, this turn counted; "
            f"exact\n{counted(found.games, 'game')} and the exact values in {found.seconds:.1f} s; "
            f"rules {request.experiment.rules.hash}",
            style="dim",
        )
    )


def _seats(found: Advice) -> list[list[str]]:
    """Return a row for each player, the one to move first."""
    request = found.request
    rows = []
    for seat, (herd, player) in enumerate(zip(request.herds, request.line_up, strict=True)):
        name = "you" if seat == 0 else other_player(seat, len(request.herds))
        name = name.removeprefix("the ")
        skunk = ", and the skunk" if request.position.skunk == seat else ""
        assumed = ", as you for want of --other" if seat and not request.others else ""
        rows.append([name, f"{in_words(herd)}{skunk}{assumed}", player])
    return rows


def _cells(found: Advice, one: Valued) -> list[str]:
    rate, gap, move = one.win_rate, one.behind, one.move
    words = move.words.removeprefix("the skunk ").split(" from ")[0]
    cells = [words.replace(" and ", " + ")]  # for 80 columns
    if found.request.t and found.request.phase == AFTER:
        cells.append("" if move.partner is None else PLACES[move.partner - 1])
    cells.append(f"{100 * rate.value:.2f}")
    ends = move.at_once and _ENDS[move.at_once]
    cells.append(ends or f"{100 * rate.low:.2f} to {100 * rate.high:.2f}")
    cells += ["", ""]
    if gap is not None:
        cells[-2:] = [f"{100 * gap.value:.2f}", f"{100 * gap.low:.2f} to {100 * gap.high:.2f}"]
    return [*cells, "-" if one.solo_turns is None else f"{one.solo_turns:.2f}"]
