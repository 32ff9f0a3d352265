"""The pages of audits: who sees them, what they say in each state, and that nothing of a site's is markup in them."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from apikeys.errors import ErrorCode, ServiceError
from tests.audit.stored import CRITICAL, HOME, audited, crawled, failure
from tests.factories import BrandFactory, RunFactory
from tests.people.browser import text_of
from visibility.audit.catalogue import CATALOGUE
from visibility.models import AuditPage, Run
from visibility.pages import audits as pages
from visibility.services.audits.starting import StartedAuditRun

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script><img src=x>"


@pytest.fixture
def visit(client, cast):
    def go(user, run=None, **data):
        client.force_login(user)
        where = {"brand_id": cast.brand.pk} | ({"run_id": run.pk} if run else {})
        if data:
            return client.post(reverse("start-audit", kwargs=where), data, follow=True)
        return client.get(reverse("audit-page" if run else "audits-page", kwargs=where))

    return go


def words(response):
    return " ".join(text_of(response).split())


def test_an_audit_shows_score_defects_findings_evidence_prompt_and_pages(visit, cast):
    audited(cast.brand, failing=["FRE-01", "DIS-07"], passing=["ACC-06", "CIT-06"], score=40.0, max_pages=20)
    run = audited(cast.brand, day=1, failing=[CRITICAL, "CIT-06", "FRE-01"], passing=["DIS-07"], score=25.0)
    crawled(run)
    crawled(run, f"{HOME}old", position=1, final_url=f"{HOME}new", cut=True)
    crawled(run, f"{HOME}gone", position=2, status=0, parsed=None, state="failed", detail="It timed out.")
    page = visit(cast.viewer, run)
    said = words(page)
    assert "25.0 of 100 -15.0 since the audit before" in said
    assert "3 fail 1 pass, 0 do not apply" in said and "2 read of at most 50, 1 could not be read" in said
    assert "1 fixed 2 new, 1 still there; it read up to 20 pages" in said
    assert "ACC-06 / carries noindex; it cannot be shown or cited. (cap 25)" in said
    assert said.index("ACC-06 · critical · caps the score · new") < said.index("CIT-06 · high · new")
    assert said.index("CIT-06 · high") < said.index("FRE-01 · medium · still there")
    assert "An explicit price raised selection by agents. Against it: shown for shopping agents." in said
    assert "Put the price with its currency" in said and "Evidence grade B:" in said
    assert "Fixed since the audit before DIS-07 " in said
    assert "asked for as BrandVisibilityBot/1.0" in said
    assert f"led to {HOME}new. Longer than the cap: read to there." in said
    assert f"{HOME}gone nothing link 2 It timed out." in said
    assert b'data-copy="Copy the fix prompt"' in page.content


def test_what_a_site_says_is_never_markup(visit, cast):
    fields = {**failure(f"{HOME}{HOSTILE}", HOSTILE, HOSTILE), "critical": True}
    run = audited(cast.brand, failing=[(check, fields) for check in CATALOGUE], unclear=[])
    run.check_results.filter(check_id="CIT-06").update(verdict="passed", because=HOSTILE)
    crawled(run, f"{HOME}{HOSTILE}", final_url=HOSTILE, detail=HOSTILE)
    RunFactory(brand=cast.brand, kind="audit", status="failed", error_code="site_refused", error_message=HOSTILE)
    for answer in (visit(cast.owner, run), visit(cast.owner)):
        body = answer.content.decode()
        assert body.count("<script") == body.count('<script src="/static/copy.js"') and "<img" not in body
        assert "&lt;script&gt;" in body


def test_the_history_shows_scores_over_time_and_what_changed(visit, cast):
    audited(cast.brand, failing=["FRE-01", "DIS-07"], passing=["CIT-06"], score=40.0)
    failed = audited(cast.brand, day=1, status="failed", score=None, error_code="site_refused", error_message="403.")
    last = audited(cast.brand, day=2, failing=["CIT-06", "FRE-01"], passing=["DIS-07"], score=55.5)
    page = visit(cast.viewer)
    said = words(page)
    assert "12 Mar 2026 12:00 UTC succeeded 55.5 +15.5 2 1 1 3" in said
    assert "11 Mar 2026 12:00 UTC failed 403. – – – – –" in said
    assert "10 Mar 2026 12:00 UTC succeeded 40.0 – 2 – – 3" in said
    assert str(last.pk) in page.content.decode() and str(failed.pk) not in page.content.decode()


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (None, "This site has not been audited."),
        ({"status": "queued"}, "waiting for a worker"),
        ({"status": "running", "total": 50}, "asking for robots.txt and the home page"),
        ({"status": "failed", "error_code": "site_refused"}, "the site did not let our crawler in"),
        ({"status": "failed", "error_code": "site_unreachable"}, "the site could not be reached"),
    ],
)
def test_each_state_is_told(visit, cast, state, sentence):
    if state:
        ended = {} if state["status"] == "failed" else {"finished_at": None}
        RunFactory(brand=cast.brand, kind="audit", **state, **ended)
    shown = words(visit(cast.owner))
    assert sentence in shown and settings.TOOL_PREFIX not in shown, "what agents call is for agents"


def test_one_under_way_tells_pages_of_those_known_and_how_long_these_take(visit, cast):
    """More may be found: what is not known is not promised."""
    start = timezone.now() - timedelta(seconds=30)
    run = RunFactory(
        brand=cast.brand,
        kind="audit",
        status="running",
        started_at=start,
        finished_at=None,
        total=6,
        done=2,
        failed=1,
    )
    for position, state in enumerate(["fetched", "fetched", "failed", "aside", "waiting", "waiting", "waiting"]):
        crawled(run, f"{HOME}{position}", position=position, state=state)
    AuditPage.objects.exclude(state="waiting").update(fetched_at=timezone.now() - timedelta(seconds=5))
    page = visit(cast.owner)
    assert "2 of 6 known pages fetched, 1 failed, about 30 seconds left for these" in words(page)
    assert 'max="100" value="50"' in page.content.decode()
    run.audit_pages.filter(state="waiting").update(state="fetched")
    said = words(visit(cast.owner))
    assert "5 of 6 known pages fetched, 1 failed: looking for more, and checking what they say" in said


def test_the_words_of_a_site_are_quoted_as_others_are(visit, cast):
    words_of_site = failure(f"{HOME}a", "**Best** bikes<br>\n### Ask `us`", "line 3")
    page = visit(cast.owner, audited(cast.brand, failing=[("CIT-06", words_of_site)])).content.decode()
    assert '<p dir="auto"><strong>Best</strong> bikes Ask us</p>' in page
    assert f'<a href="{HOME}a" rel="nofollow noreferrer"><bdi>{HOME}a</bdi></a>, <bdi>line 3</bdi>' in page


def test_only_owners_and_editors_are_offered_the_button(visit, cast):
    for who, offered in (("owner", True), ("editor", True), ("viewer", False)):
        said = words(visit(getattr(cast, who)))
        assert ("One credit for each page that is fetched" in said) == offered
        assert ("400,000 credits are left this month" in said) == offered
    assert visit(cast.stranger).status_code == 404


def test_the_button_starts_one_and_tells_what_came_of_it(visit, cast, monkeypatch):
    asked = []

    def start(caller, **more):
        asked.append((caller.user, more))
        return StartedAuditRun(run=None, started=len(asked) == 1, credits_spent=7)

    monkeypatch.setattr(pages, "start_audit", start)
    assert "The audit has started: up to 7 pages are being fetched." in words(visit(cast.editor, max_pages=7))
    assert "one is active already, and nothing was charged" in words(visit(cast.editor, max_pages=7))
    assert asked[0] == (cast.editor, {"brand_id": cast.brand.pk, "trigger": "web", "max_pages": 7})
    assert "Pages at most: Ensure this value is less than or equal to 50." in words(visit(cast.editor, max_pages=51))
    assert len(asked) == 2


def test_a_refusal_is_told(visit, cast, monkeypatch):
    def refuse(caller, **more):
        raise ServiceError(ErrorCode.QUOTA_EXCEEDED, "Too few credits are left.")

    monkeypatch.setattr(pages, "start_audit", refuse)
    assert "Too few credits are left." in words(visit(cast.owner, max_pages=7))


def test_only_finished_audits_of_the_brand_have_a_page(visit, cast):
    assert visit(cast.owner, audited(cast.brand)).status_code == 200
    assert visit(cast.stranger, audited(cast.brand)).status_code == 404
    for other in (
        audited(BrandFactory()),
        RunFactory(brand=cast.brand),
        RunFactory(brand=cast.brand, kind="audit", status="failed"),
        RunFactory(brand=cast.brand, kind="audit", status="running", finished_at=None),
    ):
        assert visit(cast.owner, other).status_code == 404


def test_the_pages_cost_the_same_however_much_was_found(visit, client, cast, django_assert_max_num_queries):
    for day in range(6):
        run = audited(cast.brand, day=day, failing=list(CATALOGUE))
        for position in range(20):
            crawled(run, f"{HOME}{position}", position=position)
    visit(cast.owner)
    with django_assert_max_num_queries(20):
        client.get(reverse("audit-page", kwargs={"brand_id": cast.brand.pk, "run_id": run.pk}))
    with django_assert_max_num_queries(20):
        client.get(reverse("audits-page", kwargs={"brand_id": cast.brand.pk}))


def test_the_page_of_scans_leaves_audits_to_their_own(client, cast):
    RunFactory(brand=cast.brand, kind="audit", status="running", finished_at=None)
    client.force_login(cast.owner)
    said = words(client.get(reverse("scan-page", kwargs={"brand_id": cast.brand.pk})))
    assert "Under way" not in said


def test_a_page_that_is_open_renews_how_far_an_audit_is_and_stops_at_its_end(client, cast):
    run = RunFactory(brand=cast.brand, kind="audit", status="running", finished_at=None, total=50, done=10)
    client.force_login(cast.owner)
    address, by_htmx = reverse("audits-page", kwargs={"brand_id": cast.brand.pk}), {"HX-Request": "true"}
    part = client.get(address, headers=by_htmx)
    assert part.status_code == 200 and b"<html" not in part.content and b'hx-trigger="every 2s"' in part.content
    Run.objects.filter(pk=run.pk).update(status="succeeded")
    ended = client.get(address, headers=by_htmx)
    assert ended.status_code == 286 and b"hx-get" not in ended.content


def test_findings_stand_below_their_severity_and_a_person_gets_there_at_once(visit, cast):
    page = visit(cast.owner, audited(cast.brand, failing=("FRE-01", "CIT-06")))
    body = page.content.decode()
    assert '<a href="#high">1 high</a>, <a href="#medium">1 medium</a>' in body
    assert body.index('id="high"') < body.index('id="CIT-06"') < body.index('id="medium"') < body.index('id="FRE-01"')
