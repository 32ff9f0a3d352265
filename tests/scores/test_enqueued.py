"""What waits to be counted again after an edit, and what the sweep adds where it is missing."""

from datetime import date, timedelta

import pytest
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from brands.brands import update_brand
from brands.competitors import add_competitor, remove_competitor, update_competitor
from brands.models import Brand
from brands.names import mark_counted, set_name_policy
from tests.factories import BrandFactory, RunFactory
from tests.scores.conftest import SYSTEM, answers, imported
from visibility import jobs
from visibility.models import Answer, Run
from visibility.topics.services import (
    decide_own_topics,
    decide_topic,
    get_or_add_topics,
    name_own_topics,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def tracked():
    """A brand with an alias, a domain, a competitor and a topic, all of it counted, and no job."""
    brand = BrandFactory(name="Kryton", domain="kryton.example")
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite"], domains=["ride.example"])
    add_competitor(SYSTEM, brand_id=brand.pk, name="Zentra", domain="zentra.example", aliases=["Zen"])
    get_or_add_topics(brand, ["bikes"])
    brand.refresh_from_db()
    mark_counted(brand, brand.names_version)
    ProcrastinateJob.objects.all().delete()
    return brand


def waiting(brand):
    """The jobs of the brand, by the names of their tasks."""
    jobs_of_brand = ProcrastinateJob.objects.filter(lock=f"brand:{brand.pk}", status="todo")
    return [name.rpartition(".")[2] for name in jobs_of_brand.values_list("task_name", flat=True)]


def rival(brand):
    return {"brand_id": brand.pk, "competitor_id": brand.competitors.get().pk}


NAMES = {
    "the brand is renamed": lambda brand: update_brand(SYSTEM, brand_id=brand.pk, name="Cryton"),
    "an alias becomes the name": lambda brand: update_brand(SYSTEM, brand_id=brand.pk, name="Krytonite"),
    "an alias more": lambda brand: update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite", "Kry"]),
    "no alias": lambda brand: update_brand(SYSTEM, brand_id=brand.pk, aliases=[]),
    "another domain": lambda brand: update_brand(SYSTEM, brand_id=brand.pk, domain="kryton.test"),
    "a domain more": lambda brand: update_brand(SYSTEM, brand_id=brand.pk, domains=["ride.example", "go.example"]),
    "no further domain": lambda brand: update_brand(SYSTEM, brand_id=brand.pk, domains=[]),
    "a description": lambda brand: update_brand(SYSTEM, brand_id=brand.pk, description="Bicycles for the city."),
    "a policy": lambda brand: set_name_policy(SYSTEM, brand_id=brand.pk, name="Kryton", case_sensitive=True),
    "a competitor more": lambda brand: add_competitor(
        SYSTEM, brand_id=brand.pk, name="Avola", domain="avola.example"
    ),
    "a competitor is renamed": lambda brand: update_competitor(SYSTEM, **rival(brand), name="Zentrum"),
    "a competitor's alias": lambda brand: update_competitor(SYSTEM, **rival(brand), aliases=[]),
    "a competitor's domain": lambda brand: update_competitor(SYSTEM, **rival(brand), domain="zentra.test"),
    "no competitor": lambda brand: remove_competitor(SYSTEM, **rival(brand)),
}
TOPICS = {
    "own": lambda brand, topic: decide_topic(SYSTEM, brand_id=brand.pk, topic_id=topic.pk, own=True),
    "not own": lambda brand, topic: decide_topic(SYSTEM, brand_id=brand.pk, topic_id=topic.pk, own=False),
    "own ones of a list": lambda brand, topic: decide_own_topics(SYSTEM, brand_id=brand.pk, names=[topic.name]),
    "own ones by name": lambda brand, topic: name_own_topics(SYSTEM, brand_id=brand.pk, names=[topic.name]),
}


@pytest.mark.parametrize("edit", NAMES)
def test_history_is_counted_again_after(tracked, edit):
    NAMES[edit](tracked)
    assert waiting(tracked) == ["recount"]
    tracked.refresh_from_db()
    assert tracked.counted_version < tracked.names_version


@pytest.mark.parametrize("decision", TOPICS)
def test_history_is_scored_again_when_a_topic_is(tracked, decision):
    TOPICS[decision](tracked, tracked.topics.get())
    assert waiting(tracked) == ["rescore"]


def test_an_edit_that_changes_no_name_has_no_job(tracked):
    update_brand(SYSTEM, brand_id=tracked.pk, name="Kryton", cadence="weekly", samples=1)
    assert waiting(tracked) == []


def test_a_brand_whose_job_was_lost_gets_another(tracked):
    Brand.objects.filter(pk=tracked.pk).update(counted_version=0)
    jobs.defer_what_is_missing()
    jobs.defer_what_is_missing()
    assert waiting(tracked) == ["recount"]


def interrupted(**fields):
    """A brand with three imported days that nobody measured, and no job."""
    brand = imported(answers(range(1, 4)))
    Run.objects.update(status=Run.Status.RUNNING, **fields)
    ProcrastinateJob.objects.all().delete()
    return brand


def test_an_import_that_died_is_measured_by_one_job_for_all_its_days():
    brand = interrupted(created_at=timezone.now() - timedelta(hours=1))
    jobs.defer_what_is_missing()
    assert waiting(brand) == ["measure"]
    jobs.measure.func(ProcrastinateJob.objects.get(task_name="visibility.jobs.measure").args["run_id"])
    assert set(Run.objects.values_list("status", flat=True)) == {"succeeded"}


def test_an_import_under_way_is_left_to_itself():
    brand = interrupted()
    jobs.defer_what_is_missing()
    assert waiting(brand) == []


def test_a_scan_that_is_still_asking_is_not_measured_with_the_others():
    brand = interrupted()
    asking = RunFactory(brand=brand, status=Run.Status.RUNNING, day=date(2026, 1, 9))
    answer = Answer.objects.filter(brand=brand).first()
    answer.pk, answer.run, answer.import_key, answer.state = None, asking, None, Answer.State.PENDING
    answer.save(force_insert=True)
    jobs.measure.func(str(brand.runs.exclude(pk=asking.pk).first().pk))
    assert set(Run.objects.active().values_list("pk", flat=True)) == {asking.pk}
