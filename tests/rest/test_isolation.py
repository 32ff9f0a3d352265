"""Who gets what, for every address and every kind of caller. An address that is not in the table fails."""

import pytest
from django.utils import timezone

from tests.audit.stored import audited
from tests.factories import (
    ApiKeyFactory,
    BrandFactory,
    DailyScoreFactory,
    PromptFactory,
    RecommendationFactory,
    RunFactory,
    UserFactory,
)
from tests.rest.conftest import scopes_without
from tests.rest.routes import routes
from visibility.models import CompetitorSuggestion, ContentDraft

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


PAGES = (
    "/",
    "/brands/{brand_id}",
    "/brands/{brand_id}/audits",
    "/brands/{brand_id}/audits/{run_id}",
    "/brands/{brand_id}/comparison",
    "/brands/{brand_id}/competitors",
    "/brands/{brand_id}/content",
    "/brands/{brand_id}/days/{day}",
    "/brands/{brand_id}/gaps",
    "/brands/{brand_id}/other-tools",
    "/brands/{brand_id}/plan",
    "/brands/{brand_id}/prompts",
    "/brands/{brand_id}/prompts/{prompt_id}",
    "/brands/{brand_id}/recommendations",
    "/brands/{brand_id}/recommendations/{recommendation_id}",
    "/brands/{brand_id}/runs",
    "/brands/{brand_id}/runs/{run_id}",
    "/brands/{brand_id}/scan",
    "/brands/{brand_id}/topics",
    "/drafts/{draft_id}",
    "/drafts/{draft_id}/{format}",
)
ACTS = (
    "/brands/{brand_id}/audits/start",
    "/brands/{brand_id}/comparison/start",
    "/brands/{brand_id}/competitors/add",
    "/brands/{brand_id}/drafts",
    "/brands/{brand_id}/names",
    "/brands/{brand_id}/prompts/suggest",
    "/brands/{brand_id}/prompts/{prompt_id}/archive",
    "/brands/{brand_id}/prompts/{prompt_id}/restore",
    "/brands/{brand_id}/recommendations/{recommendation_id}/status",
    "/brands/{brand_id}/runs/{run_id}/cancel",
    "/brands/{brand_id}/scan/start",
    "/brands/{brand_id}/suggestions/{suggestion_id}/add",
    "/brands/{brand_id}/suggestions/{suggestion_id}/dismiss",
    "/brands/{brand_id}/topics/choose",
    "/drafts/{draft_id}/edit",
)
"""Pages that ask for a signed-in person, and what can be done on them by POST."""
STAFF = {"staff": 404, "superuser": 200}
"""Staff read the pages of others where they have the permission for that; they do nothing on them."""
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
    # A key opens no page.
    **dict.fromkeys(PAGES, everyone("302")),
    **dict.fromkeys(ACTS, everyone("405")),
    "/method": everyone("200"),
    "/bot": everyone("200"),
    "/login/": everyone("200"),
    "/logout/": everyone("405"),
    "/password/change/": everyone("302"),
    "/password/change/done/": everyone("302"),
    "/password/reset/": everyone("200"),
    "/password/reset/sent/": everyone("200"),
    "/password/reset/{uidb64}/{token}/": everyone("200"),
    "/password/reset/done/": everyone("200"),
}
SCOPES = {
    "/api/v1/brands": "read:sites",
    "/api/v1/brands/{id}": "read:sites",
    "/api/v1/brands/{id}/visibility": "read:visibility",
    "/api/v1/brands/{id}/recommendations": "read:recommendations",
    "/api/v1/brands/{id}/runs": "read:visibility",
}


DAY = "2026-03-10"


def address(template, brand, **more):
    known = {"id": brand.pk, "brand_id": brand.pk, "uidb64": "MQ", "token": "a-b", "format": "markdown"}
    known["day"] = DAY
    ids = dict.fromkeys(("prompt_id", "run_id", "draft_id", "suggestion_id", "recommendation_id"), brand.pk)
    for name, value in (known | ids | more).items():
        template = template.replace(f"{{{name}}}", str(value))
    return template


