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
    return answer, " ".join(fact.statement for fact in answer.facts)


def test_the_score_what_caps_it_and_the_worst_findings(cast, owner):
    audited(cast.brand, failing=["CIT-06", "FRE-03"], passing=["ACC-06"], score=60.0)
    run = audited(cast.brand, day=1, failing=[CRITICAL, "CIT-06"], passing=["FRE-03"], score=25.0)
    crawled(run)
    answer, said = told(owner, cast.brand)
    assert (
        "The audit of Acme of 11 Mar 2026 scored 25.0 %; 2 checks fail, and the weakest category is access at 50.0 %."
        " Since the audit of 10 Mar 2026 (60.0 %): findings new 1, fixed 1, still there 1."
    ) in said
    assert "Critical, the score is no higher than 25.0 %: / carries noindex" in said
    assert "High (CIT-06): 1 of 4 offer pages show no price in their text." in said
    assert said.count("noindex") == 1, "the critical defect is told once"
    assert {fact.tool for fact in answer.facts} == {"get_audit_scores", "get_audit_findings"}
    assert all(fact.refs == [str(run.pk)] for fact in answer.facts)


def test_that_there_was_no_audit_is_told_truly(cast, owner):
    _, said = told(owner, cast.brand)
    assert said.startswith("This site has not been audited.")


def test_one_refused_is_told_beside_the_last_good_one(cast, owner):
    audited(cast.brand, failing=["CIT-06"], score=60.0)
    RunFactory(brand=cast.brand, kind="audit", status="failed", error_code="site_refused")
    _, said = told(owner, cast.brand)
    assert "scored 60.0 %" in said and "the site did not let our crawler in" in said


def test_a_key_without_the_scope_is_told_what_it_lacks(cast):
    audited(cast.brand, failing=["CIT-06"], score=61.7)
    key = ApiKeyFactory(owner=cast.owner, scopes=scopes_without("read:audits"))
    answer, said = told(Caller.from_key(key), cast.brand)
    assert "61.7" not in said + answer.answer and "price" not in said
    assert [(each.part, each.required_scope) for each in answer.withheld] == [("audit", "read:audits")]


def test_of_several_sites_each_one_s_score_is_told(cast, owner):
    other = BrandFactory(owner=cast.owner)
    audited(cast.brand, score=60.0)
    _, said = told(owner, None, "How do my sites stand?")
    assert "Acme (acme.example): 0 open recommendations; audited at 60.0 %;" in said
    assert f"{other.name} ({other.domain}): 0 open recommendations." in said
