"""robots.txt as our crawler obeys it."""

from dataclasses import dataclass
from functools import cached_property

from visibility.audit.fetch.agent import product_token
from visibility.audit.site import Robots
from visibility.pipeline.audit.client import MAX_CRAWL_DELAY

AI_SEARCH_CRAWLERS = ("OAI-SearchBot", "Claude-SearchBot", "PerplexityBot", "Googlebot", "bingbot", "Applebot")
MAX_MATCHES = 20_000_000
"""Rules times addresses: some seconds. A site of a hundred rules has two hundred thousand addresses looked up."""
UNREADABLE = frozenset({"timeout", "bad_response", "too_large", "too_many_redirects"})
"""Reasons for which robots.txt is unreachable although its server may be there."""


@dataclass(frozen=True)
class Rules:
    """The rules for one user agent. Without any everything is allowed; where there is no answer nothing is."""

    robots: Robots
    user_agent: str

    @property
    def unreachable(self) -> bool:
        """Whether crawlers must take everything for disallowed (RFC 9309, 2.3.1.4)."""
        return self.robots.fetched.status >= 500 or bool(self.robots.fetched.error)

    @cached_property
    def _looked_at(self) -> set[str]:
        return set()

    @cached_property
    def _most(self) -> int:
        """So many addresses are looked up: the more rules, the longer each takes."""
        return MAX_MATCHES // max(1, len(self.robots.rules.rules(self._token)))

    @cached_property
    def _token(self) -> str:
        return product_token(self.user_agent)

    def allow(self, url: str) -> bool:
        """Whether we may fetch the address; beyond the first that fit within `MAX_MATCHES` we fetch none."""
        if url not in self._looked_at:
            if len(self._looked_at) >= self._most:
                return False
            self._looked_at.add(url)
        return not self.unreachable and self.robots.rules.allowed(self._token, url)

    def allow_agent(self, agent: str, url: str) -> bool:
        """Whether another crawler may fetch the address."""
        return not self.unreachable and self.robots.rules.allowed(agent, url)

    def barred_searchers(self, url: str) -> list[str]:
        """The AI search crawlers that may not fetch the address."""
        return [name for name in AI_SEARCH_CRAWLERS if not self.robots.rules.allowed(name, url)]

    @property
    def crawl_delay(self) -> float:
        """Seconds between two requests, within the bound."""
        return min(self.robots.rules.crawl_delay(self._token) or 0.0, MAX_CRAWL_DELAY)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps that it names, as they are written."""
        return tuple(self.robots.rules.sitemaps)
