"""Voice and buyer evidence: how a brand speaks, and what is said of it."""

from typing import Any

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import SiteArguments
from mcp_bridge.registry import Tool
from visibility.resources.voice import BuyerCriteria, PositioningClaims, ReviewThemes, VoiceProfileResult
from visibility.services.evidence.voice import buyer_criteria, positioning_claims, review_themes, voice_profile


def _profile(caller: Caller, arguments: SiteArguments) -> VoiceProfileResult:
    return voice_profile(caller, brand_id=arguments.site_id)


def _themes(caller: Caller, arguments: SiteArguments) -> ReviewThemes:
    return review_themes(caller, brand_id=arguments.site_id)


def _criteria(caller: Caller, arguments: SiteArguments) -> BuyerCriteria:
    return buyer_criteria(caller, brand_id=arguments.site_id)


def _claims(caller: Caller, arguments: SiteArguments) -> PositioningClaims:
    return positioning_claims(caller, brand_id=arguments.site_id)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="get_voice_profile",
        title="Voice profile",
        description=(
            "Returns how a site's own pages speak (readability, sentence length, address), with example sentences, "
            "to write new text in the same voice. hasProfile is false where none was made."
        ),
        scope=Scope.READ_VOICE,
        arguments=SiteArguments,
        result=VoiceProfileResult,
        handler=_profile,
    ),
    Tool(
        name="get_review_themes",
        title="Review themes",
        description=(
            "Lists what reviews of a site's products speak about, how often, in which tone, with quotes. Use it to "
            "write in the words of customers. Empty where no reviews were read."
        ),
        scope=Scope.READ_VOICE,
        arguments=SiteArguments,
        result=ReviewThemes,
        handler=_themes,
    ),
    Tool(
        name="get_buyer_criteria",
        title="Buyer criteria",
        description=(
            "Lists the criteria by which answers to buying questions judge, their weight, who wins each, with "
            "quotes. Use it to decide what a page has to prove. Empty where nothing was found."
        ),
        scope=Scope.READ_VOICE,
        arguments=SiteArguments,
        result=BuyerCriteria,
        handler=_criteria,
    ),
    Tool(
        name="get_positioning_claims",
        title="Positioning claims",
        description=(
            "Lists what a site claims about itself and whether engines' answers support it, contradict it or leave "
            "it out, with quotes. Empty where no pages were read."
        ),
        scope=Scope.READ_VOICE,
        arguments=SiteArguments,
        result=PositioningClaims,
        handler=_claims,
    ),
)
