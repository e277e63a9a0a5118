"""The command line as a user meets it: results, and one sentence for every mistake."""

import json
import re
import sys
from pathlib import Path

import pytest

from herdlab.commands.options import read_whole
from herdlab.simcore.game import find_game
from tests import children
from tests.children import CTRL_C, EAGER_CLI, ROOT, Child
from tests.command_line import check_refusal, herdlab, refuses, result_of
from tests.words import DIFFERS, HOLDS, meant, took_too_few_or_many, unknown

EXAMPLE = ROOT / "examples" / "patient_farmer.py"

SIMULATE = ("simulate", "herd", "--players", "keeper,keeper")
MISTAKES = [
    (("simulate", "hurd", "--players", "keeper"), [unknown("game", "hurd"), meant("herd")]),
    (("simulate", "herd", "--players", "keepr,keeper"), ["'keepr'", meant("keeper")]),
    (("simulate", "herd", "--players", ""), took_too_few_or_many(1, 4, 0)),
    (("simulate", "herd", "--players", "keeper,,keeper"), ["two commas in a row in"]),
    (
        ("simulate", "herd", "--players", "keeper:keep_shep=2"),
        ["unknown parameter of keeper", meant("keep_sheep")],
    ),
    (("simulate", "herd", "--players", "keeper:keep_sheep=x"), ["keep_sheep", "0 to 99", "'x'"]),
    (("simulate", "herd", "--players", "keeper:keep_sheep=1.5"), ["whole number", "'1.5'"]),
    (("simulate", "herd", "--players", "keeper:dog=maybe"), ["'maybe'", "never, spare, first"]),
    (("simulate", "herd", "--players", "keeper:dog"), ["keeper:name=value", "'dog'"]),
    (("simulate", "herd", "--players", "keeper," * 4 + "keeper"), took_too_few_or_many(1, 4, 5)),
    ((*SIMULATE, "--games", "-5"), ["--games", "from 1 to", "'-5'"]),
    ((*SIMULATE, "--games", "0"), ["--games", "'0'"]),
    ((*SIMULATE, "--games", "2.5"), ["--games", "whole number", "'2.5'"]),
    ((*SIMULATE, "--games", "many"), ["--games", "whole number", "'many'"]),
    ((*SIMULATE, "--games", "nan"), ["--games", "whole number", "'nan'"]),
    ((*SIMULATE, "--games", "inf"), ["--games", "whole number", "'inf'"]),
    ((*SIMULATE, "--games", "1e30"), ["--games", "from 1 to", "'1e30'"]),
    ((*SIMULATE, "--games", "1e999999999"), ["--games", "from 1 to", "'1e999999999'"]),
    ((*SIMULATE, "--seed", "0.5"), ["--seed", "whole number", "'0.5'"]),
    ((*SIMULATE, "--seed", "-1"), ["--seed", "from 0 to", "'-1'"]),
    ((*SIMULATE, "--seed", "x"), ["--seed", "'x'"]),
    ((*SIMULATE, "--set", "horse_pric=3"), ["unknown rule of herd", meant("horse_price")]),
    ((*SIMULATE, "--set", "horse_price"), ["key=value"]),
    ((*SIMULATE, "--set", "wolf_die=5R2SPCWK"), ["twelve faces", "got 11"]),
    ((*SIMULATE, "--rules", "no-such.toml"), ["rules file 'no-such.toml' cannot be read"]),
    ((*SIMULATE, "--plugin", "no-such.py"), ["plug-in 'no-such.py' cannot be read"]),
    (("rules", "hord"), [unknown("game", "hord")]),
    (("strategies", "herd", "kepper"), [meant("keeper")]),
    (("trace", "herd", "--players", "keeper", "--game", "-1"), ["--game", "'-1'"]),
    (("verify", "no-such.json"), ["result 'no-such.json' cannot be read"]),
    (("cache", "cler"), [meant("clear")]),
    (("simulate",), ["missing argument 'GAME'; for example: herdlab simulate herd -p "]),
    (("simulate", "herd"), ["missing option '--players' / '-p'; for example: "]),
    (("simulate", "herd", "-p"), ["option '-p' requires an argument"]),
    (("simulate", "herd", "--plyers", "keeper"), ["no option --plyers; did you mean --players?"]),
    ((*SIMULATE, "more"), ["extra argument (more); join names with commas"]),
    ((*SIMULATE, "--threads", "0"), ["--threads", "from 1 to 1,024", "'0'"]),
    ((*SIMULATE, "--threads", "two"), ["--threads", "whole number", "'two'"]),
    ((*SIMULATE, "-p", "random,random"), ["--players was given 2 times"]),
    ((*SIMULATE, "--seed", "1", "-s", "1", "-s", "3"), ["--seed was given 3 times"]),
    ((*SIMULATE, "--games", "1,00"), ["--games", "whole number", "'1,00'"]),
    ((*SIMULATE, "--games", "k"), ["--games", "whole number", "'k'"]),
    ((*SIMULATE, "--games", ""), ["--games", "whole number", "''"]),
    (("--no-such",), ["no option --no-such; see: herdlab --help"]),
    (("simulat",), [f"unknown command 'simulat': {meant('simulate')}?"]),
    (("guard-dog",), ["'guard-dog' is a question; ask it with: herdlab ask guard-dog"]),
    (("Donkey",), ["'Donkey' is a question; ask it with: herdlab ask donkey"]),
    (("is the dog worth it?",), ["no command 'is the dog", "try: herdlab ask guard-dog"]),
    (("herd",), ["'herd' is a game", "herdlab strategies herd"]),
]


