"""Audits of brands: started once, paid by the page, carried out over a real site on loopback, and resumed."""

import asyncio

import pytest

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import system_caller
from apikeys.accounts.usage import quotas
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import Usage
from tests.audit.sites import HOST, Answer, WebSite, serving
from tests.audit.six_sites import blog, good
from tests.factories import BrandFactory, CollaboratorFactory
from tests.live import own_database
from visibility import jobs
from visibility.ask.answer import answer_question
from visibility.ask.question import Question
from visibility.audits.reads import read_audit, read_findings
from visibility.audits.services import start_audit
from visibility.models import Audit, AuditPage, Run
from visibility.runs.services import cancel_run

SYSTEM = system_caller("command:tests")


@pytest.fixture(scope="module", autouse=True)
def database(django_db_blocker):
    with django_db_blocker.unblock(), own_database() as url:
        yield url


@pytest.fixture
def site(settings):
    with serving(good()) as site:
        settings.AUDIT_LOCAL_HOSTS = {HOST: ("127.0.0.1", site.port)}
        yield site


def make_brand(**fields):
    return BrandFactory(name="Acme", domain=HOST, **fields)


def start(brand, caller=SYSTEM, **fields):
    return start_audit(caller, brand_id=brand.pk, trigger=Run.Trigger.WEB, **fields)


def carry_out(run):
    asyncio.run(jobs.audit.func(str(run.pk)))
    run.refresh_from_db()
    return run


def used_credits(brand) -> int:
    return quotas(brand.owner)[Usage.Kind.CREDITS].used


def test_an_audit_is_scored_paid_by_the_page_and_read_in_the_order_of_consequence(site):
    brand = make_brand()
    started = start(brand, max_pages=20)
    assert (started.credits_spent, used_credits(brand)) == (20, 20)
    assert read_audit(SYSTEM, brand.pk).running.id == started.run.pk
    run = carry_out(started.run)
    assert (run.status, run.done + run.failed) == ("succeeded", run.total)
    assert run.credits_spent == run.done == used_credits(brand) > 3
    audit = read_audit(SYSTEM, brand.pk)
    assert audit.overall == run.score > 80 and audit.running is None
    assert {each.id for each in audit.categories} >= {"access", "structure"}
    found = read_findings(SYSTEM, brand.pk)
    assert found.all_findings == len(found.findings) == run.findings.count()
    first = found.findings[0]
    assert first.fix_prompt and HOST in first.fix_prompt and first.source
    of_severity = read_findings(SYSTEM, brand.pk, severity=first.severity).findings
    assert of_severity[0] == first


@pytest.mark.parametrize(("before", "keeps"), [("", False), ("We sell anvils.", True)])
def test_a_brand_without_a_description_takes_what_its_site_says(site, before, keeps):
    brand = make_brand(description=before)
    carry_out(start(brand, max_pages=3).run)
    version = brand.names_version
    brand.refresh_from_db()
    assert (brand.description == before) == keeps == (brand.names_version == version)
    assert brand.description


def test_a_site_that_closes_itself_to_search_bots_has_a_critical_defect_in_front(settings):
    brand = make_brand()
    with serving(blog()) as site:
        settings.AUDIT_LOCAL_HOSTS = {HOST: ("127.0.0.1", site.port)}
        carry_out(start(brand).run)
    assert read_findings(SYSTEM, brand.pk).findings[0].severity == "critical"
    assert read_audit(SYSTEM, brand.pk).critical_defects


def test_an_active_audit_is_returned_and_not_doubled(site):
    brand = make_brand()
    first, second = start(brand), start(brand)
    assert (second.run, second.started, second.credits_spent) == (first.run, False, 0)
    carry_out(first.run)
    assert start(brand).started  # an audit has no cooldown


def test_an_audit_that_cannot_be_paid_or_is_not_allowed_leaves_nothing_behind():
    brand = make_brand()
    brand.owner.own_credits_per_month = 10
    brand.owner.save()
    viewer = Caller.from_user(CollaboratorFactory(brand=brand, role="viewer").user)
    for caller, pages, code in (
        (SYSTEM, 11, ErrorCode.QUOTA_EXCEEDED),
        (SYSTEM, 51, ErrorCode.INVALID_ARGUMENTS),
        (viewer, 5, ErrorCode.READ_ONLY_COLLABORATOR),
    ):
        with pytest.raises(ServiceError) as refused:
            start(brand, caller, max_pages=pages)
        assert refused.value.code == code
    assert not Audit.objects.filter(run__brand=brand).exists() and used_credits(brand) == 0


