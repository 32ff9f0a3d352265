"""What pages ask of the database: few statements, and no more for many answers than for a few."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import CompetitorFactory, PromptFactory, RecommendationFactory
from tests.scans.history import ended_run

pytestmark = pytest.mark.django_db(transaction=True)
TEXTS = ["Acme is good.", "Rival is good.", "Rival and Third are good.", "Nothing."]
CITED = [["https://www.reddit.com/r/anvils"], ["https://rival.example/x", "https://acme.example/y"], [], []]
PAGES = (
    "prompts-page",
    "prompt-page",
    "answer-page",
    "sources-page",
    "source-page",
    "gaps-page",
    "evidence-page",
    "competitors-page",
    "comparison-page",
    "recommendations-page",
    "recommendation-page",
    "content-page",
)
MOST = 20
"""Statements, those of the session and the person among them."""


@pytest.fixture
def brand(cast):
    for name in ("Rival", "Third"):
        CompetitorFactory(brand=cast.brand, name=name, domain=f"{name.lower()}.example")
    return cast.brand


@pytest.fixture
def asked(client, brand, cast):
    """What a page asks of the database, without the beginnings and ends of its views of it."""
    client.force_login(cast.owner)

    def of_page(name):
        answer = brand.answers.order_by("-answered_at", "pk").first()
        examples = {
            "prompt-page": {"prompt_id": answer.prompt_id},
            "answer-page": {"answer_id": answer.pk},
            "source-page": {"domain": "reddit.com"},
            "recommendation-page": {"recommendation_id": brand.recommendations.first().pk},
        }
        address = reverse(name, kwargs={"brand_id": brand.pk, **examples.get(name, {})})
        assert client.get(address).status_code == 200
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        statements = [query["sql"] for query in captured]
        return [sql for sql in statements if not sql.startswith(("BEGIN", "COMMIT"))]

    return of_page


@pytest.mark.parametrize("name", PAGES)
def test_pages_ask_little_and_no_more_for_many_answers(name, brand, asked):
    prompts = PromptFactory.create_batch(4, brand=brand, topic="anvils")
    for number in range(3):
        RecommendationFactory(brand=brand, topic="anvils", subject=f"of-{number}")
    ended_run(brand, prompts, texts=TEXTS, cited=CITED)
    few = asked(name)
    assert len(few) <= MOST, "\n".join(few)
    assert len(set(few)) == len(few), "the same is asked twice"
    many = [*prompts, *PromptFactory.create_batch(40, brand=brand, topic="tongs")]
    RecommendationFactory(brand=brand, topic="tongs")
    addresses = [f"https://s{number}.example/" for number in range(3)]
    ended_run(brand, many, texts=TEXTS * 11, cited=[*CITED, *[addresses] * 40], day=1)
    assert len(more := asked(name)) <= len(few), "\n".join(more)
