"""What a plug-in may use: everything else is refused in a sentence, and nobody else's game changes.

A *witness* sits in the other seat.  Whatever it can see goes into its choices, so its games show
whether a cheat has changed anything.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

from herdlab.simcore._jit import strategy_options
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import Player, find_game, games
from herdlab.simcore.herd.rules import HerdRules
from herdlab.simcore.sums import Rows
from herdlab.strategies import checked, compiling
from herdlab.strategies.plugins import BUILT_IN
from herdlab.strategies.registry import load_plugin, seat_players, strategies_of
from herdlab.strategies.strategy import Strategy
from tests.command_line import check_refusal, herdlab

HERD = find_game("herd")
RULES = HerdRules()

pytestmark = pytest.mark.usefixtures("own_registry")

HEAD = '''
import ctypes
import math
import operator

import numba
import numpy as np
from numba import carray, njit, objmode, types
from numba.extending import intrinsic, overload, overload_method

import second_file
import herdlab.simcore.rng as rng
from herdlab.simcore import window
from herdlab.simcore._jit import inner
from herdlab.simcore.herd import herds
from herdlab.simcore.herd import view as viewing
from herdlab.simcore.herd.view import TRADE
from herdlab.simcore.piles import take
from herdlab.simcore.rng import below
from herdlab.strategies import strategy
from herdlab.strategies.herd.table_sense import can_serve, can_trade, herd_value, leader, stays

SMALL, LARGE, PAIR, NUMBERS = np.zeros(5), np.zeros(300_000), (np.zeros(3), np.zeros(3)), (1, 2, 3)
RECORDS = np.zeros(3, dtype=[("a", "i8")])
absolute = ctypes.CDLL(None).labs
absolute.restype, absolute.argtypes = ctypes.c_long, [ctypes.c_long]


def plain(i):
    return i


@intrinsic
def disguised(context, number):
    return types.int64(types.int64), lambda context, builder, signature, given: given[0]


disguised.__module__ = "math"


@overload(math.lgamma)  # what no other test uses: numba keeps these as long as the process
def gamma_of_text(text):
    return (lambda text: 5.0) if isinstance(text, types.StringLiteral) else None


@overload_method(types.Array, "prod")
def products_of_another_type(array, kind):
    return lambda array, kind: 5.0


@njit
def unchecked(array, i):
    return array[i]


@inner
def peek(array, i):
    return array[i]


@inner
def deeper(i):
    return deeper(i + 1) + 1 if i < 10**15 else 0


@inner
def remembers(i, kept=SMALL):
    kept[0] += 1
    return int(kept[0])


@inner
def plus(i, more=3):
    return i + more


@inner
def counting():
    yield 1


@strategy("herd", "witness")
def witness(decision, view, me):
    """Lets everything it sees go into its choices."""
    seen = view.players + 3 * view.turn + 5 * view.phase + 7 * view.skunk + view.t_in_force
    for array in (view.supply, view.prices, view.limits, view.legal):
        for number in array:
            seen = 31 * seen + number
    for row in view.herds:
        for number in row:
            seen = 31 * seen + number
    if decision != TRADE:
        return leader(view)
    trade = seen % 6
    return trade if can_trade(view, trade) else 0


'''
SECOND_FILE = (
    "from herdlab.simcore._jit import inner\n\n@inner\ndef peek(array, i):\n    return array[i]\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "second_file.py").write_text(SECOND_FILE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "second_file", raising=False)
    return tmp_path


def strategy_with(folder: Path, body: str, options: str = ", notebook=8") -> Path:
    """Return a plug-in whose strategy does `body` and then never trades."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    path = folder / "tried.py"
    path.write_text(
        f'{HEAD}@strategy("herd", "tried"{options})\ndef tried(decision, view, me):\n'
        f'    """Tries something."""\n    x = 0\n{lines}'
        "    me.notebook[7] = int(x)\n    return 0 if decision == TRADE else 1\n"
    )
    return path


def played(path: Path, games: int = 60) -> Rows:
    load_plugin(path)
    players = seat_players(HERD, RULES, "tried,witness")
    return Bout(HERD, RULES, players, stream_seeds(1)).rows(0, games)


