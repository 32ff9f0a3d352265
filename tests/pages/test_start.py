"""The first hour: from an address to a score, step by step; nothing typed is lost, quotas refuse in words."""

import json
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from brands.models import Brand
from tests.engines.writer import scripted_writer
from tests.factories import BrandFactory, CollaboratorFactory, EngineFactory, UserFactory, plan
from tests.onboarding.sites import read_pages
from tests.people.browser import Browser, text_of
from tests.runs.conftest import SYSTEM, add_page, make_brand
from visibility.models import Answer, Cell, Prompt, PromptVersion, ProviderCall, Run, RunEngine, Topic
from visibility.pages import start_forms
from visibility.runs.services import start_scan

pytestmark = pytest.mark.django_db
HOME = """<html lang=en><title>Ring | Smart bells</title><meta property="og:site_name" content="Ring Video Doorbell">
<meta name=description content="Ring makes door bells with cameras."><h1>Bells</h1>
<a href="/compare/ring-vs-arlo">Ring vs Arlo</a><a href="https://arlo.example/">Arlo</a>"""
BELLS = """<title>Bells | Smart bells</title><h1>All bells</h1><script type="application/ld+json">
{"@type": "Product", "name": "Bell 2", "category": "Home > Video door bells"}</script>"""


@pytest.fixture
def owner():
    return UserFactory(plan=plan("free"))


def step(brand, name):
    return f"{reverse('brand-start', args=[brand.pk])}?step={name}"


def send(browser, address, **changes):
    """The form of a step with these changes; the page that follows."""
    fields = browser.form(address)
    fields.pop("prompts" if "reply" in changes else "reply", None)  # the other form of the step
    fields.update({name: value if isinstance(value, list) else [value] for name, value in changes.items()})
    return browser.client.post(address, fields, follow=True)


def drop(browser, brand, text, name="answers.jsonl", **values):
    """Import a file on the page; the page that follows."""
    token = browser.form(step(brand, "prompts"))["csrfmiddlewaretoken"]
    file = SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())
    values = {"csrfmiddlewaretoken": token, "zone": "UTC", "file": file, **values}
    return browser.client.post(reverse("brand-import", args=[brand.pk]), values, follow=True)


def answers(number=2):
    """Lines of a file of answers that mention Ring."""
    line = {"engine": "chatgpt", "time": "2026-01-01T10:00:00Z", "text": "Ring Video Doorbell is good."}
    return "\n".join(
        json.dumps({"prompt": f"Which bell, wish {each}?", "topic": "bells", **line}) for each in range(number)
    )


def test_the_address_alone_makes_a_brand_whose_site_is_read(owner):
    browser = Browser(owner)
    page = send(browser, "/brands/add", domain="https://www.ring-bells.example/shop")
    brand = Brand.objects.get()
    assert (brand.domain, brand.name) == ("ring-bells.example", "Ring Bells")
    assert "All pages of ring-bells.example count as yours" in text_of(page)
    assert "ring-bells.example is being read." in text_of(page)
    [run] = Run.objects.filter(kind="audit")
    assert run.total == 8


def test_nobody_reads_a_site_unasked(owner):
    fields = {**Browser(owner).form("/brands/add"), "domain": ["ring.example"]}
    del fields["reads"]
    browser = Browser(owner)
    fields["csrfmiddlewaretoken"] = browser.form("/brands/add")["csrfmiddlewaretoken"]
    page = text_of(browser.client.post("/brands/add", fields, follow=True))
    assert "You and your market" in page and not Run.objects.exists()


def test_without_credits_people_go_on_by_hand(owner):
    owner.own_credits_per_month = 0
    owner.save()
    page = text_of(send(Browser(owner), "/brands/add", domain="ring.example"))
    assert "The site is not read." in page and "More topics, one a line" in page


