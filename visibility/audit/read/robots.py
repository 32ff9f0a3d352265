"""Reads robots.txt as RFC 9309 and Google's matcher do. Groups are built here, because Protego lets lines that belong
to no group end one, and because findings name the line that decides."""

import re
from collections.abc import Iterator
from typing import Literal

from visibility.audit.robots import Group, RobotsLine, RobotsRules, product_token

MAX_BYTES = 500 * 1024
"""As much of a robots.txt as crawlers must read (RFC 9309, 2.5); the rest is left out."""
MAX_LINE = 2_000
MAX_OPENING = 300
MAX_OF_EACH = 100
"""Sitemaps, and lines that are not understood."""

_AGENT = ("user-agent", "useragent", "user agent")
_RULES: dict[str, Literal["allow", "disallow"]] = {
    "allow": "allow",
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
}
_SITEMAP = ("sitemap", "site-map", "sitemaps")
_COMMENTS = re.compile(r"(?:[\s\ufeff]*+<!--.*?-->)*+[\s\ufeff]*+", re.DOTALL)
"""What may be before the first element of a page."""
_DELAY = ("crawl-delay", "crawl delay", "crawldelay")
_NO_RULES = frozenset(
    ("host", "clean-param", "request-rate", "visit-time", "noindex", "content-signal", "content-usage", "license")
)


def parse_robots(body: bytes) -> RobotsRules:
    """Read a robots.txt; never raises."""
    text = body[:MAX_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    rules = RobotsRules(opening=text.lstrip()[:MAX_OPENING], cut=len(body) > MAX_BYTES)
    before = _COMMENTS.match(text)
    rules.is_html = text.startswith("<", before.end() if before else 0)
    if rules.is_html:
        return rules
    group, ruled = Group(), True
    for number, written, name, value in _lines(text):
        line = RobotsLine(number, written)
        if name in _AGENT:
            if ruled:
                group, ruled = Group(), False
                rules.groups.append(group)
            group.agents.append((product_token(value), line))
        elif name in _RULES:
            ruled = True
            group.rules.append(RobotsLine(number, written, _RULES[name], value))
        elif not _understood(rules, group, name, value) and len(rules.strange) < MAX_OF_EACH:
            rules.strange.append(line)
        if name not in _AGENT and name not in _RULES and not ruled:
            group.parted.append(line)
    for group in rules.groups:
        # What follows the last agent parts nothing.
        last = group.agents[-1][1].number
        group.parted = [line for line in group.parted if line.number < last]
    return rules


def _understood(rules: RobotsRules, group: Group, name: str, value: str) -> bool:
    """Add what a line that is no rule says; false where it is not understood."""
    if name in _SITEMAP:
        if value and len(rules.sitemaps) < MAX_OF_EACH:
            rules.sitemaps.append(value)
        return True
    if name in _DELAY:
        try:
            group.crawl_delay = min(max(float(value), 0.0), 86_400.0)
        except ValueError:
            return False
        return True
    return name in _NO_RULES


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
