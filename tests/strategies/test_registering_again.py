"""A strategy that is registered again replaces the earlier one: in a notebook, and as a file.

Each version of a strategy answers with a number of its own that is no legal choice, so that the
sentence that stops its first game tells which version played.
"""

import importlib
import os
import re
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import herdlab
from herdlab.simcore import _jit
from herdlab.simcore.batch import Bout, stream_seeds
from herdlab.simcore.errors import BadInput
from herdlab.simcore.game import find_game
from herdlab.simcore.herd.rules import HerdRules
from herdlab.strategies import registry
from herdlab.strategies.herd import solved
from herdlab.strategies.plugins import loaded_plugins
from herdlab.strategies.registry import load_plugin, seat_players, strategies_of
from tests.children import ROOT, run

HERD, RULES = find_game("herd"), HerdRules()
pytestmark = pytest.mark.usefixtures("own_registry")

STAYS = "0 if decision == TRADE else 1"
BUYS = "(view.legal[0] >> 1) & 1 if decision == TRADE else 1"
"""Legal play: never trades; buys a sheep whenever it can."""


PRESS = "import signal\nsignal.raise_signal(signal.SIGINT)\n"
"""Ctrl-C, while a plug-in runs."""


def code(answer: object, name: str = "again", options: str = "") -> str:
    return (
        "from herdlab.strategies import another, member, number, strategy\n"
        "from herdlab.simcore.herd.view import TRADE\n\n"
        f'@strategy("herd", "{name}"{options})\n'
        "def chosen(decision, view, me):\n"
        '    """Does what the test wants."""\n'
        f"    return {answer}\n"
    )


def write(folder: Path, text: str, name: str = "mine.py") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text)
    os.utime(path, (1e9, 1e9))  # Python would take bytecode that it kept for the same file
    return path


def bout(line_up: str) -> Bout:
    return Bout(HERD, RULES, seat_players(HERD, RULES, line_up), stream_seeds(1))


def answer_of(play: Callable[[], object]) -> int:
    with pytest.raises(BadInput) as stopped:
        play()
    found = re.search(r"answered (\d+)", str(stopped.value))
    assert found, stopped.value
    return int(found[1])


def played(name: str = "again") -> int:
    return answer_of(lambda: bout(f"{name},keeper").rows(0, 1))


def known() -> set[str]:
    return set(strategies_of(HERD))


@pytest.fixture
def cell() -> Callable[[str], None]:
    """Return what runs the cells of a notebook."""
    notebook: dict[str, Any] = {"__name__": "__main__"}
    return lambda text: exec(text, notebook)


Cell = Callable[[str], None]


# ---- a notebook ----


@pytest.mark.parametrize("options", ["", ", own_only=True", ', keep=number(2, "x")'])
def test_a_cell_that_is_run_again_plays_as_it_says_now(cell: Cell, options: str) -> None:
    for answer in (71, 72, 71):
        cell(code(answer, options=options))
        assert played() == answer
    assert strategies_of(HERD)["again"].source == "module __main__"


def test_who_sat_down_before_plays_on_as_before(cell: Cell) -> None:
    cell(code(71))
    before = bout("again,keeper")
    cell(code(72))
    assert answer_of(lambda: before.rows(0, 1)) == 71 and played() == 72


def test_other_parameters_and_another_function_replace_too(cell: Cell) -> None:
    cell(code("int(me.params[0])", options=', keep=number(71, "x")'))
    assert played() == 71 and played("again:keep=75") == 75
    cell(code(72).replace("def chosen", "def renamed"))
    assert played() == 72
    with pytest.raises(BadInput, match="unknown parameter of again 'keep'"):
        bout("again:keep=75,keeper")


def test_code_without_a_module_is_a_notebook_too() -> None:
    for answer in (71, 72):
        exec(code(answer), {})
        assert played() == answer


