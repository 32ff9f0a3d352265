"""The first hour: from a site to a scan, step by step; nothing typed is lost, quotas refuse in words."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from brands.models import Brand
from tests.engines.writer import scripted_writer
from tests.factories import BrandFactory, CollaboratorFactory, UserFactory, plan
from tests.people.browser import Browser, text_of
from tests.runs.conftest import SYSTEM, add_page, make_brand
from visibility.models import Cell, Page, Prompt, PromptVersion, Run, RunEngine, Topic
from visibility.runs.services import start_scan

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return UserFactory(plan=plan("free"))


def step(brand, name):
    return f"{reverse('brand-start', args=[brand.pk])}?step={name}"


def send(browser, address, **changes):
    """The form of a step with these changes; the page that follows."""
    fields = browser.form(address)
    fields.update({name: value if isinstance(value, list) else [value] for name, value in changes.items()})
    return browser.client.post(address, fields, follow=True)


def test_a_person_comes_from_a_site_to_a_scan_that_can_be_followed(owner):
    browser = Browser(owner)
    page = send(browser, "/brands/add", name="Ring", domain="https://www.ring.example/shop", description="Door bells")
    brand = Brand.objects.get()
    assert "All pages of ring.example count as yours" in text_of(page)
    assert (brand.domain, brand.description) == ("ring.example", "Door bells")
    names = text_of(browser.open(step(brand, "names")))
    assert "“Ring” is plain language, too." in names
    send(browser, step(brand, "names"), aliases="Ring Video Doorbell")
    send(browser, step(brand, "topics"), topics="door bells\nsecurity cameras\n")
    assert set(Topic.objects.values_list("name", "own")) == {("door bells", True), ("security cameras", True)}
    rivals = {"competitor": ["Arlo", "", ""], "domain": ["arlo.example", "", ""]}
    send(browser, step(brand, "competitors"), **rivals)
    asked = text_of(browser.open(step(brand, "prompts")))
    assert "Ask an assistant this" in asked and "Door bells" in asked and "security cameras" in asked
    texts = ["Which bell?\nIs the Ring Video Doorbell good?", "Rent one?"]
    page = text_of(send(browser, step(brand, "prompts"), topic=["door bells", ""], prompts=texts))
    assert dict(Prompt.objects.values_list("text", "topic__name")) == {
        "Which bell?": "door bells",
        "Is the Ring Video Doorbell good?": "door bells",
        "Rent one?": "Rent one?",
    }
    assert "1 of your prompts names you. Such prompts never count." in page
    assert "No answer engine can be asked for this brand" in page and "import_answers answers.jsonl" in page
    Page.objects.create(brand=brand, url="https://ring.example/", text="Which bell rings? Ring rings.")
    assert "A scan 9 credits" in text_of(browser.open(step(brand, "scan")))
    send(browser, step(brand, "scan"), samples="1")
    assert "A scan 3 credits" in text_of(browser.open(step(brand, "scan")))
    browser.client.post(
        step(brand, "scan"), {"csrfmiddlewaretoken": browser.form(step(brand, "scan"))["csrfmiddlewaretoken"]}
    )
    followed = browser.open(step(brand, "scan"))
    assert "0 of 3 answers" in text_of(followed) and followed["Refresh"]
    assert "Refresh" not in browser.open(f"{step(brand, 'scan')}&still=1")
    Run.objects.update(status="succeeded", done=3)
    [run], [asked] = Run.objects.all(), RunEngine.objects.all()
    place = {
        "brand": brand,
        "run": run,
        "day": run.day,
        "engine": asked.engine,
        "surface": asked.surface,
        "answers": 1,
    }
    for number, version in enumerate(PromptVersion.objects.order_by("pk")):
        Cell.objects.create(**place, version=version, mentioned=number > 0, named=number == 2)
    done = browser.open(step(brand, "scan"))
    assert "AI answers mention you in 50 %" in text_of(done) and "Refresh" not in done
    assert "2 answers to 2 prompts on" in text_of(done)
    send(browser, step(brand, "scan"), cadence="weekly")
    brand.refresh_from_db()
    assert brand.cadence == "weekly"
    assert "6 of 6 done" in text_of(browser.open(reverse("brand-start", args=[brand.pk])))


def test_a_step_that_was_left_is_taken_up_again_where_it_was(owner):
    browser, brand = Browser(owner), BrandFactory(owner=owner)
    address = reverse("brand-start", args=[brand.pk])
    for there, title in (("", "Your names"), ("door bells", "Your competitors")):
        if there:
            Topic.objects.create(brand=brand, name=there, own=True)
        assert re.search(r"<h2>\d · ([\w ]+)</h2>", browser.open(address).content.decode())[1] == title
    browser.open(step(brand, "nothing"), status=404)


def test_what_was_typed_survives_a_refusal_and_a_quota_says_what_is_too_much(owner):
    browser = Browser(owner)
    refused = send(browser, "/brands/add", name="Kryton <b>", domain="nonsense", description="Locks")
    assert refused.status_code == 400 and "is not a domain" in text_of(refused)
    html = refused.content.decode()
    assert 'value="nonsense"' in html and 'value="Kryton &lt;b&gt;"' in html and ">Locks<" in html
    brand = BrandFactory(owner=owner)
    second = send(browser, "/brands/add", name="Other", domain="other.example", description="")
    assert second.status_code == 400 and "allows 1" in text_of(second), text_of(second)
    texts = "\n".join(f"Question {number}?" for number in range(11))
    many = send(browser, step(brand, "prompts"), topic="", prompts=texts)
    assert many.status_code == 400 and "allows 10" in text_of(many) and "Question 10?" in many.content.decode()
    assert not Prompt.objects.exists()
    rivals = {"competitor": ["Arlo", "Nest", ""], "domain": ["arlo.example", "nonsense", ""]}
    bad = send(browser, step(brand, "competitors"), **rivals)
    assert (
        bad.status_code == 400
        and 'value="Nest"' in bad.content.decode()
        and 'value="arlo.example"' in bad.content.decode()
    )
    assert not brand.competitors.exists(), "all or none"
    long = send(browser, step(brand, "topics"), topics="\n".join(f"topic {number}" for number in range(101)))
    assert long.status_code == 400 and "101 topics are more than 100" in text_of(long)


def test_first_prompts_are_what_an_assistant_wrote_as_far_as_it_passes(owner):
    browser, brand = Browser(owner), BrandFactory(owner=owner, name="Ring", domain="ring.example")
    Topic.objects.create(brand=brand, name="door bells", own=True)
    reply = "1. Which bell works without a cable?\n2. Is a Ring bell good at night?"
    page = text_of(send(browser, step(brand, "prompts"), reply=reply))
    assert "1 prompt added." in page and "Not added: 1." in page and "it names a brand" in page
    assert dict(Prompt.objects.values_list("text", "topic__name")) == {
        "Which bell works without a cable?": "door bells"
    }


def test_first_prompts_are_suggested_by_the_engine_that_writes_and_not_added_by_that(owner, monkeypatch):
    browser, brand = Browser(owner), BrandFactory(owner=owner, description="Door bells for flats.")
    Topic.objects.create(brand=brand, name="door bells", own=True)
    good = {"prompts": [{"text": "Which bell works without a cable?", "topic": "door bells"}]}
    with scripted_writer(monkeypatch, [good]):
        page = send(browser, step(brand, "prompts"), suggest="1")
    assert "Which bell works without a cable?</textarea>" in page.content.decode()
    assert not Prompt.objects.exists()


def test_topics_without_prompts_go_when_they_are_no_longer_named(owner):
    browser, brand = Browser(owner), BrandFactory(owner=owner)
    send(browser, step(brand, "topics"), topics="bells\nbells\ncafe\u0301 chairs")
    send(browser, step(brand, "prompts"), topic="bells", prompts="Which bell?")
    send(browser, step(brand, "topics"), topics="locks")
    assert set(Topic.objects.values_list("name", flat=True)) == {"bells", "locks"}


def test_who_may_only_look_is_led_to_the_brand(owner):
    brand = BrandFactory(owner=owner)
    viewer = CollaboratorFactory(brand=brand, role="viewer").user
    browser = Browser(viewer)
    answer = browser.open(step(brand, "names"), status=302)
    assert answer["Location"] == reverse("brand", args=[brand.pk])
    Browser(UserFactory()).open(step(brand, "names"), status=404)


@pytest.mark.parametrize("door", ["first hour", "settings"])
def test_a_scan_that_could_only_repeat_is_refused_with_the_reason(door):
    brand, now = make_brand(prompts=2, samples=1), timezone.now()
    add_page(brand, stored_at=now - timedelta(hours=3))
    run = start_scan(SYSTEM, brand_id=brand.pk, trigger=Run.Trigger.WEB).run
    run.answers.update(state="answered", text="Acme.")
    done = {"status": "succeeded", "done": 2, "day": now.date(), "created_at": now - timedelta(hours=2)}
    Run.objects.filter(pk=run.pk).update(**done)
    browser = Browser(brand.owner)
    address = step(brand, "scan") if door == "first hour" else reverse("brand-scan", args=[brand.pk])
    token = browser.form(reverse("brand-settings", args=[brand.pk]))["csrfmiddlewaretoken"]
    words = text_of(browser.client.post(address, {"csrfmiddlewaretoken": token}, follow=True))
    assert "every answer would repeat one of today" in words and "last hour" not in words


def test_a_name_that_is_a_word_goes_on_where_the_site_says_what_it_sells(owner):
    browser = Browser(owner)
    send(browser, "/brands/add", name="Acme", domain="acme.example", description="Door bells")
    page = send(browser, step(Brand.objects.get(), "names"), aliases="Ring")
    assert page.redirect_chain[-1][0].endswith("?step=topics#now") and "plain language, too" in text_of(page)


def test_the_first_step_says_that_nobody_can_be_asked_yet(owner):
    page = Browser(owner).open("/brands/add")
    assert "No AI engine can be asked yet." in text_of(page)


def test_robots_txt_refuses_all_crawlers(client):
    assert "Disallow: /" in client.get("/robots.txt").content.decode()
