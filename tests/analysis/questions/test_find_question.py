"""A question by its name in any case, or the one that somebody's words mean."""

import pytest

from herdlab.analysis.questions import QUESTIONS, find_question
from herdlab.simcore.errors import BadInput
from tests.words import meant


def test_every_name_is_found_in_any_case() -> None:
    for name, one in QUESTIONS.items():
        assert find_question(name) is find_question(name.upper()) is one


MEANT = {
    "is the dog worth it?": "guard-dog",
    "guard dog": "guard-dog",
    "Should I buy a DOG against the wolf?": "guard-dog",
    "should I trade up at once": "trade-up",
    "keep sheep to breed?": "trade-up",
    "pass the donkey": "donkey",
    "is hoarding SWAP cards good": "swap-hoard",
    "bluffing": "bluff",
    "how often should I call a bluff in horse trader?": "bluff",
    "holding pieces": "hostage",
    "does it matter who goes first?": "seat herd",
}


@pytest.mark.parametrize("words", MEANT)
def test_words_lead_to_the_question_that_they_mean(words: str) -> None:
    with pytest.raises(BadInput) as refused:
        find_question(words)
    assert str(refused.value) == f"no question '{words}'; try: herdlab ask {MEANT[words]}"


@pytest.mark.parametrize("words", ["", "is it worth it?", "what?", "xyz"])
def test_where_nothing_fits_all_questions_are_listed(words: str) -> None:
    with pytest.raises(BadInput, match="known: guard-dog, trade-up, donkey, .*, seat"):
        find_question(words)


def test_a_mistyped_name_is_told_as_such() -> None:
    with pytest.raises(BadInput, match=f"unknown question 'guard-dg': {meant('guard-dog')}"):
        find_question("guard-dg")


def test_every_question_is_meant_by_the_words_it_is_asked_in() -> None:
    for one in QUESTIONS.values():
        with pytest.raises(BadInput) as refused:
            find_question(one.words)
        assert str(refused.value).endswith(f"try: {one.command}")
