"""What people do to prompts and engines after a scan, and what every door says of the figures then: nothing that was
measured is null, and no sentence is false."""

import csv
import io
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.casting import new_cast, stored_cast
from tests.factories import ApiKeyFactory, CompetitorFactory, PromptFactory
from tests.mcp.conftest import agent, data_of
from tests.people.browser import text_of
from tests.scans.history import DAY, ended_run
from tests.worlds import world
from visibility.models import EngineConfig, Prompt
from visibility.services.prompts.editing import archive_prompt, edit_prompt

__all__ = ["agent"]

pytestmark = pytest.mark.django_db
PROMPTS, TOPICS = 28, 7
NAMED = {"chat": 2, "sonar": 4}
"""Each engine names the brand in its answer to every second or fourth prompt: 50 and 25 %."""


def measure(brand, days, **more):
    prompts = list(Prompt.objects.filter(brand=brand).order_by("text"))
    for day in days:
        for engine, every in NAMED.items():
            texts = ["Acme is good." if number % every == 0 else "Rival is good." for number in range(PROMPTS)]
            at = DAY + timedelta(days=day)
            ended_run(brand, prompts, engine=engine, texts=texts, day=day, finished_at=at, started_at=at, **more)


def scanned(brand):
    for engine in NAMED:
        EngineConfig.objects.create(name=engine, provider="openai", model="m", enabled=True)
    measure(brand, range(2))


def scanned_once(brand):
    for engine in NAMED:
        EngineConfig.objects.create(name=engine, provider="openai", model="m", enabled=True)
    measure(brand, [1])


def imported(brand):
    measure(brand, range(2), trigger="import", engines=list(NAMED))


def add(brand, owner):
    PromptFactory.create_batch(10, brand=brand)


def archive(*kept):
    def act(brand, owner):
        for number, prompt in enumerate(Prompt.objects.filter(brand=brand).order_by("text")):
            if number not in kept:
                archive_prompt(owner, prompt=prompt)

    return act


def reword(brand, owner):
    for prompt in Prompt.objects.filter(brand=brand):
        edit_prompt(owner, prompt=prompt, text=f"{prompt.text} Say why.")


def use(*engines):
    def act(brand, owner):
        EngineConfig.objects.update(enabled=False)
        for name in engines:
            EngineConfig.objects.update_or_create(
                name=name, defaults={"provider": "openai", "model": "m", "enabled": True}
            )

    return act


@dataclass(frozen=True)
class State:
    """What was done, and what is measured then."""

    name: str
    do: tuple = ()
    measured: object = scanned
    score: float = 37.5
    engines: tuple = ("chat", "sonar")
    waiting: int = 0
    few: dict | None = None
    note: str | None = None
    counted: int = PROMPTS
    gone: dict = field(default_factory=dict)


STATES = [
    State("nothing"),
    State("first day", measured=scanned_once),
    State("added 10", (add,), waiting=10, note="10 prompts not asked yet"),
    State("imported, added 10", (add,), imported, waiting=10, note="10 prompts not asked yet"),
    State("archived half", (archive(*range(14)),), counted=14, score=39.29),
    State(
        "archived all but 2", (archive(0, 1),), counted=2, score=50.0, few={"left": 2, "total": 28},
        note="2 of the 28 prompts asked on 11 Mar 2026 are still tracked, too few for a margin of error",
    ),
    State(
        "archived all", (archive(),), few={"left": 0, "total": 28},
        note="all 28 prompts asked on 11 Mar 2026 are archived, so this last figure stays until others are answered",
    ),
    State(
        "archived all, added 10", (archive(), add), few={"left": 0, "total": 28}, waiting=10,
        note="10 prompts not asked yet; all 28 prompts asked on 11 Mar 2026 are archived, so this last figure stays "
        "until others are answered",
    ),
    State("reworded all", (reword,), note="28 prompts count as worded before"),
    State("engine disabled", (use("chat"),), score=50.0, engines=("chat",), gone={"sonar": "not_in_use"}),
    State("engine replaced", (use("chat", "quill"),), score=50.0, engines=("chat",), gone={"sonar": "not_in_use"}),
    State("all engines replaced", (use("quill"),)),
]  # fmt: skip


@pytest.fixture(params=STATES, ids=[state.name for state in STATES])
def state(request):
    return request.param


@pytest.fixture
def cast(state, db):
    def make():
        brand = new_cast().brand
        CompetitorFactory(brand=brand, name="Rival", domain="rival.example")
        for number in range(PROMPTS):
            text, topic = f"which one is good, number {number:02}?", f"t{number % TOPICS}"
            PromptFactory(brand=brand, text=text, topic=topic)
        state.measured(brand)

    world(f"states of now: {state.measured.__name__}", make)
    return stored_cast()


@pytest.fixture
def brand(state, cast, owner):
    for act in state.do:
        act(cast.brand, owner)
    return cast.brand


@pytest.fixture
def key(cast):
    return ApiKeyFactory(owner=cast.owner)


@pytest.fixture
def told(agent, key, brand):
    """What a tool says of the brand, in full."""

    def call(tool, **arguments):
        return data_of(agent.call(key, tool, {"siteId": str(brand.pk), **arguments}))

    return call


