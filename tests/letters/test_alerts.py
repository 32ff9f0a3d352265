"""Alerts: each kind has its cause, its words and its readers, and is told once."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.test import override_settings
from django.utils import timezone

from apikeys.mail.choices import choose
from apikeys.models import App, Connection, Counter, Mail, MailPreference, Usage
from apikeys.notes import BACKUP
from tests.factories import (
    BrandFactory,
    ChangeRecordFactory,
    CollaboratorFactory,
    KeyFactory,
    RecommendationFactory,
    RunFactory,
    UserFactory,
)
from tests.mail.server import send_waiting
from tests.mail.test_mail import of_type
from tests.pages.test_pages import client_of
from tests.scores.conftest import answers, imported
from visibility import jobs
from visibility.letters import alerts, causes
from visibility.letters.alerts import KINDS, write_alerts
from visibility.models import ChangeRecord, ProviderCall, Run

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 1, 14, 9, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture(autouse=True)
def now(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def brand(letterbox):
    return BrandFactory(name="Kryton")


def fall(brand, **more):
    return ChangeRecordFactory(brand=brand, began=NOW.date() - DAY, known_on=NOW.date(), **more)


def scan(brand, **more):
    return RunFactory(brand=brand, created_at=NOW - HOUR, finished_at=NOW - HOUR, **more)


def failed(brand):
    scan(brand, status="failed", done=0, error_code="engine_down")


def capped(brand):
    scan(brand, status="partial", done=60, error_code="spend_limit")


def refused(brand):
    scan(brand, status="cancelled", done=0, total=0, error_code="quota_exceeded")


def closed(brand):
    RecommendationFactory(brand=brand, kind="blocked", subject="ACC-01", created_at=NOW - HOUR)


def key(brand):
    KeyFactory(owner=brand.owner, name="Reporting", expires_at=NOW + 13 * DAY)


def used(brand):
    limit = brand.owner.limit("credits_per_month")
    Usage.objects.create(user=brand.owner, kind="credits", period=NOW.date().replace(day=1), used=-(-limit * 9 // 10))


def disconnected(brand):
    app = App.objects.create(client_id="app", source="operator", name="ChatGPT", redirect_uris=[])
    row = Connection.objects.create(key=KeyFactory(owner=brand.owner), app=app, scopes=[], ended_at=NOW - HOUR)
    Connection.objects.filter(pk=row.pk).update(ended_why="by the app")


def call(outcome, **more):
    return ProviderCall(
        purpose="scan", engine="chatgpt", account="a", outcome=outcome, created_at=NOW - HOUR / 2, **more
    )


def failing(brand):
    ProviderCall.objects.bulk_create([call("failed", reserved=0)] * 3 + [call("answered", reserved=0)] * 9)


def spent(brand):
    ProviderCall.objects.bulk_create([call("answered", reserved=0, cost=Decimal("8.5"))])


def backup(brand):
    Counter.objects.create(key=BACKUP, value=int((NOW - 27 * HOUR).timestamp()), expires_at=NOW + 400 * DAY)


TABLE = [
    ("change", fall, "Kryton: 50 points lost", "You lost 50 points on 13 January (75 → 25 %)."),
    ("scan", failed, "Kryton: a scan failed", "The scan of 14 January brought no answer."),
    ("scan", capped, "Kryton: a limit stopped a scan", "brought 60 of 150 answers. Calls to AI engines have cost"),
    ("scan", refused, "Kryton: a scan was not started", "too few credits left this month."),
    ("closed", closed, "Kryton: your site is closed to AI crawlers", "does not let all AI crawlers fetch its pages."),
    ("key", key, "Your API key ends on 27 January", "The key “Reporting” (bv"),
    ("credits", used, "Your credits are nearly used", "New ones come on 1 February."),
    ("app", disconnected, "ChatGPT is not connected any more", "with your key “Reporting” has ended."),
    ("engine", failing, "ChatGPT fails", "Within an hour 3 of 12 calls to ChatGPT failed."),
    ("spend", spent, "$8.50 of $10.00 are spent today", "At $10.00 (DAY_SPEND_LIMIT) scans stop"),
    ("backup", backup, "The last backup is old", "27 hours ago."),
]
COLLABORATORS = {"brand": 3, "owner": 1, "operator": 1}


@pytest.mark.parametrize(
    ("name", "cause", "subject", "line"), TABLE, ids=lambda each: getattr(each, "__name__", None)
)
def test_each_kind_is_told_once_to_those_whom_it_concerns(brand, settings, name, cause, subject, line):
    settings.DAY_SPEND_LIMIT = Decimal(10)
    UserFactory(is_staff=True)
    for role in ("editor", "viewer"):
        CollaboratorFactory(brand=brand, role=role)
    cause(brand)
    write_alerts(NOW)
    write_alerts(NOW + HOUR / 6)
    mails = list(Mail.objects.all())
    kind = next(each for each in KINDS if each.name == name)
    assert {(mail.kind, mail.mailing, mail.subject) for mail in mails} == {
        (f"alert-{name}", f"alert:{name}", subject)
    }
    assert len({mail.address for mail in mails}) == len(mails) == COLLABORATORS[kind.audience]
    assert all(line in mail.text for mail in mails)


def test_a_queue_that_does_not_move_is_told_to_operators(letterbox, monkeypatch):
    UserFactory(is_staff=True)
    monkeypatch.setattr(causes, "waiting_jobs", lambda: (7, timedelta(minutes=12)))
    write_alerts(NOW)
    assert "7 jobs wait, the oldest for 12 minutes." in Mail.objects.get().text


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_kind_can_be_turned_off(brand, kind, settings):
    settings.DAY_SPEND_LIMIT = Decimal(10)
    for person in (brand.owner, UserFactory(is_staff=True)):
        choose(person, kind.mailing, is_wanted=False)
    for name, cause, *_ in TABLE:
        if name == kind.name:
            cause(brand)
    write_alerts(NOW)
    assert not Mail.objects.exists()


@pytest.mark.parametrize(
    "cause",
    [
        lambda brand: ChangeRecordFactory(brand=brand, began=NOW.date() - 20 * DAY, known_on=NOW.date() - 19 * DAY),
        lambda brand: fall(brand, engine="chatgpt (api)"),
        lambda brand: fall(brand, state="recovered"),
        lambda brand: scan(brand, status="partial", error_code="timeout"),
        lambda brand: RunFactory(brand=brand, status="failed", finished_at=NOW - 9 * DAY),
        lambda brand: RecommendationFactory(brand=brand, kind="blocked", subject="REN-01", created_at=NOW),
        lambda brand: KeyFactory(owner=brand.owner, expires_at=NOW + 15 * DAY),
        lambda brand: KeyFactory(owner=brand.owner, expires_at=NOW + DAY, revoked_at=NOW),
        lambda brand: ProviderCall.objects.bulk_create([call("failed", reserved=0)] * 9),
    ],
)
def test_what_is_old_or_no_matter_of_theirs_is_not_told(brand, cause):
    UserFactory(is_staff=True)
    cause(brand)
    write_alerts(NOW)
    assert not Mail.objects.exists()


def test_the_same_change_counted_again_is_told_once(brand):
    fall(brand)
    write_alerts(NOW)
    ChangeRecord.objects.all().delete()
    fall(brand)
    write_alerts(NOW)
    assert Mail.objects.count() == 1


def overtaken(before):
    """Named always and never on some days, and in the window of now never."""
    brand = imported([*answers((1, 2), texts=before), *answers((10, 11, 12), texts=("Zentra is fine.",))])
    Run.objects.update(finished_at=NOW)
    return brand


@pytest.mark.parametrize(
    ("before", "number"),
    [(("Kryton is fine.",), 1), (("Kryton or Zentra.",), 1), (("Zentra is fine.",), 0)],
    ids=["ahead before", "level before", "behind before"],
)
def test_a_competitor_that_overtakes_is_told_once_where_both_are_sure(letterbox, before, number):
    overtaken(before)
    ChangeRecord.objects.all().delete()
    for _ in range(2):
        write_alerts(NOW)
    subjects = list(Mail.objects.values_list("subject", flat=True))
    assert subjects == ["Kryton: Zentra is ahead of you now"] * number


def test_the_page_behind_an_alert_opens(brand):
    fall(brand)
    write_alerts(NOW)
    path = f"/brands/{brand.pk}/history"
    assert path in Mail.objects.get().text and client_of(brand.owner).get(path).status_code == 200


def test_an_alert_that_waits_is_closed_where_its_reader_may_not_see_the_brand_any_more(brand, letterbox):
    viewer = CollaboratorFactory(brand=brand, role="viewer")
    fall(brand)
    write_alerts(NOW)
    viewer.delete()
    Mail.objects.update(next_try_at=NOW)
    send_waiting()
    assert [mail["To"] for mail in letterbox.mails] == [brand.owner.email]
    assert Mail.objects.get(person=viewer.user).problem.startswith("Not sent: ")


def test_an_alert_that_waits_for_an_operator_is_closed_where_they_are_none_any_more(letterbox):
    operator = UserFactory(is_staff=True)
    backup(None)
    write_alerts(NOW)
    operator.is_staff = False
    operator.save()
    Mail.objects.update(next_try_at=NOW)
    send_waiting()
    assert not letterbox.mails and Mail.objects.get().state == "given up"


@pytest.mark.parametrize("lost", [{"is_active": False}, {"has_confirmed_address": False}])
def test_an_account_that_mail_may_not_reach_gets_none(brand, lost):
    type(brand.owner).objects.update(**lost)
    fall(brand)
    write_alerts(NOW)
    assert not Mail.objects.exists()


def test_an_alert_arrives_with_one_click_to_end_it(brand, letterbox):
    fall(brand)
    MailPreference.objects.create(person=brand.owner, language="de")
    write_alerts(NOW)
    Mail.objects.update(next_try_at=NOW)
    send_waiting()
    [mail] = letterbox.mails
    assert mail["Subject"] == "Kryton: 50 Punkte verloren"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "Abbestellen: http" in of_type(mail, "text/plain").get_content()


def test_the_trouble_of_one_kind_hides_no_other(brand, monkeypatch, caplog):
    def broken(now):
        raise RuntimeError("broken")

    monkeypatch.setattr(alerts, "KINDS", [alerts.Kind("x", "brand", "", broken), *KINDS])
    fall(brand)
    write_alerts(NOW)
    assert Mail.objects.count() == 1 and "could not be written" in caplog.text


def test_where_there_is_no_mail_nothing_is_looked_for(brand, monkeypatch):
    monkeypatch.setattr(jobs, "write_alerts", lambda now: pytest.fail("looked"))
    with override_settings(HAS_MAIL=False):
        jobs.alerts(0)
