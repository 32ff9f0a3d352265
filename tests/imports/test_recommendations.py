"""The queue of recommendations follows the measurement and keeps what people decided."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from brands.services.competitors import remove_competitor
from tests.factories import (
    AnswerFactory,
    CompetitorFactory,
    DailyScoreFactory,
    PromptFactory,
    RecommendationFactory,
    RunFactory,
)
from tests.generations import tracked_names_of
from tests.imports.conftest import SYSTEM, record
from visibility.engines.adapters import local_search
from visibility.insights.recommendations import refresh_recommendations
from visibility.insights.recommendations.kinds.topic_gap import TopicGap
from visibility.insights.recommendations.moot import NO_RIVAL, NOT_ASKED, NOT_OWN
from visibility.insights.recommendations.queue import SURPLUS, trim
from visibility.models import Citation, DailyScore, Mention, Prompt, Recommendation, StatusChange, TopicChoice
from visibility.resources.recommendations import RecommendationResource
from visibility.services.prompts.editing import archive_prompt, edit_prompt
from visibility.services.reading.recommended import RECOMMENDATION_FIELDS, recommendation_fields

IMPORTED = pytest.mark.django_db(transaction=True, serialized_rollback=True)
GAP = "Rival makes the best anvil."
TOPIC = "anvils"
ENOUGH = 8
"""So many answers that name the rival alone are no chance, where there is one topic and one rival."""


def day(number, *texts, engine="chatgpt", **fields):
    """One answer for each text, on that day of May."""
    return [
        record(
            sample=sample,
            time=f"2025-05-{number:02}T10:00:00Z",
            text=text,
            engine=engine,
            **{"topic": TOPIC} | fields,
        )
        for sample, text in enumerate(texts, start=1)
    ]


def gaps(number, **fields):
    """A day on which so many answers show the gap that it opens."""
    return day(number, *[GAP] * ENOUGH, **fields)


def closed(number, **fields):
    """A day on which both are named alike."""
    return day(number, *["Acme is fine.", "Rival is fine."] * (ENOUGH // 2), **fields)


def gap_of(brand):
    return Recommendation.objects.get(brand=brand, kind="topic_gap")


@pytest.fixture(autouse=True)
def own_topic(cast):
    """The topic is the brand's business, as its owner said."""
    TopicChoice.objects.create(brand=cast.brand, topic=TOPIC, is_own=True)


@IMPORTED
def test_a_gap_becomes_a_recommendation_with_evidence(load, brand):
    texts = [f"Well. {GAP} Buy it."] * 11 + ["Acme is fine."]
    [run] = load(*day(1, *texts)).runs
    row = gap_of(brand)
    assert (row.status, row.subject, row.topic) == ("open", TOPIC, TOPIC)
    assert row.first_seen_run == row.last_seen_run == run
    assert row.opened_at == row.last_seen_at == row.created_at and str(row.opened_on) == "2025-05-01"
    assert row.title == "On “anvils”, 1 of 12 answers names Acme; 11 name Rival"
    fields = Recommendation.objects.values(*RECOMMENDATION_FIELDS).get(pk=row.pk)
    resource = RecommendationResource.model_validate(recommendation_fields(fields))
    quote, source = resource.evidence
    assert quote.text == GAP
    assert (quote.kind, quote.engine) == ("answer", "chatgpt")
    assert quote.prompt_id == brand.prompts.get().pk
    assert run.answers.get(pk=quote.answer_id).text == f"Well. {GAP} Buy it."
    assert (source.kind, source.url) == ("citation", "https://review.example/anvils")
    assert "what is the best anvil?" in resource.payload.fix_prompt
    assert row.payload["engines"] == [{"engine": "chatgpt", "gaps": 11, "answers": 12, "as_of": "2025-05-01"}]
    assert row.payload["prompts"] == [str(brand.prompts.get().pk)]
    assert row.factors == {
        "answers": 11, "of_answers": 12, "engines": 1, "of_engines": 1, "reach": pytest.approx(11 / 12),
        "effect": "likely", "effort": "medium",
    }  # fmt: skip


