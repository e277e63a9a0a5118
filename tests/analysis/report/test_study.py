"""Study files: what they say, and for every mistake the key and the line."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import herdlab
from herdlab.analysis.report.study.study import COMMANDS, Study, read_study
from herdlab.analysis.report.study.toml_lines import key_lines
from herdlab.simcore.errors import BadInput
from tests.words import meant, not_together

ROOT = Path(__file__).resolve().parents[3]
FUNCTIONS = {name: getattr(herdlab, name) for name in COMMANDS}
GOOD = '''title = "Is the Guard Dog worth it?"
text = """
What this is about.

[[part]]
title = 'no part, but text'
"""
game = "herd"
seed = 7
[rules]
horse_price = 3

[[part]]
title = "The answer"
command = "ask"
question = "guard-dog"

[[part]]
# at most four
title = "At a table of two"
text = """two
lines"""
command = "simulate"
players = [
  "keeper",  # a comment with ] and """
  "keeper-dog",
]
precision = 0.01
rotate = true
[part.rules]
sheep = 20

[[part]]
title = "Another game"
command = "luck"
game = "swap"
seed = 8
players = "random,random"
games = 1e3

[[part]]
title = "A difference"
command = "compare"
a = "keeper"
b = "climber"
rules = { horse_price = 2, cows = 10 }

