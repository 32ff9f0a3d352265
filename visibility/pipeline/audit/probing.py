"""The last requests of an audit: what shows how the server behaves, and whether listed and linked addresses work."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from urllib.parse import urljoin
from uuid import UUID

from visibility.audit.checks.addresses import page_key, same_site, spread
from visibility.audit.page import ParsedPage
from visibility.audit.site import Fetched, Probe, ProbeName, Sitemap
from visibility.pipeline.audit.addresses import canonical, origin_of
from visibility.pipeline.audit.client import Client
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
_LICENCE = re.compile(r"^\s*license\s*:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
_USUAL_LICENCE = "/license.xml"


async def probes_of(client: Client, run_id: UUID, home_url: str, rules: Rules) -> dict[ProbeName, Probe]:
    """What each of the probes answered that robots.txt lets us ask for."""
    origin = origin_of(home_url)
    host = origin.partition("://")[2]
    licence = _LICENCE.search(rules.robots.text)
    asked: dict[ProbeName, str] = {name: f"{origin}{path}" for name, path in WELL_KNOWN.items()}
    asked |= {
        "missing page": f"{origin}/{run_id.hex}",
        "plain http": f"http://{host}/",
        "neutral client": home_url,
        "markdown": home_url,
        "rsl": urljoin(f"{origin}/", licence[1] if licence else _USUAL_LICENCE),
    }
    allowed = {name: url for name, url in asked.items() if rules.allow(url)}
    found = await asyncio.gather(*(_probe(client, name, url) for name, url in allowed.items()))
    return dict(zip(allowed, found, strict=True))


async def statuses_of(client: Client, addresses: Sequence[str]) -> tuple[Fetched, ...]:
    """What these addresses answer. A GET whose body is left where it is: servers often answer HEAD otherwise."""
    return tuple(reply.fetched for reply in await asyncio.gather(*(client.probe(url) for url in addresses)))


def addresses_to_sample(
    home_url: str, rules: Rules, sitemaps: Sequence[Sitemap], pages: Sequence[tuple[str, ParsedPage]], asked: set[str]
) -> tuple[list[str], dict[str, str]]:
    """Addresses of sitemaps and internal links that the crawl did not ask, evenly over all; and for each of the links
    the page that has it. `asked`: the keys of those that it asked."""
    listed = {
        page_key(entry.url): entry.url
        for sitemap in sitemaps
        for entry in sitemap.entries
        if page_key(entry.url) not in asked and same_site(entry.url, home_url) and rules.allow(entry.url)
    }
    linked: dict[str, tuple[str, str]] = {}
    for address, parsed in pages:
        for link in parsed.links:
            url = canonical(link.url)
            key = page_key(url)
            if url and key not in asked and key not in listed and same_site(url, home_url) and rules.allow(url):
                linked.setdefault(key, (url, address))
    of_sitemaps = spread(listed.values(), SAMPLED)
    of_links = [linked[key] for key in spread(linked, SAMPLED)]
    return [*of_sitemaps, *(url for url, _ in of_links)], dict(of_links)


async def _probe(client: Client, name: ProbeName, url: str) -> Probe:
    accept = {"accept": MARKDOWN} if name == "markdown" else {}
    reply = await client.probe(url, neutral=name == "neutral client", **accept)
    return Probe(reply.fetched, reply.body.decode("utf-8", "replace"))