def test_what_the_site_says_is_proposed_with_its_place(owner):
    browser, brand = Browser(owner), BrandFactory(owner=owner, name="Ring", domain="ring.example")
    read_pages(brand, {"https://ring.example/": HOME, "https://ring.example/bells": BELLS})
    page = browser.open(step(brand, "about"))
    fields, text = browser.form(step(brand, "about")), text_of(page)
    assert fields["name"] == ["Ring Video Doorbell"] and "From og:site_name of /." in text
    assert "Ring makes door bells with cameras." in fields["description"][0]
    assert fields["topics"] == ["Video door bells"] and "category in the data of /bells" in text
    assert (fields["rival0-name"], fields["rival0-domain"]) == (["Arlo"], ["arlo.example"])
    assert "“Ring vs Arlo” on /" in text


def test_what_is_ticked_is_stored_and_the_rest_is_not(owner):
    browser, brand = Browser(owner), BrandFactory(owner=owner, name="Ring", domain="ring.example")
    read_pages(brand, {"https://ring.example/": HOME, "https://ring.example/bells": BELLS})
    fields = browser.form(step(brand, "about"))
    del fields["rival0-takes"]
    fields |= {"names": ["Ring"], "more_topics": "alarm systems"}
    answer = browser.client.post(step(brand, "about"), fields, follow=True)
    assert answer.redirect_chain[-1][0].endswith("?step=prompts#now")
    assert set(Topic.objects.values_list("name", "own")) == {("Video door bells", True), ("alarm systems", True)}
    assert set(brand.names.values_list("text", flat=True)) == {"Ring Video Doorbell", "Ring"}
    assert not brand.competitors.exists()


def test_a_site_that_says_nothing_proposes_nothing_and_says_so(owner):
    brand = BrandFactory(owner=owner, name="Ring", domain="ring.example")
    read_pages(brand, {"https://ring.example/": "<p>Hello</p>"})
    page = text_of(Browser(owner).open(step(brand, "about")))
    assert "No topic was found on the site." in page and "The site compares itself with nobody." in page


def test_a_site_that_cannot_be_read_says_why(owner):
    brand = BrandFactory(owner=owner, domain="ring.example")
    why = {"error_code": "site_unreachable", "error_message": "ring.example did not answer."}
    read_pages(brand, {}, status="failed", **why)
    page = text_of(Browser(owner).open(step(brand, "about")))
    assert "ring.example could not be read. ring.example did not answer. Go on by hand." in page


def test_an_engine_that_writes_adds_topics_by_quotes_and_competitors_with_sites(owner, monkeypatch):
    browser, brand = Browser(owner), BrandFactory(owner=owner, name="Ring", domain="ring.example")
    read_pages(brand, {"https://ring.example/": HOME})
    written = {
        "topics": [
            {"name": "video door bells", "quote": "door bells with cameras"},
            {"name": "garage doors", "quote": "We make garage doors"},
        ],
        "competitors": [{"name": "Eufy", "domain": "eufy.com"}, {"name": "Ring", "domain": "ring.example"}],
    }
    with scripted_writer(monkeypatch, [written]):
        fields = {**browser.form(step(brand, "about")), "suggest": "1", "more_topics": "typed by hand"}
        page = browser.client.post(step(brand, "about"), fields)
    text, html = text_of(page), page.content.decode()
    assert "“door bells with cameras” on your site, worded by" in text and "garage doors" not in text
    assert 'value="eufy.com"' in html and "not from your site" in text
    assert "typed by hand</textarea>" in html
    assert not Topic.objects.exists() and not brand.competitors.exists()


def test_a_list_of_prompts_goes_to_the_topics_whose_words_it_has(owner):
    browser, brand = Browser(owner), BrandFactory(owner=owner, name="Kryton", domain="kryton.example")
    for name in ("door bells", "security cameras"):
        Topic.objects.create(brand=brand, name=name, own=True)
    texts = "Which bell?\nIs the Kryton bell good?\nRent one?\nWhat security camera is best?"
    page = text_of(send(browser, step(brand, "prompts"), prompts=texts))
    assert dict(Prompt.objects.values_list("text", "topic__name")) == {
        "Which bell?": "door bells",
        "Is the Kryton bell good?": "door bells",
        "Rent one?": "Rent one?",
        "What security camera is best?": "security cameras",
    }
    assert "1 of your prompts names you. Such prompts never count." in page


