"""Cells of CSV files for spreadsheets: nothing in them that a spreadsheet would run."""

import json
import re
from typing import Any

BYTE_ORDER_MARK = "\ufeff"
"""By which spreadsheets know UTF-8."""
# Spreadsheets run what begins so, with the wide forms of these signs and behind blanks, too.
_FORMULA = re.compile(r"[\t\r]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")


def cell(value: Any) -> str:
    """A value as a cell: empty for null, numbers plain, lists as JSON; what begins like a formula, as text."""
    match value:
        case None:
            return ""
        case bool() | list() | dict():
            return json.dumps(value, ensure_ascii=False)
        case str() if _FORMULA.match(value):
            return f"'{value}"
    return str(value)
