"""What tests of the REST door share: one brand with the people around it, and a key for each kind of caller."""

import logging
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.utils import timezone

from apikeys.accounts import keyformat
from apikeys.models import ApiKey, User
from brands.models import Brand
from tests.factories import BrandFactory, CollaboratorFactory, UserFactory, make_key, plan


@dataclass(frozen=True)
class Cast:
    """One brand and the people around it."""

    brand: Brand
    owner: User
    editor: User
    viewer: User
    stranger: User


@pytest.fixture
def cast(db):
    brand = BrandFactory(name="Acme", domain="acme.example")
    editor, viewer = UserFactory(), UserFactory()
    CollaboratorFactory(brand=brand, user=editor, role="editor")
    CollaboratorFactory(brand=brand, user=viewer, role="viewer")
    return Cast(brand, brand.owner, editor, viewer, UserFactory())


@pytest.fixture
def path(cast):
    """The address of the brand."""
    return f"/api/v1/brands/{cast.brand.pk}"


@pytest.fixture
def key(cast):
    """A raw key of the brand's owner with every scope."""
    return make_key(owner=cast.owner)[1]


@pytest.fixture
def callers(cast):
    """What each kind of caller sends as Authorization. All that are known have every scope but one."""
    past = timezone.now() - timedelta(seconds=1)
    free = UserFactory(plan=plan("free"))
    CollaboratorFactory(brand=cast.brand, user=free, role="editor")
    known = {
        "revoked": {"owner": cast.owner, "revoked_at": past},
        "expired": {"owner": cast.owner, "expires_at": past},
        "owner deactivated": {"owner": UserFactory(is_active=False)},
        "plan without API": {"owner": free},
        "no plan": {"owner": UserFactory(plan=None)},
        "no scope": {"owner": cast.owner, "scopes": []},
        "stranger": {"owner": cast.stranger},
        "superuser": {"owner": UserFactory(is_staff=True, is_superuser=True)},
        "viewer": {"owner": cast.viewer},
        "editor": {"owner": cast.editor},
        "owner": {"owner": cast.owner},
    }
    headers = {name: f"Bearer {make_key(**fields)[1]}" for name, fields in known.items()}
    return {
        "no header": None,
        "other scheme": headers["owner"].replace("Bearer", "Basic"),
        "malformed key": headers["owner"][:-1],
        "unknown key": f"Bearer {keyformat.mint()}",
        "two keys": f"{headers['owner']},{headers['editor']}",
        **headers,
    }


@pytest.fixture
def ask(client):
    """Any call with an Authorization header as it is, or without."""

    def ask(authorization, address, method="GET", **headers):
        if authorization is not None:
            headers["Authorization"] = authorization
        return client.generic(method, address, headers=headers)

    return ask


def stored(raw: str) -> ApiKey:
    """The row of a raw key."""
    return ApiKey.objects.get(digest=keyformat.digest(raw))


@pytest.fixture
def quiet():
    """For tests that provoke failures: their tracebacks would only bury the summary."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)
