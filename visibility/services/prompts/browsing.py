"""The answers to one prompt as people browse them: by run, day and engine, newest first, a page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from math import ceil
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import TruncDate

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import not_found
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.models import Answer, Run
from visibility.resources.answers import AnswerResource
from visibility.services.prompts.answers import shown_answers, subject_names
from visibility.services.prompts.detail import readable_prompt

ANSWERS_OF_PAGE = 5
MAX_TEXT = 20_000
"""Characters of an answer among others; its own page shows more."""
MAX_WHOLE = 1_000_000
"""Characters of an answer on its own page."""
MAX_RUNS = 100
"""Runs among which people choose, the newest; and so many days."""


@dataclass(frozen=True, slots=True)
class AskedRun:
    """A run that asked the prompt, and when the newest of its answers came; None where that is not known."""

    id: UUID
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class PromptAnswers:
    """Some answers to a prompt: `total` fit, these are of page `number`; people choose from `runs` (newest first),
    `engines` and, where imports hold answers of several days, from these `days` (newest first)."""

    answers: Sequence[AnswerResource]
    total: int
    number: int
    runs: Sequence[AskedRun]
    engines: Sequence[str]
    days: Sequence[date]


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """Which answers are shown: those of one run, engine and day (UTC), or of all. A scan's answers are of the day on
    which it began, those of an import of the day on which each was given."""

    run: UUID | None = None
    engine: str = ""
    day: date | None = None


ALL = AnswerChoice()


class _Group(NamedTuple):
    """So many answers of a run and engine on one day, the newest at `newest`."""

    run: UUID
    engine: str
    trigger: str
    began: datetime
    answered_on: date | None
    answers: int
    newest: datetime | None

    @property
    def day(self) -> date | None:
        """The day that they count for."""
        return self.answered_on if self.trigger == Run.Trigger.IMPORT else self.began.astimezone(UTC).date()

    def fits(self, choice: AnswerChoice) -> bool:
        """Whether they are asked for."""
        return (
            choice.run in (None, self.run) and choice.engine in ("", self.engine) and choice.day in (None, self.day)
        )


@snapshot()
def prompt_answers(caller: Caller, *, prompt_id: UUID, choice: AnswerChoice = ALL, page: int = 1) -> PromptAnswers:
    """Those answers to the prompt, in any wording, that are chosen, newest first, `ANSWERS_OF_PAGE` on a page. Behind
    the last page is the last page. Raises insufficient_scope, and not_found for a prompt that the caller cannot see.

    Six statements, however many answers there are.
    """
    prompt = readable_prompt(caller, prompt_id).prompt
    answers = Answer.objects.filter(prompt=prompt, state=Answer.State.ANSWERED)
    groups = _groups(answers)
    total = sum(group.answers for group in groups if group.fits(choice))
    number = max(1, min(page, ceil(total / ANSWERS_OF_PAGE)))
    newest_by_run: dict[UUID, datetime | None] = {}
    for group in groups:
        newest_by_run.setdefault(group.run, group.newest)
    return PromptAnswers(
        answers=_shown(prompt.brand, _chosen(answers, choice), (number - 1) * ANSWERS_OF_PAGE),
        total=total,
        number=number,
        runs=[AskedRun(run_id, newest) for run_id, newest in list(newest_by_run.items())[:MAX_RUNS]],
        engines=sorted({group.engine for group in groups}),
        days=_imported_days(groups, choice),
    )


@dataclass(frozen=True, slots=True)
class WholeAnswer:
    """An answer with the wording that it answers; `raw` is its text as it came."""

    resource: AnswerResource
    prompt: UUID
    wording: str
    raw: str


@snapshot()
def whole_answer(caller: Caller, *, brand_id: UUID, answer_id: UUID) -> WholeAnswer:
    """One answer of the brand. Raises insufficient_scope and not_found."""
    caller.require(Scope.READ_PROMPTS)
    answers = Answer.objects.restrict(caller, "view").filter(brand=brand_id, state=Answer.State.ANSWERED)
    answer = answers.select_related("version", "brand").filter(pk=answer_id).first()
    if answer is None:
        raise not_found()
    resources = shown_answers([answer], subject_names(answer.brand), longest=MAX_WHOLE)
    return WholeAnswer(resources[0], answer.prompt_id, answer.version.text, answer.text)


def _groups(answers: QuerySet[Answer]) -> list[_Group]:
    """All answers, counted by run, engine and day; the newest come first."""
    rows = (
        answers.order_by()
        .annotate(answered_on=TruncDate("answered_at", tzinfo=UTC))
        .values_list("run", "engine", "run__trigger", "run__created_at", "answered_on")
        .annotate(answers=Count("pk"), newest=Max("answered_at"))
        .order_by(F("newest").desc(nulls_last=True), "run")
    )
    return [_Group(*row) for row in rows]


def _imported_days(groups: Sequence[_Group], choice: AnswerChoice) -> list[date]:
    imported = [group for group in groups if group.trigger == Run.Trigger.IMPORT and choice.run in (None, group.run)]
    return sorted({group.day for group in imported if group.day}, reverse=True)[:MAX_RUNS]


def _chosen(answers: QuerySet[Answer], choice: AnswerChoice) -> QuerySet[Answer]:
    if choice.run is not None:
        answers = answers.filter(run=choice.run)
    if choice.day is not None:
        # Its last moment, not that of the next day: the last day that a date can name has none.
        day = (datetime.combine(choice.day, time.min, UTC), datetime.combine(choice.day, time.max, UTC))
        imported = Q(run__trigger=Run.Trigger.IMPORT)
        answers = answers.filter(Q(imported, answered_at__range=day) | Q(~imported, run__created_at__range=day))
    return answers.filter(engine=choice.engine) if choice.engine else answers


def _shown(brand: Brand, answers: QuerySet[Answer], skip: int) -> list[AnswerResource]:
    newest_first = answers.order_by(F("answered_at").desc(nulls_last=True), F("pk").desc())
    page = newest_first.select_related("version")[skip : skip + ANSWERS_OF_PAGE]
    return shown_answers(list(page), subject_names(brand), longest=MAX_TEXT)
