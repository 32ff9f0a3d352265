"""Every address in a real browser, for each role, theme and width; and the main tasks, done by clicks alone."""

import re

import pytest
from django.urls import reverse

from apikeys.models import ApiKey
from brands.models import Brand
from tests.factories import RunFactory, UserFactory
from tests.live import wait_for
from tests.pages.chromium import NARROW, WIDE, live_pages, open_chromium, visit
from tests.pages.test_pages import OF_AN_ACCOUNT, addresses
from tests.pages.test_start import step
from visibility.jobs import ask
from visibility.models import Answer, Page, Recommendation, Run, Topic

pytestmark = pytest.mark.proof
DESK = (
    "/admin/",
    "/admin/apikeys/apikey/add/",
    *(f"/admin/{name}/" for name in ("apikeys/user", "apikeys/apikey", "apikeys/plan", "apikeys/calllog")),
    *(f"/admin/{name}/" for name in ("brands/brand", "visibility/engine", "visibility/run", "visibility/answer")),
    "/admin/visibility/providercall/",
)


@pytest.fixture(scope="module")
def live(world):
    with live_pages(world.database, worker=True) as live:
        yield live


@pytest.fixture(scope="module")
def browser(live):
    """Opened after, and closed before, all that works with the database."""
    with open_chromium() as browser:
        yield browser


def all_addresses(world, who):
    found = [each for name in ("Norrvik Cycles", "Garmin", "Empty") for each in addresses(world.brands[name])]
    found += [step(brand, name) for brand in [world.brands["Empty"]] for name in ("names", "topics", "scan")]
    found += [step(world.brands["Garmin"], name) for name in ("prompts", "competitors")]
    found += [*map(reverse, OF_AN_ACCOUNT), reverse("password"), reverse("sign-in")]
    return [*found, *DESK] if who == "staff" else found


@pytest.mark.parametrize("who", ["owner", "viewer", "staff"])
@pytest.mark.parametrize(("width", "theme"), [(WIDE, "light"), (WIDE, "dark"), (NARROW, "light"), (NARROW, "dark")])
def test_every_address_is_clean(world, live, browser, who, width, theme):
    faults = {}
    with visit(browser, live, getattr(world, who), width=width, theme=theme) as window:
        for address in all_addresses(world, who):
            if found := window.look(address):
                faults[address] = found
    assert not faults, "\n".join(f"{address}: {found}" for address, found in faults.items())


def test_the_doors_are_clean_for_nobody(live, browser):
    with visit(browser, live, width=NARROW, theme="dark") as window:
        assert not window.look("/sign-in")
        window.page.goto("/nothing")
        assert window.page.locator("h1").inner_text() == "Not Found" and not window.faults()


def test_a_new_brand_comes_to_a_score_by_clicks(world, live, browser):
    person = UserFactory()
    with visit(browser, live, person) as window:
        page = window.page
        page.goto("/")
        page.get_by_role("link", name="Add a brand").click()
        page.get_by_label("Site").fill("ring.example")
        page.get_by_label("Name, as people write it").fill("Ring Doorbells")
        page.get_by_role("button", name="Go on").click()
        brand = Brand.objects.get(owner=person)
        for number in range(3):
            text = "Which video doorbells are good? Ring Doorbells are a good choice of video doorbells."
            Page.objects.create(brand=brand, url=f"https://ring.example/{number}", title="Video doorbells", text=text)
        page.get_by_label("Other names, one a line").fill("Ring Video Doorbell")
        page.get_by_role("button", name="Save and go on").click()
        assert "“Ring Video Doorbell” is plain language, too." in page.locator("main").inner_text()
        page.get_by_role("button", name="Save and go on").click()
        page.get_by_label("What you sell, one topic a line").fill("video doorbells")
        page.get_by_role("button", name="Save and go on").click()
        page.get_by_label("Name, as answers write it").first.fill("Arlo")
        page.get_by_label("Its site").first.fill("arlo.example")
        page.get_by_role("button", name="Save and go on").click()
        assert "What are the best brands for video doorbells?" in page.get_by_label("video doorbells").input_value()
        page.get_by_label("video doorbells").fill(
            "Which video doorbells are good?\nAre video doorbells a good choice?"
        )
        page.get_by_role("button", name="Save and go on").click()
        assert "12 credits" in page.locator("main").inner_text(), "two prompts, three times each, of two engines"
        page.get_by_role("button", name="Start the first scan").click()
        wait_for(lambda: Run.objects.measured().filter(brand=brand).exists(), seconds=60)
        page.get_by_role("link", name="See your brand").wait_for(timeout=30_000)  # the page loads again by itself
        page.get_by_role("button", name="Scan every week").click()
        page.get_by_role("link", name="See your brand").click()
        assert "100" in page.locator(".big").inner_text()
        assert not window.troubles and not window.faults()
    brand.refresh_from_db()
    assert brand.cadence == "weekly" and Answer.objects.answered().filter(brand=brand).count() == 12


