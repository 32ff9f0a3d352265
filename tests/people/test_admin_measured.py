"""The operators' desk for prompts, topics and what is measured: all of it is looked at, and nothing changed."""

import io
import json
import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import BrandFactory, UserFactory
from tests.people.browser import Browser, text_of
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Answer, ChangeRecord, DailyScore, Prompt, Run, Topic
from visibility.prompts.services import reword_prompt

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


@pytest.mark.parametrize("model", [Prompt, Topic])
def test_prompts_and_topics_are_looked_at_and_lead_to_the_page_of_the_brand(browser, brand, model):
    row = model.objects.get()
    page = f"/admin/visibility/{model._meta.model_name}/{row.pk}/change/"
    shown = browser.open(page)
    assert f"/brands/{brand.pk}/prompts" in shown.content.decode()
    assert browser.client.post(page, {"text": "Mine?", "own": "true"}).status_code == 403
    browser.open(f"/admin/visibility/{model._meta.model_name}/add/", status=403)


def test_an_answer_shows_its_prompt_its_text_and_what_was_found_in_it(browser, brand, system):
    answer = Answer.objects.get(state="answered")
    reword_prompt(system, brand_id=brand.pk, prompt_id=answer.prompt_id, text="Which bikes?")
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
