"""What engines searched for, counted over the answers of now."""

import pytest

from tests.factories import PromptFactory
from tests.scans.history import asked_run, end
from visibility.measured import searches as module
from visibility.measured.found import read_brand_facts
from visibility.measured.reading import read_basis
from visibility.measured.searches import read_searches
from visibility.models import Answer
from visibility.writers.searches import MAX_QUERY, queries_of, query_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def wordings(cast):
    texts = [("bikes", "which bike is good?"), ("bikes", "what bike to buy?"), ("locks", "which lock is good?"),
             ("locks", "is Acme a good lock?"), ("", "which helmet is good?")]  # fmt: skip
    return [PromptFactory(brand=cast.brand, topic=topic, text=text) for topic, text in texts]


def searched(brand, wordings, searches, engine="chat", **more):
    """A measured day whose answers searched for these, in their order."""
    run = asked_run(brand, wordings, engine=engine, texts=["Acme is good."] * len(wordings), **more)
    for answer, queries in zip(Answer.objects.filter(run=run).order_by("position"), searches, strict=True):
        Answer.objects.filter(pk=answer.pk).update(searches=queries)
    return end(run)


def read(brand):
    basis = read_basis(brand.pk)
    return read_searches(basis.compared, read_brand_facts(brand, basis))


def test_searches_that_say_the_same_are_one_in_the_most_frequent_wording(cast, wordings):
    first, second, third = (prompt.pk for prompt in wordings[:3])
    searched(
        cast.brand,
        wordings,
        [
            ["best city bikes 2025", "Bikes city, best!", "bike weight"],
            ["city bikes best 2026"],
            ["best city bikes 2025 site:rival.example", "lock tests"],
            ["best city bikes 2025", "acme lock"],
            [],
        ],
    )
    searched(cast.brand, wordings[:1], [["best city bikes 2025"]], engine="search")
    bikes, *others = read(cast.brand)
    assert bikes.query == "best city bikes 2025"
    assert (bikes.answers, dict(bikes.engines)) == (4, {"chat": 3, "search": 1})
    assert dict(bikes.topics) == {"bikes": 3, "locks": 1}
    assert dict(bikes.prompts) == {first: 2, second: 1, third: 1}
    assert Answer.objects.get(pk=bikes.example).prompt_id == first
    assert [each.query for each in others] == ["bike weight", "lock tests"]


def test_a_branded_question_is_left_out_and_a_prompt_without_a_topic_is_one(cast, wordings):
    searched(cast.brand, wordings, [[], [], [], ["acme lock"], ["bike helmet"]])
    [search] = read(cast.brand)
    assert (search.query, dict(search.topics)) == ("bike helmet", {str(wordings[4].pk): 1})


def test_stored_pages_are_searched_by_nobody_else(cast, wordings):
    searched(cast.brand, wordings, [["city bikes"]] * 5, engine="local-search")
    assert read(cast.brand) == []


def test_searches_cost_one_statement(cast, wordings, django_assert_num_queries):
    searched(cast.brand, wordings, [["city bikes"]] * 5)
    basis = read_basis(cast.brand.pk)
    subject = read_brand_facts(cast.brand, basis)
    with django_assert_num_queries(1):
        assert len(read_searches(basis.compared, subject)) == 1


def test_they_are_bounded(cast, wordings, monkeypatch):
    monkeypatch.setattr(module, "MAX_KEYS", 20)
    monkeypatch.setattr(module, "MAX_SEARCHES", 10)
    searched(cast.brand, wordings, [[f"bike part{number} of{answer}" for number in range(9)] for answer in range(5)])
    assert len(read(cast.brand)) == 10


def test_an_engine_that_asks_the_same_twice_in_one_answer_counts_once(cast, wordings):
    searched(cast.brand, wordings, [["city bikes", "bikes city"], [], [], [], []])
    assert [search.answers for search in read(cast.brand)] == [1]


@pytest.mark.parametrize(
    "searches",
    [
        None,
        "city bikes",
        {"query": "city bikes"},
        [None, 7, ["x"], {"a": 1}],
        ["", "  ", "2026", "!!", "site:a.example"],
        ["x" * (MAX_QUERY + 1)],
        ["\u202e\u200b"],
    ],
)
def test_what_is_no_query_is_none(searches):
    assert queries_of(searches) == []


def test_queries_are_shown_on_one_line_without_what_hides():
    assert queries_of(["city\n\n bikes\u202e <b>"]) == ["city bikes <b>"]
    assert len(queries_of([f"bike {number}" for number in range(1_000)])) == 40


def test_years_operators_and_order_make_no_other_query():
    keys = {
        query_key(text)
        for text in ('"city bikes" 2026', "Bikes, city", "city bikes -site:x.example", "city AND bikes")
    }
    assert keys == {frozenset({"city", "bikes"})}