def test_a_module_that_is_loaded_again_replaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    write(tmp_path, code(71), "again_module.py")
    module = importlib.import_module("again_module")
    assert played() == 71
    write(tmp_path, code(72), "again_module.py")
    importlib.reload(module)
    assert played() == 72


def test_a_strategy_of_several_games_is_replaced_in_all_or_in_none(cell: Cell) -> None:
    games = '("horse-trader", "bronco")'
    both = code(71).replace('"herd"', games)
    cell(both)
    functions = {
        strategies_of(find_game(game))["again"].function for game in ("horse-trader", "bronco")
    }
    cell(both)
    again = {
        strategies_of(find_game(game))["again"].function for game in ("horse-trader", "bronco")
    }
    assert len(functions) == len(again) == 1 and functions != again
    with pytest.raises(BadInput, match="'trader-1' .* is taken: horse-trader has one"):
        cell(code(71, "trader-1").replace('"herd"', '("herd", "horse-trader")'))
    assert "trader-1" not in known()


def test_a_built_in_name_stays_taken_also_before_it_was_loaded(cell: Cell) -> None:
    with pytest.raises(BadInput, match="'keeper' in module __main__ is taken: herd has one that"):
        cell(code(71, "keeper"))
    done = run([sys.executable, "-c", code(71, "keeper") + "print('registered')\n"], cwd=ROOT)
    assert "is taken: herd has one that is built in" in done.stderr and not done.stdout


def test_the_name_of_a_whole_tournament_is_taken(cell: Cell) -> None:
    with pytest.raises(BadInput, match="'all' in module __main__ must be .* and not 'all'"):
        cell(code(71, "all"))


def test_a_notebooks_strategy_has_its_indexes_checked_as_a_plug_in(cell: Cell) -> None:
    cell(code("int(me.params[1])"))
    with pytest.raises(BadInput, match="'again' in seat 0 raised IndexError"):
        bout("again,keeper").rows(0, 1)


# ---- a file ----


def test_an_edited_file_replaces_what_it_registered(tmp_path: Path) -> None:
    """Also when nothing but one letter differs, and when the edit is taken back."""
    for answer in (71, 72, 71):
        plugin = load_plugin(write(tmp_path, code(answer)))
        assert played() == answer
        assert loaded_plugins([plugin.as_json()])[0].text.decode() == code(answer)
    assert not (tmp_path / "__pycache__").exists()


def test_the_same_text_is_run_once(tmp_path: Path) -> None:
    load_plugin(write(tmp_path, code(71)))
    before = strategies_of(HERD)["again"]
    load_plugin(write(tmp_path, code(71)))
    load_plugin(write(tmp_path / "copy", code(71), "other.py"))
    assert strategies_of(HERD)["again"] is before


def test_the_same_file_by_another_path_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_plugin(write(tmp_path, code(71)))
    write(tmp_path, code(72))
    monkeypatch.chdir(tmp_path)
    load_plugin(Path("mine.py"))
    assert played() == 72


def test_what_an_edited_file_no_longer_has_is_gone(tmp_path: Path) -> None:
    load_plugin(write(tmp_path, code(71) + code(72, "other")))
    load_plugin(write(tmp_path, code(73, "third")))
    assert known() & {"again", "other", "third"} == {"third"} and played("third") == 73
    load_plugin(write(tmp_path, "\n"))
    assert "third" not in known()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (code(72) + "1 / 0\n", "ZeroDivisionError"),
        (code(72) + "def (:\n", "syntax error"),
        (code(72) + code(73, "keeper"), "'keeper' .* is taken"),
        (code(72) + code(73), "'again' .* is taken: herd has one from .*mine.py"),
        (code(72, "new") + "import sys\nsys.exit(1)\n", "SystemExit"),
    ],
)
def test_an_edited_file_that_fails_changes_nothing(tmp_path: Path, text: str, reason: str) -> None:
    load_plugin(write(tmp_path, code(71) + 'member("herd", "its-member", "again", "X.")\n'))
    before, module = known(), sys.modules["herdlab_plugin_mine"]
    with pytest.raises(BadInput, match=reason):
        load_plugin(write(tmp_path, text))
    assert known() == before and sys.modules["herdlab_plugin_mine"] is module
    assert played() == played("its-member") == 71
    load_plugin(write(tmp_path, code(74)))
    assert played() == 74


