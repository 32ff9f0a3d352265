"""Every table as a file: whole, for those who may read the brand, with the fields of the API."""

import json
from datetime import date
from pathlib import Path
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from brands.services.competitors import add_competitor
from tests.factories import AnswerFactory, BrandFactory, CompetitorFactory, PromptFactory, RunFactory, UserFactory
from tests.pages.reading import staff
from tests.scans.history import TEXTS, ended_run
from tests.tables.reading import rows_of
from visibility.models import Answer, Citation, Mention, Run
from visibility.pages import tables
from visibility.pages.places import Places
from visibility.services.competitors.listing import competitors_of
from visibility.services.prompts.answers import MAX_TEXT
from visibility.services.reading import reporting
from visibility.services.tables import answers as paging
from visibility.services.tables.catalogue import ACCOUNT_TABLES, BRAND_TABLES
from visibility.services.tables.columns import columns_of

pytestmark = pytest.mark.django_db
NOT_MEASURED = {"changes", "suggestions", "findings", "claims", "criteria", "themes", "drafts", "searches"}
"""Of which the brand of these tests has nothing."""
_ALL_DAYS = {"first": date(1970, 1, 1), "last": date(2100, 1, 1)}


@pytest.fixture
def brand(cast, owner):
    """Two measured days with five prompts and a competitor."""
    add_competitor(owner, brand=cast.brand, name="Rival", domain="rival.example")
    prompts = [PromptFactory(brand=cast.brand, topic=f"topic {number % 2}") for number in range(len(TEXTS))]
    for day in (0, 1):
        ended_run(cast.brand, prompts, day=day)
    return cast.brand


@pytest.fixture
def table(client, cast):
    def go(name, user=cast.owner, brand=cast.brand):
        client.force_login(user)
        return client.get(reverse("table-csv", args=[brand.pk, name]))

    return go


def test_every_table_has_the_fields_of_its_resource_under_their_names_outside(table, brand):
    empty = set()
    for name, wanted in BRAND_TABLES.items():
        rows = rows_of(table(name))
        fields = {field.serialization_alias for field in wanted.resource.model_fields.values()} - {*wanted.without}
        names = columns_of(wanted.resource, wanted.without).names
        assert {column.partition(".")[0] for column in names} == fields
        assert all(list(row) == names for row in rows)
        empty |= set() if rows else {name}
    assert empty <= NOT_MEASURED


def test_the_numbers_are_those_of_the_api(table, brand, owner):
    """Null is empty, never 0; an object's fields stand in columns of their own; times are those of the API."""
    days = json.loads(reporting.trend(owner, brand_id=brand.pk, **_ALL_DAYS).model_dump_json())["trend"]
    rows = rows_of(table("trend"))
    for row, day in zip(rows, days, strict=True):
        assert row["date"] == day["date"] and float(row["score"]) == day["score"]
        assert row["low"] == "" and day["low"] is None
        assert row["change.verdict"] == ((day["change"] or {}).get("verdict") or "")
    assert [row["engine"] for row in rows_of(table("engines"))] == ["chat", "chat"]
    run = rows_of(table("runs"))[0]
    assert run["createdAt"] == "2026-03-11T12:00:00.000Z" and run["progress.total"] == "5" and run["error.code"] == ""
    rival = competitors_of(owner, brand_id=brand.pk).competitors[0]
    assert float(rows_of(table("competitors"))[0]["score"]) == rival.score


def test_answers_are_whole_with_their_question_mentions_and_citations(table, brand, monkeypatch):
    monkeypatch.setattr(paging, "PAGE", 2)
    monkeypatch.setattr(paging, "MAX_CHARACTERS", 30)
    long = "Acme is good. " + "x" * MAX_TEXT
    Answer.objects.filter(position=Answer.objects.earliest("position").position).update(text=long)
    rows = rows_of(table("answers"))
    stored = {str(answer.pk): answer for answer in Answer.objects.select_related("version")}
    assert [row["id"] for row in rows] == [
        str(pk)
        for run in Run.objects.order_by("-created_at")
        for pk in Answer.objects.filter(run=run).order_by("position").values_list("pk", flat=True)
    ]
    for row in rows:
        answer = stored[row["id"]]
        assert row["text"] == answer.text and row["question"] == answer.version.text
        assert len(json.loads(row["citations"])) == 2
    assert any(row["text"] == long for row in rows)
    assert len(rows_of(table("mentions"))) == Mention.objects.count()
    assert len(rows_of(table("citations"))) == Citation.objects.count()


