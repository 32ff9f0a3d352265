"""robots.txt as RFC 9309 and Google's matcher read it: which group is an agent's, which line decides.

Groups are told here, because Protego lets lines that belong to no group end one; whether a path matches a rule is
told by Protego.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from protego import Protego

MAX_CHARACTERS = 500 * 1024
"""What crawlers must read of a robots.txt (RFC 9309, 2.5); the rest is left out."""
MAX_LINE = 2_000

_AGENT = ("user-agent", "useragent", "user agent")
_RULES: dict[str, Literal["allow", "disallow"]] = {
    "allow": "allow",
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
}
_SITEMAP = ("sitemap", "site-map", "sitemaps")
_DELAY = ("crawl-delay", "crawl delay", "crawldelay")
_OTHERS = (
    "host",
    "clean-param",
    "request-rate",
    "visit-time",
    "noindex",
    "content-signal",
    "content-usage",
    "license",
)
_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_HTML = re.compile(r"^\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)


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
    """What a robots.txt says. `strange`: lines that no crawler understands; `cut`: it is longer than crawlers read;
    `is_html`: it is a page of HTML."""

    groups: list[Group] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    strange: list[RobotsLine] = field(default_factory=list)
    others: list[RobotsLine] = field(default_factory=list)
    """Lines that some readers know and that are no rules, such as Content-Signal."""
    cut: bool = False
    is_html: bool = False
    _matchers: dict[str, Protego] = field(default_factory=dict, repr=False)

    @cached_property
    def _by_agent(self) -> dict[str, list[Group]]:
        groups: dict[str, list[Group]] = {}
        for group in self.groups:
            for name in dict.fromkeys(group.names):
                groups.setdefault(name, []).append(group)
        return groups

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
        name = token(agent)
        key = name if name in self._by_agent else "*"
        if key not in self._matchers:
            self._matchers[key] = _matcher((rule.verb, rule.path) for rule in self.rules(agent))
        return bool(self._matchers[key].can_fetch(url, "*"))

    def rule(self, agent: str, url: str) -> Rule | None:
        """The line that decides; null where none matches, which allows."""
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


def parse_robots(text: str) -> RobotsRules:
    """Read a robots.txt; never raises."""
    rules = RobotsRules(cut=len(text) > MAX_CHARACTERS, is_html=bool(_HTML.match(text)))
    if rules.is_html:
        return rules
    group, ruled = Group(), True
    for number, written, name, value in _lines(text[:MAX_CHARACTERS].removeprefix("\ufeff")):
        line = RobotsLine(number, written)
        if name in _AGENT:
            if ruled:
                group, ruled = Group(), False
                rules.groups.append(group)
            group.agents.append((token(value), line))
        elif name in _RULES:
            ruled = True
            group.rules.append(Rule(number, written, _RULES[name], value))
        elif not _beside(rules, group, line, name, value):
            rules.strange.append(line)
        if name not in _AGENT and name not in _RULES and not ruled:
            group.parted.append(line)
    for group in rules.groups:
        # What stands after the last agent parts nothing.
        last = group.agents[-1][1].number
        group.parted = [line for line in group.parted if line.number < last]
    return rules


def _beside(rules: RobotsRules, group: Group, line: RobotsLine, name: str, value: str) -> bool:
    """Take in a line that is no rule; false where nobody understands it."""
    if name in _SITEMAP:
        if value:
            rules.sitemaps.append(value)
    elif name in _DELAY:
        try:
            group.crawl_delay = min(max(float(value), 0.0), 86_400.0)
        except ValueError:
            return False
    elif name in _OTHERS:
        rules.others.append(line)
    else:
        return False
    return True


def _lines(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Number, line as written, name in lower case and value, of each line that is not empty or a comment."""
    for number, raw in enumerate(re.split(r"\r\n|\n|\r", text), 1):
        line = raw[:MAX_LINE].partition("#")[0].strip()
        if not line:
            continue
        name, colon, value = line.partition(":")
        if not colon:
            # Google takes `Disallow /path` too, where there are just two words.
            name, _, value = line.partition(" ")
            if " " in value.strip():
                name, value = line, ""
        yield number, raw.strip()[:300], name.strip().lower(), value.strip()


def _matcher(rules: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> Protego:
    lines = [f"{verb}: {path}" for verb, path in rules]
    return Protego.parse("\n".join(["User-agent: *", *lines]))
