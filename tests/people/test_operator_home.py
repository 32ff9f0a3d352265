"""The operator's first page: engines, spend, queue, failed runs; an engine is tried with one question."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apikeys.models import Counter
from apikeys.notes import BACKUP, KEEP_NOTE
from tests.engines.provider import running_provider
from tests.factories import BrandFactory, EngineFactory, RunFactory
from tests.people.browser import Browser, text_of
from tests.runs.conftest import make_engine
from visibility.admin.home import operator_home
from visibility.models import ProviderCall, Run

pytestmark = pytest.mark.django_db


def call(engine="gpt", cost="0.01", **more):
    fields = {"outcome": "answered", "account": "a", "cost": Decimal(cost) if cost else None}
    return ProviderCall.objects.create(engine=engine, **{**fields, **more})


def test_an_engine_that_fails_comes_first_with_its_last_reason():
    make_engine("alpha")
    make_engine("beta")
    call("alpha", "0.02")
    call("beta", None, outcome="failed", error_code="rate_limited")
    first, second, *_ = operator_home().engines
    assert (first.engine.name, first.failed, first.error, first.price) == ("beta", 1, "rate_limited", None)
    assert (second.engine.name, second.calls, second.price) == ("alpha", 1, Decimal("0.02"))


def test_spend_is_summed_by_day_engine_brand_and_account():
    owner = BrandFactory(name="Acme").owner
    call(brand_name="Acme", payer=owner.pk)
    call(brand_name="Acme", payer=owner.pk, cost="0.03")
    call("other", "0.5")
    home = operator_home()
    assert [(each["day"], each["calls"], each["dollars"]) for each in home.days] == [
        (timezone.now().date(), 3, Decimal("0.54"))
    ]
    assert home.spend == {
        "Engine": [("other", Decimal("0.5")), ("gpt", Decimal("0.04"))],
        "Brand": [("Acme", Decimal("0.04"))],
        "Account": [("the operator", Decimal("0.5")), (owner.email, Decimal("0.04"))],
    }


def test_what_waits_and_what_failed_is_on_the_page(browser):
    RunFactory(status=Run.Status.QUEUED, created_at=timezone.now())
    words = {"error_code": "x", "error_message": "No engine answered."}
    failed = RunFactory(status=Run.Status.FAILED, created_at=timezone.now(), **words)
    page = text_of(browser.open("/admin/"))
    assert "1 waits, 0 at work" in page and f"{failed.brand}" in page and "No engine answered." in page


@pytest.mark.parametrize(
    ("hours", "words"),
    [(None, "Last backup none by this service"), (1, "hour ago Failed"), (30, "ago: too old")],
)
def test_the_last_backup_is_on_the_page_and_an_old_one_is_warned_of(browser, hours, words):
    if hours:
        at = timezone.now() - timedelta(hours=hours)
        Counter.objects.create(key=BACKUP, value=int(at.timestamp()), expires_at=at + KEEP_NOTE)
    assert words in text_of(browser.open("/admin/"))


def test_staff_without_permission_to_see_engines_see_no_spend(clerk):
    call(brand_name="Acme")
    assert "Spent" not in text_of(Browser(clerk("brands.view_brand")).open("/admin/"))


def test_an_engine_is_tried_from_its_page(browser, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-right")
    with running_provider() as address:
        engine = make_engine("gpt", address=address)
        browser.submit(f"/admin/visibility/engine/{engine.pk}/try/")
    answer = browser.open(f"/admin/visibility/engine/{engine.pk}/change/")
    assert "answered with 232 characters model gpt-5, country US" in text_of(answer)
    assert ProviderCall.objects.get().purpose == "check"


def test_a_new_engine_says_that_it_is_off(browser):
    browser.submit("/admin/visibility/engine/add/", name="mock", preset="openai", model="gpt-5")
    assert "switched off" in text_of(browser.open("/admin/visibility/engine/"))


def test_an_engine_of_imports_cannot_be_tried(browser):
    engine = EngineFactory(name="imported")
    assert "try" not in str(browser.open(f"/admin/visibility/engine/{engine.pk}/change/").content)