@pytest.mark.parametrize(("words", "parts"), MISTAKES, ids=lambda value: " ".join(value)[:60])
def test_a_mistake_gets_one_sentence_and_exit_code_2(
    words: tuple[str, ...], parts: list[str]
) -> None:
    refuses(words, parts)


def test_an_endless_word_is_not_repeated_whole() -> None:
    done = herdlab("simulate", "chess", "-p", "k" * 5_000)
    assert done.returncode == 2 and len(done.stderr) < 500, done
    done = herdlab("rules", "herd", "x/" * 5_000)
    assert done.returncode == 2 and len(done.stderr) < 500 and "x/x…x/" in done.stderr, done


def test_names_with_a_space_between_them_are_explained() -> None:
    refuses(["simulate", "herd", "-p", "keeper", "random"], ["(random)", "-p keeper,random"])


def test_a_name_that_no_file_can_have_is_refused() -> None:
    refuses(["simulate", "herd", "-p", "keeper,random", "--save", "\ud800"], ["no file name can"])
    refuses(["resume", "a\0b"], ["'a\\x00b' has a null character"])


def test_so_it_does_in_a_process_of_its_own() -> None:
    check_refusal(children.herdlab(*MISTAKES[0][0]), MISTAKES[0][1])


def test_without_words_the_help_is_printed() -> None:
    done = herdlab()
    assert done.returncode == 0 and done.stdout == herdlab("--help").stdout


def test_commands_are_found_in_any_case() -> None:
    assert herdlab("GAMES").stdout == herdlab("games").stdout


