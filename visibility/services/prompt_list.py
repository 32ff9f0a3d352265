"""The prompts of a brand, with what answers to them showed on the latest measured day."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q

from apikeys.caller import Caller
from apikeys.resources import Quota
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.detection.detector import named_in
from visibility.detection.matching import Dictionary
from visibility.detection.types import BRAND
from visibility.models import Answer, DailyScore, Mention, Prompt
from visibility.prompt_resources import Coverage, NamedIn, PromptItem, PromptList
from visibility.scans.names import vocabulary_of


def prompts_of(
    caller: Caller,
    *,
    brand_id: UUID,
    stage: str | None = None,
    branded: bool | None = None,
    active: bool | None = True,
) -> PromptList:
    """The prompts that fit, by topic, with “k of n” for each engine; None fits all. Raises not_found."""
    caller.require(Scope.READ_PROMPTS)
    brand = readable_brand(caller, brand_id)
    prompts = list(Prompt.objects.for_caller(caller).filter(brand=brand))
    day, runs = _latest_day(caller, brand)
    results = _results(runs)
    vocabulary = vocabulary_of(brand)
    dictionary = Dictionary(vocabulary.names, vocabulary.domains)
    items = [_item(prompt, dictionary, results.get(prompt.pk, [])) for prompt in prompts]
    return PromptList(
        site=brand.pk,
        as_of=day,
        prompts=[
            item
            for item in items
            if stage in (None, item.stage) and branded in (None, item.branded) and active in (None, item.active)
        ],
        coverage=_coverage(items),
        quota=prompt_quota(brand),
    )


def prompt_quota(brand: Brand) -> Quota:
    """How many active prompts the plan of the brand's owner allows, and how many there are."""
    plan = brand.owner.plan
    used = Prompt.objects.filter(brand=brand).active().count()
    return Quota(limit=plan.max_prompts_per_site if plan else 0, used=used)


def _latest_day(caller: Caller, brand: Brand) -> tuple[date | None, list[UUID]]:
    days = DailyScore.objects.for_caller(caller).filter(brand=brand, competitor=None, score__isnull=False)
    row = days.order_by("-date").values_list("date", "runs").first()
    return (row[0], [UUID(run) for run in row[1]]) if row else (None, [])


def _results(runs: Sequence[UUID]) -> Mapping[UUID, list[NamedIn]]:
    """By prompt: each engine's answers of these runs, and how many name the brand."""
    own = Mention.objects.filter(answer=OuterRef("pk"), competitor=None).visible()
    answers = Answer.objects.filter(run__in=runs, state=Answer.State.ANSWERED).annotate(is_named=Exists(own))
    rows = answers.order_by("prompt_id", "engine").values_list("prompt_id", "engine")
    found: dict[UUID, list[NamedIn]] = defaultdict(list)
    for prompt, engine, count, named in rows.annotate(count=Count("pk"), named=Count("pk", filter=Q(is_named=True))):
        found[prompt].append(NamedIn(engine=engine, named=named, answers=count))
    return found


def _item(prompt: Prompt, dictionary: Dictionary, engines: list[NamedIn]) -> PromptItem:
    return PromptItem(
        id=prompt.pk,
        text=prompt.text,
        topic=prompt.topic,
        stage=prompt.stage or None,
        intent=prompt.intent or None,
        persona=prompt.persona,
        locale=prompt.locale,
        branded=BRAND in named_in(prompt.text, dictionary),
        active=prompt.archived_at is None,
        version=prompt.version,
        created_at=prompt.created_at,
        named=sum(each.named for each in engines),
        answers=sum(each.answers for each in engines),
        engines=engines,
    )


def _coverage(items: Sequence[PromptItem]) -> list[Coverage]:
    counts = Counter((item.stage, item.intent) for item in items if item.active)
    ordered = sorted(counts.items(), key=lambda pair: tuple(part or "" for part in pair[0]))
    return [Coverage(stage=stage, intent=intent, prompts=count) for (stage, intent), count in ordered]
