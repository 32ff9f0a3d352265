"""Reads of evidence: where a reader has read, from what it found, else from what is counted."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from statistics import fmean
from typing import TypeVar
from uuid import UUID

from django.db.models import Count, F
from django.db.models.functions import Substr

from apikeys.accounts.caller import Caller
from apikeys.resources import Resource
from brands.access import readable_brand
from brands.models import Brand
from brands.names import names_of
from visibility.counts.reader import select_now
from visibility.evidence.claims import Statement, weigh
from visibility.evidence.resources import (
    BuyerCriteria,
    Claim,
    ClaimRow,
    Criterion,
    CriterionRow,
    CriterionWinner,
    OwnSentence,
    Polarity,
    PositioningClaims,
    Quote,
    ReviewThemes,
    Theme,
    ThemeRow,
    VoiceProfile,
)
from visibility.evidence.words import stems
from visibility.models import Answer, AuditPage, EvidenceItem, Mention, Review, Topic, UntrackedName
from visibility.models.evidence import EvidenceKind
from visibility.models.reading import Facet, Reading
from visibility.reading.reads import LEAST_ANSWERS, Finding, StatementQuote, findings_of, last_readings

R = TypeVar("R", bound=Resource)
MOST_QUOTES = 5
LEAD = 2
"""Answers by which somebody has to lead to be called the winner."""
POSITIVE, NEGATIVE = 3.75, 2.75
"""Stars from which, and up to which, a theme is positive and negative."""
READ_ANSWERS = (
    "Let the engine that writes read the answers (settings of the site), or have an assistant read them: copy the "
    "prompt and paste back what it found."
)
READ_REVIEWS = READ_ANSWERS.replace("the answers", "the reviews")
ONLY_LABELS = (
    "Where the basis is labelled, nobody has read the answers: only labels in English answers are counted, so each "
    f"number is a lower bound, and nobody is linked with it. {READ_ANSWERS}"
)
ONLY_WORDS = (
    "Of answers that nobody has read only the same words or the same number count as support, and nothing as a "
    f"contradiction. {READ_ANSWERS}"
)
NO_CRITERIA = (
    "No label is in three English answers of two engines, or to three prompts of one, and answers in other languages "
    f"have criteria only when they are read. Ask more questions that name no brand. {READ_ANSWERS}"
)
NOTHING_READ = "A reader has read the answers and found no reason that three answers, or two engines, give."
NO_CLAIMS = "No claim that can be checked was read on own pages. Claims are made when an audit ends: audit the site."
NO_REVIEWS = (
    "There are no reviews. Operators import them with the command import_reviews; those in the structured data of "
    "own pages are stored when the site is audited."
)
FEW_THEMES = "A reader has read the reviews and found nothing that three of them say. Import more reviews."
NO_THEMES = f"Nobody has read the reviews yet. {READ_REVIEWS}"
NO_VOICE = (
    "Audit the site: the profile is made when the audit ends, if its own pages have 1,000 words of whole sentences."
)
TOO_FEW_WORDS = (
    "The pages that the last audit read have fewer than 1,000 words of whole sentences, too few to tell how the site "
    "writes. Audit it again when it has more."
)


Readings = Mapping[UUID | None, Reading]
"""The newest reading of each topic, and of the reviews (None)."""


def own_sentences(brand: Brand) -> list[OwnSentence]:
    """The sentences of own pages that hold a number or an assurance, each with its address; claims first."""
    return [OwnSentence.model_validate(row.item) for row in _rows(brand, EvidenceKind.CLAIM)]


def criteria_of(brand: Brand, topic: Topic | None = None) -> list[Criterion]:
    """What answers judge by, in full, the weightiest first: of topics that were read what a reader found, of others
    labels. Topics that are not the brand's own are left out."""
    readings = last_readings(brand)
    read, proofs = _read_answers(brand, readings, topic), own_sentences(brand)
    counted = [Criterion.model_validate(row.item) for row in _rows(brand, EvidenceKind.CRITERION, topic)]
    found = [each for each in counted if each.topic_id not in read] + _found_criteria(brand, readings, read)
    for each in found:
        each.own_sentence = _proof(each.label, proofs)
    return sorted(found, key=lambda each: (-each.weight, -each.answers, each.label))


def claims_of(brand: Brand) -> list[Claim]:
    """What the site claims, in full, and what answers say of it: those of now that name it, and read ones."""
    claims = [each for each in own_sentences(brand) if each.is_claim]
    if not claims:
        return []
    now = list(select_now(brand).answers.values_list("pk", flat=True))
    naming = set(Mention.objects.filter(answer__in=now, competitor=None).values_list("answer", flat=True))
    statements = [*_found_statements(brand), *_sentences_on_brand(naming)]
    of = len(naming | {each.answer for each in statements})
    return weigh(claims, statements, of, [name.text for name in names_of(brand).brand.names])


