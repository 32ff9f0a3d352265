"""The order for an audit, the facts gathered so far, and how an audit ends without a score."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from visibility.audit.facts import AgentProbe, Fetched, Probe, ProbeName, Robots, Sitemap
from visibility.audit.robots import product_token
from visibility.audit.sentences import say

MAX_DELAY, MIN_DELAY_SAID = 5.0, 1.0
"""Seconds between two requests: the most that are waited, and from when on that is said."""
MAX_MATCHES = 2_000_000
"""Rules of robots.txt times addresses, for some seconds: with a hundred rules 20,000 addresses are checked."""


@dataclass(frozen=True, slots=True)
class Order:
    """One audit: the domain, further domains of the brand that it may lead to, and how to ask.

    `unused_path`: a path that cannot exist, such as random hex. `local_hosts` lead to an address and port of this
    machine, for demonstrations and tests; `own_hosts` are the service itself and never fetched.
    """

    domain: str
    names: tuple[str, ...]
    """The brand's name and its aliases."""
    user_agent: str
    unused_path: str
    own_domains: tuple[str, ...] = ()
    max_pages: int = 50
    local_hosts: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    own_hosts: Collection[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Gathered:
    """The facts of an audit besides its pages; null: that stage is still to come. `barred`: why only robots.txt is
    audited."""

    home_url: str = ""
    barred: str = ""
    robots: Robots | None = None
    sitemaps: tuple[Sitemap, ...] | None = None
    probes: Mapping[ProbeName, Probe] | None = None
    agents: tuple[AgentProbe, ...] | None = None
    sampled: tuple[Fetched, ...] | None = None


class NotAudited(Exception):
    """The audit ends here without a score: a code (`site_refused`, `site_unreachable`, `site_moved`), and a sentence
    that says what happened and what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def site_refused(what: str, user_agent: str) -> NotAudited:
    """The error of a site that refuses us, and may treat others in another way."""
    return NotAudited(
        "site_refused",
        f"The site could not be audited: {what}. That says nothing about how it treats AI crawlers. Allow the user "
        f"agent {user_agent.partition(' ')[0]} and audit again.",
    )


def site_unreachable(what: str) -> NotAudited:
    """The error of a site, or a home page, that cannot be reached."""
    return NotAudited("site_unreachable", f"The site could not be audited: {what}. Mend that and audit again.")


class Rules:
    """robots.txt as our crawler obeys it."""

    def __init__(self, robots: Robots, user_agent: str) -> None:
        self.robots = robots
        self._token = product_token(user_agent)
        self._seen: set[str] = set()
        self._most = MAX_MATCHES // max(1, len(robots.rules.rules_of(self._token)))

    def allow(self, url: str) -> bool:
        """Whether we may fetch the address; beyond the first that fit within `MAX_MATCHES` we fetch none."""
        if url not in self._seen and len(self._seen) < self._most:
            self._seen.add(url)
        return url in self._seen and self.robots.allows(self._token, url)

    @property
    def crawl_delay(self) -> float:
        """Seconds between two requests, at most five."""
        return min(self.robots.rules.crawl_delay(self._token) or 0.0, MAX_DELAY)


def slowed(robots: Robots, user_agent: str, probes: int) -> str:
    """Why an audit took long: the pause that robots.txt asks for; empty where it asks for none of a second or more.
    `probes`: pages that were asked for under the names of AI crawlers."""
    asked = robots.rules.crawl_delay(product_token(user_agent)) or 0.0
    if asked < MIN_DELAY_SAID:
        return ""
    number = int(asked) if asked.is_integer() else asked
    return say(
        "This audit took long because robots.txt asks for {seconds} between requests (Crawl-delay){waited}{named}.",
        seconds=say("1 second") if asked == 1 else say("{asked} seconds", asked=number),
        waited=say(", of which it waited {max_delay}", max_delay=int(MAX_DELAY)) if asked > MAX_DELAY else "",
        named=say(", and {probes} of them were made under the names of AI crawlers", probes=probes) if probes else "",
    )
