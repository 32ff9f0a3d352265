"""The tool about scores."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.scopes import Scope
from apikeys.text import marked
from mcp_bridge.arguments import Listing, SiteArguments, TopicName
from mcp_bridge.registry import Reply, Step, tool
from mcp_bridge.tools.topics import topic_of
from visibility.scores.now_resources import Visibility
from visibility.scores.visibility_reads import read_visibility
from visibility.scores.windows import MAX_EPOCH_MS, days_between


def _checked(moment: Any) -> Any:
    if not isinstance(moment, int | str) or isinstance(moment, bool) or not 0 <= _epoch_ms(moment) <= MAX_EPOCH_MS:
        raise ValueError("must be a day from 1970 to 2100 such as 2026-11-01, or epoch milliseconds")
    return moment


def _epoch_ms(moment: int | str) -> int:
    """Epoch milliseconds of a day, a time, or what are some already; -1 for other words."""
    try:
        if isinstance(moment, int) or moment.isdecimal():
            return int(moment)
        parsed = datetime.fromisoformat(moment)
        aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        return int(aware.timestamp() * 1000)
    except (ValueError, OverflowError):
        return -1


Moment = Annotated[int | str, BeforeValidator(_checked)]


class ScoresArguments(SiteArguments, Listing):
    """The site, the days, and what the figures are restricted to."""

    from_: Moment | None = Field(default=None, alias="from", description="day like 2026-11-01, or epoch ms")
    to: Moment | None = Field(default=None, description="likewise, included")
    engine: str | None = Field(default=None, description="only this engine")
    topic: TopicName | None = Field(default=None, description="only this topic")


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
        window = {"from": str(first), "to": str(found.last_day)}
        return Reply(found, Step("get_visibility_scores", {**site, **window}, "the last measured days"))
    step = Step("list_prompts", {**site, "topic": marked(topic.name)} if topic else site, "the prompts behind it")
    return Reply(found, step, rows="trend", keeps_last=True)


def _window(arguments: ScoresArguments) -> tuple[date, date] | None:
    """The days from `from` to `to`; None where neither is given."""
    begin, end = (None if moment is None else _epoch_ms(moment) for moment in (arguments.from_, arguments.to))
    if begin is None and end is None:
        return None
    try:
        return days_between(begin, end)
    except ValueError as refusal:
        raise invalid("from", str(refusal)) from None
