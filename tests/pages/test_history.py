"""History: two days compared, a running scan that is cancelled, why answers failed, and the table as CSV."""

import csv
import io
import json
from datetime import date

import pytest
from django.urls import reverse

from apikeys.accounts.operators import system_caller
from apikeys.language import day_words
from tests.factories import (
    BrandFactory,
    ChangeRecordFactory,
    CollaboratorFactory,
    EngineFactory,
    RunFactory,
    UserFactory,
)
from tests.people.browser import Browser, text_of
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Answer, DailyScore, Prompt, PromptVersion, Run, Topic
from visibility.pages.tags import MINUS

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return UserFactory()


@pytest.fixture
def fallen(owner):
    """A brand that all answers of one day mention and none of the next, on seven topics, except on one."""

    def line(day, topic, wording):
        is_named = day == 1 or topic == 0
        text = f"{'Kryton' if is_named else 'Velmora'} is a good choice."
        prompt = (
            f"which lock for {('doors', 'bikes', 'boats', 'vans', 'sheds', 'safes', 'tents')[topic]}, wish {wording}?"
        )
        fields = {"prompt": prompt, "topic": f"topic {topic}", "engine": "chatgpt", "text": text}
        return json.dumps({**fields, "time": f"2026-01-0{day}T10:00:00Z"})

    lines = [line(day, topic, wording) for day in (1, 2) for topic in range(7) for wording in range(3)]
    new = NewBrand(owner, "Kryton", "kryton.example", competitors=[("Velmora", "velmora.example")])
    return import_answers(system_caller("command:test"), brand=new, file=io.StringIO("\n".join(lines))).brand


def page(brand, **query):
    query = "&".join(f"{key}={value}" for key, value in query.items())
    return f"{reverse('brand-history', args=[brand.pk])}?{query}"


def test_two_days_are_compared_as_every_day_is_with_the_day_before(owner, fallen):
    browser = Browser(owner)
    words = text_of(browser.open(page(fallen, a="2026-01-02", b="2026-01-01")))
    stored = DailyScore.objects.get(brand=fallen, date="2026-01-02", competitor=None).change
    assert stored["verdict"] == "moved" and "a clear change" in words
    assert f"100 % → 14 % · {MINUS}{abs(stored['delta']):.0f} points on the prompts of both days" in words
    assert "topic 1" in words and "of 21" in words
    for a, b, sentence in (
        ("2026-01-02", "2026-01-05", f"{day_words(date(2026, 1, 5))} was not measured. Choose two measured days."),
        ("2026-01-02", "2026-01-02", "Choose two measured days."),
        ("2026-02-31", "x", "First day"),
    ):
        assert sentence in text_of(browser.open(page(fallen, a=a, b=b))), (a, b)


def test_the_chart_says_what_its_line_and_its_dots_are(owner, fallen):
    words = text_of(Browser(owner).open(page(fallen)))
    assert "The line counts the seven days up to each day" in words and "Dots are single days." in words


def test_days_that_asked_other_prompts_are_not_compared_and_say_why(owner, fallen):
    lines = [
        json.dumps(
            {"prompt": f"other {n}?", "topic": "t", "engine": "chatgpt", "text": "x", "time": "2026-01-03T10:00:00Z"}
        )
        for n in range(12)
    ]
    import_answers(system_caller("command:test"), brand=fallen.pk, file=io.StringIO("\n".join(lines)))
    words = text_of(Browser(owner).open(page(fallen, a="2026-01-01", b="2026-01-03")))
    assert "these days cannot be compared" in words and "% →" not in words
    assert "Too few of the first day's prompts were asked again." in words


def test_a_running_scan_is_cancelled_by_who_may_and_shows_why_answers_failed(owner):
    brand, engine = BrandFactory(owner=owner), EngineFactory(name="chatgpt")
    run = RunFactory(brand=brand, status=Run.Status.RUNNING, done=30, failed=2, score=None, finished_at=None)
    prompt = Prompt.objects.create(
        brand=brand, topic=Topic.objects.create(brand=brand, name="t"), text="x?", digest="d"
    )
    version = PromptVersion.objects.create(prompt=prompt, number=1, text="x?")
    fields = {"run": run, "brand": brand, "prompt": prompt, "version": version, "engine": engine, "surface": "api"}
    for place in (1, 2):
        failed = {"state": Answer.State.FAILED, "error_code": "rate_limited"}
        Answer.objects.create(**fields, **failed, day=run.created_at.date(), sample=place, position=place)
    browser, viewer = Browser(owner), Browser(CollaboratorFactory(brand=brand, role="viewer").user)
    words = text_of(browser.open(page(brand)))
    assert "Scan under way" in words and "30 of 150 done" in words and "ChatGPT: rate limited (2)" in words
    assert "Cancel it" not in text_of(viewer.open(page(brand)))
    cancel = reverse("brand-cancel", args=[brand.pk])
    token = {"csrfmiddlewaretoken": browser.form(page(brand))["csrfmiddlewaretoken"]}
    assert browser.client.post(cancel, {**token, "id": "x"}).status_code == 404
    answer = browser.client.post(cancel, {**token, "id": str(run.pk)}, follow=True)
    run.refresh_from_db()
    assert run.status == "cancelled" and "Cancelled. What was answered stays" in text_of(answer)
    done = RunFactory(brand=brand)
    late = browser.client.post(cancel, {**token, "id": str(done.pk)}, follow=True)
    assert "has ended already" in text_of(late)


def test_the_scans_are_a_table_for_spreadsheets_too(owner):
    brand = BrandFactory(owner=owner)
    RunFactory(brand=brand, status="failed", score=None, error_code="x", error_message="=HYPERLINK(1)")
    response = Browser(owner).open(page(brand, format="csv", table="scans"))
    text = b"".join(response) if response.streaming else response.content
    head, row = csv.reader(io.StringIO(text.decode("utf-8-sig")))
    assert dict(zip(head, row, strict=True))["problem"] == "'=HYPERLINK(1)"


def test_a_scan_whose_answers_repeat_those_of_the_day_says_how_many(owner):
    brand = BrandFactory(owner=owner)
    RunFactory(brand=brand, done=58, total=58, repeated=58)
    assert "58 of 58 answers repeat those of the same day" in text_of(Browser(owner).open(page(brand)))
    Run.objects.update(repeated=0)
    assert "repeat those" not in text_of(Browser(owner).open(page(brand)))


@pytest.mark.parametrize(
    ("state", "words"), [("holds", "lasts"), ("recovered", "recovered"), ("went_on", "went further")]
)
def test_each_state_of_a_change_has_its_word(owner, fallen, state, words):
    ChangeRecordFactory(brand=fallen, began=date(2026, 1, 2), state=state)
    shown = text_of(Browser(owner).open(page(fallen)))
    assert [each for each in ("lasts", "recovered", "went further") if each in shown] == [words]
