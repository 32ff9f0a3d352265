"""Which pages are asked for, in which order."""

import random

import pytest

from visibility.pipeline.audit.addresses import canonical, on_site, origin_of
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


def test_an_address_is_of_the_site_under_both_names_and_asked_as_the_site_answers():
    assert on_site("https://www.acme.example/a#b", f"{SITE}/") == "https://www.acme.example/a"
    assert on_site("http://acme.example/a", f"{SITE}/") == "http://acme.example/a"
    assert on_site(f"{SITE}/a", "http://www.acme.example/") == "http://acme.example/a"
    assert on_site("https://shop.acme.example/a", f"{SITE}/") == ""
    assert on_site("mailto:a@acme.example", f"{SITE}/") == ""


def test_key_pages_come_first_whatever_their_language():
    found = paths(
        [link("/aaa"), link("/kontakt"), link("/x", text="Preise"), link("/ueber-uns"), link("/produkte/a")]
    )
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


class TestAlike:
    """Pages whose addresses differ in numbers only."""

    posts = [link(f"/post/{number}", depth=2) for number in range(40)]

    def test_some_are_asked_and_more_when_nothing_else_is_left(self):
        first = paths([*self.posts, link("/zebra")])
        assert len(first) == MAX_ALIKE + 1
        asked = [f"{SITE}{path}" for path in first]
        assert len(paths(self.posts, asked=asked)) == 40 - MAX_ALIKE

    @pytest.mark.parametrize(
        "far", [link("/post/99", depth=4), link("/list?page=99", depth=2), link("/list?a=1&b=99", depth=3)]
    )
    def test_those_without_an_end_are_not_followed_for_ever(self, far):
        asked = [far.url.replace("99", str(number)) for number in range(MAX_ALIKE)]
        assert paths([far], asked=asked) == []
        assert len(paths([far], asked=asked[1:])) == 1

    @pytest.mark.parametrize("near", [listed("/post/99"), link("/list?page=99"), link("/post/99", depth=3)])
    def test_those_that_somebody_wrote_down_are(self, near):
        asked = [near.url.replace("99", str(number)) for number in range(MAX_ALIKE)]
        assert len(paths([near], asked=asked)) == 1


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
