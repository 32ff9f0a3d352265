"""What a robots.txt says, as checks and our crawler use it: which group is an agent's, which line decides.

`parse/robots.py` reads it. Whether a path matches a rule is told by Protego, which looks for the pieces between the
wildcards one after another, in time linear in address and rule.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from protego import Protego

_TOKEN = re.compile(r"[A-Za-z_-]+|\*")


@dataclass(frozen=True, slots=True)
class Rule:
    """A line that allows or disallows: its number (from 1), how it is written, and its path."""

    number: int
    text: str
    verb: Literal["allow", "disallow"]
    path: str


@dataclass(frozen=True, slots=True)
class RobotsLine:
    """A line that is no rule, with its number."""

    number: int
    text: str


@dataclass(slots=True)
class Group:
    """Agents with the rules that are theirs. `parted`: lines between its user-agent lines that look as if they ended
    a group, and end none (`Crawl-delay`)."""

    agents: list[tuple[str, RobotsLine]] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    parted: list[RobotsLine] = field(default_factory=list)
    crawl_delay: float | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The product tokens of its agents, in lower case; `*` for all others."""
        return tuple(name for name, _ in self.agents)


@dataclass
class RobotsRules:
    """What a robots.txt says; without groups everything is allowed."""

    groups: list[Group] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    """As they are written; the first ones where there are very many."""
    licence: str = ""
    """The address of the first licence (RSL), as it is written."""
    strange: list[RobotsLine] = field(default_factory=list)
    """The first lines that no crawler understands."""
    strange_lines: int = 0
    """How many lines no crawler understands."""
    others: list[RobotsLine] = field(default_factory=list)
    """The first lines that some readers know and that are no rules, such as Content-Signal."""
    opening: str = ""
    """How it begins."""
    bom: bool = False
    """It begins with a byte order mark."""
    cut: bool = False
    """It is longer than crawlers read."""
    is_html: bool = False
    """It is a page of HTML: no rule is read of it."""

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
    def _allowed(self) -> dict[tuple[str, str], bool]:
        """By rules and address: tens of thousands of rules take milliseconds for each."""
        return {}

    @cached_property
    def _deciding(self) -> dict[tuple[str, str], Rule | None]:
        return {}

    def named(self, agent: str) -> bool:
        """Whether a group names this agent itself, not as one of all."""
        return token(agent) in self._by_agent

    def of(self, agent: str) -> list[Group]:
        """The groups that hold for an agent: those that name it, else those of `*`."""
        return self._by_agent.get(token(agent)) or self._by_agent.get("*", [])

    def rules(self, agent: str) -> list[Rule]:
        """The rules of an agent, of all its groups."""
        return [rule for group in self.of(agent) for rule in group.rules]

    def allowed(self, agent: str, url: str) -> bool:
        """Whether an agent may fetch an address."""
        key = self._key(agent)
        if key not in self._matchers:
            self._matchers[key] = _matcher((rule.verb, rule.path) for rule in self.rules(agent))
        if (key, url) not in self._allowed:
            self._allowed[key, url] = bool(self._matchers[key].can_fetch(url, "*"))
        return self._allowed[key, url]

    def rule(self, agent: str, url: str) -> Rule | None:
        """The line that decides; null where none matches, which allows."""
        where = (self._key(agent), url)
        if where not in self._deciding:
            self._deciding[where] = self._rule(agent, url)
        return self._deciding[where]

    def _key(self, agent: str) -> str:
        """Agents with the same key have the same rules."""
        name = token(agent)
        return name if name in self._by_agent else "*"

    def _rule(self, agent: str, url: str) -> Rule | None:
        allowed = self.allowed(agent, url)
        verb = "allow" if allowed else "disallow"
        deciding = [rule for rule in self.rules(agent) if rule.verb == verb and rule.path]
        for rule in sorted(deciding, key=lambda rule: -len(rule.path)):
            if self._matches(rule, url):
                return rule
        return None

    def _matches(self, rule: Rule, url: str) -> bool:
        key = f"disallow {rule.path}"
        if key not in self._matchers:
            self._matchers[key] = _matcher([("disallow", rule.path)])
        return not self._matchers[key].can_fetch(url, "*")

    def crawl_delay(self, agent: str) -> float | None:
        """The seconds that an agent is asked to wait between requests."""
        return next((group.crawl_delay for group in self.of(agent) if group.crawl_delay is not None), None)


def token(agent: str) -> str:
    """The product token of a user agent, in lower case: `GPTBot/1.1` is `gptbot`."""
    match = _TOKEN.match(agent.strip())
    return match[0].lower() if match else agent.strip().lower()


def _matcher(rules: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> Protego:
    lines = [f"{verb}: {path}" for verb, path in rules]
    return Protego.parse("\n".join(["User-agent: *", *lines]))
