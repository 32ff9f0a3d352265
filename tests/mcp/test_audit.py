"""What agents are told of audits: scores, findings short and full, what changed, and what is under way."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.audit.stored import CRITICAL, audited, crawled, failure
from tests.factories import ApiKeyFactory, BrandFactory, CollaboratorFactory, RunFactory
from tests.mcp.conftest import FULL, data_of, error_of
from tests.mcp.tokens import tokens
from tests.rest.conftest import scopes_without
from visibility.audit.catalogue import CATALOGUE
from visibility.models import Run
from visibility.services.audits.reports import audit_findings, audit_scores


@pytest.fixture
def site(cast):
    return {"siteId": str(cast.brand.pk)}


@pytest.fixture
def scores(agent, key, site):
    return lambda: data_of(agent.call(key, "get_audit_scores", {**site, **FULL}))


@pytest.fixture
def findings(agent, key, site):
    return lambda **more: data_of(agent.call(key, "get_audit_findings", {**site, **more}))


def test_a_site_that_was_never_audited_says_how_to_begin(scores, findings):
    told = scores()
    assert (told["run"], told["running"], told["overall"], told["categories"]) == (None, None, None, [])
    assert told["howToGetOne"].startswith("This site has not been audited. svc_run_audit_scan starts an audit")
    assert findings()["findings"] == [] and findings()["howToGetOne"] == told["howToGetOne"]


def test_scores_by_category_with_critical_defects_apart(cast, scores):
    run = audited(cast.brand, failing=[CRITICAL, "DIS-07"], passing=["REN-01"], unclear=["FRE-01"], score=25.0)
    crawled(run)
    crawled(run, "https://acme.example/long", position=1, cut=True)
    crawled(run, "https://acme.example/gone", position=2, parsed=None, status=404)
    crawled(run, "https://acme.example/later", position=3, parsed=None, state="waiting")
    told = scores()
    assert (told["run"]["id"], told["overall"]) == (str(run.pk), 25.0)
    assert told["categories"] == [{"id": "access", "score": 50.0, "passed": 5, "failed": 1, "weight": 20.0}]
    [defect] = told["criticalDefects"]
    assert (defect["check"], defect["cap"]) == ("ACC-06", 25.0)
    assert "/ carries noindex; it cannot be shown or cited" in defect["what"]
    assert told["findings"] == {"critical": 1, "high": 0, "medium": 1, "low": 0, "info": 0}
    assert told["checks"] == {"passed": 1, "failed": 2, "notApplicable": 1, "inconclusive": 0}
    assert told["pages"] == {"total": 3, "read": 2, "cut": 1, "failed": 1}
    assert told["sinceLast"] is None
    assert told["note"] == (
        "1 of 3 pages could not be read. 1 of 3 pages are longer than the cap and were read to there."
    )


def test_what_changed_since_the_finished_audit_before(cast, scores, findings):
    earlier = ["CIT-06", "DIS-07", "FRE-01", "STR-01"]
    audited(cast.brand, failing=earlier, passing=["REN-04"], score=50.0, max_pages=20)
    audited(cast.brand, day=1, status="failed", score=None, error_code="site_refused")
    audited(cast.brand, day=2, failing=["CIT-06", "REN-04"], passing=["DIS-07", "STR-01"], unclear=["FRE-01"])
    since = scores()["sinceLast"]
    assert (since["overall"], since["change"], since["maxPages"]) == (50.0, 10.0, 20)
    assert [since[name] for name in ("new", "fixed", "stillThere", "unclear")] == [1, 2, 1, 1]
    told = findings()
    assert [(each["check"], each["state"]) for each in told["findings"]] == [
        ("CIT-06", "still_there"),
        ("REN-04", "new"),
    ]
    assert [each["check"] for each in told["fixed"]] == ["DIS-07", "STR-01"]
    assert [each["check"] for each in told["unclear"]] == ["FRE-01"]
    assert [each["check"] for each in findings(category="structure")["fixed"]] == ["STR-01"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("site_refused", "the site did not let our crawler in, which says nothing about how it treats AI crawlers"),
        ("site_unreachable", "the site could not be reached"),
        ("attempts_exhausted", "see its error, then start another one"),
    ],
)
@pytest.mark.parametrize("had_one", [True, False])
def test_a_failed_audit_is_told_and_hides_none(cast, scores, findings, code, words, had_one):
    good = audited(cast.brand, failing=["CIT-06"], score=70.0) if had_one else None
    failed = RunFactory(
        brand=cast.brand, kind="audit", status="failed", error_code=code, error_message="The site answered 403."
    )
    told = scores()
    assert told["failed"]["id"] == str(failed.pk)
    assert told["overall"] == (70.0 if good else None)
    sentence = told["note"] if good else told["howToGetOne"]
    assert words in sentence and code in sentence
    assert "What is shown is of the audit of 10 Mar 2026." in sentence if good else told["note"] is None
    assert len(findings()["findings"]) == (1 if good else 0)


def test_while_another_is_under_way_the_last_one_is_shown(cast, scores, findings):
    good = audited(cast.brand, failing=["CIT-06"], score=70.0)
    under_way = RunFactory(
        brand=cast.brand, kind="audit", status="running", finished_at=None, total=50, done=11, failed=1
    )
    told = scores()
    assert (told["run"]["id"], told["overall"]) == (str(good.pk), 70.0)
    assert (told["running"]["id"], told["running"]["progress"]["percent"]) == (str(under_way.pk), 24.0)
    assert "12 of at most 50 pages are fetched" in told["note"]
    assert [each["check"] for each in findings()["findings"]] == ["CIT-06"]
    good.delete()
    assert "The first audit of this site is under way" in scores()["howToGetOne"]
    assert findings()["findings"] == []


def test_an_audit_key_alone_can_poll(agent, cast, site):
    RunFactory(brand=cast.brand, kind="audit", status="queued", finished_at=None)
    key = ApiKeyFactory(owner=cast.owner, scopes=["read:audits"])
    assert data_of(agent.call(key, "get_audit_scores", site))["running"]["status"] == "queued"


def test_an_audit_of_robots_txt_alone_says_so(cast, scores):
    audited(cast.brand, failing=["ACC-01"], score=25.0, total=0, done=0)
    assert scores()["note"] == "It rests on robots.txt alone, which bars AI search crawlers and ours."


def test_findings_come_most_severe_first_then_by_weight(cast, findings):
    audited(cast.brand, failing=["ACC-08", "DIS-07", "FRE-01", "CIT-06", "REN-02", "FRE-03", CRITICAL])
    found = findings()["findings"]
    ranks = [(each["severity"], each["weight"]) for each in found]
    assert ranks[:3] == [("critical", 4.0), ("high", 5.0), ("high", 2.0)]
    assert ranks[3:] == [("medium", 2.0), ("medium", 1.0), ("low", 1.0), ("info", 0.0)]
    assert [each["check"] for each in found if "critical" in each] == ["ACC-06"]
    assert [each["check"] for each in findings(severity="high")["findings"]] == ["CIT-06", "REN-02"]
    assert [each["check"] for each in findings(category="freshness")["findings"]] == ["FRE-01", "FRE-03"]
    limited = findings(limit=2)
    assert ([each["check"] for each in limited["findings"]], limited["more"]) == (["ACC-06", "CIT-06"], 5)


def test_the_short_form_is_short_whatever_was_found(cast, agent, key, site):
    long = failure(url="https://acme.example/" + "x" * 1_900, quote="& <b>" * 60)
    failing = [(check, {**long, "critical": entry.cap is not None}) for check, entry in CATALOGUE.items()]
    audited(cast.brand, failing=failing)
    audited(cast.brand, day=1, failing=failing[:40], passing=list(CATALOGUE)[40:52], unclear=list(CATALOGUE)[52:])
    result = agent.call(key, "get_audit_findings", site)
    assert tokens(result.content[0].text) <= 2_000
    told = data_of(result)
    assert len(told["findings"]) >= 5 and len(told["findings"]) + told["more"] == 40
    assert not any({"fixPrompt", "evidence"} & each.keys() for each in told["findings"])


def test_one_check_is_shown_in_full(cast, findings):
    audited(cast.brand, failing=["CIT-06", "DIS-07"])
    [each] = findings(check="CIT-06")["findings"]
    [piece] = each["evidence"]
    assert piece["where"].endswith("line 12</untrusted-quote>") and "Ask us &lt;b&gt;now&lt;/b&gt;" in piece["quote"]
    assert "Put the price with its currency" in each["fixPrompt"]
    assert each["effect"]["known"] == "an explicit price raised selection by agents"
    assert each["effect"]["counter"] == "shown for shopping agents"
    assert each["source"]["grade"] == "B" and each["source"]["references"]
    [other] = findings(check="DIS-07")["findings"]
    assert other["effect"]["known"] is None, "where nothing is known it says so"
    [short] = findings(check="CIT-06", detail="short")["findings"]
    assert "fixPrompt" not in short
    assert all(each["fixPrompt"] for each in findings(detail="full")["findings"])


def test_a_check_that_is_none_is_refused_with_what_to_do(agent, key, cast, site):
    error = error_of(agent.call(key, "get_audit_findings", {**site, "check": "CIT-99"}))
    assert error.code == "invalid_arguments" and "Leave it out to list the findings" in error.message


@pytest.mark.parametrize("service", [audit_scores, audit_findings])
def test_only_those_who_see_the_brand_and_may_read_audits(cast, owner, refused, service, agent, site):
    audited(cast.brand, failing=["CIT-06"])
    other = BrandFactory()
    CollaboratorFactory(brand=other, user=cast.viewer)
    refused("not_found", service, owner, brand_id=other.pk)
    key = ApiKeyFactory(owner=cast.owner, scopes=scopes_without("read:audits"))
    tool = "get_audit_scores" if service is audit_scores else "get_audit_findings"
    assert error_of(agent.call(key, tool, site)).code == "insufficient_scope"
    assert service(owner, brand_id=cast.brand.pk).run is not None


@pytest.mark.parametrize("service", [audit_scores, audit_findings])
def test_the_number_of_statements_does_not_grow_with_what_was_found(cast, owner, service):
    def statements():
        with CaptureQueriesContext(connection) as queries:
            service(owner, brand_id=cast.brand.pk)
        return len(queries)

    audited(cast.brand, failing=["CIT-06"])
    run = audited(cast.brand, day=1, failing=["CIT-06"])
    crawled(run)
    few = statements()
    for day in range(2, 6):
        many = audited(cast.brand, day=day, failing=list(CATALOGUE)[:40])
        for position in range(10):
            crawled(many, f"https://acme.example/{position}", position=position)
    assert statements() == few <= 10


def test_a_check_that_the_audit_before_did_not_make_is_not_new(cast, findings, scores):
    audited(cast.brand, passing=["CIT-06"])
    audited(cast.brand, day=1, failing=["CIT-06", "REN-04"])
    assert [(each["check"], each.get("state")) for each in findings()["findings"]] == [
        ("CIT-06", "new"),
        ("REN-04", None),
    ]
    assert scores()["sinceLast"]["new"] == 1


def test_a_check_that_the_catalogue_no_longer_has_is_passed_over(cast, findings):
    audited(cast.brand, failing=["CIT-06", "OLD-01"])
    assert [each["check"] for each in findings()["findings"]] == ["CIT-06"]
    assert json.dumps(findings()).count("OLD-01") == 0


def test_a_cancelled_audit_hides_none(cast, scores):
    audited(cast.brand, score=70.0)
    audited(cast.brand, day=1, status=Run.Status.CANCELLED, score=None)
    assert (scores()["overall"], scores()["failed"]) == (70.0, None)
