"""Voice and buyer evidence: how a brand speaks, and what is said of it."""

from typing import Any

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import SiteListingArguments
from mcp_bridge.registry import Tool
from mcp_bridge.short.projection import Short
from visibility.resources.voice import BuyerCriteria, PositioningClaims, ReviewThemes, VoiceProfileResult
from visibility.services.evidence.voice import buyer_criteria, positioning_claims, review_themes, voice_profile


def _profile(caller: Caller, arguments: SiteListingArguments) -> VoiceProfileResult:
    return voice_profile(caller, brand_id=arguments.site_id)


def _themes(caller: Caller, arguments: SiteListingArguments) -> ReviewThemes:
    return review_themes(caller, brand_id=arguments.site_id)


def _criteria(caller: Caller, arguments: SiteListingArguments) -> BuyerCriteria:
    return buyer_criteria(caller, brand_id=arguments.site_id)


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
            "Returns how a site's own pages speak (readability, sentence length, address), with example sentences, "
            "to write new text in the same voice. hasProfile is false where none was made."
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
            "Lists what reviews of a site's products speak about, how often, in which tone, with quotes. Use it to "
            "write in the words of customers. Empty where no reviews were read."
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
            "Lists the criteria by which answers to buying questions judge, their weight, who wins each, with "
            "quotes. Use it to decide what a page has to prove. Empty where nothing was found."
        ),
        scope=Scope.READ_VOICE,
        arguments=SiteListingArguments,
        result=BuyerCriteria,
        handler=_criteria,
        short=_CRITERIA,
    ),
    Tool(
        name="get_positioning_claims",
        title="Positioning claims",
        description=(
            "Lists what a site claims about itself and whether engines' answers support it, contradict it or leave "
            "it out, with quotes. Empty where no pages were read."
        ),
        scope=Scope.READ_VOICE,
        arguments=SiteListingArguments,
        result=PositioningClaims,
        handler=_claims,
        short=_CLAIMS,
    ),
)
