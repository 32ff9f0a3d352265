"""How often answers name a brand: k of n by prompt and engine, counted in one statement."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils import timezone

from visibility.measured.ages import age
from visibility.measured.basis import EngineDay
from visibility.measured.reading import answers_of
from visibility.models import Answer, Mention
from visibility.resources.prompts import NamedIn


def mention_counts_by_prompt(
    engines: Sequence[EngineDay], *, among: Collection[UUID] | None = None, current_wording: bool = False
) -> Mapping[UUID, list[NamedIn]]:
    """By prompt, or `among` some prompts alone: each engine's answers of its day, and how many name the brand.

    Where the counts stand beside the wording that a prompt has now, ask for answers to its `current_wording` alone.
    """
    brand_mentions = Mention.objects.filter(answer=OuterRef("pk"), competitor=None).visible()
    answered = answers_of(engines, active=False).filter(state=Answer.State.ANSWERED)
    answers = answered.annotate(is_named=Exists(brand_mentions))
    if current_wording:
        answers = answers.filter(version__number=F("prompt__version"))
    if among is not None:
        answers = answers.filter(prompt__in=among)
    rows = answers.order_by("prompt_id", "engine").values_list("prompt_id", "engine")
    days = {engine_day.engine: engine_day.day for engine_day in engines}
    today = timezone.now().date()
    ages = {engine: age(day, max(days.values()), today) for engine, day in days.items()}
    counts_by_prompt: dict[UUID, list[NamedIn]] = defaultdict(list)
    for pk, engine, count, named in rows.annotate(count=Count("pk"), named=Count("pk", filter=Q(is_named=True))):
        counts_by_prompt[pk].append(
            NamedIn(engine=engine, named=named, answers=count, as_of=days[engine], age=ages[engine] or None)
        )
    return counts_by_prompt
