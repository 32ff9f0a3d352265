"""robots.txt as our crawler obeys it."""

from dataclasses import dataclass
from functools import cached_property

from visibility.audit.fetch.agent import product_token
from visibility.audit.parse.robots import RobotsRules, parse_robots
from visibility.audit.site import Robots
from visibility.pipeline.audit.client import MAX_CRAWL_DELAY, Reply

AI_SEARCH_CRAWLERS = ("OAI-SearchBot", "Claude-SearchBot", "PerplexityBot", "Googlebot", "bingbot", "Applebot")
MAX_ROBOTS_BYTES = 512_000
"""Parsers stop there (RFC 9309 asks for 500 KiB at least)."""
UNREADABLE = frozenset({"timeout", "bad_response", "too_large", "too_many_redirects"})
"""Reasons for which robots.txt is unreachable although its server may be there."""


def robots_of(reply: Reply) -> Robots:
    """What is kept of robots.txt: the text of an answer that has one."""
    has_text = 200 <= reply.fetched.status < 300 and not reply.fetched.error
    text = reply.body[:MAX_ROBOTS_BYTES].decode("utf-8", "replace") if has_text else ""
    return Robots(reply.fetched, text)


@dataclass(frozen=True)
class Rules:
    """The rules for one user agent. Without a text everything is allowed; where there is no answer nothing is."""

    robots: Robots
    user_agent: str

    @property
    def unreachable(self) -> bool:
        """Whether crawlers must take everything for disallowed (RFC 9309, 2.3.1.4)."""
        return self.robots.fetched.status >= 500 or bool(self.robots.fetched.error)

    @cached_property
    def _parsed(self) -> RobotsRules:
        return parse_robots(self.robots.text)

    @cached_property
    def _token(self) -> str:
        return product_token(self.user_agent)

    def allow(self, url: str) -> bool:
        """Whether we may fetch the address."""
        return not self.unreachable and self._parsed.allowed(self._token, url)

    def allow_agent(self, agent: str, url: str) -> bool:
        """Whether another crawler may fetch the address."""
        return not self.unreachable and self._parsed.allowed(agent, url)

    def barred_searchers(self, url: str) -> list[str]:
        """The AI search crawlers that may not fetch the address."""
        return [name for name in AI_SEARCH_CRAWLERS if not self._parsed.allowed(name, url)]

    @property
    def crawl_delay(self) -> float:
        """Seconds between two requests, within the bound."""
        return min(self._parsed.crawl_delay(self._token) or 0.0, MAX_CRAWL_DELAY)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps that it names."""
        return tuple(self._parsed.sitemaps)
