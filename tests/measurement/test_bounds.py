"""What keeps the time of a detector pass linear gives what the slow way gave."""

from itertools import pairwise

import pytest

from visibility.detection import detector
from visibility.detection.detector import detect
from visibility.detection.names.matching import Dictionary, Match, settle
from visibility.detection.text.mapped import MappedText
from visibility.detection.text.reading import Reading
from visibility.detection.types import Domains, Name


def match(start, end):
    return Match(start, end, "x" * (end - start), (), "word")


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ([(0, 4), (5, 9)], [(0, 4), (5, 9)]),
        ([(5, 9), (0, 4)], [(0, 4), (5, 9)]),
        ([(0, 4), (3, 9)], [(3, 9)]),
        ([(0, 4), (3, 7), (6, 10)], [(0, 4), (6, 10)]),
        ([(0, 4), (0, 9), (5, 9)], [(0, 9)]),
        ([(0, 9), (1, 3), (4, 6)], [(0, 9)]),
        ([(0, 3), (2, 6), (5, 8), (8, 9)], [(2, 6), (8, 9)]),
    ],
)
def test_of_overlapping_names_the_longest_is_meant_and_of_equals_the_first(given, meant):
    assert [(each.start, each.end) for each in settle(match(*place) for place in given)] == meant


def test_settled_names_stand_in_their_order_and_never_overlap():
    places = [(at * 3 % 97, at * 3 % 97 + 2 + at % 5) for at in range(90)]
    settled = settle(match(*place) for place in places)
    assert all(one.end <= other.start for one, other in pairwise(settled))


def test_the_end_of_a_text_is_told_behind_any_number_of_gaps_and_after_it_was_joined():
    made = MappedText()
    assert not made.ends_with((".",))
    made.copy("Good.", 0)
    for _ in range(50):
        made.substitute("\0", 0, 0)
        assert made.ends_with((".",))
    assert made.text.startswith("Good.")
    made.copy(" ,", 9)
    assert made.ends_with((".",))
    made.copy("and", 20)
    assert not made.ends_with((".",))


def test_a_name_is_found_in_the_one_of_many_links_that_it_stands_in():
    """A link to its own site shows that a plain word is the name, wherever among the links it stands."""
    links = [f"[a {at}](https://other{at}.example/)" for at in range(40)]
    for place in (0, 17, 40):
        text = ", ".join([*links[:place], "[prime](https://prime.example/x)", *links[place:]])
        dictionary = Dictionary([Name("", "Prime")], Domains({"": ("prime.example",)}))
        found = [each.text for each in detect(Reading(f"Look: {text}"), "what is it?", dictionary)]
        capital = [
            each.text
            for each in detect(Reading(f"Look: {text.replace('[prime]', '[Prime]')}"), "what is it?", dictionary)
        ]
        assert (found, capital) == ([], ["Prime"])


def test_names_side_by_side_share_the_words_around_all_of_them():
    names = [f"Zanvel{letter}" for letter in "abcdefghij"]
    dictionary = Dictionary([Name(name, name) for name in names])
    said = detect(Reading(f"Avoid {', '.join(names[:-1])} and {names[-1]}."), "which one?", dictionary)
    assert {each.stance.value for each in said} == {"rejected"}
    assert len(said) == len(names)


def test_places_that_do_not_show_are_not_among_those_that_a_flood_is_cut_at():
    hidden = "<kbd>Sony</kbd> " * (detector.MAX_OCCURRENCES + 1)
    text = f"{hidden}and then Sony is good."
    found = detect(Reading(text), "which one?", Dictionary([Name("", "Sony")]))
    assert [text[each.start : each.end] for each in found] == ["Sony"]
    assert found[0].start > len(hidden)
