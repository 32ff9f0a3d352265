"""Files of answers: what is accepted, and how a bad line is named."""

import io
import json
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.detection import find_citations
from visibility.imports.reader import ImportedAnswer, Reading, read_answers
from visibility.imports.tables import LONGEST_LINE, BadLine

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
        ({"engine": "千问"}, "such as chatgpt"),
        ({"engine": "x" * 51}, "50 characters"),
        ({"time": "2026-01-02T10:00:00"}, "timezone"),
        ({"time": "1999-01-02T10:00:00Z"}, "2000"),
        ({"time": "2999-01-02T10:00:00Z"}, "future"),
        ({"text": 5}, "text"),
        ({"text": "a\0b"}, "U+0000"),
        ({"sample": 0}, "sample"),
        ({"citations": 5}, "citations"),
        ({"citations": [5]}, "citations.0"),
        ({"citations": [{"url": "https://a.com/\0"}]}, "citations.0: the address contains U+0000"),
        (
            {"citations": ["https://a.com", {"link2": "x", "title": "y"}]},
            "citations.1 has no url; it has link2, title",
        ),
        ({"citations": [{"a": "https://a.com", "b": "https://b.com"}]}, "several addresses (a, b)"),
        ({"citations": "Kryton https://a.com Zentra https://b.com"}, "Kryton Zentra"),
        ({"citations": ["report.pdf"]}, "report.pdf"),
        ({"citations": ["http://localhost/a"]}, "no web address"),
        ({"surface": "tv"}, "give app (or web), api or imported"),
        ({"time": "05/06/2026 10:00"}, "2026-06-05 or 2026-05-06"),
        ({"time": "2026-05-24 15:56 CEST"}, "CEST"),
        ({"time": "last week"}, "no time"),
        ({"country": "EMEA"}, "two letters"),
        ({"language": "Klingon!"}, "no language"),
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
        ("prompt,text,engine,time,Text\na,b,c,d,e\n", "the column “text” twice"),
        ('{"prompt":"a","Prompt":"b"}', "“prompt” is there twice"),
        (
            '{\n "query": "x",\n "answer": {"text": "y"}\n}',
            "it has query, answer. Say which one is meant: prompt=NAME",
        ),
        ("prompt,engine,time,text\na,b,c,d,e\n", "5 cells"),
        ('prompt,engine,time,text\n"a,b', "cannot be read"),
    ],
)
def test_a_file_that_is_no_table_says_so(text, reason):
    [bad] = read(text)
    assert reason in bad.reason


def test_an_empty_file_has_no_rows():
    assert read("") == read(" \n\n") == []


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just("https://a.com/x"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["time", "text", "citations", "sources", "country", "language", "engine", "surface", "Sample"]
)


@given(st.dictionaries(FIELDS, VALUES))
def test_any_value_of_a_field_gives_an_answer_or_a_bad_line(changed):
    for text in (json.dumps({**GOOD, **changed}), json.dumps([{**GOOD, **changed}])):
        [row] = read(text)
        assert isinstance(row, ImportedAnswer | BadLine)


@given(st.text(max_size=200))
def test_any_text_gives_rows_or_bad_lines(text):
    for row in read(text):
        assert isinstance(row, ImportedAnswer | BadLine)


