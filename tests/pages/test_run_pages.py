"""The pages of runs, of one run and of one day: from a fall to the prompts that fell, and from these to answers."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from tests.factories import AnswerFactory, BrandFactory, ChangeRecordFactory, PromptFactory, RunFactory
from tests.ledger import answered_call
from tests.pages.charted import DAY as BEGAN
from tests.pages.charted import item
from tests.scans.history import DAY, asked_run, end, ended_run
from visibility.models import DailyScore, Run
from visibility.pages.present.run_words import said_of_day
from visibility.services.reading.change_records import change_record

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
        assert f'href="{answers}?run={now.pk}&amp;engine=chat#answers"' in shown

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


class TestProgress:
    """A page that is open renews the part of a run under way, and stops when it has ended."""

    @pytest.fixture
    def running(self, cast, prompts):
        run = asked_run(cast.brand, prompts, texts=["Acme.", "", "", ""], status="running")
        run.answers.filter(text="").update(state="pending", answered_at=None)
        Run.objects.filter(pk=run.pk).update(done=1, started_at=DAY)
        return run

    @pytest.fixture
    def renewed(self, visit, client, cast):
        def ask(run):
            client.force_login(cast.owner)
            answer = client.get(reverse("run-page", args=[cast.brand.pk, run.pk]), headers={"HX-Request": "true"})
            return answer.status_code, answer.content.decode()

        return ask

    def test_what_is_renewed_is_the_part_alone(self, renewed, running):
        status, part = renewed(running)
        assert status == 200 and part.startswith('<div id="run" hx-get=') and "<html" not in part
        assert 'hx-trigger="every 2s"' in part and "<strong>25 %</strong>" in part

    def test_it_ends_with_what_came_of_the_run(self, renewed, running):
        running.answers.update(state="answered", text="Acme.", answered_at=DAY)
        Run.objects.filter(pk=running.pk).update(done=4)
        running.refresh_from_db()
        end(running)
        status, part = renewed(running)
        assert status == 286 and "hx-get" not in part and "100.0 %" in part and "alpha?" in part

    def test_a_waiting_run_says_so_and_tells_of_no_prompt(self, page, cast):
        run = RunFactory(brand=cast.brand, status="queued", finished_at=None, total=4)
        shown = page("run-page", run_id=run.pk)
        assert "0 % , waiting for a worker" in shown and "Prompts" not in shown.split("All runs")[1]

    def test_an_import_cannot_be_cancelled(self, visit, cast, running):
        Run.objects.filter(pk=running.pk).update(trigger="import")
        answer = visit(cast.owner, "run-page", brand_id=cast.brand.pk, run_id=running.pk).content.decode()
        assert "hx-get" in answer and "cancel" not in answer


class TestFailures:
    @pytest.fixture
    def failed(self, cast, prompts):
        run = ended_run(cast.brand, prompts[:1], texts=["Acme."], total=4, done=1, failed=3)
        for number, (engine, code, message) in enumerate(
            [
                ("paid", "auth", "first <b>key</b>"),
                ("paid", "auth", "The provider refused the key."),
                ("paid", "strange", ""),
            ]
        ):
            AnswerFactory(
                run=run, prompt=prompts[number], engine=engine, state="failed", text="", error_code=code,
                error_message=message, answered_at=DAY + timedelta(minutes=number),
            )  # fmt: skip
        return run

    def test_each_engine_has_its_last_error_and_what_to_do(self, page, failed):
        shown = page("run-page", run_id=failed.pk)
        assert "paid: 2 failed (auth) The operator has to renew the engine&#x27;s key" in shown
        assert (
            "Last error: The provider refused the key." in shown
            and "first <b>" not in shown
            and "first key" not in shown
        )
        assert "paid: 1 failed (strange) Start another scan." in shown
        assert "chat 1 0 1 – paid 0 3 3 –" in shown

    def test_what_the_providers_charged_stands_there(self, page, cast, prompts):
        run = ended_run(cast.brand, prompts[:1], texts=["Acme."])
        answered_call(run, engine="chat", cost="0.25")
        assert "Charged by the providers $0.2500 for 1 call" in page("run-page", run_id=run.pk)


class TestDay:
    def test_a_day_says_what_its_run_says(self, page, fall):
        shown = page("day-page", day="2026-03-11")
        assert "Answers 4" in shown and "Score 50.0 %" in shown
        assert "Against 10 Mar 2026, the measured day before: cannot be told yet" in shown
        assert_the_fall_comes_first(shown, "10 Mar 2026")

    def test_what_is_told_of_the_day_stands_before_the_day_alone(self):
        quiet = {"from": BEGAN, "verdict": "within_noise", "delta": 1.0, "low": -3.0, "high": 5.0}
        day = item(1, 40.0, change=quiet | {"minimum_detectable": 6.0})
        told = ChangeRecordFactory.build(brand=None, generation_id=None, known_on=day.date, content={})
        first, second = said_of_day(day, [change_record(told)])
        assert first.startswith("The score fell by 37.1 points (28.0 to 46.2) on ") and first.endswith("still holds.")
        beside = "gainst 1 Mar 2026, the measured day before: within noise: +1.0 points (-3.0 to 5.0)."
        assert second == f"This day alone, a{beside}"
        told.told_until = told.began
        assert said_of_day(day, [change_record(told)]) == said_of_day(day, []) == [f"A{beside}"]

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


PAGES = [("runs-page", {}), ("compare-runs", {}), ("run-page", {"run_id"}), ("day-page", {"day"})]


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
def test_a_page_takes_few_statements(visit, client, cast, prompts, fall, name, where, django_assert_max_num_queries):
    _, run = fall
    AnswerFactory(run=run, prompt=prompts[0], sample=2, engine="paid", state="failed", error_code="auth")
    own = {key: {"run_id": run.pk, "day": "2026-03-11"}[key] for key in where}
    visit(cast.viewer, name, brand_id=cast.brand.pk, **own)
    with django_assert_max_num_queries(20):
        client.get(reverse(name, kwargs={"brand_id": cast.brand.pk, **own}))


class TestComparing:
    @pytest.fixture
    def many(self, cast):
        """Twelve topics: enough for a verdict. Ten of twelve answers name the brand, then two, then two again."""
        wordings = [PromptFactory(brand=cast.brand, text=f"which one for {number}?") for number in range(12)]
        return [
            ended_run(cast.brand, wordings, day=day, texts=["Acme."] * named + ["Nobody."] * (12 - named))
            for day, named in enumerate([10, 2, 2])
        ]

    def test_the_latest_two_are_held_side_by_side(self, page, many):
        shown = page("compare-runs")
        assert "11 Mar 2026 12:00 UTC 16.7 %" in shown and "12 Mar 2026 12:00 UTC 16.7 %" in shown
        assert "The later run against the earlier one: cannot be told yet" in shown and "moved down" not in shown

    def test_a_difference_is_told_by_its_verdict_with_the_interval(self, page, many):
        first, second, _ = many
        shown = page("compare-runs", query=f"?before={first.pk}&now={second.pk}")
        assert "The later run against the earlier one: moved down 66.7 points (" in shown
        assert "8 named by fewer answers and 4 named as before" in shown
        assert "chat 83.3 %" in shown

    def test_the_earlier_one_is_before_however_the_address_names_them(self, page, many):
        first, second, _ = many
        shown = page("compare-runs", query=f"?before={second.pk}&now={first.pk}")
        assert "moved down 66.7 points" in shown

    def test_the_verdict_is_that_of_the_same_two_days(self, page, many):
        first, second, _ = many
        of_day = DailyScore.objects.get(competitor=None, date="2026-03-11").change
        shown = page("compare-runs", query=f"?before={first.pk}&now={second.pk}")
        low, high = (f"{-of_day[name]:.1f}" for name in ("high", "low"))
        assert of_day["verdict"] == "moved" and f"moved down 66.7 points ({low} to {high})" in shown

    def test_other_engines_are_not_compared_and_it_says_so(self, page, cast, prompts, fall):
        _, now = fall
        other = ended_run(cast.brand, prompts, day=2, engine="other", texts=["Acme."] * 4)
        shown = page("compare-runs", query=f"?before={now.pk}&now={other.pk}")
        assert "not comparable: chat counted only in the earlier run and other counted only in the later run" in shown
        assert "counted in one of the runs only" in shown and "fewer" not in shown

    @pytest.mark.parametrize(
        "query", ["?before=x&now=y", "?before={0}", "?before={0}&now={0}", "?before={0}&now={1}"]
    )
    def test_what_is_no_pair_of_scans_of_the_brand_is_not_there(self, visit, cast, fall, query):
        other = ended_run(BrandFactory(owner=cast.owner), [], texts=[])
        query = query.format(fall[0].pk, other.pk)
        assert visit(cast.owner, "compare-runs", query=query, brand_id=cast.brand.pk).status_code == 404

    def test_without_two_scans_it_says_so(self, page):
        assert "There are no two scans with answers yet." in page("compare-runs")
