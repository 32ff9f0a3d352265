"""Directives for crawlers in a page's meta elements and headers: `noindex`, `nosnippet` and their like."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from visibility.audit.facts import Fetched, ParsedPage
from visibility.audit.outcome import MAX_QUOTE
from visibility.audit.sentences import say, shortened

SEARCH_BOTS = ("googlebot", "bingbot", "applebot", "oai-searchbot", "claude-searchbot", "perplexitybot")
"""Crawlers of search that a directive may name, in lower case; a directive for others concerns other things."""
ENDING = "unavailable_after"
_WITH_VALUE = ("max-snippet", "max-image-preview", "max-video-preview", ENDING)
_PART = re.compile(
    rf"[^,:]*:?\s*{ENDING}\s*:\s*(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\s*,)?[^,]*(?:,\s*\d[^,]*)*|[^,]+"
)
"""One directive of a list; the commas of a date do not part it."""


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive in lower case (`noindex`, `max-snippet:0`), for one crawler or, where `bot` is empty, for all;
    with its place and the words there. `until`: the date of `unavailable_after`, as it is written."""

    word: str
    bot: str
    where: str
    quote: str
    until: str = ""

    @property
    def ends(self) -> datetime | None:
        """When `unavailable_after` takes the page out of search; null where its date cannot be read."""
        return _moment(self.until)

    def bars(self, at: datetime) -> bool:
        """Whether it takes the page out of search at this time."""
        if self.word == ENDING:
            return self.ends is not None and self.ends <= at
        return self.word in ("noindex", "none")


def directives(fetched: Fetched, parsed: ParsedPage | None) -> Iterator[Directive]:
    """The directives for all crawlers and for those of search, headers first."""
    for name, value in fetched.headers:
        if name == "x-robots-tag":
            yield from _of_header(value)
    for meta in parsed.meta("robots", *SEARCH_BOTS) if parsed else ():
        quote = shortened(f'<meta name="{meta.name}" content="{meta.content}">', MAX_QUOTE)
        where = say("line {line}", line=str(meta.line))
        for part in _PART.findall(meta.content.lower()):
            yield _directive(part, "" if meta.name == "robots" else meta.name, where, quote)


def _of_header(value: str) -> Iterator[Directive]:
    bot, quote = "", shortened(f"X-Robots-Tag: {value}", MAX_QUOTE)
    for part in _PART.findall(value.lower()):
        before, colon, after = part.partition(":")
        if colon and before.strip() not in _WITH_VALUE:
            bot, part = before.strip(), after
        if not bot or bot in SEARCH_BOTS:
            yield _directive(part, bot, say("header x-robots-tag"), quote)


def _directive(part: str, bot: str, where: str, quote: str) -> Directive:
    word, _, value = part.partition(":")
    if word.strip() == ENDING:
        return Directive(ENDING, bot, where, quote, value.strip())
    return Directive("".join(part.split()), bot, where, quote)


def _moment(written: str) -> datetime | None:
    """The moment of a date as ISO 8601, RFC 850 or RFC 1123 write it, with or without a time and a zone (UTC)."""
    text = written.strip(" \"'").upper()
    without_zone = re.sub(r"(?<=\d)\s+[A-Z]{1,5}$", "", text)
    for reader, form in (
        (datetime.fromisoformat, text.replace("/", "-")),
        (parsedate_to_datetime, text),
        (datetime.fromisoformat, without_zone.replace("/", "-")),
        (parsedate_to_datetime, f"{text} 00:00:00"),
    ):
        with suppress(ValueError, TypeError, IndexError, OverflowError):
            moment = reader(form)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    return None


def barring(fetched: Fetched, parsed: ParsedPage | None, at: datetime) -> Directive | None:
    """The first directive that takes the page out of search now (`at`), one for all crawlers before one for some."""
    marks = [mark for mark in directives(fetched, parsed) if mark.bars(at)]
    return min(marks, key=lambda mark: bool(mark.bot), default=None)
