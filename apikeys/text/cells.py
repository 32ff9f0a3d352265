"""Values as cells of CSV files, which people open in spreadsheets: nothing that others wrote is calculated there."""

import json
import re
import unicodedata
from typing import Any

_SIGNS = frozenset("=+-@\u2212")
"""What begins a formula, in any of its widths; and the minus sign of typesetters."""
_SKIPPED = frozenset("\t\r\n")
"""What some programs cut off at the beginning, or begin a new cell or line at."""
_SEPARATORS = re.compile(r"([;\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029])")
"""Where spreadsheets may begin another cell: many countries' split at semicolons, also within what commas set off."""


def cell(value: Any) -> str:
    """A JSON value as the text of a cell: null is empty, truth as in JSON, numbers as they are, lists and objects as
    JSON without a bare semicolon, and texts as they are but for an apostrophe before what a spreadsheet would
    calculate."""
    if value is None:
        return ""
    if isinstance(value, str):
        return defused(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace(";", r"\u003b")


def defused(text: str) -> str:
    """The text, with an apostrophe wherever a spreadsheet could take what follows for a formula: at the beginning and
    behind what may separate cells, before a sign, quotes, blanks and what cannot be seen passed over."""
    parts = ("'" + part if _begins_formula(part) else part for part in _SEPARATORS.split(text))
    return ("'" if text[:1] in _SKIPPED else "") + "".join(parts)


def _begins_formula(text: str) -> bool:
    for letter in text:
        if letter != '"' and unicodedata.category(letter)[0] not in "ZC":
            return unicodedata.normalize("NFKC", letter)[0] in _SIGNS
    return False
