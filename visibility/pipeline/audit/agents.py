"""The stage of AI crawlers: the home page and two key pages asked for under their names, and compared with ours.

The commonest way to shut AI systems out stands in no file: servers and the networks before them refuse by user agent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from visibility.audit.checks.access.crawlers import CRAWLERS, Crawler
from visibility.audit.checks.addresses import page_key
from visibility.audit.fetch.agent import under_name
from visibility.audit.page import PageKind, ParsedPage, Unparsed
from visibility.audit.site import AgentProbe, AgentVerdict, Fetched
from visibility.models import AuditPage
from visibility.pipeline.audit.client import BUSY, MAX_IN_A_ROW, Client, answers_in_order
from visibility.pipeline.audit.facts import fetched_from_json
from visibility.pipeline.audit.reading import PageReader
from visibility.pipeline.audit.rules import Rules

KEY_PAGES = 2
_KINDS: tuple[PageKind, ...] = ("article", "product", "pricing", "docs", "about", "contact")
"""Key pages, those that answers cite most first."""
FACTOR, SLACK = 2, 50
"""As much text: at most so many times as many words, or so many words more."""


@dataclass(frozen=True, slots=True)
class _Ours:
    """A page as our own crawler got it."""

    fetched: Fetched
    key: str
    words: int


async def agents_of(
    client: Client,
    rules: Rules,
    reader: PageReader,
    stored: Sequence[tuple[AuditPage, ParsedPage | Unparsed | None]],
) -> tuple[AgentProbe, ...]:
    """What the pages answer to each crawler that robots.txt lets in. What is not the same as for us is asked a second
    time, where the page is still given to us; the second answer holds."""
    pages = _chosen(stored)
    if not pages:
        return ()
    pairs = [
        (crawler, ours)
        for crawler in CRAWLERS
        for ours in (pages[:1] if crawler.purpose == "training" else pages)
        if crawler.fetches and rules.allow_agent(crawler.token, ours.fetched.url)
    ]
    asking = _Asking(client, reader)
    first = await answers_in_order(pairs, asking.ask)
    unlike = [pair for pair, probe in zip(pairs, first, strict=False) if probe.verdict != "same"]
    open_to_us = [
        page for page in pages if any(page is other for _, other in unlike) and await asking.lets_us_in(page)
    ]
    second = await answers_in_order([pair for pair in unlike if pair[1] in open_to_us], asking.ask)
    again = {(probe.agent, probe.url): probe for probe in second}
    return tuple(
        probe if probe.verdict == "same" else again.get((probe.agent, probe.url)) or replace(probe, verdict="unknown")
        for probe in first
    )


class _Asking:
    """Asks for pages under the names of crawlers until the site answers nothing any more, or enough was read."""

    def __init__(self, client: Client, reader: PageReader) -> None:
        self._client = client
        self._reader = reader
        self._in_a_row = 0

    async def ask(self, pair: tuple[Crawler, _Ours]) -> AgentProbe | None:
        """What the page answers to the crawler; null where nothing is asked for any more."""
        crawler, ours = pair
        if self._in_a_row >= MAX_IN_A_ROW or self._client.out_of_bytes:
            return None
        reply = await self._client.as_agent(ours.fetched.url, under_name(crawler.token, self._client.user_agent))
        throttled = reply.fetched.status in BUSY or reply.fetched.error == "timeout"
        self._in_a_row = self._in_a_row + 1 if throttled else 0
        words = await self._reader.words(reply, ours.key, ours.words) if reply.fetched.answered else None
        return AgentProbe(
            agent=crawler.token,
            purpose=crawler.purpose,
            url=ours.fetched.url,
            fetched=reply.fetched,
            verdict=_verdict(reply.fetched, ours, words, challenge=reply.is_challenge),
            challenge=reply.is_challenge,
            words=words,
            our_status=ours.fetched.status,
            our_bytes=ours.fetched.bytes,
            our_words=ours.words,
        )

    async def lets_us_in(self, ours: _Ours) -> bool:
        """Whether the page is still given to our own crawler."""
        reply = await self._client.as_agent(ours.fetched.url, self._client.user_agent)
        return reply.fetched.answered and not reply.is_challenge


def _chosen(stored: Sequence[tuple[AuditPage, ParsedPage | Unparsed | None]]) -> list[_Ours]:
    """The home page and two more, of different key kinds where there are such."""
    read = list(_read(stored))
    if not read or read[0][0].position != 0:
        return []
    first_of_kind: dict[PageKind, int] = {}
    for place, (_, parsed) in enumerate(read[1:], 1):
        first_of_kind.setdefault(parsed.kind, place)
    places = [*(first_of_kind[kind] for kind in _KINDS if kind in first_of_kind), *range(1, len(read))]
    chosen = [0, *list(dict.fromkeys(places))[:KEY_PAGES]]
    return [
        _Ours(fetched_from_json(page.fetched), page.content.key if page.content else "", parsed.words)
        for page, parsed in (read[place] for place in chosen)
    ]


def _read(
    stored: Sequence[tuple[AuditPage, ParsedPage | Unparsed | None]],
) -> Iterator[tuple[AuditPage, ParsedPage]]:
    for page, parsed in stored:
        if isinstance(parsed, ParsedPage):
            yield page, parsed


def _verdict(theirs: Fetched, ours: _Ours, words: int | None, *, challenge: bool) -> AgentVerdict:
    if theirs.status in BUSY:
        return "unknown"
    if theirs.error or theirs.status >= 400 or challenge:
        return "refused"
    elsewhere = page_key(theirs.final_url) != page_key(ours.fetched.final_url)
    if theirs.status != ours.fetched.status or elsewhere or words is None:
        return "different"
    less, more = sorted((words, ours.words))
    return "same" if more <= FACTOR * less or more - less <= SLACK else "different"