REFUSED = [
    "view.prices.flat[1] = 77",
    "x = view.herds.flat[100000]",
    "me.notebook.flat[5000] = 1",
    "for one in np.nditer(view.prices):\n    one[()] = 3",
    "view.prices.ravel()[1] = 7",
    "view.herds.T[1, 0] = 7",
    "view.prices.view(np.float64)[0] = 3",
    "view.herds.reshape(24)[0] = 4",
    "view.prices[1:3][0] = 5",
    "view.prices[:] += 1",
    "view.prices.fill(3)",
    "view.prices.sort()",
    "x = view.prices.ctypes.data",
    "x = carray(me.notebook.ctypes, 5000)[4000]",
    "np.asarray(view.prices)[0] = 4",
    "np.frombuffer(view.prices, dtype=np.int64)[0] = 3",
    "np.add(view.prices, 1, view.prices)",
    "x = view.prices.copy()[0]",
    "x = view.prices[view.legal][0]",
    "me.notebook[view.legal] = 3",
    "me.notebook[::2].view(np.int8)[0] = 3",
    "x = view.prices[...][0]",
    "for row in view.herds:\n    row[0] = 5",
    "for i, row in enumerate(view.herds):\n    row[0] = 5",
    "operator.setitem(view.prices, 0, 5)",
    "x = operator.getitem(view.prices, 10**8)",
    "view.turn = 3",
    "with objmode():\n    print(1)",
    "print(decision)",
    "x = viewing.view_at(view.prices, 100000).turn",
    "x = window.address(view.prices)",
    "x = absolute(-5)",
    "x = deeper(0)",
    "x = remembers(3)",
    "for one in counting():\n    x += one",
    "x = plain(3)",
    "SMALL[0] = 4",
    "LARGE[0] = 4",
    "PAIR[0][1] = 3",
    "x = RECORDS[0].a",
    "x = me.luck[0]",
    "me.luck[0] = np.uint64(1)",
    "x = below(me.notebook.view(np.uint64), 3)",
    "x = take(0, 1, np.uint64(0), me.luck)",
    "x = take(0, 1, np.uint64(0), memory=me.luck)",
    "x = take(*(0, 1, np.uint64(0), me.luck))",
    "x = [1, 2, 3][0]",
    "x = np.random.randint(5)",
    "try:\n    x = view.prices[100]\nexcept Exception:\n    x = 1",
    "x = np.max(view.herds)",
    "for i in numba.prange(3):\n    x += i",
    "x = disguised(3)",
    "x = math.lgamma('text')",
    "x = view.prices.prod(np.int8)",
]


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_on_the_list_does_not_compile(folder: Path, body: str) -> None:
    with pytest.raises(BadInput, match="'tried' in .*tried.py does not compile: ") as caught:
        played(strategy_with(folder, body), 1)
    assert "\n" not in str(caught.value)


def test_the_sentence_names_strategy_line_and_what_to_use(folder: Path) -> None:
    path = strategy_with(folder, "view.prices.flat[1] = 77")
    line = path.read_text()[: path.read_text().index("view.prices.flat")].count("\n") + 1
    done = herdlab("simulate", "herd", "-p", "tried,keeper", "--plugin", str(path))
    check_refusal(done, ["'tried'", f"line {line} of tried.py", ".flat", "use array[i, j]"])


OUT_OF_BOUNDS = [
    "x = view.prices[-7]",
    "x = view.herds[-50, 3]",
    "x = view.prices[1:300][299]",
    "x = view.prices[::-1][6]",
    "x = view.prices[np.uint64(2**63)]",
    "x = view.prices[1 << (70 + view.players)]",
    "x = view.prices[int(1e300)]",
    "x = view.prices[int(math.nan)]",
    "me.notebook[5000] = 3",
    "me.notebook[-5000] = 3",
    "x = unchecked(view.prices, 10**8)",
    "x = peek(view.prices, 10**8)",
    "x = second_file.peek(view.prices, 10**8)",
    "def f(i):\n    return view.prices[i]\nx = f(10**8)",
    "x = LARGE[10**9]",
    "x = NUMBERS[view.players + 5]",
    "x = herds.count(5, 10**6)",
    "x = stays(view, -(10**7))",
    "x = herd_value(view, 10**8)",
    "x = can_serve(view, 10**8)",
]


@pytest.mark.parametrize("body", OUT_OF_BOUNDS)
def test_an_index_out_of_bounds_stops_the_run_by_every_route(folder: Path, body: str) -> None:
    with pytest.raises(BadInput, match="'tried' in seat 0 raised IndexError"):
        played(strategy_with(folder, body), 1)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("MemoryError", "raised MemoryError, at the decision"),
        ("OSError('a\\nb\\x1b[31m')", "raised OSError: a b\\x1b[31m, at the decision"),
    ],
)
def test_an_error_is_told_in_one_line(folder: Path, error: str, told: str) -> None:
    """Also to somebody who calls it from Python; and it is not taken for an error of herdlab's."""
    with pytest.raises(BadInput) as caught:
        played(strategy_with(folder, f"if view.players:\n    raise {error}"), 1)
    assert told in str(caught.value)


