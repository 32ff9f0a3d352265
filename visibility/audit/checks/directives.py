"""Directives for crawlers in a page's meta elements and headers: `noindex`, `nosnippet` and their like."""

from collections.abc import Iterator
from dataclasses import dataclass

from apikeys.text.sentences import one_line, shortened
from visibility.audit.outcome import MAX_QUOTE
from visibility.audit.page import ParsedPage
from visibility.audit.site import Fetched

SEARCH_BOTS = ("googlebot", "bingbot", "applebot", "oai-searchbot", "claude-searchbot", "perplexitybot")
"""Crawlers of search that a directive may name, in lower case; a directive for others concerns other things."""
_HEADER = "x-robots-tag"
_WITH_VALUE = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive in lower case (`noindex`, `max-snippet:0`), for one crawler or, where `bot` is empty, for all;
    where it stands, and the words there."""

    word: str
    bot: str
    where: str
    quote: str


def directives(fetched: Fetched, parsed: ParsedPage | None) -> list[Directive]:
    """Those for all crawlers and for crawlers of search, headers first."""
    return [*_of_headers(fetched), *(_of_metas(parsed) if parsed else ())]


def barring(fetched: Fetched, parsed: ParsedPage | None) -> Directive | None:
    """The first directive that keeps the page out of search, one for all crawlers before one for some."""
    marks = [mark for mark in directives(fetched, parsed) if mark.word in ("noindex", "none")]
    return min(marks, key=lambda mark: bool(mark.bot), default=None)


def _of_metas(parsed: ParsedPage) -> Iterator[Directive]:
    for meta in parsed.meta("robots", *SEARCH_BOTS):
        quote = shortened(f'<meta name="{meta.name}" content="{one_line(meta.content)}">', MAX_QUOTE)
        bot = "" if meta.name == "robots" else meta.name
        for word in meta.content.lower().split(","):
            yield Directive(_bare(word), bot, f"line {meta.line}", quote)


def _of_headers(fetched: Fetched) -> Iterator[Directive]:
    for name, value in fetched.headers:
        if name != _HEADER:
            continue
        bot, quote = "", shortened(f"X-Robots-Tag: {one_line(value)}", MAX_QUOTE)
        for part in value.lower().split(","):
            before, colon, after = part.partition(":")
            if colon and before.strip() not in _WITH_VALUE:
                bot, part = before.strip(), after
            if not bot or bot in SEARCH_BOTS:
                yield Directive(_bare(part), bot, f"header {_HEADER}", quote)


def _bare(word: str) -> str:
    """Without white space: `max-snippet: 0` is `max-snippet:0`."""
    return "".join(word.split())
