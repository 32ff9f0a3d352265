"""Topics that the brand does not sell leave every figure, for the whole history, and come back with another word."""

from datetime import timedelta

import pytest

from apikeys.caller import Caller
from brands.services.names import replace_aliases
from tests.factories import CompetitorFactory, PromptFactory
from tests.scans.history import DAY, asked_run, end, ended_run, figures, fresh, rescored, scores
from visibility.insights.recommendations.moot import NOT_OWN
from visibility.models import (
    Answer,
    DailyScore,
    Generation,
    Mention,
    Recommendation,
    Run,
    SourceSighting,
    TopicChoice,
    UntrackedName,
)
from visibility.pipeline.detect import detecting
from visibility.pipeline.generations.planning import plan_outdated
from visibility.pipeline.generations.runner import work_on
from visibility.services.prompts.editing import edit_prompt
from visibility.services.reading.changes import latest_scores
from visibility.services.reading.rescoring import counting_of
from visibility.services.reading.scores import visibility_scores
from visibility.services.topics.deciding import choose_topics, topic_decisions

pytestmark = pytest.mark.django_db
TOPICS = ["bikes", "bikes", "boats", "boats", "boats", "boats"]
TEXTS = ["Acme is good.", "Acme is good.", "Rival is good.", "Rival is good.", "Rival is good.", "Acme is good."]
"""Acme is named in two of two answers on bikes, and in one of four on boats."""
DAYS = 3
LAST = DAY.date() + timedelta(days=DAYS - 1)
CITED = [["https://bike.example/a"]] * 2 + [["https://boat.example/b"]] * 4


@pytest.fixture
def prompts(cast):
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    return [
        PromptFactory(brand=cast.brand, text=f"Which {topic}, {n}?", topic=topic) for n, topic in enumerate(TOPICS)
    ]


@pytest.fixture
def brand(cast, prompts):
    for day in range(DAYS):
        ended_run(cast.brand, prompts, texts=TEXTS, day=day, cited=CITED)
    return cast.brand


@pytest.fixture
def choose(owner, brand):
    return lambda **choices: choose_topics(owner, brand_id=brand.pk, choices=choices)


def no_detection(monkeypatch):
    monkeypatch.setattr(detecting, "detect", lambda *args: 1 / 0)
    monkeypatch.setattr(detecting, "citations_of", lambda *args: 1 / 0)


def test_what_is_not_own_leaves_the_whole_history_without_a_new_detection(brand, choose, monkeypatch):
    assert scores(brand) == [50.0] * DAYS
    mentions = Mention.objects.count()
    assert choose(boats=False) == 1
    assert scores(brand) == [50.0] * DAYS, "all figures change together, once all are counted"
    assert Answer.objects.counting().count() == Answer.objects.count()
    no_detection(monkeypatch)
    rescored(brand)
    monkeypatch.undo()
    assert scores(brand) == [100.0] * DAYS
    assert set(Run.objects.values_list("score", flat=True)) == {100.0}
    assert set(DailyScore.objects.values_list("topics", "prompts", "answers")) == {(1, 2, 2)}
    assert set(Answer.objects.counting().values_list("prompt__topic", flat=True)) == {"bikes"}
    assert Mention.objects.count() == mentions, "what was found is still there"
    assert set(SourceSighting.objects.values_list("domain", flat=True)) == {"bike.example"}
    over_all = DailyScore.objects.filter(competitor=None).first().all_topics
    assert over_all["score"] == 50.0 and (over_all["prompts"], over_all["topics"], over_all["answers"]) == (6, 2, 6)
    assert figures(brand) == fresh(brand)


def test_it_comes_back_for_the_whole_history(brand, choose):
    before = figures(brand)
    first = counting_of(brand)
    assert first.topics_since is None
    choose(boats=False)
    rescored(brand)
    left_out = counting_of(brand)
    assert left_out.since == first.since and left_out.topics_since > first.since
    choose(boats=True)
    rescored(brand)
    assert figures(brand) == before
    assert counting_of(brand).topics_since > left_out.topics_since
    assert set(DailyScore.objects.values_list("all_topics", flat=True)) == {None}
    assert {*SourceSighting.objects.values_list("domain", flat=True)} == {"bike.example", "boat.example"}


def test_own_and_undecided_topics_count_alike(brand, choose):
    assert choose(bikes=True, boats=True) == 2
    assert not Generation.objects.filter(state="building").exists() and plan_outdated() == 0
    assert scores(brand) == [50.0] * DAYS


def test_a_choice_that_is_taken_back_gives_the_next_generation_up(brand, choose):
    choose(boats=False)
    building = Generation.objects.get(state="building")
    choose(boats=True)
    assert not Generation.objects.filter(state="building").exists()
    work_on(building.pk, "w")
    assert rescored(brand).pk != building.pk and scores(brand) == [50.0] * DAYS


def test_another_choice_while_it_is_counted_is_counted_too(brand, choose):
    choose(boats=False)
    choose(bikes=False, boats=True)
    rescored(brand)
    assert scores(brand) == [25.0] * DAYS


def test_a_run_that_ends_while_it_is_counted_is_in_it(brand, prompts, choose):
    run = asked_run(brand, prompts, texts=TEXTS, day=DAYS)
    choose(boats=False)
    end(run)
    assert scores(brand) == [50.0] * (DAYS + 1)
    rescored(brand)
    assert scores(brand) == [100.0] * (DAYS + 1)
    assert figures(brand) == fresh(brand)