@pytest.mark.parametrize(
    ("citations", "urls"),
    [
        ("https://a.com/x,https://b.com/y,z", ["https://a.com/x", "https://b.com/y,z"]),
        ("https://a.com/x, https://b.com/y;https://c.com", ["https://a.com/x", "https://b.com/y", "https://c.com"]),
        (
            "1. https://a.com\n2) https://b.com\n• <https://c.com>",
            ["https://a.com", "https://b.com", "https://c.com"],
        ),
        ("[1] https://a.com [2] https://b.com", ["https://a.com", "https://b.com"]),
        ("a.com; www.b.co.uk/x,c.de", ["https://a.com", "https://www.b.co.uk/x", "https://c.de"]),
        ("['https://a.com', 'https://b.com']", ["https://a.com", "https://b.com"]),
        ("{https://a.com,https://b.com}", ["https://a.com", "https://b.com"]),
        ("A: https://a.com/x_(y)", ["https://a.com/x_(y)"]),
        ("None", []),
        (["www.a.com/x", "b.com"], ["https://www.a.com/x", "https://b.com"]),
        ([{"title": "A", "link": "https://a.com", "source": "A"}], ["https://a.com"]),
        ([{"web": {"uri": "https://a.com", "title": "A"}}], ["https://a.com"]),
        ([{"type": "url_citation", "url_citation": {"url": "https://a.com"}}], ["https://a.com"]),
        ([{"landing_page": "https://a.com", "favicon": "https://b.com/i.png"}], ["https://a.com"]),
        ([{"title": "A", "domain": "a.com"}], ["https://a.com"]),
        ({"1": {"url": "https://a.com"}, "2": {"url": "https://b.com"}}, ["https://a.com", "https://b.com"]),
    ],
)
def test_sources_are_read_in_every_form_that_exporters_write(citations, urls):
    assert [source.url for source in read_one(citations=citations).citations] == urls


@pytest.mark.parametrize("field", ["sources", "References", "cited_urls", "Source Links", "groundingChunks"])
def test_sources_are_found_under_their_usual_names(field):
    row = read_one(**{field: ["https://a.com"]})
    assert ([source.url for source in row.citations], row.unread) == (["https://a.com"], frozenset())


def test_a_count_of_sources_is_no_list_of_them():
    row = read_one(sources=3)
    assert (row.citations, row.unread) == ([], {"sources"})


def test_links_in_the_text_are_read_where_there_are_no_citations():
    text = """Acme ([acme.com](https://acme.com/p)), <https://b.com>, https://c.com/x_(y).
    ![p](https://pictures.com/a.png) `https://code.com` <a href="https://d.com/?a=1&amp;b=2">d</a> [1]

    [1]: https://e.com "Five"
    """
    row = read_one(text=text)
    assert row.has_links
    assert [source.url for source in row.citations] == [
        "https://acme.com/p",
        "https://b.com",
        "https://c.com/x_(y)",
        "https://d.com/?a=1&b=2",
        "https://e.com",
    ]


@pytest.mark.parametrize(
    ("written", "utc"),
    [
        ("2026-05-24 15:56:04 UTC", "2026-05-24T15:56:04+00:00"),
        ("2026-05-24 15:56:04 +0000", "2026-05-24T15:56:04+00:00"),
        ("2026-05-24", "2026-05-24T12:00:00+00:00"),
        ("24.05.2026 15:56", "2026-05-24T13:56:00+00:00"),
        ("5/24/2026, 3:56 PM", "2026-05-24T13:56:00+00:00"),
        ("2026-01-24T15:56:04.123456789", "2026-01-24T14:56:04.123456+00:00"),
        ("Sun, 24 May 2026 15:56:04 GMT", "2026-05-24T15:56:04+00:00"),
        ("May 24, 2026", "2026-05-24T12:00:00+00:00"),
        ("1779638164", "2026-05-24T15:56:04+00:00"),
    ],
)
def test_times_are_read_as_tools_write_them(written, utc):
    [row] = read_answers(io.StringIO(json.dumps({**GOOD, "time": written})), Reading(zone=ZoneInfo("Europe/Berlin")))
    assert row.time.isoformat() == utc


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"country": "uk"}, ("und-GB", "GB")),
        ({"location_name": "New York,New York,United States", "language_code": "en"}, ("en-US", "US")),
        ({"location_code": 2276}, ("und-DE", "DE")),
        ({"locale": "de_at"}, ("de-AT", "AT")),
        ({"lang": "zh-hant-tw"}, ("zh-Hant-TW", "TW")),
        ({"country": None, "locale": ""}, ("", "")),
    ],
)
def test_countries_and_languages_come_to_one_form(given, place):
    row = read_one(**given)
    assert (row.locale, row.country) == place


