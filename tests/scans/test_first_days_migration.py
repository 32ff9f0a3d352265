"""An upgrade tells what is stored already: first days, the figures of engines, since when a status holds."""

from datetime import UTC, date, datetime

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.factories import AnswerFactory, BrandFactory, CompetitorFactory, RunFactory
from tests.generations import tracked_names_of
from tests.scans.test_generations_migration import migrate_to  # noqa: F401 -- a fixture
from visibility.models import DailyScore, Recommendation, StatusChange

BEFORE = [("visibility", "0018_engine_bounds_and_unsettled_runs")]
MADE, WRITTEN = datetime(2026, 3, 10, 12, tzinfo=UTC), datetime(2026, 3, 12, 12, tzinfo=UTC)
OLD = {"engine": "chat", "score": 40.0, "low": 30.0, "high": 50.0, "answers": 9}
FIGURE = {"value": 20.0, "low": 10.0, "high": 30.0}
NOTHING = {"value": None, "low": None, "high": None}


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_what_is_stored_is_told(migrate_to):  # noqa: F811
    brand = BrandFactory()
    rival = CompetitorFactory(brand=brand)
    run = RunFactory(brand=brand)
    for model in ("m-2", "m-1", ""):
        AnswerFactory(run=run, engine="chat", served_model=model)
    generation = tracked_names_of(brand).generation
    apps = migrate_to(BEFORE)
    scores, queue = (apps.get_model("visibility", name).objects for name in ("DailyScore", "Recommendation"))
    details = {"engines": {"chat": {"share_of_voice": FIGURE, "citation_rate": NOTHING}}}
    for day, competitor, comparable in ((9, None, False), (9, rival.pk, False), (10, None, False), (11, None, True),
                                        (11, rival.pk, False)):  # fmt: skip
        scores.create(
            generation_id=generation, brand_id=brand.pk, competitor_id=competitor, date=date(2026, 3, day),
            comparable=comparable, engines=[OLD, {**OLD, "engine": "silent", "answers": 0}], details=details,
            runs=[str(run.pk)], detector_version="1",
        )  # fmt: skip
    for status in ("open", "done"):
        queue.create(
            brand_id=brand.pk, kind="audit_finding", subject=status, title="t", summary="s", status=status,
            priority=5, impact="low", effort="low", created_at=MADE, updated_at=WRITTEN,
        )  # fmt: skip
    migrate_to(MigrationExecutor(connection).loader.graph.leaf_nodes())

    found = DailyScore.objects.order_by("date", "competitor").values_list("date__day", "competitor", "comparable")
    assert set(found) == {
        (9, None, None), (9, rival.pk, None), (10, None, False), (11, None, True), (11, rival.pk, False),
    }  # fmt: skip
    chat, silent = DailyScore.objects.filter(competitor=None).first().engines
    assert chat == OLD | {
        "models": ["m-1", "m-2"], "share_of_voice": 20.0, "share_of_voice_low": 10.0, "share_of_voice_high": 30.0,
        "citation_rate": None, "citation_rate_low": None, "citation_rate_high": None,
    }  # fmt: skip
    assert (silent["models"], silent["share_of_voice"], silent["answers"]) == ([], None, 0)
    assert dict(Recommendation.objects.values_list("status", "status_changed_at")) == {"open": MADE, "done": WRITTEN}


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_recommendations_of_kinds_that_went_are_closed_with_the_reason(migrate_to):  # noqa: F811
    """Clients know them by their ids."""
    brand = BrandFactory()
    queue = (
        migrate_to([("visibility", "0034_proofs_and_decisions")]).get_model("visibility", "Recommendation").objects
    )
    ids = {
        status: queue.create(
            brand_id=brand.pk, kind="mention_gap", subject=status, title="t", summary="s", status=status,
            priority=5, impact="low", effort="low",
        ).pk
        for status in ("open", "resolved", "done")
    }  # fmt: skip
    migrate_to(MigrationExecutor(connection).loader.graph.leaf_nodes())
    rows = Recommendation.objects.in_bulk()
    assert {status: rows[pk].status for status, pk in ids.items()} == {
        "open": "resolved", "resolved": "resolved", "done": "done",
    }  # fmt: skip
    assert "by topic and by page" in rows[ids["open"]].status_reason and not rows[ids["done"]].status_reason
    [change] = StatusChange.objects.all()
    assert (change.recommendation_id, change.before, change.reason) == (
        ids["open"],
        "open",
        rows[ids["open"]].status_reason,
    )
