"""The class of each source, and what the citations of many answers say."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.detection.citations.attachment import attach
from visibility.detection.citations.citations import find_citations
from visibility.detection.citations.source_classes import CLASSES
from visibility.detection.text.addresses import canonical_url, registrable_domain
from visibility.detection.text.reading import Reading
from visibility.detection.types import Domains, FoundCitation, SourceClass
from visibility.engines.protocol import Source
from visibility.metrics.citations import CitationShare, citation_share
from visibility.metrics.types import CitedPages

DOMAINS = Domains({"": ("acme.example", "medium.com"), "rival": ("rival.example",)})


def classes(*urls, reclassified=None):
    found = find_citations([Source(url) for url in urls], DOMAINS, reclassified=reclassified or {})
    return [each.cls for each in found]


HOSTS_OF = {
    "own": "acme.example blog.acme.example acme.medium.com",
    "competitor": "rival.example",
    "review_site": "www.rtings.com uk.trustpilot.com www.capterra.co.uk",
    "community": "old.reddit.com news.ycombinator.com forum.netgear.example community.hubspot.com",
    "news": "amp.cnn.com www.bbc.co.uk news.google.com finance.yahoo.com",
    "reference": "de.wikipedia.org cs.stanford.edu www.ox.ac.uk www.gov.uk x.gouv.fr support.google.com",
    "video": "m.youtube.com youtu.be tv.apple.com",
    "shop": "www.amazon.co.jp smile.amazon.de apps.apple.com shopping.google.com",
    "other": "www.google.com apple.com notamazon.com amazon.evil.example reddit.com.evil.com xrtings.com foo.ac "
    "127.0.0.1 localhost user.github.io myforum.com",
}


@pytest.mark.parametrize(("host", "cls"), [(host, cls) for cls, hosts in HOSTS_OF.items() for host in hosts.split()])
def test_class_of_a_page(host, cls):
    assert classes(f"https://{host}/page") == [cls]


def test_an_operator_may_class_otherwise_but_not_take_what_is_owned():
    mine = {"rtings.com": SourceClass.NEWS, "amazon.*": SourceClass.REVIEW_SITE, "acme.example": SourceClass.SHOP}
    urls = "https://www.rtings.com/", "https://amazon.fr/", "https://acme.example/", "https://cnet.com/"
    assert classes(*urls, reclassified=mine) == ["news", "review_site", "own", "review_site"]
    shop = {"store.rtings.com": SourceClass.SHOP}
    assert classes("https://store.rtings.com/", "https://rtings.com/", reclassified=shop) == ["shop", "review_site"]


def test_the_table_is_sound():
    assert len(CLASSES) >= 150
    assert set(CLASSES.values()) == set(SourceClass) - {SourceClass.OWN, SourceClass.COMPETITOR, SourceClass.OTHER}
    for entry in CLASSES:
        assert re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)*(\.[a-z]{2,}|\.\*)", entry), entry
        domain = entry.replace("*", "com")
        assert registrable_domain(domain).count("."), entry
        assert classes(f"https://www.{domain}/") == [CLASSES[entry] if domain != "medium.com" else SourceClass.OWN]


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fx%3Futm_source%3Dy&sa=U", "https://a.example/x"),
        ("https://www.google.de/url?sa=t&url=https://a.example/x", "https://a.example/x"),
        ("https://duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fx", "https://a.example/x"),
        ("https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2F&h=1", "https://a.example/"),
        ("https://www.google.com/amp/s/www.a.example/x.amp", "https://www.a.example/x.amp"),
        ("https://a-example.cdn.ampproject.org/c/s/a.example/x?b=1", "https://a.example/x?b=1"),
        ("https://a-example.cdn.ampproject.org/v/a.example/x", "http://a.example/x"),
        ("https://a.example/x?amp=1&b=2", "https://a.example/x?b=2"),
        ("https://a.example/amp/x", "https://a.example/amp/x"),
        ("https://m.a.example/x", "https://m.a.example/x"),
        ("https://www.google.com/url?q=nonsense", "https://www.google.com/url?q=nonsense"),
        ("https://www.google.com/url?q=https://google.com/url?q=https://a.example/", "https://a.example/"),
        ("https://evil.example/url?q=https://a.example/", "https://evil.example/url?q=https://a.example/"),
        ("https://strasse.example/#:~:text=a,-b", "https://strasse.example/"),
        ("https://straße.example/", "https://xn--strae-oqa.example/"),
        ("https://i❤.ws/", "https://xn--i-7iq.ws/"),
        ("https://\uff21\uff22\uff23.example/", "https://abc.example/"),
    ],
)  # fmt: skip
def test_the_page_behind_a_link(url, canonical):
    assert canonical_url(url) == canonical
    assert canonical_url(canonical) == canonical


@pytest.mark.parametrize("title", ["", "Best phones of 2026", "v2.0", "acme", "St. John", "co.uk"])
def test_a_grounding_redirect_without_a_domain_is_nobodys(title):
    url = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/abc"
    (citation,) = find_citations([Source(url, title)], DOMAINS)
    assert (citation.domain, citation.subject, citation.cls) == ("vertexaisearch.cloud.google.com", None, "other")


def test_a_grounding_redirect_has_the_class_of_the_domain_in_its_title():
    url = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/abc"
    (citation,) = find_citations([Source(url, "www.rtings.com")], DOMAINS)
    assert (citation.domain, citation.cls) == ("rtings.com", "review_site")


def page(url, subject=None, cls=SourceClass.OTHER):
    return FoundCitation(url, registrable_domain(url.split("/")[0]), "", 1, subject, cls)


def test_citation_share_by_hand():
    """Of five citations the brand has two, its rival one."""
    answers = [CitedPages(3, {"": 1, "rival": 1}), CitedPages(2, {"": 1}), CitedPages()]
    assert citation_share(answers).value == pytest.approx(2 / 5)
    assert citation_share(answers, "rival") == CitationShare(1, 5)
    assert citation_share([]).value is citation_share([CitedPages()]).value is None


HOSTS = st.sampled_from(
    ["google.com", "www.google.de", "x.cdn.ampproject.org", "duckduckgo.com", "é.com", "a.b.co.uk", "[::1]"]
)
PARTS = [
    "/",
    "..",
    ".",
    "amp",
    "c",
    "s",
    "l",
    "url",
    "?q=",
    "&",
    "uddg=",
    "https://",
    "a.com",
    "%2F",
    "%",
    "#",
    "xn--",
]
PATHS = st.lists(st.sampled_from(PARTS) | st.text(max_size=3)).map("".join)


@given(HOSTS, PATHS, st.text(max_size=8))
def test_any_address_is_taken(host, path, title):
    url = f"https://{host}/{path}"
    sources = [Source(url, title), Source(path, title)]
    for citation in find_citations(sources, DOMAINS, attach(Reading(url, sources))):
        assert canonical_url(citation.url) == citation.url
        assert citation.cls in SourceClass
