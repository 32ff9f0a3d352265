"""How long everything is kept: what is deleted by itself, and that the operators' page tells of every table."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db import purging
from apikeys.models import ApiKey, CallLog, IdempotentCall
from apikeys.services import idempotency
from apikeys.services.idempotency import Request
from brands.models import Invitation
from brands.services.invitations import invite
from tests.factories import AnswerFactory, ApiKeyFactory, PromptFactory, RunFactory
from visibility import tasks
from visibility.models import Answer, RawBody
from visibility.pipeline import retention
from visibility.pipeline.retention import purge_daily, purge_raw_bodies
from visibility.tasks import tick


def ago(days):
    return timezone.now() - timedelta(days=days)


@pytest.fixture
def bodies(cast):
    """Raw bodies of these ages in days, the oldest first."""
    run, prompt = RunFactory(brand=cast.brand), PromptFactory(brand=cast.brand)

    def make(*ages):
        first = Answer.objects.count()
        for number, age in enumerate(ages, start=first):
            answer = AnswerFactory(run=run, prompt=prompt, sample=number + 1, position=number)
            body = RawBody.objects.create(answer=answer, body=b"x")
            RawBody.objects.filter(pk=body.pk).update(created_at=timezone.now() - timedelta(days=age))

    return make


@pytest.mark.django_db
class TestPurging:
    def test_old_bodies_go_and_their_answers_stay(self, bodies, settings):
        settings.RAW_BODY_DAYS = 30
        bodies(400, 31, 29, 0)
        assert purge_raw_bodies() == 2
        assert RawBody.objects.count() == 2
        assert Answer.objects.filter(state="answered").exclude(text="").count() == 4
        assert purge_raw_bodies() == 0

    def test_ninety_days_are_kept_where_nothing_is_set(self, bodies):
        bodies(91, 89)
        assert (purge_raw_bodies(), RawBody.objects.count()) == (1, 1)

    @pytest.mark.parametrize(("days", "kept"), [(0, 0), (36_500, 3), (10**9, 3)])
    def test_none_are_kept_or_all_of_them(self, bodies, settings, days, kept):
        settings.RAW_BODY_DAYS = days
        bodies(4_000, 400, 0.01)
        purge_raw_bodies()
        assert RawBody.objects.count() == kept

    def test_little_at_a_time(self, bodies, monkeypatch):
        monkeypatch.setattr(retention, "PORTION", 2)
        monkeypatch.setattr(retention, "PORTIONS", 3)
        bodies(*[100] * 7)
        assert [purge_raw_bodies() for _ in range(3)] == [6, 1, 0]

    def test_nothing_is_searched_where_nothing_is_due(self, bodies, django_assert_num_queries):
        bodies(*[1] * 5)
        with django_assert_num_queries(3) as queries:
            assert purge_raw_bodies() == 0
        assert not any("DELETE" in query["sql"] for query in queries.captured_queries)

    def test_the_tick_does_it(self, bodies):
        bodies(100)
        tasks.tick()
        assert not RawBody.objects.exists()


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
class TestSeveralAtOnce:
    def test_workers_that_purge_together_delete_each_body_once(self, bodies, at_once):
        bodies(*[100] * 60, 1)
        assert sum(at_once(4, lambda index: purge_raw_bodies())) == 60
        assert RawBody.objects.count() == 1

    def test_what_is_held_by_others_is_passed_over_and_waited_for_by_nobody(self, bodies, at_once):
        if not connection.features.has_select_for_update_skip_locked:
            pytest.skip("SQLite has one writer at a time and no locks on rows")
        bodies(100, 100)
        with transaction.atomic(), CaptureQueriesContext(connection):
            held = RawBody.objects.select_for_update().order_by("pk").first()
            assert at_once(1, lambda index: purge_raw_bodies()) == [1]
        assert RawBody.objects.get() == held


@pytest.mark.django_db
class TestDaily:
    def call(self, days):
        key = ApiKey.objects.first() or ApiKeyFactory()
        return CallLog.objects.create(
            key=key, door="rest", name="x", success=True, created_at=timezone.now() - timedelta(days=days)
        )

    def session(self, days):
        expires = timezone.now() + timedelta(days=days)
        return Session.objects.create(session_key=f"session{days}", session_data="", expire_date=expires)

    def test_a_tick_purges_calls_and_sessions_that_are_old_enough(self, settings):
        settings.CALL_LOG_DAYS = 400
        for days in (0, 399, 401, 1000):
            self.call(days)
        for days in (-30, -1, 1):
            self.session(days)
        tick()
        assert CallLog.objects.count() == 2
        assert list(Session.objects.values_list("session_key", flat=True)) == ["session1"]

    def test_what_staff_did_is_kept_for_two_years(self, cast):
        for days in (729, 731):
            note = LogEntry.objects.create(user=cast.owner, object_repr=str(days), action_flag=2)
            LogEntry.objects.filter(pk=note.pk).update(action_time=ago(days))
        purge_daily()
        assert [note.object_repr for note in LogEntry.objects.all()] == ["729"]

    def test_a_call_can_be_repeated_for_ninety_days(self, cast):
        request = Request(cast.owner, "add_competitor", "key", b"{}", cast.brand.pk)
        idempotency.execute_once(idempotency.reserve(request), lambda: "first")
        for days, left in ((89, "first"), (91, None)):
            IdempotentCall.objects.update(created_at=ago(days))
            retention.cache.clear()
            purge_daily()
            again = idempotency.reserve(request)
            assert getattr(again, "result", None) == left

    def test_an_invitation_goes_a_month_after_it_expired(self, cast):
        offer = invite(Caller.from_user(cast.owner), brand_id=cast.brand.pk, email="x@example.com", role="viewer")
        for days, left in ((43, 1), (45, 0)):
            Invitation.objects.filter(pk=offer.pk).update(created_at=ago(days))
            retention.cache.clear()
            purge_daily()
            assert Invitation.objects.count() == left

    def test_it_is_done_once_a_day_by_one_of_several_schedulers(self):
        tick()
        self.call(1000)
        assert purge_daily() == 0
        assert CallLog.objects.count() == 1

    def test_what_is_too_much_for_one_tick_is_left_to_the_next(self, monkeypatch):
        monkeypatch.setattr(purging, "PURGE_BATCH", 3)
        for _ in range(7):
            self.call(1000)
        assert [purge_daily() for _ in range(4)] == [3, 3, 1, 0]

    def test_a_silent_cache_purges_nothing_and_stops_nothing(self, monkeypatch):
        def silent(*args, **kwargs):
            raise ConnectionError

        self.call(1000)
        monkeypatch.setattr(retention.cache, "add", silent)
        tick()
        assert CallLog.objects.count() == 1

    @pytest.mark.parametrize(("days", "left"), [(0, 0), (10**9, 2)])
    def test_any_number_of_days_has_a_meaning(self, settings, days, left):
        settings.CALL_LOG_DAYS = days
        self.call(1)
        self.call(30_000)
        purge_daily()
        assert CallLog.objects.count() == left


def test_the_operators_page_says_how_long_each_table_is_kept():
    page = (settings.BASE_DIR / "docs/operators.md").read_text().partition("## What is kept")[2].partition("\n## ")[0]
    told = [name for row in page.splitlines() if row.startswith("|") for name in row.split("|")[2].split("`")[1::2]]
    assert sorted(told) == sorted(model.__name__ for model in apps.get_models()), "a row for each, in one table"
