"""What REST says of a recommendation: its topic, what its priority is made of, its days, and whether it helped."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.factories import PromptFactory, RecommendationFactory
from tests.judged import DONE_AT, JUDGED_AT, TOPIC_NAME, done_recommendation, proof_of
from tests.rest.test_queries import statements
from visibility.models import Proof, Recommendation
from visibility.resources.recommendations import EARLIER_KINDS, KIND_MEANINGS, RecommendationResource

SEEN_AT = datetime(2026, 10, 13, 8, tzinfo=UTC)
PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "integrators.md"


def listed(api, key, query="?status=all"):
    return api.get(f"{api.brand}/recommendations{query}", key).json()["recommendations"]


def test_it_says_what_its_priority_is_made_of(api, cast, key):
    done_recommendation(cast.brand, status="open", proof=None)
    [row] = listed(api, key)
    assert row["factors"] == {
        "answers": 19, "ofAnswers": 24, "engines": 2, "ofEngines": 3, "reach": 0.18, "effect": "likely",
        "effort": "medium",
    }  # fmt: skip


def test_one_of_an_earlier_release_has_neither_factors_nor_topic_nor_proof(api, cast, key):
    RecommendationFactory(brand=cast.brand, kind="mention_gap")
    [row] = listed(api, key)
    assert (row["factors"], row["topic"], row["proof"], row["statusReason"]) == (None, None, None, "")


@pytest.mark.parametrize(
    ("topic", "payload", "name"),
    [
        ("noise-cancelling earbud", {"topic_name": TOPIC_NAME}, TOPIC_NAME),
        ("noise-cancelling earbud", {}, "noise-cancelling earbud"),
        ("0198a3f3-0d2e-7b41-a1b2-c3d4e5f60718", {"topic_name": "Which anvil is good?"}, "Which anvil is good?"),
        ("0198a3f3-0d2e-7b41-a1b2-c3d4e5f60718", {}, None),
        ("", {}, None),
    ],
)
def test_a_topic_is_called_as_people_write_it(api, cast, key, topic, payload, name):
    RecommendationFactory(brand=cast.brand, topic=topic, payload={"fix_prompt": "Do it.", **payload})
    [row] = listed(api, key)
    assert row["topic"] == name
    assert "topic_name" not in row["payload"] and "topicName" not in row["payload"]


def test_its_days_say_when_it_was_found_opened_again_and_seen_last(api, cast, key):
    later = datetime(2026, 11, 9, 8, tzinfo=UTC)
    RecommendationFactory(brand=cast.brand, created_at=SEEN_AT, opened_at=DONE_AT, last_seen_at=later)
    [row] = listed(api, key)
    assert row["firstSeenAt"] == row["createdAt"] == "2026-10-13T08:00:00.000Z"
    assert (row["openedAt"], row["lastSeenAt"]) == ("2026-11-02T09:30:00.000Z", "2026-11-09T08:00:00.000Z")


def test_a_plan_says_what_it_takes_before_there_is_a_verdict(api, cast, key):
    done_recommendation(cast.brand)
    [row] = listed(api, key)
    assert row["statusReason"] == "The guide is online."
    assert row["proof"] == {
        "state": "collecting", "metric": "score", "verdict": None, "delta": None, "low": None, "high": None,
        "least": 14.2, "scans": 3, "answers": 216, "credits": 450, "baseline": ["2026-10-20", "2026-10-27"],
        "sentence": "3 scans with 216 answers (450 credits) show a change of 14.2 points or more.",
        "doneAt": "2026-11-02T09:30:00.000Z", "judgedAt": None, "nextScanAt": None,
    }  # fmt: skip


@pytest.mark.parametrize(("verdict", "due"), [("", "2026-11-24T06:00:00.000Z"), ("not_seen", None)])
def test_what_is_not_judged_says_when_the_next_scan_is_due(api, cast, key, verdict, due):
    cast.brand.next_run_at = datetime(2026, 11, 24, 6, tzinfo=UTC)
    cast.brand.save()
    done_recommendation(cast.brand, verdict=verdict)
    [row] = listed(api, key)
    assert row["proof"]["nextScanAt"] == due


@pytest.mark.parametrize("verdict", Proof.Verdict.values)
def test_a_verdict_stands_with_its_interval_and_what_could_be_seen(api, cast, key, verdict):
    done_recommendation(cast.brand, verdict=verdict)
    [row] = listed(api, key)
    proof = row["proof"]
    assert (proof["state"], proof["verdict"]) == ("judged", verdict)
    assert (proof["delta"], proof["low"], proof["high"], proof["least"]) == (17.5, 6.1, 28.9, 13.4)
    assert proof["sentence"].startswith("Up by 17.5 points")
    assert proof["judgedAt"] == JUDGED_AT.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def test_a_proof_that_has_no_plan_yet_says_only_its_state(api, cast, key):
    proof = Proof.objects.create(brand=cast.brand, done_at=DONE_AT)
    done_recommendation(cast.brand, proof=proof)
    [row] = listed(api, key)
    told = {name for name, value in row["proof"].items() if value not in (None, [])}
    assert told == {"state", "metric", "doneAt"} and row["proof"]["state"] == "baseline"


def test_nobody_is_told_who_decided(api, cast, key):
    done_recommendation(cast.brand)
    assert "somebody" not in json.dumps(listed(api, key))


def test_two_recommendations_of_one_topic_show_one_proof(api, cast, key):
    proof = proof_of(cast.brand, verdict="moved_up")
    done_recommendation(cast.brand, proof=proof, kind="criterion")
    done_recommendation(cast.brand, proof=proof)
    first, second = listed(api, key)
    assert first["proof"] == second["proof"] and first["id"] != second["id"]


def test_five_hundred_with_proofs_cost_one_statement_beside_the_key_and_the_log(api, cast, key):
    for n in range(20):
        PromptFactory(brand=cast.brand, topic=f"topic {n}")
    proofs = [proof_of(cast.brand, verdict="moved_up", topic=f"topic {n}") for n in range(20)]
    rows = [
        RecommendationFactory.build(
            brand=cast.brand, kind="topic_gap", topic=f"topic {n % 20}", proof=proofs[n % 20], status="done"
        )
        for n in range(500)
    ]
    Recommendation.objects.bulk_create(rows)
    statements(api, api.brand, key)  # the last use of the key is written once a minute
    for query in ("?status=all", "?status=done"):
        assert len(statements(api, f"{api.brand}/recommendations{query}", key)) == 3
    assert len(listed(api, key)) == 500


def test_every_kind_that_is_looked_for_is_told_what_it_says():
    assert set(KIND_MEANINGS) | EARLIER_KINDS == set(Recommendation.Kind)
    assert not set(KIND_MEANINGS) & EARLIER_KINDS
    described = RecommendationResource.model_fields["kind"].description
    assert re.findall(r"`(\w+)`", described) == [*KIND_MEANINGS, *sorted(EARLIER_KINDS)]


def test_the_page_for_integrators_lists_every_kind():
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    kinds = dict(rows)
    assert {kind: kinds.get(kind) for kind in KIND_MEANINGS} == dict(KIND_MEANINGS)