def test_answers_without_text_audits_and_questions_without_an_answer_are_left_out(table, brand):
    before = len(rows_of(table("answers")))
    RunFactory(brand=brand, kind="audit")
    AnswerFactory(run=Run.objects.filter(kind="visibility").first(), state="failed", text="")
    assert len(rows_of(table("answers"))) == before


def test_more_than_pages_and_tools_list_is_in_the_files(table, brand):
    runs = [RunFactory(brand=brand, status="succeeded") for _ in range(61)]
    assert len(rows_of(table("runs"))) == len(runs) + 2
    prompts = [PromptFactory(brand=brand, topic=f"t{number}") for number in range(60)]
    urls = [[f"https://site{number}.example/x"] for number in range(60)]
    ended_run(brand, prompts, day=2, texts=["Rival."] * 60, cited=urls)
    assert len(rows_of(table("sources"))) == 60
    assert len(rows_of(table("gaps"))) == 60


def test_formulas_of_others_are_words(table, cast, brand):
    PromptFactory(brand=brand, text='=HYPERLINK("https://evil.example")', topic="＝cmd")  # noqa: RUF001
    CompetitorFactory(brand=brand, name="@SUM(1+1)", domain="at.example")
    row = next(row for row in rows_of(table("prompts")) if "HYPERLINK" in row["text"])
    assert row["text"] == '\'=HYPERLINK("https://evil.example")' and row["topic"] == "'＝cmd"  # noqa: RUF001
    assert "'@SUM(1+1)" in [row["name"] for row in rows_of(table("competitors"))]


def test_a_hostile_answer_stays_one_cell(table, brand):
    text = 'a","b\r\n=1+1\n\n| "x" | \x0b\x1c é 好 \ufeff ;\t'
    Answer.objects.update(text=text)
    assert {row["text"] for row in rows_of(table("answers"))} == {text.replace("=1+1", "'=1+1")}


@pytest.mark.parametrize("name", ["owner", "editor", "viewer"])
def test_owners_and_collaborators_read(table, cast, brand, name):
    assert rows_of(table("runs", getattr(cast, name)))


def test_staff_who_look_read_others_do_not(table, cast, brand):
    assert rows_of(table("runs", staff("view_brand")))
    assert table("runs", staff("view_user")).status_code == 404
    assert table("runs", cast.stranger).status_code == 404
    assert table("runs", cast.owner, BrandFactory()).status_code == 404


def test_nobody_reads_without_signing_in(client, brand):
    for address in (reverse("table-csv", args=[brand.pk, "runs"]), reverse("account-csv", args=["portfolio"])):
        response = client.get(address)
        assert response.status_code == 302 and response["Location"].startswith(reverse("login"))


def test_the_rows_of_other_brands_are_in_no_table(table, cast, brand):
    other = BrandFactory(owner=cast.owner, name="Other")
    prompts = [PromptFactory(brand=other, text=f"unheard {number}") for number in range(len(TEXTS))]
    ended_run(other, prompts)
    for name in BRAND_TABLES:
        mine = json.dumps(rows_of(table(name)))
        assert "unheard" not in mine and str(other.pk) not in mine


def test_the_portfolio_has_the_brands_of_the_person_alone(client, cast, brand):
    BrandFactory(name="Foreign")
    for user, names in ((cast.viewer, ["Acme"]), (UserFactory(), [])):
        client.force_login(user)
        rows = rows_of(client.get(reverse("account-csv", args=["portfolio"])))
        assert [row["name"] for row in rows] == names
        usage = rows_of(client.get(reverse("account-csv", args=["usage"])))
        assert [row["plan"] for row in usage] == ["scale"]


