"""What was found, as the doors show it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from brands.models import Brand
from visibility.detection.quotes import quote as sentence_around
from visibility.evidence.claims import SiteClaim
from visibility.evidence.criteria import TopicCriterion, Use
from visibility.evidence.pages import Sentence
from visibility.evidence.reading import BRAND, quote_of
from visibility.evidence.resources import (
    Backing,
    Claim,
    Criterion,
    CriterionWinner,
    Quote,
    Theme,
    VoiceProfile,
    VoiceTrait,
)
from visibility.evidence.themes import Place, ReviewText, ReviewTheme
from visibility.evidence.voice import SiteVoice
from visibility.evidence.weighing import Statement
from visibility.evidence.winners import Winner, winner_of
from visibility.models import Topic

MOST_WINNERS = 5
MOST_QUOTES = 5
MOST_THEME_QUOTES = 3
LONGEST_QUOTE = 400
LEAST_SAID = 12
"""Characters behind a label that say something."""
HOW_TO_GET_A_VOICE = (
    "Audit the site: the profile is made when the audit ends, if its own pages have 1,000 words of whole sentences."
)


def criterion_of(
    topic: Topic,
    of: int,
    found: TopicCriterion,
    winners: Sequence[Winner],
    spoken: Mapping[str, int],
    naming: Mapping[str, int],
    called: Mapping[str, str],
    proof: Sentence | None,
) -> Criterion:
    """A criterion on a topic with `of` answers; `called`: by their keys the names of those whom somebody tracks, of
    whom so many answers are `naming` each and have `spoken` of the criterion with them."""
    known = [winner for winner in winners if winner.subject in called]
    first, chosen = winner_of(known), _chosen(found.uses)
    return Criterion(
        label=found.label,
        topic=topic.name,
        topic_id=topic.pk,
        labelled=found.labelled,
        mentioned=found.mentioned,
        of=of,
        engines=sorted({use.answer.engine for use in found.uses}),
        weight=round(100 * found.labelled / of, 1),
        winners=[
            CriterionWinner(
                subject=called[winner.subject],
                competitor_id=UUID(winner.subject) if winner.subject else None,
                answers=winner.answers,
                naming=naming.get(winner.subject, 0),
                quote=quote_of(winner.praise.answer, winner.praise.start, winner.praise.end),
            )
            for winner in known[:MOST_WINNERS]
        ],
        winner=called[first.subject] if first else None,
        own_spoken=spoken.get(BRAND, 0),
        own_naming=naming.get(BRAND, 0),
        own_sentence=proof and of_page(proof),
        quotes=[quote_of(each.answer, each.start, min(each.stop, each.start + LONGEST_QUOTE)) for each in chosen],
    )


def _chosen(uses: Sequence[Use]) -> list[Use]:
    """One of each answer, rather one with something said behind it; each engine once before any twice."""
    ranked = sorted(uses, key=lambda use: (use.stop - use.end > LEAST_SAID, -use.answer.id, -use.start))
    first = list({use.answer.id: use for use in ranked}.values())
    number: dict[str, int] = defaultdict(int)
    turns = []
    for use in sorted(first, key=lambda use: use.answer.id):
        number[use.answer.engine] += 1
        turns.append((use.stop - use.end <= LEAST_SAID, number[use.answer.engine], use))
    return [use for *_, use in sorted(turns, key=lambda each: each[:2])][:MOST_QUOTES]


def of_page(sentence: Sentence) -> Quote:
    """A sentence of an own page."""
    return Quote(text=sentence.text, start=sentence.start, end=sentence.end, url=sentence.page.url)


def claim_of(found: SiteClaim, of: int, statements: Mapping[Backing, Sequence[Statement]]) -> Claim:
    """A claim, with what so many answers (`of`) that name the brand say of it."""
    supported, contradicted = statements.get("supported", ()), statements.get("contradicted", ())
    says: Backing = "absent"
    if supported or contradicted:
        says = "contradicted" if len(contradicted) > len(supported) else "supported"
    # What is against a claim is shown first: it is what somebody has to act on.
    return Claim(
        claim=found.sentence.text,
        kind=found.kind,
        ours=of_page(found.sentence),
        says=says,
        supported=len(supported),
        contradicted=len(contradicted),
        of=of,
        quotes=[each.quote for each in (*contradicted[:MOST_QUOTES], *supported[:MOST_QUOTES])][:MOST_QUOTES],
    )


def theme_of(found: ReviewTheme, reviews: Sequence[ReviewText]) -> Theme:
    """A theme, with sentences of the reviews that speak of it."""
    return Theme(
        label=found.label,
        polarity=found.polarity,
        count=len(found.places),
        of=len(reviews),
        trend=found.trend,
        in_answers=found.in_answers,
        quotes=[_of_review(reviews[place.review], place) for place in found.places[:MOST_THEME_QUOTES]],
    )


def _of_review(review: ReviewText, place: Place) -> Quote:
    start, end = sentence_around(review.text, place.span, (0, len(review.text)))
    return Quote(
        text=review.text[start:end],
        start=start,
        end=end,
        review_id=review.id,
        url=review.url or None,
        day=review.day,
    )


def voice_of(brand: Brand, found: SiteVoice | None, tone: Iterable[VoiceTrait]) -> VoiceProfile:
    """The voice of a site, or how to get one."""
    return VoiceProfile(
        site_id=brand.pk,
        has_profile=found is not None,
        how_to_get_one=None if found else HOW_TO_GET_A_VOICE,
        traits=[*tone, *found.traits] if found else [],
        examples=list(map(of_page, found.examples)) if found else [],
        calls_to_action=list(found.calls) if found else [],
        words=found.words if found else 0,
        refined_by=None,
        made_at=None,
    )
