"""What is worth writing: what recommendations ask for, what no own page answers, and comparisons that buyers make."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from uuid import UUID

from django.db.models import Count

from apikeys.text import marked
from brands.models import Brand, Competitor
from visibility.counts.reader import Selection, select_now
from visibility.evidence.reads import criteria_of
from visibility.evidence.resources import Criterion
from visibility.models import AuditPage, Citation, Mention, Recommendation, Topic
from visibility.models.content import DraftFormat
from visibility.recommendations.cards import show
from visibility.recommendations.kinds import KINDS

WRITTEN_KINDS = frozenset(name for name, kind in KINDS.items() if kind.writes_page)
"""Kinds of recommendations that a page can do something about."""
WRITTEN_STATES = (Recommendation.Status.OPEN, Recommendation.Status.IN_PROGRESS)
LEAST_SEARCHING = 2
LEAST_LABELLED, LABELLED_SHARE = 4, 0.10
MOST_SEARCHES, MOST_CRITERIA, MOST_COMPARISONS = 5, 5, 2
TOO_FEW = (
    "Nothing of what buyers judge by is known on this topic yet, and no own page was read. Audit the site first."
)


@dataclass(frozen=True, slots=True)
class Chance:
    """A page worth writing or mending: `answers` of `of` show it. `label`: the criterion or search that it is on."""

    id: str
    kind: str
    title: str
    why: str
    topic: Topic | None
    format: DraftFormat
    answers: int
    of: int
    page: str | None = None
    recommendation: UUID | None = None
    label: str = ""
    rival: Competitor | None = None


@dataclass(frozen=True)
class Ground:
    """What opportunities are found in, read once."""

    brand: Brand
    now: Selection
    topics: dict[UUID, Topic]
    is_audited: bool


def ground_of(brand: Brand) -> Ground:
    """What is known of a brand, for its opportunities."""
    return Ground(brand, select_now(brand), writable_topics(brand), is_audited(brand))


def writable_topics(brand: Brand) -> dict[UUID, Topic]:
    """The topics that are the brand's own, or undecided."""
    return {topic.pk: topic for topic in Topic.objects.filter(brand=brand).exclude(own=False)}


def is_audited(brand: Brand) -> bool:
    """Whether a page of the site was read."""
    return AuditPage.objects.filter(run__brand=brand).exists()


def opportunities_of(ground: Ground) -> list[Chance]:
    """All opportunities, recommendations first, then those that touch most answers."""
    rows = Recommendation.objects.filter(brand=ground.brand, kind__in=WRITTEN_KINDS, status__in=WRITTEN_STATES)
    recommended = filter(None, (chance_of(ground.brand, row, ground.topics) for row in rows))
    found = [*recommended, *_criteria(ground), *_searches(ground), *_comparisons(ground)]
    return sorted(found, key=lambda each: (each.kind != "recommendation", -each.answers, each.id))


def chance_of(brand: Brand, row: Recommendation, topics: Mapping[UUID, Topic]) -> Chance | None:
    """The page to write for a recommendation; None where no page helps, it is closed, or its topic is not own."""
    if row.kind not in WRITTEN_KINDS or row.status not in WRITTEN_STATES:
        return None
    card = show(row, brand)
    if card.facts is None:
        return None
    topic = topics.get(card.facts.topic_id) if card.facts.topic_id else None
    if card.facts.topic_id and topic is None:
        return None
    return Chance(
        id=f"recommendation:{row.pk}",
        kind="recommendation",
        title=card.title.marked,
        why=card.summary.marked,
        topic=topic,
        format=DraftFormat.ARTICLE if topic else DraftFormat.FAQ,
        answers=card.facts.missing,
        of=card.facts.of,
        page=card.facts.page or None,
        recommendation=row.pk,
    )


def _criteria(ground: Ground) -> Iterator[Chance]:
    """What answers judge by and no own page proves; known only of a site that was audited."""
    if not ground.is_audited:
        return
    shown: dict[UUID, int] = defaultdict(int)
    for each in criteria_of(ground.brand):
        topic = ground.topics.get(each.topic_id)
        if topic is None or each.own_sentence or not _weighs(each) or shown[each.topic_id] >= MOST_CRITERIA:
            continue
        shown[each.topic_id] += 1
        yield Chance(
            id=f"criterion:{topic.pk}:{_key(each.label)}",
            kind="criterion",
            title=f"Say something on {marked(each.label)}",
            why=f"{each.mentioned} of {each.of} answers on {marked(topic.name)} judge by it; none of your pages "
            "that were read proves anything about it.",
            topic=topic,
            format=DraftFormat.FAQ,
            answers=each.mentioned,
            of=each.of,
            label=each.label,
        )


def _weighs(each: Criterion) -> bool:
    """Whether enough answers use the criterion as a label."""
    return each.labelled >= max(LEAST_LABELLED, LABELLED_SHARE * each.of)


def _searches(ground: Ground) -> Iterator[Chance]:
    """Searches of engines whose answers cite no page of the brand."""
    searching: dict[str, set[int]] = defaultdict(set)
    written: dict[str, str] = {}
    topics: dict[int, UUID] = {}
    rows = ground.now.answers.exclude(searches=[]).values_list("pk", "searches", "prompt__topic")
    for pk, searches, topic in rows:
        topics[pk] = topic
        for search in searches:
            key = " ".join(search.casefold().split())
            searching[key].add(pk)
            written.setdefault(key, " ".join(search.split()))
    answered = set(Citation.objects.filter(answer__in=list(topics), is_own=True).values_list("answer", flat=True))
    open_ones = {key: pks for key, pks in searching.items() if len(pks) >= LEAST_SEARCHING and not pks & answered}
    for key in sorted(open_ones, key=lambda each: (-len(open_ones[each]), each))[:MOST_SEARCHES]:
        pks = open_ones[key]
        yield Chance(
            id=f"search:{_key(key)}",
            kind="search",
            title=f"Answer the search {marked(written[key][:200])}",
            why=f"Engines searched for it in {len(pks)} answers; none of these cites a page of yours.",
            topic=ground.topics.get(topics[min(pks)]),
            format=DraftFormat.ARTICLE,
            answers=len(pks),
            of=len(topics),
            label=written[key][:200],
        )


def _comparisons(ground: Ground) -> Iterator[Chance]:
    """The competitors that most answers name together with the brand."""
    brand = ground.brand
    answers = list(ground.now.answers.values_list("pk", flat=True))
    own = Mention.objects.filter(answer__in=answers, competitor=None).values("answer")
    together = Mention.objects.filter(answer__in=own, competitor__isnull=False).order_by()
    counted = dict(together.values_list("competitor").annotate(Count("answer", distinct=True)))
    rivals = {rival.pk: rival for rival in brand.competitors.filter(pk__in=counted)}
    for pk in sorted(rivals, key=lambda each: (-counted[each], str(each)))[:MOST_COMPARISONS]:
        yield Chance(
            id=f"comparison:{pk}",
            kind="comparison",
            title=f"Compare {brand.name} with {rivals[pk].name}",
            why=f"{counted[pk]} of {len(answers)} answers name both of you.",
            topic=None,
            format=DraftFormat.COMPARISON,
            answers=counted[pk],
            of=len(answers),
            rival=rivals[pk],
        )


def _key(text: str) -> str:
    return blake2b(text.casefold().encode(), digest_size=6).hexdigest()
