"""The answers of a brand, all of them, whole: one page after the other, so that a million takes the memory of one."""

from collections.abc import Iterator

from django.db.models.functions import Length

from apikeys.caller import Caller
from brands.models import Brand
from visibility.models import Answer, Run
from visibility.resources.answers import AnswerResource
from visibility.resources.tables import AskedAnswer, CitationOfAnswer, MentionOfAnswer
from visibility.services.prompts.answers import shown_answers, subject_names

PAGE = 200
"""Answers that are read at once, at most."""
MAX_CHARACTERS = 500_000
"""Of the answers that are read at once; one that is longer alone is read by itself."""


def asked_answers(caller: Caller, brand: Brand) -> Iterator[AskedAnswer]:
    """Every answer, the newest run first, within a run in the order of asking."""
    for answer, resource in _shown(caller, brand):
        yield AskedAnswer(
            **dict(resource), prompt=answer.prompt_id, question=answer.version.text, locale=answer.version.locale
        )


def mentions(caller: Caller, brand: Brand) -> Iterator[MentionOfAnswer]:
    """Every mention, in the order of the answers and of their texts."""
    for answer, resource in _shown(caller, brand):
        for mention in resource.mentions:
            yield MentionOfAnswer(**_of(answer), **dict(mention))


def citations(caller: Caller, brand: Brand) -> Iterator[CitationOfAnswer]:
    """Every citation, in the order of the answers and of their sources."""
    for answer, resource in _shown(caller, brand):
        for citation in resource.citations:
            yield CitationOfAnswer(**_of(answer), **dict(citation))


def _of(answer: Answer) -> dict[str, object]:
    return {
        "answer": answer.pk,
        "run": answer.run_id,
        "prompt": answer.prompt_id,
        "engine": answer.engine,
        "answered_at": answer.answered_at,
    }


def _shown(caller: Caller, brand: Brand) -> Iterator[tuple[Answer, AnswerResource]]:
    names = subject_names(brand)
    for page in _pages(caller, brand):
        yield from zip(page, shown_answers(page, names, longest=None), strict=True)


def _pages(caller: Caller, brand: Brand) -> Iterator[list[Answer]]:
    runs = Run.objects.restrict(caller, "view").filter(brand=brand).exclude(kind=Run.Kind.AUDIT)
    for run in list(runs.order_by("-created_at", "-pk").values_list("pk", flat=True)):
        answers = Answer.objects.filter(run=run, state=Answer.State.ANSWERED).counting().order_by("position")
        last = -1
        while lengths := list(answers.filter(position__gt=last).values_list("position", Length("text"))[:PAGE]):
            first, last = lengths[0][0], _last_position(lengths)
            page = answers.filter(position__range=(first, last)).select_related("version")
            yield list(page.defer("sources", "searches"))


def _last_position(lengths: list[tuple[int, int]]) -> int:
    """The position to which answers are read together: those whose texts fit, and the first in any case."""
    position, characters = lengths[0]
    for next_position, length in lengths[1:]:
        characters += length
        if characters > MAX_CHARACTERS:
            break
        position = next_position
    return position
