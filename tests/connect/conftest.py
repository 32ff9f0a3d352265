"""What tests of connecting apps share: an app, its person with a key, and the steps from the page to a token."""

import hashlib
import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit
from uuid import uuid4

import pytest
from django.test import Client

from apikeys.connect.apps import register_app
from apikeys.models import ApiKey, App, User
from apikeys.scopes import READ_SCOPES
from tests.factories import make_key
from tests.mcp.conftest import agent
from tests.rest.conftest import callers, cast, key, quiet

__all__ = ["agent", "callers", "cast", "key", "quiet"]

IN_MEMORY = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
"""Documents are read in tests without a database, too."""
ISSUER = "https://visibility.example"
RESOURCE = f"{ISSUER}/mcp"
CALLBACK = "https://app.example/callback"
VERIFIER = "v" * 43
CHALLENGE = urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
DOCUMENT = "https://claude.example/oauth/client.json"


@dataclass(frozen=True)
class Person:
    """Somebody with a key, in a browser, and the app that they let in."""

    user: User
    key: ApiKey
    app: App
    browser: Client

    def address(self, **changes: Any) -> str:
        """What the app opens in the browser; None leaves a parameter out."""
        asked = {
            "response_type": "code",
            "client_id": self.app.client_id,
            "redirect_uri": CALLBACK,
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "resource": RESOURCE,
            "state": "a state",
            **changes,
        }
        return "/authorize?" + urlencode({name: value for name, value in asked.items() if value is not None})

    def answer(
        self, *, ticked: list[str] | None = None, verb: str = "connect", key: Any = None, **changes: Any
    ) -> Any:
        """What the service answers to the form of the page."""
        scopes = sorted(READ_SCOPES) if ticked is None else ticked
        fields = {name: [each for each in scopes if each.startswith(kind)] for name, kind in KINDS.items()}
        return self.browser.post(self.address(**changes), {**fields, "key": key or str(self.key.pk), verb: ""})

    def code(self, **options: Any) -> str:
        """The code of a new connection."""
        return returned(self.answer(**options))["code"]

    def exchanged(self, code: str, **changes: Any) -> Any:
        """The answer to the app, which exchanges a code."""
        return self.post(
            "/token",
            grant_type="authorization_code",
            code=code,
            **{"redirect_uri": CALLBACK, "code_verifier": VERIFIER, "resource": RESOURCE, **changes},
        )

    def renewed(self, token: str, **changes: Any) -> Any:
        """The answer to the app, which renews its tokens."""
        return self.post("/token", grant_type="refresh_token", refresh_token=token, **changes)

    def post(self, path: str, **fields: Any) -> Any:
        """A form that the app sends; it has no cookies."""
        given = {"client_id": self.app.client_id, **fields}
        return Client().post(path, {name: value for name, value in given.items() if value is not None})

    def tokens(self, **options: Any) -> dict[str, Any]:
        """The tokens of a new connection."""
        answer = self.exchanged(self.code(**options))
        assert answer.status_code == 200, answer.content
        return answer.json()


KINDS = {"reads": "read:", "changes": "write:", "spends": "run:"}


@pytest.fixture(autouse=True)
def _open_to_apps(settings):
    settings.PUBLIC_URL = ISSUER
    settings.APPS_SIGN_IN = True
    settings.CACHES = {**settings.CACHES, "default": {**IN_MEMORY, "LOCATION": str(uuid4())}}


@pytest.fixture
def person(cast):
    row, _ = make_key(owner=cast.owner)
    app = register_app({"client_name": "An app", "redirect_uris": [CALLBACK]})
    browser = Client()
    browser.force_login(cast.owner)
    return Person(cast.owner, row, app, browser)


@pytest.fixture
def documents(monkeypatch):
    """Documents of apps by their addresses, as the network would bring them; the addresses that were asked."""
    held: dict[str, Any] = {}
    asked: list[str] = []

    async def fetch(address: str) -> bytes:
        asked.append(address)
        return json.dumps(held[address]).encode()

    monkeypatch.setattr("config.appdocuments._fetch", fetch)
    return held, asked


def document(client_id: str = DOCUMENT, **changes: Any) -> dict[str, Any]:
    """What an app publishes about itself."""
    return {"client_id": client_id, "client_name": "Claude", "redirect_uris": [CALLBACK], **changes}


def returned(response: Any) -> dict[str, str]:
    """The parameters with which a browser is sent back to the app."""
    assert response.status_code == 303, response.content.decode()[:2000]
    parts = urlsplit(response["Location"])
    return {name: values[0] for name, values in parse_qs(parts.query).items()}
