"""Values as cells of CSV files, which people open in spreadsheets: nothing that others wrote is calculated there."""

import json
import unicodedata
from typing import Any

_SIGNS = frozenset("=+-@\u2212")
"""What begins a formula, in any of its widths; and the minus sign of typesetters."""
_SKIPPED = frozenset("\t\r\n")
"""What some programs cut off at the beginning, or begin a new cell or line at."""


def cell(value: Any) -> str:
    """A JSON value as the text of a cell: null is empty, truth as in JSON, numbers as they are, lists and objects as
    JSON, and texts as they are unless a spreadsheet would calculate them: those get an apostrophe before them."""
    if value is None:
        return ""
    if isinstance(value, str):
        return defused(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def defused(text: str) -> str:
    """The text, after an apostrophe where a spreadsheet could take it for a formula: it begins with a sign, after
    blanks and what cannot be seen, too."""
    if text[:1] in _SKIPPED:
        return f"'{text}"
    for letter in text:
        if unicodedata.category(letter)[0] not in "ZC":
            return f"'{text}" if unicodedata.normalize("NFKC", letter)[0] in _SIGNS else text
    return text
