"""Every table of a page as CSV: `?format=csv` in addition to the filters of its address."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.text import slugify

from apikeys.cells import BYTE_ORDER_MARK, cell
from visibility.pages.frame import Visit


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a page by its name in addresses; `rows` are made only when somebody wants them."""

    name: str
    columns: Sequence[str]
    rows: Callable[[], Iterable[Sequence[Any]]]


def wanted(visit: Visit, *tables: Table) -> HttpResponse | None:
    """The table that the address wants as CSV: the one that `table` names, else the first; None: the page itself."""
    if visit.query.get("format") != "csv":
        return None
    table = next((each for each in tables if each.name == visit.query.get("table")), tables[0])
    response = HttpResponse(_text(table), content_type="text/csv; charset=utf-8")
    name = f"{slugify(visit.brand.name) or 'brand'}-{table.name}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def table_address(request: HttpRequest, name: str) -> str:
    """The address of a table as CSV, with the filters of the page that is open."""
    query = request.GET.copy()
    query["format"], query["table"] = "csv", name
    return f"?{query.urlencode()}"


def _text(table: Table) -> str:
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_ALL)
    writer.writerow(table.columns)
    writer.writerows([cell(value) for value in row] for row in table.rows())
    return BYTE_ORDER_MARK + file.getvalue()