def test_an_empty_list_of_prompts_is_no_step(owner):
    brand = BrandFactory(owner=owner)
    answer = send(Browser(owner), step(brand, "prompts"), prompts="")
    assert answer.status_code == 400 and "Write at least one prompt" in text_of(answer)


def test_examples_of_form_are_not_taken_over(owner):
    brand = BrandFactory(owner=owner)
    browser = Browser(owner)
    assert 'placeholder="Which … is best for …?' in browser.open(step(brand, "prompts")).content.decode()
    assert browser.form(step(brand, "prompts"))["prompts"] == [""]


def test_prompts_are_suggested_with_boxes_and_not_added_by_that(owner, monkeypatch):
    browser, brand = Browser(owner), BrandFactory(owner=owner, description="Door bells for flats.")
    Topic.objects.create(brand=brand, name="door bells", own=True)
    written = ["Which bell works without a cable?", "Which bell is loud?"]
    good = {"prompts": [{"text": text, "topic": "door bells"} for text in written]}
    with scripted_writer(monkeypatch, [good]):
        page = send(browser, step(brand, "prompts"), suggest="1", prompts="Typed before?")
    html = page.content.decode()
    assert html.count('name="suggested"') == html.count("checked") == 2 and "Typed before?</textarea>" in html
    assert not Prompt.objects.exists()
    token = browser.form(step(brand, "prompts"))["csrfmiddlewaretoken"]
    kept = {"csrfmiddlewaretoken": token, "suggested": f"door bells\n{written[1]}", "prompts": ""}
    browser.client.post(step(brand, "prompts"), kept)
    assert list(Prompt.objects.values_list("text", "topic__name")) == [(written[1], "door bells")]


def test_first_prompts_are_what_an_assistant_wrote_as_far_as_it_passes(owner):
    browser, brand = Browser(owner), BrandFactory(owner=owner, name="Ring", domain="ring.example")
    Topic.objects.create(brand=brand, name="door bells", own=True)
    reply = "1. Which bell works without a cable?\n2. Is a Ring bell good at night?"
    page = text_of(send(browser, step(brand, "prompts"), reply=reply))
    assert "1 prompt added." in page and "Not added: 1." in page and "it names a brand" in page
    assert dict(Prompt.objects.values_list("text", "topic__name")) == {
        "Which bell works without a cable?": "door bells"
    }


def test_a_file_of_answers_gives_a_score_at_once(owner):
    browser, brand = Browser(owner), BrandFactory(owner=owner, name="Ring Video Doorbell", domain="ring.example")
    page = drop(browser, brand, answers(2))
    assert "2 answers added; 2 prompts added." in text_of(page)
    assert "AI answers mention you in 100 %" in text_of(page) and "See your brand" in text_of(page)


def test_the_same_file_again_adds_nothing(owner):
    browser, brand = Browser(owner), BrandFactory(owner=owner)
    drop(browser, brand, answers(2))
    assert "0 answers added, 2 were there already" in text_of(drop(browser, brand, answers(2)))


@pytest.mark.parametrize(
    ("text", "values", "sentence"),
    [
        (
            '{"prompt": "a?"}\n',
            {},
            "Line 1: lacks engine, time, text; it has prompt. Say which one is meant: engine=NAME",
        ),
        (answers(1) + '\n{"prompt":"a?","engine":"x","time":"yesterday","text":"y"}', {}, "Line 2: time"),
        (b"\xff\xfe\x00", {}, "The file is not UTF-8."),
        ("", {}, "The submitted file is empty."),
        (answers(1), {"zone": "Mars"}, "There is no such time zone."),
        (answers(1), {"columns": "text"}, "has another form than text=Response"),
        (answers(1), {"kind": "excel"}, "excel is not one of the available choices"),
        (answers(11), {}, "allows 10"),
    ],
)
def test_a_file_that_cannot_be_imported_says_what_to_do(owner, text, values, sentence):
    brand = BrandFactory(owner=owner)
    answer = drop(Browser(owner), brand, text, **values)
    assert answer.status_code == 400 and sentence in text_of(answer)
    assert not Answer.objects.exists() and not Prompt.objects.exists()


