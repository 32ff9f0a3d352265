"""Surfaces of one AI system are separate engines: an import is never pooled with what this service asks."""

from datetime import UTC, datetime

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.factories import BrandFactory, PromptFactory, RunFactory
from tests.generations import tracked_names_of
from tests.imports.conftest import jsonl, record, rows
from tests.scans.history import asked_run, end, rescored
from tests.scans.test_generations_migration import migrate_to  # noqa: F401 -- a fixture
from visibility.engines.surfaces import Surface, averaged_together, name_of_imported
from visibility.models import Answer, DailyScore, EngineConfig, Generation, Run
from visibility.pipeline.plan import current_wordings, plan_answers
from visibility.pipeline.surfaces import part_imports
from visibility.services.reading.scores import visibility_scores

PROMPT = "what is the best anvil?"
DAY = datetime(2025, 5, 24, 12, tzinfo=UTC)
NAMED = "Acme makes the best anvil."


def engine_names(brand):
    return sorted(set(Answer.objects.filter(brand=brand).values_list("engine", flat=True)))


def scores_of(brand, day=DAY):
    """The figures of a day: over engines, and by engine."""
    row = DailyScore.objects.get(brand=brand, competitor=None, date=day.date())
    return row.score, {item["engine"]: item["score"] for item in row.engines}


def scanned(brand, text=NAMED, engine="chatgpt", **more):
    """An ended scan of the import's prompt on its day, planned as scans are."""
    prompt = brand.prompts.get(text=PROMPT)
    part_imports(brand.pk, {engine})
    run = asked_run(brand, [prompt], texts=[text], engine=engine, created_at=DAY, engines=[engine], **more)
    return end(run)


class TestNames:
    @pytest.mark.parametrize(
        ("surface", "asked", "name"),
        [
            (Surface.IMPORTED, set(), "chatgpt"),
            (Surface.IMPORTED, {"claude"}, "chatgpt"),
            (Surface.IMPORTED, {"chatgpt"}, "chatgpt (imported)"),
            (Surface.APP, set(), "chatgpt (app, imported)"),
            (Surface.API_IMPORTED, {"chatgpt"}, "chatgpt (api, imported)"),
        ],
    )
    def test_an_import_has_a_name_of_its_own_where_it_could_be_taken_for_another(self, surface, asked, name):
        assert name_of_imported("chatgpt", surface, asked) == name

    def test_the_mean_is_of_one_surface(self):
        every = {surface.value: surface for surface in Surface}
        for first in Surface:
            assert averaged_together(every) == [first.value]
            del every[first.value]
        assert averaged_together({}) == []
        assert averaged_together({"b": Surface.IMPORTED, "a": Surface.IMPORTED}) == ["a", "b"]


class TestFiles:
    def test_a_line_says_where_its_answer_was_taken(self):
        lines = [record(surface="app"), record(surface=" API "), record(surface=""), record()]
        assert [row.surface for row in rows(jsonl(*lines))] == [
            Surface.APP, Surface.API_IMPORTED, Surface.IMPORTED, Surface.IMPORTED,
        ]  # fmt: skip

    @pytest.mark.parametrize("surface", ["web", 3, ["app"], "api_imported", "pages"])
    def test_another_surface_is_refused(self, surface):
        [bad] = rows(jsonl(record(surface=surface)))
        assert bad.reason == "surface is none of app, api, imported; leave it out where nobody knows it"

    @pytest.mark.django_db
    def test_the_command_says_it_for_lines_that_do_not(self, brand, tmp_path):
        file = tmp_path / "answers.jsonl"
        file.write_bytes(jsonl(record(), record(engine="grok", surface="api")))
        call_command("import_answers", file, brand=brand.domain, surface="app")
        assert engine_names(brand) == ["chatgpt (app, imported)", "grok (api, imported)"]


@pytest.mark.django_db
class TestImportsAlone:
    """A brand that is not scanned."""

    def test_keep_the_names_of_their_file_and_their_mean(self, brand, load):
        load(record(text=NAMED), record(engine="grok"))
        assert scores_of(brand) == (50.0, {"chatgpt": 100.0, "grok": 0.0})
        assert Answer.objects.values_list("surface", flat=True).distinct().get() == "imported"

    def test_a_repeat_adds_nothing_and_another_surface_is_another_answer(self, brand, load):
        load(record())
        assert load(record()).stored.added == 0
        assert load(record(surface="imported")).stored.added == 0
        assert load(record(surface="app")).stored.added == 1
        assert engine_names(brand) == ["chatgpt", "chatgpt (app, imported)"]

    def test_an_app_stands_before_answers_from_a_place_that_nobody_states(self, brand, load, owner):
        load(record(text=NAMED, surface="app"), record(engine="grok"), record(engine="claude", surface="api"))
        assert scores_of(brand)[0] == 100.0
        now = visibility_scores(owner, brand_id=brand.pk, first=DAY.date(), last=DAY.date()).now
        assert {row.engine: (row.surface, row.averaged, row.reason) for row in now.engines} == {
            "chatgpt (app, imported)": ("app", True, None),
            "claude (api, imported)": ("api_imported", False, "surface"),
            "grok": ("imported", False, "surface"),
        }


