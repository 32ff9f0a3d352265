"""The pages that local-search answers from, and the answers."""

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from tests.factories import BrandFactory
from visibility.engines.adapters.local_search import NOTHING_FOUND, Passage, compose, search_terms
from visibility.engines.protocol import Question
from visibility.models import Page
from visibility.pipeline.ask.corpus import search_pages
from visibility.pipeline.ask.engines import engines_of
from visibility.services.engines.corpus import PageDraft, put_pages

ADVICE = PageDraft(
    "https://guide.example/crm",
    "Choosing a CRM",
    "Small teams want simple tools.\nAcme CRM is a good CRM for small teams. Rival CRM suits large ones.",
)
COFFEE = PageDraft("https://guide.example/coffee", "Coffee", "Grind the beans shortly before brewing.")


@pytest.fixture
def corpus(cast, owner):
    put_pages(owner, brand=cast.brand, pages=[ADVICE, COFFEE])
    return cast.brand


def urls(brand, query, limit=5):
    return [passage.url for passage in search_pages(brand, query, limit)]


def test_the_best_page_comes_first(corpus, owner):
    put_pages(owner, brand=corpus, pages=[PageDraft("https://a.example/", "Teams", "Many teams drink coffee.")])
    assert urls(corpus, "best CRM for small teams?") == [ADVICE.url, "https://a.example/"]
    assert urls(corpus, "best CRM for small teams?", limit=1) == [ADVICE.url]


def test_words_are_found_in_other_forms(corpus):
    assert urls(corpus, "grinding a bean") == [COFFEE.url]


def test_a_page_is_replaced_and_removed_with_its_words(corpus, owner):
    put_pages(owner, brand=corpus, pages=[PageDraft(COFFEE.url, "Tea", "Steep the leaves.")])
    assert urls(corpus, "beans") == []
    assert urls(corpus, "leaves") == [COFFEE.url]
    Page.objects.get(brand=corpus, url=COFFEE.url).delete()
    assert urls(corpus, "leaves") == []
    Page.objects.filter(brand=corpus).delete()
    assert urls(corpus, "CRM") == []


def test_a_corpus_belongs_to_one_brand(corpus):
    other = BrandFactory()
    assert urls(other, "CRM") == []
    put_pages(Caller.from_user(other.owner), brand=other, pages=[PageDraft("https://o.example/", "CRM", "CRM")])
    assert urls(other, "CRM") == ["https://o.example/"]
    assert urls(corpus, "CRM") == [ADVICE.url]


@pytest.mark.parametrize(
    ("who", "code"), [("viewer", ErrorCode.READ_ONLY_COLLABORATOR), ("stranger", ErrorCode.NOT_FOUND)]
)
def test_who_may_not_put_pages(cast, who, code):
    with pytest.raises(ServiceError) as caught:
        put_pages(Caller.from_user(getattr(cast, who)), brand=cast.brand, pages=[ADVICE])
    assert caught.value.code == code
    assert not Page.objects.exists()


@pytest.mark.parametrize(
    "draft",
    [
        PageDraft("ftp://x.example/", "x", "x"),
        PageDraft("javascript:alert(1)", "x", "x"),
        PageDraft("https://x.example/" + "a" * 2000, "x", "x"),
        PageDraft("https://x.example/", "x", " \n"),
        PageDraft("https://x.example/", "x", "a" * 100_001),
        PageDraft("https://x.example/", "x\0", "x"),
        PageDraft("https://x.example/", "x", "\ud800"),
    ],
)
def test_a_page_that_cannot_be_kept_is_refused_and_none_is_stored(cast, owner, draft):
    with pytest.raises(ServiceError) as caught:
        put_pages(owner, brand=cast.brand, pages=[COFFEE, draft])
    assert caught.value.code == ErrorCode.INVALID_ARGUMENTS
    assert not Page.objects.exists()


HOSTILE = [
    '"',
    "'",
    '" OR "a',
    "a* NEAR(b)",
    "brand_id:x",
    "--",
    "\\",
    "%s %(a)s",
    "OR AND NOT",
    "{title}:x",
    "a" * 5000,
]


@pytest.mark.parametrize("query", [*HOSTILE, "", "   ", "?!", "日本語", "\0", "\ud800"])
def test_hostile_queries_are_only_words(corpus, query):
    assert all(url in (ADVICE.url, COFFEE.url) for url in urls(corpus, query))


@hypothesis_settings(
    max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.text(max_size=200))
def test_no_query_breaks_the_search(corpus, query):
    search_pages(corpus, query, 3)


def test_stop_words_do_not_search_unless_nothing_else_is_there():
    assert search_terms("What is the best CRM for the small team?") == ["crm", "small", "team"]
    assert search_terms("what is it") == ["what", "is", "it"]


def test_the_answer_quotes_and_cites(corpus):
    [engine] = engines_of(corpus)
    answer = async_to_sync(engine.ask)(Question("Which CRM is good for small teams?"))
    [source] = answer.sources
    assert source.url == ADVICE.url
    quoted = answer.text[source.start : source.end]
    assert quoted == "Small teams want simple tools. Acme CRM is a good CRM for small teams."
    assert answer.text == f"- {quoted} [1]"
    assert async_to_sync(engine.ask)(Question("Which CRM is good for small teams?")) == answer


def test_every_span_is_the_quoted_line():
    pages = [Passage(f"https://{n}.example/", f"T{n}", f"Tea number {n} is green. Else.") for n in range(4)]
    text, sources = compose("green tea", pages)
    assert [text[source.start : source.end] for source in sources] == [f"Tea number {n} is green." for n in range(4)]


def test_nothing_found_is_said(corpus):
    [engine] = engines_of(corpus)
    answer = async_to_sync(engine.ask)(Question("quantum chromodynamics"))
    assert (answer.text, answer.sources) == (NOTHING_FOUND, ())


def test_the_search_uses_the_index(corpus):
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            "EXPLAIN SELECT 1 FROM visibility_page WHERE to_tsvector('english', title || ' ' || text) "
            "@@ websearch_to_tsquery('english', 'crm')"
        )
        assert "visibility_page_text" in str(cursor.fetchall())
