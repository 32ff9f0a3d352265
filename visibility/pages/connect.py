"""The page that says what each app wants to be connected, with the address of this very service."""

import json
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext

from apikeys.connect.metadata import resource
from apikeys.connect.tokens import connectable_keys
from apikeys.models import User
from visibility.pages.frame import account_page, show_page

SERVER = "brand-visibility"


@dataclass(frozen=True, slots=True)
class ClientApp:
    """An app: where the address goes in it, what to paste, its known fault, and how that is known."""

    name: str
    steps: str
    snippets: tuple[str, ...] = ()
    fault: str = ""
    source: str = ""
    """Where it was read; empty where it was tried with this service."""


def client_apps(address: str) -> list[ClientApp]:
    """The apps that people ask for most, with this address of the agent endpoint."""
    header = {"Authorization": "Bearer YOUR_KEY"}
    return [
        ClientApp(
            "ChatGPT",
            gettext(
                "Settings, Apps, Advanced: switch developer mode on. Create an app with this address and the "
                "authentication OAuth; leave id and secret empty."
            ),
            fault=gettext("It takes no key. Without developer mode it calls no tools but search and fetch."),
            source="developers.openai.com/plugins/build/auth",
        ),
        ClientApp(
            "Claude, on the web, desktop and phones",
            gettext("Settings, Connectors, Add custom connector: paste the address, then press Connect."),
            fault=gettext(
                "The address has to be the very one above. It reaches this service from Anthropic's network, so an "
                "address inside a company does not work."
            ),
            source="claude-ai-mcp 82, 228",
        ),
        ClientApp(
            "Claude Code",
            gettext("Run this, then /mcp in a session, and sign in there. With a key add the header."),
            (
                f"claude mcp add --transport http {SERVER} {address}",
                f'claude mcp add --transport http {SERVER} {address} --header "Authorization: Bearer YOUR_KEY"',
            ),
            source="claude-code 44652",
        ),
        ClientApp(
            "Cursor",
            gettext("In ~/.cursor/mcp.json; then press Connect in its settings. The second form is for a key."),
            (
                _written({"mcpServers": {SERVER: {"url": address}}}),
                _written(
                    {
                        "mcpServers": {
                            SERVER: {
                                "command": "npx",
                                "args": ["mcp-remote", address, "--header", "Authorization: Bearer YOUR_KEY"],
                            }
                        }
                    }
                ),
            ),
            fault=gettext(
                "It passes over a header where signing in is offered, and sometimes opens no browser: restart it."
            ),
            source="github-mcp-server 1663, forum 160328",
        ),
        ClientApp(
            "VS Code",
            gettext("In .vscode/mcp.json; then press Start above the entry, and allow it to sign in."),
            (_written({"servers": {SERVER: {"type": "http", "url": address}}}),),
            source="vscode 278512",
        ),
        ClientApp(
            "Copilot Studio",
            gettext("Tools, Add a tool, Model Context Protocol: paste the address, choose OAuth 2.0, then dynamic."),
            fault=gettext(
                "Where apps may not register here, the operator enters it and gives you an id and a secret."
            ),
            source="tableau-mcp 772",
        ),
        ClientApp(
            "Gemini CLI",
            gettext("Run this, then /mcp auth in a session. With a key, in ~/.gemini/settings.json:"),
            (
                f"gemini mcp add --transport http {SERVER} {address}",
                _written({"mcpServers": {SERVER: {"httpUrl": address, "headers": header}}}),
            ),
            source="gemini-cli 17167",
        ),
        ClientApp(
            "n8n",
            gettext(
                "Node MCP Client Tool: the address as endpoint, HTTP Streamable, authentication MCP OAuth2; "
                "or Bearer, with a key."
            ),
            source="docs.n8n.io",
        ),
        ClientApp(
            "Your own program",
            gettext(
                "The official clients in Python and TypeScript, mcp-remote and the MCP Inspector sign in by "
                "themselves, or send a key."
            ),
            ("Authorization: Bearer YOUR_KEY",),
        ),
    ]


@account_page
def connect(request: HttpRequest, user: User) -> HttpResponse:
    """What each app wants, with this service's address."""
    apps = client_apps(resource())
    half = (len(apps) + 1) // 2
    return show_page(
        request,
        "connect.html",
        address=resource(),
        signs_in=settings.APPS_SIGN_IN,
        has_key=bool(connectable_keys(user, timezone.now())),
        columns=[apps[:half], apps[half:]],
    )


def _written(content: dict[str, object]) -> str:
    return json.dumps(content, indent=2)
