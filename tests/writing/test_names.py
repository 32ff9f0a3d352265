"""Whether a text has a name in it, however people write it."""

import pytest

from visibility.writers.words import name_pattern, names_any


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Is Acme good?", "acme"),
        ("ACME", "Acme"),
        ("the norrvik-cycles shop", "Norrvik Cycles"),
        ("norrvik_cycles or Norrvik  Cycles", "Norrvik-Cycles"),
        ("C++ or Rust", "C++"),
        ("from GROSSMANN", "Großmann"),
        ("the - sign", "-"),
    ],
)
def test_a_name_is_found_in_any_letters_with_hyphens_or_spaces(text, name):
    assert names_any(text, ["Other", name])


@pytest.mark.parametrize(
    ("text", "name"),
    [("Acmes", "Acme"), ("acmeology", "Acme"), ("norrvikcycles", "Norrvik Cycles"), ("a b", "-"), ("Acme", "")],
)
def test_a_name_is_a_word_of_its_own(text, name):
    assert not names_any(text, [name])


def test_a_question_may_add_an_ending():
    pattern = name_pattern("Norrvik Cycles", ending="(?P<ending>['’]s?|s)?")
    assert pattern.search("norrvik-cycles' bikes")["ending"] == "'"
    assert pattern.search("Norrvik Cycless?")["ending"] == "s"
