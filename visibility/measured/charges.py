"""What the providers charged, as the ledger of calls says: all of it, or that of one run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum

from visibility.metrics.amounts import exact_dollars
from visibility.models import ProviderCall

NOTHING = Decimal(0)


class Part(StrEnum):
    """What came of calls: answers, none, or judgements of names in answers."""

    ANSWERS = "answers"
    FAILURES = "failures"
    JUDGEMENTS = "judgements"


@dataclass(frozen=True, slots=True)
class Charges:
    """So many `calls` were charged, or may have been. `cost` is that of the `known` ones among them, `at_most` what
    the others may have cost as far as prices are known; both in US dollars."""

    calls: int = 0
    known: int = 0
    cost: Decimal = NOTHING
    at_most: Decimal = NOTHING

    def __add__(self, other: "Charges") -> "Charges":
        return Charges(
            self.calls + other.calls,
            self.known + other.known,
            self.cost + other.cost,
            self.at_most + other.at_most,
        )


SUMS: Mapping[str, Any] = {
    "calls": Count("pk"),
    "known": Count("cost"),
    "sum": Sum("cost"),
    "bound": Sum("reserved", filter=Q(cost=None)),
}
"""What charges are summed from, over calls."""


def charges_in(row: Mapping[str, Any]) -> Charges:
    """The charges of a row of SUMS."""
    return Charges(row["calls"], row["known"], row["sum"] or NOTHING, row["bound"] or NOTHING)


def charges_by_part(run_id: UUID) -> dict[Part, dict[str, Charges]]:
    """What the calls of the run cost that have ended, by what came of them and by engine, in one statement."""
    charges: dict[Part, dict[str, Charges]] = {part: {} for part in Part}
    for row in _of_run(run_id).values("purpose", "outcome", "engine").annotate(**SUMS):
        of_part = charges[_part(row["purpose"], row["outcome"])]
        of_part[row["engine"]] = of_part.get(row["engine"], Charges()) + charges_in(row)
    return charges


def charges_of_failures(run_id: UUID) -> dict[str, Charges]:
    """What the calls of the run that gave no answer cost, by engine; those that were free do not count."""
    return charges_by_part(run_id)[Part.FAILURES]


def charges_of(run_id: UUID) -> dict[str, Charges]:
    """What all calls of the run cost that have ended, by engine."""
    rows = _of_run(run_id).values("engine").annotate(**SUMS)
    return {row["engine"]: charges_in(row) for row in rows}


def charges_since(start: datetime) -> Charges:
    """What all calls since then cost, whoever made them; with what those under way may cost."""
    calls = ProviderCall.objects.filter(created_at__gte=start).exclude(outcome=ProviderCall.Outcome.FAILED)
    return charges_in(calls.order_by().aggregate(**SUMS))


def total(charges: Iterable[Charges]) -> Charges:
    """All of them together."""
    return sum(charges, Charges())


def charges_in_words(charges: Charges) -> str:
    """For people: "$0.0400 for 2 calls", with how many are not in it because their cost is not known."""
    calls = f"{charges.calls} {'call' if charges.calls == 1 else 'calls'}"
    at_most = f", {exact_dollars(charges.at_most)} at most" if charges.at_most else ""
    if not charges.calls:
        return "nothing"
    if not charges.known:
        return f"{calls}, cost unknown{at_most}"
    rest = charges.calls - charges.known
    unknown = f", {rest} of them of unknown cost{at_most}" if rest else ""
    return f"{exact_dollars(charges.cost)} for {calls}{unknown}"


def _of_run(run_id: UUID) -> QuerySet[Any, Any]:
    rows: QuerySet[Any, Any] = ProviderCall.objects.filter(run=run_id).charged().order_by()
    return rows


def _part(purpose: str, outcome: str) -> Part:
    if purpose == ProviderCall.Purpose.JUDGE:
        return Part.JUDGEMENTS
    return Part.ANSWERS if outcome == ProviderCall.Outcome.ANSWERED else Part.FAILURES
