"""Who gets what with an API key, for every address of the API and every kind of caller. An address that is not in
the table fails."""

import pytest

from apikeys.scopes import ALL_SCOPES
from tests.factories import (
    BrandFactory,
    CollaboratorFactory,
    DailyScoreFactory,
    RecommendationFactory,
    RunFactory,
    make_key,
)
from tests.rest.conftest import stored
from tests.rest.routes import routes

REFUSED = {
    "no header": "401 missing_bearer_token",
    "other scheme": "401 missing_bearer_token",
    "malformed key": "401 invalid_api_key",
    "unknown key": "401 invalid_api_key",
    "two keys": "401 invalid_api_key",
    "revoked": "401 invalid_api_key",
    "expired": "401 invalid_api_key",
    "owner deactivated": "401 invalid_api_key",
    "plan without API": "403 tier_disallows_api",
    "no plan": "403 tier_disallows_api",
    "no scope": "403 insufficient_scope",
}
ROLES = ("stranger", "superuser", "viewer", "editor", "owner")
CALLERS = (*REFUSED, *ROLES)
OF_THE_ACCOUNT = {**REFUSED, **dict.fromkeys(ROLES, "200")}
OF_A_BRAND = {**OF_THE_ACCOUNT, "stranger": "404 not_found", "superuser": "404 not_found"}
PUBLIC = dict.fromkeys(CALLERS, "200")
NOWHERE = dict.fromkeys(CALLERS, "404 not_found")
UNKNOWN_BRAND = {**REFUSED, **dict.fromkeys(ROLES, "404 not_found")}
TABLE = {
    "/api/v1/brands": OF_THE_ACCOUNT,
    "/api/v1/brands/{id}": OF_A_BRAND,
    "/api/v1/brands/{id}/visibility": OF_A_BRAND,
    "/api/v1/brands/{id}/recommendations": OF_A_BRAND,
    "/api/v1/brands/{id}/runs": OF_A_BRAND,
    "/api/v1/openapi.json": PUBLIC,
    "/openapi.json": PUBLIC,
    "/api/v1/docs": PUBLIC,
}
ELSEWHERE = {
    "/api/v1/brands/0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e": UNKNOWN_BRAND,
    "/api/v1/brands/{{id}}/runs": UNKNOWN_BRAND,  # in braces, as UUID() takes it
    "/api/v1/brands/{hex}/runs": UNKNOWN_BRAND,
    "/api/v1/brands/urn:uuid:{id}/runs": UNKNOWN_BRAND,
    "/api/v1/brands/%00": UNKNOWN_BRAND,
    "/api/v1/brands/": NOWHERE,
    "/api/v1/brands/{id}/": NOWHERE,
    "/api/v1/brands/{id}/runs/": NOWHERE,
    "/api/v1/brands/{id}/prompts": NOWHERE,
    "/api/v2/brands": NOWHERE,
    "/api/%00": NOWHERE,
    "/api": NOWHERE,
    "/openapi.json/": NOWHERE,
    "/mcp/x": NOWHERE,
}
SCOPES = {
    "/api/v1/brands": "read:sites",
    "/api/v1/brands/{id}": "read:sites",
    "/api/v1/brands/{id}/visibility": "read:visibility",
    "/api/v1/brands/{id}/recommendations": "read:recommendations",
    "/api/v1/brands/{id}/runs": "read:visibility",
}


def address(template, brand):
    return template.replace("{id}", str(brand.pk)).replace("{hex}", brand.pk.hex)


def outcome_of(response):
    code = response.json()["error"] if response.status_code >= 400 else ""
    return f"{response.status_code} {code}".strip()


def test_every_address_of_the_api_is_in_the_table():
    assert sorted(route for route in routes() if route.startswith(("/api/", "/openapi"))) == sorted(TABLE)


