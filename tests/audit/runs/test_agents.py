"""Asked as AI crawlers ask: which pages under which names, and what a difference is called."""

import pytest

from tests.audit.runs.sites import HOST, Answer
from visibility.audit.checks.access.crawlers import CRAWLERS
from visibility.models import Audit
from visibility.pipeline.audit.facts import site_from_json

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)

FETCHING = [crawler for crawler in CRAWLERS if crawler.fetches]
WORDS = "Some hundred words of a kettle that boils. " * 20


@pytest.fixture
def blog(site):
    """A home page and four more, two of them key pages: an article and the prices."""
    site.page("/", "/blog/first", "/pricing", "/a", "/b", text=WORDS)
    for path in ("/blog/first", "/pricing", "/a", "/b"):
        site.page(path, "/", text=f"{path} {WORDS}")
    return site


def probes():
    """What was found, by token and path."""
    facts = site_from_json(Audit.objects.latest("run__created_at").site)
    return {(probe.agent, probe.url.removeprefix(f"http://{HOST}")): probe for probe in facts.agents}


def refusing(*tokens, status=403):
    """Answers in place of the site to whoever names one of the tokens."""
    return lambda request: Answer("no", status) if any(token in request.agent for token in tokens) else None


def test_home_and_two_key_pages_are_asked_as_each_crawler_and_nothing_is_charged_for_it(blog, audited):
    run = audited()
    asked = probes()
    for crawler in FETCHING:
        paths = {path for token, path in asked if token == crawler.token}
        assert len(paths) == (1 if crawler.purpose == "training" else 3), crawler
        assert "/" in paths
        assert set(blog.times(f"{crawler.token}/1.0")) == paths
    assert {probe.verdict for probe in asked.values()} == {"same"}
    assert {probe.words for probe in asked.values()} == {probe.our_words for probe in asked.values()} != {None}
    assert "/pricing" in {path for _, path in asked}
    assert {crawler.token for crawler in FETCHING} == {token for token, _ in asked}
    assert (run.status, run.done, run.credits_spent) == ("succeeded", 5, 5)


def test_the_name_leads_to_the_page_about_our_crawler(blog, audited, settings):
    settings.AUDIT_USER_AGENT = "BrandVisibilityBot/1.0 (+https://service.com/bot)"
    audited(max_pages=1)
    assert "Mozilla/5.0 (compatible; GPTBot/1.0; +https://service.com/bot)" in {r.agent for r in blog.requests}


def test_who_is_refused_by_name_is_told_and_asked_a_second_time_only(blog, audited):
    blog.edge = refusing("OAI-SearchBot", "GPTBot")
    audited()
    refused = {key for key, probe in probes().items() if probe.verdict == "refused"}
    assert {token for token, _ in refused} == {"OAI-SearchBot", "GPTBot"}
    assert len(refused) == 4
    assert set(blog.times("OAI-SearchBot").values()) == {2}
    assert set(blog.times("Claude-SearchBot").values()) == {1}
    assert {probe.status for key, probe in probes().items() if key in refused} == {403}


def test_what_robots_txt_bars_a_crawler_from_is_not_asked_under_its_name(blog, audited):
    blog.robots(
        "User-agent: PerplexityBot\nDisallow: /pricing\n\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nAllow: /"
    )
    audited()
    assert set(blog.times("PerplexityBot")) == {path for token, path in probes() if token == "PerplexityBot"} != set()
    assert "/pricing" not in blog.times("PerplexityBot")
    assert not blog.times("GPTBot")
    assert "GPTBot" not in {token for token, _ in probes()}


def test_another_text_is_a_difference_and_a_page_that_is_never_twice_the_same_is_none(blog, audited):
    def edge(request):
        if request.path != "/":
            return None
        if "Claude-User" in request.agent:
            return Answer("<html><title>Kettles</title><p>Subscribe to read.</p></html>")
        if "ChatGPT-User" in request.agent:
            return Answer("", 302, {"Location": "/a"})
        if "PerplexityBot" in request.agent:
            return Answer("<title>Just a moment</title>", headers={"cf-mitigated": "challenge"})
        return Answer(f"<html><title>Kettles</title><main><p>{request.second} {WORDS}</p></main></html>")

    blog.edge = edge
    audited()
    verdicts = {token: probe.verdict for (token, path), probe in probes().items() if path == "/"}
    unlike = {token: verdict for token, verdict in verdicts.items() if verdict != "same"}
    assert unlike == {"Claude-User": "different", "ChatGPT-User": "different", "PerplexityBot": "refused"}
    assert probes()["PerplexityBot", "/"].challenge


def test_throttling_is_no_refusal_and_ends_the_asking(blog, audited):
    blog.edge = lambda r: (
        Answer("", 429, {"Retry-After": "0"}) if "Mozilla" in r.agent and "/1.0" in r.agent else None
    )
    audited()
    assert {probe.verdict for probe in probes().values()} == {"unknown"}
    assert len(probes()) < len(FETCHING), "after some in a row the site is left alone"


def test_a_site_that_refuses_us_too_by_then_tells_nothing_of_the_others(blog, audited):
    crawled = []

    def edge(request):
        crawled.append(request.path)
        if any("GPTBot" in other.agent for other in blog.requests):
            return Answer("no", 403)
        return None

    blog.edge = edge
    audited()
    assert {probe.verdict for probe in probes().values()} == {"same", "unknown"}
