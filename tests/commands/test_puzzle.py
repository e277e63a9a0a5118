"""The command line with the puzzle games: one sentence and exit code 2 for every mistake."""

import re
from pathlib import Path

import pytest

from tests.children import ROOT
from tests.command_line import herdlab, refuses, result_of
from tests.words import HOLDS, meant, took_too_few_or_many

HORSE = ("simulate", "horse-trader", "-p", "trader-2,caller,hostage,nagger")
BRONCO = ("simulate", "bronco", "-p", "trader-2,caller,hostage")
MISTAKES = [
    (("simulate", "horse-trader", "-p", ",".join(["trader-1"] * 5)), took_too_few_or_many(3, 4, 5)),
    (("simulate", "horse-trader", "-p", "trader-1,trader-2"), took_too_few_or_many(3, 4, 2)),
    (("simulate", "bronco", "-p", "caller,caller"), ["bronco takes 3 to 4 players", "got 2"]),
    (
        ("simulate", "bronco", "-p", "bluffer,caller,caller"),
        ["strategy 'bluffer' bluffs", "advanced game", "advanced=true"],
    ),
    (("simulate", "horse-trader", "-p", "caller,sceptic,caller"), ["(P11, P12)", "advanced=true"]),
    (
        ("simulate", "bronco", "-p", "trader-1,trader-1,dealer:passes=always:direction=across"),
        ["direction=across' calls passes across", "four players (P6)", "there are 3"],
    ),
    ((*HORSE, "--set", "tempo=1,2,x,1"), ["tempo (P3)", "0.001 to 1000", "'1,2,x,1'"]),
    ((*HORSE, "--set", "tempo=1,2,3"), ["tempo (P3)", "each of 4 players", "got 3"]),
    ((*BRONCO, "--set", "reaction=1,2,3,4"), ["reaction (P4)", "each of 3 players", "got 4"]),
    ((*HORSE, "--set", "largest_offer=5"), ["largest_offer (P4)", "from 1 to 4", "'5'"]),
    ((*HORSE, "--set", "simultaneous=shar"), ["simultaneous (P10)", meant("share")]),
    ((*HORSE, "--set", "max_beats=0"), ["max_beats (P13)", "from 1 to", "'0'"]),
]


@pytest.mark.parametrize(("words", "parts"), MISTAKES, ids=lambda value: " ".join(value)[-60:])
def test_a_mistake_gets_one_sentence_and_exit_code_2(
    words: tuple[str, ...], parts: list[str]
) -> None:
    refuses(words, parts)


PLUGIN = '''
"""A plug-in of a test."""
from herdlab.simcore.puzzle.view import CALL_BLUFF, NO, OFFER, PASS_ACROSS, PASS_LEFT
from herdlab.simcore.puzzle.view import SILENT, WORD, ANSWER
from herdlab.strategies import strategy


@strategy(("horse-trader", "bronco"), "wrong")
def wrong(decision, view, me):
    """Does one thing that is not allowed."""
    if decision == WORD:
        return {word}
    if decision == ANSWER:
        return {answer}
    return {keep}
'''
DEFAULTS = {"word": "SILENT", "answer": "NO", "keep": "40"}
THREE = "wrong,trader-2,trader-2"
ADVANCED = ("--set", "advanced=true")
WRONG = [
    ({"word": "PASS_ACROSS"}, "horse-trader", (), "answered 3", "'word'"),  # with three players
    ({"word": "OFFER * 2 + 1"}, "horse-trader", (), "answered 17", "'word'"),  # a plain game
    ({"word": "PASS_LEFT"}, "horse-trader", (), "answered 1", "'word'"),  # a fourth time
    (
        {"word": "PASS_LEFT if view.beat % 2 == 0 or not view.is_kept else OFFER + 1"},
        "bronco",
        (),
        "answered 1",  # after an offer
        "'word'",
    ),
    ({"answer": "CALL_BLUFF"}, "horse-trader", (), "answered 2", "'answer'"),
]


@pytest.mark.parametrize(("does", "game", "more", "answered", "decision"), WRONG)
def test_a_plug_in_that_breaks_the_rules_is_named_with_its_decision(
    tmp_path: Path,
    does: dict[str, str],
    game: str,
    more: tuple[str, ...],
    answered: str,
    decision: str,
) -> None:
    plugin = tmp_path / "wrong.py"
    plugin.write_text(PLUGIN.format(**{**DEFAULTS, **does}))
    words = ("simulate", game, "-p", THREE, "-n", "50", "--seed", "3", "--plugin", str(plugin))
    parts = ["'wrong' in seat 0", answered, "not a legal choice", decision, "seed 3"]
    refuses((*words, *more), parts)


def test_a_plug_in_that_writes_to_what_it_sees_is_refused(tmp_path: Path) -> None:
    plugin = tmp_path / "wrong.py"
    first = "    if decision == WORD:"
    text = PLUGIN.format(**DEFAULTS)
    plugin.write_text(text.replace(first, f"    view.held[0] = 9\n{first}"))
    words = ("simulate", "bronco", "-p", THREE, "--plugin", str(plugin))
    refuses(words, ["'wrong'", "does not compile", "only shown"])


@pytest.mark.parametrize("game", ["horse-trader", "bronco"])
def test_rules_tell_the_clauses_and_readings_of_the_game(game: str) -> None:
    done = herdlab("rules", game)
    assert done.returncode == 0
    told = set(re.findall(r"\bP\d+a?\b", done.stdout))
    limits = {"P7", "P9"} if game == "horse-trader" else {"P8"}
    assert {*limits, "P1", "P7a", "P13"} <= told
    assert "share" in done.stdout and "order" in done.stdout


def test_the_same_command_prints_the_same_figures_for_any_number_of_threads() -> None:
    words = ("bronco", "-p", "bluffer,sceptic,caller", *ADVANCED, "--set", "max_beats=500")
    results = [result_of("simulate", *words, "-n", "300", "--threads", t) for t in ("1", "3")]
    for result in results:
        for key in ("seconds", "games_per_second"):
            del result[key]
    assert results[0] == results[1]


def test_the_example_plays_and_its_result_is_verified(tmp_path: Path) -> None:
    plugin = ("--plugin", str(ROOT / "examples" / "chancer.py"))
    words = ("simulate", "bronco", "-p", "chancer,trader-2,sceptic", "--set", "advanced=true")
    done = herdlab(*words, "-n", "500", "--json", *plugin)
    result = tmp_path / "result.json"
    result.write_text(done.stdout)
    assert herdlab("verify", str(result), *plugin).stdout.startswith(HOLDS)
