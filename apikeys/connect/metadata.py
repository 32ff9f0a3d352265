"""What apps read before a person signs in: which server guards the agent endpoint (RFC 9728), and what that server
does (RFC 8414). Every address in it comes from PUBLIC_URL, none from a request."""

from typing import Any

from django.conf import settings

from apikeys.scopes import READ_SCOPES, Scope

AGENT_PATH = "/mcp"
RESOURCE_PATH = "/.well-known/oauth-protected-resource"
SERVER_PATH = "/.well-known/oauth-authorization-server"


def resource() -> str:
    """The address of the agent endpoint, for which alone tokens are made."""
    return f"{settings.PUBLIC_URL}{AGENT_PATH}"


def is_resource(given: str) -> bool:
    """Whether an app means the agent endpoint, with whatever query it was entered."""
    return given.partition("?")[0] == resource()


def resource_metadata() -> dict[str, Any]:
    """The agent endpoint as a protected resource."""
    return {
        "resource": resource(),
        "authorization_servers": [settings.PUBLIC_URL],
        "scopes_supported": list(Scope),
        "bearer_methods_supported": ["header"],
        "resource_name": "Brand Visibility Service",
    }


def server_metadata() -> dict[str, Any]:
    """The addresses at which apps connect, and what they may ask for there."""
    issuer = settings.PUBLIC_URL
    addresses = {
        "authorization_endpoint": f"{issuer}/authorize",
        "token_endpoint": f"{issuer}/token",
        "revocation_endpoint": f"{issuer}/revoke",
    }
    if settings.APPS_MAY_REGISTER:
        addresses["registration_endpoint"] = f"{issuer}/register"
    return {
        "issuer": issuer,
        **addresses,
        "scopes_supported": list(Scope),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "client_id_metadata_document_supported": True,
        "authorization_response_iss_parameter_supported": True,
    }


def challenge(*, error: str = "", scopes: frozenset[str] = READ_SCOPES) -> str:
    """The header WWW-Authenticate of the agent endpoint: where to read how to connect, and with which scopes."""
    if not settings.APPS_SIGN_IN:
        return "Bearer"
    named = [("error", error)] if error else []
    listed = " ".join(scope for scope in Scope if scope in scopes)
    named += [("resource_metadata", f"{settings.PUBLIC_URL}{RESOURCE_PATH}{AGENT_PATH}"), ("scope", listed)]
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in named)
