"""The scans that brands ask for by their cadence. A slot is a column of the brand, so that downtime loses none."""

import hashlib
import logging
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from brands.models import Brand, Cadence
from visibility.models import Run
from visibility.runs.services import record_refused_slot, start_scan

BRANDS_AT_ONCE = 100
_MONDAY = datetime(2024, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)
_PERIODS = {Cadence.DAILY: _DAY, Cadence.WEEKLY: 7 * _DAY}

logger = logging.getLogger(__name__)


def next_slot(brand: Brand, after: datetime) -> datetime | None:
    """The first slot of the brand's cadence later than `after`; None for a manual one.

    Time of day, weekday and day of the month (1 to 28) follow from the brand's id: brands spread evenly, and each
    keeps its slot.
    """
    days, seconds = divmod(int.from_bytes(hashlib.sha256(brand.pk.bytes).digest()[:8]), 24 * 3600)
    time_of_day = timedelta(seconds=seconds)
    if brand.cadence == Cadence.MONTHLY:
        month = after.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        offset = days % 28 * _DAY + time_of_day
        return month + offset if month + offset > after else (month + 32 * _DAY).replace(day=1) + offset
    period = _PERIODS.get(Cadence(brand.cadence))
    if period is None:
        return None
    first = _MONDAY + days % period.days * _DAY + time_of_day
    return first + ((after - first) // period + 1) * period


def start_due_scans(scheduler: Caller) -> None:
    """Give brands without a slot their first one, and start what is due, as `scheduler`, who reaches every brand.

    However long nothing ran, a brand gets one scan, then its next slot from now on.
    """
    now = timezone.now()
    scheduled = Brand.objects.exclude(cadence=Cadence.MANUAL).filter(owner__is_active=True)
    for brand in scheduled.filter(next_run_at=None)[:BRANDS_AT_ONCE]:
        unset = Brand.objects.filter(pk=brand.pk, cadence=brand.cadence, next_run_at=None)
        unset.update(next_run_at=next_slot(brand, now))
    for brand in scheduled.filter(next_run_at__lte=now).order_by("next_run_at")[:BRANDS_AT_ONCE]:
        try:
            _serve_slot(scheduler, brand, now)
        except Exception:  # one brand's trouble must not delay the others, and not those that are due after it
            logger.exception("The scan of brand %s that is due could not be started", brand.pk)
            _leave_out_slot(scheduler, brand, now)


@transaction.atomic
def _leave_out_slot(scheduler: Caller, brand: Brand, now: datetime) -> None:
    """Claim the slot of a brand whose scan cannot be started, and record that for its owner."""
    if _claim_slot(brand, now):
        failure = ServiceError(ErrorCode.INTERNAL_ERROR, "The service could not start this scan.")
        record_refused_slot(scheduler, brand, failure)


def _claim_slot(brand: Brand, now: datetime) -> bool:
    """Move the brand to its next slot; False where another worker was first."""
    slot = Brand.objects.filter(pk=brand.pk, cadence=brand.cadence, next_run_at=brand.next_run_at)
    return bool(slot.update(next_run_at=next_slot(brand, now)))


@transaction.atomic
def _serve_slot(scheduler: Caller, brand: Brand, now: datetime) -> None:
    """Claim the slot and start its scan in one transaction: after a crash there are both or neither."""
    if not _claim_slot(brand, now):
        return
    try:
        with transaction.atomic():
            start_scan(scheduler, brand_id=brand.pk, trigger=Run.Trigger.SCHEDULE)
    except ServiceError as refusal:
        if refusal.code == ErrorCode.QUOTA_EXCEEDED:
            record_refused_slot(scheduler, brand, refusal)
        else:
            logger.warning("Brand %s was not scanned: %s", brand.pk, refusal.message)