HARMLESS = [
    "x = view.supply.sum() + max(view.prices) + view.supply.argmax() + np.sum(view.herds)",
    "for number in view.supply:\n    x += number",
    "for row in view.herds:\n    x += row[0] + row.sum()",
    "for i, number in enumerate(view.supply):\n    x += i * number",
    "for a, b in zip(view.supply, view.prices):\n    x += a * b",
    "x = 1 if view.turn in NUMBERS or 3 in view.prices else 0",
    "x = math.floor(math.sqrt(view.turn + 1.5)) + np.floor(2.5) + round(2.6) + abs(-3)",
    "x = me.data.view(np.float64).shape[0] + len(view.supply) + me.notebook.size",
    "me.notebook.view(np.float64)[0] = 0.5",
    "me.notebook[1:99] = 7",
    "x = below(me.luck, 6) + rng.below(me.luck, 3) + below(me.notebook, 3)",
    "x = SMALL[2] + LARGE[-7] + PAIR[1][2] + view.herds[-1, -1]",
    "x = plus(3) + plus(3, 4) + plus(3, more=4) + unchecked(view.prices, 2)",
    "x = second_file.peek(view.prices, 2) + can_trade(view, 10**7)",
    "assert view.turn >= 0, 'a turn is a number'",
    "x = (-(2**63) + view.turn * 0) // (view.turn * 0 - 1)",
    "while True:\n    x += 1\n    if x > 5:\n        break",
]


@pytest.mark.parametrize("body", HARMLESS)
def test_what_is_on_the_list_plays_and_the_witness_sees_no_change(folder: Path, body: str) -> None:
    honest = played(strategy_with(folder, "x = 1"))
    np.testing.assert_array_equal(played(strategy_with(folder, body)), honest)


def cheats(decision, view, me):  # type: ignore[no-untyped-def]
    view.prices.flat[1] = 2 + view.turn % 3
    return 0 if decision == 1 else 1


def test_the_witness_notices_a_cheat_that_nobody_refused(folder: Path) -> None:
    """The planted fault: the same strategy compiled without the checks does change games."""
    honest = played(strategy_with(folder, "x = 1"))
    _, witness = seat_players(HERD, RULES, "tried,witness")
    choose = compiling.compile_strategy(cheats, HERD.engine.CHOOSE, "'cheats'", is_plugin=False)
    bout = Bout(HERD, RULES, [Player("cheats", choose, ()), witness], stream_seeds(1))
    assert not np.array_equal(bout.rows(0, 60), honest)


def test_a_global_array_is_what_it_was_when_the_strategy_was_compiled(folder: Path) -> None:
    """Large ones too, which numba would look up where they were."""
    path = strategy_with(folder, "if LARGE[5] != 0 or SMALL[1] != 0:\n    return 99")
    load_plugin(path)
    players = seat_players(HERD, RULES, "tried,witness")
    module = sys.modules["herdlab_plugin_tried"]
    module.LARGE[:] = 1
    module.SMALL[:] = 1
    Bout(HERD, RULES, players, stream_seeds(1)).rows(0, 20)


@pytest.mark.parametrize("name", list(games()))
def test_every_built_in_strategy_could_be_a_plugin_and_plays_the_same(name: str) -> None:
    """All but rollout keep to the list, and checks change no choice."""
    game = find_game(name)
    known: dict[object, Strategy] = {}
    for one in strategies_of(game).values():
        if one.source == BUILT_IN:  # other tests register theirs
            known.setdefault(one.function, one)
    rules, size = game.rules_type(), min(3, game.max_players)
    for one in known.values():
        options = checked.checked_options(one.function)
        assert options["boundscheck"] and not strategy_options(is_plugin=False).get("boundscheck")
        values = tuple(parameter.default for parameter in one.parameters.values())
        usual = one.seated(one.name, rules, values, size)
        if one.name == "rollout":
            with pytest.raises(BadInput, match="uses 'DESK', which is none of"):
                compiling.compile_strategy(
                    one.function, game.engine.CHOOSE, "'rollout'", is_plugin=True
                )
            continue
        choose = compiling.compile_strategy(
            one.function, game.engine.CHOOSE, f"'{one.name}'", is_plugin=True
        )
        as_plugin = Player(one.name, choose, values, usual.flags, usual.notebook, usual.data)
        rows = [
            Bout(game, rules, [player, *[usual] * (size - 1)], stream_seeds(3)).rows(0, 20)
            for player in (usual, as_plugin)
        ]
        np.testing.assert_array_equal(rows[0], rows[1])


def test_a_member_of_a_built_in_family_stays_as_fast_as_built_in(folder: Path) -> None:
    path = folder / "member.py"
    path.write_text(
        "from herdlab.strategies import member\n"
        'member("herd", "calm", "rollout", "Plays out few games.", n="8")\n'
    )
    load_plugin(path)
    seat_players(HERD, RULES, "calm,keeper")  # its code is on no list, and need not be
