"""Recommendations that are done, with their proofs as they are stored: for what doors show of them."""

from datetime import UTC, date, datetime

from tests.factories import RecommendationFactory
from visibility.insights.proofs.types import StoredPlan, StoredResult
from visibility.measured.stored import as_stored
from visibility.models import Proof

DONE_AT = datetime(2026, 11, 2, 9, 30, tzinfo=UTC)
JUDGED_AT = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)
TOPIC, TOPIC_NAME = "noise-cancelling earbud", "noise-cancelling earbuds"
PLAN = StoredPlan(
    engines=["chat"],
    wordings=["1", "2"],
    control_topics=["smartphone"],
    baseline=[date(2026, 10, 20), date(2026, 10, 27)],
    gap_days=[date(2026, 10, 13)],
    scans=3,
    answers=216,
    credits=450,
    least=14.2,
    target=15.0,
    reaches_target=True,
    not_before=date(2026, 11, 3),
    last=date(2026, 11, 17),
    why_not=None,
    sentence="3 scans with 216 answers (450 credits) show a change of 14.2 points or more.",
)
RESULT = StoredResult(
    own=19.0,
    control=1.5,
    delta=17.5,
    low=6.1,
    high=28.9,
    adjusted_p=0.012,
    least=13.4,
    days=[date(2026, 11, 10)],
    why_not=None,
    sentence="Up by 17.5 points (6.1 to 28.9) more than the other topics.",
)
FACTORS = {
    "answers": 19, "of_answers": 24, "engines": 2, "of_engines": 3, "reach": 0.18, "effect": "likely",
    "effort": "medium",
}  # fmt: skip


def proof_of(brand, *, verdict="", plan=PLAN, result=RESULT, **columns):
    """A proof under way, or where there is a verdict a judged one."""
    judged = {"state": "judged", "judged_at": JUDGED_AT, "result": as_stored(result)} if verdict else {}
    fields = {"state": "collecting", "topic": TOPIC, "done_at": DONE_AT, "plan": as_stored(plan), **judged}
    return Proof.objects.create(brand=brand, verdict=verdict, **{**fields, **columns})


def done_recommendation(brand, *, verdict="", proof=None, **columns):
    """A recommendation on a topic that is done, with its proof."""
    fields = {
        "kind": "topic_gap",
        "topic": TOPIC,
        "status": "done",
        "status_reason": "The guide is online.",
        "status_by": "user:somebody@example.com",
        "status_changed_at": DONE_AT,
        "factors": FACTORS,
        "payload": {"fix_prompt": "Write the guide.", "topic_name": TOPIC_NAME},
        "proof": proof,
    }
    if proof is None and columns.get("status", "done") == "done":
        fields["proof"] = proof_of(brand, verdict=verdict)
    return RecommendationFactory(brand=brand, **{**fields, **columns})
