"""What was spent at providers, month by month: for whom calls were made, and at whom."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

from django.db.models import QuerySet

from visibility.measured.charges import SUMS, Charges, charges_in, total
from visibility.models import ProviderCall

MONTHS = 6


@dataclass(frozen=True, slots=True)
class SpendLine:
    """What the calls of one purpose to one provider were charged in a month (UTC). Engines from elsewhere have no
    provider."""

    provider: str
    purpose: str
    charges: Charges


@dataclass(frozen=True, slots=True)
class MonthsSpend:
    """A month by its first day, with what was charged in it."""

    month: date
    lines: list[SpendLine]

    @property
    def name(self) -> str:
        """As people write it: "November 2026"."""
        return f"{self.month:%B %Y}"

    @property
    def charges(self) -> Charges:
        """All of it."""
        return total(line.charges for line in self.lines)


def spend_by_month(calls: QuerySet[ProviderCall], now: datetime) -> list[MonthsSpend]:
    """The last months of these calls that have any, the newest first; one statement for each of MONTHS."""
    paid = calls.exclude(outcome=ProviderCall.Outcome.FAILED).order_by()
    spend = []
    for first, end in _months(now):
        rows = paid.filter(created_at__gte=first, created_at__lt=end).values("provider", "purpose").annotate(**SUMS)
        lines = [
            SpendLine(row["provider"], ProviderCall.Purpose(row["purpose"]).label, charges_in(row)) for row in rows
        ]
        if lines:
            spend.append(
                MonthsSpend(first.date(), sorted(lines, key=lambda line: (-line.charges.cost, line.provider)))
            )
    return spend


def _months(now: datetime) -> Iterator[tuple[datetime, datetime]]:
    """The first moment of each month, and that of the next."""
    number = now.astimezone(UTC).year * 12 + now.astimezone(UTC).month - 1
    for month in range(number, number - MONTHS, -1):
        yield _first(month), _first(month + 1)


def _first(number: int) -> datetime:
    return datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC)
