"""The state of a page for AI crawlers: whether they may fetch it, may show it, and find text without scripts."""

from datetime import datetime
from typing import Literal

from visibility.audit.checks.directives import barring
from visibility.audit.checks.pages import MIN_VISIBLE_WORDS
from visibility.audit.crawlers import SEARCH
from visibility.audit.facts import Robots, SitePage

PageState = Literal["unread", "shut", "hidden", "empty", "partly_shut", "readable"]
"""`shut`: no crawler of AI search may fetch it, `partly_shut`: some may not; `hidden`: out of search; `empty`: no
text before scripts run; `unread`: it gave no page."""
MOST_RULES = 2_000
"""With more rules in robots.txt than that, pages are not checked against them."""


def state_of(page: SitePage, robots: Robots | None, at: datetime) -> PageState:
    """The worst state of a page at this time; without robots.txt every crawler may fetch it."""
    if not page.fetched.answered or page.parsed is None:
        return "unread"
    is_checked = robots is not None and sum(len(group.rules) for group in robots.rules.groups) <= MOST_RULES
    barred = [agent for agent in SEARCH if robots and is_checked and not robots.allows(agent, page.url)]
    if len(barred) == len(SEARCH):
        return "shut"
    if barring(page.fetched, page.parsed, at):
        return "hidden"
    if page.parsed.client_rendered or page.parsed.visible_words < MIN_VISIBLE_WORDS:
        return "empty"
    return "partly_shut" if barred else "readable"
