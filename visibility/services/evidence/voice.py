"""How a brand speaks and what is said of it, as far as this service has looked: it has not yet."""

from uuid import UUID

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.services.access import readable_brand
from visibility.resources.voice import BuyerCriteria, PositioningClaims, ReviewThemes, VoiceProfileResult

NOT_READ = (
    "Voice, reviews and claims are not read from pages yet, audited or not: this part is not switched on. Ask the "
    "operator, or use what the user tells you."
)
NOT_LOOKED_FOR = (
    "This service does not look for criteria in answers: that part is not switched on. Ask the operator, or read the "
    "answers to single prompts."
)


def voice_profile(caller: Caller, *, brand_id: UUID) -> VoiceProfileResult:
    """How the brand's own pages speak; without pages that were read there is no profile."""
    _require(caller, brand_id)
    return VoiceProfileResult(site=brand_id, has_profile=False, profile=None, how_to_get_one=NOT_READ, next_step=None)


def review_themes(caller: Caller, *, brand_id: UUID) -> ReviewThemes:
    """What reviews speak about; none without reviews that were read."""
    _require(caller, brand_id)
    return ReviewThemes(site=brand_id, as_of=None, themes=[], how_to_get_data=NOT_READ, next_step=None)


def buyer_criteria(caller: Caller, *, brand_id: UUID) -> BuyerCriteria:
    """What answers to buying questions judge by; none while answers are not analysed for it."""
    _require(caller, brand_id)
    return BuyerCriteria(
        site=brand_id, as_of=None, topic=None, criteria=[], how_to_get_data=NOT_LOOKED_FOR, next_step=None
    )


def positioning_claims(caller: Caller, *, brand_id: UUID) -> PositioningClaims:
    """What the brand's pages claim; none without pages that were read."""
    _require(caller, brand_id)
    return PositioningClaims(site=brand_id, as_of=None, claims=[], how_to_get_data=NOT_READ, next_step=None)


def _require(caller: Caller, brand_id: UUID) -> None:
    caller.require(Scope.READ_VOICE)
    readable_brand(caller, brand_id)
