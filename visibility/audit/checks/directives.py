"""Directives for crawlers in a page's meta elements and headers: `noindex`, `nosnippet` and their like."""

from collections.abc import Iterator
from dataclasses import dataclass

from visibility.audit.facts import Fetched, ParsedPage
from visibility.audit.outcome import MAX_QUOTE
from visibility.audit.sentences import shortened

SEARCH_BOTS = ("googlebot", "bingbot", "applebot", "oai-searchbot", "claude-searchbot", "perplexitybot")
"""Crawlers of search that a directive may name, in lower case; a directive for others concerns other things."""
_WITH_VALUE = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive in lower case (`noindex`, `max-snippet:0`), for one crawler or, where `bot` is empty, for all;
    with its place and the words there."""

    word: str
    bot: str
    where: str
    quote: str


def directives(fetched: Fetched, parsed: ParsedPage | None) -> Iterator[Directive]:
    """The directives for all crawlers and for those of search, headers first."""
    for name, value in fetched.headers:
        if name == "x-robots-tag":
            yield from _of_header(value)
    for meta in parsed.meta("robots", *SEARCH_BOTS) if parsed else ():
        quote = shortened(f'<meta name="{meta.name}" content="{meta.content}">', MAX_QUOTE)
        for word in meta.content.lower().split(","):
            bot = "" if meta.name == "robots" else meta.name
            yield Directive("".join(word.split()), bot, f"line {meta.line}", quote)


def _of_header(value: str) -> Iterator[Directive]:
    bot, quote = "", shortened(f"X-Robots-Tag: {value}", MAX_QUOTE)
    for part in value.lower().split(","):
        before, colon, after = part.partition(":")
        if colon and before.strip() not in _WITH_VALUE:
            bot, part = before.strip(), after
        if not bot or bot in SEARCH_BOTS:
            yield Directive("".join(part.split()), bot, "header x-robots-tag", quote)


def barring(fetched: Fetched, parsed: ParsedPage | None) -> Directive | None:
    """The first directive that takes the page out of search, one for all crawlers before one for some."""
    marks = [mark for mark in directives(fetched, parsed) if mark.word in ("noindex", "none")]
    return min(marks, key=lambda mark: bool(mark.bot), default=None)
