"""The rules of a robots.txt, for checks and our crawler: which group is an agent's, which line decides.

`read/robots.py` reads it. Whether a path matches a rule is decided by Protego, in time linear in address and rule.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from protego import Protego

_TOKEN = re.compile(r"[A-Za-z_-]+|\*")


@dataclass(frozen=True)
class RobotsLine:
    """A line: its number (from 1), its text, and the verb and path of a rule."""

    number: int
    text: str
    verb: Literal["allow", "disallow", ""] = ""
    path: str = ""


@dataclass
class Group:
    """Agents (product tokens in lower case, `*` for all others) with their lines, and their rules.

    `parted`: lines between its user-agent lines that look as if they ended a group and do not (`Crawl-delay`).
    """

    agents: list[tuple[str, RobotsLine]] = field(default_factory=list)
    rules: list[RobotsLine] = field(default_factory=list)
    parted: list[RobotsLine] = field(default_factory=list)
    crawl_delay: float | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.agents)


@dataclass
class RobotsRules:
    """The content of a robots.txt; without groups everything is allowed."""

    groups: list[Group] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    """As they are written, at most 100."""
    strange: list[RobotsLine] = field(default_factory=list)
    """The first lines that no crawler understands, at most 100."""
    opening: str = ""
    cut: bool = False
    """It is longer than the part that crawlers read."""
    is_html: bool = False
    """It is a page of HTML, in which no rules are read."""

    @cached_property
    def _by_agent(self) -> dict[str, list[Group]]:
        groups: dict[str, list[Group]] = {}
        for group in self.groups:
            for name in dict.fromkeys(group.names):
                groups.setdefault(name, []).append(group)
        return groups

    @cached_property
    def _matchers(self) -> dict[str, Protego]:
        return {}

    @cached_property
    def _verdicts(self) -> dict[tuple[str, str], bool]:
        """By agent and address, as matching tens of thousands of rules takes milliseconds."""
        return {}

    def names_agent(self, agent: str) -> bool:
        """Whether a group names this agent itself, not as one of all."""
        return product_token(agent) in self._by_agent

    def groups_of(self, agent: str) -> list[Group]:
        """The groups that count for an agent: those that name it, else those of `*`."""
        return self._by_agent.get(product_token(agent)) or self._by_agent.get("*", [])

    def rules_of(self, agent: str) -> list[RobotsLine]:
        """The rules of an agent, of all its groups."""
        return [rule for group in self.groups_of(agent) for rule in group.rules]

    def allows(self, agent: str, url: str) -> bool:
        """Whether an agent may fetch an address."""
        name = product_token(agent)
        name = name if name in self._by_agent else "*"
        if name not in self._matchers:
            self._matchers[name] = _matcher((rule.verb, rule.path) for rule in self.rules_of(agent))
        if (name, url) not in self._verdicts:
            self._verdicts[name, url] = bool(self._matchers[name].can_fetch(url, "*"))
        return self._verdicts[name, url]

    def deciding_rule(self, agent: str, url: str) -> RobotsLine | None:
        """The line that decides; null where none matches, and the address is allowed."""
        verb = "allow" if self.allows(agent, url) else "disallow"
        rules = [rule for rule in self.rules_of(agent) if rule.verb == verb and rule.path]
        longest_first = sorted(rules, key=lambda rule: -len(rule.path))
        return next((rule for rule in longest_first if self._matches(rule, url)), None)

    def _matches(self, rule: RobotsLine, url: str) -> bool:
        key = f"a rule: {rule.path}"
        if key not in self._matchers:
            self._matchers[key] = _matcher([("disallow", rule.path)])
        return not self._matchers[key].can_fetch(url, "*")

    def crawl_delay(self, agent: str) -> float | None:
        """The seconds that an agent is asked to wait between requests."""
        return next((group.crawl_delay for group in self.groups_of(agent) if group.crawl_delay is not None), None)


def product_token(agent: str) -> str:
    """The product token of a user agent, in lower case: `GPTBot/1.1` is `gptbot`."""
    match = _TOKEN.match(agent.strip())
    return match[0].lower() if match else agent.strip().lower()


def _matcher(rules: Iterable[tuple[str, str]]) -> Protego:
    lines = [f"{verb}: {path}" for verb, path in rules]
    return Protego.parse("\n".join(["User-agent: *", *lines]))
