"""Voice and buyer evidence: how a brand speaks, and what is said of it."""

from typing import Annotated, Any

from pydantic import Field

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import SiteListingArguments
from mcp_bridge.registry import Tool
from mcp_bridge.short.projection import Short
from visibility.models.prompts import MAX_TOPIC
from visibility.resources.voice import BuyerCriteria, PositioningClaims, ReviewThemes, VoiceProfileResult
from visibility.services.evidence.voice import buyer_criteria, positioning_claims, review_themes, voice_profile


class CriteriaArguments(SiteListingArguments):
    topic: Annotated[str, Field(min_length=1, max_length=MAX_TOPIC)] | None = Field(
        default=None, description="only answers on this topic of the site's prompts; left out: on all"
    )


def _profile(caller: Caller, arguments: SiteListingArguments) -> VoiceProfileResult:
    return voice_profile(caller, brand_id=arguments.site_id)


def _themes(caller: Caller, arguments: SiteListingArguments) -> ReviewThemes:
    return review_themes(caller, brand_id=arguments.site_id)


def _criteria(caller: Caller, arguments: CriteriaArguments) -> BuyerCriteria:
    return buyer_criteria(caller, brand_id=arguments.site_id, topic=arguments.topic)


def _claims(caller: Caller, arguments: SiteListingArguments) -> PositioningClaims:
    return positioning_claims(caller, brand_id=arguments.site_id)


def _quotes(path: str) -> tuple[str, ...]:
    """What quotes under the path do without in short; their text, source and address stay."""
    return tuple(f"{path}[].{name}" for name in ("path", "offset", "rule", "answerId"))


_PROFILE = Short(
    rows=("profile.figures", "profile.calls"),
    at_most={"profile.figures[].examples": 1, "profile.calls": 5},
    leave_out=(*_quotes("profile.figures[].examples"), *_quotes("profile.calls")),
    texts={"profile.figures[].examples[].text": 250},
)

_THEMES = Short(
    rows=("themes",),
    at_most={"themes[].quotes": 1},
    leave_out=_quotes("themes[].quotes"),
    texts={"themes[].quotes[].text": 200},
)

_CRITERIA = Short(
    rows=("criteria",),
    at_most={"criteria[].quotes": 1, "criteria[].winners": 3, "criteria[].topics": 3},
    leave_out=("criteria[].winners[].quote", *_quotes("criteria[].quotes")),
    texts={"criteria[].quotes[].text": 200},
)

_CLAIMS = Short(
    rows=("claims",),
    at_most={"claims[].ours": 1, "claims[].quotes": 1},
    leave_out=(*_quotes("claims[].ours"), *_quotes("claims[].quotes")),
    texts={"claims[].ours[].text": 200, "claims[].quotes[].text": 200},
)


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
        arguments=SiteListingArguments,
        result=VoiceProfileResult,
        handler=_profile,
        short=_PROFILE,
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
        arguments=SiteListingArguments,
        result=ReviewThemes,
        handler=_themes,
        short=_THEMES,
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
        short=_CRITERIA,
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
        arguments=SiteListingArguments,
        result=PositioningClaims,
        handler=_claims,
        short=_CLAIMS,
    ),
)
