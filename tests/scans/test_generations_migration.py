"""An upgrade makes the first generation of what was derived before, and shows the same figures."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.factories import BrandFactory
from tests.scans.history import rescored
from visibility.models import Answer, Citation, DailyScore, Generation, Mention, Run, RunScore

BEFORE = [("visibility", "0007_mention_stances")]
AT = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
def migrate_to():
    """Bring the database to a state of the past, and back to the present at the end."""

    def go(targets):
        executor = MigrationExecutor(connection)
        executor.migrate(targets)
        return executor.loader.project_state(targets).apps

    yield go
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def stored(apps, brand, *, status, text):
    """A run of one answer as it was stored before there were generations, derived rows included."""
    made = {name: apps.get_model("visibility", name).objects for name in (
        "Prompt", "PromptVersion", "Run", "Answer", "Mention", "Citation", "DailyScore",
    )}  # fmt: skip
    prompt = made["Prompt"].create(brand_id=brand.pk, text=f"which one, {status}?", digest=text)
    version = made["PromptVersion"].create(prompt=prompt, number=1, text=prompt.text)
    run = made["Run"].create(
        brand_id=brand.pk, trigger="web", status=status, total=1, done=1, score=12.5, low=1.0, high=50.0,
        created_at=AT, worker="" if status == "succeeded" else "w",
    )  # fmt: skip
    answer = made["Answer"].create(
        run=run, brand_id=brand.pk, prompt=prompt, version=version, engine="chat", state="answered", text=text,
        answered_at=AT, detector_version="2" if status == "succeeded" else "",
    )  # fmt: skip
    made["Mention"].create(answer=answer, start=0, end=4, text="Acme", rank=1, rule="name")
    made["Citation"].create(answer=answer, url="https://a.example/", url_digest="d", domain="a.example", position=1)
    if status == "succeeded":
        made["DailyScore"].create(brand_id=brand.pk, date=AT.date(), score=12.5, detector_version="2")
    return run.pk


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_figures_stay_until_they_are_measured_again(migrate_to):
    brand = BrandFactory(name="Acme")
    apps = migrate_to(BEFORE)
    ended = stored(apps, brand, status="succeeded", text="Acme is good.")
    running = stored(apps, brand, status="running", text="Acme is better.")
    migrate_to(MigrationExecutor(connection).loader.graph.leaf_nodes())

    first = Generation.objects.get()
    assert (first.brand_id, first.state, first.detector, first.stamp) == (brand.pk, "current", 0, "")
    assert list(RunScore.objects.values_list("run", "stage", "analysed", "score")) == [(ended, "scored", 1, 12.5)]
    assert DailyScore.objects.get().score == 12.5
    for model in (Mention, Citation):
        assert model.objects.get().answer.run_id == ended, "what is derived from a running scan is found when it ends"
    assert Run.objects.get(pk=running).status == "running"
    assert Answer.objects.count() == 2

    assert rescored(brand).detector > 0
    assert DailyScore.objects.get(competitor=None).score == 100.0
    assert Run.objects.get(pk=ended).score == 100.0
    assert Generation.objects.count() == 1