def test_names_of_engines_are_made_readable_and_web_is_the_app():
    names = ["openai/gpt-4o", "openai:gpt-4o", "ChatGPT (GPT-5)", "AI Overview", "google--x."]
    assert [read_one(engine=name).engine for name in names] == [
        "openai-gpt-4o",
        "openai-gpt-4o",
        "chatgpt-gpt-5",
        "ai-overview",
        "google--x.",
    ]
    assert read_one(surface="Web").surface == "app"


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\nprompt;engine;time;text\nBest?;c;2026-01-02;Acme\n",
        "Report of May,,\n\nprompt,engine,time,text\nBest?,c,2026-01-02,Acme\n",
        'prompt;engine;time;text;"a, b, c, d, e"\nBest?;c;2026-01-02;Acme;\n',
        'prompt,engine,time,text,"Citations\n(one a line)"\nBest?,c,2026-01-02,Acme,\n',
        "prompt,engine,time,text\nBest?,c,2026-01-02,Acme,,\n",
        '[\n {"Prompt": "Best?", "Engine": "c", "Time": "2026-01-02", "Text": "Acme"}\n]',
        '{\n "prompt": "Best?", "engine": "c",\n "time": "2026-01-02", "text": "Acme"\n}',
    ],
)
def test_tables_are_read_as_spreadsheets_and_tools_write_them(text):
    [row] = read(text)
    assert (row.prompt, row.text, row.citations, row.unread) == ("Best?", "Acme", [], frozenset())


def test_a_line_that_is_too_long_is_called_so_and_moves_no_number():
    long = json.dumps({**GOOD, "raw_html": "x" * LONGEST_LINE})
    rows = read("\n".join([json.dumps(GOOD), long, "{bad"]))
    assert [(row.line, row.reason[:26]) for row in rows[1:]] == [
        (2, "the line is longer than 4 "),
        (3, "the line is not JSON (Expe"),
    ]


@pytest.mark.parametrize(
    "record",
    [
        {**GOOD, "text": "", "absent": True},
        {**GOOD, "text": None, "absent": True},
        {name: value for name, value in {**GOOD, "absent": True}.items() if name != "text"},
    ],
)
def test_a_record_without_a_text_may_say_that_no_answer_was_shown(record):
    [row] = read(json.dumps(record))
    assert (row.absent, row.text) == (True, "")


def test_a_table_may_say_that_no_answer_was_shown():
    rows = read(
        "prompt,engine,time,text,absent\nA?,c,2026-01-02,,true\nB?,c,2026-01-02,Acme,false\nC?,c,2026-01-02,,"
    )
    assert [(row.absent, row.text) for row in rows] == [(True, ""), (False, "Acme"), (False, "")]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"absent": True}, "absent: says that no AI answer was shown"),
        ({"absent": "perhaps", "text": ""}, "absent: Input should be a valid boolean"),
        ({"absent": False, "text": ...}, "lacks text"),
    ],
)
def test_what_says_that_no_answer_was_shown_and_has_one_is_refused(changed, reason):
    assert read_one(**changed).reason.startswith(reason)


def test_an_answer_that_is_null_is_an_empty_one():
    assert read_one(text=None).text == ""


@pytest.mark.parametrize(
    "link", ["mailto:a@example.com", "javascript:alert(1)", "tel:+4930123", "ftp://example.com/a"]
)
def test_a_link_to_no_web_page_is_stored_and_not_counted(link):
    sources = [link, {"url": link}]
    line = {"prompt": "a", "engine": "e", "time": "2026-05-24T15:56:04Z", "text": "b", "citations": sources}
    [row] = read_answers(io.StringIO(json.dumps(line)))
    assert [each.url for each in row.citations] == [link, link]
    assert find_citations([(link, "")], {}, brand="brand") == []