@IMPORTED
def test_a_gap_seen_again_is_the_same_recommendation(load, brand):
    [first] = load(*gaps(1)).runs
    before = gap_of(brand)
    [second] = load(*gaps(2), *day(2, *[GAP] * ENOUGH, "Nobody.", prompt="which anvil?")).runs
    after = gap_of(brand)
    assert (after.pk, after.created_at, after.opened_at) == (before.pk, before.created_at, before.opened_at)
    assert (after.first_seen_run, after.opened_on) == (first, before.opened_on)
    assert after.last_seen_run == second and after.updated_at == after.last_seen_at > before.updated_at
    assert (before.factors["answers"], after.factors["answers"]) == (8, 16)


@IMPORTED
def test_it_is_updated_when_something_in_it_changed_and_not_at_each_scan(load, brand):
    load(*gaps(1))
    made = gap_of(brand)
    assert made.updated_at == made.status_changed_at == made.created_at
    [second] = load(*gaps(2)).runs
    same = gap_of(brand)
    assert same.last_seen_run == second and same.payload["measured_on"] == "2025-05-02" != made.payload["measured_on"]
    assert (same.updated_at, same.status_changed_at) == (made.updated_at, made.status_changed_at)
    assert same.last_seen_at > made.last_seen_at
    load(*day(3, *["Rival makes the finest anvil."] * ENOUGH))
    worded = gap_of(brand)
    assert worded.updated_at > made.updated_at and worded.status_changed_at == made.status_changed_at
    load(*closed(4))
    resolved = gap_of(brand)
    assert resolved.updated_at == resolved.status_changed_at > worded.updated_at
    load(*closed(5))
    assert gap_of(brand).updated_at == resolved.updated_at
    load(*gaps(6))
    assert gap_of(brand).status_changed_at == gap_of(brand).updated_at > resolved.updated_at


@IMPORTED
def test_a_closed_gap_is_resolved_and_opens_again(load, brand):
    load(*gaps(1))
    first = gap_of(brand)
    load(*day(2, *[GAP, GAP, "Nobody is named.", "Acme is fine."] * 2))
    assert gap_of(brand).status == "open"
    load(*closed(3))
    assert gap_of(brand).status == "resolved"
    load(*day(4, *[GAP, GAP, "Nobody is named.", "Acme is fine."] * 2))
    assert gap_of(brand).status == "resolved"
    load(*gaps(5))
    again = gap_of(brand)
    assert (again.pk, again.status, str(again.opened_on)) == (first.pk, "open", "2025-05-05")
    assert again.opened_at > first.opened_at and again.created_at == first.created_at
    changes = StatusChange.objects.filter(recommendation=again).order_by("pk")
    assert list(changes.values_list("before", "status", "actor", "reason")) == [
        ("open", "resolved", "", ""),
        ("resolved", "open", "", ""),
    ]


@IMPORTED
def test_a_topic_on_which_no_rival_is_named_any_more_is_closed(load, brand):
    load(*gaps(1))
    load(*day(2, *["Acme is fine."] * ENOUGH))
    assert gap_of(brand).status == "resolved"


@IMPORTED
def test_what_now_says_nothing_of_stays_as_it_was_written(load, brand):
    load(*closed(1))
    quiet = {"metric": "score", "engine": None, "delta": -3.0, "confirmation": None, "monitor": None}
    DailyScore.objects.filter(brand=brand, competitor=None).update(changes=[quiet])
    row = Recommendation.objects.create(
        brand=brand, kind="confirmed_fall", subject="score", title="Acme is named less", priority=50,
        payload={"fix_prompt": "Find out why."},
    )  # fmt: skip
    refresh_recommendations(brand)
    row.refresh_from_db()
    assert (row.title, row.status, row.payload) == ("Acme is named less", "open", {"fix_prompt": "Find out why."})


