"""An upgrade tells what is stored already: first days, the figures of engines, since when a status holds."""

from datetime import UTC, date, datetime

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.factories import AnswerFactory, BrandFactory, CompetitorFactory, RunFactory
from tests.generations import tracked_names_of
from tests.scans.test_generations_migration import migrate_to  # noqa: F401 -- a fixture
from visibility.models import DailyScore, Recommendation

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
