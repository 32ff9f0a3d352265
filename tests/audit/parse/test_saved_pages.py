"""All saved pages: each is read, can be stored, and is of the kind that its set is of."""

from collections import Counter

import orjson
from pydantic import TypeAdapter

from tests.audit.parse.saved import articles, everything
from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.parsing import parse_page

STORED = TypeAdapter(ParsedPage | Unparsed)
NO_ARTICLES = {"mozilla-1", "rtl-1"}
"""A page that advertises a browser, and five lines of Lorem ipsum."""


def test_each_saved_page_is_read_and_can_be_stored(reference_data):
    read = Counter()
    for page in everything(reference_data):
        said = parse_page(page.body, url=page.url, content_type="text/html")
        assert isinstance(said, ParsedPage), (page.group, page.name, said)
        assert STORED.validate_json(orjson.dumps(said)) == said
        assert said.kind_because
        assert not said.hidden, (page.name, said.hidden)
        read[page.group] += 1
    assert sum(read.values()) >= 180, read


def test_a_beginning_of_a_page_is_read_too(reference_data):
    for page in articles(reference_data):
        said = parse_page(page.body[: len(page.body) // 2], url=page.url, content_type="text/html", cut=True)
        assert (type(said), said.cut) == (ParsedPage, True)


def test_articles_are_told(reference_data):
    kinds = {
        page.name: parse_page(page.body, url="https://site.example/x", content_type="text/html").kind
        for page in articles(reference_data)
    }
    assert {name for name, kind in kinds.items() if kind != "article"} == NO_ARTICLES


def test_redirecting_pages_of_a_real_site_have_their_canonical_and_refresh(reference_data):
    file = reference_data / "site-audit/sites/nutch/tags/news/page/1/index.html"
    said = parse_page(file.read_bytes(), url="https://nutch.apache.org/tags/news/page/1/", content_type="text/html")
    assert said.meta("robots")[0].content == "noindex"
    assert said.meta("refresh")[0].content == "0; url=/tags/news/"
    assert said.linked("canonical")[0].href == "/tags/news/"
    assert said.linked("canonical")[0].url == "https://nutch.apache.org/tags/news/"
