"""The operators' desk for what is measured: prompts and topics are edited, everything else is looked at."""

import io
import json
import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from brands.models import Brand
from tests.factories import BrandFactory, UserFactory, plan
from tests.people.browser import Browser, text_of
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Answer, ChangeRecord, DailyScore, Prompt, Run, Topic

pytestmark = pytest.mark.django_db
PROMPTS, TOPICS = "/admin/visibility/prompt/", "/admin/visibility/topic/"
TEXT = "Here are the best:\n\n1. **Kryton** is a <b>fine</b> bike.\n\nZentra breaks: avoid it."


@pytest.fixture
def brand(system):
    """A brand with an answer of one day and a failed one of the next."""
    lines = [
        {
            "prompt": "Best bikes?",
            "topic": "bikes",
            "engine": "chatgpt",
            "time": f"2026-01-0{day}T10:00:00Z",
            "text": text,
            "citations": [{"url": "https://kryton.example/a", "title": "About us"}, {"url": "https://b.example/"}],
        }
        for day, text in ((1, TEXT), (2, " "))
    ]
    new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=[("Zentra", "zentra.example")])
    return import_answers(system, brand=new, file=io.StringIO("\n".join(map(json.dumps, lines)))).brand


def add(browser, brand, texts, **fields):
    return browser.submit(f"{PROMPTS}add/", brand=brand.pk, texts=texts, **fields)


def test_prompts_are_pasted_one_a_line_within_the_quota_and_without_twins(browser):
    brand = BrandFactory(owner=UserFactory(plan=plan("free")))
    answer = add(browser, brand, "Best bike?\n\n best  BIKE?\nBest lock?", topic_name="city", locale="de-at")
    assert answer["Location"] == f"{PROMPTS}?brand={brand.pk}"
    assert {(prompt.text, prompt.topic.name, prompt.locale) for prompt in Prompt.objects.all()} == {
        ("Best bike?", "city", "de-AT"),
        ("Best lock?", "city", "de-AT"),
    }
    assert "Best lock?" in text_of(browser.open(answer["Location"]))
    assert "This field is required" in text_of(add(browser, brand, " \n"))
    assert "is no locale" in text_of(add(browser, brand, "Best?", locale="x"))
    refused = text_of(add(browser, brand, "\n".join(f"Best {number}?" for number in range(9))))
    assert "active prompts" in refused
    assert Prompt.objects.count() == 2


def test_a_prompt_is_reworded_moved_archived_and_restored(browser, brand):
    add(browser, brand, "Best lock?")
    prompt = Prompt.objects.get(text="Best bikes?")
    page = f"{PROMPTS}{prompt.pk}/"
    assert "has this wording" in text_of(browser.submit(f"{page}change/", text="best lock?"))
    assert browser.submit(f"{page}change/", text="Which bikes?", topic_name="city bikes").status_code == 302
    prompt.refresh_from_db()
    assert (prompt.text, prompt.topic.name, prompt.version) == ("Which bikes?", "city bikes", 2)
    words = text_of(browser.open(f"{page}change/"))
    assert "1 Best bikes?" in words and "2 Which bikes?" in words
    assert "Restore" not in words
    assert "is archived" in text_of(browser.open(browser.submit(f"{page}archive/")["Location"]))
    assert "Restore it before" in text_of(browser.submit(f"{page}change/", text="Other?"))
    assert "Which bikes?" not in text_of(browser.open(f"{PROMPTS}?archived_at__isempty=1"))
    browser.submit(f"{page}restore/")
    prompt.refresh_from_db()
    assert (prompt.text, prompt.archived_at) == ("Which bikes?", None)


def test_every_edit_that_changes_figures_defers_their_writing(browser, brand):
    prompt = Prompt.objects.get()
    page = f"{PROMPTS}{prompt.pk}/"
    for slug, fields in (("archive", {}), ("restore", {}), ("change", {"topic_name": "other"})):
        with CaptureQueriesContext(connection) as captured:
            browser.submit(f"{page}{slug}/", **fields)
        assert any("procrastinate_defer" in each["sql"] for each in captured), slug


def test_topics_are_decided_in_the_list_and_the_decision_is_taken_back(browser, brand, operator):
    add(browser, brand, "Best lock?\nBest lamp?")
    page = browser.client.get(TOPICS)
    rows = {form.instance.name: number for number, form in enumerate(page.context["cl"].formset.forms)}
    decisions = {f"form-{rows['bikes']}-own": "true", f"form-{rows['Best lamp?']}-own": "false"}
    browser.submit(TOPICS, **decisions, _save="Save")
    assert dict(Topic.objects.values_list("name", "own")) == {
        "bikes": True,
        "Best lamp?": False,
        "Best lock?": None,
    }
    assert Topic.objects.get(name="bikes").decided_by == f"user:{operator.pk}"
    assert Topic.objects.get(name="Best lock?").decided_at is None
    browser.submit(f"{TOPICS}{Topic.objects.get(name='bikes').pk}/change/", own="unknown")
    assert Topic.objects.get(name="bikes").own is None


def test_a_line_that_cannot_be_a_prompt_is_named_by_its_number(browser, brand):
    refused = text_of(add(browser, brand, "Best lamp?\nBest lock?\nBest\u200b lamps?"))
    assert "Line 3: The text contains" in refused and "drafts" not in refused


def test_what_describes_a_prompt_is_changed_without_another_wording(browser, brand):
    prompt = Prompt.objects.get()
    page = f"{PROMPTS}{prompt.pk}/change/"
    assert browser.submit(page, stage="decision", intent="comparison", persona="a commuter").status_code == 302
    prompt.refresh_from_db()
    assert (prompt.stage, prompt.intent, prompt.persona, prompt.version) == (
        "decision",
        "comparison",
        "a commuter",
        1,
    )
    browser.submit(page, stage="")
    prompt.refresh_from_db()
    assert (prompt.stage, prompt.intent) == ("", "comparison")


