"""What tests of the REST door share: a client that sends a key, and one key for each kind of caller."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.utils import timezone

from apikeys.scopes import ALL_SCOPES
from tests.factories import ApiKeyFactory, UserFactory, plan


@dataclass(frozen=True)
class Api:
    """A client of the REST door. `brand` is the path of the cast's brand."""

    client: object
    brand: str

    def get(self, path, key=None, **headers):
        """GET with the key, if any, and further headers."""
        return self.request("GET", path, key, **headers)

    def request(self, method, path, key=None, **headers):
        """Any method with the key, if any, and further headers."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if key is not None:
            headers["Authorization"] = f"Bearer {key.raw}"
        return self.client.generic(method, path, headers=headers)


@pytest.fixture
def api(client, cast):
    return Api(client, f"/api/v1/brands/{cast.brand.pk}")


@pytest.fixture
def key(cast):
    """A key of the brand's owner with every scope."""
    return ApiKeyFactory(owner=cast.owner)


@pytest.fixture
def callers(cast):
    """One key (None: none) for each kind of caller; all but one have every scope."""
    past = timezone.now() - timedelta(seconds=1)
    free = UserFactory(plan=plan("free"))
    cast.brand.collaborators.create(user=free, role="editor")
    return {
        "no key": None,
        "revoked": ApiKeyFactory(owner=cast.owner, revoked_at=past),
        "expired": ApiKeyFactory(owner=cast.owner, expires_at=past),
        "inactive owner": ApiKeyFactory(owner=UserFactory(is_active=False)),
        "free plan": ApiKeyFactory(owner=free),
        "no plan": ApiKeyFactory(owner=UserFactory(plan=None)),
        "no scope": ApiKeyFactory(owner=cast.owner, scopes=[]),
        "stranger": ApiKeyFactory(owner=cast.stranger),
        "superuser": ApiKeyFactory(owner=UserFactory(is_staff=True, is_superuser=True)),
        "viewer": ApiKeyFactory(owner=cast.viewer),
        "collaborator": ApiKeyFactory(owner=cast.editor),
        "owner": ApiKeyFactory(owner=cast.owner),
    }


def scopes_without(scope):
    """Every scope but one."""
    return sorted(ALL_SCOPES - {scope})
