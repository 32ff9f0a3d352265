"""The pages of runs, of one run and of one day: from a fall to the prompts that fell, and from these to answers."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from tests.factories import AnswerFactory, BrandFactory, PromptFactory, RunFactory
from tests.scans.history import DAY, asked_run, end, ended_run
from visibility.models import DailyScore, Run

pytestmark = pytest.mark.django_db
FOUR = ["alpha?", "beta?", "gamma?", "delta?"]


@pytest.fixture
def prompts(cast):
    return [PromptFactory(brand=cast.brand, text=text) for text in FOUR]


@pytest.fixture
def page(visit, cast):
    """The words of a page, its tags between angle brackets left out."""

    def read(name, *, user=cast.owner, query="", **where):
        answer = visit(user, name, query=query, brand_id=where.pop("brand_id", cast.brand.pk), **where)
        assert answer.status_code == 200
        return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())

    return read


@pytest.fixture
def fall(cast, prompts):
    """Two days: with one prompt fewer answers name the brand, with another more, two stay as they were."""
    before = ended_run(cast.brand, prompts, texts=["Acme.", "Acme.", "Nobody.", "Nobody."])
    now = ended_run(cast.brand, prompts, day=1, texts=["Nobody.", "Acme.", "Acme.", "Nobody."])
    return before, now


def assert_the_fall_comes_first(shown, before):
    assert (
        f"Of 4 prompts, beside {before}: 1 named by fewer answers, 1 named by more answers and 2 named as before."
    ) in shown
    assert shown.index("alpha?") < shown.index("gamma?") < min(shown.index("beta?"), shown.index("delta?"))
    assert "alpha? chat ▼ fewer named by 0 of 1 , before 1 of 1 Read the answer of chat" in shown
    assert "gamma? chat ▲ more named by 1 of 1 , before 0 of 1" in shown


class TestRun:
    def test_the_prompts_whose_result_fell_come_first_with_both_counts(self, page, fall):
        _, now = fall
        assert_the_fall_comes_first(page("run-page", run_id=now.pk), "10 Mar 2026")

    def test_each_prompt_leads_to_its_answers_of_this_run_and_engine(self, visit, cast, prompts, fall):
        _, now = fall
        shown = visit(cast.owner, "run-page", brand_id=cast.brand.pk, run_id=now.pk).content.decode()
        answers = reverse("prompt-page", args=[cast.brand.pk, prompts[0].pk])
        assert f'href="{answers}?run={now.pk}&amp;engine=chat"' in shown

    def test_an_earlier_run_is_compared_with_what_was_before_it(self, page, fall):
        before, _ = fall
        shown = page("run-page", run_id=before.pk)
        assert "There is no earlier run to compare it with." in shown
        assert "fewer" not in shown and "alpha? chat named by 1 of 1" in shown

    def test_what_may_be_said_is_the_verdict_of_its_day(self, page, fall):
        _, now = fall
        shown = page("run-page", run_id=now.pk)
        assert "Against 10 Mar 2026, the measured day before: cannot be told yet" in shown

    def test_another_wording_and_another_engine_are_not_compared(self, page, cast, prompts, fall):
        run = ended_run(cast.brand, prompts, day=2, engine="other", texts=["Nobody."] * 4)
        shown = page("run-page", run_id=run.pk)
        assert "4 answered on one side only, or asked in other words" in shown and "fewer" not in shown
        assert "other named by 0 of 1 , not answered before" in shown
        assert "chat not asked this time; before 0 of 1" in shown
        assert "not comparable: chat counted only on the day before and other counted only on this day" in shown

    def test_as_much_less_with_one_engine_as_more_with_another_is_told_as_that(self, page, cast, prompts):
        for day, chat, other in ((0, "Acme.", "Nobody."), (1, "Nobody.", "Acme.")):
            run = asked_run(cast.brand, prompts[:1], day=day, texts=[chat])
            AnswerFactory(run=run, prompt=prompts[0], engine="other", text=other, answered_at=run.created_at)
            end(run)
        shown = page("run-page", run_id=run.pk)
        assert "1 named less by one engine and more by another" in shown

    def test_names_that_are_not_counted_yet_are_not_told_as_falls(self, page, cast, prompts):
        ended_run(cast.brand, prompts[:1], texts=["Acme."])
        run = asked_run(cast.brand, prompts[:1], day=1, texts=["Acme."])
        Run.objects.filter(pk=run.pk).update(status="failed", finished_at=DAY)
        shown = page("run-page", run_id=run.pk)
        assert "the names in the answers of this run are not counted" in shown and "fewer" not in shown

    def test_the_groups_stand_in_the_address(self, page, fall):
        _, now = fall
        shown = page("run-page", run_id=now.pk, query="?show=fell")
        assert "alpha?" in shown and "gamma?" not in shown and "Named less (1)" in shown
        assert "gamma?" in page("run-page", run_id=now.pk, query="?show=nonsense&page=-1")

    def test_a_prompt_that_names_the_brand_is_marked(self, page, cast):
        prompt = PromptFactory(brand=cast.brand, text="is Acme any good?")
        run = ended_run(cast.brand, [prompt], texts=["Acme."])
        assert "is Acme any good? Names the brand: no part of the score." in page("run-page", run_id=run.pk)

    def test_an_audit_leads_to_its_own_page(self, visit, cast):
        run = RunFactory(brand=cast.brand, kind="audit")
        answer = visit(cast.owner, "run-page", follow=False, brand_id=cast.brand.pk, run_id=run.pk)
        assert answer["Location"] == reverse("audit-page", args=[cast.brand.pk, run.pk])

    def test_what_others_wrote_is_text(self, visit, cast):
        prompt = PromptFactory(brand=cast.brand, text="<script>alert(1)</script>?")
        run = ended_run(cast.brand, [prompt], texts=["Acme."])
        shown = visit(cast.owner, "run-page", brand_id=cast.brand.pk, run_id=run.pk).content.decode()
        assert "<script>alert" not in shown and "&lt;script&gt;alert(1)" in shown


class TestDay:
    def test_a_day_says_what_its_run_says(self, page, fall):
        shown = page("day-page", day="2026-03-11")
        assert "Answers 4" in shown and "Score 50.0 %" in shown
        assert "Against 10 Mar 2026, the measured day before: cannot be told yet" in shown
        assert_the_fall_comes_first(shown, "10 Mar 2026")

    def test_the_runs_of_a_day_are_one(self, page, cast, prompts, fall):
        later = ended_run(
            cast.brand, prompts, texts=["Acme.", "Acme.", "Acme.", "Nobody."],
            created_at=DAY + timedelta(days=1, hours=3),
        )  # fmt: skip
        shown = page("day-page", day="2026-03-11")
        assert "alpha? chat ▼ fewer named by 1 of 2 , before 1 of 1 Read the answers of chat" in shown
        assert shown.count("Scan of 11 Mar 2026") == 2
        assert "11 Mar 2026 , 2 runs together" in page("run-page", run_id=later.pk)

    def test_the_first_day_has_none_before_it(self, page, fall):
        shown = page("day-page", day="2026-03-10")
        assert "It is the first measured day" in shown and "fewer" not in shown

    @pytest.mark.parametrize("day", ["2026-03-12", "2026-3-11", "20260311", "2026-02-30", "yesterday", "2026-W11-3"])
    def test_a_day_that_was_not_measured_is_not_there(self, visit, cast, fall, day):
        assert visit(cast.owner, "day-page", brand_id=cast.brand.pk, day=day).status_code == 404


class TestRuns:
    def test_the_newest_stands_first_and_leads_to_its_page(self, visit, cast, fall):
        shown = visit(cast.owner, "runs-page", brand_id=cast.brand.pk).content.decode()
        before, now = (reverse("run-page", args=[cast.brand.pk, run.pk]) for run in fall)
        assert shown.index(now) < shown.index(before)

    def test_a_kind_and_a_page_stand_in_the_address(self, page, cast):
        for number in range(31):
            RunFactory(brand=cast.brand, created_at=DAY + timedelta(days=number))
        RunFactory(brand=cast.brand, kind="audit", created_at=DAY + timedelta(days=40))
        assert "1 to 30 of 32" in page("runs-page") and "31 to 32 of 32" in page("runs-page", query="?page=2")
        audits = page("runs-page", query="?kind=audit")
        assert "19 Apr 2026" in audits and "10 Mar 2026" not in audits
        assert "There is no run of this kind yet." in page("runs-page", query="?kind=comparison")


PAGES = [("runs-page", {}), ("run-page", {"run_id"}), ("day-page", {"day"})]


@pytest.mark.parametrize(("name", "where"), PAGES)
def test_strangers_find_nothing_and_a_run_is_found_below_its_own_brand_alone(visit, cast, fall, name, where):
    _, run = fall
    place = {"run_id": run.pk, "day": "2026-03-11"}
    own = {key: place[key] for key in where}
    assert visit(cast.stranger, name, brand_id=cast.brand.pk, **own).status_code == 404
    assert visit(cast.viewer, name, brand_id=cast.brand.pk, **own).status_code == 200
    other = BrandFactory(owner=cast.owner)
    assert visit(cast.owner, name, brand_id=other.pk, **own).status_code == (404 if where else 200)


@pytest.mark.parametrize(("name", "where"), PAGES)
def test_a_page_takes_twelve_statements_at_most(
    visit, client, cast, prompts, fall, name, where, django_assert_max_num_queries
):
    _, run = fall
    own = {key: {"run_id": run.pk, "day": "2026-03-11"}[key] for key in where}
    DailyScore.objects.update(comparable=True)
    visit(cast.viewer, name, brand_id=cast.brand.pk, **own)
    with django_assert_max_num_queries(12):
        client.get(reverse(name, kwargs={"brand_id": cast.brand.pk, **own}))
