"""Sites, as agents list them."""

import pytest

from tests.factories import ApiKeyFactory, BrandFactory, RunFactory
from tests.mcp.conftest import FULL, MODES, data_of


@pytest.mark.parametrize("mode", MODES)
def test_sites_come_with_the_role_and_the_latest_run(agent, key, cast, mode):
    run = RunFactory(brand=cast.brand)
    [site] = data_of(agent.call(key, "list_sites", FULL, mode=mode))["sites"]
    assert site["latestRun"]["id"] == str(run.pk)
    assert {name: site[name] for name in ("id", "name", "domain", "cadence", "role")} == {
        "id": str(cast.brand.pk),
        "name": "Acme",
        "domain": "acme.example",
        "cadence": "manual",
        "role": "owner",
    }


def test_roles_are_those_of_the_keys_owner(agent, cast):
    BrandFactory(owner=cast.viewer, name="Mine")
    keys = {user: ApiKeyFactory(owner=user) for user in (cast.editor, cast.viewer, cast.stranger)}
    roles = {
        user.email: {site["name"]: site["role"] for site in data_of(agent.call(key, "list_sites"))["sites"]}
        for user, key in keys.items()
    }
    assert roles == {
        "editor@example.com": {"Acme": "editor"},
        "viewer@example.com": {"Acme": "viewer", "Mine": "owner"},
        "stranger@example.com": {},
    }
