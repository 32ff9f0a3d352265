"""Engines over stored pages: how a second one ranks them, who has it, and what it may be."""

from datetime import date

import pytest
from asgiref.sync import async_to_sync

from apikeys.errors import ServiceError
from apikeys.operators import system_caller
from tests.factories import BrandFactory
from visibility.engines.adapters.local_search import Passage, by_recency, is_local
from visibility.engines.protocol import Question
from visibility.pipeline.ask.engines import engines_of
from visibility.services.engines.configuring import add_engine, choose_engines, try_engine
from visibility.services.engines.corpus import PageDraft, put_pages
from visibility.services.prompts.editing import PromptDraft, add_prompts
from visibility.services.scans.estimates import estimate_scan

OPERATOR = system_caller("test")
NAME = "local-search-recent"


def page(name, text, day=None):
    return Passage(f"https://{name}.example/", name, text, day)


def order(query, *pages):
    return [each.title for each in by_recency(query, pages)]


OLD, NEW = date(2026, 1, 1), date(2026, 7, 1)


def test_of_pages_that_say_the_same_the_newer_comes_first():
    assert order("belt drive", page("old", "A belt drive.", OLD), page("new", "A belt drive.", NEW)) == ["new", "old"]


def test_a_new_page_without_the_rare_words_does_not_displace_an_answer():
    pages = [page("answer", "The bike has a belt drive.", OLD)]
    pages += [page(f"new-{number}", "A bike.", NEW) for number in range(9)]
    assert order("bike belt drive", *pages)[0] == "answer"


def test_a_page_without_a_date_counts_as_the_oldest_and_ties_keep_their_order():
    told = order("belt", page("undated", "Belt.", None), page("old", "Belt.", OLD), page("new", "Belt.", NEW))
    assert told == ["new", "undated", "old"]
    assert order("belt", page("a", "Belt."), page("b", "Belt.")) == ["a", "b"]


def test_the_order_does_not_depend_on_how_old_all_of_them_are():
    def shifted(years):
        old, new = OLD.replace(year=OLD.year - years), NEW.replace(year=NEW.year - years)
        return order("belt drive", page("old", "A belt drive.", old), page("new", "A belt.", new))

    assert shifted(0) == shifted(5) == shifted(20)


def test_names_of_engines_over_stored_pages():
    assert is_local("local-search") and is_local(NAME)
    assert not is_local("local-searching") and not is_local("chatgpt")


def ranking(**changes):
    return add_engine(
        OPERATOR, **{"name": NAME, "provider": "local-search", "model": "recent", "enabled": True} | changes
    )


@pytest.fixture
def brand(db):
    brand = BrandFactory()
    put_pages(
        OPERATOR,
        brand=brand,
        pages=[
            PageDraft("https://old.example/", "Belts", "The old belt drive belt.", OLD),
            PageDraft("https://new.example/", "Belts", "The new belt.", NEW),
        ],
    )
    add_prompts(OPERATOR, brand=brand, drafts=[PromptDraft("Which belt drive?")])
    return brand


def test_only_a_brand_that_chose_it_and_has_pages_is_asked_through_it(brand):
    ranking()
    assert [engine.name for engine in engines_of(brand)] == ["local-search"]
    choose_engines(OPERATOR, brand_id=brand.pk, names=[NAME])
    assert [engine.name for engine in engines_of(brand)] == ["local-search", NAME]
    without_pages = BrandFactory()
    choose_engines(OPERATOR, brand_id=without_pages.pk, names=[NAME])
    assert engines_of(without_pages) == []


def test_it_answers_from_the_same_pages_in_its_own_order_and_says_who_it_is(brand):
    ranking(max_samples=1)
    choose_engines(OPERATOR, brand_id=brand.pk, names=[NAME])
    plain, recent = engines_of(brand)
    answers = [async_to_sync(engine.ask)(Question("Which belt?")) for engine in (plain, recent)]
    assert [{source.url for source in answer.sources} for answer in answers] == 2 * [
        {"https://old.example/", "https://new.example/"}
    ]
    assert answers[1].sources[0].url == "https://new.example/"
    assert [answer.served_model for answer in answers] == ["local-search", NAME]
    estimate = {each.engine: (each.calls, each.cost) for each in estimate_scan(OPERATOR, brand_id=brand.pk).engines}
    assert estimate[NAME] == (1, 0)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": "newest"}, "name"),
        ({"model": "gpt"}, "model"),
        ({"search": True}, "search"),
        ({"writes": True}, "writes"),
        ({"base_url": "https://api.example.com/v1"}, "base_url"),
        ({"provider": "ollama"}, "name"),
    ],
)
def test_what_it_cannot_be_is_refused_with_the_field(changes, field):
    with pytest.raises(ServiceError) as refusal:
        ranking(**changes)
    assert refusal.value.details["argument"] == field


@pytest.mark.django_db
def test_there_is_no_connection_to_try():
    engine = ranking()
    with pytest.raises(ServiceError, match="needs no connection"):
        try_engine(OPERATOR, engine=engine)
