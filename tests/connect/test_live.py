"""The official client connects by signing in, over a real port: it registers itself, or by its document."""

import asyncio
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import orjson
import pytest
from django.conf import settings
from django.test import Client as Browser
from django.utils import timezone
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.oauth2 import AuthorizationCodeResult
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata
from pydantic import AnyUrl

from apikeys.models import CallLog, Connection, ConnectionSecret, User
from brands.models import Brand, Competitor
from mcp_bridge.tools import ALL_TOOLS
from tests.audit.fetch.certificates import good, server_context, trusted
from tests.audit.fetch.servers import answer, says, serving
from tests.connect.conftest import document
from tests.factories import BrandFactory, make_key
from tests.live import WEB, live_process, own_database
from tests.mcp.conftest import data_of
from tests.people.browser import FormReader

HOST, BACK = "agent.example", "http://127.0.0.1:33418/back"
DOCUMENT = f"https://{HOST}/client.json"
PATIENCE = 60


@dataclass(frozen=True)
class World:
    """A running server, somebody with a brand and a key, and the host of an app's document."""

    url: str
    brand: Brand
    user: User


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker, tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    authorities = folder / "authorities.pem"
    authorities.write_text(trusted())
    body = orjson.dumps(document(DOCUMENT, client_name="Agent", redirect_uris=[BACK]))
    behaves = {"/client.json": says(answer(200, "Content-Type: application/json", body=body))}
    with (
        django_db_blocker.unblock(),
        serving(behaves, tls=server_context(good(HOST), folder)) as server,
        own_database() as database,
    ):
        brand = BrandFactory(name="Acme", domain="acme.example")
        make_key(owner=brand.owner)
        environment = {
            "PUBLIC_URL": "{url}",
            "SECRET_KEY": settings.SECRET_KEY,
            "AUDIT_LOCAL_HOSTS": f"{HOST}={server.address[0]}:{server.address[1]}",
            "SSL_CERT_FILE": str(authorities),
        }
        with live_process(*WEB, database=database, DEBUG="1", **environment) as live:
            yield World(live.url, brand, brand.owner)


@dataclass
class Storage:
    """What a client remembers between its runs."""

    tokens: Any = None
    client: Any = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


@dataclass
class Person:
    """Opens the page that the client names, ticks what was asked for, and connects."""

    world: World
    cookie: str
    pages: list[str] = field(default_factory=list)
    location: str = ""
    """Where the browser was sent back to."""

    async def open(self, address: str) -> None:
        assert address.startswith(f"{self.world.url}/authorize?")
        cookies = {settings.SESSION_COOKIE_NAME: self.cookie}
        async with httpx2.AsyncClient(cookies=cookies, timeout=30, trust_env=False) as browser:
            page = await browser.get(address)
            assert page.status_code == 200, page.text
            reader = FormReader()
            reader.feed(page.text)
            asked = dict(parse_qsl(urlsplit(address).query)).get("scope", "").split()
            fields = {
                "csrfmiddlewaretoken": reader.fields["csrfmiddlewaretoken"],
                "key": reader.fields["key"],
                "reads": reader.fields.get("reads", []),
                "changes": [scope for scope in asked if scope.startswith("write:")],
            }
            sent = await browser.post(address, data=fields, headers={"Referer": address})
        assert sent.status_code == 303, sent.text
        self.pages.append(page.text)
        self.location = sent.headers["Location"]

    async def came_back(self) -> AuthorizationCodeResult:
        back = dict(parse_qsl(urlsplit(self.location).query))
        return AuthorizationCodeResult(code=back["code"], state=back["state"], iss=back["iss"])


def signed_in(world) -> Person:
    browser = Browser()
    browser.force_login(world.user)
    return Person(world, browser.cookies[settings.SESSION_COOKIE_NAME].value)


def connected(world, act, *, mode, document_address=None):
    """What `act` returns of the client, its provider, and the person who let it in."""
    person = signed_in(world)

    async def talk():
        provider = OAuthClientProvider(
            f"{world.url}/mcp",
            OAuthClientMetadata(client_name="Agent", redirect_uris=[AnyUrl(BACK)]),
            Storage(),
            redirect_handler=person.open,
            callback_handler=person.came_back,
            client_metadata_url=document_address,
        )
        async with (
            httpx2.AsyncClient(auth=provider, timeout=30, trust_env=False) as http,
            Client(streamable_http_client(f"{world.url}/mcp", http_client=http), mode=mode) as client,
        ):
            return await act(client, provider)

    return asyncio.run(asyncio.wait_for(talk(), PATIENCE)), person


@pytest.mark.parametrize(
    ("mode", "document_address"),
    [
        ("auto", DOCUMENT),
        ("legacy", None),
        pytest.param("auto", None, marks=pytest.mark.proof),
        pytest.param("legacy", DOCUMENT, marks=pytest.mark.proof),
    ],
)
def test_the_official_client_connects_lists_and_calls(world, mode, document_address):
    async def act(client, provider):
        return len((await client.list_tools()).tools), data_of(await client.call_tool("svc_list_sites", {}))

    (tools, found), person = connected(world, act, mode=mode, document_address=document_address)
    assert (tools, found["sites"][0]["id"]) == (len(ALL_TOOLS), str(world.brand.pk))
    source = "document" if document_address else "registered"
    assert Connection.objects.first().app.source == source
    assert len(person.pages) == 1


def test_the_official_client_renews_its_token_without_asking(world):
    async def act(client, provider):
        await client.call_tool("svc_list_sites", {})
        first = provider.context.current_tokens.access_token
        provider.context.token_expiry_time = 1.0
        await client.call_tool("svc_list_sites", {})
        return first, provider.context.current_tokens.access_token

    (first, second), person = connected(world, act, mode="auto")
    assert first != second
    assert len(person.pages) == 1


def test_the_official_client_asks_for_more_when_a_call_needs_it(world):
    async def act(client, provider):
        arguments = {"siteId": str(world.brand.pk), "name": "Rival", "domain": "rival.example"}
        return data_of(await client.call_tool("svc_add_competitor", arguments))

    _, person = connected(world, act, mode="auto")
    assert len(person.pages) == 2
    assert Competitor.objects.filter(brand=world.brand, name="Rival").exists()


def test_calls_are_logged_with_their_connection(world):
    async def act(client, provider):
        await client.call_tool("svc_list_sites", {})

    connected(world, act, mode="auto")
    row = CallLog.objects.filter(name="svc_list_sites").first()
    assert row.connection == Connection.objects.first()
    assert not ConnectionSecret.objects.filter(kind="access", expires_at__lt=timezone.now()).exists()
