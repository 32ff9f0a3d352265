"""Tools about competitors."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from apikeys.accounts.caller import Caller
from apikeys.scopes import Scope
from apikeys.text import marked
from brands.competitors import add_competitor as track_competitor
from brands.models import LONGEST_DESCRIPTION, LONGEST_DOMAIN, LONGEST_NAME
from brands.names import MOST_ALIASES
from mcp_bridge.arguments import Creating, SiteArguments, SiteListing, TopicName
from mcp_bridge.registry import Reply, Step, editable_site, tool
from visibility.competitors import reads
from visibility.competitors.gaps import list_gaps
from visibility.competitors.resources import AddedCompetitor, PromptGaps, SiteCompetitors
from visibility.topics.reads import topic_of

NameText = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
DomainText = Annotated[str, Field(min_length=1, max_length=LONGEST_DOMAIN)]


class GapArguments(SiteListing):
    """The site, and which gaps."""

    competitor_id: UUID | None = Field(default=None, description="only this one, from {prefix}list_competitors")
    untracked: NameText | None = Field(default=None, description="only this name, which nobody tracks")
    topic: TopicName | None = None
    engine: str | None = None


class AddArguments(SiteArguments, Creating):
    """The competitor."""

    name: NameText = Field(description="as answers write it")
    domain: DomainText = Field(description="its main domain")
    aliases: list[NameText] = Field(default=[], max_length=MOST_ALIASES, description="other names of it")
    description: str = Field(
        default="", max_length=LONGEST_DESCRIPTION, description="what it sells, if its name is also a word"
    )


@tool("List competitors", Scope.READ_COMPETITORS)
def list_competitors(caller: Caller, arguments: SiteListing) -> Reply[SiteCompetitors]:
    """Ranks competitors by how often answers name them, with share of voice, beside the site in the same answers; and
    suggests companies that answers recommend and nobody tracks. firstRelation is relation by who is named first, not
    mentions. Gives competitor ids."""
    found = reads.list_competitors(caller, arguments.site_id, full=arguments.is_full)
    return Reply(
        found,
        Step("get_competitor_gaps", {"siteId": found.site_id}, "where they are named and the site is not"),
        rows="competitors suggestions",
    )


@tool("Add a competitor", Scope.WRITE_COMPETITORS, creates=editable_site)
def add_competitor(caller: Caller, arguments: AddArguments) -> Reply[AddedCompetitor]:
    """Tracks one more competitor. Its history is counted from stored answers within minutes, at no cost. Ask the user
    first; suggestions are in the list of competitors."""
    competitor = track_competitor(
        caller,
        brand_id=arguments.site_id,
        name=arguments.name,
        domain=arguments.domain,
        aliases=arguments.aliases,
        description=arguments.description,
    )
    found = reads.added(competitor)
    if arguments.dry_run:
        found.competitor.id, found.rescored = None, "Nothing was added: this was a dry run."
        return Reply(found, add_competitor.for_real(arguments, "adds it"))
    return Reply(found, Step("list_competitors", {"siteId": found.site_id}, "its score, once it is counted"))


@tool("Competitor gaps", Scope.READ_COMPETITORS)
def get_competitor_gaps(caller: Caller, arguments: GapArguments) -> Reply[PromptGaps]:
    """Lists prompts whose answers name competitors and not the site, the most consistent first, with the sites and
    pages that these answers cite, and how often those name the site. Use it to decide where to catch up."""
    topic = topic_of(caller, arguments.site_id, arguments.topic)
    found = list_gaps(
        caller,
        arguments.site_id,
        competitor_id=arguments.competitor_id,
        untracked=arguments.untracked,
        topic=topic,
        engine=arguments.engine,
        full=arguments.is_full,
    )
    step = Step("list_competitors", {"siteId": found.site_id}, "who is named as often")
    if topic:
        step = Step("list_prompts", {"siteId": found.site_id, "topic": marked(topic.name)}, "who is named there")
    if found.gaps:
        step = Step("get_prompt_competitor_results", {"promptId": found.gaps[0].prompt_id}, "the widest gap closely")
    return Reply(found, step, rows="gaps pages")
