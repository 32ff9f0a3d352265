"""Scans by cadence."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from apikeys.models import Usage
from brands.models import Brand
from tests.factories import BrandFactory, PromptFactory, RunFactory
from visibility.models import Run
from visibility.services.scans.schedule import fire_due, next_slot
from visibility.tasks import SCHEDULER

NOW = datetime(2026, 3, 31, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def due_brand(**more):
    brand = BrandFactory(**{"cadence": "daily", "next_run_at": timezone.now() - timedelta(minutes=1), **more})
    PromptFactory(brand=brand)
    return brand


@pytest.mark.parametrize(("cadence", "least", "most"), [("daily", 1, 1), ("weekly", 7, 7), ("monthly", 28, 31)])
def test_slots_follow_each_other_at_the_cadence(cadence, least, most):
    for number in range(50):
        brand = Brand(id=UUID(int=number), cadence=cadence)
        first = next_slot(brand, NOW)
        assert NOW < first <= NOW + most * DAY
        assert least * DAY <= next_slot(brand, first) - first <= most * DAY
        assert next_slot(brand, first - timedelta(microseconds=1)) == first


def test_brands_spread_over_the_day_and_keep_their_time():
    hours = Counter(next_slot(Brand(id=UUID(int=number), cadence="daily"), NOW).hour for number in range(2400))
    assert len(hours) == 24
    assert max(hours.values()) < 170
    brand = Brand(cadence="weekly")
    assert len({next_slot(brand, NOW + week * 7 * DAY).strftime("%a %H:%M:%S") for week in range(9)}) == 1


def test_a_brand_by_hand_has_no_slot():
    assert next_slot(Brand(cadence="manual"), NOW) is None


@pytest.mark.django_db
class TestFiring:
    def test_a_due_slot_is_served_once(self, engines):
        brand = due_brand()
        assert fire_due(SCHEDULER) == 1
        run = Run.objects.get()
        assert (run.brand, run.trigger, run.status, run.actor) == (brand, "schedule", "queued", "scheduler")
        brand.refresh_from_db()
        assert timezone.now() < brand.next_run_at <= timezone.now() + DAY
        assert fire_due(SCHEDULER) == 0

    def test_a_long_downtime_gives_one_scan(self, engines):
        brand = due_brand(next_run_at=timezone.now() - 400 * DAY)
        assert fire_due(SCHEDULER) == 1
        assert fire_due(SCHEDULER) == 0
        brand.refresh_from_db()
        assert brand.next_run_at > timezone.now()

    def test_a_new_cadence_gets_its_first_slot(self, engines):
        brand = due_brand(next_run_at=None)
        assert fire_due(SCHEDULER) == 0
        brand.refresh_from_db()
        assert brand.next_run_at == next_slot(brand, timezone.now())

    def test_manual_brands_are_left_alone(self, engines):
        due_brand(cadence="manual")
        due_brand(cadence="manual", next_run_at=None)
        assert fire_due(SCHEDULER) == 0
        assert not Run.objects.exists()

    def test_without_credits_a_slot_leaves_one_cancelled_run(self, engines):
        brand = due_brand()
        month = timezone.now().date().replace(day=1)
        Usage.objects.create(user=brand.owner, kind="credits", period=month, used=400_000)
        assert fire_due(SCHEDULER) == 1
        assert fire_due(SCHEDULER) == 0
        run = Run.objects.get()
        assert (run.status, run.error_code, run.credits_reserved) == ("cancelled", "quota_exceeded", 0)
        assert run.finished_at is not None
        assert "400000" in run.error_message
        Usage.objects.update(used=0)
        Brand.objects.update(next_run_at=timezone.now())
        assert fire_due(SCHEDULER) == 1
        assert Run.objects.filter(status="queued").count() == 1, "the cancelled run is no cooldown"

    def test_a_slot_inside_the_cooldown_is_served_by_the_scan_that_is_there(self, engines):
        brand = due_brand()
        RunFactory(brand=brand, created_at=timezone.now() - timedelta(minutes=10))
        assert fire_due(SCHEDULER) == 1
        assert Run.objects.count() == 1

    def test_a_brand_that_cannot_be_scanned_does_not_stop_the_others(self, engines):
        without_prompts = BrandFactory(cadence="daily", next_run_at=timezone.now() - DAY)
        brand = due_brand()
        assert fire_due(SCHEDULER) == 2
        assert [run.brand for run in Run.objects.all()] == [brand]
        without_prompts.refresh_from_db()
        assert without_prompts.next_run_at > timezone.now()

    def test_a_slot_that_breaks_stays_due(self, engines, monkeypatch):
        def broken(*args, **more):
            raise ZeroDivisionError

        brand = due_brand()
        monkeypatch.setattr("visibility.services.scans.schedule.start_scan", broken)
        assert fire_due(SCHEDULER) == 0
        was = brand.next_run_at
        brand.refresh_from_db()
        assert brand.next_run_at == was


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_two_schedulers_serve_a_slot_once(engines, at_once):
    due_brand()
    assert sum(at_once(8, lambda _: fire_due(SCHEDULER))) == 1
    assert Run.objects.count() == 1
