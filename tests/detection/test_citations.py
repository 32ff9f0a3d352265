"""Citations: one for each page, its owner, the class of its site."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from visibility.detection.citations import SourceClass, canonical_url, class_of, find_citations

DOMAINS = {"brand": ["acme.com", "shop.rival.com"], "rival": ["rival.com", "acme.com"]}


def cited(*urls: str, **titles: str):
    return find_citations([(url, titles.get(url, "")) for url in urls], DOMAINS, brand="brand")


def test_a_page_counts_once_however_its_address_is_written():
    pages = cited(
        "http://www.Acme.com/a/?utm_source=chatgpt.com#top",
        "https://acme.com/a",
        "https://acme.com:443/a/",
        "https://acme.com/a?id=2",
    )
    assert [(page.url, page.position) for page in pages] == [
        ("https://acme.com/a", 1),
        ("https://acme.com/a?id=2", 2),
    ]


def test_the_longest_domain_tells_the_owner_and_the_brand_goes_first():
    owners = [
        page.owner for page in cited("https://blog.acme.com", "https://shop.rival.com", "https://www.rival.com/x")
    ]
    assert owners == ["brand", "brand", "rival"]
    assert cited("https://notacme.com")[0].owner is None


def test_links_to_searches_and_what_is_no_address_are_no_citations():
    assert not cited(
        "https://www.google.com/search?q=best+watch",
        "https://chatgpt.com/?hints=search&q=x",
        "https://www.bing.com/search?q=x",
        "not an address",
        "mailto:a@acme.com",
        "https://localhost/x",
        "https://[::1/x",
        "",
    )
    assert cited("https://www.google.com/travel?q=x")


def test_a_grounding_redirect_is_the_site_that_its_title_names():
    redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/abc"
    [named] = find_citations([(redirect, "acme.com")], DOMAINS, brand="brand")
    assert (named.domain, named.owner, named.source_class) == ("acme.com", "brand", SourceClass.OWN)
    [beside] = find_citations([(redirect, "Ten best watches", "shop.acme.com")], DOMAINS, brand="brand")
    assert (beside.domain, beside.owner, beside.title) == ("acme.com", "brand", "Ten best watches")
    [unnamed] = find_citations([(redirect, "Ten best watches", "")], DOMAINS, brand="brand")
    assert (unnamed.domain, unnamed.owner) == ("vertexaisearch.cloud.google.com", None)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("rtings.com", "review_site"),
        ("old.reddit.com", "community"),
        ("amazon.co.uk", "shop"),
        ("shopping.google.com", "shop"),
        ("bbc.co.uk", "news"),
        ("en.wikipedia.org", "reference"),
        ("ox.ac.uk", "reference"),
        ("census.gov", "reference"),
        ("youtu.be", "video"),
        ("forum.acme.io", "community"),
        ("shop.acme.io", "shop"),
        ("shopping.yahoo.com", "news"),
        ("acme.io", "other"),
    ],
)
def test_sites_have_classes(host, expected):
    assert class_of(host) == expected


@given(st.text(max_size=60))
@example(" #")
@example("/ /?#")
def test_any_text_has_one_canonical_form_or_none(text):
    for address in (text, f"https://{text}", f"https://acme.com/{text}"):
        once = canonical_url(address)
        assert not once or canonical_url(once) == once
