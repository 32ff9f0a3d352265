"""Why questions of a run got no answer: by engine and reason how many, the last error, and what to do about it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber

from visibility.measured.charges import Charges, charges_in_words, charges_of
from visibility.models import Answer
from visibility.resources.scans import EngineProgress
from visibility.services.runs.results import Tallies

_SLOW = (
    "Nothing is to be done for one scan: it was asked again until its time was over. If it goes on, ask the operator."
)
_REPEAT = "Start another scan. If it fails again, tell the operator what stands here."
_STEPS: Mapping[str, str] = {
    "auth": "The operator has to renew the engine's key; no other scan gets answers from it until then.",
    "quota_exhausted": "The operator's account at the provider is used up: top it up, or wait for the next day.",
    "model_not_found": "The operator has to correct the model or the address of this engine.",
    "invalid_request": "The operator has to correct this engine's settings: the provider does not take its requests.",
    "context_length": "Ask in fewer words: these prompts are too long for the model.",
    "content_filter": "The provider refuses these prompts. Ask in other words, or leave them out.",
    "output_limit": "The operator has to raise the engine's bound of output tokens.",
    "spend_cap": "The most that a scan may cost was reached. Ask fewer prompts or samples, or ask the operator.",
    "rate_limited": "The provider takes no more so fast. The operator can have it asked more slowly.",
    "server_error": _SLOW,
    "timeout": _SLOW,
    "unreachable": _SLOW,
    "attempts_exhausted": "The scan was interrupted again and again. Start another one.",
}
"""What the reader of a page can do, or whom to ask, by the code of the error."""


@dataclass(frozen=True, slots=True)
class FailureReason:
    """So many questions to an engine failed with this code; `message` is the last one's, and may quote a provider."""

    engine: str
    code: str
    message: str
    number: int

    @property
    def step(self) -> str:
        """What to do about it, in a sentence or two."""
        return _STEPS.get(self.code, _REPEAT)


def failures_of(run_id: UUID) -> Sequence[FailureReason]:
    """The reasons by engine, the most frequent first; one statement."""
    group = [F("engine"), F("error_code")]
    newest = [F("answered_at").desc(nulls_last=True), F("position").desc()]
    last: Any = Answer.objects.filter(run=run_id, state=Answer.State.FAILED).order_by()
    last = last.annotate(
        place=Window(RowNumber(), partition_by=group, order_by=newest),
        number=Window(Count("pk"), partition_by=group),
    ).filter(place=1)
    rows = last.values_list("engine", "error_code", "error_message", "number")
    return [FailureReason(*row) for row in sorted(rows, key=lambda row: (row[0], -row[3], row[1]))]


@dataclass(frozen=True, slots=True)
class EngineLine:
    """One engine of a run: how far it is, what its calls were charged, and why questions failed."""

    progress: EngineProgress
    charges: Charges
    reasons: Sequence[FailureReason]

    @property
    def waiting(self) -> int:
        """Questions that have neither an answer nor an error yet."""
        return self.progress.total - self.progress.done - self.progress.failed

    @property
    def charged(self) -> str:
        """The charges in words, empty where nothing was charged."""
        return money_in_words(self.charges)


def money_in_words(charges: Charges) -> str:
    """What calls were charged; empty where all of them were free."""
    is_free = not charges.cost and charges.known == charges.calls
    return "" if is_free else charges_in_words(charges)


def engine_lines(run_id: UUID, engines: Iterable[EngineProgress]) -> list[EngineLine]:
    """What came of each engine of the run, with its charges; two statements."""
    charges, reasons = charges_of(run_id), failures_of(run_id)
    return [
        EngineLine(
            progress,
            charges.get(progress.engine, Charges()),
            [reason for reason in reasons if reason.engine == progress.engine],
        )
        for progress in engines
    ]


def progress_of(tallies: Tallies) -> list[EngineProgress]:
    """How many questions of each engine were answered and failed, by name."""
    counts: dict[str, Counter[str]] = {}
    for question, tally in tallies.items():
        engine_counts = counts.setdefault(question.engine, Counter())
        engine_counts.update(
            done=tally.answers, failed=tally.failed, total=tally.answers + tally.failed + tally.pending
        )
    return [EngineProgress(engine=engine, **counts[engine]) for engine in sorted(counts)]
