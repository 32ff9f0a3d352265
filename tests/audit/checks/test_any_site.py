"""Whatever a page says, no check of content raises, and each outcome can be shown."""

import string
from datetime import date
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.audit.builders import page, site
from visibility.audit.catalogue import CATALOGUE
from visibility.audit.checks import citability, entity_trust, freshness, structure, structured_data
from visibility.audit.outcome import MAX_EVIDENCE, MAX_QUOTE
from visibility.audit.page import (
    Block,
    Heading,
    HeadLink,
    Image,
    Link,
    Lost,
    Markup,
    Meta,
    PageDate,
    PageKind,
    Price,
    Table,
    Text,
)

GROUPS = (structure, structured_data, entity_trust, citability, freshness)
CHECKS = {name: check for group in GROUPS for name, check in group.CHECKS.items()}
WORDS = [
    "Norrvik",
    "62%",
    "“",
    "”",
    "best",
    "our",
    "it",
    "<b>",
    "&amp;",
    "http://[",
    "1.299,00 €",
    "?",
    "—",
    "\u202e",
    "",
]
URLS = st.sampled_from(
    ["https://norrvik.example/", "http://[", "", "mailto:a@b", "//", "https://a.test:99999/", "javascript:x"]
)
texts = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.text(string.digits + ".,' ", max_size=30),
)
lines = st.integers(0, 99)
keys = st.sampled_from(
    [
        "@type",
        "@context",
        "@graph",
        "name",
        "offers",
        "price",
        "aggregateRating",
        "ratingValue",
        "mainEntity",
        "sameAs",
        "acceptedAnswer",
        "text",
        "author",
        "availability",
        "priceCurrency",
        "bestRating",
        "",
        "@id",
    ]
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    texts,
    st.sampled_from(
        ["Product", "Offer", "FAQPage", "Question", "Organization", "https://schema.org", "http://schema.org/Article"]
    ),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=5)),
    max_leaves=12,
)
nodes = st.dictionaries(keys, values, max_size=6)
days = st.dates(date(1, 1, 1), date(9999, 12, 31))
KINDS = get_args(PageKind)


def some(strategy):
    return st.lists(strategy, max_size=4).map(tuple)


said = st.fixed_dictionaries(
    {
        "main_text": texts,
        "visible_text": texts,
        "visible_words": st.integers(0, 500),
        "words": st.integers(0, 500),
        "lang_declared": st.sampled_from(["", "en", "de-AT", "fr", "es", "xx-", "-", "ja"]),
        "lang_detected": st.sampled_from(["", "en", "de", "fr", "es", "ja"]),
        "titles": some(st.builds(Text, texts, lines)),
        "metas": some(
            st.builds(Meta, st.sampled_from(["robots", "og:site_name", "author", "description"]), texts, lines)
        ),
        "head_links": some(st.builds(HeadLink, st.sampled_from(["canonical", "alternate", "me"]), URLS, lines)),
        "headings": some(st.builds(Heading, st.integers(1, 6), texts, lines, st.integers(0, 400), texts)),
        "blocks": some(
            st.builds(
                Block,
                st.sampled_from(["paragraph", "heading", "item", "table", "quote", "code"]),
                texts,
                lines,
                some(texts),
                some(URLS),
            )
        ),
        "links": some(
            st.builds(
                Link,
                URLS,
                texts,
                lines,
                st.sampled_from(["navigation", "main", "footer", "other"]),
                some(texts),
                texts,
            )
        ),
        "images": some(st.builds(Image, URLS, st.one_of(st.none(), texts), lines)),
        "tables": some(st.builds(Table, lines, lines, lines, lines, st.booleans(), texts)),
        "markup": some(
            st.builds(
                Markup,
                st.sampled_from(["json-ld", "microdata"]),
                lines,
                some(nodes),
                st.sampled_from(["", "broken"]),
                lines,
            )
        ),
        "dates": some(
            st.builds(
                PageDate,
                days,
                st.sampled_from(["published", "modified", "time", "meta", "visible", "guess"]),
                texts,
                lines,
                st.sampled_from(["published", "modified", ""]),
            )
        ),
        "prices": some(st.builds(Price, texts, texts, texts, lines, st.booleans())),
        "bylines": some(st.builds(Text, texts, lines)),
        "key_spans": st.integers(0, 9),
        "lost": some(st.builds(Lost, st.sampled_from(["h1", "th", "price", "json-ld"]), texts, texts, lines)),
        "reading_grade": st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
        "cut": st.booleans(),
        "client_rendered": st.sampled_from(["", '<div id="root"> is empty']),
    }
)
pages = st.lists(st.tuples(st.sampled_from(KINDS), said), max_size=4)


@settings(max_examples=40, deadline=None)
@given(pages, st.text(max_size=10))
def test_no_check_raises_and_each_finding_can_be_shown(given_pages, brand):
    crawl = [page("/" if at == 0 else f"/{at}", kind, **words) for at, (kind, words) in enumerate(given_pages)]
    audited = site(*crawl, brand=brand, **({} if crawl else {"no_pages": True}))
    for name, check in CHECKS.items():
        found = check(audited)
        assert (found.share is None) is (found.verdict in ("not_applicable", "inconclusive")), name
        assert found.share is None or 0 <= found.share <= 1, name
        if found.verdict == "failed":
            assert found.share < 1, name
            assert found.words["finding"], name
            assert 0 < len(found.evidence) <= MAX_EVIDENCE and found.affected > 0, name
            assert all(len(each.quote) <= MAX_QUOTE and each.url for each in found.evidence), name
        elif found.verdict != "passed":
            assert found.because, name


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.__name__.rsplit(".", 1)[-1])
def test_each_category_has_all_its_checks(group):
    category = group.__name__.rsplit(".", 1)[-1].replace("_", "-")
    assert list(group.CHECKS) == [name for name, entry in CATALOGUE.items() if entry.category == category]


HOSTILE = {
    "one word": "A" * 50_000,
    "names": "Aa de " * 10_000,
    "figures": "1," * 25_000,
    "quotes": "“" * 25_000 + '"' * 25_000,
    "brackets": "<(" * 25_000,
    "addresses": "a@" * 25_000,
    "superlatives": "our the " * 6_000,
    "marks": "?" * 50_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_long_texts_of_one_kind_are_read_in_one_pass(text):
    """What takes time that grows with the square of the text would not end here."""
    node = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": text[:2_000],
        "offers": [{"price": "1"}] * 5_000,
    }
    many = {"@context": "https://schema.org", "@type": "Product", **{f"steam{at}": at for at in range(5_000)}}
    kinds = ("paragraph", "quote", "item", "heading")
    said = {
        "main_text": text,
        "visible_text": text,
        "blocks": tuple(Block(kind, text, 0) for kind in kinds),
        "markup": (node, many),
        "prices": (Price("2", "EUR", "2 EUR", 3, True),),
        "headings": (Heading(1, "Kettle", 4, 90, text[:600]),),
    }
    audited = site(*(page(f"/{kind}", kind, **said) for kind in ("home", "product", "pricing", "article")))
    assert all(check(audited).verdict for check in CHECKS.values())