@IMPORTED
def test_only_the_engines_that_showed_a_gap_can_close_it(load, brand):
    other = {"prompt": "another question?", "topic": "hammers"}
    load(*gaps(1, engine="a"), *day(1, "Nobody.", engine="b"))
    load(*day(2, "Nobody.", engine="a", **other), *closed(2, engine="b"))
    assert gap_of(brand).status == "open"
    load(*closed(3, engine="a"))
    assert gap_of(brand).status == "resolved"


@IMPORTED
def test_what_was_not_measured_stays_as_it_was(load, brand):
    load(*gaps(1))
    load(*day(20, *["Acme."] * ENOUGH, prompt="another question?", topic="hammers"))
    assert gap_of(brand).status == "open"


def archive(brand):
    archive_prompt(SYSTEM, prompt=brand.prompts.get(text="what is the best anvil?"))


def name_the_brand(brand):
    edit_prompt(SYSTEM, prompt=brand.prompts.get(text="what is the best anvil?"), text="is Acme the best anvil?")


def watch_the_rival_no_more(brand):
    remove_competitor(SYSTEM, competitor=brand.competitors.get())


def sell_it_no_more(brand):
    TopicChoice.objects.filter(brand=brand, topic=TOPIC).update(is_own=False)


@IMPORTED
@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (archive, NOT_ASKED),
        (name_the_brand, NOT_ASKED),
        (watch_the_rival_no_more, NO_RIVAL),
        (sell_it_no_more, NOT_OWN),
    ],
)
def test_what_can_never_be_measured_again_is_closed_with_the_reason(load, brand, act, reason):
    load(*gaps(1))
    before = gap_of(brand)
    assert before.status == "open"
    act(brand)
    load(*day(2, *["Acme."] * ENOUGH, prompt="another question?", topic="hammers"))
    row, change = gap_of(brand), StatusChange.objects.get(recommendation__kind="topic_gap")
    assert (row.pk, row.status, row.status_reason) == (before.pk, "resolved", reason)
    assert (change.before, change.status, change.reason, change.actor) == ("open", "resolved", reason, "")


@IMPORTED
def test_what_was_closed_with_a_reason_opens_again_with_the_gap(load, brand):
    load(*gaps(1))
    before = gap_of(brand)
    sell_it_no_more(brand)
    load(*gaps(2))
    assert gap_of(brand).status == "resolved"
    TopicChoice.objects.filter(brand=brand).update(is_own=True)
    load(*gaps(3))
    row = gap_of(brand)
    assert (row.pk, row.status, row.status_reason) == (before.pk, "open", "")


def test_what_is_beyond_the_most_urgent_of_its_kind_is_closed_with_the_reason(cast):
    rows = [
        RecommendationFactory(brand=cast.brand, kind="topic_gap", subject=str(number), priority=number)
        for number in range(4)
    ]
    trim(cast.brand, {"topic_gap": 2}, {("topic_gap", "0")}, timezone.now())
    found = dict(Recommendation.objects.values_list("pk", "status_reason"))
    assert [found[row.pk] for row in rows] == ["", SURPLUS, SURPLUS, ""], "what was just written stays"
    assert StatusChange.objects.filter(status="resolved", reason=SURPLUS).count() == 2


@IMPORTED
@pytest.mark.parametrize("status", ["in_progress", "done", "dismissed", "resolved"])
def test_what_has_left_the_open_queue_stays_on_record(load, brand, status):
    load(*gaps(1))
    Recommendation.objects.filter(kind="topic_gap").update(status=status)
    archive(brand)
    load(*day(2, "Nobody.", prompt="another question?", topic="hammers"))
    assert gap_of(brand).status == status


@IMPORTED
def test_an_archived_question_is_no_part_of_now_whatever_was_answered(load, brand):
    load(*gaps(1))
    archive(brand)
    load(*gaps(2))
    assert gap_of(brand).status == "open", "where all is archived the last figures stay, and what they show"
    load(*gaps(3), *day(3, "Nobody.", prompt="another question?", topic="hammers"))
    assert (gap_of(brand).status, gap_of(brand).status_reason) == ("resolved", NOT_ASKED)


