"""What the providers charged for the calls of a run: those that gave an answer and those that gave none."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Count, F, QuerySet, Sum, Value

from visibility.metrics.amounts import exact_dollars
from visibility.models import Answer, FailedCall, NameJudgement, Run

NOTHING = Decimal(0)


class Part(StrEnum):
    """What came of calls: answers, none, or judgements of names in answers."""

    ANSWERS = "answers"
    FAILURES = "failures"
    JUDGEMENTS = "judgements"


@dataclass(frozen=True, slots=True)
class Charges:
    """So many `calls` were charged. `cost` is that of the `known` ones among them, in US dollars."""

    calls: int = 0
    known: int = 0
    cost: Decimal = NOTHING

    def __add__(self, other: "Charges") -> "Charges":
        return Charges(self.calls + other.calls, self.known + other.known, self.cost + other.cost)


def charges_by_part(run_id: UUID) -> dict[Part, dict[str, Charges]]:
    """What the calls of the run cost, by what came of them and by engine, in one statement."""
    parts = [_rows(part, *_SOURCES[part](run_id)) for part in Part]
    charges: dict[Part, dict[str, Charges]] = {part: {} for part in Part}
    for part, engine, calls, known, cost in parts[0].union(*parts[1:], all=True):
        charges[Part(part)][engine] = Charges(calls, known, cost or NOTHING)
    return charges


def charges_of_failures(run_id: UUID) -> dict[str, Charges]:
    """What the calls of the run that gave no answer cost, by engine; those that were not charged do not count."""
    rows = _rows(Part.FAILURES, *_failures(run_id))
    return {engine: Charges(calls, known, cost or NOTHING) for _, engine, calls, known, cost in rows}


def charges_of_judgements(run_id: UUID) -> dict[str, Charges]:
    """What it cost to have names in the run's answers judged, by engine."""
    return charges_by_part(run_id)[Part.JUDGEMENTS]


def charges_of(run_id: UUID) -> dict[str, Charges]:
    """What all calls of the run cost, by engine."""
    by_part = charges_by_part(run_id).values()
    engines = set().union(*by_part)
    return {engine: total(charges.get(engine, Charges()) for charges in by_part) for engine in engines}


def charges_since(start: datetime) -> Charges:
    """What all calls of the runs that were started since then cost; imports cost nothing here.

    Answers are counted by their run and cost alone, which an index holds: there are millions, in wide rows.
    """
    answers = Answer.objects.filter(run__created_at__gte=start, state=Answer.State.ANSWERED).exclude(
        run__trigger=Run.Trigger.IMPORT
    )
    calls = FailedCall.objects.filter(answer__run__created_at__gte=start)
    judgements = NameJudgement.objects.filter(answer__run__created_at__gte=start, charged=True)
    rows = (
        kind.order_by().aggregate(calls=Count(row), known=Count("cost"), sum=Sum("cost"))
        for kind, row in ((answers, "run"), (calls, "pk"), (judgements, "pk"))
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


def _rows(part: Part, calls: QuerySet[Any, Any], engine: str) -> QuerySet[Any, Any]:
    named = calls.order_by().values(part=Value(part.value), engine_name=F(engine))
    summed = named.annotate(calls=Count("pk"), known=Count("cost"), sum=Sum("cost"))
    rows: QuerySet[Any, Any] = summed.values_list("part", "engine_name", "calls", "known", "sum")
    return rows


def _answers(run_id: UUID) -> tuple[QuerySet[Any, Any], str]:
    """Imported answers were not asked for here."""
    answers = Answer.objects.filter(run=run_id, state=Answer.State.ANSWERED)
    return answers.exclude(run__trigger=Run.Trigger.IMPORT), "engine"


def _failures(run_id: UUID) -> tuple[QuerySet[Any, Any], str]:
    return FailedCall.objects.filter(answer__run=run_id), "answer__engine"


def _judgements(run_id: UUID) -> tuple[QuerySet[Any, Any], str]:
    return NameJudgement.objects.filter(answer__run=run_id, charged=True), "engine"


_SOURCES = {Part.ANSWERS: _answers, Part.FAILURES: _failures, Part.JUDGEMENTS: _judgements}
