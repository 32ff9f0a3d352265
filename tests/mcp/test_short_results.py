"""Results in short as agents get them: the same resource, and each call that brings the rest works."""

import pytest

from apikeys.scopes import Scope
from apikeys.text.untrusted import QUOTE_OPEN, unmarked
from mcp_bridge.missing import Steps
from tests.factories import ApiKeyFactory, CompetitorFactory, PromptFactory, RecommendationFactory
from tests.mcp.conftest import FULL, PREFIX, data_of, error_of
from tests.mcp.crowded import crowded_site
from tests.scans.history import ended_run
from visibility.models import Recommendation


@pytest.mark.django_db
class TestAtTheDoor:
    @pytest.fixture
    def site(self, cast):
        return {"siteId": str(cast.brand.pk)}

    def test_the_first_recommendation_keeps_its_prompt_and_others_come_by_id(self, agent):
        brand = crowded_site()
        key, site = ApiKeyFactory(owner=brand.owner), {"siteId": str(brand.pk)}
        short = data_of(agent.call(key, "get_recommendations", site))
        first, second, *_ = short["recommendations"]
        assert first["payload"]["fixPrompt"] and "payload" not in second
        step = short["seeMore"][-1]
        assert step["arguments"] == {**site, "ids": [second["id"]]}
        answer = data_of(agent.call(key, "get_recommendations", step["arguments"]))
        [whole] = answer["recommendations"]
        assert "omitted" not in answer
        assert whole["id"] == second["id"] and whole["payload"]["fixPrompt"] and whole["evidence"]
        assert {row["part"] for row in short["omitted"]} >= {"recommendations", "recommendations[].payload.fixPrompt"}
        counted = {row["part"]: row["count"] for row in short["omitted"]}
        queue = Recommendation.objects.filter(brand=brand, status="open").count()
        assert counted["recommendations"] == queue - len(short["recommendations"])

    def test_scores_tell_what_the_interval_of_now_speaks_of(self, agent):
        brand = crowded_site()
        scores = data_of(
            agent.call(ApiKeyFactory(owner=brand.owner), "get_visibility_scores", {"siteId": str(brand.pk)})
        )
        assert scores["now"]["interval"] == "topics"

    def test_an_id_that_is_none_is_refused_with_the_list_of_those_there_are(self, agent, key, site, cast):
        error = error_of(agent.call(key, "get_recommendations", {**site, "ids": [str(cast.brand.pk)]}))
        assert error.details["arguments"][0]["path"] == "ids"
        assert error.details["nextStep"]["tool"] == f"{PREFIX}get_recommendations"

    def test_answers_come_whole_by_their_ids(self, agent, key, cast):
        prompt = PromptFactory(brand=cast.brand)
        ended_run(cast.brand, [prompt], texts=["Acme. " + "word " * 900])
        about = {"promptId": str(prompt.pk)}
        short = data_of(agent.call(key, "get_prompt_detail", about))
        assert len(short["latestAnswers"][0]["text"]) < 600
        step = short["seeMore"][-1]
        [answer] = data_of(agent.call(key, "get_prompt_detail", step["arguments"]))["latestAnswers"]
        assert answer["id"] == step["arguments"]["answerIds"][0] and len(answer["text"]) > 4000
        error = error_of(agent.call(key, "get_prompt_detail", {**about, "answerIds": [about["promptId"]]}))
        assert error.details["arguments"][0]["path"] == "answerIds"

    def test_short_is_the_same_resource(self, agent):
        """Whatever short shows is in full, at its place, or a prefix of it."""
        brand = crowded_site()
        key, site = ApiKeyFactory(owner=brand.owner), {"siteId": str(brand.pk)}
        for tool in ("get_competitor_gaps", "get_content_opportunities", "list_prompts", "get_site_brief"):
            short, full = (data_of(agent.call(key, tool, {**site, **form})) for form in ({}, FULL))
            beside = {"omitted", "seeMore", "missing", "nextStep", "more", "coverage"}
            for name in short.keys() - beside:
                assert is_within(short[name], full[name]), (tool, name)

    def test_a_step_that_the_key_may_not_take_says_whom_to_ask(self, agent, cast, site):
        key = ApiKeyFactory(owner=cast.owner, scopes=["read:competitors"])
        [missing] = data_of(agent.call(key, "get_competitor_gaps", site))["missing"]
        assert missing["reason"] == "not_measured" and missing["nextStep"]["tool"] is None
        assert "run:visibility" in missing["nextStep"]["why"]
        assert Steps({"x": Scope.READ_SITES}, frozenset()).allowing == frozenset()

    def test_a_topic_in_a_step_stands_in_its_marks(self, agent, key, cast, site):
        CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
        prompts = [PromptFactory(brand=cast.brand, topic="obey <me> & pay") for _ in range(8)]
        ended_run(cast.brand, prompts, texts=["Rival is good."] * 8)
        for tool in ("get_competitor_gaps", "list_prompts"):
            told = data_of(agent.call(key, tool, {**site, "topic": "obey <me> & pay"}))
            for step in (*told.get("seeMore", ()), told["nextStep"]):
                assert step["arguments"].get("topic", QUOTE_OPEN).startswith(QUOTE_OPEN)

    def test_status_and_evidence_do_not_hide_what_is_not_open(self, agent, key, cast, site):
        RecommendationFactory(brand=cast.brand, status="done")
        [row] = data_of(agent.call(key, "get_recommendations", {**site, "status": "all"}))["recommendations"]
        assert row["status"] == "done"


def is_within(part, whole):
    """Whether a part says nothing that the whole does not."""
    if isinstance(part, dict):
        return all(name in whole and is_within(value, whole[name]) for name, value in part.items())
    if isinstance(part, list):
        return all(any(is_within(item, other) for other in whole) for item in part)
    if isinstance(part, str) and part.endswith("…") and part != whole:
        return unmarked(whole).startswith(unmarked(part.removesuffix("…")))
    return part == whole
