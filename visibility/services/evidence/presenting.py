"""Evidence as it looks from outside."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from visibility.detection.types import BRAND
from visibility.evidence import types
from visibility.measured.evidence import Stored
from visibility.measured.topics import Topics
from visibility.resources.voice import (
    BuyerCriterion,
    CriterionWinner,
    PositioningClaim,
    Quote,
    ReviewTheme,
    VoiceFigure,
    VoiceProfile,
)


def profile_resource(stored: Stored[types.Voice]) -> VoiceProfile | None:
    """The profile; None where there was too little text to measure one."""
    voice = stored.content
    if not voice.figures or stored.as_of is None:
        return None
    return VoiceProfile(
        words=voice.words,
        pages=voice.pages,
        language=voice.language,
        as_of=stored.as_of,
        figures=[
            VoiceFigure(
                trait=figure.trait.value, value=figure.value, unit=figure.unit, examples=_quotes(figure.examples)
            )
            for figure in voice.figures
        ],
        calls=_quotes(voice.calls),
    )


def theme_resource(theme: types.Theme) -> ReviewTheme:
    """A theme of reviews."""
    return ReviewTheme(
        label=theme.label,
        polarity=theme.polarity.value if theme.polarity else None,
        estimated=theme.estimated,
        mean_stars=theme.mean_stars,
        count=theme.count,
        reviews=theme.reviews,
        answers=theme.answers,
        trend=theme.trend,
        quotes=_quotes(theme.quotes),
    )


def claim_resource(weighed: types.WeighedClaim) -> PositioningClaim:
    """A claim, with what answers say of it."""
    claim = weighed.claim
    return PositioningClaim(
        claim=claim.text,
        kind=claim.kind.value,
        backing=claim.backing.value,
        ours=_quotes(claim.ours),
        engines_say=weighed.says.value,
        answers=weighed.answers,
        quotes=_quotes([*weighed.contradicting, *weighed.supporting]),
    )


def criterion_resource(
    criterion: types.Criterion, brand: str, rivals: Mapping[UUID, str], topics: Topics
) -> BuyerCriterion:
    """A criterion; winners that are watched no more are left out."""
    names = {BRAND: brand, **{str(key): name for key, name in rivals.items()}}
    return BuyerCriterion(
        label=criterion.label,
        weight=criterion.weight,
        answers=criterion.answers,
        of_answers=criterion.of_answers,
        engines=list(criterion.engines),
        prompts=criterion.prompts,
        topics=[topics.name_of(topic) for topic, _ in criterion.topics],
        winners=[
            CriterionWinner(
                competitor=None if winner.subject == BRAND else UUID(winner.subject),
                name=names[winner.subject],
                answers=winner.answers,
                quote=quote_resource(winner.quote),
            )
            for winner in criterion.winners
            if winner.subject in names
        ],
        quotes=_quotes(criterion.quotes),
    )


def quote_resource(quote: types.Quote) -> Quote:
    """Words of others, with where they stand."""
    return Quote(
        text=quote.text,
        source=quote.source,
        url=quote.url or None,
        path=list(quote.path),
        offset=quote.offset,
        rule=quote.rule,
        engine=quote.engine or None,
        answer_id=UUID(quote.answer) if quote.answer else None,
    )


def _quotes(quotes: Sequence[types.Quote]) -> list[Quote]:
    return [quote_resource(quote) for quote in quotes]
