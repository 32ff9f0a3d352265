"""All saved pages: each is read, can be stored, and is of the kind that its set is of."""

from collections import Counter

import orjson
from pydantic import TypeAdapter

from tests.audit.parse.saved import articles, everything, said
from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.parsing import parse_page

STORED = TypeAdapter(ParsedPage | Unparsed)
NO_ARTICLES = {"mozilla-1", "rtl-1"}
"""A page that advertises a browser, and five lines of Lorem ipsum."""


def test_each_saved_page_is_read_and_can_be_stored(reference_data):
    read = Counter()
    for page in everything(reference_data):
        found = said(page)
        assert isinstance(found, ParsedPage), (page.group, page.name, found)
        assert STORED.validate_json(orjson.dumps(found)) == found
        assert found.kind_because
        assert not found.hidden, (page.name, found.hidden)
        read[page.group] += 1
    assert sum(read.values()) >= 180, read


def test_a_beginning_of_a_page_is_read_too(reference_data):
    for page in articles(reference_data):
        found = parse_page(page.body[: len(page.body) // 2], url=page.url, content_type="text/html", cut=True)
        assert (type(found), found.cut) == (ParsedPage, True)


def test_articles_are_told(reference_data):
    kinds = {page.name: said(page).kind for page in articles(reference_data)}
    assert {name for name, kind in kinds.items() if kind != "article"} == NO_ARTICLES


def test_redirecting_pages_of_a_real_site_have_their_canonical_and_refresh(reference_data):
    file = reference_data / "site-audit/sites/nutch/tags/news/page/1/index.html"
    found = parse_page(file.read_bytes(), url="https://nutch.apache.org/tags/news/page/1/", content_type="text/html")
    assert found.meta("robots")[0].content == "noindex"
    assert found.meta("refresh")[0].content == "0; url=/tags/news/"
    assert found.linked("canonical")[0].href == "/tags/news/"
    assert found.linked("canonical")[0].url == "https://nutch.apache.org/tags/news/"
