"""The simulated days of the demo: which there are, when they begin and end, and the clock that runs on them."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from django.utils import timezone

from brands.models import Brand

SEEDER = "command:seed_demo"
"""The actor of the runs that are made here."""
DAYS = 60


def first_day(brand: Brand) -> date:
    """Day 1: the history ends on the day before the brand was made, also where it is completed later."""
    return brand.created_at.astimezone(UTC).date() - timedelta(days=DAYS)


def day_of(brand: Brand, number: int) -> date:
    """The date of a simulated day, 1 to `DAYS`."""
    return first_day(brand) + timedelta(days=number - 1)


def moment_of(brand: Brand, number: int, hour: int) -> datetime:
    """A full hour of a simulated day."""
    return datetime.combine(day_of(brand, number), time(hour, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class Clock:
    """Tells the time of a simulated day: it stood at `start` when it was made, and runs since as every clock does."""

    start: datetime
    _made: datetime = field(default_factory=timezone.now)

    def __call__(self) -> datetime:
        return self.start + (timezone.now() - self._made)
