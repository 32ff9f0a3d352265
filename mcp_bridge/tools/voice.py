"""Voice and buyer evidence: how a brand speaks, and what is said of it."""

from typing import Annotated, Any

from pydantic import Field

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import SiteArguments
from mcp_bridge.registry import Tool
from visibility.models.prompts import MAX_TOPIC
from visibility.resources.voice import BuyerCriteria, PositioningClaims, ReviewThemes, VoiceProfileResult
from visibility.services.evidence.voice import buyer_criteria, positioning_claims, review_themes, voice_profile


class CriteriaArguments(SiteArguments):
    topic: Annotated[str, Field(min_length=1, max_length=MAX_TOPIC)] | None = Field(
        default=None, description="only answers on this topic of the site's prompts; left out: on all"
    )


def _profile(caller: Caller, arguments: SiteArguments) -> VoiceProfileResult:
    return voice_profile(caller, brand_id=arguments.site_id)


def _themes(caller: Caller, arguments: SiteArguments) -> ReviewThemes:
    return review_themes(caller, brand_id=arguments.site_id)


def _criteria(caller: Caller, arguments: CriteriaArguments) -> BuyerCriteria:
    return buyer_criteria(caller, brand_id=arguments.site_id, topic=arguments.topic)


def _claims(caller: Caller, arguments: SiteArguments) -> PositioningClaims:
    return positioning_claims(caller, brand_id=arguments.site_id)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="get_voice_profile",
        title="Voice profile",
        description=(
            "Returns how a site's own pages speak (readability, sentence length, address), each trait with sentences "
            "that show it, and the words of its buttons. Use it before you write for the site. Where hasProfile is "
            "false, nextStep says what brings one."
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
            "Lists what reviews of a site's products speak about, in how many, in which tone, how many answers say "
            "it too, with quotes. Use it to write in the words of customers. Where it is empty, nextStep says what "
            "brings reviews."
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
            "Lists the criteria by which answers to unbranded buying questions judge, of all topics or one: weight, "
            "engines, who wins each, with quotes. Use it to decide what a page has to prove. It needs answers, no "
            "audit."
        ),
        scope=Scope.READ_VOICE,
        arguments=CriteriaArguments,
        result=BuyerCriteria,
        handler=_criteria,
    ),
    Tool(
        name="get_positioning_claims",
        title="Positioning claims",
        description=(
            "Lists what a site's pages claim, what backs each claim, and whether engines' answers support it, "
            "contradict it or leave it out, with quotes of both sides. Use it to find claims to prove or to correct. "
            "It needs an audit."
        ),
        scope=Scope.READ_VOICE,
        arguments=SiteArguments,
        result=PositioningClaims,
        handler=_claims,
    ),
)
