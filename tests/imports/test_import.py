"""Rows to runs: what is stored, what is not stored twice, and what a refusal or a crash leaves behind."""

import hashlib
import io
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import Plan, Usage
from brands.models import Brand, Competitor
from tests.factories import BrandFactory, PromptFactory, UserFactory
from tests.imports.conftest import NOW, SYSTEM, jsonl, record
from visibility.models import Answer, DailyScore, Generation, Prompt, PromptVersion, Recommendation, Run
from visibility.pipeline import finishing
from visibility.pipeline.runner import execute
from visibility.services.imports import importing
from visibility.services.imports.importing import NewBrand, import_answers, score_imports
from visibility.services.imports.reader import read_answers
from visibility.services.prompts.editing import archive_prompt, edit_prompt

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)

NEXT_DAY = "2025-05-25T09:00:00Z"
FAR = datetime(2100, 1, 1, tzinfo=UTC)


def test_answers_become_one_scored_run_for_each_utc_day(load, brand):
    before = timezone.now()
    imported = load(
        record(),
        record(sample=2, time="2025-05-24T22:30:00-01:00", text="Acme."),
        record(sample=2, time="2025-05-25T01:59:59+02:00", engine="Other Engine"),
        record(time=NEXT_DAY, topic="anvils", prompt="which anvil?"),
    )
    assert (imported.stored.added, imported.stored.known, imported.stored.prompts) == (4, 0, 2)
    first, second = imported.runs
    assert [first.total, second.total] == [3, 1]
    for run in imported.runs:
        assert (run.kind, run.trigger, run.status) == ("visibility", "import", "succeeded")
        assert (run.failed, run.done, run.credits_spent) == (0, run.total, 0)
        assert before <= run.created_at <= timezone.now()
    assert first.engines == ["chatgpt", "other-engine"]
    assert first.started_at.isoformat() == "2025-05-24T10:00:00+00:00"
    assert first.finished_at.isoformat() == "2025-05-24T23:59:59+00:00"
    assert first.created_at < second.created_at
    assert [str(day.date) for day in DailyScore.objects.filter(brand=brand, competitor=None)] == [
        "2025-05-24",
        "2025-05-25",
    ]
    assert set(Prompt.objects.values_list("text", "topic")) == {
        ("what is the best anvil?", "what is the best anvil?"),
        ("which anvil?", "anvils"),
    }
    assert not Usage.objects.exists()


def test_an_answer_keeps_what_the_file_says(load, brand):
    load(record())
    answer = Answer.objects.get()
    assert (answer.engine, answer.sample, answer.state) == ("chatgpt", 1, "answered")
    assert answer.sources == [{"url": "https://review.example/anvils", "title": "", "start": None, "end": None}]
    assert answer.version.text == answer.prompt.text == "what is the best anvil?"
    parts = f'["{brand.pk}","chatgpt","what is the best anvil?",1,"2025-05-24T10:00:00+00:00"'
    identity = f'{parts},"Rival makes the best anvil."]'
    assert answer.import_key == hashlib.sha256(identity.encode()).hexdigest()


def test_an_empty_text_is_a_failed_answer(load):
    [run] = load(record(), record(sample=2, text=" \n")).runs
    assert (run.status, run.total, run.done, run.failed) == ("partial", 2, 1, 1)
    assert Answer.objects.get(state="failed").error_code == "empty_answer"


def test_the_same_file_twice_adds_nothing(load):
    rows = [record(), record(sample=2), record(time=NEXT_DAY)]
    load(*rows)
    scores = list(DailyScore.objects.values())
    again = load(*rows)
    assert (again.stored.added, again.stored.known, again.stored.prompts, again.runs) == (0, 3, 0, [])
    assert (Run.objects.count(), Answer.objects.count(), list(DailyScore.objects.values())) == (2, 3, scores)


def test_a_line_twice_in_a_file_counts_once(load):
    assert load(record(), record()).stored.added == 1


