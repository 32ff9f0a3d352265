"""Files to rows: what is accepted, and how each bad line is named."""

import csv
import io
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.imports.conftest import NOW, jsonl, record, rows
from visibility.engines.protocol import Source
from visibility.services.imports.reader import MAX_LINE, BadLine, read_answers
from visibility.services.imports.rows import BadRow, ImportedAnswer, parse_row, without_closing_lines


def test_a_line_becomes_an_answer():
    [row] = rows(jsonl(record(topic="anvils", extra="ignored")))
    assert row == ImportedAnswer(
        prompt="what is the best anvil?",
        engine="chatgpt",
        sample=1,
        time=datetime(2025, 5, 24, 10, tzinfo=UTC),
        text="Rival makes the best anvil.",
        citations=(Source("https://review.example/anvils"),),
        topic="anvils",
    )


@pytest.mark.parametrize(
    ("changes", "field", "value"),
    [
        ({"sample": ...}, "sample", 1),
        ({"sample": "7"}, "sample", 7),
        ({"engine": " Google AI  Mode "}, "engine", "google-ai-mode"),
        ({"prompt": " what \n is\u00a0it? "}, "prompt", "what is it?"),
        ({"prompt": "cafe\u0301\u202e"}, "prompt", "café"),
        ({"time": "2025-05-24T23:30:00-02:00"}, "time", datetime(2025, 5, 25, 1, 30, tzinfo=UTC)),
        ({"time": "2025-05-24 10:00:00.123456789z"}, "time", datetime(2025, 5, 24, 10, 0, 0, 123456, UTC)),
        ({"text": "one\r\ntwo"}, "text", "one\ntwo"),
        ({"text": ""}, "text", ""),
        ({"topic": None}, "topic", ""),
        ({"citations": None}, "citations", ()),
        ({"citations": [{"url": "https://a.example", "title": " A\nB "}, {"title": "no url"}]}, "citations",
         (Source("https://a.example", "A B"), Source("", "no url"))),
        ({"citations": "https://a.example/x;y https://b.example"}, "citations",
         (Source("https://a.example/x;y"), Source("https://b.example"))),
        ({"citations": "https://a.example;https://b.example;\n"}, "citations",
         (Source("https://a.example"), Source("https://b.example"))),
        ({"citations": '["https://a.example", {"url": "https://b.example"}]'}, "citations",
         (Source("https://a.example"), Source("https://b.example"))),
    ],
)  # fmt: skip
def test_forms_that_are_accepted(changes, field, value):
    [row] = rows(jsonl(record(**changes)))
    assert getattr(row, field) == value


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"prompt": ...}, "prompt is missing"),
        ({"text": None}, "text is missing"),
        ({"prompt": "  "}, "prompt is empty"),
        ({"prompt": "\u200b"}, "prompt is empty"),
        ({"prompt": "x" * 2001}, "2,001 characters"),
        ({"prompt": ["x"]}, "prompt is not a string"),
        ({"engine": "a/b"}, "engine is not"),
        ({"engine": "é"}, "engine is not"),
        ({"engine": "x" * 65}, "engine is not"),
        ({"engine": "Local Search"}, "own"),
        ({"sample": 0}, "sample is not"),
        ({"sample": -1}, "sample is not"),
        ({"sample": 1.5}, "sample is not"),
        ({"sample": True}, "sample is not"),
        ({"sample": "\u0661"}, "sample is not"),
        ({"sample": 10**15}, "sample is not"),
        ({"time": "yesterday"}, "write it like 2025-05-24T15:56:04Z"),
        ({"time": 1748102400}, "time is not a string"),
        ({"time": "2025-05-24T10:00:00"}, "time has no zone"),
        ({"time": "2025-02-30T10:00:00Z"}, "does not exist"),
        ({"time": "0001-01-01T00:00:00+14:00"}, "does not exist"),
        ({"time": "2025-06-03T10:00:00Z"}, "in the future"),
        ({"time": "1999-12-31T23:59:59Z"}, "before the year 2000"),
        ({"time": "\u0662\u0660\u0662\u0665-05-24T10:00:00Z"}, "RFC 3339"),
        ({"text": "a\0b"}, "U+0000"),
        ({"text": "x" * 500_001}, "500,001 characters"),
        ({"citations": {"url": "x"}}, "citations is not a list"),
        ({"citations": [5]}, "neither a URL nor"),
        ({"citations": ["x"] * 1001}, "1,001 entries"),
        ({"citations": "see the web"}, "not an http"),
        ({"citations": "[not json"}, "JSON list"),
        ({"topic": "x" * 201}, "201 characters"),
        ({"topic": 5}, "topic is not a string"),
    ],
)
def test_bad_fields_are_named_with_their_line(changes, reason):
    _, bad, good = rows(jsonl(record(), record(**changes), record()))
    assert isinstance(bad, BadLine) and bad.line == 2
    assert reason in bad.reason
    assert isinstance(good, ImportedAnswer)