@pytest.mark.django_db
class TestBesideScans:
    def test_an_import_is_not_pooled_with_the_engine_of_its_name(self, brand, load, owner):
        load(record(text="Rival makes the best anvil."))
        EngineConfig.objects.create(name="chatgpt", provider="openai", model="gpt", enabled=True)
        scanned(brand)
        rescored(brand)
        assert scores_of(brand) == (100.0, {"chatgpt": 100.0, "chatgpt (imported)": 0.0})
        shown = visibility_scores(owner, brand_id=brand.pk, first=DAY.date(), last=DAY.date())
        assert shown.now.score == 100.0
        assert shown.now.based_on == "ChatGPT as of 24 May 2025"
        [asked, imported] = shown.now.engines
        assert (asked.engine, asked.surface, asked.averaged) == ("chatgpt", "api", True)
        assert (imported.engine, imported.averaged, imported.reason) == ("chatgpt (imported)", False, "surface")
        assert "where no other AI system does" in imported.note

    def test_nor_one_that_comes_after_it(self, brand, load):
        PromptFactory(brand=brand, text=PROMPT)
        scanned(brand)
        load(record())
        load(record(time="2025-05-24T11:00:00Z"))
        assert scores_of(brand) == (100.0, {"chatgpt": 100.0, "chatgpt (imported)": 0.0})

    def test_an_import_of_another_engine_keeps_its_name_and_stands_beside_the_mean(self, brand, load):
        load(record(engine="grok"))
        scanned(brand)
        rescored(brand)
        assert scores_of(brand) == (100.0, {"chatgpt": 100.0, "grok": 0.0})

    def test_a_plan_parts_them_and_has_history_measured_again(self, brand, load):
        load(record(time="2025-05-20T10:00:00Z", text=NAMED), record())
        run = RunFactory(brand=brand, status="queued", engines=["chatgpt"])
        plan_answers(run, current_wordings(brand), {"chatgpt": 1, "local-search": 1})
        assert set(Answer.objects.filter(run=run).values_list("engine", "surface")) == {
            ("chatgpt", "api"), ("local-search", "pages"),
        }  # fmt: skip
        assert {tuple(each.engines) for each in Run.objects.filter(trigger="import")} == {("chatgpt (imported)",)}
        rescored(brand)
        for day in (20, 24):
            assert [*scores_of(brand, DAY.replace(day=day))[1]] == ["chatgpt (imported)"]

    def test_parting_again_changes_nothing(self, brand, load):
        load(record())
        part_imports(brand.pk, {"chatgpt"})
        rescored(brand)
        before = Generation.objects.values_list("pk", "detector").get()
        part_imports(brand.pk, {"chatgpt"})
        assert Generation.objects.values_list("pk", "detector").get() == before

    def test_an_import_that_says_its_surface_is_left_alone(self, brand, load):
        load(record(surface="app"))
        part_imports(brand.pk, {"chatgpt", "chatgpt (app, imported)"})
        assert engine_names(brand) == ["chatgpt (app, imported)"]

    def test_other_brands_are_left_alone(self, brand, load):
        other = BrandFactory(owner=brand.owner)
        load(record(), into=other)
        load(record())
        part_imports(brand.pk, {"chatgpt"})
        assert (engine_names(brand), engine_names(other)) == (["chatgpt (imported)"], ["chatgpt"])


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_an_upgrade_parts_what_was_pooled(migrate_to):  # noqa: F811
    both, alone = BrandFactory(), BrandFactory()
    prompts = {brand.pk: PromptFactory(brand=brand) for brand in (both, alone)}
    generations = {brand.pk: tracked_names_of(brand).generation for brand in (both, alone)}
    versions = {key: prompt.versions.get().pk for key, prompt in prompts.items()}
    apps = migrate_to([("visibility", "0026_recommendation_kinds")])
    runs, answers = (apps.get_model("visibility", name).objects for name in ("Run", "Answer"))
    for brand, trigger, engines in (
        (both, "import", ["chatgpt", "grok"]), (both, "agent", ["chatgpt"]), (alone, "import", ["chatgpt"]),
        (alone, "import", ["local-search"]),
    ):  # fmt: skip
        run = runs.create(brand_id=brand.pk, trigger=trigger, status="succeeded", engines=engines, created_at=DAY)
        for position, engine in enumerate(engines):
            answers.create(
                run=run, brand_id=brand.pk, prompt_id=prompts[brand.pk].pk, version_id=versions[brand.pk],
                engine=engine, position=position, state="answered", text=NAMED,
            )  # fmt: skip
    migrate_to(MigrationExecutor(connection).loader.graph.leaf_nodes())

    found = Answer.objects.values_list("brand", "engine", "surface")
    assert set(found) == {
        (both.pk, "chatgpt (imported)", "imported"), (both.pk, "grok", "imported"), (both.pk, "chatgpt", "api"),
        (alone.pk, "chatgpt", "imported"), (alone.pk, "local-search", "pages"),
    }  # fmt: skip
    of_runs = Run.objects.filter(brand=both).values_list("engines", flat=True)
    assert sorted(of_runs) == [["chatgpt"], ["chatgpt (imported)", "grok"]]
    detectors = dict(Generation.objects.values_list("pk", "detector"))
    assert detectors[generations[both.pk]] == 0 < detectors[generations[alone.pk]], "one is measured again"
