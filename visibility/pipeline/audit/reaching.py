"""The stage of reach: the status of what pages and sitemaps name and the crawl did not ask for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from visibility.audit.checks.addresses import page_key, spread
from visibility.audit.page import ParsedPage
from visibility.audit.site import Coverage, Fetched, Sitemap, Target
from visibility.pipeline.audit.addresses import on_site
from visibility.pipeline.audit.client import MAX_IN_A_ROW, Client, answers_in_order, is_silent
from visibility.pipeline.audit.rules import Rules

MOST: Mapping[Target, int] = {"canonical": 100, "hreflang": 100, "link": 300, "sitemap": 50}
"""So many of a kind are asked for, evenly over all, in this order: what pages say of themselves first, as an
error there keeps a page out of search."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What the addresses answered, the page that links each, if one does, and how many there were of each kind."""

    sampled: tuple[Fetched, ...]
    linked_from: Mapping[str, str]
    coverage: Mapping[Target, Coverage]


@dataclass(slots=True)
class _Named:
    """The addresses that pages and sitemaps name, by their keys."""

    by_target: dict[Target, dict[str, str]] = field(default_factory=lambda: {target: {} for target in MOST})
    linked_from: dict[str, str] = field(default_factory=dict)

    def note(self, target: Target, url: str, page: str = "") -> None:
        """Take in an address of the site; `page`: the one that names it."""
        key = page_key(url)
        self.by_target[target].setdefault(key, url)
        if target == "link":
            self.linked_from.setdefault(key, page)


async def reach_of(
    client: Client,
    home_url: str,
    rules: Rules,
    sitemaps: Sequence[Sitemap],
    pages: Sequence[tuple[str, ParsedPage]],
    crawled: set[str],
) -> Reach:
    """Ask for the status of what is named on the pages (with their addresses) and in sitemaps, as far as robots.txt
    allows. `crawled`: the keys of what the crawl asked."""
    named = _named(home_url, rules, sitemaps, pages)
    chosen: dict[str, str] = {}
    for target, most in MOST.items():
        unknown = {
            key: url for key, url in named.by_target[target].items() if key not in crawled and key not in chosen
        }
        chosen.update((key, unknown[key]) for key in spread(unknown, most))
    answers = await _statuses(client, list(chosen.values()))
    reached = crawled | {page_key(answer.url) for answer in answers}
    return Reach(
        tuple(answers),
        {answer.url: page for answer in answers if (page := named.linked_from.get(page_key(answer.url)))},
        {
            target: Coverage(reached=len(reached & urls.keys()), known=len(urls))
            for target, urls in named.by_target.items()
            if urls
        },
    )


async def _statuses(client: Client, addresses: Sequence[str]) -> list[Fetched]:
    """What they answer, up to where the site stops answering or the audit has read enough."""
    in_a_row = 0

    async def ask(url: str) -> Fetched | None:
        nonlocal in_a_row
        if in_a_row >= MAX_IN_A_ROW or client.out_of_bytes:
            return None
        answer = await client.status(url)
        in_a_row = in_a_row + 1 if is_silent(answer) else 0
        return answer

    return await answers_in_order(addresses, ask)


def _named(
    home_url: str, rules: Rules, sitemaps: Sequence[Sitemap], pages: Sequence[tuple[str, ParsedPage]]
) -> _Named:
    named = _Named()
    for address, target, url in _addresses(sitemaps, pages):
        where = on_site(url, home_url)
        if where and rules.allow(where):
            named.note(target, where, address)
    return named


def _addresses(
    sitemaps: Sequence[Sitemap], pages: Sequence[tuple[str, ParsedPage]]
) -> Iterator[tuple[str, Target, str]]:
    """Each address with the page that names it and as what."""
    for address, parsed in pages:
        for head in parsed.linked("canonical"):
            yield address, "canonical", head.url
        for head in parsed.linked("alternate"):
            if head.hreflang.strip():
                yield address, "hreflang", head.url
        for link in parsed.links:
            if link.url:
                yield address, "link", link.url
    for sitemap in sitemaps:
        for entry in sitemap.entries:
            yield "", "sitemap", entry.url