def test_a_topic_is_decided_and_a_thing_to_do_is_done(world, live, browser):
    brand = world.brands["Norrvik Cycles"]
    Topic.objects.filter(brand=brand, name="theft").update(own=None)
    row = Recommendation.objects.filter(brand=brand, status="open").first()
    with visit(browser, live, world.owner) as window:
        page = window.page
        page.goto(reverse("brand-prompts", args=[brand.pk]))
        page.get_by_role("button", name=re.compile("theft: not yours|Not yours")).first.click()
        wait_for(lambda: Topic.objects.filter(brand=brand, own=False, decided_by__startswith="user:").exists())
        page.goto(reverse("brand-todo-item", args=[brand.pk, row.pk]))
        page.get_by_role("button", name="Mark done").click()
        page.get_by_text("Marked as done").wait_for()
        assert not window.troubles
    row.refresh_from_db()
    assert row.status == "done"


def test_a_running_scan_is_cancelled_and_a_competitor_is_added(world, live, browser):
    brand = world.brands["Sony"]
    run = RunFactory(brand=brand, status=Run.Status.RUNNING, done=3, score=None, finished_at=None, trigger="web")
    # It waits for a provider: an active run that has no job is given one each minute, and this one would end.
    ask.configure(schedule_in={"hours": 1}).defer(run_id=str(run.pk))
    with visit(browser, live, world.owner, width=NARROW) as window:
        page = window.page
        page.goto(reverse("brand-history", args=[brand.pk]))
        page.get_by_role("button", name="Cancel it").click()
        page.get_by_text("Cancelled. What was answered stays").wait_for()
        page.goto(reverse("brand-competitors", args=[brand.pk]))
        form = page.locator("form", has_text="Add a competitor")
        form.get_by_label("Name, as answers write it").fill("Xiaomi")
        form.get_by_label("Site").fill("mi.com")
        form.get_by_role("button", name="Add").click()
        wait_for(lambda: brand.competitors.filter(name="Xiaomi").exists())
        assert not window.troubles
    run.refresh_from_db()
    assert run.status == "cancelled"


def test_a_key_is_issued_shown_once_and_revoked(world, live, browser):
    with visit(browser, live, world.staff) as window:
        page = window.page
        page.goto("/admin/")
        page.locator("#content-main").get_by_role("link", name="API keys").click()
        page.get_by_role("link", name="Add API key").click()
        page.get_by_label("Account").fill(world.owner.email)
        page.get_by_label("What it is for").fill("Looker")
        page.get_by_role("button", name="Issue key").click()
        raw = page.locator(".once").inner_text()
        assert raw.startswith("bvs_live_") and not window.faults()
        page.get_by_role("link", name="I have stored it").click()
        assert raw not in page.content()
        page.get_by_role("link", name="Revoke", exact=True).click()
        page.get_by_label("Reason").fill("a test")
        page.get_by_role("button", name="Revoke").click()
        page.get_by_text("is revoked").wait_for()
        assert not window.troubles
    assert ApiKey.objects.get(name="Looker").revoked_reason == "a test"
