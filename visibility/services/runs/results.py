"""What the answers of a run or a day say of each prompt, beside those before it: k of n by prompt and engine."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from visibility.models import Answer, Mention


class Question(NamedTuple):
    """A wording, by its key, asked of an engine."""

    version: int
    engine: str


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of one wording at one engine: `named` of the `answers` name the brand; `failed` and `pending`
    questions have no answer. `run` is the last run that asked it."""

    run: UUID
    answers: int = 0
    named: int = 0
    failed: int = 0
    pending: int = 0

    def __add__(self, later: "Tally") -> "Tally":
        return Tally(
            later.run,
            self.answers + later.answers,
            self.named + later.named,
            self.failed + later.failed,
            self.pending + later.pending,
        )

    @property
    def share(self) -> Fraction | None:
        """The part of the answers that names the brand, 0 to 1; None without answers. Exact, so that a fall with one
        engine and a rise with another are told from no change at all."""
        return Fraction(self.named, self.answers) if self.answers else None


Tallies = Mapping[Question, Tally]


@dataclass(frozen=True)
class EngineOutcome:
    """One prompt at one engine, now and before; None where it was not asked there in the same wording."""

    engine: str
    now: Tally | None
    before: Tally | None

    @cached_property
    def change(self) -> Fraction | None:
        """By how much the part of answers that name the brand differs, -1 to 1; None where either has no answer."""
        if self.now is None or self.before is None or self.now.share is None or self.before.share is None:
            return None
        return self.now.share - self.before.share


@dataclass(frozen=True)
class PromptOutcome:
    """One prompt in one wording, by its key, at each engine that was asked it."""

    version: int
    engines: Sequence[EngineOutcome]

    @cached_property
    def change(self) -> Fraction | None:
        """The mean of its engines' changes, as scores are means of engines; None where nothing is on both sides."""
        changes = self._changes
        return sum(changes, Fraction(0)) / len(changes) if changes else None

    @cached_property
    def group(self) -> str:
        """Where it stands: "fell", "rose", "mixed" (as much with one engine as it rose with another), "same", "alone"
        (answered on one side only)."""
        if self.change is None:
            return "alone"
        if self.change:
            return "fell" if self.change < 0 else "rose"
        return "mixed" if any(self._changes) else "same"

    @property
    def _changes(self) -> list[Fraction]:
        return [outcome.change for outcome in self.engines if outcome.change is not None]


GROUPS = ("fell", "mixed", "rose", "same", "alone")
"""In the order in which they are shown: where to look first comes first."""


def count_results(answers: QuerySet[Answer, Any]) -> dict[UUID, dict[Question, Tally]]:
    """By run what came of each question, in one statement. Mentions are those of the current generation."""
    brand_mentions = Mention.objects.filter(answer=OuterRef("pk"), competitor=None).visible()
    states = Answer.State
    rows = (
        answers.order_by()
        .annotate(is_named=Exists(brand_mentions))
        .values_list("run_id", "version_id", "engine")
        .annotate(
            answers=Count("pk", filter=Q(state=states.ANSWERED)),
            named=Count("pk", filter=Q(state=states.ANSWERED, is_named=True)),
            failed=Count("pk", filter=Q(state=states.FAILED)),
            pending=Count("pk", filter=Q(state=states.PENDING)),
        )
    )
    by_run: dict[UUID, dict[Question, Tally]] = {}
    for run, version, engine, *counts in rows:
        by_run.setdefault(run, {})[Question(version, engine)] = Tally(run, *counts)
    return by_run


def pooled(tallies: Iterable[Tallies]) -> Tallies:
    """The runs of a day together, the earliest first."""
    together: dict[Question, Tally] = {}
    for run_tallies in tallies:
        for question, tally in run_tallies.items():
            together[question] = together[question] + tally if question in together else tally
    return together


def side_by_side(now: Tallies, before: Tallies) -> list[PromptOutcome]:
    """Every wording that was asked now or before: those whose result fell first, the largest fall ahead."""
    engines: dict[int, set[str]] = {}
    for question in (*now, *before):
        engines.setdefault(question.version, set()).add(question.engine)
    outcomes = [
        PromptOutcome(version, [_outcome(now, before, Question(version, engine)) for engine in sorted(names)])
        for version, names in engines.items()
    ]
    return sorted(outcomes, key=_place)


def _outcome(now: Tallies, before: Tallies, question: Question) -> EngineOutcome:
    return EngineOutcome(question.engine, now.get(question), before.get(question))


def _place(outcome: PromptOutcome) -> tuple[int, Fraction, int]:
    """Where nothing else tells, older wordings come first."""
    change = outcome.change or Fraction(0)
    return GROUPS.index(outcome.group), -abs(change), outcome.version