def outcome_of(response):
    code = response.json().get("error", "") if response.status_code in (401, 403, 404) else ""
    return f"{response.status_code} {code}".strip()


def test_every_address_is_in_the_table():
    assert sorted(routes()) == sorted(TABLE)


@pytest.mark.parametrize("template", TABLE)
def test_each_caller_gets_what_the_table_says(api, cast, callers, template):
    # Rows below the brand: an answer without rows asks for the brand, one with rows must be just as closed.
    for factory in (RunFactory, DailyScoreFactory, RecommendationFactory):
        factory(brand=cast.brand)
    path = address(template, cast.brand)
    outcomes = {name: outcome_of(api.get(path, callers[name])) for name in CALLERS}
    assert outcomes == dict(zip(CALLERS, TABLE[template], strict=True))


@pytest.fixture
def below(cast, template):
    """What addresses below the brand name."""
    run = audited(cast.brand) if "/audits/" in template else RunFactory(brand=cast.brand)
    DailyScoreFactory(brand=cast.brand, date=DAY)
    prompt = PromptFactory(brand=cast.brand, topic="bikes")
    advice = RecommendationFactory(brand=cast.brand, topic="bikes")
    draft = ContentDraft.objects.create(
        brand=cast.brand,
        format="article",
        title="A page",
        markdown="Words.",
        writer={"kind": "embedded", "name": "embedded", "model": ""},
    )
    found = CompetitorSuggestion.objects.create(
        brand=cast.brand, key="other", name="Other", answers=2, of_answers=2, prompts=1,
        first_seen=timezone.now(), last_seen=timezone.now(),
    )  # fmt: skip
    ids = {"run_id": run.pk, "prompt_id": prompt.pk, "draft_id": draft.pk, "suggestion_id": found.pk}
    return ids | {"recommendation_id": advice.pk}


@pytest.mark.parametrize("template", [page for page in PAGES if page != "/"])
def test_pages_are_for_the_people_of_the_brand(client, cast, below, template):
    path, outcomes = address(template, cast.brand, **below), {}
    staff, superuser = UserFactory(is_staff=True), UserFactory(is_staff=True, is_superuser=True)
    people = {"owner": cast.owner, "editor": cast.editor, "viewer": cast.viewer, "stranger": cast.stranger}
    for name, person in (people | {"staff": staff, "superuser": superuser}).items():
        client.force_login(person)
        outcomes[name] = client.get(path).status_code
    assert outcomes == {"owner": 200, "editor": 200, "viewer": 200, "stranger": 404} | STAFF


@pytest.mark.parametrize("template", ACTS)
def test_nobody_else_does_anything_on_pages(client, cast, below, template):
    path, before = address(template, cast.brand, **below), counted(cast.brand)
    given = {
        "name": "Rival Two", "domain": "rival-two.example", "count": "1", "topic": "bikes", "format": "article",
        "status": "in_progress", "topic-0": "bikes", "sells-0": "yes", "title": "A page", "markdown": "Other words.",
        "version": "1",
    }  # fmt: skip
    superuser = UserFactory(is_staff=True, is_superuser=True)
    for person, outcomes in ((cast.stranger, {404}), (superuser, {200, 404}), (cast.viewer, {200, 400, 403})):
        client.force_login(person)
        assert client.post(path, given, follow=True).status_code in outcomes
        assert counted(cast.brand) == before


def counted(brand):
    """How much there is of what acts on pages make, and what they change."""
    rows = (brand.runs, brand.prompts, brand.competitors, brand.drafts, brand.name_policies, brand.topic_choices)
    edited, decided = brand.drafts.filter(version__gt=1), brand.recommendations.exclude(status="open")
    dismissed = brand.competitor_suggestions.exclude(dismissed_at=None)
    archived = brand.prompts.exclude(archived_at=None).count()
    cancelled = brand.runs.filter(status="cancelled").count()
    return [*(each.count() for each in (*rows, dismissed, edited, decided)), cancelled, archived]


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
