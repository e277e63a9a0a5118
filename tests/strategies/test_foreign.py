"""A plug-in's plain Python: whatever it raises, prints or changes, herdlab says one sentence."""

import sys
from pathlib import Path

import pytest

from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.rules import HerdRules
from herdlab.strategies.registry import LARGEST_NOTEBOOK, load_plugin, seat_players, strategies_of
from herdlab.strategies.strategy import LARGEST_DATA
from tests.children import CLI, ROOT, WARM_CLI, Child, run
from tests.command_line import check_refusal, herdlab, result_of

HERD = find_game("herd")
RULES = HerdRules()
HEAD = """
import numpy as np
from numba import njit
from herdlab.simcore.herd.view import TRADE
from herdlab.strategies import choice, number, strategy


class Hostile(BaseException):
    def __str__(self):
        raise SystemExit


def fails(error):
    raise error


"""
BODY = '(decision, view, me):\n    """Waits."""\n    return 0 if decision == TRADE else 1\n'

pytestmark = pytest.mark.usefixtures("own_registry")


def plugin(folder: Path, options: str = "", before: str = "", after: str = "") -> Path:
    path = folder / "mine.py"
    path.write_text(f'{HEAD}{before}@strategy("herd", "mine"{options})\ndef mine{BODY}{after}')
    return path


ERRORS = ("ValueError('x')", "BaseException('x')", "SystemExit(0)", "KeyboardInterrupt", "Hostile")


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize(
    "options",
    [
        ", check=lambda rules, values, players: fails({})",
        ", make_data=lambda rules, values: fails({})",
        ", own_only=lambda values: fails({})",
    ],
)
def test_a_function_of_a_declaration_that_raises_is_one_sentence(
    tmp_path: Path, options: str, error: str
) -> None:
    path = plugin(tmp_path, options.format(error))
    done = herdlab("simulate", "herd", "-p", "mine,keeper", "--plugin", str(path), "-n", "10")
    kind = error.split("(", maxsplit=1)[0]
    check_refusal(done, ["strategy 'mine'", "cannot be", kind])


@pytest.mark.parametrize("error", ERRORS)
def test_a_plugin_that_raises_when_it_is_loaded_is_one_sentence(tmp_path: Path, error: str) -> None:
    path = plugin(tmp_path, after=f"fails({error})\n")
    done = herdlab("simulate", "herd", "-p", "mine,keeper", "--plugin", str(path), "-n", "10")
    check_refusal(done, ["plug-in", "mine.py cannot be loaded", error.split("(", maxsplit=1)[0]])


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("sys.stdout.close()\nfails(ValueError('x'))", []),  # there is nowhere left to say it
        ("sys.__stdout__.close()", ["the output cannot be written", "closed file"]),
    ],
)
def test_a_plugin_that_closes_an_output_leaves_no_traceback(
    tmp_path: Path, does: str, told: list[str]
) -> None:
    path = plugin(tmp_path, after=f"import sys\n{does}\n")
    done = run([*WARM_CLI, "strategies", "herd", "--plugin", str(path)])
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == len(told[:1]) and all(one in done.stderr for one in told)


def test_a_promise_of_luck_that_raises_is_one_sentence(tmp_path: Path) -> None:
    path = plugin(tmp_path, ", deterministic=lambda values: fails(BaseException('x'))")
    done = herdlab("solve", "herd", "--strategy", "mine", "--plugin", str(path))
    check_refusal(done, ["strategy 'mine'", "cannot be set up: BaseException: x"])


def test_ctrl_c_while_a_plugin_is_loaded_is_no_fault_of_the_plugin(tmp_path: Path) -> None:
    before = "import sys\nprint('waiting', file=sys.stderr, flush=True)\nwhile True:\n    pass\n"
    path = plugin(tmp_path, before=before)
    words = ["simulate", "herd", "-p", "mine,keeper", "--plugin", str(path)]
    with Child([*CLI, *words], cwd=ROOT) as child:
        child.wait_for("waiting")
        child.interrupt()
        done = child.finish()
    assert done.returncode == 130 and done.stderr.endswith(
        "herdlab: interrupted before there was anything to tell\n"
    ), done


def test_what_a_plugin_prints_is_no_part_of_the_result(tmp_path: Path) -> None:
    says = "print('hello')"
    path = plugin(
        tmp_path, ", make_data=lambda rules, values: [print('made'), np.zeros(1)][1]", f"{says}\n"
    )
    words = ["simulate", "herd", "-p", "mine,keeper", "--plugin", str(path), "-n", "10"]
    assert result_of(*words)["games"] == 10
    assert herdlab(*words).stderr.startswith("hello\n")


def test_what_a_plugin_does_to_rules_and_values_changes_nothing(tmp_path: Path) -> None:
    spoil = """
KEPT = []


def spoil(rules, values, players=0):
    object.__setattr__(rules, "horse_price", 1)
    values.clear()
    KEPT.append(np.zeros(4))
    return KEPT[-1]


"""
    options = ", make_data=spoil, check=spoil, own_only=lambda values: bool(values.clear()), "
    load_plugin(plugin(tmp_path, f'{options}a=number(3, "a number")', spoil))
    player, _ = seat_players(HERD, RULES, "mine,keeper")
    assert HerdRules() == RULES and RULES.hash == HerdRules().hash
    assert player.params == (3.0,)
    for kept in sys.modules["herdlab_plugin_mine"].KEPT:
        kept[:] = 1
    assert not player.data.any()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (", notebook=10**12", f"from 0 to {LARGEST_NOTEBOOK:,}, and asks for '1000000000000'"),
        (
            ", make_data=lambda rules, values: np.broadcast_to(np.zeros(1), 10**12)",
            f"its data has 8,000,000,000,000 bytes, and {LARGEST_DATA:,} is the most",
        ),
        (", make_data=lambda rules, values: np.array([{}])", "'mine' in .* cannot be set up"),
        (', **{"a\\x1b[31m": number(1, "x")}', "must have a name of letters"),
        (', a=choice("x", ("x", "y\\x1b[31m"), "x")', "has a value that cannot be printed"),
    ],
)
def test_a_declaration_that_asks_too_much_is_refused(
    tmp_path: Path, options: str, reason: str
) -> None:
    with pytest.raises(BadInput, match=reason):
        load_plugin(plugin(tmp_path, options))
        seat_players(HERD, RULES, "mine,keeper")


def test_control_characters_in_words_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = plugin(tmp_path, ', a=number(1, "one\\x1b[2Jtwo")')
    path.write_text(path.read_text().replace("Waits.", "Waits\\x1b]0;title\\x07."))
    load_plugin(path)
    one = strategies_of(HERD)["mine"]
    assert one.words.isprintable() and one.parameters["a"].words == r"one\x1b[2Jtwo"


@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        ("def mine(decision, view):", r"must take \(decision, view, me\), and takes \(decision, v"),
        ("def mine(decision, view, me, more):", "must take"),
        ("def mine(decision, view, me=3):", "must take"),
        ("def mine(*all):", r"must take .*, and takes \(all\)"),
        ("@njit\ndef mine(decision, view, me):", "no decorator but @strategy"),
        ("class mine:", "must be a function"),
    ],
)
def test_what_is_no_function_of_three_is_refused(
    tmp_path: Path, declared: str, reason: str
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f'{HEAD}@strategy("herd", "mine")\n{declared}\n    """Waits."""\n    x = 1\n')
    with pytest.raises(BadInput, match=f"'mine' in .*mine.py .*{reason}"):
        load_plugin(path)