def read_criteria(caller: Caller, brand_id: UUID, topic: Topic | None, *, full: bool) -> BuyerCriteria:
    """What answers judge by, of one topic or all, the weightiest first; in short unless `full`."""
    brand = readable_brand(caller, brand_id)
    found, read = criteria_of(brand, topic), _read_answers(brand, last_readings(brand), topic)
    is_counted = any(each.basis == "labelled" for each in found)
    return BuyerCriteria(
        site_id=brand.pk,
        criteria=_shown(found, Criterion if full else CriterionRow),
        answers=sum({each.topic_id: each.of for each in found}.values()),
        total=len(found),
        read_on=_read_on(brand) if read else None,
        note=ONLY_LABELS if is_counted else None,
        how_to_get_some=None if found else NOTHING_READ if read else NO_CRITERIA,
        made_at=_made_at(_rows(brand, EvidenceKind.CRITERION, topic)) if is_counted else None,
    )


def read_claims(caller: Caller, brand_id: UUID, *, full: bool) -> PositioningClaims:
    """What the site claims and what answers say of it; in short unless `full`."""
    brand = readable_brand(caller, brand_id)
    found = claims_of(brand)
    unread = (
        Topic.objects.filter(brand=brand)
        .exclude(own=False)
        .exclude(pk__in=_read_answers(brand, last_readings(brand)))
    )
    return PositioningClaims(
        site_id=brand.pk,
        claims=_shown(found, Claim if full else ClaimRow),
        pages=len({each.ours.url for each in found}),
        total=len(found),
        read_on=_read_on(brand),
        note=ONLY_WORDS if found and unread.exists() else None,
        how_to_get_some=None if found else NO_CLAIMS,
        made_at=_made_at(_rows(brand, EvidenceKind.CLAIM)),
    )


def read_themes(caller: Caller, brand_id: UUID, *, full: bool) -> ReviewThemes:
    """What customers speak of, as a reader found it, and their stars; in short unless `full`."""
    brand = readable_brand(caller, brand_id)
    themes = themes_of(brand)
    stars = [each for each in brand.reviews.values_list("stars", flat=True) if each is not None]
    counted = Counter(int(each + 0.5) for each in stars)
    reviews, read_on = brand.reviews.count(), _read_on(brand, of_reviews=True)
    none = NO_REVIEWS if not reviews else FEW_THEMES if read_on else NO_THEMES
    return ReviewThemes(
        site_id=brand.pk,
        themes=_shown(themes, Theme if full else ThemeRow),
        reviews=reviews,
        average_stars=round(fmean(stars), 2) if stars else None,
        by_stars={str(number): counted[number] for number in range(5, 0, -1)} if stars else {},
        total=len(themes),
        read_on=read_on,
        how_to_get_some=None if themes else none,
    )


def read_voice(caller: Caller, brand_id: UUID) -> VoiceProfile:
    """How the site writes; without a profile, how to get one."""
    brand = readable_brand(caller, brand_id)
    rows = _rows(brand, EvidenceKind.VOICE)
    how = TOO_FEW_WORDS if AuditPage.objects.filter(run__brand=brand).exists() else NO_VOICE
    profile = VoiceProfile.model_validate(
        rows[0].item if rows else {"site_id": brand.pk, "has_profile": False, "how_to_get_one": how}
    )
    return profile.model_copy(update={"made_at": _made_at(rows)})


def themes_of(brand: Brand) -> list[Theme]:
    """What a reader found in the reviews, the most frequent first."""
    found = [each for each in findings_of(brand) if each.topic is None and each.is_telling]
    keys = {quote.review_id for each in found for quote in each.quotes}
    reviews = Review.objects.filter(brand=brand).in_bulk([key for key in keys if key is not None])
    return [
        Theme(
            label=each.heading,
            facet=each.facet,
            polarity=_polarity([quote.stars for quote in each.quotes if quote.stars is not None]),
            count=each.k,
            of=each.n,
            quotes=[_quote(quote, reviews.get(quote.review_id or 0)) for quote in each.quotes[:MOST_QUOTES]],
        )
        for each in found
    ]


def winner_of(winners: Sequence[CriterionWinner]) -> str | None:
    """Who leads all others by LEAD answers or more, and by share of the answers that name it; else nobody."""
    if not winners or winners[0].answers < LEAD:
        return None
    first, *others = winners
    is_ahead = all(
        first.answers - each.answers >= LEAD and first.answers * each.naming > each.answers * first.naming
        for each in others
    )
    return first.subject if is_ahead else None


