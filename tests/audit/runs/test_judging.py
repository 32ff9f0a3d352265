"""What an answer means for an audit, and what is kept of a robots.txt."""

import asyncio

import pytest

from visibility.audit.parse.child import ParsingChild
from visibility.audit.site import Fetched
from visibility.models import AuditPage
from visibility.pipeline.audit.client import AGAIN_SECONDS, MAX_AGAIN_SECONDS, Reply, _seconds_until_again
from visibility.pipeline.audit.judging import judge
from visibility.pipeline.audit.reading import FileReader
from visibility.pipeline.audit.rules import Rules

State = AuditPage.State
HOME = "https://acme.example/"
HTML = b"<!doctype html><title>x</title>"


@pytest.fixture(scope="module")
def child():
    with ParsingChild() as child:
        yield child


def reply(status=200, body=HTML, *, url=f"{HOME}a", to="", error="", **headers):
    named = tuple((name.replace("_", "-"), value) for name, value in {"content_type": "text/html", **headers}.items())
    return Reply(Fetched(url, status, to or url, named, error=error), body)


@pytest.mark.parametrize(
    ("answer", "state", "code"),
    [
        (reply(), State.FETCHED, ""),
        (reply(content_type="application/xhtml+xml; charset=utf-8"), State.FETCHED, ""),
        (reply(content_type=""), State.FETCHED, ""),
        (reply(body=b"%PDF-1.7", content_type=""), State.ASIDE, "not_html"),
        (reply(body=b"{}", content_type="application/json"), State.ASIDE, "not_html"),
        (reply(404), State.ASIDE, "http_404"),
        (reply(403), State.ASIDE, "http_403"),
        (reply(204), State.ASIDE, "http_204"),
        (reply(429), State.FAILED, "http_429"),
        (reply(502), State.FAILED, "http_502"),
        (reply(0, error="timeout"), State.FAILED, "timeout"),
        (reply(0, error="connection"), State.FAILED, "connection"),
        (reply(0, error="too_many_redirects"), State.ASIDE, "too_many_redirects"),
        (reply(0, error="refused_address"), State.ASIDE, "refused_address"),
        (reply(cf_mitigated="challenge"), State.FAILED, "challenge"),
        (reply(body=b"<script>window._cf_chl_opt={}</script>"), State.FAILED, "challenge"),
        (reply(body=HTML + b"_cf_chl_opt" + b" " * 200_000), State.FETCHED, ""),
        (reply(to="https://other.example/a"), State.ASIDE, "elsewhere"),
        (reply(to="https://shop.acme.example/a"), State.ASIDE, "elsewhere"),
        (reply(to="http://www.acme.example/a"), State.FETCHED, ""),
        (reply(to=f"{HOME}taken/"), State.ASIDE, "same_page"),
    ],
)
def test_each_answer_is_a_page_a_failure_or_neither(answer, state, code):
    assert judge(answer, HOME, {"acme.example/taken"}) == (state, code)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0),
        ("7", 7),
        ("86400", MAX_AGAIN_SECONDS),
        ("9" * 400, MAX_AGAIN_SECONDS),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0),
        ("Wed, 21 Oct 2065 07:28:00 GMT", MAX_AGAIN_SECONDS),
        ("soon", AGAIN_SECONDS),
        ("", AGAIN_SECONDS),
        ("-5", AGAIN_SECONDS),
        ("²", AGAIN_SECONDS),
    ],
)
def test_retry_after_is_obeyed_within_bounds(header, seconds):
    assert _seconds_until_again(reply(429, retry_after=header).fetched) == seconds


@pytest.mark.parametrize(
    ("status", "text", "delay"),
    [
        (200, "User-agent: *\nCrawl-delay: 3", 3.0),
        (200, "User-agent: AcmeBot\nCrawl-delay: 2\nDisallow:\n\nUser-agent: *\nCrawl-delay: 4", 2.0),
        (200, "User-agent: *\nCrawl-delay: 600", 5.0),
        (200, "User-agent: *\nCrawl-delay: soon", 0.0),
        (404, "User-agent: *\nCrawl-delay: 3", 0.0),
    ],
)
def test_a_crawl_delay_is_kept_within_its_bound(status, text, delay, child):
    answer = reply(status, text.encode(), url=f"{HOME}robots.txt", content_type="text/plain")
    robots = asyncio.run(_robots(child, answer))
    assert Rules(robots, "AcmeBot/1.0").crawl_delay == delay


async def _robots(child, answer):
    return await FileReader(child, {}).robots(answer)
