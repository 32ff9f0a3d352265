"""What is stored of an audit, and by whom: each page once, under the lease, and analysed once."""

import asyncio
import zlib
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import RunFactory
from visibility.audit.page import Markup, ParsedPage, Unparsed
from visibility.audit.site import Fetched
from visibility.jobs.lease import LeaseLost
from visibility.measured.page_facts import page_as_bytes, page_from_bytes
from visibility.models import Audit, AuditPage, PageContent, Run
from visibility.pipeline.audit.client import Reply
from visibility.pipeline.audit.facts import SiteFacts, site_as_json, site_from_json
from visibility.pipeline.audit.reading import PageReader
from visibility.pipeline.audit.storing import Contents, Visited, content_key, keep_facts, keep_pages

State = AuditPage.State
HOME = "https://acme.example/"


def page(number=0, text="Hello"):
    return ParsedPage(f"{HOME}{number}", "other", "", "hash", 10, 1, 1, main_text=text)


@pytest.fixture
def run(cast):
    """An audit of four waiting pages that worker w holds."""
    until = timezone.now() + timedelta(minutes=1)
    held = RunFactory(
        brand=cast.brand, kind="audit", status="running", finished_at=None, worker="w", lease_until=until, total=4
    )
    Audit.objects.create(run=held, home_url=HOME, max_pages=4, user_agent="AcmeBot/1.0")
    for number in range(4):
        AuditPage.objects.create(run=held, url=f"{HOME}{number}", position=number)
    return held


def visited(number, state=State.FETCHED, key=""):
    fetched = Fetched(f"{HOME}{number}", 200, f"{HOME}{number}")
    read = {"key": key or f"key-{number}", "page": page(number)} if state == State.FETCHED else {}
    return Visited(number, state, fetched, timezone.now(), **read)


@pytest.mark.django_db
class TestPages:
    def test_each_is_stored_and_counted_once(self, run):
        keep_pages(run, "w", [visited(0), visited(1, State.FAILED), visited(2, State.ASIDE)])
        keep_pages(run, "w", [visited(0, State.FAILED), visited(1)])
        run.refresh_from_db()
        assert (run.done, run.failed, run.attempt) == (1, 1, 1)
        assert list(AuditPage.objects.values_list("state", flat=True)) == ["fetched", "failed", "aside", "waiting"]

    def test_who_lost_the_run_stores_nothing(self, run):
        for change in ({"worker": "another"}, {"worker": "w", "status": "succeeded"}):
            Run.objects.update(**change)
            with pytest.raises(LeaseLost):
                keep_pages(run, "w", [visited(0)])
            with pytest.raises(LeaseLost):
                keep_facts(run, "w", barred="x")
        assert set(AuditPage.objects.values_list("state", flat=True)) == {"waiting"}
        assert not PageContent.objects.exists()

    def test_a_cancelled_run_keeps_what_was_under_way(self, run):
        Run.objects.update(status="cancelled")
        keep_pages(run, "w", [visited(0)])
        assert AuditPage.objects.get(position=0).state == "fetched"

    def test_the_same_content_is_stored_once(self, run):
        keep_pages(run, "w", [visited(0, key="same"), visited(1, key="same")])
        keep_pages(run, "w", [visited(2, key="same")])
        assert PageContent.objects.count() == 1
        assert len({each.content_id for each in AuditPage.objects.exclude(content=None)}) == 1

    def test_statements_do_not_grow_with_pages(self, run):
        with CaptureQueriesContext(connection) as one:
            keep_pages(run, "w", [visited(0)])
        with CaptureQueriesContext(connection) as three:
            keep_pages(run, "w", [visited(1), visited(2), visited(3)])
        assert len(one) == len(three) <= 8


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_what_is_stored_is_not_analysed_again(run):
    class Child:
        parsed = 0

        def parse(self, body, **more):
            Child.parsed += 1
            return page()

    def read(body):
        async def one():
            reply = Reply(Fetched(HOME, 200, HOME, (("content-type", "text/html"),)), body)
            return await PageReader(run, Child()).visited(0, reply, HOME)

        return asyncio.run(one())

    first = read(b"<p>Hello</p>")
    keep_pages(run, "w", [first])
    again = read(b"<p>Hello</p>")
    assert (again.key, again.page, Child.parsed) == (first.key, None, 1)
    assert read(b"<p>Changed</p>").key != first.key
    assert Child.parsed == 2


def test_a_key_tells_apart_what_differs():
    keys = {
        content_key(*parts)
        for parts in [
            ("1", HOME, "text/html", b"x"),
            ("2", HOME, "text/html", b"x"),
            ("1", HOME + "a", "text/html", b"x"),
            ("1", HOME, "text/html;", b"x"),
            ("1", HOME, "text/html", b"y"),
            ("1", HOME, "text/htmlx", b""),
        ]
    }
    assert len(keys) == 6


@pytest.mark.django_db
def test_contents_are_decoded_once(run):
    keep_pages(run, "w", [visited(0)])
    contents = Contents()
    first = contents.of(run)
    PageContent.objects.update(facts=b"broken")
    assert contents.of(run)[0][1] is first[0][1]


class TestForm:
    def test_pages_come_back_as_they_were(self):
        unparsed = Unparsed(HOME, "too_slow", "It takes too long.")
        for each in (page(), unparsed):
            assert page_from_bytes(page_as_bytes(each), parsed=isinstance(each, ParsedPage)) == each

    def test_half_a_surrogate_pair_is_replaced(self):
        markup = Markup("json-ld", 1, ({"@type": "Thing", "name": "a\ud800b"},))
        broken = ParsedPage(HOME, "other", "", "hash", 1, 1, 1, main_text="\udcff", markup=(markup,))
        back = page_from_bytes(page_as_bytes(broken), parsed=True)
        assert back.main_text == "\ufffd"
        assert back.nodes("Thing") == ({"@type": "Thing", "name": "a\ufffdb"},)

    def test_facts_of_the_site_come_back_as_they_were(self):
        facts = SiteFacts(barred="why", sitemaps=(), sampled=(Fetched(HOME, 200, HOME, (("a", "b\0"),)),))
        back = site_from_json(site_as_json(facts))
        assert back.sampled[0].headers == (("a", "b\ufffd"),)
        assert (back.barred, back.sitemaps, back.probes) == ("why", (), None)
        assert site_from_json({}) == SiteFacts()

    def test_a_page_is_kept_small(self):
        assert len(page_as_bytes(page(text="word " * 10_000))) < 1_000
        assert zlib.decompress(page_as_bytes(page())).startswith(b"{")
