"""An audit from its start to its end, over a site on loopback."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apikeys.models import Usage
from brands.models import Brand, OwnedDomain
from tests.audit.runs.sites import HOST, Answer
from visibility.audit.catalogue import CATALOGUE
from visibility.audit.checks.registry import CHECKS
from visibility.models import Audit, AuditPage, CheckResult, PageContent, Run
from visibility.pipeline.audit.facts import site_from_json

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


def states():
    return {page.url.removeprefix(f"http://{HOST}"): page.state for page in AuditPage.objects.all()}


def reasons():
    return {page.url.removeprefix(f"http://{HOST}"): page.error_code for page in AuditPage.objects.all()}


def spent(user):
    return Usage.objects.get(user=user, kind="credits").used


@pytest.fixture
def shop(site):
    """Five pages, of which the sitemap names one that no link leads to."""
    site.page("/", "/a", "/b", "/pricing?utm_source=x#top")
    for path in ("/a", "/b", "/pricing"):
        site.page(path, "/", "/gone", "/leaflet.pdf", "https://elsewhere.example/")
    site.page("/alone")
    site.sitemap("/", "/a", "/alone")
    return site


class TestWholeWay:
    def test_it_goes_from_queued_to_succeeded_and_pays_for_what_was_fetched(self, shop, audited, cast):
        run = audited(max_pages=20)
        assert (run.status, run.error_code, run.total, run.done, run.failed) == ("succeeded", "", 5, 5, 0)
        assert (run.credits_reserved, run.credits_spent, spent(cast.owner)) == (20, 5, 5)
        assert run.score is not None
        assert (run.low, run.high) == (None, None)
        assert set(CheckResult.objects.values_list("check_id", flat=True)) == set(CHECKS) <= set(CATALOGUE)
        assert Audit.objects.get().checked_at is not None

    def test_each_page_is_asked_once_and_nothing_of_other_sites(self, shop, audited):
        audited()
        asked = shop.times()
        pages = ("/a", "/b", "/pricing", "/alone", "/gone", "/robots.txt", "/sitemap.xml")
        assert {path: asked[path] for path in pages} == dict.fromkeys(pages, 1)
        assert asked["/leaflet.pdf"] == 2, "a link is asked for its status, with GET too before it is called broken"
        assert states() == {"/": "fetched", "/pricing": "fetched", "/a": "fetched", "/b": "fetched",
                            "/alone": "fetched", "/gone": "aside"}  # fmt: skip
        assert shop.most_at_once <= 2

    def test_what_is_stored_says_how_pages_were_found(self, shop, audited):
        audited()
        pages = {page.url.removeprefix(f"http://{HOST}"): page for page in AuditPage.objects.all()}
        assert (pages["/"].position, pages["/"].found_by, pages["/"].depth) == (0, "home", 0)
        assert (pages["/pricing"].found_by, pages["/pricing"].depth) == ("link", 1)
        assert (pages["/alone"].found_by, pages["/alone"].depth) == ("sitemap", 99)
        assert pages["/gone"].error_code == "http_404"

    def test_probes_and_samples_are_kept_with_the_site(self, shop, audited):
        audited()
        facts = site_from_json(Audit.objects.get().site)
        assert facts.probes["missing page"].fetched.status == 404
        assert facts.probes["neutral client"].fetched.status == 200
        assert facts.probes["llms.txt"].fetched.status == 404
        assert facts.probes["neutral client"].text.is_html
        assert [each.url for each in facts.sampled] == [f"http://{HOST}/leaflet.pdf"]
        assert facts.linked_from[f"http://{HOST}/leaflet.pdf"].startswith(f"http://{HOST}/")
        assert len(facts.probes) == 14

    def test_pages_that_stayed_the_same_are_not_analysed_again(self, shop, audited, monkeypatch):
        audited()
        first = set(PageContent.objects.values_list("pk", flat=True))
        shop.page("/a", "/", text="Changed since the last time. " * 20)
        run = audited()
        assert run.done == 5
        assert len(set(PageContent.objects.values_list("pk", flat=True)) - first) == 1

    def test_a_brand_that_was_audited_can_be_deleted(self, shop, audited, cast):
        audited()
        Brand.objects.get().delete()
        assert not PageContent.objects.exists()

    def test_statements_of_a_page(self, site, audited, start):
        """Stored one by one a page takes these statements, whatever their number."""
        site.page("/", *(f"/{number}" for number in range(20)))
        for number in range(20):
            site.page(f"/{number}")
        with CaptureQueriesContext(connection) as few:
            audited(max_pages=5)
        Run.objects.all().delete()
        PageContent.objects.all().delete()
        with CaptureQueriesContext(connection) as many:
            audited(max_pages=20)
        assert (len(many) - len(few)) / 15 <= 9


class TestSites:
    def test_of_one_page(self, site, audited):
        site.page("/")
        run = audited()
        assert (run.status, run.total, run.done, run.credits_spent) == ("succeeded", 1, 1, 1)

    def test_of_more_pages_than_are_looked_at(self, site, audited, cast):
        paths = [f"/guide-{name}/page" for name in "abcdefghijkl"]
        site.page("/", *paths, *(f"/blog/post-{word}" for word in map(str, range(100, 180))))
        site.otherwise = lambda path: Answer(f"<html><title>{path}</title><p>Some words.</p></html>")
        run = audited(max_pages=50)
        assert (run.status, run.total, run.done, run.credits_spent) == ("succeeded", 50, 50, 50)
        assert AuditPage.objects.count() <= 60

    def test_with_a_calendar_without_end(self, site, audited):
        site.page("/", "/about", "/calendar?month=1")

        def month(path):
            if not path.startswith("/calendar"):
                return Answer("not here", 404)
            number = int(path.rpartition("=")[2])
            return Answer(f'<html><title>{number}</title><a href="/calendar?month={number + 1}">next</a></html>')

        site.otherwise = month
        site.page("/about")
        run = audited()
        assert (run.status, run.done) == ("succeeded", 12)

    def test_other_things_than_pages_cost_nothing(self, site, audited):
        site.page("/", "/report", "/moved", "/away", "/twice", "/a")
        site.page("/a")
        site.pages["/report"] = Answer(b"%PDF-1.7", content_type="application/pdf")
        site.pages["/moved"] = Answer("", 301, {"Location": "/a"})
        site.pages["/away"] = Answer("", 302, {"Location": "http://other.example/"})
        site.pages["/twice"] = Answer("", 301, {"Location": "/"})
        run = audited(max_pages=10)
        assert (run.status, run.done, run.credits_spent) == ("succeeded", 2, 2)
        assert reasons() == {"/": "", "/a": "", "/report": "not_html", "/moved": "same_page", "/twice": "same_page",
                             "/away": "bad_url"}  # fmt: skip

    def test_pages_that_fail_are_told_and_not_paid(self, site, audited):
        site.page("/", "/a", "/b", "/c")
        site.page("/a")
        site.pages["/b"] = Answer("", 500)
        site.pages["/c"] = Answer("", 429, {"Retry-After": "0"})
        run = audited()
        assert (run.status, run.error_code, run.done, run.failed, run.credits_spent) == (
            "partial",
            "incomplete",
            2,
            2,
            2,
        )
        assert run.error_message == "2 of 4 pages failed (http_429 1, http_500 1). The result rests on the others."
        assert site.times()["/c"] == 2, "asked again once"
        assert run.score is not None

    def test_one_that_stops_answering_is_left_alone(self, site, audited):
        site.page("/", *(f"/{word}" for word in "abcdefghijklmnopqrst"))
        site.robots("User-agent: *\nDisallow:")
        site.otherwise = lambda path: Answer("", 500)
        run = audited()
        assert (run.status, run.done, run.failed) == ("partial", 1, 20)
        assert sum(site.times()[f"/{word}"] for word in "abcdefghijklmnopqrst") <= 10


class TestDoor:
    """What a site may answer at its door, and what becomes of the audit."""

    def ends(self, run, code, *words):
        assert (run.status, run.error_code, run.score, run.done, run.credits_spent) == ("failed", code, None, 0, 0)
        assert not CheckResult.objects.exists()
        for word in words:
            assert word in run.error_message, run.error_message

    @pytest.mark.parametrize("status", [401, 403, 429])
    def test_a_home_page_that_refuses_is_asked_again_once(self, site, audited, status):
        site.pages["/"] = Answer("no", status, {"Retry-After": "0"})
        self.ends(audited(), "site_refused", str(status), "BrandVisibilityBot")
        assert site.times()["/"] == 2

    def test_who_is_let_in_at_the_second_try_goes_on(self, site, audited):
        answers = [Answer("no", 429, {"Retry-After": "0"})]
        site.otherwise = lambda path: answers.pop() if path == "/" and answers else Answer("<p>Hello.</p>")
        site.robots("User-agent: *\nDisallow:")
        assert audited(max_pages=1).status == "succeeded"

    @pytest.mark.parametrize(
        "answer",
        [
            Answer("<p>wait</p>", 200, {"cf-mitigated": "challenge"}),
            Answer("<script>window._cf_chl_opt={}</script>", 403, {"Retry-After": "0"}),
            Answer("<script src=https://ct.captcha-delivery.com/c.js></script>"),
        ],
        ids=["header", "cloudflare", "datadome"],
    )
    def test_a_challenge_is_a_refusal(self, site, audited, answer):
        site.pages["/"] = answer
        self.ends(audited(), "site_refused", "prove that they are people")

    def test_robots_txt_of_too_many_requests_is_a_refusal(self, site, audited):
        site.page("/")
        site.robots("", status=429, headers={"Retry-After": "0"})
        self.ends(audited(), "site_refused", "429")
        assert site.times() == {"/robots.txt": 2}

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
    def test_robots_txt_with_another_4xx_means_no_rules(self, site, audited, status):
        site.page("/", "/a")
        site.page("/a")
        site.robots("User-agent: *\nDisallow: /", status=status)
        assert audited().done == 2

    @pytest.mark.parametrize("status", [500, 503])
    def test_without_robots_txt_nothing_is_crawled_and_it_alone_is_audited(self, site, audited, status):
        site.page("/")
        site.robots("", status=status, headers={"Retry-After": "0"})
        run = audited()
        assert (run.status, run.total, run.done, run.credits_spent) == ("succeeded", 0, 0, 0)
        assert site.times() == {"/robots.txt": 2}
        assert str(status) in Audit.objects.get().site["barred"]

    def test_one_that_bars_ai_search_crawlers_and_us_is_audited_alone(self, site, audited):
        site.page("/")
        site.robots("User-agent: *\nDisallow: /")
        run = audited()
        assert (run.status, run.done) == ("succeeded", 0)
        assert site.times() == {"/robots.txt": 1}
        assert "OAI-SearchBot" in Audit.objects.get().site["barred"]

    def test_one_that_bars_only_us_is_a_refusal(self, site, audited):
        site.page("/")
        site.robots("User-agent: BrandVisibilityBot\nDisallow: /\n\nUser-agent: *\nDisallow:")
        self.ends(audited(), "site_refused", "robots.txt bars our crawler")
        assert site.times() == {"/robots.txt": 1}

    def test_what_it_bars_is_not_asked(self, site, audited):
        site.page("/", "/private/a", "/open")
        site.page("/private/a")
        site.page("/open")
        site.sitemap("/private/b")
        site.robots("User-agent: *\nDisallow: /private/\nDisallow: /.well-known/")
        assert audited().done == 2
        assert not [path for path in site.times() if path.startswith(("/private", "/.well-known"))]

    def test_a_sitemap_with_a_relative_address_is_followed_and_told(self, site, audited):
        site.page("/", text="Home.")
        site.page("/alone")
        site.sitemap("/alone", path="/maps/main.xml")
        site.robots("Sitemap: maps/main.xml")
        assert audited().done == 2
        (sitemap,) = site_from_json(Audit.objects.get().site).sitemaps
        assert (sitemap.written, sitemap.total, sitemap.listed_in) == ("maps/main.xml", 1, "robots.txt")

    def test_a_site_that_is_not_there(self, cast, settings, audited):
        settings.AUDIT_LOCAL_HOSTS = {HOST: ("127.0.0.1", 9)}
        self.ends(audited(), "site_unreachable", HOST, "did not answer", "audit again")

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (Answer("", 500, {"Retry-After": "0"}), "answered 500"),
            (Answer("", 404), "answered 404"),
            (Answer(b"%PDF", content_type="application/pdf"), "no HTML page"),
        ],
        ids=["500", "404", "no page"],
    )
    def test_a_home_page_that_is_not_there(self, site, audited, answer, words):
        site.pages["/"] = answer
        self.ends(audited(), "site_unreachable", words)

    def test_a_site_that_moved_is_named(self, site, audited, settings):
        settings.AUDIT_LOCAL_HOSTS = {**settings.AUDIT_LOCAL_HOSTS, "new.example": ("127.0.0.1", site.port)}
        site.otherwise = lambda path: Answer("<p>Hello.</p>")
        site.pages["/"] = Answer("", 301, {"Location": "http://new.example/home"})
        self.ends(audited(), "site_moved", "http://new.example", "own domains")

    def test_a_site_that_moved_to_a_domain_of_the_brand_is_audited_there(self, cast, site, audited, settings):
        settings.AUDIT_LOCAL_HOSTS = {**settings.AUDIT_LOCAL_HOSTS, "new.example": ("127.0.0.1", site.port)}
        OwnedDomain.objects.create(brand=cast.brand, domain="new.example")
        site.otherwise = lambda path: Answer("<p>Hello.</p>")
        site.pages["/"] = Answer("", 301, {"Location": "http://new.example/home"})
        site.robots("User-agent: *\nDisallow:")
        run = audited(max_pages=3)
        assert run.status == "succeeded", run.error_message
        assert Audit.objects.get().home_url == "http://new.example/home"
        assert site.times()["/robots.txt"] == 2, "robots.txt holds for one host"
