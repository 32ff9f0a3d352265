"""The answers to one prompt as people browse them: by run and engine, newest first, a page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, F, QuerySet

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import not_found
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.models import Answer, Competitor, Prompt
from visibility.resources.answers import AnswerResource
from visibility.services.prompts.answers import shown_answers

ANSWERS_OF_PAGE = 5
MAX_TEXT = 50_000
"""Characters of an answer that are shown to people; the rest is in its raw text."""
MAX_RUNS = 100
"""Runs among which people choose, the newest."""


@dataclass(frozen=True, slots=True)
class AskedRun:
    """A run that asked the prompt, and when it was started."""

    id: UUID
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PromptAnswers:
    """Some answers to a prompt: `total` fit, `runs` and `engines` are those that one can choose from."""

    answers: Sequence[AnswerResource]
    total: int
    runs: Sequence[AskedRun]
    engines: Sequence[str]


@snapshot()
def prompt_answers(
    caller: Caller, *, prompt_id: UUID, run: UUID | None = None, engine: str = "", skip: int = 0
) -> PromptAnswers:
    """Answers to the prompt in any wording, newest first, `ANSWERS_OF_PAGE` after the first `skip`; of all runs and
    engines, or of one. Raises insufficient_scope, and not_found for a prompt that the caller cannot see.

    Five statements, however many answers there are.
    """
    caller.require(Scope.READ_PROMPTS)
    prompt = Prompt.objects.restrict(caller, "view").select_related("brand").filter(pk=prompt_id).first()
    if prompt is None:
        raise not_found()
    answers = Answer.objects.filter(prompt=prompt, state=Answer.State.ANSWERED)
    tallies = list(
        answers.order_by().values_list("run", "run__created_at", "engine").annotate(answers=Count("pk")),
    )
    runs = {run_id: created_at for run_id, created_at, _, _ in tallies}
    newest = sorted(runs, key=lambda run_id: (runs[run_id], run_id), reverse=True)[:MAX_RUNS]
    return PromptAnswers(
        answers=_shown(prompt.brand, _chosen(answers, run, engine), skip),
        total=sum(
            count for run_id, _, name, count in tallies if run in (None, run_id) and engine in ("", name)
        ),
        runs=[AskedRun(run_id, runs[run_id]) for run_id in newest],
        engines=sorted({name for _, _, name, _ in tallies}),
    )


@snapshot()
def whole_answer(caller: Caller, *, brand_id: UUID, answer_id: UUID) -> tuple[Answer, AnswerResource]:
    """One answer of the brand, with its prompt, and as it is shown, whole. Raises insufficient_scope and not_found."""
    caller.require(Scope.READ_PROMPTS)
    answers = Answer.objects.restrict(caller, "view").filter(brand=brand_id, state=Answer.State.ANSWERED)
    answer = answers.select_related("version", "prompt", "brand").filter(pk=answer_id).first()
    if answer is None:
        raise not_found()
    shown = shown_answers([answer], _names(answer.brand), most=MAX_WHOLE)
    return answer, shown[0]


def _chosen(answers: QuerySet[Answer], run: UUID | None, engine: str) -> QuerySet[Answer]:
    if run is not None:
        answers = answers.filter(run=run)
    return answers.filter(engine=engine) if engine else answers


def _shown(brand: Brand, answers: QuerySet[Answer], skip: int) -> list[AnswerResource]:
    newest_first = answers.order_by(F("answered_at").desc(nulls_last=True), F("pk").desc())
    page = newest_first.select_related("version")[skip : skip + ANSWERS_OF_PAGE]
    return shown_answers(list(page), _names(brand), most=MAX_TEXT)
