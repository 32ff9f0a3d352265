"""The crawl of a site on loopback: what is asked, how politely, what is stored, and that it goes on where it was
killed."""

import asyncio
from collections import Counter
from datetime import date
from itertools import pairwise

import pytest

from tests.audit.sites import AGENT, HOST, Answer, Memory, WebSite, facts_of, gathered_of, order_of, serving
from visibility.audit import Halted, NotAudited, SitePage, from_json, gather, to_json
from visibility.audit.checks.discovery import working_links
from visibility.audit.crawl import client as client_module
from visibility.audit.crawl.client import Client
from visibility.audit.crawl.frontier import Candidate, choose
from visibility.audit.crawl.order import Gathered, Order
from visibility.audit.crawlers import CRAWLERS
from visibility.audit.facts import Site

WORDS = "Some hundred words of a kettle that boils. " * 20


@pytest.fixture
def site():
    with serving(WebSite()) as running:
        yield running


@pytest.fixture
def shop(site):
    """A home page and nine more, two of them key pages."""
    paths = ["/blog/first", "/pricing", *(f"/{name}" for name in "abcdefg")]
    site.page("/", *paths)
    for path in paths:
        site.page(path, "/", text=f"{path} {WORDS}")
    site.sitemap("/", *paths)
    site.robots(f"Sitemap: http://{HOST}/sitemap.xml")
    return site


def test_every_page_is_asked_for_once_and_key_pages_come_first(shop):
    memory = gathered_of(shop)
    pages = [page.fetched.url.removeprefix(f"http://{HOST}") for page in memory.pages]
    assert len(pages) == 10 and pages[0] == "/" and "/pricing" in pages[:3]
    again = {path: times for path, times in shop.times().items() if times > 1 and path in pages}
    assert set(again) <= {"/", *(page.url.removeprefix(f"http://{HOST}") for page in memory.pages[:1])}, "probes only"
    facts = facts_of(shop, memory)
    assert [page.depth for page in facts.pages] == [0, *[1] * 9]
    assert facts.sitemaps[0].text.total == 10 and facts.robots.fetched.status == 200


def test_what_was_gathered_can_be_stored_as_json(shop):
    memory = gathered_of(shop, max_pages=3)
    assert from_json(Gathered, to_json(memory.gathered)) == memory.gathered
    for page in memory.pages:
        assert from_json(SitePage, to_json(page)) == page
    facts = facts_of(shop, memory)
    assert from_json(Site, to_json(facts)) == facts


class Killed(Exception):
    """The worker is gone."""


@pytest.mark.parametrize("save", [1, 4, 8])
def test_an_audit_that_was_killed_goes_on_where_it_was(shop, save):
    """Whatever was the last to be stored, hardly a page is asked for twice, and none is stored twice."""

    class Dying(Memory):
        saves = 0

        async def save_facts(self, gathered):
            await self._count()
            await super().save_facts(gathered)

        async def save_page(self, page):
            await self._count()
            await super().save_page(page)

        async def _count(self):
            self.saves += 1
            if self.saves > save:
                raise Killed

    memory = Dying()
    with pytest.raises(Killed):
        asyncio.run(gather(order_of(shop), memory))
    before = shop.times()
    rest = gathered_of(shop, Memory(memory.gathered, list(memory.pages)))
    urls = Counter(page.fetched.url for page in rest.pages)
    assert len(urls) == 10 and set(urls.values()) == {1}
    assert [page.fetched.url for page in rest.pages][: len(memory.pages)] == [
        page.fetched.url for page in memory.pages
    ]
    stored = {page.fetched.url.removeprefix(f"http://{HOST}") for page in memory.pages}
    pages = {f"/{name}" for name in "abcdefg"} - stored
    assert sum(before[path] for path in pages) <= 3, "asked for and not stored"


def test_a_halted_audit_asks_nothing_more(shop):
    memory = Memory()
    with pytest.raises(Halted):
        gathered_of(shop, memory, is_halted=lambda: len(shop.requests) >= 6)
    assert 6 <= len(shop.requests) <= 8, "two at a time may be under way"
    assert len(memory.pages) >= 2, "what was fetched is stored"