[[part]]
title = "All of it"
command = "overview"
'''
BEGINS = [n for n, line in enumerate(GOOD.split("\n"), 1) if line == "[[part]]"][1:]
"""Where the parts begin: the first of these lines belongs to the text."""


def read(folder: Path, text: str) -> Study:
    path = folder / "study.toml"
    path.write_text(text)
    return read_study(path, FUNCTIONS)


def line_of(text: str, words: str) -> int:
    assert text.count(words) == 1
    return text[: text.index(words)].count("\n") + 1


def test_a_study_has_its_parts_with_game_seed_and_rules_of_their_own_or_of_all(
    tmp_path: Path,
) -> None:
    study = read(tmp_path, GOOD)
    assert study.title == "Is the Guard Dog worth it?" and study.source == GOOD
    assert study.text.startswith("What this is about.\n\n[[part]]")
    answer, two, other, difference, overview = study.parts
    assert answer.arguments == {"question": "guard-dog"} and answer.line == BEGINS[0] == 13
    assert (answer.game, answer.seed, answer.rules) == ("herd", 7, {"horse_price": 3})
    assert two.arguments["players"] == ["keeper", "keeper-dog"] and two.text == "two\nlines"
    assert two.rules == {"horse_price": 3, "sheep": 20}
    assert (other.game, other.seed, other.rules) == ("swap", 8, {})
    assert other.arguments["games"] == 1000 and isinstance(other.arguments["games"], int)
    assert difference.rules == {"horse_price": 2, "cows": 10}
    assert overview.command == "overview" and overview.game is None


@pytest.mark.parametrize("change", [("\n", "\r\n"), ("title = ", "\ufefftitle = ")])
def test_a_file_from_windows_is_read_as_any_other(change: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_bytes(GOOD.replace(*change, -1 if change[0] == "\n" else 1).encode())
    assert [part.line for part in read_study(path, FUNCTIONS).parts] == BEGINS


MISTAKES = [
    # what is in the file, what is there instead, what the sentence has beside line and file
    ("seed = 7", "sede = 7", ["unknown key 'sede'", meant("seed"), "known: title"]),
    ("seed = 7", "seed = -1", ["seed", "from 0 to 2^64 - 1"]),
    ("seed = 7", "seed = 18446744073709551616", ["seed", "2^64"]),
    ("seed = 7", "seed = true", ["'seed' must be a whole number, and got true"]),
    ("seed = 7", "plugins = ['gone.py']", ["plugins", "gone.py' cannot be read"]),
    ("seed = 7", "plugins = 'gone.py'", ["'plugins' must be a list of texts"]),
    ('game = "herd"', 'game = "hurd"', ["game: unknown game 'hurd'", meant("herd")]),
    ('game = "swap"', 'game = "swop"', ["part 3 ('Another game')", meant("swap")]),
    ("horse_price = 3", "horse_prise = 3", ["rules.horse_prise", meant("horse_price")]),
    ("horse_price = 3", "horse_price = 'x'", ["rules.horse_price", "whole number", "'x'"]),
    ("sheep = 20", "sheep = 200", ["part 2", "rules.sheep", "0 to 31"]),
    ("sheep = 20", "dice = 'loaded'", ["part 2", "rules.dice", "'loaded'"]),
    ("precision = 0.01", "precison = 0.01", ["'precison'", meant("precision"), "rotate"]),
    ("precision = 0.01", "precision = 'fine'", ["'precision' must be a number", "'fine'"]),
    ("precision = 0.01", "precision = 0", ["precision: ", "and got 0"]),
    ("precision = 0.01", "precision = nan", ["precision: ", "nan"]),
    ("precision = 0.01", "games = 2.5", ["'games' must be a whole number, and got 2.5"]),
    ("precision = 0.01", "games = 0", ["games: ", "from 1 to"]),
    ("precision = 0.01", "games = inf", ["'games' must be a whole number, and got inf"]),
    ("precision = 0.01", "max_games = 10", ["max_games limits", "games says how many"]),
    ("rotate = true", "rotate = 'yes'", ["'rotate' must be true or false, and got 'yes'"]),
    ("rotate = true", "games = 10", [not_together("games", "precision")]),
    ("rotate = true", "metric = 'win'", ["unknown key of simulate 'metric'", "part 2"]),
    ("rotate = true", "threads = 2", ["unknown key of simulate 'threads'"]),
    ('"guard-dog"', '"guard-dg"', ["question: ", meant("guard-dog"), "part 1"]),
    ('"guard-dog"', '"seat"\nplayers = "keepr"', ["'keepr'", meant("keeper")]),
    ('command = "luck"', 'command = "lukc"', ["unknown command 'lukc'", meant("luck")]),
    ('command = "luck"', "command = 3", ["'command' must be a text, and got 3"]),
    ("games = 1e3", "games = 10", ["games: ", "from 100 to"]),
    ("games = 1e3", "metric = 'lenght'", ["metric: ", meant("length")]),
    ('b = "climber"', 'b = "climbr"', ["b: ", meant("climber"), "part 4"]),
    ('a = "keeper"', 'a = "kepper"', ["a: ", meant("keeper"), "part 4"]),
    ('title = "Another game"', 'title = " \\n "', ["the title is empty", "part 3"]),
    ('title = "Another game"', "title = 5", ["'title' must be a text, and got 5"]),
    ('title = "Another game"', 'title = "The  answer"', ["title is that of the part in line 13"]),
    ("precision = 0.01", "precision = 0.1\nmax_games = 0", ["max_games: ", "and got 0"]),
    ("rotate = true", "show = 0", ["'show' must be true, false or \"brief\", and got 0"]),
    ("rotate = true", "show = []", ["'show' must be", "and got []"]),
    ("seed = 7", "plugins = ['a', 3]", ["'plugins' must be a list of texts", 'got ["a", 3]']),
    ("seed = 7", 'plugins = ["a\\u0000.py"]', ["plugins", ".py' cannot be read"]),
    ('command = "overview"', 'game = "herd"\ncommand = "overview"', ["of overview 'game'"]),
]


@pytest.mark.parametrize(("there", "instead", "parts"), MISTAKES)
def test_a_mistake_names_its_key_and_line(
    there: str, instead: str, parts: list[str], tmp_path: Path
) -> None:
    text = GOOD.replace(there, instead)
    line = line_of(GOOD, there) + (1 if "players" in instead or "max_games = 0" in instead else 0)
    with pytest.raises(BadInput) as refused:
        read(tmp_path, text)
    sentence = str(refused.value)
    assert sentence.startswith(f"study '{tmp_path}/study.toml', line {line}"), sentence
    assert "\n" not in sentence
    for part in parts:
        assert part in sentence, sentence


NEEDED = [
    # of an argument that cannot be left out: what is wrong with the last line, and the sentence
    ("sweep", 'strategy = "herder"', 'vary = "keep_shep=0:4:1"', "vary: unknown parameter of herd"),
    ("sweep", 'strategy = "herder"', 'vary = "keep_sheep=0:4:0"', "vary: the step of keep_sheep"),
    ("sweep", 'strategy = "herder"', "vary = []", "vary: vary must name from 1 to 2"),
    ("sweep", 'vary = "keep_sheep=0:4:1"', 'strategy = "hrder"', "strategy: unknown strategy"),
    ("tournament", 'entrants = "keeper,closer"', "size = 9", "size: herd takes 1 to 4 players"),
    ("tournament", "size = 2", 'entrants = "keeper"', "entrants: a tournament at tables of 2"),
]


@pytest.mark.parametrize(("command", "good", "bad", "sentence"), NEEDED)
def test_of_several_arguments_that_are_needed_the_wrong_one_is_named(
    command: str, good: str, bad: str, sentence: str, tmp_path: Path
) -> None:
    head = "title = 'x'\ngame = 'herd'\n[[part]]\ntitle = 'y'"
    with pytest.raises(BadInput) as refused:
        read(tmp_path, f"{head}\ncommand = '{command}'\n{good}\n{bad}\n")
    assert f"line 7, part 1 ('y'): {sentence}" in str(refused.value)


MISSING = [
    (
        'command = "luck"\n',
        BEGINS[2],
        "part 3 ('Another game'): a part needs a command, one of simulate",
    ),
    ('title = "A difference"\n', BEGINS[3], "part 4: a part needs a title"),
    ('players = "random,random"\n', BEGINS[2], "luck needs 'players', which is missing"),
    ('a = "keeper"\n', BEGINS[3], "compare needs 'a', which is missing"),
    ('game = "herd"\n', BEGINS[1] - 1, "simulate needs a game, here or at the top of the study"),
]


@pytest.mark.parametrize(("gone", "line", "sentence"), MISSING)
def test_what_is_missing_is_named_with_the_line_of_its_part(
    gone: str, line: int, sentence: str, tmp_path: Path
) -> None:
    text = GOOD.replace(gone, "")
    with pytest.raises(BadInput) as refused:
        read(tmp_path, text)
    assert sentence in str(refused.value) and f", line {line}, " in str(refused.value)


WHOLES = [
    ("", "needs a title"),
    ("title = 'x'", "has no parts: each begins with [[part]]"),
    ("title = 'x'\npart = []", "has no parts"),
    ("title = 'x'\n[part]\ntitle = 'y'", "line 2: a part begins with [[part]], in two brackets"),
    ("title = 'x'\npart = [3]", "line 2, part 1: a part begins with [[part]]"),
    ("title = 'x\n", "what begins in line 1 does not end"),
    ("title = 'x'\n\ntext = '''\nno end\n", "what begins in line 3 does not end"),
    (f"title = 'x'\nseed = {5000 * '9'}", "a number of it is too long"),
    (f"a{3000 * '.a'} = 1", "it is too deep"),
    (f"a = {3000 * '['}{3000 * ']'}", "it is too deep"),
    ("title = 'x'\ntitle = 'y'", "Cannot overwrite a value (at line 2"),
    (
        "title = 'x'\nrules = 3\n[[part]]\ntitle='a'\ncommand='solve'\ngame='herd'",
        "line 2: 'rules'",
    ),
    ("title = 'x'\n[[part]]\ntitle = 'y'\ncommand = 'overview'", "line 2, part 1 ('y'): an overvi"),
]


