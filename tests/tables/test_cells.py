"""A cell holds what the API says, and nothing that a spreadsheet calculates."""

import json
import math
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apikeys.text.cells import cell
from apikeys.text.file_names import MAX_FILE_NAME, file_stem

FORMULAS = [
    '=HYPERLINK("https://evil.example","look")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1:A9)", "= 1", "-",
    "\t=1+1", "\r=1+1", "\n=1", "\ttext", "\rtext", "\ntext", "  =1+1", "\xa0=1", "\u3000=1", "\x00=1", "\x1f=1",
    "\u200b=1", "\ufeff=1", "\u202e=1", "\u2060\u00ad=1",
    "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20SUM(1)", "\ufe631", "\u22121",
]  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS, ids=ascii)
def test_what_a_spreadsheet_would_calculate_gets_an_apostrophe(text):
    """At the beginning of a cell, and of what becomes one where spreadsheets split at something else than commas."""
    bare = text.strip("\t\r\n")
    assert cell(text) == (f"'{text}" if bare == text or bare == "text" else f"'{text[0]}'{bare}")
    for separator in (";", "\t", "\r", "\n", "\r\n", "; ", ';"', "\u2028", ";;"):
        assert cell(f"Acme{separator}{bare}") == f"Acme{separator[0]}{_defused_after(separator, bare)}"
        assert cell(f"{separator}{bare}").endswith(_defused_after(separator, bare))


def _defused_after(separator, bare):
    """Blanks and quotes stay behind the apostrophe; a second separator begins another part."""
    rest = separator[1:]
    if bare == "text":
        return rest + bare
    return f"{rest}'{bare}" if rest in ("\n", ";") else f"'{rest}{bare}"


def test_objects_hold_no_bare_separator_and_are_read_back_as_they_were():
    value = [{"a;=1+1": "b;\t=1\n-2"}, "=3;"]
    assert not set(";\t\r\n") & set(cell(value)) and json.loads(cell(value)) == value


@pytest.mark.parametrize(
    "text",
    ["a=b", "a; b", "a\nb", "1;2", "Acme", "1-2", "'=1", "<script>", "[1]", "…-", "é", "好", "0.5", ""],
    ids=ascii,
)
def test_other_texts_stay(text):
    assert cell(text) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ""), (0, "0"), (0.0, "0.0"), (-3, "-3"), (-3.25, "-3.25"), (True, "true"), (False, "false"), ("", ""),
        (["=1", None, 2.5], '["=1",null,2.5]'), ({"a": "é"}, '{"a":"é"}'), ([], "[]"),
    ],
)  # fmt: skip
def test_null_is_empty_and_numbers_stay_numbers(value, expected):
    assert cell(value) == expected


@given(st.text(alphabet=st.characters() | st.sampled_from("=+-@;\t\r\n\"'")))
def test_no_part_of_a_text_begins_as_a_formula(text):
    """Whatever is blank or cannot be seen is passed over, as spreadsheets do."""
    unseen = "".join(letter for letter in text if unicodedata.category(letter)[0] in "ZC")
    for part in re.split("[;\t\r\n]", cell(text)):
        assert unicodedata.normalize("NFKC", part.lstrip(unseen + '"')[:1]) not in {*"=+-@"}
    assert cell(text)[:1] not in {*"\t\r\n"}
    assert cell(text).replace("'", "") == text.replace("'", "")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_read_back_as_it_was(number):
    assert math.isclose(float(cell(number)), number, rel_tol=0)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Acme & Söhne GmbH", "acme-sohne-gmbh"), ("../../etc/passwd", "etc-passwd"),
        ('a"; filename="evil.exe', "a-filename-evil-exe"), ("a\r\nSet-Cookie: x=1", "a-set-cookie-x-1"),
        ("\u202efdp.exe", "fdp-exe"), ("株式会社", ""), ("CON", "con"),
        ("A" * 500, "a" * MAX_FILE_NAME), (".", ""),
    ],
)  # fmt: skip
def test_a_file_name_holds_letters_digits_and_dashes(name, stem):
    assert file_stem(name) == stem
