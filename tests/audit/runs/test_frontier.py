"""Which pages are asked for, in which order."""

import random

import pytest

from visibility.pipeline.audit.addresses import canonical, origin_of
from visibility.pipeline.audit.frontier import MAX_ALIKE, Candidate, choose, is_page

SITE = "https://acme.example"


def link(path, *, text="", depth=1, navigation=False):
    return Candidate(SITE + path, "link", text=text, depth=depth, navigation=navigation, linked_from=f"{SITE}/")


def listed(path):
    return Candidate(SITE + path, "sitemap", listed=True)


def paths(candidates, *, asked=(), room=50):
    return [each.url.removeprefix(SITE) for each in choose(candidates, [f"{SITE}/", *asked], room)]


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("HTTPS://Acme.Example:443/a#top", f"{SITE}/a"),
        (f"{SITE}?utm_source=x&gclid=y", f"{SITE}/"),
        (f"{SITE}/a?b=1&utm_campaign=z&c=", f"{SITE}/a?b=1&c="),
        (f"{SITE}/a?b=%20&c", f"{SITE}/a?b=%20&c"),
        ("http://acme.example:80/", "http://acme.example/"),
        ("http://acme.example:8080/", "http://acme.example:8080/"),
        ("mailto:a@acme.example", ""),
        ("javascript:void(0)", ""),
        ("https://[broken", ""),
        (f"{SITE}/{'x' * 2050}", ""),
        ("", ""),
    ],
)
def test_addresses_are_asked_for_in_one_form(url, same):
    assert canonical(url) == same


def test_the_origin_has_scheme_and_host():
    assert origin_of(f"{SITE}/a/b?c") == SITE


def test_key_pages_come_first_whatever_their_language():
    found = paths([link("/aaa"), link("/kontakt"), link("/x", text="Preise"), link("/ueber-uns"), link("/produkte/a")])
    assert found[:3] == ["/ueber-uns", "/x", "/kontakt"]


def test_sections_take_turns():
    shop = [listed(f"/shop/{name}") for name in "abcdefghijklmnop"]
    found = paths([*shop, listed("/journal/a"), listed("/journal/b"), listed("/team/a")], room=5)
    assert {each.split("/")[1] for each in found} == {"shop", "journal", "team"}


def test_what_is_no_page_or_not_for_readers_is_left_out_or_last():
    assert [is_page(f"{SITE}{path}") for path in ("/a.PDF", "/a.pdf.html", "/a.php?x=b.zip", "/sitemap.xml")] == [
        False, True, True, False,
    ]  # fmt: skip
    assert paths([link("/cart"), link("/leaflet.pdf"), link("/zebra"), link("/account/login")])[0] == "/zebra"


def test_each_page_is_chosen_once():
    same = [link("/a"), link("/a/"), Candidate("http://www.acme.example/a", "link", depth=2), listed("/a")]
    assert len(paths(same)) == 1
    assert paths(same, asked=[f"{SITE}/a"]) == []


def test_addresses_without_end_are_not_followed_without_end():
    months = [link(f"/calendar?month={number}", depth=2) for number in range(100)]
    assert len(paths(months)) == MAX_ALIKE
    assert len(paths([link(f"/post/{number}") for number in range(40)])) == 40, "the home page names them"
    assert len(paths([listed(f"/post/{number}") for number in range(40)])) == 40, "the sitemap names them"
    deep = [Candidate(f"{SITE}/post/{number}", "link", depth=5, listed=number < 30) for number in range(100)]
    assert len(paths(deep)) >= 30


def test_the_order_does_not_depend_on_the_order_of_answers():
    every = [
        *(link(f"/s{number % 3}/{number}", depth=number % 4 + 1) for number in range(30)),
        *(listed(f"/s{number % 3}/{number}") for number in range(0, 60, 2)),
        link("/about", navigation=True),
        link("/pricing"),
    ]
    expected = paths(every)
    for seed in range(5):
        shuffled = list(every)
        random.Random(seed).shuffle(shuffled)
        assert paths(shuffled) == expected