def test_a_second_audit_asks_for_changes_only(shop):
    shop.marked = True
    memory = gathered_of(shop)
    earlier = {page.fetched.url: page for page in memory.pages}
    shop.page("/a", "/", text=f"Another text. {WORDS}")
    shop.requests.clear()
    second = gathered_of(shop, earlier=memory.pages)
    fresh = [page.fetched.url for page in second.pages if not page.fetched.unchanged]
    assert fresh == [f"http://{HOST}/a"]
    assert [page.parsed for page in second.pages if page.fetched.unchanged] == [
        earlier[page.fetched.url].parsed for page in second.pages if page.fetched.unchanged
    ]


def ask(site, paths, **more):
    """Ask for pages, all at once."""
    order = Order(HOST, (), AGENT, "nowhere", local_hosts={HOST: ("127.0.0.1", site.port)})

    async def all_of_them():
        async with Client(order, {}, lambda: False) as client:
            for name, value in more.items():
                setattr(client, name, value)
            await asyncio.gather(*(client.page(f"http://{HOST}{path}", ()) for path in paths))
        return client

    return asyncio.run(all_of_them())


def gaps(site):
    seconds = [request.second for request in site.requests]
    return [later - sooner for sooner, later in pairwise(seconds)]


def test_requests_to_a_host_leave_their_distance_redirects_included(site):
    site.otherwise = lambda path: Answer("", 302, {"Location": "/b"}) if path == "/a" else Answer("ok")
    ask(site, ["/a"] * 3, crawl_delay=0.08)
    assert len(site.requests) == 6
    assert min(gaps(site)) >= 0.05 and site.most_at_once <= 2
    client = Client(Order(HOST, (), AGENT, "nowhere", local_hosts={HOST: ("127.0.0.1", 9)}), {}, lambda: False)
    assert (client._host("site.com").gap, client._host(HOST).gap) == (0.2, 0.0)


def test_after_429_the_host_is_left_alone_and_asked_half_as_often(site):
    site.otherwise = lambda path: Answer("", 429, {"Retry-After": "1"}) if path == "/busy" else Answer("ok")
    client = ask(site, ["/busy", "/a", "/b", "/c", "/d"], _hosts={HOST: client_module._Host(0.05)})
    assert client._host(HOST).gap == 0.1
    assert max(gaps(site)) >= 0.8


def test_robots_txt_is_obeyed_and_its_delay_bounded(shop):
    shop.robots("User-agent: *\nDisallow: /pricing\nDisallow: /a\nCrawl-delay: 0.01")
    memory = gathered_of(shop)
    assert len(memory.pages) == 8
    assert not {"/pricing", "/a"} & {request.path for request in shop.requests}


REFUSALS = {
    "site_refused": [
        {"/robots.txt": Answer("", 429)},
        {"/robots.txt": Answer("User-agent: BrandVisibilityBot\nDisallow: /", content_type="text/plain")},
        {"/": Answer("no", 403)},
        {"/": Answer("<title>Just a moment</title>", headers={"cf-mitigated": "challenge"})},
    ],
    "site_unreachable": [
        {"/": Answer("gone", 404)},
        {"/": Answer("x", 500)},
        {"/": Answer("{}", content_type="text/json")},
    ],
    "site_moved": [{"/": Answer("", 301, {"Location": "http://other.example/"})}],
}


@pytest.mark.parametrize(("code", "pages"), [(code, pages) for code, many in REFUSALS.items() for pages in many])
def test_a_site_that_refuses_us_or_is_not_there_has_no_score(monkeypatch, site, code, pages):
    monkeypatch.setattr(client_module, "AGAIN_SECONDS", 0.01)
    site.page("/")
    site.pages |= pages
    other = {"other.example": ("127.0.0.1", site.port)}
    order = order_of(site)
    order = type(order)(
        **{**{f: getattr(order, f) for f in order.__slots__}, "local_hosts": {**order.local_hosts, **other}}
    )
    if code == "site_moved":
        site.edge = lambda request: Answer("<p>elsewhere") if request.headers["host"] == "other.example" else None
    with pytest.raises(NotAudited) as caught:
        asyncio.run(gather(order, Memory()))
    assert caught.value.code == code
    assert str(caught.value).endswith(".")


def test_a_site_that_bars_us_and_searchers_is_audited_from_robots_txt_alone(shop):
    shop.robots("User-agent: *\nDisallow: /")
    memory = gathered_of(shop)
    assert memory.pages == [] and "OAI-SearchBot" in memory.gathered.barred
    assert [request.path for request in shop.requests] == ["/robots.txt"]


