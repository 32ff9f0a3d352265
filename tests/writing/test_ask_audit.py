"""Questions about the audit are answered from it: its score, what caps it, the worst findings; or that there is
none."""

import pytest

from apikeys.caller import Caller
from tests.audit.stored import CRITICAL, audited, crawled
from tests.factories import ApiKeyFactory, BrandFactory, RunFactory
from tests.rest.conftest import scopes_without
from visibility.services.ask.answering import prepare_answer

pytestmark = pytest.mark.django_db


def told(caller, brand, question="What does the audit say?"):
    answer = prepare_answer(caller, question=question, brand_id=brand and brand.pk)()
    return answer, [fact.values for fact in answer.facts]


def test_the_score_what_caps_it_and_the_worst_findings(cast, owner):
    audited(cast.brand, failing=["CIT-06", "FRE-03"], passing=["ACC-06"], score=60.0)
    run = audited(cast.brand, day=1, failing=[CRITICAL, "CIT-06"], passing=["FRE-03"], score=25.0)
    crawled(run)
    answer, (first, since, defect, finding) = told(owner, cast.brand)
    assert first == {
        "subject": "Acme", "overall": 25.0, "day": "2026-03-11", "count": 2, "category": "access",
        "categoryScore": 50.0,
    }  # fmt: skip
    assert (since["day"], since["overall"], since["new"], since["fixed"], since["stillThere"]) == (
        "2026-03-10", 60.0, 1, 1, 1,
    )  # fmt: skip
    assert defect["cap"] == 25.0 and defect["label"].startswith("/ carries noindex")
    assert (finding["severity"], finding["check"]) == ("high", "CIT-06")
    assert answer.answer.startswith("The audit of Acme of 11 Mar 2026 scored 25.0 %; 2 checks fail")
    assert {fact.tool for fact in answer.facts} == {"get_audit_scores", "get_audit_findings"}
    assert answer.facts[0].refs == [str(run.pk)]


def test_that_there_was_no_audit_is_told_truly(cast, owner):
    answer, [values] = told(owner, cast.brand)
    assert values == {"subject": "Acme"}
    assert answer.answer.startswith("Acme has not been audited.")
    assert (answer.next_step.tool, answer.next_step.arguments) == (
        "svc_run_audit_scan", {"siteId": str(cast.brand.pk)},
    )  # fmt: skip


def test_one_refused_is_told_beside_the_last_good_one(cast, owner):
    audited(cast.brand, failing=["CIT-06"], score=60.0)
    RunFactory(brand=cast.brand, kind="audit", status="failed", error_code="site_refused")
    _, facts = told(owner, cast.brand)
    assert facts[0]["overall"] == 60.0
    assert "site_refused" in [values.get("reason") for values in facts]


def test_a_key_without_the_scope_is_told_what_it_lacks(cast):
    audited(cast.brand, failing=["CIT-06"], score=61.7)
    key = ApiKeyFactory(owner=cast.owner, scopes=scopes_without("read:audits"))
    answer, facts = told(Caller.from_key(key), cast.brand)
    assert "61.7" not in answer.answer and facts == []
    assert [(each.part, each.required_scope) for each in answer.withheld] == [("audit", "read:audits")]


def test_of_several_sites_each_one_s_score_is_told(cast, owner):
    other = BrandFactory(owner=cast.owner)
    audited(cast.brand, score=60.0)
    _, facts = told(owner, None, "How do my sites stand?")
    assert {(values["subject"], values.get("audit")) for values in facts} == {("Acme", 60.0), (other.name, None)}
