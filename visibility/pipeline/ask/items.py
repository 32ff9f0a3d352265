"""What is asked and what came of it: the line between a run's rows and the engines."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count

from visibility.engines.protocol import EngineAnswer, EngineError, Question
from visibility.models import Answer, PromptVersion, ProviderCall, Run


@dataclass(frozen=True, slots=True)
class Pending:
    """One answer to ask for. `charged` counts the calls of it that the provider charged and that gave no answer."""

    answer_id: UUID
    question: Question
    charged: int = 0


@dataclass(frozen=True, slots=True)
class AskResult:
    """What came of one pending answer: an answer, or the error that no further attempt can help.

    With `again` it is what came of a call after which the question is asked again: the answer stays pending. `call`
    is that call in the ledger, None where none was made for this outcome. `attempts` counts the calls that were made,
    none where it was not asked; `latency_ms` is that of the last one.
    """

    answer_id: UUID
    attempts: int
    latency_ms: int
    answered_at: datetime
    outcome: EngineAnswer | EngineError
    call: UUID | None = None
    again: bool = False


Store = Callable[[Sequence[AskResult]], None]


def pending_by_engine(run: Run) -> dict[str, list[Pending]]:
    """The answers that are still to be asked for, in their order, by engine."""
    rows = list(
        Answer.objects.filter(run=run, state=Answer.State.PENDING)
        .order_by("position")
        .values_list("pk", "engine", "version_id")
    )
    charged = ProviderCall.objects.filter(run=run, outcome=ProviderCall.Outcome.CHARGED).exclude(answer=None)
    calls = dict(charged.order_by().values_list("answer").annotate(Count("pk")))
    versions = PromptVersion.objects.in_bulk({version for _, _, version in rows})
    questions = {pk: Question(version.text, version.locale) for pk, version in versions.items()}
    pending: dict[str, list[Pending]] = defaultdict(list)
    for answer_id, engine, version in rows:
        pending[engine].append(Pending(answer_id, questions[version], calls.get(answer_id, 0)))
    return dict(pending)