def _found_criteria(brand: Brand, readings: Readings, read: Mapping[UUID, Counter[str]]) -> list[Criterion]:
    """The reasons and wishes of buyers that a reader found under one heading, on topics with so many `read` answers
    by engine."""
    groups: dict[tuple[UUID, str], list[Finding]] = defaultdict(list)
    for each in findings_of(brand, [readings[topic] for topic in read]):
        if each.topic and each.facet in (Facet.REASON, Facet.BUYER):
            groups[each.topic, each.heading.casefold()].append(each)
    if not groups:
        return []
    topics = dict(Topic.objects.filter(brand=brand, pk__in=read).values_list("pk", "name"))
    called: dict[UUID | None, str] = {None: brand.name, **dict(brand.competitors.values_list("pk", "name"))}
    criteria = []
    for (topic, _), group in groups.items():
        engines = {quote.answer_id: quote.engine for each in group for quote in each.quotes}
        if len(engines) < LEAST_ANSWERS and len(set(engines.values())) < 2:
            continue
        winners = sorted(
            (
                CriterionWinner(
                    subject=called[each.subject],
                    competitor_id=each.subject,
                    answers=each.k,
                    naming=each.n,
                    quote=_quote(each.quotes[0]),
                )
                for each in group
                if each.facet == Facet.REASON
            ),
            key=lambda winner: -winner.answers,
        )
        criteria.append(
            Criterion(
                label=group[0].heading,
                topic=topics[topic],
                topic_id=topic,
                basis="read",
                answers=len(engines),
                of=read[topic].total(),
                by_engine=dict(sorted(Counter(engines.values()).items())),
                weight=round(100 * len(engines) / max(1, read[topic].total()), 1),
                winners=winners[:MOST_QUOTES],
                winner=winner_of(winners),
                own_naming=next((each.n for each in group if each.subject is None), 0),
                own_sentence=None,
                quotes=[_quote(quote) for each in group for quote in each.quotes][:MOST_QUOTES],
            )
        )
    return criteria


def _read_answers(brand: Brand, readings: Readings, topic: Topic | None = None) -> dict[UUID, Counter[str]]:
    """By own topic that was read, how many answers of each engine its newest reading had."""
    if not any(readings):
        return {}
    topics = Topic.objects.filter(brand=brand).exclude(own=False).values_list("pk", flat=True)
    wanted = {topic.pk} & {*topics} if topic else {*topics}
    found: dict[UUID, Counter[str]] = {}
    for key, reading in readings.items():
        if key and key in wanted:
            rows = Answer.objects.filter(brand=brand, pk__in=reading.read).order_by().values_list("engine__name")
            found[key] = Counter(dict(rows.annotate(Count("pk"))))
    return found


def _found_statements(brand: Brand) -> list[Statement]:
    """What a reader found that answers say of the brand."""
    return [
        Statement(quote.answer_id, _quote(quote), False, each.heading, each.facet, quote.value)
        for each in findings_of(brand)
        if each.topic is not None and each.subject is None
        for quote in each.quotes
        if quote.answer_id is not None
    ]


def _sentences_on_brand(answers: Iterable[int]) -> list[Statement]:
    """The sentences of these answers around the brand's name."""
    others: dict[int, list[int]] = defaultdict(list)
    rivals = Mention.objects.filter(answer__in=answers, competitor__isnull=False).values_list("answer", "start")
    untracked = UntrackedName.objects.filter(answer__in=answers).values_list("answer", "start")
    for answer, start in (*rivals, *untracked):
        others[answer].append(start)
    length = F("quote_end") - F("quote_start")
    rows = Mention.objects.filter(answer__in=answers, competitor=None).annotate(
        words=Substr("answer__text", F("quote_start") + 1, length)
    )
    return [
        Statement(
            answer,
            Quote(text=words, start=start, end=end, answer_id=answer, engine=engine, day=day),
            any(start <= place < end for place in others[answer]),
        )
        for answer, engine, day, start, end, words in rows.values_list(
            "answer", "answer__engine__name", "answer__day", "quote_start", "quote_end", "words"
        )
    ]


def _proof(label: str, sentences: Sequence[OwnSentence]) -> Quote | None:
    """The first own sentence with all words of a label."""
    words = {*stems(label)}
    return next((Quote(**each.model_dump()) for each in sentences if words <= {*stems(each.text)}), None)


def _quote(quote: StatementQuote, review: Review | None = None) -> Quote:
    return Quote(
        text=quote.text,
        engine=quote.engine or None,
        answer_id=quote.answer_id,
        review_id=quote.review_id,
        stars=quote.stars,
        url=(review.url or None) if review else None,
        day=review.day if review else None,
    )


def _polarity(stars: Sequence[float]) -> Polarity | None:
    if not stars:
        return None
    mean = fmean(stars)
    return "positive" if mean >= POSITIVE else "negative" if mean <= NEGATIVE else "mixed"


def _rows(brand: Brand, kind: EvidenceKind, topic: Topic | None = None) -> Sequence[EvidenceItem]:
    """The rows of a kind in their order, without topics that are not the brand's own."""
    rows = EvidenceItem.objects.filter(brand=brand, kind=kind).exclude(topic__own=False).order_by("position")
    return list(rows.filter(topic=topic) if topic else rows)


def _shown(items: Iterable[Resource], shape: type[R]) -> list[R]:
    """The items in a shape that may have fewer fields."""
    return [shape.model_validate(each.model_dump()) for each in items]


def _read_on(brand: Brand, *, of_reviews: bool = False) -> date | None:
    """The day of the newest reading of answers, or of reviews."""
    readings = last_readings(brand).items()
    return max((each.made_at.date() for topic, each in readings if (topic is None) == of_reviews), default=None)


def _made_at(rows: Sequence[EvidenceItem]) -> datetime | None:
    return rows[0].made_at if rows else None