@pytest.mark.parametrize(("text", "sentence"), WHOLES)
def test_a_file_that_is_no_study_is_refused(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        read(tmp_path, text)
    assert sentence in str(refused.value), str(refused.value)


def test_a_file_that_cannot_be_read_or_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="study '.*gone.toml' cannot be read: No such file"):
        read_study(tmp_path / "gone.toml", FUNCTIONS)
    (tmp_path / "binary.toml").write_bytes(b"title = '\xff'")
    with pytest.raises(BadInput, match="is no UTF-8 text"):
        read_study(tmp_path / "binary.toml", FUNCTIONS)


def test_nothing_is_played_while_a_study_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*_: object, **__: object) -> None:
        raise AssertionError("was played")

    monkeypatch.setattr("herdlab.analysis.studies.simulation.simulate", play)
    monkeypatch.setattr("herdlab.analysis.studies.luck.decompose", play)
    monkeypatch.setattr("herdlab.analysis.studies.compare.compare", play)
    assert len(read(tmp_path, GOOD).parts) == 5


def test_a_long_text_is_not_read_once_for_each_of_its_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = 'title = \'x\'\ntext = """\n' + 20_000 * "a line of it\n" + '"""\nseed = 7\n'
    usual, read = tomllib.loads, list[str]()

    def loads(part: str) -> dict[str, Any]:
        read.append(part)
        return usual(part)

    monkeypatch.setattr(tomllib, "loads", loads)
    assert key_lines(text) == {("title",): 1, ("text",): 2, ("seed",): 20_004}
    assert len(read) < 10


