"""What is worth writing: what recommendations ask for, what no own page answers, and comparisons that buyers make."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from uuid import UUID

from django.db.models import Count
from django.utils.translation import gettext, gettext_noop

from apikeys.resources import Worded
from apikeys.text import marked
from brands.models import Brand, Competitor
from visibility.counts.reader import Selection, select_now
from visibility.evidence.gathering import own_pages
from visibility.evidence.pages import sentences_of
from visibility.evidence.reads import criteria_of
from visibility.evidence.resources import Criterion
from visibility.evidence.words import telling_stems
from visibility.models import AuditPage, Citation, Mention, Reading, Recommendation, Topic
from visibility.models.content import DraftFormat
from visibility.recommendations.cards import show
from visibility.recommendations.kinds import KINDS

WRITTEN_KINDS = frozenset(name for name, kind in KINDS.items() if kind.writes_page)
"""Kinds of recommendations that a page can do something about."""
WRITTEN_STATES = (Recommendation.Status.OPEN, Recommendation.Status.IN_PROGRESS)
LEAST_SEARCHING = 2
LEAST_STATED = 0.5
"""The part of a criterion's words that one sentence has to have to state it."""
MOST_SEARCHES, MOST_CRITERIA, MOST_COMPARISONS = 5, 5, 2
TOO_FEW = gettext_noop(
    "There is nothing to write from: no own page was read, and nobody has read the answers. Audit the site first."
)


@dataclass(frozen=True, slots=True)
class Chance:
    """A page worth writing or mending: `answers` of `of` show it. `label`: the heading or search that it is on."""

    id: str
    kind: str
    title: Worded
    why: Worded
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
    can_draft: bool


def ground_of(brand: Brand) -> Ground:
    """What is known of a brand, for its opportunities."""
    return Ground(brand, select_now(brand), writable_topics(brand), can_draft(brand))


def writable_topics(brand: Brand) -> dict[UUID, Topic]:
    """The topics that are the brand's own, or undecided."""
    return {topic.pk: topic for topic in Topic.objects.filter(brand=brand).exclude(own=False)}


def is_audited(brand: Brand) -> bool:
    """Whether a page of the site was read."""
    return AuditPage.objects.filter(run__brand=brand).exists()


def can_draft(brand: Brand) -> bool:
    """Whether there is anything to write from: an own page, or what a reader found."""
    return is_audited(brand) or Reading.objects.filter(brand=brand).exists()


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
        title=card.title,
        why=card.fact,
        topic=topic,
        format=DraftFormat.ARTICLE if topic else DraftFormat.FAQ,
        answers=card.facts.missing,
        of=card.facts.of,
        page=card.facts.page or None,
        recommendation=row.pk,
    )


def _criteria(ground: Ground) -> Iterator[Chance]:
    """What a reader found that answers choose by and no own page states; known only of a site that was audited."""
    shown = Counter[UUID]()
    for each in missing_criteria(ground.brand):
        topic = ground.topics.get(each.topic_id)
        if topic is None or shown[topic.pk] >= MOST_CRITERIA:
            continue
        shown[topic.pk] += 1
        why = gettext("{} of {} answers on {} choose by it; none of your pages that were read states it.")
        yield Chance(
            id=f"criterion:{topic.pk}:{_key(each.label)}",
            kind="criterion",
            title=worded(gettext("Say something on {}"), each.label),
            why=worded(why, each.answers, each.of, topic.name),
            topic=topic,
            format=DraftFormat.FAQ,
            answers=each.answers,
            of=each.of,
            label=each.label,
        )


def missing_criteria(brand: Brand) -> list[Criterion]:
    """What a reader found that answers choose by, and half of whose words no sentence of an audited site has."""
    texts = [telling_stems(each.text) for each in sentences_of(own_pages(brand))]
    rows = [(each, telling_stems(each.label)) for each in criteria_of(brand) if texts and each.basis == "read"]
    return [each for each, words in rows if all(len(words & text) < LEAST_STATED * len(words) for text in texts)]


def worded(sentence: str, *words: object) -> Worded:
    """A sentence of ours filled with numbers, and with words of others."""
    shown = [each if isinstance(each, int) else marked(str(each)) for each in words]
    return Worded(sentence.format(*words), sentence.format(*shown))


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
            title=worded(gettext("Answer the search {}"), written[key][:200]),
            why=worded(
                gettext("Engines searched for it in {} answers; none of these cites a page of yours."), len(pks)
            ),
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
            title=worded(gettext("Compare {} with {}"), brand.name, rivals[pk].name),
            why=worded(gettext("{} of {} answers name both of you."), counted[pk], len(answers)),
            topic=None,
            format=DraftFormat.COMPARISON,
            answers=counted[pk],
            of=len(answers),
            rival=rivals[pk],
        )


def _key(text: str) -> str:
    return blake2b(text.casefold().encode(), digest_size=6).hexdigest()
