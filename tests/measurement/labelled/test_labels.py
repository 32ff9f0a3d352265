"""The labelled set is sound in itself. Nothing here runs the detector."""

from collections import Counter
from itertools import pairwise

import pytest

from tests.measurement.labelled.loading import FILES, HALVES, JUDGE, STANCES, TRAPS, load, span

SETS = {path.name: load([path]) for path in (*FILES, JUDGE)}
PASSAGES = load((*FILES, JUDGE))
WHOLE = {"second.jsonl": "tune", "third.jsonl": "tune", JUDGE.name: "held_out"}
"""Sets that are not split: the half to which all of their passages belong."""
CATEGORIES = sorted({passage.category for passage in PASSAGES})
each_category = pytest.mark.parametrize("category", CATEGORIES)
each_set = pytest.mark.parametrize("passages", SETS.values(), ids=SETS)
each_split_set = pytest.mark.parametrize("name", [name for name in SETS if name not in WHOLE])


def of(category):
    return [passage for passage in PASSAGES if passage.category == category]


def names(passage):
    return [name for brand in passage.brands for name in brand.names]


def names_and_domains(passages):
    found = {name.casefold() for passage in passages for name in names(passage)}
    return found | {domain for passage in passages for brand in passage.brands for domain in brand.domains}


def test_there_are_enough_passages_and_no_id_twice():
    assert len(PASSAGES) >= 1000
    assert [passage for passages in SETS.values() for passage in passages] == PASSAGES
    assert len({passage.id for passage in PASSAGES}) == len(PASSAGES)
    assert len({passage.text for passage in PASSAGES}) == len(PASSAGES)


@each_category
def test_each_category_is_large_enough_and_alternates_between_the_halves_in_each_split_set(category):
    assert len(of(category)) >= 15
    for name, passages in SETS.items():
        halves = [passage.half for passage in passages if passage.category == category]
        turns = [WHOLE[name]] if name in WHOLE else HALVES
        assert halves == [turns[index % len(turns)] for index in range(len(halves))]


@each_split_set
def test_both_halves_have_about_as_many_mentions_and_as_many_passages_without_any(name):
    mentions = Counter()
    empty = Counter()
    for passage in SETS[name]:
        mentions[passage.half] += len(passage.mentions)
        empty[passage.half] += not passage.mentions
    for found in (mentions, empty):
        assert min(found.values()) / max(found.values()) > 0.85, found


@each_category
def test_a_passage_is_short_and_says_where_it_belongs(category):
    for passage in of(category):
        assert passage.id.rpartition("-")[0] == passage.category
        assert passage.half in HALVES
        assert 1 <= len(passage.text.strip().split("\n")) <= 12
        assert "\n" not in passage.prompt


@each_category
def test_the_brands_are_usable_names(category):
    for passage in of(category):
        keys = [brand.key for brand in passage.brands]
        assert keys and len(set(keys)) == len(keys)
        for brand in passage.brands:
            assert brand.key and brand.names and all(name.strip() == name and name for name in brand.names)
            assert all("/" not in domain and domain == domain.lower() for domain in brand.domains)
            assert brand.parent is None or (brand.parent in keys and brand.parent != brand.key)
            if brand.policy:
                assert brand.policy.case_sensitive or brand.policy.required_near or brand.policy.forbidden_near
        found = Counter(name.casefold() for name in names(passage))
        assert max(found.values()) == 1


@each_category
def test_the_labels_stand_in_order_without_touching_each_other(category):
    for passage in of(category):
        keys = {brand.key for brand in passage.brands}
        for label in passage.mentions:
            assert label.key in keys
            assert passage.text[label.start : label.end] == label.text
            assert label.text.strip() == label.text
        for before, after in pairwise(passage.mentions):
            assert before.end <= after.start


@each_category
def test_what_is_visible_follows_from_the_mentions(category):
    for passage in of(category):
        found = {label.key for label in passage.mentions}
        expected = {key for key in found if passage.stances.get(key) != "not_found"}
        for label in passage.mentions:
            parent = passage.brand(label.key).parent
            if parent and any(name.casefold() in label.text.casefold() for name in passage.brand(parent).names):
                expected.add(parent)
        assert passage.visible == expected


@each_category
def test_ranks_and_stances_belong_to_labelled_brands(category):
    for passage in of(category):
        assert set(passage.ranks) <= passage.visible
        assert all(rank >= 1 for rank in passage.ranks.values())
        assert len(set(passage.ranks.values())) == len(passage.ranks)
        assert set(passage.stances) <= {label.key for label in passage.mentions}
        assert set(passage.stances.values()) <= STANCES


@each_set
def test_every_stance_is_labelled_in_each_half(passages):
    for half in {passage.half for passage in passages}:
        found = {stance for passage in passages if passage.half == half for stance in passage.stances.values()}
        assert found == STANCES


def test_no_brand_of_the_set_that_judges_stands_in_another_set():
    assert not names_and_domains(SETS[JUDGE.name]) & names_and_domains(load((*FILES, TRAPS)))


def test_no_passage_of_the_set_that_judges_is_among_those_that_find_faults():
    traps = load([TRAPS])
    assert not {passage.text for passage in traps} & {passage.text for passage in SETS[JUDGE.name]}
    assert not {passage.id for passage in traps} & {passage.id for passage in SETS[JUDGE.name]}


def test_an_occurrence_is_counted_inside_other_words_too():
    assert span("Underbox, box", "box", 1) == (5, 8)
    assert span("Underbox, box", "box", 2) == (10, 13)
    assert span("aaa", "aa", 2) == (1, 3)


@pytest.mark.parametrize(("wanted", "occurrence"), [("box", 3), ("Box", 1), ("box", 0), ("", 1)])
def test_a_label_without_a_place_is_refused(wanted, occurrence):
    with pytest.raises(ValueError, match=r"no such label|does not occur"):
        span("Underbox, box", wanted, occurrence)
