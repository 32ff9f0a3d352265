"""Answers, mentions, citations and days as Parquet: a file a month, written again only where its rows changed."""

import io
import json
import tracemalloc
from copy import copy
from dataclasses import replace
from datetime import date

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pyarrow.parquet import read_metadata, read_table

from apikeys.accounts.operators import system_caller
from brands.competitors import add_competitor
from tests.factories import UserFactory
from visibility.imports.services import NewBrand, import_answers
from visibility.management import parquet
from visibility.management.commands import export as command
from visibility.scores.recount import recount
from visibility.scores.retention import delete_answers

pytestmark = pytest.mark.django_db
SYSTEM = system_caller("command:test")
TEXT = "1. **Kryton** is the best.\n2. Zentra, Avola."


def lines(*days, text=TEXT):
    row = {
        "prompt": "Best bikes?",
        "topic": "bikes",
        "engine": "chatgpt",
        "text": text,
        "citations": ["https://a.org/1"],
    }
    return io.StringIO("\n".join(json.dumps({**row, "time": f"{day}T10:00:00Z"}) for day in days))


@pytest.fixture
def brand():
    """One answer in January and one in March."""
    new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=[("Zentra", "zentra.example")])
    return import_answers(SYSTEM, brand=new, file=lines("2026-01-05", "2026-03-06")).brand


def exported(folder, **options):
    """What the command says of each file, by dataset and month."""
    out = io.StringIO()
    call_command("export", folder, format="parquet", stdout=out, **options)
    said = (line.split(": ") for line in out.getvalue().splitlines())
    return {path.removeprefix(f"{folder}/").removesuffix(".parquet"): words for path, words in said}


def rows(folder, name):
    return read_table(folder / f"{name}.parquet").to_pylist()


def test_each_month_with_answers_has_a_file_of_each_kind(brand, tmp_path):
    kinds = ("answers", "mentions", "citations", "days")
    files = {f"{kind}/{month}" for kind in kinds for month in ("2026-01", "2026-03")}
    assert set(exported(tmp_path)) == files
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")} == {
        f"{each}.parquet" for each in files
    }


def test_rows_are_those_of_the_service_and_point_to_each_other(brand, tmp_path):
    exported(tmp_path)
    [answer] = rows(tmp_path, "answers/2026-01")
    assert (answer["brand"], answer["domain"], answer["day"]) == (str(brand.pk), "kryton.example", date(2026, 1, 5))
    assert (answer["engine"], answer["surface"], answer["topic"], answer["text"]) == (
        *("chatgpt", "imported", "bikes", TEXT),
    )
    mentions = rows(tmp_path, "mentions/2026-01")
    assert {(each["answer"], each["competitor"], each["rank"]) for each in mentions} == {
        (answer["id"], None, 1),
        (answer["id"], "Zentra", 2),
    }
    [citation] = rows(tmp_path, "citations/2026-01")
    assert (citation["answer"], citation["url"], citation["citedDomain"]) == (
        answer["id"],
        "https://a.org/1",
        "a.org",
    )
    [day] = rows(tmp_path, "days/2026-01")
    assert (day["date"], day["score"], day["answers"], day["change.from"]) == (date(2026, 1, 5), 100.0, 1, None)


def test_a_file_that_is_of_today_is_passed_over(brand, tmp_path):
    exported(tmp_path)
    assert set(exported(tmp_path).values()) == {"is of today"}


def test_a_month_with_a_new_answer_is_written_again_and_the_others_are_not(brand, tmp_path):
    exported(tmp_path)
    import_answers(SYSTEM, brand=brand.pk, file=lines("2026-03-07"))
    said = exported(tmp_path)
    assert (said["answers/2026-01"], said["answers/2026-03"]) == ("is of today", "2 rows")


def test_months_are_written_again_when_their_answers_were_read_for_another_name(brand, tmp_path):
    exported(tmp_path)
    add_competitor(SYSTEM, brand_id=brand.pk, name="Avola", domain="avola.example")
    recount(brand.pk)
    said = exported(tmp_path)
    assert (said["mentions/2026-01"], said["mentions/2026-03"]) == ("3 rows", "3 rows")


def test_a_file_stays_when_its_answers_were_deleted(brand, tmp_path):
    exported(tmp_path)
    delete_answers(before=date(2026, 2, 1))
    assert "stays as it is" in exported(tmp_path)["answers/2026-01"]
    assert "answers/2026-01" not in exported(tmp_path, again=True)
    assert len(rows(tmp_path, "answers/2026-01")) == 1


def test_a_file_that_is_no_parquet_is_replaced(brand, tmp_path):
    exported(tmp_path)
    (tmp_path / "answers/2026-01.parquet").write_bytes(b"PAR1")
    assert exported(tmp_path)["answers/2026-01"] == "1 rows"


def test_an_export_that_fails_half_way_leaves_no_file(brand, tmp_path, monkeypatch):
    def fail(brands, month):
        yield from ()
        raise OSError(28, "No space left on device")

    broken = replace(parquet.DATASETS[0], rows=fail)
    monkeypatch.setattr(parquet, "DATASETS", (broken,))
    with pytest.raises(CommandError, match="No space left"):
        exported(tmp_path)
    assert not list(tmp_path.rglob("*.*"))


@pytest.mark.parametrize(
    ("options", "months"),
    [
        ({"brand": "kryton.example"}, {"2026-01", "2026-03"}),
        ({"since": date(2026, 3, 1)}, {"2026-03"}),
    ],
)
def test_brands_and_months_can_be_chosen(brand, tmp_path, options, months):
    assert {name.partition("/")[2] for name in exported(tmp_path, **options)} == months


def test_brands_of_others_are_left_out_for_an_owner(brand, tmp_path):
    assert exported(tmp_path, owner=UserFactory().email) == {}


def test_without_pyarrow_the_command_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "parquet", None)
    with pytest.raises(CommandError, match="pip install pyarrow"):
        exported(tmp_path)


def test_rows_are_held_in_memory_a_group_at_a_time(brand, tmp_path, monkeypatch):
    first = brand.answers.earliest("day")
    first.pk, first.import_key, first.text = None, None, "Kryton. " * 1_000
    copies = [copy(first) for _ in range(1_000)]
    for number, each in enumerate(copies, start=2):
        each.sample = each.position = number
    type(first).objects.bulk_create(copies, batch_size=100)
    monkeypatch.setattr(parquet, "BATCH", 50)
    monkeypatch.setattr(parquet, "DATASETS", (replace(parquet.DATASETS[0], group=50),))
    tracemalloc.start()
    exported(tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read_metadata(tmp_path / "answers/2026-01.parquet").num_rows == 1_001
    assert peak < 3_000_000, f"{peak:,} bytes for 1,000 answers of 8,000 characters"