def test_the_tick_notices_a_choice_whose_plan_got_lost(brand, choose):
    choose(boats=False)
    Generation.objects.filter(state="building").delete()
    assert plan_outdated() == 1
    rescored(brand)
    assert scores(brand) == [100.0] * DAYS


def test_an_edit_of_names_beside_it_is_found_in_all_answers(brand, choose, system):
    choose(boats=False)
    replace_aliases(system, brand=brand, aliases=["Rival is"])
    rescored(brand)
    assert scores(brand) == [100.0] * DAYS
    assert figures(brand) == fresh(brand)


def test_a_prompt_that_is_moved_over_the_boundary_has_the_history_counted_anew(brand, prompts, choose, owner):
    choose(boats=False)
    rescored(brand)
    edit_prompt(owner, prompt=prompts[2], topic="bikes")
    assert Generation.objects.filter(state="building").exists()
    rescored(brand)
    assert scores(brand) == [66.67] * DAYS
    edit_prompt(owner, prompt=prompts[0], topic="cars")
    assert not Generation.objects.filter(state="building").exists(), "both count"
    edit_prompt(owner, prompt=prompts[2], topic="boats")
    edit_prompt(owner, prompt=prompts[3], topic="bikes")
    rescored(brand)
    assert scores(brand) == [66.67] * DAYS
    assert figures(brand) == fresh(brand)


def test_a_prompt_without_a_topic_is_one_by_its_id(cast, owner):
    named, alone = (PromptFactory(brand=cast.brand, text=f"Which {n}?", topic=n) for n in ("bikes", ""))
    ended_run(cast.brand, [named, alone], texts=TEXTS[1:3])
    choose_topics(owner, brand_id=cast.brand.pk, choices={str(alone.pk): False})
    rescored(cast.brand)
    assert scores(cast.brand) == [100.0]
    assert [answer.prompt_id for answer in Answer.objects.counting()] == [named.pk]


def test_suggested_names_are_of_topics_that_count(cast, prompts, owner):
    """The newest runs keep the names of nobody: those of answers that come to count are found then."""
    listed = "1. **Trello** – boards\n2. **Asana**: lists\n3. Acme\n"
    ended_run(cast.brand, prompts, texts=["Acme is good."] * 2 + [listed] * 4)
    assert UntrackedName.objects.filter(name="Trello").count() == 4
    before = set(UntrackedName.objects.values_list("answer", "name", "start"))
    choose_topics(owner, brand_id=cast.brand.pk, choices={"boats": False})
    rescored(cast.brand)
    assert not UntrackedName.objects.exists()
    choose_topics(owner, brand_id=cast.brand.pk, choices={"boats": True})
    rescored(cast.brand)
    assert set(UntrackedName.objects.values_list("answer", "name", "start")) == before


def test_without_any_own_topic_there_is_no_figure_and_it_is_said_why(brand, choose, owner):
    choose(boats=False, bikes=False)
    rescored(brand)
    assert scores(brand) == [None] * DAYS
    shown = visibility_scores(owner, brand_id=brand.pk, first=DAY.date(), last=LAST)
    assert shown.now.score is None and shown.now.no_score == "none of its topics is marked as its own"
    assert (shown.now.own_topics.not_own, shown.now.all_topics.score) == (2, 50.0)
    assert [item.score for item in shown.trend] == [None] * DAYS
    assert {topic.named + topic.answers for topic in topic_decisions(owner, brand_id=brand.pk).topics} == {0}
    assert latest_scores(owner, brand_id=brand.pk).day == LAST
    choose(bikes=True)
    rescored(brand)
    assert scores(brand) == [100.0] * DAYS


def test_recommendations_on_it_are_closed_at_once_also_those_that_are_under_way(cast, owner):
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    prompts = [PromptFactory(brand=cast.brand, text=f"Which boats, {n}?", topic="boats") for n in range(12)]
    ended_run(cast.brand, prompts, texts=["Rival is good."] * 12)
    gaps = Recommendation.objects.filter(kind="topic_gap")
    gaps.update(status="in_progress")
    choose_topics(owner, brand_id=cast.brand.pk, choices={"boats": False})
    assert (gaps.get().status, gaps.get().status_reason) == ("resolved", NOT_OWN)


def test_who_may_only_look_decides_nothing(cast, brand, refused):
    viewer = Caller.from_user(cast.viewer)
    refused("read_only_collaborator", choose_topics, viewer, brand_id=brand.pk, choices={"boats": False})
    stranger = Caller.from_user(cast.stranger)
    refused("not_found", choose_topics, stranger, brand_id=brand.pk, choices={"boats": False})
    assert not TopicChoice.objects.exists() and not Generation.objects.filter(state="building").exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_many_who_decide_at_once_leave_one_next_generation(cast, prompts, at_once):
    ended_run(cast.brand, prompts, texts=TEXTS)
    choices = [{"boats": False}, {"boats": True}, {"bikes": True}, {"boats": False, "bikes": True}] * 2

    caller = Caller.from_user(cast.owner)
    at_once(8, lambda number: choose_topics(caller, brand_id=cast.brand.pk, choices=choices[number]))
    said = dict(TopicChoice.objects.values_list("topic", "is_own"))
    building = Generation.objects.filter(state="building")
    assert building.count() == (not said["boats"])
    rescored(cast.brand)
    assert scores(cast.brand) == [50.0 if said["boats"] else 100.0]
