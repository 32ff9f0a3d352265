"""How often answers name a brand: k of n by prompt and engine, counted in one statement."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from visibility.measured.ages import age
from visibility.measured.basis import EngineDay
from visibility.measured.reading import answers_of
from visibility.models import Answer, Mention
from visibility.resources.prompts import NamedIn


@dataclass(frozen=True, slots=True)
class CountedWording:
    """k of n by engine, of answers to one wording of a prompt, by its number."""

    version: int
    engines: list[NamedIn]


def mention_counts_by_prompt(engines: Sequence[EngineDay]) -> Mapping[UUID, list[NamedIn]]:
    """By prompt: each engine's answers of its day, and how many name the brand."""
    counts: dict[UUID, list[NamedIn]] = defaultdict(list)
    for prompt, _, named in _counted(engines, _answers(engines), ()):
        counts[prompt].append(named)
    return counts


def counted_wordings(
    engines: Sequence[EngineDay], *, among: Collection[UUID] | None = None
) -> dict[UUID, CountedWording]:
    """The same of the latest wording that was asked on these days, by prompt, or of those `among` some alone: one
    that was changed since counts as it was asked until it is asked anew."""
    answers = _answers(engines)
    if among is not None:
        answers = answers.filter(prompt__in=among)
    counts: dict[UUID, CountedWording] = {}
    for prompt, version, named in _counted(engines, answers, ("version__number",)):
        known = counts.get(prompt)
        if known is None or known.version < version:
            counts[prompt] = CountedWording(version, [named])
        elif known.version == version:
            known.engines.append(named)
    return counts


def _answers(engines: Sequence[EngineDay]) -> QuerySet[Answer, Any]:
    return answers_of(engines, active=False).filter(state=Answer.State.ANSWERED)


def _counted(
    engines: Sequence[EngineDay], answers: QuerySet[Answer, Any], more: Sequence[str]
) -> Iterator[tuple[UUID, int, NamedIn]]:
    """Each prompt (and wording, where `more` asks for it) with what one engine's answers to it name."""
    brand_mentions = Mention.objects.filter(answer=OuterRef("pk"), competitor=None).visible()
    rows = answers.annotate(is_named=Exists(brand_mentions)).order_by("prompt_id", "engine")
    days = {engine_day.engine: engine_day.day for engine_day in engines}
    today = timezone.now().date()
    ages = {engine: age(day, max(days.values()), today) for engine, day in days.items()}
    counted = rows.values_list("prompt_id", "engine", *more).annotate(
        count=Count("pk"), named=Count("pk", filter=Q(is_named=True))
    )
    for pk, engine, *wording, count, named in counted:
        yield (
            pk,
            wording[0] if wording else 0,
            NamedIn(engine=engine, named=named, answers=count, as_of=days[engine], age=ages[engine] or None),
        )
