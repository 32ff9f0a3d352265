"""Citations: one for each page, its owner, the class of its site."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from visibility.detection.canonical import canonical_url
from visibility.detection.citations import SourceClass, class_of, find_citations

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


@pytest.mark.parametrize(
    "address",
    [
        "https://www.google.com/url?sa=t&url=https%3A%2F%2Fwww.acme.com%2Fa",
        "https://www.google.co.uk/url?q=https://acme.com/a&sa=U",
        "https://www.google.com/url?q=https://l.facebook.com/l.php?u%3Dhttps%253A%252F%252Facme.com%252Fa",
        "https://www.google.com/amp/s/acme.com/a",
        "https://acme-com.cdn.ampproject.org/v/s/acme.com/a?amp_js_v=0.1",
        "https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9hY21lLmNvbS9h&ntb=1",
        "https://duckduckgo.com/l/?uddg=https%253A%252F%252Facme.com%252Fa",
        "https://out.reddit.com/t3_x?url=https%3A%2F%2Facme.com%2Fa&token=b",
        "https://vk.com/away.php?to=http%3A%2F%2Facme.com%2Fa",
        "https://go.affiliate.net/?ref=https%3A%2F%2Fblog.io%2Fb&url=https%3A%2F%2Facme.com%2Fa",
        "https://r.search.yahoo.com/_ylt=A/RU=https%3a%2f%2fwww.acme.com%2fa%2f/RK=2/RS=x-",
        "https://r.reader.ai/https://acme.com/a",
        "https://anonymous.li/?https://acme.com/a",
        "https://translate.google.com/translate?sl=de&u=https://acme.com/a",
        "https://www-acme-com.translate.goog/a?_x_tr_sl=de",
    ],
)
def test_an_address_that_leads_on_is_the_page_that_it_carries(address):
    [page] = cited(address)
    assert (page.url, page.owner) == ("https://acme.com/a", "brand")


@pytest.mark.parametrize(
    "address",
    [
        "https://web.archive.org/web/2026/https://acme.com/a",
        "https://facebook.com/sharer/sharer.php?u=https%3A%2F%2Facme.com",
        "https://t.me/share/url?url=https%3A%2F%2Facme.com",
        "https://pinterest.com/pin/create/link?url=https%3A%2F%2Facme.com",
        "https://validator.w3.org/nu?doc=https%3A%2F%2Facme.com",
        "https://blog.io/login?next=https%3A%2F%2Facme.com",
        "https://google.com/url?q=acme",
    ],
)
def test_a_page_about_an_address_is_a_page_of_its_own(address):
    assert canonical_url(address) == address


@pytest.mark.parametrize(
    ("page", "others"),
    [
        (
            "https://youtube.com/watch?v=aB_1",
            [
                "https://youtu.be/aB_1?si=x",
                "https://m.youtube.com/watch?v=aB_1&t=30s",
                "https://www.youtube.com/embed/aB_1",
                "https://youtube.com/shorts/aB_1",
            ],
        ),
        ("https://fr.wikipedia.org/wiki/Montre_(objet)", ["https://fr.m.wikipedia.org/wiki/Montre_%28objet%29"]),
        (
            "https://reddit.com/r/x/comments/1/y",
            ["https://old.reddit.com/r/x/comments/1/y/?rdt=5", "https://np.reddit.com/r/x/comments/1/y"],
        ),
        (
            "https://blog.io/best-bikes",
            [
                "https://blog.io/best-bikes/amp/",
                "https://amp.blog.io/best-bikes",
                "https://blog.io/best-bikes/index.html",
                "https://blog.io/best-bikes?amp=1",
                "https://blog.io/b%65st%2Dbikes",
            ],
        ),
        ("https://blog.io/m%C3%BCnchen", ["https://blog.io/m%c3%bcnchen", "https://blog.io/münchen"]),
    ],
)
def test_one_page_under_several_addresses_counts_once(page, others):
    assert [each.url for each in cited(page, *others)] == [page]


@pytest.mark.parametrize(
    "addresses",
    [
        ["https://www.youtube.com/embed/videoseries?list=a", "https://youtube.com/embed/videoseries?list=b"],
        ["https://shop.io/en-us/shop/amp", "https://shop.io/en-us/shop"],
        ["https://blog.io/a%2Fb", "https://blog.io/a/b"],
        ["https://blog.io/index.php?id=1", "https://blog.io/?id=1"],
        ["https://m.github.io/a", "https://amp.github.io/a"],
    ],
)
def test_pages_that_differ_stay_apart(addresses):
    assert len(cited(*addresses)) == len(addresses)


def test_sites_on_a_shared_host_are_sites_of_their_own():
    domains = {"brand": ["acme.myshopify.com"], "rival": ["rival.com"]}
    hosts = ["acme.myshopify.com", "www.other.myshopify.com", "docs.other.github.io", "other.blogspot.com"]
    pages = find_citations([(f"https://{host}/a", "") for host in hosts], domains, brand="brand")
    assert [(page.domain, page.owner) for page in pages] == [
        ("acme.myshopify.com", "brand"),
        ("other.myshopify.com", None),
        ("other.github.io", None),
        ("other.blogspot.com", None),
    ]
    assert cited("https://google.blogspot.com/search?q=x"), "a blog that is called like a search"


def test_a_brand_whose_own_host_is_one_for_telephones_owns_its_pages():
    [found] = find_citations([("https://m.acme.com/a", "")], {"brand": ["m.acme.com"]}, brand="brand")
    assert (found.owner, found.source_class) == ("brand", "own")
