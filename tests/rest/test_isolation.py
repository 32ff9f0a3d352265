"""Who gets what with an API key, for every address of the API and every kind of caller. An address that is not in the
table fails. What people get on pages, and that a key opens none, says tests/pages/test_isolation.py."""

import pytest

from tests.factories import (
    ApiKeyFactory,
    BrandFactory,
    DailyScoreFactory,
    RecommendationFactory,
    RunFactory,
)
from tests.rest.conftest import scopes_without
from tests.rest.routes import routes

CALLERS = (
    "no key",
    "revoked",
    "expired",
    "inactive owner",
    "free plan",
    "no plan",
    "no scope",
    "stranger",
    "superuser",
    "viewer",
    "collaborator",
    "owner",
)
REFUSED = (
    "401 missing_bearer_token",
    "401 invalid_api_key",
    "401 invalid_api_key",
    "401 invalid_api_key",
    "403 tier_disallows_api",
    "403 tier_disallows_api",
    "403 insufficient_scope",
)
OF_A_BRAND = (*REFUSED, "404 not_found", "404 not_found", "200", "200", "200")
OF_THE_ACCOUNT = (*REFUSED, "200", "200", "200", "200", "200")


def everyone(outcome):
    return (outcome,) * len(CALLERS)


TABLE = {
    "/api/v1/brands": OF_THE_ACCOUNT,
    "/api/v1/brands/{id}": OF_A_BRAND,
    "/api/v1/brands/{id}/visibility": OF_A_BRAND,
    "/api/v1/brands/{id}/recommendations": OF_A_BRAND,
    "/api/v1/brands/{id}/runs": OF_A_BRAND,
    "/api/v1/openapi.json": everyone("200"),
    "/openapi.json": everyone("200"),
    "/api/v1/docs": everyone("200"),
    "/healthz": everyone("200"),
    "/readyz": everyone("503"),  # no worker runs beside this test
}
SCOPES = {
    "/api/v1/brands": "read:sites",
    "/api/v1/brands/{id}": "read:sites",
    "/api/v1/brands/{id}/visibility": "read:visibility",
    "/api/v1/brands/{id}/recommendations": "read:recommendations",
    "/api/v1/brands/{id}/runs": "read:visibility",
}


def address(template, brand):
    return template.replace("{id}", str(brand.pk))


def outcome_of(response):
    code = response.json().get("error", "") if response.status_code in (401, 403, 404) else ""
    return f"{response.status_code} {code}".strip()


def test_every_address_of_the_api_is_in_the_table():
    assert sorted(route for route in routes() if route.startswith("/api/")) == sorted(
        route for route in TABLE if route.startswith("/api/")
    )


@pytest.mark.parametrize("template", TABLE)
def test_each_caller_gets_what_the_table_says(api, cast, callers, template):
    # Rows below the brand: an answer without rows asks for the brand, one with rows must be just as closed.
    for factory in (RunFactory, DailyScoreFactory, RecommendationFactory):
        factory(brand=cast.brand)
    path = address(template, cast.brand)
    outcomes = {name: outcome_of(api.get(path, callers[name])) for name in CALLERS}
    assert outcomes == dict(zip(CALLERS, TABLE[template], strict=True))


@pytest.mark.parametrize(("template", "scope"), SCOPES.items())
def test_each_endpoint_needs_its_own_scope_and_no_other(api, cast, template, scope):
    path = address(template, cast.brand)
    refused = api.get(path, ApiKeyFactory(owner=cast.owner, scopes=scopes_without(scope)))
    assert (refused.status_code, refused.json()["requiredScope"]) == (403, scope)
    assert api.get(path, ApiKeyFactory(owner=cast.owner, scopes=[scope])).status_code == 200


def test_the_list_has_own_and_shared_brands_once_and_no_others(api, cast, callers):
    other = BrandFactory(name="Other", domain="other.example")
    cast.brand.collaborators.create(user=cast.stranger, role="viewer")
    mine = BrandFactory(owner=cast.stranger, name="Mine", domain="mine.example")
    mine.collaborators.create(user=cast.viewer)
    listed = {
        name: [brand["name"] for brand in api.get("/api/v1/brands", callers[name]).json()["brands"]]
        for name in ("owner", "collaborator", "viewer", "stranger", "superuser")
    }
    assert listed == {
        "owner": ["Acme"],
        "collaborator": ["Acme"],
        "viewer": ["Acme", "Mine"],
        "stranger": ["Acme", "Mine"],
        "superuser": [],
    }
    assert other.name not in str(listed)


def test_all_ways_not_to_find_a_brand_answer_with_the_same_bytes(api, cast, callers, key):
    unknown = "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e"
    bodies = {
        api.get(api.brand + part, callers["stranger"]).content
        for part in ("", "/visibility", "/recommendations", "/runs")
    }
    bodies |= {api.get(f"/api/v1/brands/{id}{part}", key).content
               for id in (unknown, "not-a-uuid", f"{{{cast.brand.pk}}}", cast.brand.pk.hex, "%00", "%FF", "a" * 500)
               for part in ("", "/visibility", "/recommendations", "/runs")}  # fmt: skip
    bodies |= {
        api.get(path, key).content for path in ("/api/", "/api", "/api/v1/brands/", "/api/v2/x", "/api/v1/%00")
    }
    assert len(bodies) == 1
    assert bodies.pop().startswith(b'{"error":"not_found"')


def test_a_key_works_or_stops_on_the_very_next_call(api, cast, key):
    assert api.get(api.brand, key).status_code == 200
    key.revoked_at = key.created_at
    key.save()
    assert api.get(api.brand, key).status_code == 401
    collaborator = ApiKeyFactory(owner=cast.editor)
    assert api.get(api.brand, collaborator).status_code == 200
    cast.brand.collaborators.filter(user=cast.editor).delete()
    assert api.get(api.brand, collaborator).status_code == 404
