"""The recommendations of a brand as its people look through them: by status, kind and topic, a page at a time."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, F, OrderBy, QuerySet, Window
from django.db.models.functions import RowNumber

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.measured.topics import read_topics
from visibility.models import QUEUE_ORDER, Recommendation

ON_A_PAGE = 25
TO_DO = "to_do"
"""Open or in progress: what people still have to work on."""
ANY = "all"
_Status = Recommendation.Status
STATUSES: Mapping[str, tuple[str, ...]] = {
    TO_DO: (_Status.OPEN, _Status.IN_PROGRESS),
    **{status: (status,) for status in _Status.values},
    ANY: tuple(_Status.values),
}
"""What a list can be asked for, by the statuses that it shows."""
_PRIORITY, *_EQUALS = QUEUE_ORDER
URGENCY: Sequence[str | OrderBy] = (
    _PRIORITY,
    *(F(f"factors__{name}").desc(nulls_last=True) for name in ("answers", "engines")),
    *_EQUALS,
)
"""The most urgent first: by priority, then by evidence (more answers, on more engines), then as every queue."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a list is narrowed to; an empty kind or topic is any. `status` is one of `STATUSES`."""

    status: str = TO_DO
    kind: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One page (`page` of `pages`) of the recommendations that fit, most urgent first; `total` fit. `statuses`,
    `kinds` and `topics` count what fits the other two parts of the choice; `topic_names` are what people read."""

    brand: Brand
    choice: Choice
    rows: Sequence[Recommendation]
    total: int
    page: int
    pages: int
    statuses: Mapping[str, int]
    kinds: Mapping[str, int]
    topics: Mapping[str, int]
    topic_names: Mapping[str, str]


@snapshot()
def listed_recommendations(caller: Caller, *, brand_id: UUID, choice: Choice, page: int = 1) -> Listed:
    """The recommendations that fit, without summaries and evidence. A page beyond the last is the last.

    Raises insufficient_scope and not_found. Four statements, for one recommendation and for thousands.
    """
    caller.require(Scope.READ_RECOMMENDATIONS)
    brand = readable_brand(caller, brand_id)
    queue: QuerySet[Recommendation] = Recommendation.objects.filter(brand=brand)
    fields = ("status", "kind", "topic")
    counts = list(queue.order_by().values_list(*fields).annotate(count=Count("pk")))
    statuses: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    topics: Counter[str] = Counter()
    total = 0
    wanted = STATUSES.get(choice.status, ())
    for status, kind, topic, count in counts:
        fits = (status in wanted, choice.kind in ("", kind), choice.topic in ("", topic))
        statuses[status] += count * (fits[1] and fits[2])
        kinds[kind] += count * (fits[0] and fits[2])
        topics[topic] += count * (fits[0] and fits[1])
        total += count * all(fits)
    pages = max(1, -(-total // ON_A_PAGE))
    page = min(max(page, 1), pages)
    return Listed(
        brand=brand,
        choice=choice,
        rows=list(most_urgent_first(_fitting(queue, choice))[(page - 1) * ON_A_PAGE : page * ON_A_PAGE]),
        total=total,
        page=page,
        pages=pages,
        statuses=statuses,
        kinds=kinds,
        topics=topics,
        topic_names=read_topics(brand.pk).names,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToDo:
    """What to begin with, most urgent first; `total` is to do in all, and `alike` counts by kind what there is beside
    the rows. `topic_names` are what people read."""

    rows: Sequence[Recommendation]
    total: int
    alike: Mapping[str, int]
    topic_names: Mapping[str, str]


def first_to_do(caller: Caller, *, brand: Brand, most: int, topic_names: Mapping[str, str] | None = None) -> ToDo:
    """What to begin with on a brand that the caller sees: the most urgent of each kind, so that one cause with many
    topics does not hide the others; of fewer kinds than `most` the next ones, too. Raises insufficient_scope.

    Two statements at most; one where the names of topics are known.
    """
    caller.require(Scope.READ_RECOMMENDATIONS)
    queue = _fitting(Recommendation.objects.filter(brand=brand), Choice()).annotate(
        total=Window(Count("pk")),
        of_kind=Window(Count("pk"), partition_by="kind"),
        place=Window(RowNumber(), partition_by="kind", order_by=URGENCY),
    )
    rows: list[Any] = sorted(queue.order_by("place", *URGENCY)[:most], key=lambda row: -row.priority)
    if topic_names is None:
        topic_names = read_topics(brand.pk).names if any(row.topic for row in rows) else {}
    shown_by_kind = Counter(row.kind for row in rows)
    alike = {row.kind: row.of_kind - shown_by_kind[row.kind] for row in rows}
    return ToDo(rows=rows, total=rows[0].total if rows else 0, alike=alike, topic_names=topic_names)


def _fitting(queue: QuerySet[Recommendation], choice: Choice) -> QuerySet[Recommendation]:
    rows = queue.filter(status__in=STATUSES.get(choice.status, ()))
    rows = rows.select_related("proof").defer("summary", "evidence", "proof__plan", "proof__result")
    if choice.kind:
        rows = rows.filter(kind=choice.kind)
    return rows.filter(topic=choice.topic) if choice.topic else rows


def most_urgent_first(rows: QuerySet[Recommendation]) -> QuerySet[Recommendation]:
    """By priority, then by evidence (more answers, on more engines), then as every queue."""
    return rows.order_by(*URGENCY)
