"""Every step that a result or a refusal names works as it stands; results are short; numbers agree between tools."""

import json

import pytest

from apikeys.tokens import tokens_of
from mcp_bridge.tools import ALL_TOOLS
from tests.factories import UserFactory, make_key
from tests.live import own_database
from tests.mcp.conftest import PREFIX, Agent, data_of, whole_endpoint
from tests.mcp.worlds import crowded_site, empty_site, real_site

TOKENS = 2_000
OF_A_SITE = (
    *("get_site_brief", "get_latest_scan", "get_visibility_scores", "list_prompts", "list_competitors"),
    *("get_competitor_gaps", "get_recommendations", "get_audit_scores", "get_audit_findings"),
    "get_content_opportunities",
    *("get_voice_profile", "get_review_themes", "get_buyer_criteria", "get_positioning_claims"),
)
OF_A_PROMPT = ("get_prompt_detail", "get_prompt_competitor_results")
WRITES = {tool.name for tool in ALL_TOOLS if tool.creates}


@pytest.fixture(scope="module")
def owned(django_db_setup, django_db_blocker):
    """The sites, made once for all tests of this file in a database of their own, and a key of their owner."""
    with django_db_blocker.unblock(), own_database():
        owner = UserFactory()
        sites = [real_site(owner, "Garmin"), real_site(owner, "Sony"), crowded_site(owner), empty_site(owner)]
        yield make_key(owner=owner)[1], {site.name: site for site in sites}


@pytest.fixture
def agent(owned):
    """The endpoint over that database."""
    return Agent(whole_endpoint())


def calls_about(agent, key, site):
    """Every reading tool, called about a site as an agent would call it first, with its result."""
    about = {"siteId": str(site.pk)}
    calls = [(name, about) for name in OF_A_SITE] + [("list_sites", {}), ("get_portfolio_summary", {})]
    for subject in ("standing", "topics", "sources", None):
        question = {"question": f"What is there to say of {site.name}?"}
        calls.append(("ask", {**about, **question, **({"about": subject} if subject else {})}))
    if run := site.runs.first():
        calls.append(("get_scan_status", {**about, "runId": str(run.pk)}))
    for prompt in site.prompts.all()[:1]:
        calls += [(name, {"promptId": str(prompt.pk)}) for name in OF_A_PROMPT]
    return [(name, arguments, agent.call(key, name, arguments)) for name, arguments in calls]


@pytest.mark.proof
def test_no_default_result_is_longer_than_a_model_likes(agent, owned):
    key, sites = owned
    for site in sites.values():
        called = calls_about(agent, key, site)
        sizes = {name: tokens_of(result.content[0].text.encode()) for name, _, result in called}
        assert {name: size for name, size in sizes.items() if size > TOKENS} == {}, site
    reading = {tool.name for tool in ALL_TOOLS} - WRITES
    assert {name for name, *_ in calls_about(agent, key, sites["Kryton"])} == reading


@pytest.mark.parametrize(
    "site", ["Garmin", "Empty", *(pytest.param(site, marks=pytest.mark.proof) for site in ("Sony", "Kryton"))]
)
def test_every_step_works_when_it_is_sent(agent, owned, site):
    key, sites = owned
    results = [data_of(result) for *_, result in calls_about(agent, key, sites[site])]
    steps = [result.get(name) for result in results for name in ("nextStep", "seeMore")]
    seen = set()
    while steps:
        step = steps.pop()
        if step is None or (mark := json.dumps(step, sort_keys=True)) in seen:
            continue
        seen.add(mark)
        result = agent.call(key, step["tool"].removeprefix(PREFIX), step["arguments"])
        assert not result.is_error, (step, result.content)
        steps += [data_of(result).get("nextStep")]
    assert seen


@pytest.mark.parametrize("site", ["Garmin", "Empty"])
def test_every_refusal_of_arguments_names_what_would_be_right_and_a_step_that_works(agent, owned, site):
    key, sites = owned
    about = {"siteId": str(sites[site].pk)}
    nothing = "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e"
    wrong = [
        ("get_site_brief", {}, "siteId", "required"),
        ("get_site_brief", {"siteId": site.lower()}, "siteId", "never a name"),
        ("get_site_brief", {"siteId": nothing}, "siteId", "Take the id"),
        ("get_site_brief", {**about, "period": "month"}, "period", "'week'"),
        ("list_prompts", {**about, "limit": 0}, "limit", "1 or more"),
        ("list_prompts", {**about, "stage": "awarenes"}, "stage", "'consideration'"),
        ("list_prompts", {**about, "limit": "five"}, "limit", "whole number"),
        ("list_prompts", {**about, "limt": 2}, "limt", "write limit"),
        ("get_visibility_scores", {**about, "topic": "bicycles"}, "topic", "topic"),
        ("get_visibility_scores", {**about, "engine": "siri"}, "engine", "Asked were"),
        ("get_visibility_scores", {**about, "topic": "watch\0"}, "topic", "U+0000"),
        ("get_visibility_scores", {**about, "from": "soon"}, "from", "2026-11-01"),
        ("get_visibility_scores", {**about, "to": True}, "to", "epoch"),
        ("get_visibility_scores", {**about, "from": "2026-02-01", "to": "2026-01-01"}, "from", "earlier"),
        ("get_prompt_detail", {"promptId": nothing}, "promptId", "Take the id"),
        ("get_scan_status", {**about, "runId": nothing}, "runId", "Take the id"),
        ("get_competitor_gaps", {**about, "competitorId": nothing}, "competitorId", "list of them"),
    ]
    for tool, arguments, argument, words in wrong:
        error = agent.error(key, tool, **arguments)
        assert argument in json.dumps(vars(error)) and words in error.message, error
        step = error.details["nextStep"]
        assert not agent.call(key, step["tool"].removeprefix(PREFIX), step["arguments"]).is_error, step


