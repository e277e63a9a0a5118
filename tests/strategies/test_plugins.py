"""Plug-ins: loaded from a file or an entry point, compiled fast, refused with a sentence."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from numba.core import event

from herdlab.simcore import _jit
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.rules import HerdRules
from herdlab.strategies import registry
from herdlab.strategies.plugins import running
from herdlab.strategies.registry import load_plugin, seat_players, strategies_of
from tests.children import ROOT, run
from tests.words import meant

HERD = find_game("herd")
RULES = HerdRules()
HEAD = """
import numpy as np
from herdlab.simcore.herd.view import TRADE, PARTNER
from herdlab.simcore.table import OBSERVE
from herdlab.strategies import strategy, number, choice

"""


pytestmark = pytest.mark.usefixtures("own_registry")


def write(folder: Path, body: str, name: str = "plugin.py") -> Path:
    path = folder / name
    path.write_text(HEAD + body)
    return path


def plain(name: str, body: str, options: str = "") -> str:
    lines = "\n".join("    " + line for line in body.splitlines())
    return (
        f'@strategy("herd", "{name}"{options})\n'
        f"def chosen(decision, view, me):\n"
        f'    """Does what the test wants."""\n{lines}\n'
    )


def play(path: Path, line_up: str, games: int = 200) -> None:
    load_plugin(path)
    bout = Bout(HERD, RULES, seat_players(HERD, RULES, line_up), stream_seeds(42))
    bout.rows(0, games)


def test_a_strategy_from_a_file_plays(tmp_path: Path) -> None:
    play(write(tmp_path, plain("mine", "return 0 if decision == TRADE else 1")), "mine,keeper")
    assert strategies_of(HERD)["mine"].source.endswith("plugin.py")


def test_members_are_written_as_players_are(tmp_path: Path) -> None:
    rows = '{"calm:keep_pigs=2:dog=never": "Keeps two pigs.", "plain": "Plays like herder."}'
    text = f'from herdlab.strategies import members\nmembers("herd", "herder", {rows})\n'
    play(write(tmp_path, text), "calm,plain")
    calm, its_family = strategies_of(HERD)["calm"], strategies_of(HERD)["herder"]
    assert calm.source.endswith("plugin.py") and calm.words == "Keeps two pigs."
    changed = {k for k, one in calm.parameters.items() if one != its_family.parameters[k]}
    assert changed == {"keep_pigs", "dog"} and calm.parameters["keep_pigs"].default == 2


def test_its_parameters_reach_it(tmp_path: Path) -> None:
    body = "if me.params[0] != 7 or me.params[1] != 2:\n    return 99\n"
    body += "return 0 if decision == TRADE else 1"
    options = ', a=number(7, "a number"), b=choice("x", ("y", "z", "x"), "a choice")'
    path = write(tmp_path, plain("mine", body, options))
    play(path, "mine,keeper")
    with pytest.raises(BadInput, match="answered 99"):
        bout = Bout(HERD, RULES, seat_players(HERD, RULES, "mine:a=6,keeper"), stream_seeds(1))
        bout.rows(0, 10)


@pytest.mark.parametrize(
    ("body", "decision"),
    [
        ("return 7", "trade"),
        ("return -1", "trade"),
        ("return 4", "trade"),
        ("return 0 if decision == TRADE else 9", "skunk"),
        ("return 0 if decision == TRADE else 0", "skunk"),
    ],
)
def test_an_illegal_choice_stops_the_run_with_a_sentence(
    tmp_path: Path, body: str, decision: str
) -> None:
    with pytest.raises(BadInput) as caught:
        play(write(tmp_path, plain("wrong", body)), "keeper,wrong")
    sentence = str(caught.value)
    for part in ("'wrong' in seat 1 answered", "not a legal choice", f"'{decision}'", "seed 42"):
        assert part in sentence
    assert "in game " in sentence and "\n" not in sentence


def test_an_illegal_partner_is_refused(tmp_path: Path) -> None:
    body = """
if decision == TRADE:
    for k in range(view.players):
        for trade in range(1, 6):
            if (view.legal[k] >> trade) & 1:
                return trade
    return 0
