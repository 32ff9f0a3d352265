"""Starts the scans that brands ask for by their cadence. Slots are rows, so that downtime loses none."""

import hashlib
import logging
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from brands.models import Brand, Cadence
from visibility.models import Run
from visibility.services.scans.starting import record_unaffordable, start_scan

logger = logging.getLogger(__name__)

BRANDS_PER_TICK = 100
_MONDAY = datetime(2024, 1, 1, tzinfo=UTC)
_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


def next_slot(brand: Brand, after: datetime) -> datetime | None:
    """The first slot of the brand's cadence later than `after`; None for a manual cadence.

    The time of the day, the day of the week and the day of the month (1–28) follow from the brand's id, so that
    brands spread evenly and each keeps its slot.
    """
    spread = int.from_bytes(hashlib.sha256(brand.pk.bytes).digest()[:8])
    day, second = divmod(spread, _DAY // timedelta(seconds=1))
    time_of_day = timedelta(seconds=second)
    if brand.cadence == Cadence.DAILY:
        return _next_of_period(_MONDAY + time_of_day, _DAY, after)
    if brand.cadence == Cadence.WEEKLY:
        return _next_of_period(_MONDAY + day % 7 * _DAY + time_of_day, _WEEK, after)
    if brand.cadence == Cadence.MONTHLY:
        return _next_of_month(day % 28 * _DAY + time_of_day, after)
    return None


def _next_of_period(slot: datetime, period: timedelta, after: datetime) -> datetime:
    return slot + ((after - slot) // period + 1) * period


def _next_of_month(offset: timedelta, after: datetime) -> datetime:
    month = after.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    if month + offset > after:
        return month + offset
    return (month + timedelta(days=32)).replace(day=1) + offset


def fire_due(scheduler: Caller) -> int:
    """Give brands without a slot their first one, and start what is due, as `scheduler`, who reaches every brand.
    Returns how many slots were served. Brands whose owner is deactivated get and use none.

    However long nothing ran, a brand gets one scan and then its next slot from now on.
    """
    now = timezone.now()
    scheduled = Brand.objects.exclude(cadence=Cadence.MANUAL).filter(owner__is_active=True)
    for brand in scheduled.filter(next_run_at=None)[:BRANDS_PER_TICK]:
        Brand.objects.filter(pk=brand.pk, cadence=brand.cadence, next_run_at=None).update(
            next_run_at=next_slot(brand, now)
        )
    due = scheduled.filter(next_run_at__lte=now).order_by("next_run_at")[:BRANDS_PER_TICK]
    return sum(_serve_slot(scheduler, brand, now) for brand in due)


def _serve_slot(scheduler: Caller, brand: Brand, now: datetime) -> bool:
    """Claim the slot and start its scan in one transaction: after a crash both are there or neither."""
    try:
        with transaction.atomic():
            slot = Brand.objects.filter(pk=brand.pk, cadence=brand.cadence, next_run_at=brand.next_run_at)
            if not slot.update(next_run_at=next_slot(brand, now)):
                return False
            _start(scheduler, brand)
    except Exception:  # one brand's trouble must not keep the others waiting; its slot stays due
        logger.exception("The slot of brand %s could not be served", brand.pk)
        return False
    return True


def _start(scheduler: Caller, brand: Brand) -> None:
    try:
        start_scan(scheduler, brand_id=brand.pk, trigger=Run.Trigger.SCHEDULE)
    except ServiceError as refusal:
        if refusal.code == ErrorCode.QUOTA_EXCEEDED:
            record_unaffordable(scheduler, brand=brand, refusal=refusal)
        else:
            logger.warning("Brand %s was not scanned: %s", brand.pk, refusal.message)
