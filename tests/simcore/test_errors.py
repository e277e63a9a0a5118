"""Names as people type them: in any case, several with commas."""

import pytest

from herdlab.simcore.errors import BadInput, find, match, respell_each, split_names


def test_a_name_is_found_in_any_case_and_the_exact_one_first() -> None:
    names = ("keeper", "Keeper", "HIGH")
    assert match("keeper", names) == "keeper" and match("Keeper", names) == "Keeper"
    assert match("high", names) == match("High", names) == "HIGH"
    assert match("KEEPER", names) is None  # which of the two?
    assert match("keep", names) is None and match("", names) is None


def test_what_is_no_name_is_refused_as_unknown() -> None:
    assert find("game", "HERD", ["herd", "swap"]) == "herd"
    with pytest.raises(BadInput, match="unknown game 'HURD': did you mean 'herd'\\? known: herd"):
        find("game", "HURD", ["herd", "swap"])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("keeper,", "stray comma at the end of 'keeper,': remove it or add what is missing"),
        (" keeper , ", "stray comma at the end of 'keeper ,'"),
        (",keeper", "stray comma at the start of ',keeper'"),
        ("a,,b", "two commas in a row in 'a,,b': remove one or add what is missing"),
        ("a, ,b", "two commas in a row in 'a, ,b'"),
        (",", "stray comma"),
    ],
)
def test_a_stray_comma_is_named(text: str, sentence: str) -> None:
    with pytest.raises(BadInput) as refused:
        split_names(text)
    assert sentence in str(refused.value)


def test_names_are_split_and_respelled() -> None:
    assert split_names("a, b ,c") == ["a", "b", "c"] and split_names(" ") == []
    assert respell_each("a, aa ,b", str.upper) == "A, AA ,B"
    assert respell_each(" ", str.upper) == " "