@IMPORTED
@pytest.mark.parametrize("status", ["in_progress", "done", "dismissed"])
def test_what_people_decided_stays_while_the_gap_is_there(load, brand, status):
    load(*gaps(1))
    Recommendation.objects.update(status=status, status_by="user:1", status_reason="We are at it.")
    [again] = load(*day(2, *[GAP] * ENOUGH, GAP)).runs
    row = gap_of(brand)
    assert (row.status, row.last_seen_run, row.factors["answers"]) == (status, again, 9)
    [between] = load(*day(3, *[GAP, GAP, "Nobody is named.", "Acme is fine."] * 2)).runs
    row = gap_of(brand)
    assert (row.status, row.status_by, row.last_seen_run, row.factors["answers"]) == (status, "user:1", between, 4)
    assert not StatusChange.objects.exists()


@IMPORTED
@pytest.mark.parametrize("status", ["open", "in_progress", "done", "dismissed"])
def test_a_closed_gap_resolves_what_people_took_up_and_leaves_what_they_dismissed(load, brand, status):
    load(*gaps(1))
    Recommendation.objects.update(status=status, status_by="user:1", status_reason="Said so.")
    load(*closed(2))
    row, changes = gap_of(brand), StatusChange.objects.all()
    if status == "dismissed":
        assert (row.status, row.status_by, row.status_reason) == ("dismissed", "user:1", "Said so.") and not changes
        load(*gaps(3))
        assert gap_of(brand).status == "dismissed"
    else:
        assert (row.status, row.status_by, row.status_reason) == ("resolved", "", "")
        assert [(change.before, change.status, change.actor) for change in changes] == [(status, "resolved", "")]


@IMPORTED
def test_an_older_day_changes_nothing(load, brand):
    [run] = load(*gaps(9)).runs
    load(*closed(2))
    row = gap_of(brand)
    assert (row.status, row.last_seen_run, row.payload["measured_on"]) == ("open", run, "2025-05-09")


@IMPORTED
def test_questions_that_name_the_brand_give_none(load, brand):
    load(*gaps(1, prompt="is Acme any good?"), *day(1, "Acme."))
    assert not Recommendation.objects.exists()


@IMPORTED
def test_what_nobody_has_decided_is_recommended_on_and_what_is_not_own_is_not(load, brand):
    TopicChoice.objects.all().delete()
    load(*day(2, *[GAP] * 20))
    assert gap_of(brand).factors["answers"] == 20
    TopicChoice.objects.create(brand=brand, topic=TOPIC, is_own=False)
    load(*day(4, *[GAP] * 19, "Acme."))
    assert gap_of(brand).status == "resolved"


@IMPORTED
def test_a_page_of_the_brand_that_answers_cite_makes_it_less_work(load, brand):
    load(*gaps(1, citations=["https://acme.example/x", "https://www.rival.example/y"]))
    assert gap_of(brand).effort == "low"


def measured(brand, texts, *, engine="chatgpt", prompts=1, name=GAP):
    """A measured day as the pipeline leaves it, without running it: each question a topic of the brand's business."""
    run, rival, generation = RunFactory(brand=brand), brand.competitors.get(), tracked_names_of(brand).generation
    for number in range(prompts):
        prompt = PromptFactory(brand=brand)
        TopicChoice.objects.create(brand=brand, topic=prompt.topic, is_own=True)
        for sample in range(1, texts + 1):
            answer = AnswerFactory(run=run, prompt=prompt, engine=engine, sample=sample, text=name)
            Mention.objects.create(
                generation_id=generation, answer=answer, competitor=rival, start=0, end=5, text="Rival", rank=1,
                rule="name",
            )  # fmt: skip
            url = f"https://press{number}.example/"
            Citation.objects.create(
                generation_id=generation, answer=answer, url=url, url_digest=str(number),
                domain=f"press{number}.example", position=1,
            )  # fmt: skip
    return run


def score(brand, *runs, engines):
    items = [{"engine": name, "score": 10.0, "low": None, "high": None, "answers": 3} for name in engines]
    return DailyScoreFactory(brand=brand, engines=items, runs=[str(run.pk) for run in runs])


