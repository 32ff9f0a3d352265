"""Sites: which there are, and how they stand."""

from typing import Any

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import Arguments, ListingArguments, TopicArguments
from mcp_bridge.following import from_brief, from_sites
from mcp_bridge.missing import (
    empty,
    engines_left_out,
    interval,
    not_asked_yet,
    people,
    scan_first,
    unmeasured_sites,
    withheld,
)
from mcp_bridge.registry import Tool
from mcp_bridge.short.changes import AT_MOST_OF_CHANGES, LEFT_OUT_OF_CHANGES
from mcp_bridge.short.projection import Short
from visibility.resources.brief import SiteBrief
from visibility.resources.portfolio import Portfolio
from visibility.resources.sites import SiteList
from visibility.services.overview.brief import site_brief
from visibility.services.overview.portfolio import portfolio
from visibility.services.reading.sites import sites_of


def _portfolio(caller: Caller, arguments: Arguments) -> Portfolio:
    return portfolio(caller)


def _brief(caller: Caller, arguments: TopicArguments) -> SiteBrief:
    return site_brief(caller, brand_id=arguments.site_id, topic=arguments.topic)


_NO_SITE = people("The owner of this key has no site. The operator makes one, or gives a role on one.")

LIST_SITES = Tool(
    name="list_sites",
    title="List sites",
    description=(
        "Lists the sites (brands) that this key can see, each with its id, the role of the key's owner and the most "
        "recent run. Call it first: the other tools need the id of a site."
    ),
    scope=Scope.READ_SITES,
    arguments=ListingArguments,
    result=SiteList,
    handler=lambda caller, arguments: sites_of(caller),
    leads_to=from_sites,
    missing=(empty("sites", "no_sites", _NO_SITE),),
    short=Short(
        rows=("sites",),
        leave_out=("sites[].latestRun.id", "sites[].latestRun.createdAt", "sites[].latestRun.finishedAt"),
    ),
)

_OF_NOW = (
    "panelLow", "panelHigh", "shareOfVoiceLow", "shareOfVoiceHigh", "prominence", "prominenceLow", "prominenceHigh",
    "shareOfVoiceInterval", "prominenceInterval", "prominenceBounds", "mentions", "ranked", "citationRateInterval",
    "citationRateLow", "citationRateHigh", "byLocale", "comparable", "change", "changeWeek", "changeMonth",
    "confirmation", "monitor", "runs", "basedOn",
)  # fmt: skip
_OF_ENGINE = (
    "surface", "models", "shareOfVoice", "shareOfVoiceLow", "shareOfVoiceHigh", "citationRate", "citationRateLow",
    "citationRateHigh", "shareOfVoiceInterval", "citationRateInterval", "interval", "note",
)  # fmt: skip
_OF_STANDOUT = ("worth", "prompts", "engines", "siteScore", "bestRival.competitor", "bestRival.score")
_OF_RECOMMENDATION = (
    "topic", "summary", "evidence", "payload", "status", "statusReason", "factors", "impact", "effort", "createdAt",
    "firstSeenAt", "openedAt", "lastSeenAt", "updatedAt", "statusChangedAt", "firstSeenRun", "lastSeenRun", "proof",
)  # fmt: skip

_BRIEF = Short(
    rows=("recommendations", "competitors", "weaknesses", "strengths", "sources"),
    digest=True,
    at_most={
        "recommendations": 3,
        **AT_MOST_OF_CHANGES,
        "weaknesses": 3,
        "strengths": 3,
        "sources": 5,
        "competitors": 8,
        "aliases": 5,
        "now.leftOut": 3,
        "topic.subjects": 4,
        "undecidedTopics.topics": 4,
    },
    leave_out=(
        *(f"now.{name}" for name in _OF_NOW),
        *LEFT_OUT_OF_CHANGES,
        *(f"now.engines[].{name}" for name in _OF_ENGINE),
        *(f"strengths[].{name}" for name in _OF_STANDOUT),
        *(f"weaknesses[].{name}" for name in _OF_STANDOUT),
        *(f"recommendations[].{name}" for name in _OF_RECOMMENDATION),
        *(f"sources[].{name}" for name in ("competitors", "ofAnswers", "firstSeen")),
        "undecidedTopics.page",
        "topic.subjects[].engines",
        "competitors[].domain",
        "competitors[].aliases",
    ),
    texts={"description": 300, "undecidedTopics.topics[].because": 80, "recommendations[].title": 120},
    unless={
        "now.failed": 0,
        "now.engines[].averaged": True,
        **dict.fromkeys(("now.notAskedYet", "now.engines[].notAskedYet"), 0),
    },
    tokens=1275,  # the next step comes on top
)

_PORTFOLIO = Short(
    rows=("sites",),
    leave_out=(
        "sites[].cadence",
        "sites[].latestRun",
        "sites[].prompts",
        "sites[].competitors",
        "sites[].visibility.basedOn",
        "sites[].visibility.change",
        "sites[].visibility.changeWeek",
        "sites[].visibility.changeMonth",
        "sites[].visibility.confirmation",
        "sites[].visibility.monitor",
        "sites[].visibility.changeRecords",
    ),
)

TOOLS: tuple[Tool[Any], ...] = (
    LIST_SITES,
    Tool(
        name="get_portfolio_summary",
        title="Portfolio summary",
        description=(
            "Returns all sites at once, each with its score, what may be called a change, open recommendations "
            "and next scan, and what the account may still use: credits, quotas, a forecast of the month. Use it to "
            "see where to begin, or before work that spends credits."
        ),
        scope=Scope.READ_SITES,
        arguments=ListingArguments,
        result=Portfolio,
        handler=_portfolio,
        missing=(
            empty("sites", "no_sites", _NO_SITE),
            unmeasured_sites,
            withheld,
        ),
        short=_PORTFOLIO,
    ),
    Tool(
        name="get_site_brief",
        title="Site brief",
        description=(
            "Returns one site in short: who it is, its competitors, its score by engine, strengths and weaknesses "
            "as k of n answers, and the most urgent recommendations. Use it to begin work on a site."
        ),
        scope=Scope.READ_SITES,
        arguments=TopicArguments,
        result=SiteBrief,
        handler=_brief,
        leads_to=from_brief,
        missing=(
            scan_first("now"),
            interval,
            not_asked_yet,
            engines_left_out,
            withheld,
        ),
        short=_BRIEF,
    ),
)
