"""How politely a site is asked: how often, for changes only, and for how much."""

import asyncio
from itertools import pairwise

import pytest

from tests.audit.runs.sites import HOST, Answer
from visibility.audit.parse.starter import Starter
from visibility.models import Audit, AuditPage, PageContent
from visibility.pipeline.audit import client as client_module
from visibility.pipeline.audit.client import Client
from visibility.pipeline.audit.facts import site_from_json

GAP = 0.05
OF_PROCESS = 0.02
"""So much earlier may a request seem to come: its connection was slower than that of the one before."""


def ask(site, paths, local_pause=0.0, **more):
    """Ask for pages, all at once; gives the client."""

    async def all_of_them():
        async with Client("TestBot/1.0", {HOST: ("127.0.0.1", site.port)}, local_pause=local_pause, **more) as client:
            await asyncio.gather(*(client.page(f"http://{HOST}{path}", ()) for path in paths))
        return client

    return asyncio.run(all_of_them())


def gaps(site):
    seconds = [request.second for request in site.requests]
    return [later - sooner for sooner, later in pairwise(seconds)]


class TestPace:
    def test_requests_to_a_host_keep_their_distance_redirects_and_all_methods_included(self, site):
        site.otherwise = lambda path: Answer("", 302, {"Location": "/b"}) if path == "/a" else Answer("ok")
        ask(site, ["/a"] * 5, local_pause=GAP)
        assert len(site.requests) == 10
        assert min(gaps(site)) >= GAP - OF_PROCESS
        assert site.most_at_once <= 2

    def test_after_429_the_whole_host_is_let_be_and_asked_half_as_often(self, site):
        site.otherwise = lambda path: Answer("", 429, {"Retry-After": "1"}) if path == "/busy" else Answer("ok")
        ask(site, ["/busy", "/a", "/b", "/c", "/d"], local_pause=GAP)
        first, *others = [request.second for request in site.requests if request.path != "/busy"][-3:]
        assert min(later - sooner for sooner, later in pairwise([first, *others])) >= 2 * GAP - OF_PROCESS
        assert max(gaps(site)) >= 1 - 2 * GAP

    def test_other_hosts_than_those_of_this_machine_are_asked_five_times_a_second(self):
        client = Client("TestBot/1.0", {HOST: ("127.0.0.1", 9)})
        assert (client._host("site.com").gap, client._host(HOST).gap) == (0.2, 0.0)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
class TestChanges:
    @pytest.fixture
    def marked(self, site):
        site.marked = True
        site.page("/", "/a", "/b")
        site.page("/a", "/b")
        site.page("/b")
        return site

    def test_a_second_audit_asks_for_changes_and_uses_what_is_stored(self, marked, audited):
        first = audited()
        stored = set(PageContent.objects.values_list("pk", flat=True))
        marked.page("/b", text="Changed since the last time. " * 20)
        marked.requests.clear()
        second = audited()
        asked = {r.path: r for r in marked.requests if r.path in ("/", "/a", "/b") and "BrandVis" in r.agent}
        assert all("if-none-match" in asked[path].headers for path in ("/a", "/b"))
        pages = {page.url.removeprefix(f"http://{HOST}"): page for page in AuditPage.objects.filter(run=second)}
        assert {path: page.fetched["unchanged"] for path, page in pages.items()} == {
            "/": True,
            "/a": True,
            "/b": False,
        }
        assert {page.state for page in pages.values()} == {"fetched"}
        assert {path: page.fetched["status"] for path, page in pages.items()} == dict.fromkeys(pages, 200)
        assert len(set(PageContent.objects.values_list("pk", flat=True)) - stored) == 1
        assert (second.done, second.credits_spent) == (first.done, first.credits_spent) == (3, 3)
        marked.requests.clear()
        audited()
        third = AuditPage.objects.filter(run__created_at__gt=second.created_at)
        assert all(page.fetched["unchanged"] for page in third), "what was unchanged still has its mark"

    def test_a_site_that_is_as_it_was_needs_no_parser(self, marked, audited, monkeypatch):
        marked.robots("User-agent: *\nDisallow:")
        marked.sitemap("/", "/a")
        first = audited()
        monkeypatch.setattr(Starter, "start", None)
        for marked.marked in (True, False):
            second = audited()
            assert (second.status, second.done, second.score) == ("succeeded", first.done, first.score)
        marked.page("/b", text="Changed since the last time. " * 20)
        assert audited().status == "queued", "without a parser it breaks off"

    def test_what_another_parser_read_is_asked_for_whole(self, marked, audited):
        audited()
        PageContent.objects.update(parser_version=0)
        marked.requests.clear()
        audited()
        assert not [request for request in marked.requests if "if-none-match" in request.headers]

    def test_a_304_for_another_address_than_before_is_not_believed(self, marked, audited):
        audited()
        marked.pages["/a"] = Answer("", 302, {"Location": "/b"})
        marked.pages["/c"] = marked.pages["/b"]
        marked.page("/", "/a", "/c")
        run = audited()
        pages = {page.url.removeprefix(f"http://{HOST}"): page for page in AuditPage.objects.filter(run=run)}
        assert pages["/a"].fetched["final_url"] == f"http://{HOST}/b"
        assert pages["/c"].state == "fetched"


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_an_audit_that_has_read_enough_leaves_out_the_rest_and_says_so(site, audited, monkeypatch):
    monkeypatch.setattr(client_module, "MAX_BYTES", 50_000)
    site.page("/", *(f"/{word}" for word in "abcdefgh"), "/leaflet.pdf")
    for word in "abcdefgh":
        site.page(f"/{word}", text="Words without end. " * 1_000)
    run = audited()
    left = AuditPage.objects.filter(error_code="byte_budget").count()
    assert left >= 4
    assert (run.status, run.failed) == ("partial", left)
    assert "byte_budget" in run.error_message
    facts = site_from_json(Audit.objects.get().site)
    assert (facts.out_of_bytes, facts.sampled, facts.agents) == (True, (), ())
