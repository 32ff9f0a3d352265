"""A topic that the brand does not sell stands at no door: what only its answers say is found nowhere."""

import csv
import io
import re

import pytest
from django.urls import reverse

from apikeys.caller import Caller
from mcp_bridge.tools import ALL_TOOLS
from tests.factories import CompetitorFactory, PromptFactory, own_pages
from tests.mcp.conftest import FULL, data_of, error_of
from tests.mcp.test_isolation import TABLE
from tests.pages.isolation.addresses import all_addresses
from tests.scans.history import DAY, asked_run, end, rescored
from visibility.models import Answer, BrandEvidence
from visibility.pipeline.evidence.making import make_evidence
from visibility.pipeline.evidence.planning import plan_evidence
from visibility.services.tables.catalogue import BRAND_TABLES
from visibility.services.tables.writing import csv_chunks
from visibility.services.topics.deciding import choose_topics

pytestmark = pytest.mark.django_db
OWN = "1. **Acme** – quiet, 20 kg\n2. **Velmora** – cheap\n3. **Pedalix** – light\n"
OTHER = (
    "1. **Kryton** – the best submarine by far, dives 300 m\n2. **Nautilux** – cheaper submarine, hull of steel\n\n"
    "For depth, Kryton is the better choice than Nautilux, and its battery life is longer.\n"
)
TELLTALE = re.compile(r"submarin|nautilux|dives 300|hull of steel", re.IGNORECASE)
"""What is said of, or cited on, that topic alone."""
ADDRESSES = [
    address
    for address in all_addresses()
    if address.arguments == ["brand_id"] and not address.route.startswith(("admin", "api"))
]
ASKS_TOPICS = {"prompts-page", "topics-page", "add-prompts", "edit-prompt", "start-page"}
"""Pages that show what is asked, where the topic stands with a mark."""
LISTS_PROMPTS = {"list_prompts", "prompts", "results"}
QUESTIONS = (
    "What is the score?",
    "Who is ahead of us?",
    "Which topics are we weak on?",
    "What do engines search for?",
    "Which sources are cited most?",
    "What should we do first?",
    "Which prompts never name us?",
    "Who else do answers recommend?",
)


@pytest.fixture
def brand(cast, owner):
    """Two days; the owner says that boats are none of its business, and all is counted again."""
    brand = cast.brand
    for name in ("Velmora", "Kryton"):
        CompetitorFactory(brand=brand, name=name, domain=f"{name.lower()}.example")
    own_pages(brand)
    topics = [f"{kind} bikes" for kind in ("city", "cargo", "road", "kids")] * 2 + ["submarines"] * 8
    prompts = [
        PromptFactory(brand=brand, text=f"Which {topic} are best, {n}?", topic=topic)
        for n, topic in enumerate(topics)
    ]
    texts = [OWN] * 8 + [OTHER] * 8
    cited = [["https://bikes.example/a"]] * 8 + [["https://submarine-news.example/b", "https://kryton.example/s"]] * 8
    for day in range(2):
        run = asked_run(brand, prompts, texts=texts, cited=cited, day=day)
        for answer in Answer.objects.filter(run=run).select_related("prompt"):
            answer.searches = [f"price of {answer.prompt.topic}"]
            answer.save()
        end(run)
    make_all()
    choose_topics(owner, brand_id=brand.pk, choices={"submarines": False})
    rescored(brand)
    make_all()
    return brand


def make_all():
    plan_evidence()
    for job in BrandEvidence.objects.filter(state="outdated"):
        make_evidence(job.pk, "w")


def arguments_of(row, brand):
    """None where a tool is not about the site alone."""
    arguments = dict(row.arguments)
    if arguments not in ({"siteId": "{site}"}, {}):
        return None
    return {key: str(brand.pk) for key in arguments}