def test_a_site_that_is_called_by_its_name_is_found_in_the_step(agent, owned):
    key, sites = owned
    step = agent.error(key, "get_site_brief", siteId="garmin.com").details["nextStep"]
    assert (step["tool"], step["arguments"]) == ("svc_get_site_brief", {"siteId": str(sites["Garmin"].pk)})


def test_a_topic_is_meant_by_its_id_its_name_or_words_of_it(agent, owned):
    key, sites = owned
    about = {"siteId": str(sites["Sony"].pk)}
    for full in ("TV 55 Inch 1000", "tv-55-inch_1000", str(sites["Sony"].topics.get(name="tv-55-inch-1000").pk)):
        assert "tv-55-inch-1000" in agent.data(key, "get_visibility_scores", **about, topic=full)["topic"]
        [resolved] = agent.data(key, "ask", **about, question="?", about="standing", topic=full)["resolved"]
        assert "tv-55-inch-1000" in resolved["name"]
    for words in ("tv", "1000 tvs"):
        assert "tv-55-inch-1000" in agent.data(key, "get_visibility_scores", **about, topic=words)["topic"]
        [resolved] = agent.data(key, "ask", **about, question="?", about="standing", topic=words)["resolved"]
        assert "tv-55-inch-1000" in resolved["name"]
    message = agent.error(key, "list_prompts", **about, topic="televisores").message
    assert "Give one of these: <untrusted-quote>" in message


def test_days_are_taken_in_every_form_that_a_model_writes(agent, owned):
    key, sites = owned
    about = {"siteId": str(sites["Sony"].pk)}
    for day in ("2025-05-24", "2025-05-24T12:00:00Z", 1_748_088_000_000, "1748088000000"):
        trend = agent.data(key, "get_visibility_scores", **about, **{"from": day, "to": day})["trend"]
        assert [each["date"] for each in trend] == ["2025-05-24"]


def test_gaps_count_the_answers_behind_them_and_what_these_cite(agent, owned):
    key, sites = owned
    gaps = agent.plain(key, "get_competitor_gaps", siteId=str(sites["Sony"].pk))
    assert gaps["summary"] == ["On 10 prompts 41 answers of now name a competitor and not Sony."]
    assert [(each["domain"], each["answers"]) for each in gaps["cited"][:3]] == [
        ("tomsguide.com", 21),
        ("wired.com", 15),
        ("phonearena.com", 12),
    ]
    laptops = agent.plain(key, "get_competitor_gaps", siteId=str(sites["Garmin"].pk), topic="mesh wifi home")
    assert "not Garmin's own" in laptops["summary"][0] and laptops["total"] == 0


def test_a_key_gets_no_step_that_it_may_not_take(agent, owned):
    _, sites = owned
    only = make_key(owner=sites["Garmin"].owner, scopes=["read:sites"])[1]
    assert "nextStep" not in agent.data(only, "get_site_brief", siteId=str(sites["Garmin"].pk))
    assert agent.error(only, "get_site_brief").details["nextStep"]["tool"] == "svc_list_sites"


