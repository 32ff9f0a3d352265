"""What pages ask of the database: few statements, where the last day has all of now and where engines' last days
differ, and no more for many answers, runs and brands than for a few."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.audit.stored import audited
from tests.factories import (
    AliasFactory,
    BrandFactory,
    CollaboratorFactory,
    CompetitorFactory,
    PromptFactory,
    RecommendationFactory,
    UserFactory,
    own_pages,
)
from tests.scans.history import ended_run

pytestmark = pytest.mark.django_db(transaction=True)
TEXTS = ["Acme is good.", "Rival is good.", "Rival and Third are good.", "Nothing."]
PAGES = (
    "brand-list", "brand-page", "report-page", "trend-page", "plan-page", "other-tools-page",
    "topics-page", "account-page", "scan-page", "runs-page", "run-page", "day-page",
    "compare-runs", "audits-page", "audit-page", "brand-settings", "people-page", "add-brand",
)  # fmt: skip
MOST = 20
"""Statements a page, those of the session and the person among them."""
COLD = 4
"""More of them where nobody has looked since something changed, and engines' last days differ."""


@pytest.fixture
def brand(cast):
    """With something on every page."""
    for name in ("Rival", "Third"):
        CompetitorFactory(brand=cast.brand, name=name, domain=f"{name.lower()}.example")
    AliasFactory(brand=cast.brand)
    CollaboratorFactory(brand=cast.brand, user=UserFactory())
    own_pages(cast.brand)
    audited(cast.brand)
    RecommendationFactory(brand=cast.brand, topic="anvils")
    prompts = PromptFactory.create_batch(4, brand=cast.brand, topic="anvils")
    ended_run(cast.brand, prompts, texts=TEXTS, engine="sonar")
    return cast.brand


@pytest.fixture(params=["all of now on one day", "last days differ"])
def measured(request, brand):
    ended_run(brand, brand.prompts.all(), texts=TEXTS, engine="sonar" if request.param[0] == "a" else "chat", day=1)
    return brand


@pytest.fixture
def asked(client, brand, cast):
    """What a page asks of the database, without the beginnings and ends of its views of it."""
    client.force_login(cast.owner)

    def of_page(name):
        scan = brand.runs.filter(kind="visibility").order_by("created_at").last()
        examples = {
            "run-page": {"run_id": scan.pk},
            "day-page": {"day": scan.created_at.date()},
            "audit-page": {"run_id": brand.runs.filter(kind="audit").first().pk},
        }
        alone = name in ("brand-list", "account-page", "add-brand")
        address = reverse(name, kwargs={} if alone else {"brand_id": brand.pk, **examples.get(name, {})})
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        statements = [query["sql"] for query in captured]
        return [sql for sql in statements if not sql.startswith(("BEGIN", "COMMIT"))]

    return of_page


def test_pages_ask_little_and_nothing_twice(measured, asked):
    asked("account-page")  # the first of a session
    faults = {}
    for name in PAGES:
        cache.clear()
        cold, warm = asked(name), asked(name)
        if len(cold) > MOST + COLD or not len(set(warm)) == len(warm) <= MOST:
            faults[name] = len(cold), len(warm), [sql[:300] for sql in warm if warm.count(sql) > 1]
    assert not faults, "\n".join(f"{name}: {fault}" for name, fault in faults.items())


def test_pages_ask_no_more_for_many(brand, asked, cast):
    ended_run(brand, brand.prompts.all(), texts=TEXTS, engine="chat", day=1)
    other = BrandFactory(owner=cast.owner)
    ended_run(other, [PromptFactory(brand=other)], texts=["Nothing."], engine="chat")
    few = {name: (asked(name), len(asked(name)))[1] for name in PAGES}
    RecommendationFactory.create_batch(5, brand=brand, topic="tongs")
    many = PromptFactory.create_batch(40, brand=brand, topic="tongs")
    ended_run(brand, many, texts=TEXTS * 10, day=2, cited=[[f"https://s{n}.example/" for n in range(3)]] * 40)
    ended_run(brand, brand.prompts.all(), texts=TEXTS * 11, engine="sonar", day=3)
    for engine in ("chat", "sonar", "chat"):
        other = BrandFactory(owner=cast.owner)
        ended_run(other, [PromptFactory(brand=other)], texts=["Nothing."], engine=engine)
    many = {name: (asked(name), len(asked(name)))[1] for name in PAGES}
    assert {name: (few[name], count) for name, count in many.items() if count > few[name]} == {}
