"""What people do on the demo's simulated days, and when: through the service, dated like the days; all: test_demo."""

from datetime import UTC, datetime

import pytest

from apikeys.operators import system_caller
from visibility.demo.days import SEEDER, day_of, moment_of
from visibility.demo.seeding import seed_brand, seed_owner
from visibility.demo.story import seed_story
from visibility.models import AuditPage, ContentDraft, Proof, Recommendation, Run, StatusChange

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)
SYSTEM = system_caller(SEEDER)
AROUND_THE_FALL = range(33, 46)


@pytest.fixture
def demo():
    owner, _ = seed_owner(SYSTEM)
    brand, _ = seed_brand(SYSTEM, owner)
    seed_story(SYSTEM, brand, days=AROUND_THE_FALL)
    return brand


def test_work_is_dated_as_the_days_are_and_its_plan_is_frozen_then(demo):
    done = Recommendation.objects.get(brand=demo, kind="own_page_lost", topic="app")
    changes = [(change.status, change.changed_at) for change in StatusChange.objects.filter(recommendation=done)]
    assert changes[::-1] == [("in_progress", moment_of(demo, 42, 10)), ("done", moment_of(demo, 43, 17))]
    assert done.opened_at.date() == done.opened_on <= day_of(demo, 42)
    proof = Proof.objects.get(recommendations=done)
    assert (proof.state, proof.done_at) == (Proof.State.COLLECTING, moment_of(demo, 43, 17))
    assert proof.plan["baseline"][-1] == day_of(demo, 43).isoformat()
    assert proof.plan["not_before"] == day_of(demo, 44).isoformat()
    assert StatusChange.objects.get(status="dismissed").reason.startswith("Workshops")


def test_the_site_is_audited_as_it_was_on_that_day(demo):
    audit = Run.objects.get(brand=demo, kind=Run.Kind.AUDIT)
    evening = moment_of(demo, 41, 18)
    assert (audit.status, audit.created_at, audit.started_at) == ("succeeded", evening, evening)
    assert 0 < (audit.finished_at - evening).total_seconds() < 600 and audit.credits_spent == 0
    failed = set(audit.check_results.filter(verdict="failed").values_list("check_id", flat=True))
    assert {"DIS-04", "FRE-02"} <= failed and "AGT-05" not in failed, "of the edition that stood then"
    assert AuditPage.objects.filter(run=audit, state="fetched").count() == audit.done
    opened = Recommendation.objects.filter(brand=demo, kind="audit_finding").values_list("opened_at", flat=True)
    assert {moment.date() for moment in opened} == {day_of(demo, 41)}


def test_the_rest_is_made_of_it_and_a_repeat_adds_nothing(demo):
    assert {draft.created_by for draft in ContentDraft.objects.filter(brand=demo)} == {f"user:{demo.owner_id}"}
    assert demo.evidence_job.state == "made" and demo.evidence.exists()
    assert [member.role for member in demo.collaborators.all()] == ["viewer"]
    models = (Run, AuditPage, Recommendation, StatusChange, Proof, ContentDraft)
    before = [model.objects.count() for model in models]
    assert seed_story(SYSTEM, demo, days=AROUND_THE_FALL) == 0
    assert [model.objects.count() for model in models] == before
    assert StatusChange.objects.latest("changed_at").changed_at < datetime.now(UTC)