def test_the_same_number_is_the_same_through_every_tool_and_rest(agent, owned, rest):
    key, sites = owned
    for name in ("Garmin", "Sony", "Kryton"):
        about = {"siteId": str(sites[name].pk)}
        scores = agent.plain(key, "get_visibility_scores", **about, **{"from": "2020-01-01"}, detail="full")
        brief = agent.plain(key, "get_site_brief", **about)
        assert brief["now"] == scores["now"]
        [line] = [site for site in agent.plain(key, "get_portfolio_summary")["sites"] if site["name"] == name]
        assert all(line[part] == scores["now"][part] for part in ("score", "low", "high"))
        listed = agent.plain(key, "list_competitors", **about)
        whole = {each["competitorId"]: each for each in scores["shareOfVoice"]}
        assert all(
            {name: short[name] for name in short if not name.startswith("first")}.items()
            <= whole[short.get("competitorId")].items()
            for short in [listed["site"], *listed["competitors"]]
        )
        trend = rest.get(f"/brands/{sites[name].pk}/visibility?from=0", key).json()["trend"]
        assert scores["trend"] == trend
        standing, change = (
            agent.plain(key, "ask", **about, question="?", about=subject, limit=30)["facts"]
            for subject in ("standing", "change")
        )
        assert all(standing[0].get(part) == scores["now"][part] for part in ("score", "low", "high", "shareOfVoice"))
        days = {day["date"]: day["score"] for day in trend}
        counted = [fact for fact in change if "period" in fact]
        assert counted and all(fact["score"] == days[fact["period"]] for fact in counted)
        prompts = agent.plain(key, "list_prompts", **about)
        assert f" of {scores['now']['answers']} answers name {name}" in prompts["summary"][0]
        [topic, *_] = prompts["topics"]
        listed = agent.plain(key, "list_prompts", **about, topic=topic["topic"], detail="full")["prompts"]
        filtered = agent.plain(key, "get_visibility_scores", **about, topic=topic["topic"])
        assert filtered["now"]["answers"] == sum(prompt["answers"] for prompt in listed)
        detail = agent.plain(key, "get_prompt_detail", promptId=listed[0]["id"])["prompt"]
        assert detail == listed[0]
        results = agent.plain(key, "get_prompt_competitor_results", promptId=listed[0]["id"])
        [own] = [each for each in results["results"] if each["competitorId"] is None]
        assert (own["mentioned"], own["answers"]) == (listed[0]["mentioned"], listed[0]["answers"])


def test_what_a_marketing_head_asks_first_is_answered_first(agent, owned):
    key, sites = owned
    brief = agent.plain(key, "get_site_brief", siteId=str(sites["Sony"].pk))
    assert brief["summary"][0].startswith(
        "Sony is named in 47 % of answers (95 % interval 40 to 54 %, on these prompts)"
    )
    assert [topic["topic"] for topic in brief["weaknesses"]] == [
        "smartphone-budget-600",
        "tv-55-inch-1000",
    ]
    tv = agent.plain(key, "get_visibility_scores", siteId=str(sites["Sony"].pk), topic="TV-55-inch-1000")
    assert {each["name"]: each["relation"] for each in tv["shareOfVoice"]} == {
        "LG": "ahead",
        "Samsung": "ahead",
        "Sony": None,
        "Bose": "behind",
    }
    assert tv["summary"][1].startswith("Sony in this topic is behind LG (23 of 24), Samsung (17 of 24);")


def test_a_change_has_its_sizes_and_its_parts_still_sum_when_they_are_shortened(agent, owned):
    key, sites = owned
    about = {"siteId": str(sites["Kryton"].pk), "from": "2026-01-01", "to": "2026-01-02"}
    short, full = (agent.plain(key, "get_visibility_scores", **about, detail=detail) for detail in ("short", "full"))
    assert "Kryton's score fell by 20 points: from 50 to 30 % since 2026-01-02." in short["summary"]
    assert (short["changesTotal"], len(short["changes"]), len(full["changes"])) == (8, 3, 8)
    brief, whole = short["changes"][0], full["changes"][0]
    assert (brief["from"], brief["to"]) == ({"value": 50.0, "days": 7}, {"value": 30.25, "day": "2026-01-02"})
    assert [len(each["parts"]["topics"]) for each in (brief, whole)] == [3, 6]
    assert brief["parts"]["wordings"] is None and whole["parts"]["wordings"][0]["name"]
    sums = {sum(part["points"] for part in each["parts"]["topics"]) for each in (brief, whole)}
    assert len(sums) == 1


def test_rows_that_are_left_out_are_counted_and_can_be_had(agent, owned):
    key, sites = owned
    about = {"siteId": str(sites["Kryton"].pk)}
    short = agent.data(key, "list_prompts", **about)
    assert short["omitted"]["prompts"] == short["total"] - len(short["prompts"]) > 0
    whole = agent.data(key, "list_prompts", **short["seeMore"]["arguments"])
    assert (len(whole["prompts"]), "omitted" in whole) == (short["total"], False)
    three = agent.data(key, "list_prompts", **about, limit=3)
    assert (len(three["prompts"]), three["omitted"]) == (3, {"prompts": short["total"] - 3})
    full = agent.data(key, "get_recommendations", **about, detail="full", limit=1)["recommendations"]
    assert full[0]["payload"]["fixPrompt"] and len(full[0]["evidence"]) == 10


def test_what_only_people_do_has_the_address_of_its_page(agent, owned, settings):
    key, sites = owned
    site = str(sites["Garmin"].pk)
    todo = f"{settings.PUBLIC_URL}/brands/{site}/todo"
    decided = data_of(agent.call(key, "get_recommendations", {"siteId": site}))["summary"][-1]
    assert decided == f"People change a status at {todo}; no tool does."
    assert data_of(agent.call(key, "list_sites", {}))["addedAt"] == f"{settings.PUBLIC_URL}/brands/add"