def test_an_overlapping_file_adds_only_what_is_new(load, brand):
    load(record(), record(sample=2))
    imported = load(record(sample=2), record(sample=3, text="Acme."), record(time=NEXT_DAY))
    assert (imported.stored.added, imported.stored.known) == (2, 1)
    assert [run.total for run in imported.runs] == [1, 1]
    first_day = DailyScore.objects.get(brand=brand, competitor=None, date="2025-05-24")
    assert first_day.answers == 3
    assert round(first_day.score) == 33


def test_a_taken_sample_number_gives_way_to_a_free_one(load):
    load(record(), record(text="b"), record(sample=2, text="c"), record(text="d"), record(text="e", engine="other"))
    assert list(Answer.objects.order_by("text").values_list("text", "sample")) == [
        ("Rival makes the best anvil.", 1),
        ("b", 2),
        ("c", 3),
        ("d", 4),
        ("e", 1),
    ]


def test_case_and_white_space_make_no_other_prompt(load):
    load(record(), record(prompt="  What is the BEST  anvil?", sample=2))
    assert Prompt.objects.count() == 1


def test_answers_find_earlier_wordings_and_archived_prompts(load, brand):
    edited = PromptFactory(brand=brand, text="old wording?")
    archived = PromptFactory(brand=brand, text="archived wording?")
    edit_prompt(SYSTEM, prompt=edited, text="new wording?")
    archive_prompt(SYSTEM, prompt=archived)
    assert load(record(prompt="old wording?"), record(prompt="archived wording?")).stored.prompts == 0
    asked = set(Answer.objects.values_list("prompt", "version__text"))
    assert asked == {(edited.pk, "old wording?"), (archived.pk, "archived wording?")}
    assert Prompt.objects.get(pk=archived.pk).archived_at is not None


def test_a_bad_line_anywhere_imports_nothing(brand, load):
    with pytest.raises(ServiceError) as refusal:
        load(record(), record(sample=0), record(time="now"), record(sample=9))
    assert "line 2: sample is not" in refusal.value.message
    assert "line 3: time is not" in refusal.value.message
    assert [line["line"] for line in refusal.value.details["lines"]] == [2, 3]
    assert not Answer.objects.exists() and not Run.objects.exists() and not Prompt.objects.exists()


def test_many_bad_lines_are_counted(load):
    with pytest.raises(ServiceError, match=r"these 1,000 lines.*and 980 more"):
        load(*[record(sample=0)] * 1000)


def test_a_file_without_answers_is_refused(load):
    with pytest.raises(ServiceError, match="holds no answer"):
        load()


def test_the_prompt_quota_of_the_brand_owner_holds(brand, load):
    Plan.objects.filter(tier="free").update(max_prompts_per_site=3)
    brand.owner.plan = Plan.objects.get(tier="free")
    brand.owner.save()
    PromptFactory(brand=brand)
    with pytest.raises(ServiceError) as refusal:
        load(*[record(prompt=f"question {number}?") for number in range(3)])
    assert refusal.value.code == "quota_exceeded"
    assert refusal.value.details == {"limit": 3, "used": 1, "resetsAt": None, "needed": 3}
    assert "needs 3 more prompts" in refusal.value.message
    assert not Run.objects.exists() and Prompt.objects.count() == 1
    load(*[record(prompt=f"question {number}?") for number in range(2)])
    assert Prompt.objects.count() == 3


def test_the_same_file_belongs_to_each_brand_apart(brand, load):
    other = BrandFactory(name="Other", domain="other.example")
    load(record())
    imported = load(record(), into=other)
    assert imported.stored.added == 1
    assert set(Answer.objects.values_list("brand", "prompt__brand", "run__brand")) == {
        (brand.pk,) * 3,
        (other.pk,) * 3,
    }


@pytest.mark.parametrize(
    ("person", "code"), [("viewer", "read_only_collaborator"), ("stranger", "not_found"), ("editor", None)]
)
def test_who_may_import(cast, load, person, code):
    caller = Caller.from_user(getattr(cast, person))
    if code is None:
        assert load(record(), caller=caller).stored.added == 1
        return
    with pytest.raises(ServiceError) as refusal:
        load(record(), caller=caller)
    assert refusal.value.code == code and not Answer.objects.exists()


