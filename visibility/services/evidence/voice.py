"""How a brand speaks, what reviews and answers say of it, and by what buyers judge: as it was found, with quotes."""

from dataclasses import dataclass
from uuid import UUID

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.measured.evidence import read_at_once, stored_claims, stored_criteria, stored_themes, stored_voice
from visibility.measured.generations import rival_names
from visibility.measured.topics import read_topics
from visibility.resources.voice import BuyerCriteria, PositioningClaims, ReviewThemes, VoiceProfileResult
from visibility.services.evidence.missing import no_claims, no_criteria, no_themes, no_voice
from visibility.services.evidence.presenting import (
    claim_resource,
    criterion_resource,
    profile_resource,
    theme_resource,
)
from visibility.services.reading.topics import meant_topic


@snapshot()
def voice_profile(caller: Caller, *, brand_id: UUID) -> VoiceProfileResult:
    """How the brand's own pages speak. Without pages, or with less than 1,000 words on them, there is no profile.

    Raises insufficient_scope and not_found, as all here.
    """
    brand = _brand(caller, brand_id)
    stored = stored_voice(brand.pk, caller)
    profile = profile_resource(stored) if stored else None
    missing = None if profile else no_voice(caller, brand, stored)
    return VoiceProfileResult(
        site=brand_id,
        has_profile=profile is not None,
        profile=profile,
        how_to_get_one=missing.sentence if missing else None,
        next_step=missing.step if missing else None,
    )


@snapshot()
def review_themes(caller: Caller, *, brand_id: UUID) -> ReviewThemes:
    """What reviews speak about: those that were imported and those on the brand's pages."""
    brand = _brand(caller, brand_id)
    stored = stored_themes(brand.pk, caller)
    themes = [theme_resource(theme) for theme in stored.content] if stored else []
    missing = None if themes else no_themes(caller, brand, stored)
    return ReviewThemes(
        site=brand_id,
        as_of=stored.as_of if stored else None,
        themes=themes,
        how_to_get_data=missing.sentence if missing else None,
        next_step=missing.step if missing else None,
    )


@snapshot()
def buyer_criteria(caller: Caller, *, brand_id: UUID, topic: str | None = None) -> BuyerCriteria:
    """What answers to buying questions judge by, of all topics or of the one that is meant by a name.

    Raises invalid_arguments for a topic that the brand does not have.
    """
    brand = _brand(caller, brand_id)
    topics = read_topics(brand.pk)
    meant = meant_topic(topics, topic) if topic is not None else None
    stored = stored_criteria(brand.pk, caller, topic=meant.key if meant else "")
    items = stored.content if stored else ()
    names = rival_names(brand.pk) if items else {}
    criteria = [criterion_resource(item, brand.name, names, topics) for item in items]
    missing = None if criteria else no_criteria(caller, brand, stored, meant.name if meant else "")
    return BuyerCriteria(
        site=brand_id,
        as_of=stored.as_of if stored else None,
        topic=meant.name if meant else None,
        criteria=criteria,
        how_to_get_data=missing.sentence if missing else None,
        next_step=missing.step if missing else None,
    )


@snapshot()
def positioning_claims(caller: Caller, *, brand_id: UUID) -> PositioningClaims:
    """What the brand's pages claim, and what the answers that name it say of that."""
    brand = _brand(caller, brand_id)
    stored = stored_claims(brand.pk, caller)
    claims = [claim_resource(claim) for claim in stored.content] if stored else []
    missing = None if claims else no_claims(caller, brand, stored)
    return PositioningClaims(
        site=brand_id,
        as_of=stored.as_of if stored else None,
        claims=claims,
        how_to_get_data=missing.sentence if missing else None,
        next_step=missing.step if missing else None,
    )


@dataclass(frozen=True, slots=True)
class EvidenceReports:
    """All that is known for buyers of one brand."""

    criteria: BuyerCriteria
    claims: PositioningClaims
    themes: ReviewThemes
    voice: VoiceProfileResult


@snapshot()
def evidence_reports(caller: Caller, *, brand_id: UUID) -> EvidenceReports:
    """The four reports, in fewer statements than one after the other."""
    brand = _brand(caller, brand_id)
    read_at_once(brand.pk, caller)
    return EvidenceReports(
        criteria=buyer_criteria(caller, brand_id=brand_id),
        claims=positioning_claims(caller, brand_id=brand_id),
        themes=review_themes(caller, brand_id=brand_id),
        voice=voice_profile(caller, brand_id=brand_id),
    )


def _brand(caller: Caller, brand_id: UUID) -> Brand:
    caller.require(Scope.READ_VOICE)
    return readable_brand(caller, brand_id)