def test_a_plugin_with_a_syntax_error_or_a_taken_name_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def (:\n")
    done = herdlab(*SIMULATE, "--plugin", str(broken))
    assert done.returncode == 2 and "syntax error in line 1" in done.stderr
    taken = tmp_path / "taken.py"
    taken.write_text(EXAMPLE.read_text().replace('"patient-farmer"', '"keeper"'))
    done = herdlab(*SIMULATE, "--plugin", str(taken))
    assert done.returncode == 2 and "'keeper'" in done.stderr and "is taken" in done.stderr


def test_a_failing_strategy_names_itself_the_decision_the_game_and_the_seed(tmp_path: Path) -> None:
    plugin = tmp_path / "wrong.py"
    text = EXAMPLE.read_text().replace("return leader(view)", "return 7")
    plugin.write_text(text.replace('"patient-farmer"', '"wrong"'))
    words = ("simulate", "herd", "--players", "keeper,wrong", "--seed", "3")
    done = herdlab(*words, "--plugin", str(plugin))
    assert done.returncode == 2
    sentence = done.stderr.splitlines()[-1]  # the first may say that the engine is compiled
    for part in ("'wrong' in seat 1", "answered 7", "'skunk'", "in game ", "seed 3"):
        assert part in sentence


def test_help_is_light() -> None:
    """--help imports neither numba nor pandas nor scipy nor matplotlib."""
    script = (
        "import sys\nfrom herdlab import cli\nsys.argv = ['herdlab', '--help']\n"
        "try:\n    cli.main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'numba', 'pandas', 'scipy', 'matplotlib', 'numpy'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = children.run([sys.executable, "-c", script], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "simulate" in done.stdout


@pytest.mark.parametrize(
    "command",
    ["games", "rules", "strategies", "simulate", "trace", "bench", "verify", "cache"],
)
def test_every_command_explains_itself(command: str) -> None:
    done = herdlab(command, "--help")
    assert done.returncode == 0 and command in done.stdout


def test_the_version_is_shown() -> None:
    assert re.fullmatch(r"herdlab \S+\n", herdlab("--version").stdout)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_gets_a_sentence() -> None:
    command = f"{sys.executable} {ROOT / 'cli.py'} games --json > /dev/full"
    done = children.run(["sh", "-c", command])
    assert done.returncode == 2 and "cannot be written: No space left" in done.stderr


def test_numbers_of_games_are_written_as_people_write_them() -> None:
    written = {"1e3": 1000, "2_000": 2000, "1.5e3": 1500, "300": 300, "1,000": 1000, "2k": 2000}
    for text, games in written.items():
        assert result_of(*SIMULATE, "--games", text)["games"] == games
    for text, number in {"1,234,567": 1_234_567, "1.5M": 1_500_000, "3B": 3 * 10**9}.items():
        assert read_whole("--games", text, 1, 10**12) == number


def test_one_game_is_one_game() -> None:
    assert "\n1 game in " in herdlab(*SIMULATE, "--games", "1").stdout


def test_the_same_command_prints_the_same_figures_for_any_number_of_threads() -> None:
    words = ("simulate", "herd", "--players", "keeper,random,spoiler", "--games", "3000")
    results = [result_of(*words, "--seed", "5", "--threads", t) for t in ("1", "2", "7")]
    for result in results:
        for key in ("seconds", "games_per_second"):
            del result[key]
    assert results[0] == results[1] == results[2]


def test_simulate_prints_a_table_with_intervals() -> None:
    done = herdlab("simulate", "herd", "--players", "keeper,keeper-dog", "--games", "2000")
    assert done.returncode == 0
    assert re.search(r"keeper\s+0\s+\d+\.\d\d\s+\d+\.\d\d to \d+\.\d\d", done.stdout)
    for part in ("95 % interval", "length", "turns", "dogs bought", "Wilson"):
        assert part in done.stdout
    assert "\x1b" not in done.stdout


def test_rotated_seats_are_reported_by_strategy() -> None:
    words = ("simulate", "herd", "-p", "keeper,climber,climber", "-n", "500", "--rotate")
    result = result_of(*words)
    assert result["games"] == 1500
    assert [seat["strategy"] for seat in result["seats"]] == ["keeper", "climber"]
    assert "copies" in herdlab(*words).stdout


def test_rules_come_from_a_file_and_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('horse_price = 3\nwolf_die = "5R2SPCWKT"\n')
    result = result_of("rules", "herd", "--rules", str(file), "--set", "first_game=true")
    assert result["rules"]["horse_price"] == 3 and result["rules"]["first_game"]
    text = herdlab("rules", "herd").stdout
    for part in ("H1 ", "H16", "wolf_pair_loses", "super-farmer", "5 rabbit"):
        assert part in text


def test_games_and_strategies_are_listed() -> None:
    assert "Have You Herd?" in herdlab("games").stdout
    listed = herdlab("strategies", "herd").stdout
    for name in ("random", "climber", "keeper", "keeper-dog", "dog-first", "hermit", "herder"):
        assert re.search(rf"^{name} ", listed, re.MULTILINE)
    assert "keep_sheep" in herdlab("strategies", "herd", "herder").stdout
    assert "patient-farmer" in herdlab("strategies", "herd", "--plugin", str(EXAMPLE)).stdout


def test_a_result_with_a_plugin_is_verified(tmp_path: Path) -> None:
    words = ("simulate", "herd", "-p", "patient-farmer,keeper", "-n", "500")
    done = herdlab(*words, "--plugin", str(EXAMPLE), "--json")
    result = tmp_path / "result.json"
    result.write_text(done.stdout)
    checked = herdlab("verify", str(result), "--plugin", str(EXAMPLE))
    assert checked.returncode == 0 and checked.stdout.startswith(HOLDS), checked.stderr
    without = herdlab("verify", str(result))
    assert without.returncode == 2 and "give it with --plugin" in without.stderr
    result.write_text(done.stdout.replace('"seed": 0', '"seed": 1'))
    changed = herdlab("verify", str(result), "--plugin", str(EXAMPLE))
    assert changed.returncode == 1 and changed.stdout.startswith(DIFFERS)


def test_trace_tells_the_games_that_simulate_counted() -> None:
    words = ("herd", "--players", "keeper,keeper-dog", "--seed", "8")
    told = [result_of("trace", *words, "--game", str(number)) for number in range(4)]
    counted = result_of("simulate", *words, "--games", "4")
    lengths = [one["length"] for one in told]
    assert counted["length"]["mean"] == sum(lengths) / 4
    wins = [sum(one["winners"] == [seat] for one in told) / 4 for seat in range(2)]
    assert [seat["win_rate"] for seat in counted["seats"]] == wins


def test_ctrl_c_prints_what_is_known_so_far() -> None:
    words = ["simulate", "herd", "-p", "keeper,keeper-dog", "-n", "1e12", "--json", "-t", "1"]
    with Child([*EAGER_CLI, *words], columns=120, piped=True) as child:
        child.wait_for("/s")  # the progress bar tells a speed: some games were played
        child.press(CTRL_C)
        done = child.finish()
    assert done.returncode == 130, done.stderr
    result = json.loads(done.stdout)
    assert 0 < result["games"] < 10**12
    assert f"--games {result['games']} prints exactly this" in done.stderr


@pytest.mark.parametrize("words", ["compare herd keeper climber -n 200 --readings", "games"])
def test_lines_for_a_pipe_end_with_their_last_word(words: str) -> None:
    lines = herdlab(*words.split()).stdout.splitlines()
    assert len(lines) > 3 and not [line for line in lines if line != line.rstrip()]


def test_output_that_nobody_reads_is_no_mistake() -> None:
    assert find_game("herd").engine  # compiled, or the process below would say that it is
    command = f"{sys.executable} {ROOT / 'cli.py'} trace herd -p keeper,keeper | head -n 1"
    done = children.run(["sh", "-c", command])
    assert "Have You Herd?" in done.stdout and done.stderr == ""


@pytest.mark.parametrize("words", ["trace herd -p keeper,keeper", "rules herd", "games --json"])
def test_a_pipe_that_is_closed_at_once_is_no_mistake(words: str) -> None:
    assert find_game("herd").engine
    command = f"{{ {sys.executable} {ROOT / 'cli.py'} {words}; echo $? >&2; }} | true"
    assert children.run(["sh", "-c", command]).stderr == "0\n"


def test_a_locale_that_lacks_letters_is_no_mistake() -> None:
    words = ("simulate", "herd", "-p", "keeper,keeper", "-n", "100")
    done = children.herdlab(*words, PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and "+/-" in done.stdout and done.stdout.isascii(), done.stderr


def test_arguments_are_explained() -> None:
    assert "A game, as 'herdlab games' lists." in herdlab("trace", "--help").stdout


def test_a_cache_that_cannot_be_written_is_no_mistake(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    done = children.herdlab("strategies", "herd", HERDLAB_CACHE=str(blocked / "cache"))
    assert done.returncode == 0 and done.stderr == ""
