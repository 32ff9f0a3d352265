"""How often answers name a brand: k of n by prompt and engine, counted in one statement."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q

from visibility.models import Answer, Mention
from visibility.prompt_resources import NamedIn


def named_by_prompt(
    runs: Sequence[UUID], *, prompt: UUID | None = None, current_wording: bool = False
) -> Mapping[UUID, list[NamedIn]]:
    """By prompt, or of one prompt alone: each engine's answers of these runs, and how many name the brand.

    Where the counts stand beside the wording that a prompt has now, ask for answers to its `current_wording` alone.
    """
    own = Mention.objects.filter(answer=OuterRef("pk"), competitor=None).visible()
    answers = Answer.objects.filter(run__in=runs, state=Answer.State.ANSWERED).annotate(is_named=Exists(own))
    if current_wording:
        answers = answers.filter(version__number=F("prompt__version"))
    if prompt is not None:
        answers = answers.filter(prompt=prompt)
    rows = answers.order_by("prompt_id", "engine").values_list("prompt_id", "engine")
    found: dict[UUID, list[NamedIn]] = defaultdict(list)
    for pk, engine, count, named in rows.annotate(count=Count("pk"), named=Count("pk", filter=Q(is_named=True))):
        found[pk].append(NamedIn(engine=engine, named=named, answers=count))
    return found
