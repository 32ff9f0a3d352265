"""What a site proposes of itself, each with its place; nothing that it does not say."""

import pytest

from tests.onboarding.sites import parsed
from visibility.audit import propose

HOME = "https://acme.example/"


def proposals(*pages, listed=(), domain="acme.example"):
    """Proposals of a site with these pages: the home page, and others by their paths."""
    addresses = [HOME, *(f"{HOME}page{number}" for number in range(1, len(pages)))]
    return propose(parsed(dict(zip(addresses, pages, strict=True))), domain, listed)


def texts(found):
    return [each.text for each in found]


def of_data(text):
    return f'<h1>x</h1><script type="application/ld+json">{text}</script>'


@pytest.mark.parametrize(
    ("home", "names"),
    [
        ('<meta property="og:site_name" content=" Acme  Tools ">', ["Acme Tools"]),
        (of_data('{"@type": "Organization", "name": "Acme", "legalName": "Acme Inc."}'), ["Acme", "Acme Inc."]),
        (of_data('{"@graph": [{"@type": "WebSite", "name": "Acme", "alternateName": ["ACM"]}]}'), ["Acme", "ACM"]),
        (of_data('{"@type": "Organization", "name": "Other", "url": "https://other.example"}'), []),
        (of_data('{"@type": "Product", "brand": {"@type": "Organization", "name": "Maker"}}'), []),
        ("<title>Welcome</title>", []),
    ],
)
def test_names_are_those_that_the_site_gives_itself(home, names):
    assert texts(proposals(home).names) == names


def test_what_ends_most_titles_is_a_name():
    found = proposals("<title>Acme | Start</title>", "<title>Acme | Saws</title>", "<title>Help</title>")
    assert [(each.text, each.because) for each in found.names] == [("Acme", "titles of 2 pages")]


@pytest.mark.parametrize(
    ("page", "topics"),
    [
        (of_data('{"@type": "Product", "name": "Saw 3", "category": "Tools > Band saws"}'), [("Band saws", True)]),
        (
            of_data(
                '{"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "name": "Home"},'
                '{"@type": "ListItem", "item": {"@id": "/saws", "name": "Saws"}}, {"name": "Saw 3"}]}'
            ).replace("<h1>x</h1>", ""),
            [("Saws", True)],
        ),
        ("<h1>Chain saws</h1>", [("Chain saws", False)]),
        ("<h1>One</h1><h1>Two</h1>", []),
        ("<h1>We are the home of all who work with wood every day</h1>", []),
    ],
)
def test_topics_are_what_the_site_sells(page, topics):
    assert [(each.text, each.is_sure) for each in proposals("<p>Hi</p>", page).topics] == topics


def test_pages_that_sell_nothing_give_no_topic():
    pages = {
        HOME: "<p>x</p>",
        f"{HOME}contact": "<h1>Contact us</h1>",
        f"{HOME}blog/a": "<h1>News</h1>" + "word " * 60,
    }
    assert texts(propose(parsed(pages), "acme.example").topics) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Acme vs Beta", "Beta"),
        ("Acme vs. Beta Cloud: which is better?", "Beta Cloud"),
        ("Beta Cloud vs Acme", "Beta Cloud"),
        ("Acme versus Beta comparison", "Beta"),
        ("Gamma vs Beta", None),
        ("Us vs them", None),
    ],
)
def test_a_competitor_is_who_the_site_sets_itself_against(text, name):
    assert texts(proposals(f"<h1>{text}</h1>").competitors) == ([name] if name else [])


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("acme-vs-beta", "beta"),
        ("compare/beta-vs-acme.html", "beta"),
        ("vs/beta-cloud", "beta cloud"),
        ("alternatives/beta", "beta"),
        ("beta-alternative", "beta"),
        ("blog/alternatives-to-beta", "beta"),
        ("blog/react-vs-vue", None),
        ("products/saws", None),
    ],
)
def test_a_competitor_is_who_the_address_of_a_comparison_names(path, name):
    found = proposals("<p>x</p>", listed=[f"{HOME}{path}"]).competitors
    assert [(each.text, each.because) for each in found] == ([(name, f"address /{path}")] if name else [])


def test_a_competitor_is_written_and_linked_as_the_site_does():
    home = '<a href="/vs/beta-cloud">Moving from BetaCloud</a><a href="https://betacloud.io/">x</a>'
    [found] = proposals(home).competitors
    assert (found.text, found.domain) == ("BetaCloud", "betacloud.io")


def test_a_site_without_pages_proposes_nothing():
    found = propose([], "acme.example")
    assert not (found.names or found.topics or found.competitors)
