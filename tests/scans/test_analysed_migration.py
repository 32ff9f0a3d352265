"""An upgrade renames the stages of a run's analysis, there and back."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.factories import BrandFactory, RunFactory
from tests.generations import tracked_names_of
from tests.scans.test_generations_migration import migrate_to  # noqa: F401 -- a fixture
from visibility.models import RunScore

BEFORE = [("visibility", "0023_domain_names")]


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_the_stages_are_renamed_there_and_back(migrate_to):  # noqa: F811
    brand = BrandFactory()
    generation = tracked_names_of(brand).generation
    runs = [RunFactory(brand=brand) for _ in range(3)]
    for run, stage in zip(runs, ("analysing", "analysed", "scored"), strict=True):
        RunScore.objects.create(generation_id=generation, run=run, stage=stage, analysed=7)
    old = migrate_to(BEFORE).get_model("visibility", "RunScore").objects
    assert set(old.values_list("stage", "looked")) == {("looking", 7), ("looked", 7), ("scored", 7)}
    migrate_to(MigrationExecutor(connection).loader.graph.leaf_nodes())
    assert set(RunScore.objects.values_list("stage", "analysed")) == {
        ("analysing", 7),
        ("analysed", 7),
        ("scored", 7),
    }