def test_a_killed_audit_goes_on_where_it_was(site, monkeypatch):
    brand = make_brand()
    run = start(brand).run

    class Killed(BaseException):
        """Nothing after this line runs."""

    save = jobs.audit_run.__globals__["_save_page"]

    def save_then_die(run_id, position, page):
        save(run_id, position, page)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("visibility.audits.run._save_page", save_then_die)
        with pytest.raises(BaseException):  # noqa: B017 - as a kill, it is no error
            asyncio.run(jobs.audit.func(str(run.pk)))
    stored = AuditPage.objects.filter(run=run).count()
    asked = sum(request.agent.startswith("BrandVisibilityBot") for request in site.requests)
    assert stored >= 1
    run = carry_out(run)
    assert run.status == "succeeded" and run.credits_spent == run.done == used_credits(brand)
    urls = list(AuditPage.objects.filter(run=run).values_list("url", flat=True))
    assert len(urls) == len(set(urls)) > stored and asked


def test_a_test_for_people_on_every_page_refuses_and_costs_nothing(settings):
    brand = make_brand()
    test = Answer("<title>One moment</title><p>Please prove you are human</p><script>solve()</script>")
    with serving(WebSite(otherwise=lambda path: test)) as site:
        settings.AUDIT_LOCAL_HOSTS = {HOST: ("127.0.0.1", site.port)}
        run = carry_out(start(brand).run)
    assert (run.status, run.score, run.error_code) == ("failed", None, "site_refused")
    assert (
        used_credits(brand) == 0 and "prove that they are people" in read_audit(SYSTEM, brand.pk).failed.error.message
    )


def test_an_audit_that_robots_txt_made_slow_says_so(settings):
    brand, slow = make_brand(), WebSite()
    slow.page("/")
    slow.robots("User-agent: *\nCrawl-delay: 1\nDisallow: /.well-known\nUser-agent: GPTBot\nDisallow: /")
    with serving(slow) as site, pytest.MonkeyPatch.context() as patch:
        patch.setattr("visibility.audit.crawl.client.Client._await_turn", _at_once)
        settings.AUDIT_LOCAL_HOSTS = {HOST: ("127.0.0.1", site.port)}
        run = carry_out(start(brand).run)
    assert run.status == "succeeded"
    assert "asks for 1 second between requests (Crawl-delay)" in read_audit(SYSTEM, brand.pk).slowed


async def _at_once(client, name):
    """Ask without a pause, as no test waits."""


@pytest.mark.proof
def test_a_site_that_is_not_there_has_no_score_and_costs_nothing(settings):
    brand = make_brand()
    settings.AUDIT_LOCAL_HOSTS = {HOST: ("127.0.0.1", 9)}
    run = carry_out(start(brand).run)
    assert (run.status, run.score, run.error_code) == ("failed", None, "site_unreachable")
    audit = read_audit(SYSTEM, brand.pk)
    assert used_credits(brand) == 0 and (audit.overall, audit.failed.error.code) == (None, "site_unreachable")


def test_a_cancelled_audit_stops_and_pays_what_was_fetched(site):
    brand = make_brand()
    run = start(brand).run
    cancel_run(SYSTEM, brand_id=brand.pk, run_id=run.pk)
    run = carry_out(run)
    assert (run.status, run.done, used_credits(brand)) == ("cancelled", 0, 0)


def test_a_question_about_the_audit_gets_its_findings(site):
    brand = make_brand()
    question = Question(text="What is wrong with the site?", about="audit")
    assert answer_question(SYSTEM, brand.pk, question).answer == "The site was not audited yet."
    run = carry_out(start(brand, max_pages=10).run)
    reply = answer_question(SYSTEM, brand.pk, question)
    assert f"{run.score:g} of 100" in reply.answer
    assert [fact.check for fact in reply.facts] == [each.check for each in read_findings(SYSTEM, brand.pk).findings]
