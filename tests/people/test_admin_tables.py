"""What rows keep as JSON: every admin shows it as tables that can be read, whatever stands in it."""

import json

import pytest
from django.contrib import admin
from django.db import models
from django.test import RequestFactory
from django.utils.html import escape

from apikeys.staff.tables import MAX_ITEMS, MAX_TEXT, as_table
from tests.factories import AnswerFactory, ApiKeyFactory, RecommendationFactory, RunFactory
from tests.pages.reading import Tags
from tests.people.browser import HTMLText, text_of

HOSTILE = "<script>alert(1)</script>"
ADMINS = [
    pytest.param(model_admin, id=model.__name__)
    for model, model_admin in sorted(admin.site._registry.items(), key=lambda item: item[0].__name__)
]


def said(value):
    reader = HTMLText()
    reader.feed(as_table(value))
    return " ".join(" ".join(reader.parts).split())


def json_fields(model):
    return {field.name for field in model._meta.get_fields() if isinstance(field, models.JSONField)}


def named_fields(fieldsets):
    for _, options in fieldsets:
        for field in options["fields"]:
            yield from [field] if isinstance(field, str) or callable(field) else field


@pytest.fixture
def asking(operator):
    request = RequestFactory().get("/admin/")
    request.user = operator
    return request


@pytest.mark.django_db
@pytest.mark.parametrize("model_admin", ADMINS)
def test_no_page_of_a_row_and_no_list_shows_bare_json(model_admin, asking):
    model = model_admin.model
    stored = json_fields(model)
    shown = set(named_fields(model_admin.get_fieldsets(asking, model())))
    assert not stored & {name for name in shown if isinstance(name, str)}
    assert not stored & set(model_admin.get_list_display(asking))
    for inline in model_admin.get_inline_instances(asking, model()):
        assert not json_fields(inline.model) & set(named_fields(inline.get_fieldsets(asking, model())))


def test_there_are_rows_with_json_to_show():
    with_json = {param.values[0].model.__name__ for param in ADMINS if json_fields(param.values[0].model)}
    assert with_json >= {"Run", "Answer", "Recommendation", "ContentDraft", "Generation", "Proof", "ApiKey"}


@pytest.mark.django_db
def test_an_answer_shows_its_sources_as_a_table_with_a_heading(browser, cast):
    source = {"url": "https://rival.example/a", "title": HOSTILE, "start": 2, "end": 157}
    answer = AnswerFactory(run__brand=cast.brand, sources=[source], searches=["which bike"])
    page = browser.open(f"/admin/visibility/answer/{answer.pk}/change/")
    markup = page.content.decode()
    assert escape(HOSTILE) in markup and HOSTILE not in markup
    assert '<th scope="col"><span dir="auto">url</span></th>' in markup
    assert "citations as the engine gave them" in text_of(page), "the help text of the field stands below it"
    assert json.dumps([source]) not in markup


@pytest.mark.django_db
def test_runs_keys_and_recommendations_show_theirs(browser, cast):
    run = RunFactory(brand=cast.brand, engines=["chat", "search"])
    recommendation = RecommendationFactory(brand=cast.brand)
    key = ApiKeyFactory(scopes=["read:sites"])
    for path, words in (
        (f"visibility/run/{run.pk}", "chat"),
        (f"visibility/recommendation/{recommendation.pk}", "Rival is the best."),
        (f"apikeys/apikey/{key.pk}", "read:sites"),
    ):
        page = browser.open(f"/admin/{path}/change/")
        assert words in text_of(page), path
        assert any(tag.get("class") == "json" for tag in Tags(page.content.decode()).all("table", "ul")), path


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({}, "none"),
        ([], "none"),
        ("  ", "none"),
        (None, "–"),
        (True, "yes"),
        (0, "0"),
        (0.25, "0.25"),
        ({"low_end": None, "": 3}, "low end – (no name) 3"),
        ([1, [2, {"a": "b"}]], "1 2 a b"),
        ([{"a": 1}, {"b": 2}], "a b 1 2"),
        ([{"a": 1}, "text"], "a 1 text"),
        ([{"a": 1}, {}], "a 1 none"),
    ],
)
def test_any_value_is_said(value, words):
    assert said(value) == words


def test_long_ones_are_cut_and_say_by_how_much():
    assert said(list(range(MAX_ITEMS + 7))).endswith(f"{MAX_ITEMS - 1} and 7 more")
    assert said([{"a": number} for number in range(MAX_ITEMS + 7)]).endswith("and 7 more")
    assert said({str(number): number for number in range(MAX_ITEMS + 7)}).endswith("and 7 more")
    assert said("x" * (MAX_TEXT + 1_234)).endswith("… and 1,234 more characters")


def nested(depth):
    value = ["core"]
    for level in range(depth):
        value = {f"level {level}": value}
    return value


def test_what_nests_too_deep_is_counted():
    assert (
        "core" in said(nested(4)) and "core" not in said(nested(5)) and "1 entry, not shown here" in said(nested(900))
    )


def test_bounded_lists_in_bounded_lists_stay_bounded():
    value = "leaf"
    for _ in range(3):
        value = [value] * MAX_ITEMS
    assert len(as_table(value)) < 500_000


@pytest.mark.parametrize("hostile", [HOSTILE, "javascript:alert(1)", '"><img src=x onerror=alert(1)>', "\u202etxt"])
def test_keys_and_texts_are_inert(hostile):
    markup = as_table([{hostile: hostile}, {hostile: [hostile]}])
    tags = Tags(markup)
    assert not tags.all("script") and not tags.all("a") and not tags.all("img")
    assert escape(hostile) in markup


def test_a_list_of_objects_with_very_many_keys_is_shown_object_by_object():
    assert 'scope="col"' not in as_table([{str(number): number for number in range(30)}])