@pytest.fixture
def rival(cast):
    return CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")


def statements(brand, run):
    with CaptureQueriesContext(connection) as queries:
        refresh_recommendations(brand, run)
    return len(queries)


def test_the_number_of_statements_does_not_grow_with_the_answers(cast, rival):
    few = measured(cast.brand, 12)
    row = score(cast.brand, few, engines=["chatgpt"])
    refresh_recommendations(cast.brand, few)
    small = statements(cast.brand, few)
    many = measured(cast.brand, 12, prompts=10)
    DailyScore.objects.filter(pk=row.pk).update(runs=[str(few.pk), str(many.pk)])
    refresh_recommendations(cast.brand, many)
    assert statements(cast.brand, many) == small
    assert Recommendation.objects.count() == 11


def seen(status="open"):
    """How many answers each shows, the most urgent first."""
    rows = Recommendation.objects.filter(kind="topic_gap", status=status).order_by("-priority")
    return [row.factors["answers"] for row in rows]


def test_as_many_of_a_kind_are_open_as_it_may_have_and_the_most_urgent_stay(cast, rival, monkeypatch):
    monkeypatch.setattr(TopicGap, "max_open", 3)
    run = measured(cast.brand, 12, prompts=4)
    urgent = measured(cast.brand, 20, prompts=4)
    score(cast.brand, run, urgent, engines=["chatgpt"])
    refresh_recommendations(cast.brand, run)
    assert seen() == [20, 20, 20]
    Recommendation.objects.update(status="dismissed")
    refresh_recommendations(cast.brand, run)
    assert (seen(), seen("dismissed")) == ([20, 12, 12], [20, 20, 20])


def test_stale_open_ones_make_room_for_more_urgent_ones(cast, rival, monkeypatch):
    monkeypatch.setattr(TopicGap, "max_open", 3)
    old = measured(cast.brand, 12, prompts=3)
    row = score(cast.brand, old, engines=["chatgpt"])
    refresh_recommendations(cast.brand, old)
    assert seen() == [12, 12, 12]
    new = measured(cast.brand, 20, prompts=2)
    DailyScore.objects.filter(pk=row.pk).update(runs=[str(new.pk)])
    refresh_recommendations(cast.brand, new)
    assert seen() == [20, 20, 12]


def test_local_search_gives_no_recommendations_beside_another_engine(cast, rival):
    local = measured(cast.brand, 12, engine=local_search.NAME)
    other = measured(cast.brand, 12, engine="chatgpt")
    row = score(cast.brand, local, other, engines=[local_search.NAME, "chatgpt"])
    refresh_recommendations(cast.brand, other)
    assert {item["engine"] for each in Recommendation.objects.all() for item in each.payload["engines"]} == {
        "chatgpt"
    }
    DailyScore.objects.filter(pk=row.pk).update(engines=row.engines[:1])
    refresh_recommendations(cast.brand, local)
    assert Recommendation.objects.filter(payload__engines__0__engine=local_search.NAME).exists()


def test_a_brand_that_was_never_measured_has_none(cast, rival):
    refresh_recommendations(cast.brand, measured(cast.brand, 12))
    assert not Recommendation.objects.exists()


def test_a_very_long_domain_is_kept(cast, rival):
    run = measured(cast.brand, 12)
    Citation.objects.update(domain=".".join(["x" * 60] * 4))
    score(cast.brand, run, engines=["chatgpt"])
    for _ in range(2):
        refresh_recommendations(cast.brand, run)
    assert Recommendation.objects.get().evidence[-1]["kind"] == "citation"


def test_a_topic_too_long_for_the_column_is_kept_once(cast, rival):
    run = measured(cast.brand, 12)
    Prompt.objects.update(topic="anvils " * 28)
    TopicChoice.objects.exclude(topic=TOPIC).update(topic="anvils " * 28)
    score(cast.brand, run, engines=["chatgpt"])
    for _ in range(2):
        refresh_recommendations(cast.brand, run)
    assert Recommendation.objects.get().topic == "anvils " * 28
