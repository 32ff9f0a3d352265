"""Tables of days and answers: what the API shows, safe to open in a spreadsheet, however many rows there are."""

import csv
import io
import json
import os
import tracemalloc

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from apikeys.accounts.operators import system_caller
from apikeys.cells import cell, write_cells
from apikeys.errors import ServiceError
from tests.factories import BrandFactory, DailyScoreFactory, UserFactory, make_key
from visibility.imports.services import NewBrand, import_answers
from visibility.management.tables import write_table
from visibility.models import Answer

pytestmark = pytest.mark.django_db
TEXT = '1. **Kryton**\n2. Zentra – "schön", says\ta rider'


def exported(command, brand, tmp_path, **options):
    """The bytes of the table, and its rows."""
    out = tmp_path / "table.csv"
    call_command(command, "--brand", brand.domain, "--out", out, **options)
    raw = out.read_bytes()
    return raw, list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))


def imported(*answers):
    lines = [
        json.dumps({"prompt": "Best bikes?", "engine": "chatgpt", "time": f"2026-01-0{day}T10:00:00Z"} | fields)
        for day, fields in enumerate(answers, start=1)
    ]
    new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=[("Zentra", "zentra.example")])
    file = io.StringIO("\n".join(lines))
    return import_answers(system_caller("command:test"), brand=new, file=file).brand


def test_each_day_is_a_row_of_what_the_api_shows(rest, tmp_path):
    brand = BrandFactory()
    DailyScoreFactory(brand=brand, score=None, low=None, high=None, comparable=None, change=None)
    DailyScoreFactory(brand=brand)
    DailyScoreFactory(brand=brand, date=None, change=None)
    raw, rows = exported("export_scores", brand, tmp_path)
    shown = rest.get(f"/brands/{brand.pk}/visibility?from=0", make_key(owner=brand.owner)[1]).json()["trend"]
    assert len(rows) == len(shown) == 2
    for row, item in zip(rows, shown, strict=True):
        change = item.pop("change") or dict.fromkeys(("from", "delta", "low", "high", "verdict", "minimumDetectable"))
        item |= {f"change.{name}": value for name, value in change.items()}
        assert row == {name: cell(value) for name, value in item.items()}
    assert (rows[0]["score"], rows[1]["score"], rows[1]["change.low"]) == ("", "41.25", "-1.2")
    assert raw.startswith(b'\xef\xbb\xbf"date","score"')


def test_each_answer_is_a_row_with_what_was_found_in_it(tmp_path):
    brand = imported(
        {
            "text": TEXT,
            "topic": "bikes",
            "citations": ["https://b.example/1", "https://b.example/2", "https://a.org"],
        },
        {"text": " "},
        {"text": "I know nothing of these.", "sample": 2, "engine": "gemini", "surface": "app"},
    )
    raw, rows = exported("export_answers", brand, tmp_path)
    first, empty, other = rows
    assert first == {
        "day": "2026-01-01",
        "engine": "chatgpt",
        "surface": "imported",
        "topic": "bikes",
        "prompt": "Best bikes?",
        "sample": "1",
        "state": "answered",
        "text": TEXT,
        "mentioned": '["Kryton", "Zentra"]',
        "rank": "1",
        "citedDomains": '["a.org", "b.example"]',
        "id": first["id"],
        "market": "",
        "country": "",
    }
    assert (empty["state"], empty["text"], empty["mentioned"], empty["rank"]) == ("failed", " ", "[]", "")
    assert (other["engine"], other["surface"], other["rank"]) == ("gemini", "app", "")
    for row in csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline="")):
        assert len(row) == len(first)


def test_no_cell_is_a_formula_and_numbers_are_plain():
    for value in ("=1+1", "+1", "-1", "@SUM(A1)", "  =1", "\t=1", "\n-x", "\u00a0=1", "\uff1d1"):
        assert cell(value) == f"'{value}"
    for value in ("- is in the middle: a-b=c", "1. Kryton", "'=1", "a@b.example"):
        assert cell(value) == (f"'{value}" if value.startswith("-") else value)
    plain = {None: "", 0: "0", -1.25: "-1.25", 100.0: "100.0", True: "true"}
    assert {value: cell(value) for value in plain} == plain
    assert cell(["é", None]) == '["é", null]'


def test_a_table_goes_to_standard_output_where_no_file_is_named(capfdbinary):
    brand = BrandFactory()
    DailyScoreFactory(brand=brand)
    call_command("export_scores", "--brand", brand.domain)
    lines = capfdbinary.readouterr().out.decode("utf-8-sig").splitlines()
    assert len(lines) == 2 and lines[0].startswith('"date"')


def test_an_export_that_fails_half_way_leaves_the_file_as_it_was(tmp_path):
    def rows():
        yield ["1"]
        raise ServiceError("internal_error", "The database went away.")

    out = tmp_path / "table.csv"
    out.write_text("of yesterday")
    with pytest.raises(ServiceError):
        write_table(out, ["number"], rows())
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("table.csv", "of yesterday")]


def test_which_brand_is_meant_has_to_be_clear(tmp_path):
    one = BrandFactory(domain="twice.example")
    other = BrandFactory(domain="twice.example")
    DailyScoreFactory(brand=other)
    with pytest.raises(CommandError, match="More than one"):
        call_command("export_scores", "--brand", one.domain)
    with pytest.raises(CommandError, match="No brand"):
        call_command("export_answers", "--brand", "none.example")
    with pytest.raises(CommandError, match="No account"):
        call_command("export_answers", "--brand", one.domain, "--owner", "nobody@example.com")
    assert len(exported("export_scores", other, tmp_path, owner=other.owner.email)[1]) == 1
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_scores", "--brand", "twice.example", "--owner", one.owner.email, "--out", tmp_path)


@pytest.mark.parametrize("number", [4_000, pytest.param(100_000, marks=pytest.mark.proof)])
def test_any_number_of_answers_is_written_in_the_same_memory(number):
    brand = imported({"text": TEXT})
    first = Answer.objects.get()
    Answer.objects.bulk_create(
        (
            Answer(
                run=first.run,
                brand=brand,
                day=first.day,
                prompt=first.prompt,
                version=first.version,
                engine=first.engine,
                surface=first.surface,
                sample=sample,
                position=sample,
                state=Answer.State.ANSWERED,
                text="Kryton. " * 250,
            )
            for sample in range(2, number + 1)
        ),
        batch_size=1_000,
    )
    tracemalloc.start()
    call_command("export_answers", "--brand", brand.domain, "--out", os.devnull)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6_000_000, f"{peak:,} bytes for {number:,} answers of 2,000 characters"


def test_headings_are_cells_too_and_invisible_signs_are_left_out():
    file = io.StringIO()
    write_cells(file, ["=SUM(A1)", "+49 Riv", "name"], [["\x1b[2Ja\u202eb", "a\nb", ["\u2066"]]])
    assert list(csv.reader(io.StringIO(file.getvalue()))) == [
        ["'=SUM(A1)", "'+49 Riv", "name"],
        ["[2Jab", "a\nb", '[""]'],
    ]