def test_a_file_is_bounded(owner, monkeypatch):
    monkeypatch.setattr(start_forms, "LARGEST_FILE", 10)
    answer = drop(Browser(owner), BrandFactory(owner=owner), answers(1))
    assert answer.status_code == 400 and "Split it." in text_of(answer)


def test_columns_that_are_called_otherwise_are_named(owner):
    text = "Question;Response;Model;Date\nBest bikes?;Kryton.;ChatGPT;24.01.2026 00:30\n"
    columns = "prompt=Question\ntext=Response\nengine=Model\ntime=Date"
    page = drop(Browser(owner), BrandFactory(owner=owner), text, "a.csv", columns=columns, zone="Europe/Berlin")
    assert "1 answer added" in text_of(page)


def test_no_page_asks_people_for_a_shell(owner):
    brand = BrandFactory(owner=owner)
    for name in ("about", "prompts", "scan"):
        assert "manage.py" not in text_of(Browser(owner).open(step(brand, name)))


def test_a_scan_is_started_followed_and_leads_on():
    brand = make_brand(prompts=2, samples=1)
    add_page(brand)
    browser = Browser(brand.owner)
    assert "A scan 2 answers · 2 credits · no charge" in text_of(browser.open(step(brand, "scan")))
    token = browser.form(step(brand, "scan"))["csrfmiddlewaretoken"]
    followed = browser.client.post(step(brand, "scan"), {"csrfmiddlewaretoken": token, "verb": "start"}, follow=True)
    assert "0 of 2 answers" in text_of(followed) and 'data-poll="4"' in followed.content.decode()
    Run.objects.update(status="succeeded", done=2)
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
        Cell.objects.create(**place, version=version, mentioned=number > 0, named=False)
    done = text_of(browser.open(step(brand, "scan")))
    assert "AI answers mention you in 50 %" in done and "See your brand" in done and "Audit your site" in done
    browser.client.post(step(brand, "scan"), {"csrfmiddlewaretoken": token, "verb": "weekly"})
    brand.refresh_from_db()
    assert brand.cadence == "weekly"


def test_how_often_a_prompt_is_asked_changes_what_a_scan_costs():
    brand = make_brand(prompts=2, samples=1)
    add_page(brand)
    browser = Browser(brand.owner)
    token = browser.form(step(brand, "scan"))["csrfmiddlewaretoken"]
    values = {"csrfmiddlewaretoken": token, "verb": "samples", "samples": "2"}
    assert "A scan 4 answers" in text_of(browser.client.post(step(brand, "scan"), values, follow=True))
    wrong = browser.client.post(step(brand, "scan"), {**values, "samples": ""})
    assert wrong.status_code == 400 and "Give a number." in text_of(wrong)


@pytest.mark.parametrize(
    ("cost", "words"), [(Decimal("0.007"), "about $0.42"), (None, "price of ChatGPT not known yet")]
)
@pytest.mark.parametrize("page", ["first hour", "settings"])
def test_the_cost_of_a_scan_is_shown_before_it_starts(monkeypatch, cost, words, page):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    brand = make_brand(prompts=20, samples=3)
    EngineFactory(name="chatgpt", preset="openai", model="m", is_enabled=True)
    if cost is not None:
        ProviderCall.objects.create(engine="chatgpt", account="a", outcome="answered", cost=cost)
    address = step(brand, "scan") if page == "first hour" else reverse("brand-settings", args=[brand.pk])
    assert f"60 answers · 60 credits · {words}" in text_of(Browser(brand.owner).open(address))


def test_a_step_that_was_left_is_taken_up_again_where_it_was(owner):
    browser, brand = Browser(owner), BrandFactory(owner=owner)
    address = reverse("brand-start", args=[brand.pk])
    for there, title in (("", "You and your market"), ("door bells", "Your prompts")):
        if there:
            Topic.objects.create(brand=brand, name=there, own=True)
        assert re.search(r"<h2>\d · ([\w ]+)</h2>", browser.open(address).content.decode())[1] == title
    browser.open(step(brand, "nothing"), status=404)


