"""The status of what pages and sitemaps name beside the pages that were read."""

import pytest

from tests.audit.runs.sites import HOST, Answer
from visibility.models import Audit
from visibility.pipeline.audit.facts import site_from_json

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


def facts():
    return site_from_json(Audit.objects.get().site)


def statuses():
    return {answer.url.removeprefix(f"http://{HOST}"): answer.status for answer in facts().sampled}


def requests(site, path):
    return [request.method for request in site.requests if request.path == path and "BrandVis" in request.agent]


def head(*links):
    return f"<html><head><title>Kettles</title>{''.join(links)}</head><main><p>Some words.</p>"


def test_all_internal_links_are_asked_with_head_and_get_where_that_says_an_error(site, audited):
    site.page("/", *(f"/file-{word}.pdf" for word in ("good", "gone", "no-head", "busy")), "/elsewhere")
    site.pages["/file-good.pdf"] = Answer("%PDF", content_type="application/pdf")
    site.pages["/file-no-head.pdf"] = Answer("%PDF", content_type="application/pdf")
    site.pages["/file-busy.pdf"] = Answer("", 429, {"Retry-After": "0"})
    site.pages["/elsewhere"] = Answer("", 404)
    site.edge = lambda r: Answer("", 405) if (r.method, r.path) == ("HEAD", "/file-no-head.pdf") else None
    audited()
    assert statuses() == {
        "/file-good.pdf": 200,
        "/file-gone.pdf": 404,
        "/file-no-head.pdf": 200,
        "/file-busy.pdf": 429,
    }
    assert requests(site, "/file-good.pdf") == ["HEAD"]
    assert requests(site, "/file-no-head.pdf") == ["HEAD", "GET"]
    assert requests(site, "/file-busy.pdf") == ["HEAD"], "a throttled address is let be"
    assert (facts().coverage["link"].reached, facts().coverage["link"].known) == (5, 5)


def test_of_many_links_three_hundred_are_asked_and_told_of_how_many(site, audited):
    site.page("/", *(f"/files/{number}.pdf" for number in range(320)))
    site.otherwise = lambda path: Answer("%PDF", content_type="application/pdf")
    site.robots("User-agent: *\nDisallow: /files/9")
    audited(max_pages=1)
    barred = [number for number in range(320) if str(number).startswith("9")]
    assert len(facts().sampled) == 300
    assert (facts().coverage["link"].reached, facts().coverage["link"].known) == (300, 320 - len(barred))
    assert not [path for path in site.times() if path.startswith("/files/9")]


def test_targets_of_canonical_links_versions_and_sitemaps_are_asked(site, audited):
    links = ('<link rel=canonical href="/canonical">', '<link rel=alternate hreflang=de href="/de">')
    site.pages["/"] = Answer(head(*links, '<link rel=alternate hreflang=en href="/">'))
    site.sitemap("/", *(f"/listed/{number}.pdf" for number in range(60)))
    site.pages["/de"] = Answer("", 500)
    audited(max_pages=1)
    assert statuses()["/canonical"] == 404
    assert statuses()["/de"] == 500
    coverage = {kind: (one.reached, one.known) for kind, one in facts().coverage.items()}
    assert coverage == {"canonical": (1, 1), "hreflang": (2, 2), "sitemap": (51, 61)}


def test_a_site_that_stops_answering_is_left_alone(site, audited):
    site.page("/", *(f"/{number}.pdf" for number in range(100)))
    site.otherwise = lambda path: Answer("", 429 if path.endswith(".pdf") else 404, {"Retry-After": "0"})
    audited(max_pages=1)
    assert 8 <= len(facts().sampled) <= 10
    assert facts().coverage["link"].known == 100


def test_the_twin_of_the_host_is_asked_for_the_home_page(site, audited, settings):
    settings.AUDIT_LOCAL_HOSTS = {**settings.AUDIT_LOCAL_HOSTS, f"www.{HOST}": ("127.0.0.1", site.port)}
    site.page("/")
    audited()
    twin = facts().probes["other host"].fetched
    assert (twin.url, twin.status, twin.hops) == (f"http://www.{HOST}/", 200, ())
