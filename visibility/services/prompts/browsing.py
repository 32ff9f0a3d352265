"""The answers to one prompt as people browse them: by run and engine, newest first, a page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from uuid import UUID

from django.db.models import Count, F, Max, QuerySet

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import not_found
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.models import Answer, Prompt
from visibility.resources.answers import AnswerResource
from visibility.services.prompts.answers import shown_answers, subject_names

ANSWERS_OF_PAGE = 5
MAX_TEXT = 20_000
"""Characters of an answer among others; its own page shows more."""
MAX_WHOLE = 1_000_000
"""Characters of an answer on its own page."""
MAX_RUNS = 100
"""Runs among which people choose, the newest."""


@dataclass(frozen=True, slots=True)
class AskedRun:
    """A run that asked the prompt, and when the newest of its answers came; None where that is not known."""

    id: UUID
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class PromptAnswers:
    """Some answers to a prompt: `total` fit, these are of page `number`; people choose from `runs` (newest first) and
    `engines`."""

    answers: Sequence[AnswerResource]
    total: int
    number: int
    runs: Sequence[AskedRun]
    engines: Sequence[str]


@snapshot()
def prompt_answers(
    caller: Caller, *, prompt_id: UUID, run: UUID | None = None, engine: str = "", page: int = 1
) -> PromptAnswers:
    """Answers to the prompt in any wording, newest first, `ANSWERS_OF_PAGE` on a page; of all runs and engines, or of
    one. Behind the last page is the last page. Raises insufficient_scope, and not_found for a prompt that the caller
    cannot see.

    Six statements, however many answers there are.
    """
    caller.require(Scope.READ_PROMPTS)
    prompt = Prompt.objects.restrict(caller, "view").select_related("brand").filter(pk=prompt_id).first()
    if prompt is None:
        raise not_found()
    answers = Answer.objects.filter(prompt=prompt, state=Answer.State.ANSWERED)
    groups = list(
        answers.order_by()
        .values_list("run", "engine")
        .annotate(answers=Count("pk"), newest=Max("answered_at"))
        .order_by(F("newest").desc(nulls_last=True), "run")
    )
    total = sum(tally for run_id, name, tally, _ in groups if run in (None, run_id) and engine in ("", name))
    number = max(1, min(page, ceil(total / ANSWERS_OF_PAGE)))
    newest_by_run: dict[UUID, datetime | None] = {}
    for run_id, _, _, newest in groups:
        newest_by_run.setdefault(run_id, newest)
    return PromptAnswers(
        answers=_shown(prompt.brand, _chosen(answers, run, engine), (number - 1) * ANSWERS_OF_PAGE),
        total=total,
        number=number,
        runs=[AskedRun(run_id, newest) for run_id, newest in list(newest_by_run.items())[:MAX_RUNS]],
        engines=sorted({name for _, name, _, _ in groups}),
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


def _chosen(answers: QuerySet[Answer], run: UUID | None, engine: str) -> QuerySet[Answer]:
    if run is not None:
        answers = answers.filter(run=run)
    return answers.filter(engine=engine) if engine else answers


def _shown(brand: Brand, answers: QuerySet[Answer], skip: int) -> list[AnswerResource]:
    newest_first = answers.order_by(F("answered_at").desc(nulls_last=True), F("pk").desc())
    page = newest_first.select_related("version")[skip : skip + ANSWERS_OF_PAGE]
    return shown_answers(list(page), subject_names(brand), longest=MAX_TEXT)
