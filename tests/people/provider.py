"""A small provider of OpenID Connect on this machine: who asks is somebody with these claims."""

import base64
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit


class Provider:
    """Its address, what it says of the person, and what it was asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.claims: dict[str, object] = {"sub": "1", "email": "anna@example.com", "email_verified": True}
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[str] = []
        self.refuses = False


def _token(claims: dict[str, object]) -> str:
    """Signed by nobody: the client has it from the provider itself."""
    parts = ({"alg": "none"}, claims)
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts]
    return ".".join([*encoded, ""])


class Handler(BaseHTTPRequestHandler):
    provider: Provider

    def log_message(self, *args: object) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        provider, parts = self.provider, urlsplit(self.path)
        provider.asked.append(parts.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        match parts.path:
            case "/.well-known/openid-configuration":
                pages = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
                pages["userinfo_endpoint"] = "me"
                self._answer({"issuer": provider.url, **{name: f"{provider.url}/{p}" for name, p in pages.items()}})
            case "/authorize":
                back = {"state": asked["state"]}
                if provider.refuses:
                    back["error"] = "access_denied"
                else:
                    back["code"] = secrets.token_urlsafe(8)
                    provider.codes[back["code"]] = asked
                self.send_response(302)
                self.send_header("Location", f"{asked['redirect_uri']}?{urlencode(back)}")
                self.end_headers()
            case "/me":
                self._answer(provider.claims)
            case _:
                self.send_error(404)

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        sent = {name: values[0] for name, values in parse_qs(self.rfile.read(length).decode()).items()}
        asked = self.provider.codes.pop(sent["code"], None)
        if asked is None or not sent.get("code_verifier") or sent["redirect_uri"] != asked["redirect_uri"]:
            self.send_error(400)
            return
        claims = {"iss": self.provider.url, "aud": asked["client_id"], "exp": 4e9, "iat": 1, **self.provider.claims}
        self._answer({"access_token": "a", "token_type": "Bearer", "id_token": _token(claims)})

    def _answer(self, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def running_provider() -> Iterator[Provider]:
    """The provider in a thread."""
    handler = type("Own", (Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    handler.provider = Provider(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield handler.provider
    finally:
        server.shutdown()
        server.server_close()


def use_provider(settings, provider: Provider) -> None:
    """Have the service sign people in by this provider."""
    app = {"provider_id": "oidc", "name": "Acme", "client_id": "us", "secret": "s"}
    app["settings"] = {"server_url": provider.url}
    settings.OIDC_URL, settings.OIDC_NAME = provider.url, "Acme"
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app], "OAUTH_PKCE_ENABLED": True}}