def new_brand(content, **changes):
    target = NewBrand(
        **{
            "owner": UserFactory(),
            "name": "Nova",
            "domain": "nova.example",
            "competitors": [("Rival", "rival.example")],
        }
        | changes
    )
    return import_answers(SYSTEM, brand=target, rows=read_answers(io.BytesIO(content), NOW))


def test_a_new_brand_comes_with_its_competitors(db):
    texts = ["Rival makes the best anvil."] * 11 + ["Nova makes anvils."]
    imported = new_brand(jsonl(*[record(sample=number, text=text) for number, text in enumerate(texts, start=1)]))
    assert imported.brand.domain == "nova.example"
    assert Competitor.objects.get().brand == imported.brand
    assert Recommendation.objects.filter(brand=imported.brand, kind="topic_gap").exists()


@pytest.mark.parametrize(
    ("content", "changes"),
    [
        (jsonl(record(sample=0)), {}),
        (jsonl(record()), {"competitors": [("Rival", "nova.example")]}),
        (jsonl(*[record(prompt=f"question {number}?") for number in range(351)]), {}),
    ],
)
def test_a_refused_import_leaves_no_new_brand(db, content, changes):
    with pytest.raises(ServiceError):
        new_brand(content, **changes)
    assert not Brand.objects.exists() and not Prompt.objects.exists() and not Competitor.objects.exists()


class Killed(BaseException):
    """Stands for the end of the process."""


def test_a_crash_while_storing_leaves_nothing(brand, load, monkeypatch):
    def bulk_update(*args, **kwargs):
        raise Killed

    monkeypatch.setattr(type(Run.objects.all()), "bulk_update", bulk_update)
    with pytest.raises(Killed):
        load(record(), record(time=NEXT_DAY))
    assert not Run.objects.exists() and not Answer.objects.exists() and not Prompt.objects.exists()


def test_a_crash_before_scoring_is_made_good_by_a_worker(brand, load, monkeypatch):
    def killed(*args):
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(importing, "execute_together", killed)
        load(record(), record(time=NEXT_DAY))
    assert set(Run.objects.values_list("status", flat=True)) == {"queued"}
    for run in Run.objects.all():
        execute(run.pk, f"worker-{run.pk}"[:64])
    assert set(Run.objects.values_list("status", flat=True)) == {"succeeded"}
    assert DailyScore.objects.filter(brand=brand, competitor=None).count() == 2


def test_a_crash_before_scoring_is_made_good_by_a_repeat(brand, load, monkeypatch):
    def killed(*args):
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(importing, "execute_together", killed)
        load(record(), record(time=NEXT_DAY))
    again = load(record(), record(time=NEXT_DAY))
    assert again.stored.added == 0
    assert [run.status for run in again.runs] == ["succeeded", "succeeded"]


def test_a_run_that_a_worker_has_taken_is_waited_for(brand, load, monkeypatch):
    def someone_else(run_id, worker, _):
        """The first call finds the run taken; by the second the other worker is done."""
        calls.append(run_id)
        if len(calls) == 2:
            execute(run_id, "another-worker")

    calls = []
    monkeypatch.setattr(importing, "execute_together", lambda run_ids, worker: None)
    monkeypatch.setattr(importing, "POLL_SECONDS", 0)
    monkeypatch.setattr(importing, "execute", someone_else)
    [run] = load(record()).runs
    assert len(calls) == 2 and run.status == "succeeded"


def test_waiting_ends_and_says_what_to_do(brand, load, monkeypatch):
    monkeypatch.setattr(importing, "POLL_SECONDS", 0)
    monkeypatch.setattr(importing, "PATIENCE_SECONDS", 0)
    monkeypatch.setattr(importing, "execute_together", lambda run_ids, worker: None)
    monkeypatch.setattr(importing, "execute", lambda run_id, worker, _: None)
    with pytest.raises(ServiceError, match="A worker continues with them"):
        load(record())
    assert Answer.objects.count() == 1


