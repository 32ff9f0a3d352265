"""One citation for each page, its domain, and whose it is."""

import pytest

from visibility.detection.citations.citations import find_citations
from visibility.detection.text.addresses import canonical_url, registrable_domain
from visibility.detection.types import Domains
from visibility.engines.protocol import Source

DOMAINS = Domains(
    {"": ("acme.example", "acme.co.uk"), "rival": ("rival.example", "www.music.acme.example", "bücher.example")}
)


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTPS://WWW.Example.COM", "https://www.example.com/"),
        ("http://example.com:80/a", "http://example.com/a"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("https://example.com:8443/a", "https://example.com:8443/a"),
        ("https://user:pass@example.com./a", "https://example.com/a"),
        ("https://example.com/a/./b/../c/..", "https://example.com/a/"),
        ("https://example.com/../../a", "https://example.com/a"),
        ("https://example.com/a?utm_source=openai&b=1&UTM_Medium=x&gclid=1&fbclid=2&c=", "https://example.com/a?b=1&c="),
        ("https://example.com/a?utm_source=chatgpt.com", "https://example.com/a"),
        ("https://example.com/a?b=1&amp;utm_source=x&amp;c=2", "https://example.com/a?b=1&c=2"),
        ("https://example.com/a#:~:text=Sony%20is", "https://example.com/a"),
        ("https://example.com/%7euser/%c3%a9?q=%2f", "https://example.com/~user/%C3%A9?q=%2F"),
        ("https://example.com/é", "https://example.com/%C3%A9"),
        ("https://münchen.example/", "https://xn--mnchen-3ya.example/"),
        ("  https://example.com/a\n", "https://example.com/a"),
        ("https://[2001:DB8::1]:443/a", "https://[2001:db8::1]/a"),
        ("https://example.com/a//b/", "https://example.com/a//b/"),
    ],
)  # fmt: skip
def test_canonical(url, canonical):
    assert canonical_url(url) == canonical
    assert canonical_url(canonical) == canonical


@pytest.mark.parametrize(
    "url",
    [
        "", "example.com", "/a", "ftp://example.com", "javascript:alert(1)", "mailto:a@example.com", "https://",
        "https://:80/", "https://exa mple.com/", "https://example.com/a\0b", "https://example.com:99999/",
        "https://example.com:x/", "https://[::1/", "https://-a.example/", "https://a..example/", "https://\ud800.example/",
        "https://example.com/\ud800", "https://" + "a" * 64 + ".example/", "https://" + "a." * 200 + "example/",
        "https://example.com/" + "a" * 9000, "https://example.com/<script>", "https://\u2100.example/",
    ],
)  # fmt: skip
def test_what_is_no_address_is_left_out(url):
    assert canonical_url(url) is None
    assert find_citations([Source(url)], DOMAINS) == []


def test_one_for_each_page_in_order_with_the_first_title():
    found = find_citations(
        [
            Source("https://Other.example/a?utm_source=openai"),
            Source("nonsense"),
            Source("https://news.acme.co.uk/x", "Acme\n News\0"),
            Source("https://other.example/a#part", "A title"),
        ],
        DOMAINS,
    )
    assert [(each.url, each.domain, each.title, each.position, each.subject) for each in found] == [
        ("https://other.example/a", "other.example", "A title", 1, None),
        ("https://news.acme.co.uk/x", "acme.co.uk", "Acme News", 2, ""),
    ]


@pytest.mark.parametrize(
    ("host", "subject"),
    [
        ("acme.example", ""), ("www.acme.example", ""), ("a.b.acme.example", ""), ("notacme.example", None),
        ("acme.example.org", None), ("music.acme.example", "rival"), ("x.music.acme.example", "rival"),
        ("xn--bcher-kva.example", "rival"), ("example", None), ("co.uk", None),
    ],
)  # fmt: skip
def test_the_longest_domain_decides_whose_it_is(host, subject):
    (citation,) = find_citations([Source(f"https://{host}/")], DOMAINS)
    assert citation.subject == subject


@pytest.mark.parametrize(
    "url",
    [
        "https://chatgpt.com/?hints=search&q=Sony", "https://www.google.com/search?q=sony", "https://google.co.uk/search?q=a",
        "https://www.bing.com/search?q=sony", "https://duckduckgo.com/?q=sony", "https://search.yahoo.com/search?p=sony",
    ],
)  # fmt: skip
def test_a_link_to_search_results_is_no_citation(url):
    assert find_citations([Source(url)], DOMAINS) == []


@pytest.mark.parametrize(
    "url",
    ["https://chatgpt.com/share/1", "https://www.google.com/chrome", "https://blog.google/search?q=a", "https://a.example/search?q=a"],
)  # fmt: skip
def test_other_pages_are(url):
    assert len(find_citations([Source(url)], DOMAINS)) == 1


def test_a_grounding_redirect_stands_for_the_domain_in_its_title():
    url = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/abc"
    (citation,) = find_citations([Source(url, "news.acme.co.uk")], DOMAINS)
    assert (citation.domain, citation.subject) == ("acme.co.uk", "")


@pytest.mark.parametrize(
    ("host", "domain"),
    [("news.bbc.co.uk", "bbc.co.uk"), ("localhost", "localhost"), ("127.0.0.1", "127.0.0.1"), ("co.uk", "co.uk")],
)
def test_registrable_domain(host, domain):
    assert registrable_domain(host) == domain