def test_topics_are_decided_as_the_brand_itself_proposes_and_pooling_is_undone(browser, brand):
    Brand.objects.update(description="City bikes.")
    Prompt.objects.update(text="Best city bikes?")
    topic = Topic.objects.get()
    assert "own: The description says “City bikes”." in text_of(browser.open(TOPICS))
    browser.submit(f"{TOPICS}{topic.pk}/as-proposed/")
    Topic.objects.update(pooled=True)
    words = text_of(browser.open(f"{TOPICS}{topic.pk}/change/"))
    assert "Undo pooling" in words and "Decide as proposed" not in words
    assert "1 prompts have" in text_of(browser.open(browser.submit(f"{TOPICS}{topic.pk}/undo-pooling/")["Location"]))
    assert Topic.objects.get(name="Best city bikes?").own is True


def test_an_answer_shows_its_prompt_its_text_and_what_was_found_in_it(browser, brand):
    answer = Answer.objects.get(state="answered")
    browser.submit(f"{PROMPTS}{answer.prompt_id}/change/", text="Which bikes?")
    page = browser.open(f"/admin/visibility/answer/{answer.pk}/change/")
    assert "<b>fine</b>" not in page.content.decode(), "what others wrote is text"
    words = text_of(page)
    for expected in (
        "not stated",
        "Best bikes?",
        "Kryton Kryton 1",
        "Zentra breaks: avoid it.",
        "kryton.example https://kryton.example/a About us",
        "b.example https://b.example",
    ):
        assert expected in words, expected
    run = text_of(browser.open(f"/admin/visibility/run/{answer.run_id}/change/"))
    assert "chatgpt imported 1 of 1" in run


def test_answers_are_found_by_brand_and_run_and_never_counted_to_their_end(browser, brand):
    answers = "/admin/visibility/answer/"
    run = Run.objects.get(day="2026-01-01")
    prompt = Prompt.objects.get()
    for query, expected in (
        ("", 2),
        ("?q=kryt", 2),
        ("?q=KRYTON.example", 2),
        (f"?run={run.pk}", 1),
        (f"?brand={brand.pk}&state__exact=failed", 1),
        (f"?prompt={prompt.pk}&surface__exact=app", 0),
    ):
        with CaptureQueriesContext(connection) as captured:
            page = browser.open(answers + query)
        assert f"{expected} answer" in text_of(page), query
        counts = [each["sql"] for each in captured if "COUNT" in each["sql"] and "visibility_answer" in each["sql"]]
        assert counts and all("LIMIT 10000" in sql for sql in counts), counts
        listed = [each["sql"] for each in captured if 'FROM "visibility_answer"' in each["sql"]]
        assert not any('"visibility_answer"."text"' in sql for sql in listed), "a list needs no texts"
    assert "0 answers" in text_of(browser.open(f"{answers}?q=nobody"))
    for wrong in ("?run=x", "?brand=1", "?prompt=%00"):
        assert browser.client.get(answers + wrong).status_code in (302, 400), wrong


def test_what_is_measured_is_seen_by_who_may_view_brands_and_changed_by_nobody(browser, brand, clerk):
    rows = {model: model.objects.first() for model in (Run, Answer, DailyScore)}
    pages = [f"/admin/visibility/{model._meta.model_name}/{row.pk}/change/" for model, row in rows.items()]
    for page in pages:
        assert browser.client.post(page, {"score": "100", "text": "x"}).status_code == 403, page
    views = [f"visibility.view_{model._meta.model_name}" for model in (*rows, ChangeRecord, Prompt, Topic)]
    blind, viewer = Browser(clerk(*views)), Browser(clerk(*views, "brands.view_brand"))
    for page in pages:
        blind.open(page, status=302)
        assert brand.name in text_of(viewer.open(page))
    prompt = Prompt.objects.get()
    words = text_of(viewer.open(f"{PROMPTS}{prompt.pk}/change/"))
    assert "bikes" in words and "Archive" not in words.replace("Archived", "")
    assert viewer.client.post(f"{PROMPTS}{prompt.pk}/change/", {"text": "Mine?"}).status_code == 403
    viewer.client.post(TOPICS, {"form-TOTAL_FORMS": "1", "form-0-own": "true", "_save": "Save"})
    assert Topic.objects.get().own is None


@pytest.mark.proof
def test_a_million_answers_are_listed_in_a_second(browser, brand):
    first = Answer.objects.get(state="answered")
    fields = [field.column for field in Answer._meta.concrete_fields if not field.generated and not field.primary_key]
    changed = {"sample": "n", "position": "n", "import_key": "NULL", "text": f"'{'Kryton. ' * 20}'"}
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO visibility_answer ({', '.join(fields)})"
            f" SELECT {', '.join(changed.get(field, field) for field in fields)}"
            " FROM visibility_answer, generate_series(10, 1000009) AS n WHERE id = %s",
            [first.pk],
        )
        cursor.execute("ANALYZE visibility_answer")
    other = BrandFactory(name="Other")
    for query in (
        "",
        "?p=50",
        "?q=kryton",
        "?q=other",
        f"?brand={other.pk}",
        f"?run={first.run_id}",
        f"?prompt={first.prompt_id}",
    ):
        browser.open(f"/admin/visibility/answer/{query}")
        started = time.perf_counter()
        browser.open(f"/admin/visibility/answer/{query}")
        assert time.perf_counter() - started < 1, query