def days(number):
    """A file of so many days, with three questions of two engines on each."""
    return [
        record(
            prompt=f"which anvil is best for {need}?",
            engine=engine,
            time=f"2025-04-{day + 1:02}T10:00:00Z",
            text="Acme 0 is good." if (day + place) % 3 else "Rival makes the best anvil.",
        )
        for day in range(number)
        for place, need in enumerate(("smiths", "schools", "farms"))
        for engine in ("chatgpt", "perplexity")
    ]


def scores(brand):
    """All that is stored of the brand's days, runs apart."""
    rows = DailyScore.objects.filter(brand=brand).order_by("date", "competitor__name")
    unlike = {"id", "panel_id", "runs", "generation_id"}
    runs = Run.objects.filter(brand=brand).order_by("started_at").values_list("status", "score", "low", "high")
    return [{key: value for key, value in row.items() if key not in unlike} for row in rows.values()], list(runs)


def test_days_that_are_scored_together_have_the_figures_of_days_that_are_scored_one_by_one(brand, load, monkeypatch):
    """Also where what holds the days together is killed, or one of its runs is taken away, in between."""
    real = finishing.refresh_recommendations

    def killed(*args):
        monkeypatch.setattr(finishing, "refresh_recommendations", real)
        raise Killed

    monkeypatch.setattr(importing, "TOGETHER", 4)
    monkeypatch.setattr(finishing, "refresh_recommendations", killed)
    with pytest.raises(Killed):
        load(*days(9))
    assert not DailyScore.objects.exists(), "the days of a group come together"
    Run.objects.filter(status="running").update(lease_until=timezone.now() - timedelta(seconds=1))
    Run.objects.filter(pk=Run.objects.order_by("started_at")[6].pk).update(
        status="running", worker="x", lease_until=FAR
    )
    with monkeypatch.context() as patch:
        patch.setattr(importing, "PATIENCE_SECONDS", 0)
        patch.setattr(importing, "POLL_SECONDS", 0)
        with pytest.raises(ServiceError, match="A worker continues"):
            load(*days(9))
    Run.objects.filter(status="running").update(lease_until=timezone.now() - timedelta(seconds=1))
    load(*days(9))
    together = scores(brand)
    assert len(together[0]) == 18 and {status for status, *_ in together[1]} == {"succeeded"}
    for model in (Run, Generation):
        model.objects.all().delete()
    monkeypatch.setattr(importing, "execute_together", lambda run_ids, worker: None)
    load(*days(9))
    assert scores(brand) == together


def test_what_follows_from_the_days_is_derived_once_for_all_of_them(load, monkeypatch):
    calls = []
    monkeypatch.setattr(finishing, "refresh_suggestions", calls.append)
    load(*days(9))
    assert len(calls) == 1


def test_simultaneous_imports_of_one_file_add_it_once(brand):
    content = jsonl(*[record(sample=number, text=f"Rival {number}") for number in range(1, 30)])

    def one(_):
        try:
            return import_answers(SYSTEM, brand=brand, rows=read_answers(io.BytesIO(content), NOW)).stored.added
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        added = list(pool.map(one, range(4)))
    assert sorted(added) == [0, 0, 0, 29]
    assert Answer.objects.count() == 29 and Run.objects.get().status == "succeeded"


def test_an_import_takes_far_fewer_statements_than_rows(brand, django_assert_max_num_queries):
    rows = [record(sample=number) for number in range(1, 401)]
    with django_assert_max_num_queries(200):
        import_answers(SYSTEM, brand=brand, rows=read_answers(io.BytesIO(jsonl(*rows)), NOW))
    assert Answer.objects.count() == 400


def test_nothing_waits_afterwards(brand, load):
    load(record())
    assert score_imports(brand) == []
    assert PromptVersion.objects.get().created_by == "test"


def test_a_brand_that_is_deleted_meanwhile_is_said_to_be_gone(brand, load, monkeypatch):
    real = importing.lock_brand

    def deleted_meanwhile(held):
        Brand.objects.filter(pk=held.pk).delete()
        return real(held)

    monkeypatch.setattr(importing, "lock_brand", deleted_meanwhile)
    with pytest.raises(ServiceError) as refused:
        load(record())
    assert refused.value.code == "not_found"