return 0 if decision == PARTNER else 1
"""
    with pytest.raises(BadInput, match="answered 0, .* 'partner'"):
        play(write(tmp_path, plain("wrong", body.strip())), "wrong,keeper,keeper")


@pytest.mark.parametrize("own", ["", ", own_only=True"])
def test_an_exception_stops_the_run_with_a_sentence(tmp_path: Path, own: str) -> None:
    body = 'if view.herds[0, 0] > 5:\n    raise ValueError("too many rabbits")\n'
    body += "return 0 if decision == TRADE else 1"
    with pytest.raises(BadInput, match="'wrong' in seat 1 raised ValueError: too many rabbits"):
        play(write(tmp_path, plain("wrong", body, own)), "keeper,wrong")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return 0.5", "must return a whole number on every path, and returns a float"),
        ("return 1 if decision == TRADE else 0.5", "returns a float"),
        ("if decision == TRADE:\n    return 0", "must return a whole number"),
        ("return 'none'", "returns text"),
        ("return view.rabbits", "Unknown attribute 'rabbits' of type HerdView"),
        ("return no_such_name", "does not compile"),
        ("return len(np.zeros(3))", "me.notebook"),
        ("import math\nreturn 0", "does not compile"),
        ("view.herds[0, 0] = 5\nreturn 0", "only shown"),
    ],
)
def test_what_is_no_strategy_is_refused_when_it_is_compiled(
    tmp_path: Path, body: str, reason: str
) -> None:
    with pytest.raises(BadInput) as caught:
        play(write(tmp_path, plain("wrong", body)), "wrong,keeper")
    assert "'wrong'" in str(caught.value) and reason in str(caught.value), str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_strategy_that_promises_to_look_at_its_own_only_draws_no_luck(tmp_path: Path) -> None:
    body = "return 0 * below(me.luck, 2) if decision == TRADE else 1"
    path = write(
        tmp_path, "from herdlab.simcore.rng import below\n" + plain("l", body, ", own_only=True")
    )
    with pytest.raises(BadInput, match="'l' in seat 0 drew luck though it promises .* seed 42"):
        play(path, "l,keeper")


def test_a_strategy_that_promises_to_look_at_its_own_only_has_no_notebook(tmp_path: Path) -> None:
    options = ", own_only=True, notebook=1"
    path = write(tmp_path, plain("n", "return 0 if decision == TRADE else 1", options))
    with pytest.raises(BadInput, match="promises .* cannot keep a notebook"):
        play(path, "n,keeper")


def test_indexes_and_divisions_are_checked_in_a_plugins_helpers_too(tmp_path: Path) -> None:
    helper = (
        "from herdlab.simcore._jit import inner\n\n"
        "@inner\ndef peek(me):\n    return me.params[1]\n\n"
    )
    path = write(tmp_path, helper + plain("p", "return 0 * int(peek(me))"))
    with pytest.raises(BadInput, match="'p' in seat 0 raised IndexError"):
        play(path, "p,keeper")
    path = write(tmp_path, plain("d", "return 1 // (view.turn - view.turn)"), "division.py")
    with pytest.raises(BadInput, match="'d' in seat 0 raised ZeroDivisionError"):
        play(path, "d,keeper")


def test_built_in_strategies_stay_built_in_when_a_plugin_imports_them() -> None:
    script = (
        "from pathlib import Path\n"
        "from herdlab.strategies.registry import load_plugin, strategies_of\n"
        "from herdlab.simcore.game import find_game\n"
        "load_plugin(Path('examples/patient_farmer.py'))\n"
        "print({s.name for s in strategies_of(find_game('herd')).values()\n"
        "       if s.source != 'built in'})\n"
    )
    done = run([sys.executable, "-c", script], cwd=ROOT)
    assert done.stdout.strip() == "{'patient-farmer'}", done.stderr


def test_other_integer_types_and_truth_are_answers_too(tmp_path: Path) -> None:
    play(write(tmp_path, plain("mine", "return decision != TRADE")), "mine,keeper")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def broken(:\n", "syntax error in line 7"),
        ("import no_such_module\n", "cannot be loaded: ModuleNotFoundError"),
        ("1 / 0\n", "cannot be loaded: ZeroDivisionError"),
        (plain("keeper", "return 0"), "'keeper' in .* is taken: herd has one that is built in"),
        (plain("My Name", "return 0"), "must be lower-case"),
        (plain("mine", "return 0").replace('"herd"', '"hurd"'), meant("herd")),
        (plain("mine", "return 0").replace('"""Does what the test wants."""', ""), "docstring"),
        (plain("mine", "return 0", ", keep=2"), "keep .* must be declared with number"),
        (plain("mine", "return 0", ', keep=number(200, "x")'), "from 0 to 99, and got '200'"),
        (plain("mine", "return 0", ', notebook="8"'), "notebook slots"),
        ("import sys\nsys.exit(3)\n", "cannot be loaded: SystemExit"),
        ('from herdlab.strategies import member\nmember("herd", "zz", "herdr", "X.")', "'herder'"),
        (
            'from herdlab.strategies import member\nmember("herd", "zz", "herder", "X.", kep="1")',
            "'kep'",
        ),
        (
            "from herdlab.strategies import members\n"
            'members("herd", "herder", {"zz:keep_pigs": "X."})',
            "parameter keep_pigs of zz must be a whole number from 0 to 99, and got ''",
        ),
        (
            "from herdlab.strategies import members\n"
            'members("herd", "herder", {"keeper:keep_pigs=2": "X."})',
            "'keeper' in .* is taken: herd has one that is built in",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason) as caught:
        load_plugin(write(tmp_path, text))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [", make_data=lambda rules, values: 1 / 0", ', own_only=lambda values: values["no"]'],
)
def test_a_strategy_that_cannot_be_set_up_is_refused(tmp_path: Path, options: str) -> None:
    with pytest.raises(BadInput, match="'mine' in .* cannot be set up: "):
        play(write(tmp_path, plain("mine", "return 0", options)), "mine,keeper")


def test_a_file_that_is_missing_or_no_python_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        load_plugin(tmp_path / "none.py")
    with pytest.raises(BadInput, match="must end in .py"):
        load_plugin(write(tmp_path, "", "plugin.txt"))


def test_strategies_come_from_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, plain("from-package", "return 0 if decision == TRADE else 1"), "pack_age.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("any", "pack_age", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    registry._load_entry_points.cache_clear()
    assert strategies_of(HERD)["from-package"].source == "package pack_age"
    registry._load_entry_points.cache_clear()


def test_the_example_compiles_nothing_but_itself_and_leaves_the_cache_alone() -> None:
    """What it builds on comes from the cache: that makes compiling a plug-in fast."""
    script = """
