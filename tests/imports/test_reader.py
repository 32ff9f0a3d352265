"""Files of answers: what is accepted, and how a bad line is named."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.imports.reader import BadLine, ImportedAnswer, read_answers

GOOD = {"prompt": "Best bike?", "engine": "ChatGPT", "time": "2026-01-02T23:30:00-02:00", "text": "Acme.\r\nRival."}


def read(text):
    return list(read_answers(io.StringIO(text)))


def read_one(**changed):
    record = {name: value for name, value in {**GOOD, **changed}.items() if value is not ...}
    [row] = read(json.dumps(record))
    return row


def test_a_line_becomes_an_answer_with_its_time_in_utc_and_one_form_of_names():
    row = read_one(
        prompt="  Best \n bike? ", citations=["https://a.example", {"url": "https://b.example", "title": "B"}]
    )
    assert (row.prompt, row.engine, row.sample) == ("Best bike?", "chatgpt", 1)
    assert row.time.isoformat() == "2026-01-03T01:30:00+00:00"
    assert row.text == "Acme.\nRival."
    assert [(source.url, source.title) for source in row.citations] == [
        ("https://a.example", ""),
        ("https://b.example", "B"),
    ]


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"prompt": ...}, "prompt"),
        ({"prompt": "x" * 2_001}, "prompt"),
        ({"engine": "a/b"}, "engine"),
        ({"time": "2026-01-02T10:00:00"}, "timezone"),
        ({"time": "1999-01-02T10:00:00Z"}, "2000"),
        ({"time": "2999-01-02T10:00:00Z"}, "future"),
        ({"text": 5}, "text"),
        ({"text": "a\0b"}, "U+0000"),
        ({"sample": 0}, "sample"),
        ({"citations": 5}, "citations"),
        ({"citations": [5]}, "citations.0"),
        ({"surface": "tv"}, "surface"),
    ],
)
def test_a_bad_line_says_which_field_is_wrong(changed, named):
    row = read_one(**changed)
    assert isinstance(row, BadLine)
    assert named in row.reason


def test_bad_lines_are_named_by_their_numbers_and_reading_goes_on():
    rows = read("\n".join([json.dumps(GOOD), "", "{not json", "[1]", json.dumps(GOOD)]))
    assert [row.line for row in rows if isinstance(row, BadLine)] == [3, 4]
    assert sum(isinstance(row, ImportedAnswer) for row in rows) == 2


def test_csv_is_read_whatever_it_separates_by_and_cells_hold_many_addresses():
    for separator in (",", ";", "\t"):
        header = separator.join(["Prompt", "engine", "time", "text", "citations"])
        cells = [
            "Best bike?",
            "chatgpt",
            "2026-01-02T10:00:00Z",
            '"two\nlines"',
            '"https://a.example https://b.example"',
        ]
        [row] = read(f"\ufeff{header}\n{separator.join(cells)}\n")
        assert row.text == "two\nlines"
        assert [source.url for source in row.citations] == ["https://a.example", "https://b.example"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("prompt,engine,text\nx,y,z\n", "lacks time"),
        ("[]", "one JSON array"),
        ("prompt,engine,time,text\na,b,c,d,e\n", "5 cells"),
        ('prompt,engine,time,text\n"a,b', "cannot be read"),
    ],
)
def test_a_file_that_is_no_table_says_so(text, reason):
    [bad] = read(text)
    assert reason in bad.reason


def test_an_empty_file_has_no_rows():
    assert read("") == read(" \n\n") == []


@given(st.text(max_size=200))
def test_any_text_gives_rows_or_bad_lines(text):
    for row in read(text):
        assert isinstance(row, ImportedAnswer | BadLine)
