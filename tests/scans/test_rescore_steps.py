"""A history that is measured again while things happen: crashes, ending scans, new edits, failures, deletions."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from brands.services.competitors import add_competitor, remove_competitor
from brands.services.names import replace_aliases, replace_domains
from tests.factories import UserFactory
from tests.generations import tracked_names_of
from tests.ids import ids_of
from tests.people.browser import Browser, text_of
from tests.scans.history import DAY, asked_run, end, ended_run, figures, fresh, rescored, scores, use_detector
from visibility.jobs import turns as job_turns
from visibility.jobs.kinds import GENERATION
from visibility.jobs.lease import LeaseLost, claim, fenced, renew
from visibility.models import Citation, DailyScore, Generation, Mention, RunScore
from visibility.pipeline.detect import clearing, detecting
from visibility.pipeline.finishing import finish
from visibility.pipeline.generations import building as rescoring
from visibility.pipeline.generations import runner as generation_runner
from visibility.pipeline.generations.building import build_steps
from visibility.pipeline.generations.planning import plan_generation, plan_outdated
from visibility.pipeline.generations.runner import work_on
from visibility.services.brands import remove_brand
from visibility.services.engines.domain_classes import classify_domain
from visibility.services.reading.rescoring import rescore, rescoring_of

pytestmark = pytest.mark.django_db
STEPS = 13
"""More than it takes to build a generation of three runs of five answers, two of them at a time: 3 × 3 + 3."""


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch):
    monkeypatch.setattr(detecting, "CHUNK", 2)
    monkeypatch.setattr(clearing, "CHUNK", 3)


@pytest.fixture
def edited(brand, measured, system):
    """A brand with a history and a new alias; its next generation is to be built."""
    replace_aliases(system, brand=brand, aliases=["Anvil Company"])
    plan_outdated()
    return Generation.objects.get(brand=brand, state="building")


_measured = {}


def measured_from_nothing(brand, case):
    """What `fresh` gives, computed once for a case: brands of one history and the same edits have the same ids."""
    if case not in _measured:
        _measured[case] = fresh(brand)
    return _measured[case]


def take_steps(generation, count, worker="w"):
    """Claim the generation, carry out so many steps, and stop there as a killed worker does; gives the steps done."""
    Generation.objects.filter(pk=generation.pk).update(lease_until=None, worker="")
    claimed = claim(GENERATION, generation.pk, worker)
    steps = build_steps(claimed, partial(fenced, GENERATION, generation.pk, worker))
    return sum(1 for _ in zip(range(count), steps, strict=False))


def test_the_steps_are_counted_right(edited):
    assert take_steps(edited, 100) == STEPS - 1
    assert Generation.objects.get(pk=edited.pk).state == "current"


@pytest.mark.parametrize("killed_after", range(STEPS))
def test_a_killed_worker_is_followed_where_it_was(brand, edited, killed_after):
    before = figures(brand)
    assert take_steps(edited, killed_after, "dead") == killed_after
    looked = list(RunScore.objects.filter(generation=edited).order_by("pk").values("pk", "analysed", "stage"))
    assert figures(brand) == before, "readers see nothing of it"
    assert claim(GENERATION, edited.pk, "too early") is None
    assert take_steps(edited, 100) == STEPS - 1 - killed_after, "nothing is done twice"
    assert len(looked) <= 3
    rescored(brand)
    assert scores(brand) == [60.0] * 3
    assert figures(brand) == measured_from_nothing(brand, "edited")


@pytest.mark.parametrize("fails", ["_store", "_advance"])
def test_a_chunk_is_stored_whole_or_not_at_all(brand, edited, monkeypatch, fails):
    real = getattr(detecting, fails)

    def dies(*args):
        real(*args)
        raise OSError("killed")

    monkeypatch.setattr(detecting, fails, dies)
    with pytest.raises(OSError, match="killed"):
        take_steps(edited, 1)
    assert not Mention.of_all_generations.filter(generation=edited).exists()
    assert not RunScore.objects.filter(generation=edited).exists()
    monkeypatch.undo()
    rescored(brand)
    assert figures(brand) == measured_from_nothing(brand, "edited")


@pytest.mark.parametrize("fails", ["retire", "_show_run_scores", "refresh_recommendations"])
def test_the_switch_happens_whole_or_not_at_all(brand, edited, monkeypatch, fails):
    before, real = figures(brand), getattr(rescoring, fails)

    def dies(*args):
        real(*args)
        raise OSError("killed")

    monkeypatch.setattr(rescoring, fails, dies)
    with pytest.raises(OSError, match="killed"):
        take_steps(edited, 100)
    assert figures(brand) == before
    assert set(Generation.objects.values_list("state", flat=True)) == {"building", "current"}
    monkeypatch.undo()
    rescored(brand)
    assert figures(brand) == measured_from_nothing(brand, "edited")


@pytest.mark.parametrize("ends_after", range(STEPS - 1))
def test_a_scan_that_ends_meanwhile_is_seen_at_once_and_is_in_the_next_generation(
    brand, wordings, edited, ends_after
):
    """Also on a day that is measured again already, so that this day has to be scored once more."""
    take_steps(edited, ends_after)
    with ids_of("a scan that ends meanwhile"):
        ended_run(brand, wordings, day=1, texts=["Nothing."] * 5)
    assert scores(brand) == [40.0, 20.0, 40.0], "before the switch: with the names of before"
    rescored(brand)
    assert scores(brand) == [60.0, 30.0, 60.0]
    assert DailyScore.objects.get(date=(DAY + timedelta(days=1)).date()).answers == 10
    assert figures(brand) == measured_from_nothing(brand, "edited, with another scan")


def test_a_scan_that_began_before_the_switch_ends_after_it(brand, wordings, edited):
    run = asked_run(brand, wordings, day=5)
    tracked = tracked_names_of(brand)
    list(detecting.analyse(tracked, run, transaction.atomic))
    take_steps(edited, 100)
    assert not finish([run], "w", tracked), "its answers are analysed for other names than the days"
    end(run)
    assert scores(brand) == [60.0] * 4
    rescored(brand)
    assert figures(brand) == fresh(brand)


def test_answers_are_not_looked_through_for_a_generation_that_is_gone(brand, wordings, edited):
    run, tracked = asked_run(brand, wordings, day=5), tracked_names_of(brand)
    rescored(brand)
    with pytest.raises(detecting.Superseded):
        list(detecting.analyse(tracked, run, transaction.atomic))
    assert not RunScore.objects.filter(run=run).exists()


@pytest.mark.parametrize("edited_after", [0, 4, 10])
def test_of_two_edits_the_last_one_holds(brand, edited, system, edited_after):
    take_steps(edited, edited_after)
    rival = add_competitor(system, brand=brand, name="Rival", domain="shop.example")
    plan_outdated()
    edited.refresh_from_db()
    assert edited.state == "retired"
    assert not renew(GENERATION, edited.pk, "w"), "its worker stops"
    rescored(brand)
    assert (scores(brand), scores(brand, rival)) == ([60.0] * 3, [40.0] * 3)
    assert figures(brand) == fresh(brand)


def test_an_edit_that_nobody_noticed_yet_stops_the_switch(brand, edited, system):
    replace_aliases(system, brand=brand, aliases=[])
    with pytest.raises(LeaseLost):
        take_steps(edited, 100)
    assert scores(brand) == [40.0] * 3
    assert Generation.objects.get(state="current").stamp != edited.stamp
    assert rescored(brand).stamp != edited.stamp


@pytest.mark.parametrize("removed_after", [0, 2, 10])
def test_a_competitor_that_is_removed_meanwhile_leaves_nothing(brand, measured, system, removed_after):
    rival = add_competitor(system, brand=brand, name="Rival", domain="shop.example")
    plan_outdated()
    building = Generation.objects.get(state="building")
    take_steps(building, removed_after)
    remove_competitor(system, competitor=rival)
    rescored(brand)
    assert not Mention.of_all_generations.exclude(competitor=None).exists()
    assert set(Citation.objects.filter(domain="shop.example").values_list("owner", flat=True)) == {"other"}
    assert figures(brand) == fresh(brand)


def test_a_competitor_that_is_removed_while_a_chunk_is_looked_through(brand, measured, system, monkeypatch):
    rival = add_competitor(system, brand=brand, name="Rival", domain="shop.example")
    plan_outdated()
    real = detecting._find

    def removed_meanwhile(*given, **more):
        found = real(*given, **more)
        if brand.competitors.exists():
            remove_competitor(system, competitor=rival)
        return found

    monkeypatch.setattr(detecting, "_find", removed_meanwhile)
    assert take_steps(Generation.objects.get(state="building"), 1) == 1
    rescored(brand)
    assert figures(brand) == fresh(brand)


@pytest.mark.parametrize("deleted_after", [0, 4, 10])
def test_a_brand_that_is_deleted_meanwhile_leaves_nothing(brand, edited, system, deleted_after):
    take_steps(edited, deleted_after)
    remove_brand(system, brand=brand)
    assert not Generation.objects.exists()
    assert not Mention.of_all_generations.exists()
    work_on(edited.pk, "late")


class TestTakingOver:
    """Citations that cannot have changed are taken over instead of being found again."""

    @pytest.fixture
    def found(self, monkeypatch):
        found = []
        real = detecting.citations_of
        monkeypatch.setattr(detecting, "citations_of", lambda *args: found.append(args[1].pk) or real(*args))
        return found

    def test_an_edit_of_names_takes_them_over(self, brand, edited, found):
        before = list(Citation.objects.order_by("answer", "position").values("answer", "url", "owner", "spans"))
        rescored(brand)
        assert not found
        assert list(Citation.objects.order_by("answer", "position").values(*before[0])) == before
        assert figures(brand) == fresh(brand)

    @pytest.mark.parametrize(
        "change",
        [
            lambda system, brand: add_competitor(system, brand=brand, name="Rival", domain="shop.example"),
            lambda system, brand: replace_domains(system, brand=brand, domains=["shop.example"]),
            lambda system, brand: classify_domain(system, domain="shop.example", cls="shop"),
        ],
        ids=["competitor", "domain", "class"],
    )
    def test_what_they_depend_on_has_them_found_again(self, brand, edited, system, found, change):
        change(system, brand)
        rescored(brand)
        assert len(found) == 15
        assert figures(brand) == fresh(brand)

    @pytest.mark.parametrize("detector", [0, 1])
    def test_those_of_another_detector_are_found_again(self, brand, edited, found, detector):
        Generation.objects.filter(state="current").update(detector=detector)
        take_steps(edited, 100)
        assert len(found) == 15

    def test_a_scan_of_another_detector_meanwhile_has_the_rest_found_again(
        self, brand, wordings, edited, found, monkeypatch
    ):
        detector = detecting.DETECTOR
        take_steps(edited, 3)
        use_detector(monkeypatch, 1)
        ended_run(brand, wordings, day=4)
        use_detector(monkeypatch, detector)
        found.clear()
        take_steps(edited, 100)
        assert len(found) == 10 + 5


class TestTurns:
    def test_a_turn_ends_and_the_next_goes_on(self, brand, edited, monkeypatch):
        announced = []
        monkeypatch.setattr(generation_runner, "TURN_SECONDS", 0)
        monkeypatch.setattr(job_turns, "enqueue", lambda kind, key: announced.append(key))
        turns = 0
        while Generation.objects.filter(pk=edited.pk, state="building").exists():
            work_on(edited.pk, f"w{turns}")
            turns += 1
        assert turns == STEPS
        assert announced == [edited.pk] * (STEPS - 1), "what is left is announced behind what waits"
        assert scores(brand) == [60.0] * 3

    def test_an_import_of_many_days_goes_on_where_the_last_turn_ended(self, brand, wordings, monkeypatch, system):
        """Its days are more than a turn can score, and each is scored once."""
        days = 6
        last = DAY + timedelta(days=days - 1)
        run = asked_run(brand, wordings, trigger="import", started_at=DAY, finished_at=last, total=30, done=30)
        for number, answer in enumerate(list(run.answers.order_by("position")) * (days - 1), start=5):
            answer.pk, answer.position, answer.sample = uuid4(), number, number // 5 + 1
            answer.answered_at = DAY + timedelta(days=number // 5)
            answer.save(force_insert=True)
        end(run)
        assert scores(brand) == [40.0] * days
        replace_aliases(system, brand=brand, aliases=["Anvil Company"])
        plan_outdated()
        building = Generation.objects.get(state="building")
        monkeypatch.setattr(generation_runner, "TURN_SECONDS", 0)
        scored = []
        real = rescoring.score_days
        monkeypatch.setattr(rescoring, "score_days", lambda *args: scored.extend(args[2]) or real(*args))
        for turn in range(16 + days + 1):  # its chunks, its days, and the switch
            work_on(building.pk, f"w{turn}")
        assert scores(brand) == [60.0] * days
        assert len(scored) == days
        rescored(brand)
        assert figures(brand) == fresh(brand)

    def test_it_is_worked_on_by_one_at_a_time(self, edited):
        assert claim(GENERATION, edited.pk, "a").attempt == 1
        assert claim(GENERATION, edited.pk, "b") is None
        Generation.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert claim(GENERATION, edited.pk, "b").attempt == 2
        with pytest.raises(LeaseLost), fenced(GENERATION, edited.pk, "a"):
            pytest.fail("entered")

    def test_a_failure_is_told_and_tried_again_later_each_time(self, brand, edited, monkeypatch, system):
        monkeypatch.setattr(rescoring, "score_days", lambda *args: 1 / 0)
        for attempt, seconds in [(1, 5), (2, 10), (3, 20)]:
            work_on(edited.pk, f"w{attempt}")
            edited.refresh_from_db()
            assert (edited.state, edited.worker, edited.attempt) == ("building", "", attempt)
            assert abs((edited.not_before - timezone.now()).total_seconds() - seconds) < 2
            work_on(edited.pk, "too early")
            Generation.objects.update(not_before=timezone.now())
        told = rescoring_of(system, brand_id=brand.pk)
        assert (told.trouble, told.percent) == ("The last attempt failed with ZeroDivisionError.", 99)
        monkeypatch.undo()
        work_on(edited.pk, "w")
        assert rescoring_of(system, brand_id=brand.pk) is None
        assert scores(brand) == [60.0] * 3

    def test_a_generation_of_another_detector_waits_for_its_worker(self, edited):
        Generation.objects.filter(pk=edited.pk).update(detector=99)
        assert claim(GENERATION, edited.pk, "w") is None

    def test_statements_of_a_chunk_do_not_grow(self, brand, edited, system):
        def statements():
            with CaptureQueriesContext(connection) as queries:
                take_steps(Generation.objects.get(state="building"), 1)
            return len(queries)

        add_competitor(system, brand=brand, name="Rival", domain="rival.example")
        plan_outdated()
        few = statements()
        for number in range(20):
            add_competitor(
                system,
                brand=brand,
                name=f"Name{number}",
                domain=f"d{number}.example",
                aliases=[f"A{number}", f"B{number}"],
            )
        plan_outdated()
        assert statements() == few


class TestTelling:
    def test_how_far_it_is(self, brand, edited, cast):
        owner = Caller.from_user(cast.owner)
        assert rescoring_of(owner, brand_id=brand.pk).percent == 0
        take_steps(edited, 4)
        told = rescoring_of(owner, brand_id=brand.pk)
        assert (told.looked, told.answers, told.percent, told.trouble) == (7, 15, 46, "")
        assert told.since == edited.created_at

    def test_operators_see_how_far_each_is_and_why_one_is_stuck(self, brand, edited):
        take_steps(edited, 4)
        Generation.objects.filter(pk=edited.pk).update(error_message="Broke off.", attempt=3)
        browser = Browser(UserFactory(is_staff=True, is_superuser=True))
        shown = text_of(browser.open("/admin/visibility/generation/"))
        assert "Building 7 of 15" in shown
        assert "Current 15" in shown
        assert "Broke off. (3 attempts)" in shown
        assert "Anvil Company" in text_of(browser.open(f"/admin/visibility/generation/{edited.pk}/change/"))

    def test_it_can_be_asked_for_at_once(self, brand, measured, cast, system):
        assert rescore(brand) == (None, True)
        replace_aliases(system, brand=brand, aliases=["Anvil Company"])
        brand.refresh_from_db()
        for _ in range(2):
            progress, is_measured = rescore(brand)
            assert progress == rescoring_of(Caller.from_user(cast.owner), brand_id=brand.pk)
            assert (progress.looked, progress.answers, is_measured) == (0, 15, True)

    def test_who_may_not_know(self, brand, measured, cast):
        with pytest.raises(ServiceError) as caught:
            rescoring_of(Caller.from_user(cast.stranger), brand_id=brand.pk)
        assert caught.value.code == ErrorCode.NOT_FOUND


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
class TestConcurrently:
    def test_many_workers_build_it_once(self, brand, edited, at_once):
        outcomes = at_once(8, lambda index: work_on(edited.pk, f"w{index}"))
        assert outcomes == [None] * 8
        assert scores(brand) == [60.0] * 3
        assert Generation.objects.filter(state="building").count() == 0
        assert RunScore.objects.filter(generation=edited).count() == 3

    def test_many_plans_make_one_next_generation(self, brand, measured, system, at_once):
        replace_aliases(system, brand=brand, aliases=["Anvil Company"])
        generations = at_once(8, lambda index: plan_generation(brand).pk)
        assert len(set(generations)) == 1
        assert Generation.objects.filter(state="building").count() == 1

    def test_edits_scans_and_workers_together_end_as_a_fresh_computation(
        self, brand, wordings, edited, system, at_once
    ):
        def act(index):
            if index == 0:
                aliases = ["Anvil Company", *(f"Alias {n}" for n in range(5))]
                return [
                    replace_aliases(system, brand=brand, aliases=aliases[:n]) and plan_outdated() for n in range(2, 7)
                ]
            if index == 1:
                return [ended_run(brand, wordings, day=day) for day in (1, 7, 8)]
            for turn in range(10):
                for generation in Generation.objects.exclude(state="current"):
                    work_on(generation.pk, f"w{index}-{turn}")
            return None

        assert not [each for each in at_once(4, act) if isinstance(each, Exception)]
        Generation.objects.update(not_before=timezone.now())
        rescored(brand)
        assert figures(brand) == fresh(brand)


def test_what_many_edits_of_names_left_behind_is_cleared_in_one_turn(edited, brand, system):
    for number in range(30):
        replace_aliases(system, brand=brand, aliases=[f"Anvil {number}"])
        plan_outdated()
    first = Generation.objects.filter(state="retired").first()
    assert Generation.objects.filter(state="retired").count() >= 30
    work_on(first.pk, "w")
    assert not Generation.objects.filter(state="retired").exists()
