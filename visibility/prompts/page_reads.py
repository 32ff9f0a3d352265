"""Reads of prompts for pages: which were lost, one prompt day by day, and any answer to it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID

from django.db.models import Max

from brands.models import Brand
from visibility.counts.window import measured_cells
from visibility.models import Answer, Mention, Prompt, Run
from visibility.prompts.reads import PromptCounts, answers_shown
from visibility.prompts.resources import AnswerShown

LATELY = timedelta(days=28)
"""How long ago the last mention may be for its end to count as a loss."""
MOST_DAYS = 42


@dataclass(frozen=True, slots=True)
class EngineDays:
    """One engine's last measured days, the oldest first, and on which of them each subject (the brand: None) was
    mentioned in any answer."""

    engine: str
    days: Sequence[date]
    hits: Mapping[UUID | None, Sequence[bool]]


def last_mentions(brand: Brand, counts: Mapping[UUID, PromptCounts]) -> dict[UUID, date]:
    """By prompt, the last day on which an answer mentioned the brand, within LATELY of the newest day in the
    counts."""
    newest = max((row.last_day for each in counts.values() for row in each.engines), default=None)
    if newest is None:
        return {}
    cells = measured_cells(brand).filter(competitor=None, day__gt=newest - LATELY, mentioned__gt=0).order_by()
    return dict(cells.values_list("version__prompt").annotate(day=Max("day")))


def answer_of_prompt(prompt: Prompt, key: str) -> AnswerShown | None:
    """One answer to a prompt by its id, however old it is; None where there is none."""
    if not (key.isascii() and key.isdigit() and len(key) < 16):
        return None
    rows = Answer.objects.answered().filter(prompt=prompt, pk=int(key)).select_related("engine", "version__prompt")
    found = answers_shown(prompt.brand, list(rows), full=True)
    return found[0] if found else None


def days_of_prompt(prompt: Prompt) -> list[EngineDays]:
    """By engine, the last measured days of a prompt in all its wordings."""
    rows = Answer.objects.answered().filter(prompt=prompt, run__kind=Run.Kind.VISIBILITY)
    days: dict[str, dict[date, set[int]]] = defaultdict(lambda: defaultdict(set))
    for pk, day, engine in rows.order_by("-day").values_list("pk", "day", "engine__name"):
        if day in days[engine] or len(days[engine]) < MOST_DAYS:
            days[engine][day].add(pk)
    shown = [pk for of_engine in days.values() for pks in of_engine.values() for pk in pks]
    mentions = Mention.objects.filter(answer__in=shown).visible()
    naming: dict[UUID | None, set[int]] = defaultdict(set)
    for answer, competitor in mentions.values_list("answer", "competitor"):
        naming[competitor].add(answer)
    return [
        EngineDays(
            engine,
            sorted(of_engine),
            {
                subject: [bool(of_engine[day] & answers) for day in sorted(of_engine)]
                for subject, answers in ({None: set[int]()} | naming).items()
            },
        )
        for engine, of_engine in sorted(days.items())
    ]
