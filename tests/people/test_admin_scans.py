"""The operators' desk for scans: engines, runs, and the ledger of calls."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from tests.people.browser import text_of
from tests.runs.conftest import add_page, make_brand
from visibility.models import Engine, ProviderCall, Run

pytestmark = pytest.mark.django_db
RUNS, ENGINES, CALLS = "/admin/visibility/run/", "/admin/visibility/engine/", "/admin/visibility/providercall/"


def test_an_operator_starts_a_scan_and_cancels_it(browser):
    brand = make_brand(prompts=2, samples=1)
    add_page(brand)
    browser.submit(f"{RUNS}add/", brand=str(brand.pk), kind="visibility")
    run = Run.objects.get(brand=brand)
    assert (run.status, run.total, run.trigger) == ("queued", 2, "operator")
    again = browser.submit(f"{RUNS}add/", brand=str(brand.pk), kind="visibility")
    assert "A run of this kind is under way" in text_of(again) and Run.objects.filter(brand=brand).count() == 1
    assert "/cancel/" in browser.open(f"{RUNS}{run.pk}/change/").content.decode()
    browser.submit(f"{RUNS}{run.pk}/cancel/")
    run.refresh_from_db()
    assert run.status == "cancelled"
    assert "/cancel/" not in browser.open(f"{RUNS}{run.pk}/change/").content.decode()


def test_an_operator_learns_that_a_scan_could_only_repeat_todays_answers(browser):
    brand = make_brand(prompts=2, samples=1)
    now = timezone.now()
    add_page(brand, stored_at=now - timedelta(hours=3))
    browser.submit(f"{RUNS}add/", brand=str(brand.pk), kind="visibility")
    run = Run.objects.get(brand=brand)
    run.answers.update(state="answered", text="Acme.")
    done = {"status": "succeeded", "done": 2, "day": now.date(), "created_at": now - timedelta(hours=2)}
    Run.objects.filter(pk=run.pk).update(**done)
    again = text_of(browser.submit(f"{RUNS}add/", brand=str(brand.pk), kind="visibility"))
    assert "every answer would repeat one of today" in again and "last hour" not in again


def test_an_operator_adds_an_engine_and_sees_what_is_in_its_way(browser, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    form = {"name": "chatgpt", "preset": "openai", "is_enabled": "on"}
    assert "Name the model" in text_of(browser.submit(f"{ENGINES}add/", **form))
    browser.submit(f"{ENGINES}add/", **form, model="gpt-5")
    assert Engine.objects.asked().filter(name="chatgpt").exists()
    assert "OPENAI_API_KEY is not set" in text_of(browser.open(ENGINES))


def test_the_ledger_sums_what_each_day_cost(browser):
    for cost, outcome in ((Decimal("0.5"), "answered"), (Decimal("0.25"), "charged"), (None, "unknown")):
        ProviderCall.objects.create(engine="chatgpt", account="a", outcome=outcome, cost=cost)
    page = browser.open(CALLS).content.decode()
    assert "<td>3</td><td>1</td><td>0.750000</td><td>1</td>" in page