@pytest.mark.parametrize("template", [*TABLE, *ELSEWHERE])
def test_each_caller_gets_what_the_table_says(ask, cast, callers, template):
    # Rows below the brand: an answer without rows asks for the brand, one with rows must be just as closed.
    for factory in (RunFactory, DailyScoreFactory, RecommendationFactory):
        factory(brand=cast.brand)
    outcomes = {name: outcome_of(ask(callers[name], address(template, cast.brand))) for name in CALLERS}
    assert outcomes == (TABLE | ELSEWHERE)[template]


@pytest.mark.parametrize("template", SCOPES)
def test_each_scope_alone_opens_exactly_its_endpoints(rest, cast, template):
    opened = {
        scope: rest.call("GET", address(template, cast.brand), make_key(owner=cast.owner, scopes=[scope])[1])
        for scope in ALL_SCOPES
    }
    needed = SCOPES[template]
    assert [scope for scope, answer in opened.items() if answer.status_code == 200] == [needed]
    refusals = [answer.json() for scope, answer in opened.items() if scope != needed]
    assert {(refusal["error"], refusal["requiredScope"]) for refusal in refusals} == {("insufficient_scope", needed)}


def test_the_list_has_own_and_shared_brands_once_and_no_others(ask, cast, callers):
    BrandFactory(name="Other", domain="other.example")
    CollaboratorFactory(brand=cast.brand, user=cast.owner)  # who owns it and collaborates on it sees it once
    mine = BrandFactory(owner=cast.stranger, name="Mine", domain="mine.example")
    CollaboratorFactory(brand=mine, user=cast.viewer)
    listed = {
        name: [brand["name"] for brand in ask(callers[name], "/api/v1/brands").json()["brands"]] for name in ROLES
    }
    assert listed == {
        "owner": ["Acme"],
        "editor": ["Acme"],
        "viewer": ["Acme", "Mine"],
        "stranger": ["Mine"],
        "superuser": [],
    }


def test_all_ways_not_to_find_something_answer_with_the_same_bytes_and_headers(ask, cast, callers):
    parts = ("", "/visibility", "/recommendations", "/runs")
    unknown = (
        "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e",
        "x",
        f"{{{cast.brand.pk}}}",
        cast.brand.pk.hex,
        "%FF",
        "a" * 500,
    )
    ways = [("stranger", f"/api/v1/brands/{cast.brand.pk}{part}") for part in parts]
    ways += [("owner", f"/api/v1/brands/{brand}{part}") for brand in unknown for part in parts]
    ways += [("owner", address(template, cast.brand)) for template in ELSEWHERE]
    answers = [ask(callers[caller], where) for caller, where in ways]
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].content.startswith(b'{"error":"not_found"')
    shown = [{name: answer.headers[name] for name in answer.headers if name != "X-Request-ID"} for answer in answers]
    own_headers = ("Content-Type", "Content-Length", "Cache-Control", "ETag", "Vary")
    assert all(each[name] == shown[0][name] for each in shown for name in own_headers)


def test_a_key_works_or_stops_on_the_very_next_call(rest, cast, path):
    raw = make_key(owner=cast.editor)[1]
    key = stored(raw)

    def status():
        return rest.call("GET", path, raw).status_code

    assert status() == 200
    cast.brand.collaborators.filter(user=cast.editor).delete()
    assert status() == 404
    CollaboratorFactory(brand=cast.brand, user=cast.editor)
    assert status() == 200
    for change, undo in (({"revoked_at": key.created_at}, {"revoked_at": None}), ({"scopes": []}, {})):
        type(key).objects.filter(pk=key.pk).update(**change)
        assert status() in (401, 403)
        type(key).objects.filter(pk=key.pk).update(scopes=key.scopes, **undo)
        assert status() == 200
    type(cast.editor).objects.filter(pk=cast.editor.pk).update(is_active=False)
    assert status() == 401
    type(cast.editor).objects.filter(pk=cast.editor.pk).update(is_active=True, plan=None)
    assert status() == 403
