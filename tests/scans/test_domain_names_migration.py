"""An upgrade gives what is stored the names of the domain, and what the doors answer stays; a downgrade takes them
back."""

from datetime import date
from importlib import import_module

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.factories import BrandFactory, CompetitorFactory
from tests.generations import tracked_names_of
from tests.scans.test_generations_migration import migrate_to  # noqa: F401 -- a fixture
from visibility.models import DailyScore, Recommendation

BEFORE = [("visibility", "0022_first_days_engine_figures_status_times")]
FIGURE = {"value": 20.0, "low": 10.0, "high": 30.0}
FIGURES = {"delta": 9.0, "low": 1.0, "high": 17.0, "verdict": "moved"}
WHY = [{"code": "engines", "message": "promptId counted only on this day"}]
ENGINE = {"engine": "shareOfVoice", "models": ["promptId"], "score": 40.0, "low": 30.0, "high": 50.0, "answers": 9}
OLD = {
    "engines": [
        {**ENGINE, "shareOfVoice": 1.0, "shareOfVoiceLow": 2.0, "shareOfVoiceHigh": 3.0, "citationRate": None,
         "citationRateLow": None, "citationRateHigh": None},
        {"engine": "short", "score": None, "answers": 0},
    ],
    "details": {
        "overall": {"reciprocalRank": FIGURE, "topThree": FIGURE, "averagePosition": 1.5, "mentions": 4,
                    "citationShare": 5.0, "ownCitations": 1, "citations": 20, "impressionShare": FIGURE,
                    "impressionSharePublished": FIGURE, "agreement": 7.0, "orderedAgreement": 8.0,
                    "mentionedAgain": 9.0, "repeatedPrompts": 3},
        "engines": {"topThree": {"topThree": FIGURE, "shareOfVoice": FIGURE, "prominence": FIGURE,
                                 "citationRate": FIGURE, "prompts": 2, "topics": 1}},
    },
    "change": {
        "from": "2026-03-09", **FIGURES, "minimumDetectable": 8.0, "causes": WHY,
        "common": {"from": "2026-03-09", **FIGURES, "minimumDetectable": 8.0, "engines": ["byEngine"]},
        "byEngine": [
            {"from": "2026-03-08", **FIGURES, "minimumDetectable": 8.0, "engine": "byEngine", "causes": WHY}
        ],
    },
    "changes": [
        {"engine": None, "metric": metric, **FIGURES, "minimumDetectable": 8.0, "p": 0.01, "adjustedP": 0.02}
        for metric in ("score", "shareOfVoice", "citationRate")
    ],
    "budget": {
        "score": {"shares": {"prompt": 60.0}, "reach": 4.0, "target": 5.0, "prompts": 9, "topics": 3, "samples": 1.0,
                  "promptsNeeded": 12, "samplesNeeded": None, "advice": "prompts", "reason": "samplesNeeded"},
        "change": None,
    },
}  # fmt: skip
NEW = {
    "engines": [
        {**ENGINE, "share_of_voice": 1.0, "share_of_voice_low": 2.0, "share_of_voice_high": 3.0,
         "citation_rate": None, "citation_rate_low": None, "citation_rate_high": None},
        {"engine": "short", "score": None, "answers": 0},
    ],
    "details": {
        "overall": {"reciprocal_rank": FIGURE, "top_three": FIGURE, "average_position": 1.5, "mentions": 4,
                    "citation_share": 5.0, "own_citations": 1, "citations": 20, "impression_share": FIGURE,
                    "impression_share_published": FIGURE, "agreement": 7.0, "ordered_agreement": 8.0,
                    "mentioned_again": 9.0, "repeated_prompts": 3},
        "engines": {"topThree": {"top_three": FIGURE, "share_of_voice": FIGURE, "prominence": FIGURE,
                                 "citation_rate": FIGURE, "prompts": 2, "topics": 1}},
    },
    "change": {
        "since": "2026-03-09", **FIGURES, "minimum_detectable": 8.0, "causes": WHY,
        "common": {"since": "2026-03-09", **FIGURES, "minimum_detectable": 8.0, "engines": ["byEngine"]},
        "by_engine": [
            {"since": "2026-03-08", **FIGURES, "minimum_detectable": 8.0, "engine": "byEngine", "causes": WHY}
        ],
    },
    "changes": [
        {"engine": None, "metric": metric, **FIGURES, "minimum_detectable": 8.0, "p": 0.01, "adjusted_p": 0.02}
        for metric in ("score", "share_of_voice", "citation_rate")
    ],
    "budget": {
        "score": {"shares": {"prompt": 60.0}, "reach": 4.0, "target": 5.0, "prompts": 9, "topics": 3, "samples": 1.0,
                  "prompts_needed": 12, "samples_needed": None, "advice": "prompts", "reason": "samplesNeeded"},
        "change": None,
    },
}  # fmt: skip
OLD_ADVICE = {
    "evidence": [
        {"kind": "answer", "text": "promptId", "url": None, "engine": "e", "promptId": "p", "answerId": "a"}
    ],
    "payload": {"fixPrompt": "Do it.", "measuredOn": "2026-03-10", "rivals": [],
                "engines": [{"engine": "e", "gaps": 1, "answers": 2, "asOf": "2026-03-10"}]},
}  # fmt: skip
NEW_ADVICE = {
    "evidence": [
        {"kind": "answer", "text": "promptId", "url": None, "engine": "e", "prompt_id": "p", "answer_id": "a"}
    ],
    "payload": {"fix_prompt": "Do it.", "measured_on": "2026-03-10", "rivals": [],
                "engines": [{"engine": "e", "gaps": 1, "answers": 2, "as_of": "2026-03-10"}]},
}  # fmt: skip
EMPTY = {"engines": [], "details": {}, "change": None, "changes": [], "budget": {}}


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_what_is_stored_gets_the_names_of_the_domain_and_back(migrate_to, monkeypatch):  # noqa: F811
    brand = BrandFactory()
    rivals = [CompetitorFactory(brand=brand) for _ in range(3)]
    generation = tracked_names_of(brand).generation
    monkeypatch.setattr(import_module("visibility.migrations.0023_domain_names"), "AT_ONCE", 2)
    apps = migrate_to(BEFORE)
    scores, queue = (apps.get_model("visibility", name).objects for name in ("DailyScore", "Recommendation"))
    rows = [(None, OLD), (rivals[0].pk, OLD), (rivals[1].pk, EMPTY), (rivals[2].pk, NEW)]
    for competitor, kept in rows:
        scores.create(
            generation_id=generation, brand_id=brand.pk, competitor_id=competitor, date=date(2026, 3, 10),
            detector_version="1", **kept,
        )  # fmt: skip
    for subject, kept in (("full", OLD_ADVICE), ("empty", {"evidence": [], "payload": {}})):
        queue.create(
            brand_id=brand.pk, kind="audit_finding", subject=subject, title="t", summary="s", status="open",
            priority=5, impact="low", effort="low", **kept,
        )  # fmt: skip
    migrate_to(MigrationExecutor(connection).loader.graph.leaf_nodes())

    def stored(model, key, fields):
        return {getattr(row, key): {name: getattr(row, name) for name in fields} for row in model.objects.all()}

    assert stored(DailyScore, "competitor_id", NEW) == {
        None: NEW, rivals[0].pk: NEW, rivals[1].pk: EMPTY, rivals[2].pk: NEW
    }  # fmt: skip
    assert stored(Recommendation, "subject", NEW_ADVICE) == {
        "full": NEW_ADVICE, "empty": {"evidence": [], "payload": {}}
    }  # fmt: skip

    apps = migrate_to(BEFORE)
    old_score, old_queue = (apps.get_model("visibility", name) for name in ("DailyScore", "Recommendation"))
    assert stored(old_score, "competitor_id", OLD)[rivals[0].pk] == OLD
    assert stored(old_queue, "subject", OLD_ADVICE)["full"] == OLD_ADVICE