def first_in(name, said):
    """By that name the first that is said of the topic, with what stands around it; nothing where nothing is."""
    match = TELLTALE.search(said)
    return {name: said[max(0, match.start() - 100) : match.end() + 100]} if match else {}


def said_by_tools(agent, key, brand):
    """By tool that reads of the site alone, the first of what it says of the topic."""
    told = {}
    for tool in ALL_TOOLS:
        arguments = arguments_of(TABLE[tool.name], brand)
        if tool.creates or arguments is None or tool.name in LISTS_PROMPTS:
            continue
        details = FULL if "detail" in tool.arguments.model_fields else {}
        said = str(data_of(agent.call(key, tool.name, {**arguments, **details})))
        told |= first_in(tool.name, said)
    for question in QUESTIONS:
        said = str(data_of(agent.call(key, "ask", {"siteId": str(brand.pk), "question": question})))
        told |= first_in(question, said)
    return told


def test_no_tool_says_anything_of_it(agent, key, brand, owner):
    assert said_by_tools(agent, key, brand) == {}
    scores = data_of(agent.call(key, "get_visibility_scores", {"siteId": str(brand.pk), **FULL}))
    assert scores["now"]["score"] == 100.0 and scores["now"]["allTopics"]["score"] == 50.0
    assert scores["now"]["ownTopics"] == {"own": 0, "notOwn": 1, "undecided": 4}
    assert {share["name"]: share["score"] for share in scores["shareOfVoice"]} == {
        "Acme": 100.0, "Kryton": 0.0, "Velmora": 100.0,
    }  # fmt: skip
    prompts = data_of(agent.call(key, "list_prompts", {"siteId": str(brand.pk), **FULL}))["prompts"]
    assert {(bool(TELLTALE.search(row["text"])), row["counts"], row["answers"]) for row in prompts} == {
        (False, True, 1), (True, False, 0),
    }  # fmt: skip
    of_topic = {"siteId": str(brand.pk), "topic": "submarines"}
    for tool in ("get_visibility_scores", "get_site_brief"):
        assert "none of the site's own" in error_of(agent.call(key, tool, of_topic)).message
    choose_topics(owner, brand_id=brand.pk, choices={"submarines": True})
    rescored(brand)
    make_all()
    assert len(said_by_tools(agent, key, brand)) >= 10, "with another word they all say it"


def test_no_page_and_no_file_says_anything_of_it(client, cast, brand):
    client.force_login(cast.owner)
    day = (DAY.date()).isoformat()
    paths = {address.name: address.path({"brand_id": brand.pk}) for address in ADDRESSES}
    paths = {name: path for name, path in paths.items() if name not in ASKS_TOPICS | {"brand-export"}}
    paths["day-page"] = reverse("day-page", kwargs={"brand_id": brand.pk, "day": day})
    for run in brand.runs.all():
        paths[f"run {run.pk}"] = reverse("run-page", kwargs={"brand_id": brand.pk, "run_id": run.pk})
    told = {}
    for name, path in paths.items():
        response = client.get(path)
        if response.status_code == 405:
            continue
        assert response.status_code in (200, 302, 404), path
        said = b"".join(response).decode(errors="replace")
        told |= first_in(name, said)
    for name, table in BRAND_TABLES.items():
        if name not in LISTS_PROMPTS:
            rows = csv.reader(io.StringIO(b"".join(csv_chunks(table, Caller.from_user(cast.owner), brand)).decode()))
            told |= first_in(name, str([row for row in rows if "resolved" not in row]))
    assert told == {}


def test_no_resource_says_anything_of_it(api, key, brand):
    for part in ("", "/visibility?from=0", "/recommendations", "/runs"):
        response = api.get(f"{api.brand}{part}", key)
        assert response.status_code == 200 and not TELLTALE.search(response.content.decode()), part
    trend = api.get(f"{api.brand}/visibility?from=0", key).json()["trend"]
    assert [(day["score"], day["allTopics"]["score"]) for day in trend] == [(100.0, 50.0)] * 2
