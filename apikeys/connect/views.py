"""The addresses of programs: what they read, and where they register, exchange, renew and revoke. Anybody's pages may
call them: there is nothing here that a browser would add by itself."""

import base64
import binascii
from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from secrets import compare_digest
from typing import Any
from urllib.parse import unquote_plus

import orjson
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from apikeys.accounts.keyformat import digest
from apikeys.connect import metadata
from apikeys.connect.apps import Fetch, find_app, register_app
from apikeys.connect.authorize import consent_page
from apikeys.connect.errors import OAuthError, UnsoundApp
from apikeys.connect.tokens import Tokens, exchange, renew, revoke
from apikeys.models import App

LONGEST_REGISTRATION = 8_192
LONGEST_FORM = 16_384
"""Bytes of a body."""
SHORTEST_VERIFIER, LONGEST_VERIFIER = 43, 128
OPEN_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
    "Cache-Control": "no-store",
}

View = Callable[[HttpRequest], HttpResponse]


def _for_programs(*methods: str) -> Callable[[View], View]:
    """An address that programs use by these methods: JSON, for all origins, kept by nobody."""

    def decorate(view: View) -> View:
        @csrf_exempt
        @sensitive_post_parameters()
        @wraps(view)
        def answered(request: HttpRequest) -> HttpResponse:
            if not settings.APPS_SIGN_IN:
                raise Http404
            if request.method == "OPTIONS":
                return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=OPEN_HEADERS)
            if request.method not in methods:
                refusal = OAuthError("invalid_request", f"Use {methods[0]}.", HTTPStatus.METHOD_NOT_ALLOWED)
                return _refused(refusal, {"Allow": ", ".join((*methods, "OPTIONS"))})
            try:
                response = view(request)
            except OAuthError as refusal:
                return _refused(refusal)
            for name, value in OPEN_HEADERS.items():
                response.headers[name] = value
            return response

        return answered

    return decorate


@_for_programs("GET", "HEAD")
def describe_resource(request: HttpRequest) -> HttpResponse:
    """Which server guards the agent endpoint."""
    return _json(metadata.resource_metadata())


@_for_programs("GET", "HEAD")
def describe_server(request: HttpRequest) -> HttpResponse:
    """The addresses of this module."""
    return _json(metadata.server_metadata())


@_for_programs("POST")
def register(request: HttpRequest) -> HttpResponse:
    """An app describes itself and gets an id."""
    if not settings.APPS_MAY_REGISTER:
        raise Http404
    body = _body(request, LONGEST_REGISTRATION, "invalid_client_metadata")
    try:
        given: Any = orjson.loads(body)
    except orjson.JSONDecodeError:
        given = None
    if not isinstance(given, dict):
        raise OAuthError("invalid_client_metadata", "Send one JSON object that describes the app.")
    try:
        app = register_app(given)
    except UnsoundApp as refusal:
        known = refusal.code == "invalid_redirect_uri"
        raise OAuthError(refusal.code if known else "invalid_client_metadata", refusal.message) from None
    answer = {
        "client_id": app.client_id,
        "client_id_issued_at": int(app.created_at.timestamp()),
        "client_name": app.name,
        "redirect_uris": app.redirect_uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
    return _json(answer, HTTPStatus.CREATED)


@_for_programs("POST")
@sensitive_variables()
def token(request: HttpRequest) -> HttpResponse:
    """Tokens for a code, or for a refresh token."""
    form = _form(request)
    app = _app(request, form)
    if form.get("resource") and not metadata.is_resource(form["resource"]):
        raise OAuthError("invalid_target", f"Tokens are made for {metadata.resource()} only.")
    match form.get("grant_type"):
        case "authorization_code":
            verifier = form.get("code_verifier", "")
            if not SHORTEST_VERIFIER <= len(verifier) <= LONGEST_VERIFIER:
                verifier = ""  # answers no challenge
            tokens = exchange(
                app=app, code=form.get("code", ""), redirect_uri=form.get("redirect_uri", ""), verifier=verifier
            )
        case "refresh_token":
            tokens = renew(app=app, token=form.get("refresh_token", ""))
        case _:
            raise OAuthError("unsupported_grant_type", "Use authorization_code or refresh_token.")
    return _json(_written(tokens))


@_for_programs("POST")
@sensitive_variables()
def revoke_token(request: HttpRequest) -> HttpResponse:
    """End the connection of a token, whichever it is; the answer says nothing (RFC 7009)."""
    revoke(_form(request).get("token", ""))
    return HttpResponse()


def urls(fetch: Fetch) -> list[Any]:
    """The addresses at which apps connect; `fetch` reads the documents of apps."""
    resource_path, server_path = metadata.RESOURCE_PATH[1:], metadata.SERVER_PATH[1:]
    return [
        path(resource_path, describe_resource),
        path(f"{resource_path}{metadata.AGENT_PATH}", describe_resource),
        path(server_path, describe_server),
        path("authorize", consent_page(fetch), name="authorize"),
        path("register", register),
        path("token", token),
        path("revoke", revoke_token),
    ]


def _written(tokens: Tokens) -> dict[str, Any]:
    return {
        "access_token": tokens.access,
        "token_type": "Bearer",
        "expires_in": tokens.seconds,
        "refresh_token": tokens.refresh,
        "scope": " ".join(tokens.scopes),
    }


def _app(request: HttpRequest, form: Mapping[str, str]) -> App:
    """The app that asks, by its id, and its secret if an operator gave it one; raises invalid_client."""
    client_id, secret = form.get("client_id", ""), form.get("client_secret", "")
    if not client_id:
        client_id, secret = _basic(request.META.get("HTTP_AUTHORIZATION", ""))
    try:
        app = find_app(client_id)
    except UnsoundApp as refusal:
        raise OAuthError("invalid_client", refusal.message, HTTPStatus.UNAUTHORIZED) from None
    if app.secret_digest and not compare_digest(digest(secret), app.secret_digest):
        raise OAuthError("invalid_client", "This app has a secret, and sent another.", HTTPStatus.UNAUTHORIZED)
    return app


def _basic(authorization: str) -> tuple[str, str]:
    """Id and secret of the scheme Basic (RFC 6749, 2.3.1); empty without them."""
    scheme, _, encoded = authorization.partition(" ")
    if scheme.lower() != "basic":
        return "", ""
    try:
        name, _, secret = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return unquote_plus(name), unquote_plus(secret)


def _form(request: HttpRequest) -> dict[str, str]:
    """The fields of a form; of each only one may be there."""
    _body(request, LONGEST_FORM, "invalid_request")
    fields = dict(request.POST.lists())
    if repeated := [name for name, values in fields.items() if len(values) > 1]:
        raise OAuthError("invalid_request", f"{repeated[0][:40]} is given more than once.")
    return {name: values[0] for name, values in fields.items()}


def _body(request: HttpRequest, longest: int, code: str) -> bytes:
    try:
        declared = int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        declared = 0
    try:
        body = request.body if declared <= longest else None
    except RequestDataTooBig:
        body = None
    if body is None or len(body) > longest:
        raise OAuthError(code, f"The body has more than {longest} bytes.")
    return body


def _json(content: Mapping[str, Any], status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    return HttpResponse(orjson.dumps(content), status=status, content_type="application/json")


def _refused(refusal: OAuthError, headers: Mapping[str, str] | None = None) -> HttpResponse:
    response = _json({"error": refusal.code, "error_description": refusal.message}, refusal.status)
    for name, value in {**OPEN_HEADERS, **(headers or {})}.items():
        response.headers[name] = value
    return response
