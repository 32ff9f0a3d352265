"""What the providers charged for the calls of a run: those that gave an answer and those that gave none."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Sum

from visibility.metrics.amounts import exact_dollars
from visibility.models import Answer, FailedCall, NameJudgement, Run

NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Charges:
    """So many `calls` were charged. `cost` is that of the `known` ones among them, in US dollars."""

    calls: int = 0
    known: int = 0
    cost: Decimal = NOTHING

    def __add__(self, other: "Charges") -> "Charges":
        return Charges(self.calls + other.calls, self.known + other.known, self.cost + other.cost)


def charges_of_answers(run_id: UUID) -> dict[str, Charges]:
    """What the answers of the run cost, by engine; imported ones were not asked for here."""
    answers = Answer.objects.filter(run=run_id, state=Answer.State.ANSWERED).order_by()
    answers = answers.exclude(run__trigger=Run.Trigger.IMPORT)
    return _by_engine(
        answers.values(name=F("engine")).annotate(calls=Count("pk"), known=Count("cost"), sum=Sum("cost"))
    )


def charges_of_failures(run_id: UUID) -> dict[str, Charges]:
    """What the calls of the run that gave no answer cost, by engine; those that were not charged do not count."""
    calls = FailedCall.objects.filter(answer__run=run_id).order_by()
    return _by_engine(
        calls.values(name=F("answer__engine")).annotate(calls=Count("pk"), known=Count("cost"), sum=Sum("cost"))
    )


def charges_of_judgements(run_id: UUID) -> dict[str, Charges]:
    """What it cost to have names in the run's answers judged, by engine."""
    calls = NameJudgement.objects.filter(answer__run=run_id, charged=True).order_by()
    rows = calls.values("engine").annotate(calls=Count("pk"), known=Count("cost"), sum=Sum("cost"))
    return _by_engine({**row, "name": row["engine"]} for row in rows)


def charges_of(run_id: UUID) -> dict[str, Charges]:
    """What all calls of the run cost, by engine."""
    kinds = (charges_of_answers(run_id), charges_of_failures(run_id), charges_of_judgements(run_id))
    engines = set().union(*kinds)
    return {engine: total(charges.get(engine, Charges()) for charges in kinds) for engine in engines}


def charges_since(start: datetime) -> Charges:
    """What all calls of the runs that were started since then cost; imports cost nothing here."""
    answers = Answer.objects.filter(run__created_at__gte=start, state=Answer.State.ANSWERED).exclude(
        run__trigger=Run.Trigger.IMPORT
    )
    calls = FailedCall.objects.filter(answer__run__created_at__gte=start)
    judgements = NameJudgement.objects.filter(answer__run__created_at__gte=start, charged=True)
    rows = (
        kind.order_by().aggregate(calls=Count("pk"), known=Count("cost"), sum=Sum("cost"))
        for kind in (answers, calls, judgements)
    )
    return total(Charges(row["calls"], row["known"], row["sum"] or NOTHING) for row in rows)


def total(charges: Iterable[Charges]) -> Charges:
    """All of them together."""
    return sum(charges, Charges())


def charges_in_words(charges: Charges) -> str:
    """For people: "$0.0400 for 2 calls", with how many are not in it because their cost is not known."""
    calls = f"{charges.calls} {'call' if charges.calls == 1 else 'calls'}"
    if not charges.calls:
        return "nothing"
    if not charges.known:
        return f"{calls}, cost unknown"
    rest = charges.calls - charges.known
    return f"{exact_dollars(charges.cost)} for {calls}" + (f", {rest} of them of unknown cost" if rest else "")


def _by_engine(rows: Iterable[dict[str, Any]]) -> dict[str, Charges]:
    return {row["name"]: Charges(row["calls"], row["known"], row["sum"] or NOTHING) for row in rows}
