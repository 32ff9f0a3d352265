"""The answers are taken along as a table that a spreadsheet reads: every row, and nothing that it calculates."""

import csv
from pathlib import Path

from tests.browser.acting import add_brand, open_brand, scan_first

FORMULA = '=HYPERLINK("http://x.example") or which tent is lightest?'
CALCULATED = tuple("=+-@\t\r\n")


def rows_of(page, name):
    """The rows of the table behind this link."""
    with page.expect_download() as downloading:
        page.get_by_role("main").get_by_role("link", name=name, exact=True).click()
    path = Path(downloading.value.path())
    assert downloading.value.suggested_filename.endswith(".csv")
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def test_the_answers_are_taken_along(desk):
    page = open_brand(desk, "Norrvik Cycles", "Runs")
    runs = rows_of(page, "Runs as CSV")
    answers = rows_of(page, "Answers as CSV")
    measured = [run for run in runs if run["kind"] == "visibility" and run["status"] == "succeeded"]
    assert len(answers) == sum(int(run["progress.done"]) for run in measured) > 2_000
    assert {row["engine"] for row in answers} >= {"local-search", "local-search-recent"}
    assert not [cell for row in answers for cell in row.values() if cell.startswith(CALCULATED)]


def test_a_prompt_that_looks_like_a_formula_is_a_text_in_the_table(desk, provider):
    add_brand(desk, "Tarn Tents", "tarn-tents.example", "tents")
    scan_first(desk, FORMULA)
    page = open_brand(desk, "Tarn Tents", "Prompts")
    assert [row["text"] for row in rows_of(page, "Prompts as CSV")] == [f"'{FORMULA}"]
    assert len(rows_of(page, "Answers as CSV")) == 3