def test_tables_that_there_are_not(client, table, cast, brand):
    assert table("secrets").status_code == 404
    assert table("portfolio").status_code == 404
    assert client.get(reverse("account-csv", args=["runs"])).status_code == 404
    assert client.get(reverse("table-csv", args=[uuid4(), "runs"])).status_code == 404
    assert client.post(reverse("table-csv", args=[brand.pk, "runs"])).status_code == 405


@pytest.mark.parametrize(
    "name", ['"; filename="x.exe', "a\r\nX-Evil: 1", "../../x", "株式会社", "\u202egpj.exe", "=1+1"]
)
def test_the_file_is_a_download_with_a_name_that_does_no_harm(table, brand, name):
    brand.name = name
    brand.save()
    response = table("runs")
    assert rows_of(response)
    disposition = response["Content-Disposition"]
    assert disposition.startswith('attachment; filename="') and disposition.endswith('.csv"')
    stem = disposition.removeprefix('attachment; filename="').removesuffix('.csv"')
    assert stem.isascii() and stem.replace("-", "").isalnum() and "-runs-" in stem
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "X-Evil" not in response and "no-store" in response["Cache-Control"]


def test_head_reads_no_row(client, cast, brand, django_assert_max_num_queries):
    client.force_login(cast.owner)
    with django_assert_max_num_queries(5):
        response = client.head(reverse("table-csv", args=[brand.pk, "answers"]))
    assert response.status_code == 200 and "attachment" in response["Content-Disposition"]
    assert response.content == b""


def test_pages_link_to_it(cast, brand):
    link = render_to_string("visibility/_csv.html", {"brand": brand, "table": "answers"})
    assert f'href="{reverse("table-csv", args=[brand.pk, "answers"])}"' in link


@pytest.mark.parametrize("tables", [BRAND_TABLES, ACCOUNT_TABLES])
def test_no_column_stands_twice(tables):
    for table in tables.values():
        names = columns_of(table.resource, table.without).names
        assert len(set(names)) == len(names) and {*table.without} <= {
            field.serialization_alias for field in table.resource.model_fields.values()
        }


def test_the_documentation_names_every_table():
    text = Path(__file__).parents[2].joinpath("docs", "analysts.md").read_text()
    section = text.partition("## Tables as files")[2].partition("- **Columns**")[0]
    assert [name for name in (*BRAND_TABLES, *ACCOUNT_TABLES) if f"`{name}`" not in section] == []


def test_a_file_that_is_broken_off_or_never_begun_gives_its_place_back(table, brand, monkeypatch):
    """More of them than are sent at once."""
    monkeypatch.setattr(tables, "_WAIT", 0.0)
    for begun in (True, False) * 10:
        response = table("answers")
        assert response.status_code == 200
        if begun:
            next(response.streaming_content)
        for close in response._resource_closers:  # `close` itself would end the connection of this test
            close()
    assert rows_of(table("answers"))


def test_too_many_at_once_are_told_to_come_back(table, brand, cast, client, monkeypatch):
    """Of each person one file, and of all so many: a slow reader is in nobody else's way."""
    monkeypatch.setattr(tables, "_WAIT", 0.0)
    monkeypatch.setattr(tables, "_PLACES", Places(1))
    first = table("runs")
    refused = table("runs")
    assert (refused.status_code, refused["Retry-After"], refused.content.decode()) == (429, "30", tables.YOURS)
    tables._PLACES._at_once = 2
    client.force_login(cast.editor)
    assert rows_of(client.get(reverse("table-csv", args=[brand.pk, "runs"])))
    tables._PLACES._at_once = 1
    refused = client.get(reverse("table-csv", args=[brand.pk, "runs"]))
    assert (refused.status_code, refused["Retry-After"], refused.content.decode()) == (503, "30", tables.BUSY)
    assert rows_of(first) and rows_of(table("runs"))