def test_an_address_that_is_none_stays_in_its_form(owner):
    refused = send(Browser(owner), "/brands/add", name="Kryton <b>", domain="nonsense", description="Locks")
    html = refused.content.decode()
    assert refused.status_code == 400 and "is not a domain" in text_of(refused)
    assert 'value="nonsense"' in html and 'value="Kryton &lt;b&gt;"' in html and "Locks</textarea>" in html


def test_a_plan_that_is_full_says_so(owner):
    BrandFactory(owner=owner)
    second = send(Browser(owner), "/brands/add", domain="other.example")
    assert second.status_code == 400 and "allows 1" in text_of(second)


def test_prompts_above_the_plan_are_refused_together_and_stay(owner):
    brand = BrandFactory(owner=owner)
    texts = "\n".join(f"Question {number}?" for number in range(11))
    many = send(Browser(owner), step(brand, "prompts"), prompts=texts)
    assert many.status_code == 400 and "allows 10" in text_of(many) and "Question 10?" in many.content.decode()
    assert not Prompt.objects.exists()


def test_competitors_are_stored_together_or_not_at_all_and_stay(owner):
    brand = BrandFactory(owner=owner)
    rivals = {
        "rival0-name": "Arlo",
        "rival0-domain": "arlo.example",
        "rival1-name": "Nest",
        "rival1-domain": "nonsense",
    }
    bad = send(Browser(owner), step(brand, "about"), **rivals)
    html = bad.content.decode()
    assert bad.status_code == 400 and 'value="Nest"' in html and 'value="arlo.example"' in html
    assert "is not a domain" in text_of(bad) and not brand.competitors.exists()


def test_a_competitor_without_a_site_is_asked_for_it(owner):
    brand = BrandFactory(owner=owner)
    page = send(Browser(owner), step(brand, "about"), **{"rival0-name": "Arlo"})
    assert page.status_code == 400 and "Give its site, or untick it." in text_of(page)


def test_too_many_topics_are_refused(owner):
    brand = BrandFactory(owner=owner)
    long = send(Browser(owner), step(brand, "about"), more_topics="\n".join(f"topic {each}" for each in range(101)))
    assert long.status_code == 400 and "101 topics are more than 100" in text_of(long)


def test_topics_without_prompts_go_when_they_are_no_longer_named(owner):
    browser, brand = Browser(owner), BrandFactory(owner=owner)
    send(browser, step(brand, "about"), more_topics="bells\nbells\ncafe\u0301 chairs")
    send(browser, step(brand, "prompts"), prompts="Which bell?")
    send(browser, step(brand, "about"), topics=[], more_topics="locks")
    assert set(Topic.objects.values_list("name", flat=True)) == {"bells", "locks"}


def test_a_name_that_is_a_word_is_said_once_and_stops_nobody(owner):
    browser, brand = Browser(owner), BrandFactory(owner=owner, name="Ring")
    page = send(browser, step(brand, "about"), name="Ring")
    assert page.redirect_chain[-1][0].endswith("?step=prompts#now")
    assert text_of(page).count("plain language, too") == 1


def test_who_may_only_look_is_led_to_the_brand(owner):
    brand = BrandFactory(owner=owner)
    viewer = CollaboratorFactory(brand=brand, role="viewer").user
    browser = Browser(viewer)
    answer = browser.open(step(brand, "about"), status=302)
    assert answer["Location"] == reverse("brand", args=[brand.pk])
    Browser(UserFactory()).open(step(brand, "about"), status=404)


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
    values = {"csrfmiddlewaretoken": token, "verb": "start"}
    words = text_of(browser.client.post(address, values, follow=True))
    assert "every answer would repeat one of today" in words and "last hour" not in words


def test_the_first_step_says_that_nobody_can_be_asked_yet(owner):
    page = Browser(owner).open("/brands/add")
    assert "No AI engine can be asked yet." in text_of(page)


def test_robots_txt_refuses_all_crawlers(client):
    assert "Disallow: /" in client.get("/robots.txt").content.decode()