@pytest.mark.usefixtures("ctrl_c")
def test_a_file_interrupted_while_it_runs_changes_nothing(tmp_path: Path) -> None:
    load_plugin(write(tmp_path, code(71)))
    with pytest.raises(KeyboardInterrupt):
        load_plugin(write(tmp_path, code(72) + PRESS))
    assert played() == 71


def test_two_files_with_one_name_are_refused_and_both_named(tmp_path: Path, cell: Cell) -> None:
    first = load_plugin(write(tmp_path / "a", code(71)))
    with pytest.raises(BadInput) as refused:
        load_plugin(write(tmp_path / "b", code(72)))
    sentence = str(refused.value)
    assert str(first.path) in sentence and str(tmp_path / "b" / "mine.py") in sentence
    assert played() == 71
    with pytest.raises(BadInput, match="in module __main__ is taken: herd has one from .*mine.py"):
        cell(code(73))
    assert played() == 71


def test_neither_a_notebook_nor_a_file_can_replace_what_a_package_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cell: Cell
) -> None:
    """Also not before anything has asked for the package's strategies."""
    monkeypatch.syspath_prepend(str(write(tmp_path / "site", code(71), "pack_again.py").parent))
    point = EntryPoint("any", "pack_again", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    registry._load_entry_points.cache_clear()
    try:
        with pytest.raises(BadInput, match="__main__ is taken: herd has one from package pack_aga"):
            cell(code(73))
        assert played() == 71
        with pytest.raises(BadInput, match="mine.py is taken: herd has one from package pack_aga"):
            load_plugin(write(tmp_path, code(72)))
        assert played() == 71
    finally:
        registry._load_entry_points.cache_clear()


def test_what_a_file_imports_is_there_after_an_edit_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python does not run a module a second time, so its strategies are not the file's to take."""
    monkeypatch.syspath_prepend(str(tmp_path))
    write(tmp_path, code(75, "helped"), "again_helper.py")
    for text in ("import again_helper\n1 / 0\n", "import again_helper\n" + code(71)):
        path = write(tmp_path, text)
        if "/ 0" in text:
            with pytest.raises(BadInput, match="ZeroDivisionError"):
                load_plugin(path)
            continue
        load_plugin(path)
    load_plugin(write(tmp_path, "import again_helper\n" + code(72)))
    assert played() == 72 and played("helped") == 75


def test_herdlab_plays_the_edited_file_and_keeps_its_text_with_the_run(tmp_path: Path) -> None:
    """One process, the same path, the same names: two results."""
    found = []
    for number, body in enumerate((STAYS, BUYS, STAYS)):
        file = write(tmp_path, code(body))
        out = tmp_path / f"run-{number}"
        result = herdlab.simulate("herd", "again,keeper", games=50, plugins=[file], out=out)
        assert (out / "plugins" / "mine.py").read_bytes() == file.read_bytes()
        found.append(result.as_json())
    hashes = [one["plugins"][0]["sha256"] for one in found]
    assert hashes[0] == hashes[2] != hashes[1]
    lengths = [one["length"] for one in found]
    assert lengths[0] == lengths[2] != lengths[1]


# ---- families, and strategies that name others ----

FAMILY = ', keep=number(2, "x"), answer=number(70, "y", high=99)'


def family(plus: int, options: str = FAMILY) -> str:
    return code(f"int(me.params[1]) + {plus}", options=options)


def test_members_play_as_their_family_does_now(cell: Cell) -> None:
    cell(family(0))
    cell('member("herd", "child", "again", "A child.", answer="71")')
    cell('member("herd", "grandchild", "child", "A grandchild.", keep="3")')
    assert played("child") == played("grandchild") == 71
    cell(family(10))
    assert (played(), played("child"), played("grandchild")) == (80, 81, 81)
    [(one, _, values)] = registry.read_line_up(HERD, "grandchild")
    assert one.written(values) == {"keep": "3", "answer": "71"}
    cell('member("herd", "child", "again", "A child.", answer="75")')
    assert played("child") == played("grandchild") == 85


def test_a_member_that_no_longer_fits_is_gone_until_it_is_registered_again(cell: Cell) -> None:
    cell(family(0))
    cell('member("herd", "child", "again", "A child.", answer="71")')
    cell('member("herd", "grandchild", "child", "A grandchild.", keep="3")')
    cell(code(72, options=', keep=number(2, "x")'))
    assert known() & {"again", "child", "grandchild"} == {"again"}
    with pytest.raises(BadInput, match="unknown parameter of again 'answer'"):
        cell('member("herd", "child", "again", "A child.", answer="71")')
    cell('member("herd", "child", "again", "A child.", keep="1")')
    assert played("child") == 72


def test_members_in_another_file_follow_and_go_with_their_family(tmp_path: Path) -> None:
    load_plugin(write(tmp_path, family(0)))
    others = (
        "from herdlab.strategies import member\n"
        'member("herd", "child", "again", "X.", answer="71")\n'
    )
    load_plugin(write(tmp_path, others, "others.py"))
    load_plugin(write(tmp_path, family(10)))
    assert played("child") == 81
    assert strategies_of(HERD)["child"].source.endswith("others.py")
    load_plugin(write(tmp_path, "\n"))
    assert not known() & {"again", "child"}


def test_a_strategy_cannot_be_of_its_own_family(cell: Cell) -> None:
    cell(family(0))
    cell('member("herd", "child", "again", "A child.")')
    for name, of in (("again", "again"), ("again", "child")):
        with pytest.raises(BadInput, match=f"'again' cannot be of its own family, {of}"):
            cell(f'member("herd", "{name}", "{of}", "Its own parent.")')


def test_who_names_it_means_the_one_that_is_there_now(cell: Cell) -> None:
    options = ', make_data=data, other=another("again", "x")'
    cell("import numpy as np\nfrom herdlab.strategies.registry import named_player")
    cell("def params(rules): return named_player('herd', rules, 'again').params")
    cell("def data(rules, values): return np.array(params(rules), float)")
    cell(code("int(me.data.view(np.float64)[0])", "names", options))
    for default in (71, 72):
        cell(code(STAYS, options=f', keep=number({default}, "x")'))
        assert played("names") == default


def test_a_race_is_worked_out_anew_for_another_rival_of_the_same_name(cell: Cell) -> None:
    """Races are kept in memory, and solutions of what is built in on disk, by names."""
    rules, tables = HerdRules(max_rabbits=6, sheep=8, pigs=6, cows=5), []
    for name in ("keeper", "closer"):
        cell(f'from herdlab.strategies import member\nmember("herd", "pace", "{name}", "A pace.")')
        tables.append(seat_players(HERD, rules, "racer:rival=pace")[0].data.tobytes())
        assert tables[-1] == seat_players(HERD, rules, f"racer:rival={name}")[0].data.tobytes()
    assert tables[0] != tables[1]
    assert not list((_jit.CACHE / "solved").glob(f"*-{solved._short(b'pace')}.npz"))
    assert list((_jit.CACHE / "solved").glob(f"*-{solved._short(b'keeper')}.npz"))


def test_playing_out_as_it_means_the_one_that_is_there_now(cell: Cell) -> None:
    for answer in (77, 78):
        cell(code(f"{answer} if view.turn > 4 else 0"))
        with pytest.raises(BadInput, match="'rollout:base=again:n=2' .* not a legal choice"):
            bout("rollout:base=again:n=2,keeper").rows(0, 50)
    cell(code(STAYS))
    bout("rollout:base=again:n=2,keeper").rows(0, 2)
