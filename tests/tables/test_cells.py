"""A cell holds what the API says, and nothing that a spreadsheet calculates."""

import math
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
    assert cell(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["a=b", "Acme", "1-2", "'=1", "<script>", "[1]", "…-", "é", "好", "0.5", ""], ids=ascii
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


@given(st.text())
def test_no_text_begins_as_a_formula(text):
    """Whatever is blank or cannot be seen is passed over, as spreadsheets do."""
    visible = cell(text).lstrip("".join(filter(lambda letter: unicodedata.category(letter)[0] in "ZC", text)))
    assert unicodedata.normalize("NFKC", visible[:1]) not in {*"=+-@\t\r\n"}
    assert cell(text).removeprefix("'") in (text, text.removeprefix("'"))


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
