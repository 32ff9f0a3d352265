"""The last requests of an audit: what shows how the server behaves, and whether listed and linked addresses work."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from visibility.audit.checks.addresses import joined_to, page_key, spread
from visibility.audit.page import ParsedPage
from visibility.audit.site import Fetched, Probe, ProbeName, Sitemap
from visibility.pipeline.audit.addresses import on_site, origin_of
from visibility.pipeline.audit.client import Client
from visibility.pipeline.audit.reading import FileReader
from visibility.pipeline.audit.rules import Rules

SAMPLED = 20
"""Of the addresses of sitemaps, and as many of internal links."""
MARKDOWN = "text/markdown, text/html;q=0.5"
WELL_KNOWN: Mapping[ProbeName, str] = {
    "llms.txt": "/llms.txt",
    "mcp.json": "/.well-known/mcp.json",
    "mcp server card": "/.well-known/mcp/server-card.json",
    "api-catalog": "/.well-known/api-catalog",
    "agent card": "/.well-known/agent-card.json",
    "ucp": "/.well-known/ucp",
    "web bot auth": "/.well-known/http-message-signatures-directory",
    "tdmrep": "/.well-known/tdmrep.json",
}
_USUAL_LICENCE = "/license.xml"


async def probes_of(
    client: Client, files: FileReader, run_id: UUID, home_url: str, rules: Rules
) -> dict[ProbeName, Probe]:
    """What each of the probes answered that robots.txt lets us ask for."""
    origin = origin_of(home_url)
    host = origin.partition("://")[2]
    addresses: dict[ProbeName, str] = {name: f"{origin}{path}" for name, path in WELL_KNOWN.items()}
    addresses |= {
        "missing page": f"{origin}/{run_id.hex}",
        "plain http": f"http://{host}/",
        "neutral client": home_url,
        "markdown": home_url,
        "rsl": joined_to(f"{origin}/", rules.robots.rules.licence or _USUAL_LICENCE),
    }
    allowed = {name: url for name, url in addresses.items() if url and rules.allow(url)}
    probes = await asyncio.gather(*(_probe(client, files, name, url) for name, url in allowed.items()))
    return dict(zip(allowed, probes, strict=True))


async def statuses_of(client: Client, addresses: Sequence[str]) -> tuple[Fetched, ...]:
    """What these addresses answer. A GET whose body is left where it is: servers often answer HEAD otherwise."""
    return tuple(reply.fetched for reply in await asyncio.gather(*(client.probe(url) for url in addresses)))


def addresses_to_sample(
    home_url: str,
    rules: Rules,
    sitemaps: Sequence[Sitemap],
    pages: Sequence[tuple[str, ParsedPage]],
    crawled: set[str],
) -> tuple[list[str], dict[str, str]]:
    """Addresses of sitemaps and internal links that the crawl did not ask, evenly over all; and for each of the links
    the page that has it. `crawled`: the keys of those that it asked."""
    listed: dict[str, str] = {}
    for sitemap in sitemaps:
        for entry in sitemap.entries:
            url = on_site(entry.url, home_url)
            if url and page_key(url) not in crawled and rules.allow(url):
                listed.setdefault(page_key(url), url)
    linked: dict[str, tuple[str, str]] = {}
    for address, parsed in pages:
        for link in parsed.links:
            url = on_site(link.url, home_url)
            key = page_key(url)
            if url and key not in crawled and key not in listed and rules.allow(url):
                linked.setdefault(key, (url, address))
    of_sitemaps = spread(listed.values(), SAMPLED)
    of_links = [linked[key] for key in spread(linked, SAMPLED)]
    return [*of_sitemaps, *(url for url, _ in of_links)], dict(of_links)


async def _probe(client: Client, files: FileReader, name: ProbeName, url: str) -> Probe:
    accept = {"accept": MARKDOWN} if name == "markdown" else {}
    reply = await client.probe(url, neutral=name == "neutral client", **accept)
    return await files.probe(reply)
