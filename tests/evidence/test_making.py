"""Evidence is made anew when pages, reviews or answers change, by one worker, whoever dies; nobody else starts it."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.evidence import handmade
from tests.evidence.handmade import page, read_pages, reviewed
from tests.factories import BrandFactory, PromptFactory
from tests.scans.history import DAY, ended_run
from visibility.evidence import EVIDENCE_VERSION
from visibility.jobs.kinds import EVIDENCE
from visibility.jobs.lease import LeaseLost, claim
from visibility.jobs.queue import announce_due
from visibility.jobs.stopping import stopping
from visibility.models import BrandEvidence, Evidence, Review
from visibility.pipeline.evidence import making
from visibility.pipeline.evidence.gathering import gather
from visibility.pipeline.evidence.making import make_evidence, make_steps
from visibility.pipeline.evidence.planning import outdated_evidence, plan_evidence, stamp_of
from visibility.services.brands import remove_brand
from visibility.services.prompts.editing import archive_prompt, edit_prompt, restore_prompt
from visibility.tasks import tick

pytestmark = pytest.mark.django_db
KINDS = ["criteria", "voice", "claims", "themes"]


@pytest.fixture(autouse=True)
def found(monkeypatch):
    """What the finders were given; each finds one row of its kind."""
    seen = []

    def finder(kind):
        def find(gathered):
            seen.append((kind, gathered))
            return [Evidence(kind=kind, content=[], answers=len(gathered.answers))]

        return find

    monkeypatch.setattr(making, "FINDERS", [finder(kind) for kind in KINDS])
    return seen


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    messages = []
    monkeypatch.setattr(
        "visibility.jobs.queue.current_app.send_task", lambda name, args, retry: messages.append((name, args[0]))
    )
    return messages


def job_of(brand):
    return BrandEvidence.objects.get(brand=brand)


def make_all():
    """What a tick and its workers do."""
    plan_evidence()
    for key in BrandEvidence.objects.filter(state="outdated").values_list("pk", flat=True):
        make_evidence(key, "w")


def test_a_brand_without_anything_to_read_has_no_job(brand):
    assert plan_evidence() == 0
    assert not BrandEvidence.objects.exists()
    assert stamp_of(brand.pk) == ""


def test_the_first_answers_have_it_made(brand, measured, found):
    assert plan_evidence() == 1
    assert plan_evidence() == 0, "it waits already"
    make_evidence(job_of(brand).pk, "w")
    job = job_of(brand)
    assert (job.state, job.version, job.worker, job.lease_until) == ("made", EVIDENCE_VERSION, "", None)
    assert job.stamp == stamp_of(brand.pk)
    assert [kind for kind, _ in found] == KINDS
    assert sorted(Evidence.objects.values_list("kind", "answers")) == sorted((kind, 5) for kind in KINDS)
    assert plan_evidence() == 0, "nothing has changed"
    make_evidence(job.pk, "w")
    assert len(found) == len(KINDS), "it is not due"


CHANGES = {
    "answers": lambda brand, wordings, system: ended_run(brand, wordings, day=1),
    "an audit": lambda brand, wordings, system: read_pages(brand, page()),
    "reviews": lambda brand, wordings, system: reviewed(brand, "It never moved."),
    "a topic": lambda brand, wordings, system: edit_prompt(system, prompt=wordings[0], topic="irons"),
    "an archived prompt": lambda brand, wordings, system: archive_prompt(system, prompt=wordings[0]),
    "the cadence": lambda brand, wordings, system: type(brand).objects.filter(pk=brand.pk).update(cadence="monthly"),
    "its names": lambda brand, wordings, system: type(brand).objects.filter(pk=brand.pk).update(names_version=9),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_has_it_made_anew(brand, wordings, measured, system, change, found):
    make_all()
    CHANGES[change](brand, wordings, system)
    assert list(outdated_evidence()) == [brand]
    make_all()
    assert job_of(brand).stamp == stamp_of(brand.pk)
    assert len(found) == 2 * len(KINDS)


def test_a_second_audit_and_deleted_reviews_have_it_made_anew(brand, system, found):
    read_pages(brand, page())
    reviewed(brand, "It never moved.", "Heavy.")
    make_all()
    read_pages(brand, page(text="Acme makes kettles."), day=1)
    make_all()
    assert [each.main_text for each in found[-1][1].pages] == ["Acme makes kettles."]
    Review.objects.filter(text="Heavy.").delete()
    make_all()
    assert [each.text for each in found[-1][1].reviews] == ["It never moved."]
    Review.objects.all().delete()
    make_all()
    assert found[-1][1].reviews == []
    assert plan_evidence() == 0


def test_a_prompt_that_is_asked_again_has_it_made_anew(brand, wordings, measured, system):
    archive_prompt(system, prompt=wordings[0])
    make_all()
    restore_prompt(system, prompt=wordings[0])
    assert list(outdated_evidence()) == [brand]


def test_what_changes_while_it_is_made_has_it_made_once_more(brand, wordings, measured, system):
    plan_evidence()
    steps = make_steps(claim(EVIDENCE, job_of(brand).pk, "w"), "w")
    next(steps)
    edit_prompt(system, prompt=wordings[0], topic="irons")
    list(steps)
    assert job_of(brand).state == "made"
    assert list(outdated_evidence()) == [brand]


def test_other_brands_are_left_alone(brand, measured, found):
    other = BrandFactory()
    reviewed(other, "Fine.")
    make_all()
    reviewed(other, "Bad.")
    assert list(outdated_evidence()) == [other]
    kept = set(Evidence.objects.filter(brand=brand).values_list("pk", flat=True))
    make_all()
    assert set(Evidence.objects.filter(brand=brand).values_list("pk", flat=True)) == kept


@pytest.mark.parametrize("killed_after", range(len(KINDS) + 1))
def test_a_killed_worker_is_followed(brand, measured, killed_after):
    plan_evidence()
    job = job_of(brand)
    steps = make_steps(claim(EVIDENCE, job.pk, "dead"), "dead")
    assert sum(1 for _ in zip(range(killed_after), steps, strict=False)) == killed_after
    kinds = set(Evidence.objects.values_list("kind", flat=True))
    assert kinds == set(KINDS[:killed_after])
    make_evidence(job.pk, "too early")
    assert set(Evidence.objects.values_list("kind", flat=True)) == kinds
    if killed_after <= len(KINDS):
        BrandEvidence.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert announce_due() == 1
        make_evidence(job.pk, "b")
        kept = set(Evidence.objects.values_list("pk", flat=True))
        with pytest.raises(LeaseLost):
            list(steps)
        assert set(Evidence.objects.values_list("pk", flat=True)) == kept, "who lost the lease writes nothing"
    assert job_of(brand).state == "made"
    assert sorted(Evidence.objects.values_list("kind", flat=True)) == sorted(KINDS)


def test_a_lost_message_does_no_harm(brand, measured, sent):
    plan_evidence()
    assert announce_due() == 1
    assert announce_due() == 0
    BrandEvidence.objects.update(dispatched_at=timezone.now() - timedelta(minutes=2))
    assert announce_due() == 1
    assert {name for name, _ in sent} == {EVIDENCE.task}


def test_a_failure_is_told_and_what_was_found_stays(brand, measured, monkeypatch):
    plan_evidence()
    monkeypatch.setattr(making, "FINDERS", [*making.FINDERS[:2], lambda gathered: 1 / 0])
    make_evidence(job_of(brand).pk, "w")
    job = job_of(brand)
    assert (job.state, job.error_message) == ("outdated", "The last attempt failed with ZeroDivisionError.")
    assert sorted(Evidence.objects.values_list("kind", flat=True)) == ["criteria", "voice"]
    assert job.not_before > timezone.now()


def test_a_worker_that_is_asked_to_end_leaves_the_rest_to_another(brand, measured):
    plan_evidence()
    stopping.set()
    try:
        make_evidence(job_of(brand).pk, "w")
    finally:
        stopping.clear()
    job = job_of(brand)
    assert (job.state, job.worker, job.attempt) == ("outdated", "", 0)
    make_evidence(job.pk, "b")
    assert job_of(brand).state == "made"


def test_nothing_is_read_or_found_while_the_brand_is_held(brand, measured, monkeypatch):
    held = []
    finders = [lambda gathered, find=find: (held.append(len(connection.savepoint_ids)), find(gathered))[1]
               for find in making.FINDERS]  # fmt: skip
    monkeypatch.setattr(making, "FINDERS", finders)
    depth = len(connection.savepoint_ids)
    make_all()
    assert held == [depth] * len(KINDS)


def test_what_older_and_newer_rules_made(brand, measured):
    make_all()
    BrandEvidence.objects.update(version=EVIDENCE_VERSION + 1, stamp="of theirs")
    assert plan_evidence() == 0, "an update is under way: what is newer stays"
    BrandEvidence.objects.update(version=EVIDENCE_VERSION - 1)
    assert plan_evidence() == 1
    assert job_of(brand).version == EVIDENCE_VERSION


def test_what_older_rules_are_at_is_taken_out_of_their_hands(brand, measured):
    plan_evidence()
    BrandEvidence.objects.update(version=EVIDENCE_VERSION - 1, worker="old", lease_until=DAY.replace(year=2100))
    assert plan_evidence() == 1
    assert (job_of(brand).worker, job_of(brand).lease_until) == ("", None)


def test_a_removed_brand_takes_all_along(brand, measured, system):
    reviewed(brand, "It never moved.")
    make_all()
    reviewed(brand, "Heavy.")
    plan_evidence()
    steps = make_steps(claim(EVIDENCE, job_of(brand).pk, "w"), "w")
    next(steps)
    remove_brand(system, brand=brand)
    assert not (Evidence.objects.exists() or BrandEvidence.objects.exists() or Review.objects.exists())
    with pytest.raises(LeaseLost):
        list(steps)


def test_as_many_statements_for_ten_brands_as_for_one(brand, measured):
    def statements():
        with CaptureQueriesContext(
            connection,
        ) as captured:
            list(outdated_evidence())
        return len(captured)

    one = statements()
    for _ in range(9):
        reviewed(BrandFactory(), "Fine.")
    assert statements() == one == 2


def test_a_hundred_looks_start_nothing(brand, measured, sent):
    plan_evidence()
    before = BrandEvidence.objects.values().get()
    for _ in range(100):
        plan_evidence()
    assert BrandEvidence.objects.values().get() == before
    assert sent == []


class TestGathered:
    def test_answers_of_now_with_what_they_name(self, brand, measured, rival, found):
        make_all()
        gathered = found[0][1]
        assert [(each.question, each.branded, each.buying) for each in gathered.answers] == [
            ("which anvil should I buy?", False, True),
            ("best anvils", False, True),
            ("top anvils", False, True),
            ("how are anvils made?", False, False),
            ("is Acme worth it?", True, False),
        ]
        assert [sorted(each.named) for each in gathered.answers] == [
            [""],
            [str(rival.pk)],
            [],
            ["", str(rival.pk)],
            [],
        ]
        first = gathered.answers[0]
        start, end = first.named[""][0]
        assert first.text[start:end] == "Acme"
        assert (first.day, first.engine, first.topic) == (DAY.date(), "chat", "anvils")
        assert (gathered.names, sorted(gathered.all_names)) == ([brand.name], sorted([brand.name, "Rival"]))

    def test_only_the_latest_day_of_each_engine(self, brand, wordings, measured, found):
        later = ended_run(brand, wordings, day=1)
        make_all()
        assert {each.id for each in found[0][1].answers} == {str(each.pk) for each in later.answers.all()}

    def test_answers_to_archived_prompts_are_left_out(self, brand, wordings, measured, system):
        archive_prompt(system, prompt=wordings[1])
        assert "best anvils" not in {each.question for each in gather(brand).answers}

    def test_texts_are_bounded_and_the_first_samples_come_first(self, brand, wordings, monkeypatch, found):
        monkeypatch.setattr("visibility.pipeline.evidence.gathering.MAX_CHARACTERS", 100)
        monkeypatch.setattr("visibility.pipeline.evidence.gathering.MAX_ANSWER", 40)
        ended_run(brand, wordings, texts=["x" * 50, "Acme " * 30, "third", "fourth", "fifth"])
        make_all()
        assert [len(each.text) for each in found[0][1].answers] == [40, 40, 5, 6, 5]
        monkeypatch.setattr("visibility.pipeline.evidence.gathering.MAX_CHARACTERS", 86)
        reviewed(brand, "again")
        make_all()
        assert [len(each.text) for each in found[-1][1].answers] == [40, 40, 5]

    def test_pages_of_the_latest_finished_audit_as_they_were_parsed(self, brand, found):
        pages = [page(), page("about", "We forge.")]
        read_pages(brand, *pages)
        make_all()
        assert found[0][1].pages == pages
        assert found[0][1].read_on == handmade.DAY

    def test_as_many_statements_for_many_answers_as_for_few(self, brand, wordings):
        def statements():
            with CaptureQueriesContext(connection) as captured:
                gathered = gather(brand)
            return len(gathered.answers), len(captured)

        ended_run(brand, wordings)
        few = statements()
        more = [PromptFactory(brand=brand, text=f"best anvil number {n}") for n in range(40)]
        ended_run(brand, more, texts=["Acme and Rival."] * 40, day=1)
        many = statements()
        assert (few[0], many[0]) == (5, 40)
        assert few[1] == many[1] <= 16


class TestTick:
    def test_it_notices_at_once_and_then_now_and_then(self, brand, measured):
        cache.clear()
        tick()
        assert job_of(brand).state == "outdated"
        make_all()
        reviewed(brand, "Fine.")
        tick()
        assert job_of(brand).state == "made", "it was looked for a moment ago"
        cache.delete("evidence-looked-for")
        tick()
        assert job_of(brand).state == "outdated"

    def test_a_silent_cache_keeps_nothing_waiting(self, brand, measured, monkeypatch):
        def silent(*args, **more):
            raise ConnectionError

        monkeypatch.setattr("visibility.tasks.cache.add", silent)
        tick()
        assert job_of(brand).state == "outdated"
