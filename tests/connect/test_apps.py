"""Which apps are let to the page: those with a sound document, and those that register themselves soundly."""

from datetime import timedelta

import orjson
import pytest
from django.test import Client
from django.utils import timezone

from apikeys.connect.apps import find_app
from apikeys.connect.errors import UnsoundApp
from apikeys.connect.redirects import may_redirect
from apikeys.models import App
from tests.connect.conftest import CALLBACK, DOCUMENT, document

CURSOR = [
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "https://www.cursor.com/agents/mcp/oauth/callback",
    "http://localhost:8787/callback",
]
CHATGPT = {
    "client_id": "https://chatgpt.com/oauth/IbUR3zxyNQ16/client.json",
    "client_uri": "https://chatgpt.com/",
    "redirect_uris": ["https://chatgpt.com/connector/oauth/IbUR3zxyNQ16"],
    "token_endpoint_auth_method": "private_key_jwt",
    "token_endpoint_auth_methods_supported": ["none", "private_key_jwt"],
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "client_name": "ChatGPT",
    "token_endpoint_auth_signing_alg": "RS256",
    "jwks_uri": "https://chatgpt.com/oauth/jwks.json",
}

pytestmark = pytest.mark.django_db


def found(client_id, content):
    return find_app(client_id, lambda address: content if isinstance(content, bytes) else orjson.dumps(content))


def register(body, **options):
    content = body if isinstance(body, bytes) else orjson.dumps(body)
    return Client().post("/register", content, content_type="application/json", **options)


def test_an_app_with_a_document_is_known_by_its_host_and_name():
    app = found(DOCUMENT, document())
    assert (app.source, app.host, app.name, app.redirect_uris) == ("document", "claude.example", "Claude", [CALLBACK])


def test_the_document_of_chatgpt_is_taken_since_it_lists_none():
    assert found(CHATGPT["client_id"], CHATGPT).name == "ChatGPT"


def test_a_fresh_document_is_not_read_again():
    found(DOCUMENT, document())
    assert found(DOCUMENT, b"not read").name == "Claude"


def test_a_document_is_read_again_after_an_hour():
    found(DOCUMENT, document())
    App.objects.update(fresh_until=timezone.now() - timedelta(seconds=1))
    assert found(DOCUMENT, document(client_name="Claude 2")).name == "Claude 2"


def test_a_document_that_became_unsound_is_refused():
    found(DOCUMENT, document())
    App.objects.update(fresh_until=timezone.now() - timedelta(seconds=1))
    with pytest.raises(UnsoundApp):
        found(DOCUMENT, document(redirect_uris=[]))


@pytest.mark.parametrize(
    "changed",
    [
        {"client_id": "https://claude.example/oauth/other.json"},
        {"client_id": None},
        {"token_endpoint_auth_method": "client_secret_post"},
        {"token_endpoint_auth_method": "private_key_jwt"},
        {"token_endpoint_auth_methods_supported": ["private_key_jwt"]},
        {"client_secret": "a secret"},
        {"redirect_uris": ["http://app.example/callback"]},
        {"redirect_uris": ["javascript:alert(1)"]},
        {"redirect_uris": [7]},
        {"redirect_uris": CALLBACK},
        {"grant_types": ["client_credentials"]},
        {"response_types": ["token"]},
    ],
    ids=lambda changed: "-".join(f"{name}={value}" for name, value in changed.items()),
)
def test_an_unsound_document_is_refused(changed):
    with pytest.raises(UnsoundApp):
        found(DOCUMENT, {**document(), **changed})


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"<html>", b"\xff\xfe"])
def test_what_is_no_document_is_refused(content):
    with pytest.raises(UnsoundApp):
        found(DOCUMENT, content)


@pytest.mark.parametrize(
    "address",
    [
        "http://claude.example/client.json",
        "https://claude.example",
        "https://claude.example/",
        "https://user@claude.example/client.json",
        "https://claude.example/client.json#part",
        "https://claude.example/a/../client.json",
        "https://claude.example/a/%2e%2E/client.json",
        "https://claude.example/./client.json",
        "https://claude.example:8443/client.json",
        "https://claude.example:x/client.json",
        "https://claude.example\\@evil.example/client.json",
        "https://claude.example/cl ient.json",
        "https://clаude.example/client.json",  # noqa: RUF001 - a Cyrillic letter
        f"https://claude.example/{'x' * 600}",
        "ftp://claude.example/client.json",
    ],
)
def test_an_address_that_may_hide_something_is_not_asked(address):
    def fetch(address):
        raise AssertionError(address)

    with pytest.raises(UnsoundApp):
        find_app(address, fetch)


def test_the_name_of_an_app_is_one_short_visible_line():
    app = found(DOCUMENT, document(client_name="Claude\n\u202eevil\0" + "x" * 300))
    assert app.name.startswith("Claude evil")
    assert len(app.name) <= 100


@pytest.mark.parametrize(
    "address",
    [
        "https://app.example",
        CALLBACK,
        "http://localhost/back",
        "http://[::1]:8080/back",
        "vscode://vendor.app/back",
        *CURSOR,
    ],
)
def test_a_browser_may_be_sent_to_sound_addresses(address):
    assert may_redirect(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "back",
        "//app.example/back",
        "http://app.example/back",
        "http://127.0.0.1.evil.example/back",
        "http://localhost.evil.example/back",
        "https://user@app.example/back",
        "https://app.example/back#part",
        "https://app.example\\@evil.example/",
        "https://app.example/ba ck",
        "https://app.example/\nback",
        "https:///back",
        "https://app.example:x/back",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "myapp://back",
        "urn:ietf:wg:oauth:2.0:oob",
        f"https://app.example/{'x' * 3000}",
    ],
)
def test_a_browser_may_not_be_sent_to_unsound_addresses(address):
    assert not may_redirect(address)


def test_an_app_registers_itself_without_a_secret():
    answer = register({"client_name": "Cursor", "redirect_uris": CURSOR, "token_endpoint_auth_method": "none"})
    body = answer.json()
    assert (answer.status_code, body["redirect_uris"], body["token_endpoint_auth_method"]) == (201, CURSOR, "none")
    assert "client_secret" not in body
    assert App.objects.get(client_id=body["client_id"]).source == "registered"


@pytest.mark.parametrize("changed", [{"scope": "read:sites"}, {"token_endpoint_auth_method": "client_secret_basic"}])
def test_further_wishes_of_an_app_do_not_refuse_it(changed):
    assert register({"redirect_uris": [CALLBACK], **changed}).json()["token_endpoint_auth_method"] == "none"


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", "invalid_client_metadata"),
        (b"{", "invalid_client_metadata"),
        (b"[]", "invalid_client_metadata"),
        (b'{"redirect_uris":["https://app.example/"],"x":"' + b"x" * 9000 + b'"}', "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "grant_types": ["implicit"]}, "invalid_client_metadata"),
        ({}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": [CALLBACK, "http://app.example/"]}, "invalid_redirect_uri"),
        ({"redirect_uris": [f"{CALLBACK}/{number}" for number in range(21)]}, "invalid_redirect_uri"),
    ],
)
def test_an_unsound_registration_is_refused(body, error):
    answer = register(body)
    assert (answer.status_code, answer.json()["error"]) == (400, error)
    assert not App.objects.exists()


def test_the_operator_may_close_the_registration(settings):
    settings.APPS_MAY_REGISTER = False
    assert register({"redirect_uris": [CALLBACK]}).status_code == 404
    assert "registration_endpoint" not in Client().get("/.well-known/oauth-authorization-server").json()
