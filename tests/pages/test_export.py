"""Everything of a brand in one file: which tables, whose, over how long, and nothing that a spreadsheet would run."""

import csv
import io
import re
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import CollaboratorFactory, RecommendationFactory, UserFactory
from tests.pages.test_share import address_of
from tests.pages.worlds import small_brand
from tests.people.browser import Browser, text_of
from visibility.models import Answer, DayNote, Mention
from visibility.pages import export

pytestmark = pytest.mark.django_db
TABLES = ["days", "prompts", "answers", "mentions", "citations", "recommendations", "competitors", "notes", "scans"]


@pytest.fixture
def brand(brand):
    DayNote.objects.create(brand=brand, day="2026-01-02", text="=A campaign")
    RecommendationFactory(brand=brand, subject="=1+1", evidence=[{"kind": "page", "text": "@SUM(1)"}])
    return brand


def page(brand):
    return reverse("brand-export", args=[brand.pk])


def tables_in(answer):
    """The rows of each table of the file, by name."""
    assert answer["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(b"".join(answer))) as archive:
        assert archive.testzip() is None
        texts = {name.removesuffix(".csv"): archive.read(name).decode("utf-8-sig") for name in archive.namelist()}
    return {name: list(csv.DictReader(io.StringIO(text, newline=""))) for name, text in texts.items()}


def test_the_settings_lead_to_a_file_with_every_table_over_the_whole_history(brand):
    browser = Browser(brand.owner)
    assert page(brand) in browser.open(reverse("brand-settings", args=[brand.pk])).content.decode()
    answer = browser.open(page(brand))
    assert answer["Content-Disposition"] == 'attachment; filename="kryton.zip"'
    tables = tables_in(answer)
    assert list(tables) == TABLES
    assert {name: len(rows) for name, rows in tables.items() if name != "recommendations"} == {
        "days": 2,
        "prompts": 8,
        "answers": 16,
        "mentions": Mention.objects.count(),
        "citations": 32,
        "competitors": 1,
        "notes": 1,
        "scans": 2,
    }
    assert [row["date"] for row in tables["days"]] == ["2026-01-01", "2026-01-12"]


def test_mentions_and_citations_lead_to_their_answer(brand):
    tables = tables_in(Browser(brand.owner).open(page(brand)))
    answers = {row["id"]: row for row in tables["answers"]}
    assert set(answers) == {str(pk) for pk in Answer.objects.values_list("pk", flat=True)}
    for row in (*tables["mentions"], *tables["citations"]):
        assert row["answer"] in answers
    first = tables["mentions"][0]
    start, end = int(first["start"]), int(first["end"])
    assert answers[first["answer"]]["text"][start:end] == (first["competitor"] or "Kryton")


def test_no_cell_is_run_by_a_spreadsheet(brand):
    for rows in tables_in(Browser(brand.owner).open(page(brand))).values():
        for row in rows:
            for value in row.values():
                assert not re.match(r"[=+@\t\r]|-(?!\d+(\.\d+)?$)", value), value


def test_it_holds_nothing_of_other_brands(brand):
    other = small_brand(UserFactory())
    tables = tables_in(Browser(brand.owner).open(page(brand)))
    theirs = {str(pk) for pk in Answer.objects.filter(brand=other).values_list("pk", flat=True)}
    assert theirs and not theirs & {row["id"] for row in tables["answers"]}
    assert not theirs & {row["answer"] for row in (*tables["mentions"], *tables["citations"])}


def test_only_who_sees_the_brand_takes_it(brand):
    viewer = CollaboratorFactory(brand=brand, role="viewer").user
    assert tables_in(Browser(viewer).open(page(brand)))
    Browser(UserFactory()).open(page(brand), status=404)
    assert Client().get(page(brand)).status_code == 302
    Client().get(address_of(brand))
    assert Client().get(f"{address_of(brand)}/export.zip").status_code == 404


def test_a_process_makes_few_at_once_and_says_so(brand):
    for _ in range(export.MOST_AT_ONCE):
        assert export._turns.acquire(blocking=False)
    try:
        refused = Browser(brand.owner).client.get(page(brand), follow=True)
    finally:
        for _ in range(export.MOST_AT_ONCE):
            export._turns.release()
    assert "Try again in a minute." in text_of(refused)


def test_a_file_that_fails_gives_its_turn_back(brand, monkeypatch):
    def fail(*given):
        raise OSError("no space left")

    monkeypatch.setattr(export, "write_archive", fail)
    for _ in range(export.MOST_AT_ONCE + 1):
        with pytest.raises(OSError):
            Browser(brand.owner).client.get(page(brand))


def test_what_is_compressed_is_not_compressed_again(brand):
    browser = Browser(brand.owner)
    for address in (page(brand), reverse("brand-chart", args=[brand.pk])):
        answer = browser.client.get(address, headers={"accept-encoding": "gzip"})
        assert "Content-Encoding" not in answer
        assert int(answer["Content-Length"]) == len(b"".join(answer))


def test_asking_for_the_head_alone_brings_no_body(brand):
    answer = Browser(brand.owner).client.head(page(brand))
    assert answer.status_code == 200 and b"".join(answer) == b"" and int(answer["Content-Length"]) > 1_000