def agents(memory):
    return {(probe.agent, probe.url.removeprefix(f"http://{HOST}")): probe for probe in memory.gathered.agents}


def test_home_and_two_key_pages_are_asked_for_as_each_ai_crawler(shop):
    probes = agents(gathered_of(shop))
    for crawler in CRAWLERS:
        paths = {path for token, path in probes if token == crawler.token}
        assert len(paths) == (not crawler.fetches and 0) or len(paths) == (1 if crawler.purpose == "training" else 3)
    assert {probe.verdict for probe in probes.values()} == {"same"}
    assert {"/", "/pricing", "/blog/first"} == {path for _, path in probes}
    assert "Mozilla/5.0 (compatible; GPTBot/1.0; +https://visibility.example/bot)" in {r.agent for r in shop.requests}


def test_a_refusal_by_name_is_seen_and_asked_a_second_time(shop):
    def edge(request):
        if "OAI-SearchBot" in request.agent:
            return Answer("no", 403)
        if "Claude-User" in request.agent and request.path == "/":
            return Answer("<html><title>Kettles</title><p>Subscribe to read.</p></html>")
        if "PerplexityBot" in request.agent and request.path == "/":
            return Answer("<title>Just a moment</title>", headers={"cf-mitigated": "challenge"})
        return Answer("", 429, {"Retry-After": "0"}) if "YouBot" in request.agent else None

    shop.page("/", "/pricing", "/blog/first", text=WORDS)
    shop.edge = edge
    probes = agents(gathered_of(shop))
    assert {key[0]: probe.verdict for key, probe in probes.items() if probe.verdict != "same"} == {
        "OAI-SearchBot": "refused",
        "Claude-User": "different",
        "PerplexityBot": "refused",
        "YouBot": "unknown",
    }
    assert set(shop.times("Mozilla/5.0 (compatible; OAI-SearchBot").values()) == {2}


def test_links_canonicals_and_sitemap_addresses_are_asked_for_their_status(shop):
    shop.page("/", "/pricing", *(f"/gone-{number}" for number in range(20)))
    shop.sitemap("/", "/pricing", *(f"/old/{number}" for number in range(200)))
    facts = facts_of(shop, gathered_of(shop, max_pages=2))
    statuses = Counter(answer.status for answer in facts.sampled)
    assert statuses[404] >= 50
    asked = Counter("/old/" in answer.url for answer in facts.sampled)
    assert asked[True] == 50, "of 200 in the sitemap, evenly"
    found = working_links(facts)
    assert "Of 22 linked addresses asked for, 20 answer" in found.finding
    assert f"{HOST}/" in found.evidence[0].url and "/gone-0" in found.evidence[0].quote


def test_a_calendar_without_end_takes_ten_pages_until_nothing_else_is_left():
    days = [Candidate(f"http://a.com/calendar/{number}", depth=1) for number in range(500)]
    others = [Candidate(f"http://a.com/{name}/x", depth=2) for name in "abc"]
    chosen = choose([*days, *others], ["http://a.com/"], 50)
    assert len(chosen) == 13 and set(others) <= set(chosen)
    crawled = ["http://a.com/", *(each.url for each in chosen)]
    assert len(choose([*days, *others], crawled, 37)) == 37
    assert choose([Candidate("http://a.com/x.pdf"), Candidate("http://a.com/#y")], ["http://a.com/"], 50) == []


def test_a_site_that_stops_answering_is_left_alone(monkeypatch, site):
    monkeypatch.setattr(client_module, "AGAIN_SECONDS", 0.01)
    site.page("/", *(f"/section-{name}/x" for name in "abcdefghijklmnopqrst"))
    site.robots("User-agent: *\nAllow: /")
    site.otherwise = lambda path: Answer("", 500)
    memory = gathered_of(site)
    assert 8 <= len(memory.pages) <= 11


def test_redirects_to_known_pages_and_other_sites_count_as_no_pages(shop):
    shop.pages["/a"] = Answer("", 301, {"Location": "/b"})
    shop.pages["/c"] = Answer("%PDF", content_type="application/pdf")
    facts = facts_of(shop, gathered_of(shop))
    assert len(facts.pages) == 8
    assert {answer.url.rpartition("/")[2] for answer in facts.sampled} >= {"a", "c"} or len(facts.sampled) >= 2
    assert facts.audited_at.date() >= date(2026, 1, 1)
