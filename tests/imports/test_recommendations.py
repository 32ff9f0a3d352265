"""The queue of recommendations follows the measurement and keeps what people decided."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from brands.services.competitors import remove_competitor
from tests.factories import AnswerFactory, CompetitorFactory, DailyScoreFactory, PromptFactory, RunFactory
from tests.generations import tracked_names_of
from tests.imports.conftest import SYSTEM, record
from visibility.engines.adapters import local_search
from visibility.insights.recommendations import queue, refresh_recommendations
from visibility.models import Citation, DailyScore, Mention, Recommendation
from visibility.resources.recommendations import RecommendationResource
from visibility.services.prompts.editing import archive_prompt, edit_prompt

IMPORTED = pytest.mark.django_db(transaction=True, serialized_rollback=True)
GAP = "Rival makes the best anvil."


def day(number, *texts, engine="chatgpt", **fields):
    """One answer for each text, on that day of May."""
    return [
        record(sample=sample, time=f"2025-05-{number:02}T10:00:00Z", text=text, engine=engine, **fields)
        for sample, text in enumerate(texts, start=1)
    ]


def gap_of(brand):
    return Recommendation.objects.get(brand=brand, kind="mention_gap")


@IMPORTED
def test_a_gap_becomes_a_recommendation_with_evidence(load, brand):
    [run] = load(*day(1, f"Well. {GAP} Buy it.", "Acme is fine.")).runs
    row = gap_of(brand)
    assert (row.status, row.subject) == ("open", str(brand.prompts.get().pk))
    assert row.first_seen_run == row.last_seen_run == run
    resource = RecommendationResource.model_validate(row)
    quote, source = resource.evidence
    assert quote.text == GAP
    assert (quote.kind, quote.engine) == ("answer", "chatgpt")
    assert quote.prompt_id == brand.prompts.get().pk
    assert run.answers.get(pk=quote.answer_id).text == f"Well. {GAP} Buy it."
    assert (source.kind, source.url) == ("citation", "https://review.example/anvils")
    assert "what is the best anvil?" in resource.payload.fix_prompt
    assert row.payload["engines"] == [{"engine": "chatgpt", "gaps": 1, "answers": 2, "as_of": "2025-05-01"}]


@IMPORTED
def test_a_gap_seen_again_is_the_same_recommendation(load, brand):
    [first] = load(*day(1, GAP)).runs
    before = gap_of(brand)
    [second] = load(*day(2, GAP, GAP, "Rival again.")).runs
    after = gap_of(brand)
    assert (after.pk, after.created_at, after.first_seen_run) == (before.pk, before.created_at, first)
    assert after.last_seen_run == second and after.updated_at > before.updated_at
    assert (before.priority, after.priority) == (50, 75)


@IMPORTED
def test_it_is_updated_when_something_in_it_changed_and_not_at_each_scan(load, brand):
    load(*day(1, GAP))
    made = gap_of(brand)
    assert made.updated_at == made.status_changed_at == made.created_at
    [second] = load(*day(2, GAP)).runs
    same = gap_of(brand)
    assert same.last_seen_run == second and same.payload["measured_on"] == "2025-05-02" != made.payload["measured_on"]
    assert (same.updated_at, same.status_changed_at) == (made.updated_at, made.status_changed_at)
    load(*day(3, "Rival makes the finest anvil."))
    worded = gap_of(brand)
    assert worded.updated_at > made.updated_at and worded.status_changed_at == made.status_changed_at
    load(*day(4, "Acme is fine."))
    resolved = gap_of(brand)
    assert resolved.updated_at == resolved.status_changed_at > worded.updated_at
    load(*day(5, "Acme is fine."))
    assert gap_of(brand).updated_at == resolved.updated_at
    load(*day(6, GAP))
    assert gap_of(brand).status_changed_at == gap_of(brand).updated_at > resolved.updated_at


@IMPORTED
def test_a_closed_gap_is_resolved_and_opens_again(load, brand):
    load(*day(1, GAP))
    load(*day(2, "Nobody is named."))
    assert gap_of(brand).status == "open"
    load(*day(3, "Acme is fine.", "Rival and Acme."))
    assert gap_of(brand).status == "resolved"
    load(*day(4, GAP))
    assert gap_of(brand).status == "open"
    assert Recommendation.objects.filter(kind="mention_gap").count() == 1


@IMPORTED
def test_only_the_engines_that_showed_a_gap_can_close_it(load, brand):
    load(*day(1, GAP, engine="a"), *day(1, "Acme.", engine="b"))
    load(*day(2, "Acme.", engine="b"))
    assert gap_of(brand).status == "open"
    load(*day(3, "Acme.", engine="a"))
    assert gap_of(brand).status == "resolved"


@IMPORTED
def test_what_was_not_measured_stays_as_it_was(load, brand):
    load(*day(1, GAP))
    load(*day(2, "Acme.", prompt="another question?"))
    assert gap_of(brand).status == "open"


def archive(brand):
    archive_prompt(SYSTEM, prompt=brand.prompts.get(text="what is the best anvil?"))


def name_the_brand(brand):
    edit_prompt(SYSTEM, prompt=brand.prompts.get(text="what is the best anvil?"), text="is Acme the best anvil?")


def watch_the_rival_no_more(brand):
    remove_competitor(SYSTEM, competitor=brand.competitors.get())


@IMPORTED
@pytest.mark.parametrize("act", [archive, name_the_brand, watch_the_rival_no_more])
def test_what_can_never_be_measured_again_leaves_the_queue(load, brand, act):
    load(*day(1, GAP, GAP))
    assert set(Recommendation.objects.values_list("kind", "status")) == {
        ("mention_gap", "open"),
        ("source_gap", "open"),
    }
    act(brand)
    load(*day(2, GAP, prompt="is Acme the best anvil?"), *day(2, "Nobody.", prompt="another question?"))
    left = Recommendation.objects.values_list("kind", flat=True)
    assert list(left) == ([] if act is watch_the_rival_no_more else ["source_gap"])


@IMPORTED
@pytest.mark.parametrize("status", ["in_progress", "done", "dismissed", "resolved"])
def test_what_has_left_the_open_queue_stays_on_record(load, brand, status):
    load(*day(1, GAP))
    Recommendation.objects.filter(kind="mention_gap").update(status=status)
    archive(brand)
    load(*day(2, "Nobody.", prompt="another question?"))
    assert gap_of(brand).status == status


@IMPORTED
def test_an_archived_question_is_no_part_of_now_whatever_was_answered(load, brand):
    load(*day(1, GAP))
    archive(brand)
    load(*day(2, GAP))
    assert not Recommendation.objects.filter(brand=brand, kind="mention_gap").exists()


@IMPORTED
@pytest.mark.parametrize("status", ["in_progress", "done", "dismissed"])
def test_what_people_decided_stays(load, brand, status):
    load(*day(1, GAP))
    Recommendation.objects.filter(kind="mention_gap").update(status=status)
    [again] = load(*day(2, GAP, GAP)).runs
    assert gap_of(brand).status == status and gap_of(brand).last_seen_run == again
    load(*day(3, "Acme."))
    assert gap_of(brand).status == status


@IMPORTED
def test_an_older_day_changes_nothing(load, brand):
    [run] = load(*day(9, GAP)).runs
    load(*day(2, "Acme.", "Acme."))
    row = gap_of(brand)
    assert (row.status, row.last_seen_run, row.payload["measured_on"]) == ("open", run, "2025-05-09")


@IMPORTED
def test_questions_that_name_the_brand_give_none(load, brand):
    load(*day(1, GAP, prompt="is Acme any good?"), *day(1, "Acme."))
    assert not Recommendation.objects.exists()


@IMPORTED
def test_own_and_competitors_pages_are_no_source_gaps(load, brand):
    pages = ["https://acme.example/x", "https://www.rival.example/y", "https://press.example/z?utm_source=chatgpt"]
    load(*day(1, GAP, GAP, citations=pages))
    assert [row.subject for row in Recommendation.objects.filter(kind="source_gap")] == ["press.example"]
    assert gap_of(brand).effort == "low"


def measured(brand, texts, *, engine="chatgpt", prompts=1, name=GAP):
    """A measured day as the pipeline leaves it, without running it."""
    run, rival, generation = RunFactory(brand=brand), brand.competitors.get(), tracked_names_of(brand).generation
    for number in range(prompts):
        prompt = PromptFactory(brand=brand)
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
    few = measured(cast.brand, 2)
    row = score(cast.brand, few, engines=["chatgpt"])
    refresh_recommendations(cast.brand, few)
    small = statements(cast.brand, few)
    many = measured(cast.brand, 2, prompts=20)
    DailyScore.objects.filter(pk=row.pk).update(runs=[str(few.pk), str(many.pk)])
    refresh_recommendations(cast.brand, many)
    assert statements(cast.brand, many) == small
    assert Recommendation.objects.count() == 41


def priorities(status="open"):
    return list(Recommendation.objects.filter(kind="mention_gap", status=status).values_list("priority", flat=True))


def test_at_most_a_hundred_of_a_kind_are_open_and_the_most_urgent_stay(cast, rival, monkeypatch):
    monkeypatch.setattr(queue, "MAX_OPEN", 3)
    run = measured(cast.brand, 1, prompts=4)
    urgent = measured(cast.brand, 3, prompts=4)
    score(cast.brand, run, urgent, engines=["chatgpt"])
    refresh_recommendations(cast.brand, run)
    assert priorities() == [75, 75, 75]
    Recommendation.objects.filter(priority=75).update(status="dismissed")
    refresh_recommendations(cast.brand, run)
    assert (priorities(), priorities("dismissed")) == ([75, 50, 50], [75, 75, 75])


def test_stale_open_ones_make_room_for_more_urgent_ones(cast, rival, monkeypatch):
    monkeypatch.setattr(queue, "MAX_OPEN", 3)
    old = measured(cast.brand, 1, prompts=3)
    row = score(cast.brand, old, engines=["chatgpt"])
    refresh_recommendations(cast.brand, old)
    new = measured(cast.brand, 3, prompts=2)
    DailyScore.objects.filter(pk=row.pk).update(runs=[str(new.pk)])
    refresh_recommendations(cast.brand, new)
    assert priorities() == [75, 75, 50]


def test_local_search_gives_no_recommendations_beside_another_engine(cast, rival):
    local = measured(cast.brand, 2, engine=local_search.NAME)
    other = measured(cast.brand, 2, engine="chatgpt")
    row = score(cast.brand, local, other, engines=[local_search.NAME, "chatgpt"])
    refresh_recommendations(cast.brand, other)
    assert {item["engine"] for each in Recommendation.objects.all() for item in each.payload["engines"]} == {
        "chatgpt"
    }
    DailyScore.objects.filter(pk=row.pk).update(engines=row.engines[:1])
    refresh_recommendations(cast.brand, local)
    assert Recommendation.objects.filter(payload__engines__0__engine=local_search.NAME).exists()


def test_a_brand_that_was_never_measured_has_none(cast, rival):
    refresh_recommendations(cast.brand, measured(cast.brand, 1))
    assert not Recommendation.objects.exists()


def test_a_very_long_domain_and_a_hostile_one_are_kept(cast, rival):
    run = measured(cast.brand, 2)
    long = ".".join(["x" * 60] * 4)
    Citation.objects.update(domain=long)
    score(cast.brand, run, engines=["chatgpt"])
    for _ in range(2):
        refresh_recommendations(cast.brand, run)
    assert Recommendation.objects.get(kind="source_gap").evidence[-1]["kind"] == "citation"
