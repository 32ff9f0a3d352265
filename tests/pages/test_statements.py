"""No page asks the database more than twenty times: every page of the URL configuration, for the owner of a brand and
for staff who look at all, before anything is kept and after, whatever was measured."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.audit.stored import audited
from tests.factories import AliasFactory, BrandFactory, CompetitorFactory, PromptFactory, RunFactory
from tests.pages.isolation.addresses import all_addresses
from tests.pages.isolation.rules import PUBLIC
from tests.pages.isolation.world import make_world
from tests.scans.history import ended_run
from visibility.models import Run

pytestmark = pytest.mark.django_db(transaction=True)
MOST = 20
"""More than that says that a page asks again what it has read, or asks for each row."""
OTHERS = ("admin/", "api/", "account/tables", "brands/<uuid:brand_id>/tables")
"""Doors that are no pages of the web application, and files."""
TEXTS = ["Acme is good.", "Rival is good.", "Rival and Third are good.", "Nothing."]
CITED = [["https://www.reddit.com/r/bikes"], ["https://rival.example/x", "https://acme.example/y"], [], []]


@pytest.fixture
def world(db):
    world = make_world()
    world.brand.runs.filter(status=Run.Status.QUEUED).delete()
    return world


def measured(world, *, engines):
    """Days of these engines, and a brand beside it whose engines' last days differ, too."""
    for brand in (world.brand, BrandFactory(owner=world.brand.owner)):
        CompetitorFactory(brand=brand, name="Third", domain="third.example")
        AliasFactory(brand=brand)
        prompts = PromptFactory.create_batch(4, brand=brand, topic="anvils")
        for day, engine in enumerate(engines, start=1):
            ended_run(brand, prompts, texts=TEXTS, cited=CITED, engine=engine, day=day)
    audited(world.brand, day=3, failing=["FRE-01"], passing=["ACC-06"])
    RunFactory(brand=world.brand, status=Run.Status.QUEUED, finished_at=None, total=1)


def examples(world, route):
    """An example of each argument, of what was measured last."""
    brand = world.brand
    scan = brand.runs.filter(kind=Run.Kind.VISIBILITY, done__gt=0).order_by("created_at").last()
    answer = scan.answers.order_by("position").first()
    run = brand.runs.filter(kind=Run.Kind.AUDIT).latest("created_at") if "/audits/" in route else scan
    return {
        "brand_id": brand.pk,
        "run_id": run.pk,
        "day": scan.created_at.date(),
        "answer_id": answer.pk,
        "prompt_id": answer.prompt_id,
        "domain": "reddit.com",
        "recommendation_id": brand.recommendations.get(subject="of-the-table").pk,
        "draft_id": brand.drafts.get().pk,
    }


def asked(client, path):
    """How often opening a page asks the database, without the beginnings and ends of its views of it; None where it
    is no page."""
    with CaptureQueriesContext(connection) as captured:
        response = client.get(path)
        response.close()
    if response.status_code != 200 or not response.headers["Content-Type"].startswith("text/html"):
        return None
    return sum(not query["sql"].startswith(("BEGIN", "COMMIT")) for query in captured)


@pytest.mark.parametrize("state", ["first day", "all of now on one day", "last days differ"])
def test_no_page_asks_more_than_twenty_times(world, state):
    engines = {"first day": [], "all of now on one day": ["chat", "chat"], "last days differ": ["sonar", "chat"]}
    if engines[state]:
        measured(world, engines=engines[state])
    counts = {}
    for role in ("owner", "looker"):
        client = world.clients[role]
        client.get("/account")  # the first of a session
        for address in all_addresses():
            arguments = examples(world, address.route)
            is_other = address.route.startswith(OTHERS) or address.route in PUBLIC
            is_form = role == "looker" and (address.name, "owner") not in counts
            if is_other or is_form or not {*address.arguments} <= arguments.keys():
                continue
            cache.clear()
            path = address.path(arguments)
            if (cold := asked(client, path)) is not None:
                counts[address.name, role] = cold, asked(client, path)
    seen = {name for name, _ in counts}
    assert {"brand-page", "content-page", "brand-list", "prompts-page", "audit-page"} <= seen
    assert len(seen) >= 30
    assert {page: asked for page, asked in counts.items() if max(asked) > MOST} == {}
