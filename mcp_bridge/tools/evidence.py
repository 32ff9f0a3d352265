"""Tools about evidence: how buyers choose, what customers say, what the site claims, how it writes."""

from collections.abc import Mapping
from uuid import UUID

from apikeys.accounts.caller import Caller
from apikeys.scopes import Scope
from apikeys.text import marked
from mcp_bridge.arguments import SiteArguments, SiteListing, TopicName
from mcp_bridge.registry import Reply, Step, tool
from visibility.evidence import reads
from visibility.evidence.resources import BuyerCriteria, PositioningClaims, ReviewThemes, VoiceProfile
from visibility.topics.reads import topic_of


class CriteriaArguments(SiteListing):
    """The site, and which criteria."""

    topic: TopicName | None = None


def _audit(site: Mapping[str, UUID]) -> Step:
    return Step("get_audit_scores", site, "whether it was audited; {prefix}run_audit_scan does it")


@tool("Voice profile", Scope.READ_VOICE)
def get_voice_profile(caller: Caller, arguments: SiteArguments) -> Reply[VoiceProfile]:
    """Tells how a site writes: seven traits with what they were counted on, typical sentences, calls to action. Use
    it before you write for the site."""
    found = reads.read_voice(caller, arguments.site_id)
    site = {"siteId": found.site_id}
    step = Step("get_positioning_claims", site, "what it claims") if found.has_profile else _audit(site)
    return Reply(found, step)


@tool("Review themes", Scope.READ_VOICE)
def get_review_themes(caller: Caller, arguments: SiteListing) -> Reply[ReviewThemes]:
    """Tells how many reviews a site has by stars, and what a reader found in them: reasons, limits, warnings, in
    k of n, by the stars of these reviews. detail: "full" adds sentences with their sources."""
    found = reads.read_themes(caller, arguments.site_id, full=arguments.is_full)
    site = {"siteId": found.site_id}
    step = Step("get_buyer_criteria", site, "what answers judge by")
    if found.themes and not arguments.is_full:
        step = Step("get_review_themes", {**site, "detail": "full", "limit": 1}, "sentences of the first")
    return Reply(found, step, rows="themes")


@tool("Buyer criteria", Scope.READ_VOICE)
def get_buyer_criteria(caller: Caller, arguments: CriteriaArguments) -> Reply[BuyerCriteria]:
    """Lists what AI answers judge by, in k of n answers on a topic, by engine, for whom it is a reason, and a
    sentence of the site on it. Where nobody has read the answers: English labels only, a lower bound. detail: "full"
    adds quotes with their sources."""
    topic = topic_of(caller, arguments.site_id, arguments.topic)
    found = reads.read_criteria(caller, arguments.site_id, topic, full=arguments.is_full)
    site = {"siteId": found.site_id}
    step = Step("list_prompts", site, "what is asked, and how often it was answered")
    if found.criteria and not arguments.is_full:
        of_topic = {"topic": marked(topic.name)} if topic else {}
        call = {**site, **of_topic, "detail": "full", "limit": 1}
        step = Step("get_buyer_criteria", call, "quotes of the weightiest")
    return Reply(found, step, rows="criteria")


@tool("Positioning claims", Scope.READ_VOICE)
def get_positioning_claims(caller: Caller, arguments: SiteListing) -> Reply[PositioningClaims]:
    """Lists what a site claims of itself and can be checked, and in how many of the answers that name it engines
    support or contradict that; contradicted claims first. Where nobody has read the answers none is contradicted.
    detail: "full" adds quotes with their sources."""
    found = reads.read_claims(caller, arguments.site_id, full=arguments.is_full)
    site = {"siteId": found.site_id}
    step = Step("get_buyer_criteria", site, "what answers judge by") if found.claims else _audit(site)
    if found.claims and not arguments.is_full:
        step = Step("get_positioning_claims", {**site, "detail": "full", "limit": 1}, "quotes of the first")
    return Reply(found, step, rows="claims")
