"""What `make run` says last: everything with which a newcomer can look, call and connect an agent."""

import json
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from brands.models import Brand


@dataclass(frozen=True, slots=True)
class Login:
    """Who signs in, and the password that was made just now."""

    email: str
    password: str

    def __str__(self) -> str:
        return f"{self.email}  password  {self.password}"


@dataclass(frozen=True, slots=True)
class Logins:
    """Who can sign in: the owner of the brand, somebody who may look at it, and staff."""

    owner: Login
    viewer: Login
    staff: Login


def scores_of(brand: Brand) -> str:
    """The path of the brand's daily scores in the REST API."""
    return f"/api/v1/brands/{brand.pk}/visibility"


def welcome(address: str, *, brand: Brand, days: int, logins: Logins, key: str) -> str:
    """The closing block: pages, both logins, the key, and lines to copy that work as they stand.

    `address` is that of the service, without a closing slash; `days` counts the brand's measured days.
    """
    header = f"Authorization: Bearer {key}"
    call = {"name": f"{settings.TOOL_PREFIX}list_sites", "arguments": {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}, separators=(",", ":"))
    return f"""
Ready: {brand.name}, an invented brand with {days} measured day{"" if days == 1 else "s"}.
Sign in as its owner to see it:
{address}{reverse("brand-page", args=[brand.pk])}
and the audits of its site, which has planted defects:
{address}{reverse("audits-page", args=[brand.pk])}

  Address      {address}/
  Owner login  {logins.owner}
               sees, scans and changes the brand: {address}{reverse("login")}
  Viewer login {logins.viewer}
               sees the brand and changes nothing
  Staff login  {logins.staff}
               manages accounts, plans, keys and engines: {address}{reverse("admin:index")}
  API key      {key}
               every endpoint, to try out: {address}{reverse("api-docs")}

The brand's scores:

  curl -H "{header}" {address}{scores_of(brand)}

The same as an agent's first call:

  curl {address}/mcp -H "{header}" -H "Content-Type: application/json" -d '{body}'

Claude Code:

  claude mcp add --transport http visibility {address}/mcp --header "{header}"

The passwords and the key are new at every start with the demo. README.md goes on with your own data.
Ctrl-C stops the service; its data stays in {settings.VAR_DIR}."""
