"""The page that says what each app wants to be connected, with the address of this very service."""

import json
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apikeys.connect.metadata import resource
from apikeys.connect.tokens import connectable_keys
from apikeys.models import User
from visibility.pages.frame import account_page, show_page

SERVER = "brand-visibility"
TRIED = "Tried with this service."
NOT_TRIED = "Not tried here; from its documentation and reports, November 2026"


@dataclass(frozen=True, slots=True)
class ClientApp:
    """An app: where the address goes in it, what to paste, its known fault, and how that is known."""

    name: str
    steps: str
    snippets: tuple[str, ...] = ()
    fault: str = ""
    source: str = NOT_TRIED


def client_apps(address: str) -> list[ClientApp]:
    """The apps that people ask for most, with this address of the agent endpoint."""
    header = {"Authorization": "Bearer YOUR_KEY"}
    return [
        ClientApp(
            "ChatGPT",
            "Settings, Apps, Advanced: switch developer mode on. Create an app with this address and the "
            "authentication OAuth; leave id and secret empty.",
            fault="It takes no key. Without developer mode it calls no tools but search and fetch.",
            source=f"{NOT_TRIED} (developers.openai.com/plugins/build/auth).",
        ),
        ClientApp(
            "Claude, on the web, desktop and phones",
            "Settings, Connectors, Add custom connector: paste the address, then press Connect.",
            fault="The address has to be the very one above. It reaches this service from Anthropic's network, so an "
            "address inside a company does not work.",
            source=f"{NOT_TRIED} (claude-ai-mcp 82, 228).",
        ),
        ClientApp(
            "Claude Code",
            "Run this, then /mcp in a session, and sign in there. With a key add the header.",
            (
                f"claude mcp add --transport http {SERVER} {address}",
                f'claude mcp add --transport http {SERVER} {address} --header "Authorization: Bearer YOUR_KEY"',
            ),
            source=f"{NOT_TRIED} (claude-code 44652).",
        ),
        ClientApp(
            "Cursor",
            "In ~/.cursor/mcp.json; then press Connect in its settings. The second form is for a key.",
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
            fault="It passes over a header where signing in is offered, and sometimes opens no browser: restart it.",
            source=f"{NOT_TRIED} (github-mcp-server 1663, forum 160328).",
        ),
        ClientApp(
            "VS Code",
            "In .vscode/mcp.json; then press Start above the entry, and allow it to sign in.",
            (_written({"servers": {SERVER: {"type": "http", "url": address}}}),),
            source=f"{NOT_TRIED} (vscode 278512).",
        ),
        ClientApp(
            "Copilot Studio",
            "Tools, Add a tool, Model Context Protocol: paste the address, choose OAuth 2.0 and dynamic discovery.",
            fault="Where apps may not register here, the operator enters it and gives you an id and a secret.",
            source=f"{NOT_TRIED} (tableau-mcp 772).",
        ),
        ClientApp(
            "Gemini CLI",
            "Run this, then /mcp auth in a session. With a key, in ~/.gemini/settings.json:",
            (
                f"gemini mcp add --transport http {SERVER} {address}",
                _written({"mcpServers": {SERVER: {"httpUrl": address, "headers": header}}}),
            ),
            source=f"{NOT_TRIED} (gemini-cli 17167).",
        ),
        ClientApp(
            "n8n",
            "Node MCP Client Tool: the address as endpoint, HTTP Streamable, authentication MCP OAuth2; or Bearer, "
            "with a key.",
            source=f"{NOT_TRIED} (docs.n8n.io).",
        ),
        ClientApp(
            "Your own program",
            "The official client in Python and mcp-remote sign in by themselves, or send a key.",
            ("Authorization: Bearer YOUR_KEY",),
            source=TRIED,
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