def milliseconds(moment):
    return int(moment.timestamp() * 1000)


def window():
    return {"from": milliseconds(DAY - timedelta(days=2)), "to": milliseconds(timezone.now())}


def test_every_tool_says_what_was_measured(state, told, agent, key):
    scores = told("get_visibility_scores", detail="full", **window())
    now = scores["now"]
    assert (now["score"], now["notAskedYet"], now["fewLeft"], now["promptsNote"], now["prompts"]) == (
        state.score, state.waiting, state.few, state.note, state.counted,
    )  # fmt: skip
    assert (now["low"] is None) == (state.few is not None) == (now["shareOfVoiceLow"] is None)
    assert now["shareOfVoice"] is not None and now["panelLow"] is None, "each was asked once"
    assert [(row["engine"], row["averaged"], row["notAskedYet"]) for row in now["engines"]] == [
        (engine, True, state.waiting) for engine in state.engines
    ]
    for row in now["engines"]:
        assert row["score"] is not None and row["answers"] == state.counted
        assert row["noInterval"] == ("few_prompts_left" if state.few else None)
    assert {row["engine"]: row["reason"] for row in now["leftOut"]} == state.gone
    assert [item["score"] for item in scores["trend"]] == [37.5] * len(scores["trend"]), "days stay as they were"
    rows = {item["topic"]: item["subjects"][0] for item in scores["topics"]}
    assert len(rows) == min(TOPICS, state.counted) and all(row["score"] is not None for row in rows.values())
    assert sum(row["answers"] for row in rows.values()) == state.counted * len(state.engines)

    brief = told("get_site_brief", detail="full")
    assert brief["now"] == now
    assert brief["strengths"] or brief["weaknesses"] or len(state.engines) == 1
    [site] = data_of(agent.call(key, "get_portfolio_summary", {"detail": "full"}))["sites"]
    shown = site["visibility"]
    for name in ("score", "low", "high", "basedOn", "notAskedYet", "fewLeft", "promptsNote"):
        assert shown[name] == now[name], name

    missing = {row["part"]: row["reason"] for row in scores.get("missing", ())}
    assert ("now.notAskedYet" in missing) == bool(state.waiting)
    assert missing.get("now.low, now.high") == ("few_prompts_left" if state.few else None)


def test_lists_of_prompts_count_what_was_asked(state, told, brand, agent, key):
    listed = told("list_prompts", detail="full", active=False) if Prompt.objects.active().count() == 0 else None
    listed = listed or told("list_prompts", detail="full")
    asked = [item for item in listed["prompts"] if item["answers"]]
    waiting = [item for item in listed["prompts"] if not item["answers"]]
    assert len(waiting) == state.waiting
    for item in asked:
        assert item["countedVersion"] == 1 and item["answers"] == len(state.engines)
    for item in waiting:
        assert item["countedVersion"] is None
    if asked:
        found = data_of(agent.call(key, "get_prompt_detail", {"promptId": asked[0]["id"]}))
        assert found["prompt"]["answers"] == len(state.engines)


def test_questions_are_answered_with_what_was_measured(state, told):
    answer = told("ask", question="How visible are we?")["answer"]
    total = state.counted * len(state.engines)
    assert f"of {total} answers" in answer and f"{state.score:.1f}" in answer, answer
    if len(state.engines) > 1:
        assert answer.count(f"of {state.counted} answers") == len(state.engines), answer


def test_rest_keeps_its_days(state, client, key, brand):
    address = f"/api/v1/brands/{brand.pk}/visibility?from={window()['from']}&to={window()['to']}"
    trend = client.get(address, headers={"Authorization": f"Bearer {key.raw}"}).json()["trend"]
    assert [item["score"] for item in trend] == [37.5] * (1 if state.measured is scanned_once else 2)


PAGES = ("brand-page", "report-page", "competitors-page")


def test_every_page_says_what_was_measured(state, client, cast, brand):
    client.force_login(cast.owner)
    names = (*PAGES, "trend-page", "prompts-page")
    pages = {name: text_of(client.get(reverse(name, args=[brand.pk]))) for name in names}
    pages["brand-list"] = text_of(client.get(reverse("brand-list")))
    for name in (*PAGES, "brand-list"):
        assert f"{state.score:.1f} %" in pages[name], name
        assert "There is no score" not in pages[name] and "not measured" not in pages[name], name
        assert ("too few prompts left" in pages[name].casefold()) == (state.few is not None), name
        assert "too few topics" not in pages[name].casefold(), name
    for name in ("brand-page", "report-page", "brand-list"):
        for words in ("as worded before", "not asked yet", "margin of error", "are archived, so"):
            assert (words in pages[name]) == (words in (state.note or "")), (name, words)
    assert "37.5" in pages["trend-page"]
    assert ("as worded before" in pages["prompts-page"]) == (state.name == "reworded all")


@pytest.mark.parametrize("table", ["trend", "engines", "topics", "competitors"])
def test_files_hold_it(state, client, cast, brand, table):
    client.force_login(cast.owner)
    content = b"".join(client.get(reverse("table-csv", args=[brand.pk, table])).streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(content.removeprefix("\ufeff"))))
    assert rows and all(row["score"] for row in rows)
