"""The stage of probes: a few further addresses, which show how the server behaves and what it has for agents."""

from collections.abc import Mapping
from uuid import UUID

from visibility.audit.checks.addresses import joined_to
from visibility.audit.site import Probe, ProbeName
from visibility.pipeline.audit.addresses import origin_of
from visibility.pipeline.audit.client import NEUTRAL_AGENT, Client, answers_in_order
from visibility.pipeline.audit.reading import FileReader
from visibility.pipeline.audit.rules import Rules

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
        "other host": f"{origin.partition('://')[0]}://{_twin(host)}/",
        "neutral client": home_url,
        "markdown": home_url,
        "rsl": joined_to(f"{origin}/", rules.robots.rules.licence or _USUAL_LICENCE),
    }
    allowed = {name: url for name, url in addresses.items() if url and rules.allow(url)}
    probes = await answers_in_order(allowed.items(), lambda named: _probe(client, files, *named))
    return dict(zip(allowed, probes, strict=True))


def _twin(host: str) -> str:
    return host.removeprefix("www.") if host.startswith("www.") else f"www.{host}"


async def _probe(client: Client, files: FileReader, name: ProbeName, url: str) -> Probe:
    accept = {"accept": MARKDOWN} if name == "markdown" else {}
    reply = await client.probe(url, agent=NEUTRAL_AGENT if name == "neutral client" else None, **accept)
    return await files.probe(reply)
