"""How many statements a call of a tool costs, whatever the amount of data."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apikeys.models import ApiKey
from tests.factories import (
    AnswerFactory,
    BrandFactory,
    CompetitorFactory,
    DailyScoreFactory,
    DayCountFactory,
    PromptFactory,
    RecommendationFactory,
    RunFactory,
)
from tests.mcp.conftest import PREFIX

pytestmark = pytest.mark.django_db(transaction=True)
KEY_AND_LOG = 2
"""The key with its owner and plan before, the call log after; the last use is written once a minute."""
MARKS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
STATEMENTS = {
    "list_sites": 1,
    "get_latest_scan": 2,
    "get_scan_status": 3,
    "get_visibility_scores": 10,
    "get_recommendations": 1,
    "list_competitors": 6,
}


def statements(agent, key, tool, arguments):
    params = {"name": PREFIX + tool, "arguments": arguments}
    with CaptureQueriesContext(connection) as captured:
        response = agent.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, key)
    assert not response.json()["result"]["isError"]
    made = [query["sql"] for query in captured.captured_queries]
    return [sql for sql in made if not sql.startswith(MARKS)]


@pytest.mark.parametrize("amount", [1, 12])
@pytest.mark.parametrize("tool", STATEMENTS)
def test_statements_do_not_grow_with_the_data(agent, cast, key, tool, amount):
    last = timezone.now().date()
    for n in range(amount):
        run = RunFactory(brand=cast.brand)
        BrandFactory(owner=cast.owner)
        rival = CompetitorFactory(brand=cast.brand)
        RecommendationFactory(brand=cast.brand)
        AnswerFactory(run=run, prompt=PromptFactory(brand=cast.brand))
        DailyScoreFactory(brand=cast.brand, date=last - timedelta(days=n), runs=[str(run.pk)])
        DailyScoreFactory(brand=cast.brand, date=last - timedelta(days=n), competitor=rival)
        DayCountFactory(brand=cast.brand, date=last - timedelta(days=n))
    ApiKey.objects.update(last_used_at=timezone.now())
    arguments = {} if tool == "list_sites" else {"siteId": str(cast.brand.pk)}
    if tool == "get_scan_status":
        arguments["runId"] = str(run.pk)
    made = statements(agent, key, tool, arguments)
    assert len(made) == KEY_AND_LOG + STATEMENTS[tool], "\n".join(made)


@pytest.mark.parametrize("measured", [False, True])
@pytest.mark.parametrize("name", ["owner", "editor"])
def test_adding_a_competitor_reads_its_brand_for_the_role_and_under_the_lock(agent, cast, key, name, measured):
    """Key, role, idempotency, brand, names, quota, history and log."""
    ApiKey.objects.update(last_used_at=timezone.now(), owner=getattr(cast, name))
    type(cast.owner).objects.update(plan=cast.owner.plan)
    if measured:
        DailyScoreFactory(brand=cast.brand)
    for number in range(3):  # at first nothing is built anew, then the first time, then in place of that
        arguments = {
            "siteId": str(cast.brand.pk),
            "name": f"Rival {number}",
            "domain": f"rival{number}.example",
            "aliases": [f"R{number}", f"The {number}"],
            "idempotencyKey": f"add {number}",
        }
        made = statements(agent, key, "add_competitor", arguments)
        brand = [sql for sql in made if 'FROM "brands_brand"' in sql]
        assert len(made) <= 20 and len(brand) == 2, "\n".join(made)
        del arguments["idempotencyKey"]
        arguments |= {"name": f"Other {number}", "domain": f"other{number}.example", "aliases": [f"O{number}"]}
        again = statements(agent, key, "add_competitor", arguments)
        assert len(again) <= 15, "\n".join(again)