from pathlib import Path
from numba.core import event
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.rules import HerdRules
from herdlab.strategies.registry import load_plugin, seat_players
herd = find_game("herd")
seat_players(herd, HerdRules(), "keeper")
with event.install_recorder("numba:compile") as recorder:
    load_plugin(Path("examples/patient_farmer.py"))
    seat_players(herd, HerdRules(), "patient-farmer")
for _, one in recorder.buffer:
    print(one.data["dispatcher"].py_func.__module__)
"""
    load_plugin(ROOT / "examples" / "patient_farmer.py")
    seat_players(HERD, RULES, "keeper,patient-farmer")  # now the cache has all that it needs
    done = run([sys.executable, "-c", script], cwd=ROOT)
    assert set(done.stdout.split()) == {"herdlab_plugin_patient_farmer"}, done
    assert list(_jit.CACHE.rglob("herder.*"))  # numba names its files by module
    assert not list(_jit.CACHE.rglob("*patient*"))


def test_compiling_is_done_once_a_process(tmp_path: Path) -> None:
    path = write(tmp_path, plain("mine", "return 0 if decision == TRADE else 1"))
    play(path, "mine,keeper")
    with event.install_recorder("numba:compile") as recorder:
        first, second = seat_players(HERD, RULES, "mine,mine")
    assert recorder.buffer == [] and first.choose is second.choose


def test_a_plugin_for_an_earlier_herdlab_is_told_the_new_name() -> None:
    with pytest.raises(BadInput, match="imports 'strategies'.* write: from herdlab.strategies"):
        with running("mine.py"):
            raise ModuleNotFoundError(name="strategies")
    with pytest.raises(BadInput, match="cannot be loaded"):
        with running("mine.py"):
            raise ModuleNotFoundError("No module named 'other'", name="other")
