"""The tool about scores."""

from datetime import date, timedelta

from pydantic import Field

from apikeys.accounts.caller import Caller
from apikeys.errors import invalid
from apikeys.scopes import Scope
from apikeys.text import marked
from mcp_bridge.arguments import Day, SiteListing, TopicName
from mcp_bridge.registry import Reply, Step, tool
from visibility.scores.now_resources import Visibility
from visibility.scores.visibility_reads import read_visibility
from visibility.scores.windows import window
from visibility.topics.reads import topic_of

ROWS = "changes shareOfVoice trend"


class ScoresArguments(SiteListing):
    """The site, the days, and what the figures are restricted to."""

    from_: Day | None = Field(default=None, alias="from", description="day like 2026-11-01, or epoch ms")
    to: Day | None = Field(default=None, description="likewise, included")
    engine: str | None = None
    topic: TopicName | None = None


@tool("Visibility scores", Scope.READ_VISIBILITY)
def get_visibility_scores(caller: Caller, arguments: ScoresArguments) -> Reply[Visibility]:
    """Tells how often answers name the site and its competitors: now, by engine, share of voice, by day, and which
    changes are confirmed. For one engine or topic everything is of that alone. Default: the last 30 days."""
    topic = topic_of(caller, arguments.site_id, arguments.topic)
    found = read_visibility(
        caller,
        arguments.site_id,
        window=_window(arguments),
        engine=arguments.engine,
        topic=topic,
        full=arguments.is_full,
    )
    site = {"siteId": found.site_id}
    if found.last_day and not found.trend and arguments.topic is None and arguments.engine is None:
        first = found.last_day - timedelta(days=29)
        days = {"from": str(first), "to": str(found.last_day)}
        return Reply(found, Step("get_visibility_scores", {**site, **days}, "the last measured days"), rows=ROWS)
    step = Step("list_prompts", {**site, "topic": marked(topic.name)} if topic else site, "the prompts behind it")
    return Reply(found, step, rows=ROWS, keeps_last="trend")


def _window(arguments: ScoresArguments) -> tuple[date, date] | None:
    """The days from `from` to `to`; None where neither is given."""
    if arguments.from_ is None and arguments.to is None:
        return None
    try:
        return window(arguments.from_, arguments.to)
    except ValueError as refusal:
        raise invalid("from", str(refusal)) from None