def test_half_of_a_surrogate_pair_is_refused():
    with pytest.raises(BadRow, match=r"U\+D800"):
        parse_row(record(text="\ud800"), NOW)
    [bad] = rows(json.dumps(record(text="\ud800")).encode())
    assert isinstance(bad, BadLine)


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"{}\n{", 2, "not JSON"),
        (b"{}\n5\n", 2, "not a JSON object"),
        (b'{}\n{"prompt": NaN}', 2, "not JSON"),
        (b"{}\n" + b"[" * 100_000, 2, "not JSON"),
        (b"{}\n\n\n\xff\xfe{}\n", 4, "not UTF-8"),
        (b"{}\n" + b"x" * (MAX_LINE + 1) + b"\n", 2, "longer than 4 MB"),
        ("{}".encode("utf-16"), 1, "not UTF-8"),
        (b'[\n{"prompt": "x"}]', 1, "one object per line"),
        (b"hello\n", 1, "header lacks prompt, engine, time, text"),
        (b"prompt,engine,time\n", 1, "header lacks text"),
        (b"prompt,engine,time,text,Text\n", 1, "names text twice"),
        (b'"prompt\n', 1, "header of the CSV file cannot be read"),
    ],
)
def test_bad_lines_are_named_by_number(content, line, reason):
    bad = rows(content)[-1]
    assert (bad.line, reason in bad.reason) == (line, True), bad


def test_lines_behind_a_bad_line_are_read():
    content = b"\n" + jsonl(record()) + b"\xff\n" + b"x" * (MAX_LINE + 10) + b"\n" + jsonl(record(sample=2))
    good, invalid, huge, last = rows(content)
    assert (good.sample, invalid.line, huge.line, last.sample) == (1, 3, 4, 2)


def test_an_empty_file_has_no_rows():
    assert rows(b"") == rows(b"\n \n") == []


def test_byte_order_mark_and_missing_last_line_break():
    assert len(rows(b"\xef\xbb\xbf" + jsonl(record(), record(sample=2)).rstrip())) == 2


def as_csv(records, **options):
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(records[0]), **options)
    writer.writeheader()
    for each in records:
        writer.writerow(each | {"citations": json.dumps(each["citations"])})
    return out.getvalue().encode("utf-8-sig")


RECORDS = [
    record(text='Two lines,\nwith "quotes"; and commas.\n\n- ünïcode'),
    record(sample=2, topic="x", text=" leading and trailing ") | {"citations": []},
]


@pytest.mark.parametrize("options", [{}, {"delimiter": ";"}, {"delimiter": "\t"}, {"quoting": csv.QUOTE_ALL}])
def test_csv_and_json_lines_give_the_same_rows(options):
    records = [each | {"topic": each.get("topic", "")} for each in RECORDS]
    assert rows(as_csv(records, **options)) == rows(jsonl(*records))


def test_bad_csv_records_are_named_by_their_first_line():
    header = b"prompt,engine,time,text\n"
    good = b"p,e,2025-05-24T10:00:00Z,t\n"
    two_lines = b'p,e,2025-05-24T10:00:00Z,"t\nu"\n'
    content = header + two_lines + b"p,e\n" + good + b'p,e,"2025"x,t\n' + good + b'p,e,t,"open\n'
    first, short, second, quotes, third, unclosed = rows(content)
    assert (first.text, second.text, third.text) == ("t\nu", "t", "t")
    assert (short.line, quotes.line, unclosed.line) == (4, 6, 8)
    assert "2 fields, the header 4" in short.reason


def test_the_interface_below_an_answer_is_not_the_answer():
    answer = "Buy an anvil. Your feedback helps us."
    closing = (
        "AI responses may include mistakes. Learn moreThank youYour feedback helps Google improve. "
        "See our Privacy Policy.Share more feedbackReport a problemClose"
    )
    assert without_closing_lines(answer) == answer
    assert without_closing_lines(answer + closing) == answer
    assert without_closing_lines(f"{answer}\u00a0Map data ©2025 GoogleTerms2 km{closing}") == answer
    assert without_closing_lines(closing + "\n" + answer) == closing + "\n" + answer


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_no_content_breaks_the_reader(content):
    for row in read_answers(io.BytesIO(content), NOW):
        assert isinstance(row, BadLine | ImportedAnswer)


@given(st.dictionaries(st.sampled_from([*record(), "topic"]), st.text(max_size=30) | st.integers() | st.none()))
def test_no_field_breaks_the_reader(changes):
    [row] = rows(json.dumps(record() | changes).encode())
    assert isinstance(row, BadLine | ImportedAnswer)