def test_texts_are_kept_letter_by_letter_but_for_what_cannot_be_printed(tmp_path: Path) -> None:
    strange = "<script>alert(1)</script> #let x = $1$ \\u0007\\u001b[31m“ü”"
    text = GOOD.replace("Is the Guard Dog worth it?", strange)
    text = text.replace("two\nlines", "a\\u0000b\\n\\n#c <b>")
    study = read(tmp_path, text)
    assert study.title == "<script>alert(1)</script> #let x = $1$ [31m“ü”"
    assert study.parts[1].text == "ab\n\n#c <b>"


@pytest.mark.usefixtures("own_registry")
def test_plugins_are_loaded_once_from_beside_the_study(tmp_path: Path) -> None:
    example = ROOT / "examples" / "patient_farmer.py"
    plugin = tmp_path / "mine.py"
    plugin.write_text(example.read_text())
    path = tmp_path / "study.toml"
    text = GOOD.replace("seed = 7", "plugins = ['mine.py', './mine.py']")
    path.write_text(text.replace('"keeper-dog"', '"patient-farmer"'))
    study = read_study(path, FUNCTIONS, [plugin])
    assert [one["file"] for one in study.parts[1].plugins] == ["mine.py"]


def test_the_line_of_a_key_is_found_behind_all_that_toml_allows() -> None:
    source = '''"a b".c = 1

x = """\\
  y = 2
  """  # z = 3
list = [
  { k = 1 },  # [[t]]

  { k = 2 },
]
[[t]]
[t.deep]
v = 1
[[t]]
[[t.inner]]
[[t.inner]]
w = 1
'''
    assert key_lines(source) == {
        ("a b",): 1,
        ("a b", "c"): 1,
        ("x",): 3,
        ("list",): 6,
        ("list", 0): 6,
        ("list", 0, "k"): 6,
        ("list", 1): 6,
        ("list", 1, "k"): 6,
        ("t",): 11,
        ("t", 0): 11,
        ("t", 0, "deep"): 12,
        ("t", 0, "deep", "v"): 13,
        ("t", 1): 14,
        ("t", 1, "inner"): 15,
        ("t", 1, "inner", 0): 15,
        ("t", 1, "inner", 1): 16,
        ("t", 1, "inner", 1, "w"): 17,
    }


def test_names_of_games_and_rules_are_the_same_in_any_case(tmp_path: Path) -> None:
    """The study's rules are those of a part about the same game; a part's own come first."""
    study = read(
        tmp_path,
        'title = "T"\ngame = "herd"\n[rules]\nhorse_price = 3\nrabbits = 60\n'
        '[[part]]\ntitle = "P"\ncommand = "simulate"\ngame = "HERD"\nplayers = "Keeper,CLIMBER"\n'
        "[part.rules]\nHorse_Price = 2\n",
    )
    assert study.parts[0].rules == {"rabbits": 60, "Horse_Price": 2}
