"""Pages that are made to hold up or break what reads them: never an exception, always a reason."""

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.parsing import parse_page

HTML = "text/html; charset=utf-8"
URL = "https://norrvik.example/"
STORED = TypeAdapter(ParsedPage | Unparsed)


def ld(text):
    return b'<script type="application/ld+json">' + text + b"</script><p>after</p>"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<p " + b" ".join(b"a%d=1" % i for i in range(120_000)) + b">x", "tag_too_large"),
        (b'<p a=">" ' + b"a=1 " * 120_000 + b">x", "tag_too_large"),
        (b"<p a='\"' " + b"a=1 " * 120_000, "tag_too_large"),
        (b"<div>" * 60_000 + b"x", "too_deep"),
        (b"<p>" + b"a<br>" * 400_000, "too_slow"),
    ],
    ids=["120,000 attributes", "behind a bracket in quotes", "behind a quote", "60,000 deep", "400,000 text nodes"],
)
def test_a_page_beyond_a_bound_says_why_it_was_not_read(body, reason):
    said = parse_page(body, url=URL, content_type=HTML)
    assert isinstance(said, Unparsed)
    assert said.reason == reason
    assert said.detail.endswith(".")


@pytest.mark.parametrize(
    "body",
    [
        b"<" * 2_000_000,
        b"<!--" * 200_000,
        b"<script>" * 200_000,
        b'<p><img src="data:image/png;base64,' + b"a" * 3_000_000 + b'">after',
        b"<!-- <p title=\"it's -->" + b"<p>a</p>" * 2_000,
        b"<p>a\x00b</p>\x00" * 500,
        "<p>Grüße</p>".encode("utf-16"),
        b"<meta charset=utf-7><p>+ADw-script+AD4-</p>",
        b"<meta charset=unicode_escape><p>\\ud800</p>",
        b"<meta charset=zlib><p>x</p>",
        b"<p>\xff\xfe\xfd\x80</p>",
        b"<p>&#xD800;&#0;&#x110000;</p>",
        b"<a href='http://[::1'>x</a><base href='http://['><link rel=canonical href='//['>",
        ld(b"[" * 60_000 + b"]" * 60_000),
        ld(b'{"a":' * 60_000 + b"1" + b"}" * 60_000),
        ld(b'{"a":' * 200 + b"1" + b"}" * 200),
        ld(b'{"@type": "Product", "@type": "Offer"}'),
        ld(b'{"@type": 5, "price": NaN}'),
        ld(b'{"@type": [1, null, {}], "price": 1e999}'),
        ld(b'{"price": ' + b"9" * 6_000 + b"}"),
        ld(b'{"name": "\\ud800", "n": 123456789012345678901234567890}'),
        ld(b'"' + b'\\"' * 100_000),
        b"<div itemscope itemref='a a a'><p id=a itemprop=x itemscope itemref=a>y</p></div>",
        b"<table>" * 300 + b"<tr><td>x",
        b"",
        b" ",
    ],
    ids=range(26),
)
def test_a_strange_page_is_read_and_can_be_stored(body):
    said = parse_page(body, url=URL, content_type=HTML)
    assert isinstance(said, ParsedPage)
    assert STORED.validate_json(orjson.dumps(said)) == said


@pytest.mark.parametrize(
    ("content_type", "body"),
    [("application/pdf", b"<html>"), ("", b"%PDF-1.7"), ("image/png", b"<p>"), ("text/plain", b"just words")],
)
def test_what_is_no_html_is_not_read(content_type, body):
    assert parse_page(body, url=URL, content_type=content_type).reason == "not_html"


@pytest.mark.parametrize("content_type", ["text/html", "application/xhtml+xml", "", "text/plain", "TEXT/HTML;x"])
def test_html_is_read_whatever_it_is_called(content_type):
    said = parse_page(b"<!doctype html><title>a</title>", url=URL, content_type=content_type)
    assert isinstance(said, ParsedPage)


PIECES = st.sampled_from(
    ["<p>", "</p>", "<div hidden>", "<h1>", "<table><tr><th>", "<a href='", "'>", "<time datetime=", ">", "€ 5", " 12 May 2026 ",
     "<script type='application/ld+json'>", "</script>", '{"@type": "Product"', "}", "<!--", "-->", "<style>", "</body>", "\x00",
     "<select><option>", "<noscript>", "<svg><title>", "<title>", "<meta name=", "<b itemprop=x itemscope>", "\ud7ff", "&nbsp;"]
)  # fmt: skip


@given(st.lists(PIECES | st.text(max_size=8), max_size=60))
def test_no_page_raises(pieces):
    said = parse_page("".join(pieces).encode("utf-8", "replace"), url=URL, content_type=HTML)
    assert isinstance(said, ParsedPage), said
    json.loads(orjson.dumps(said))
