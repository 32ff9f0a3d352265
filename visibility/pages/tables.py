"""Every table of a page as CSV: `?format=csv` in addition to the filters of its address."""

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.text import slugify

from apikeys.cells import ENCODING, write_cells
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
    response = HttpResponse(_bytes(table), content_type="text/csv; charset=utf-8")
    name = f"{slugify(visit.brand.name) or 'brand'}-{table.name}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def table_address(request: HttpRequest, name: str) -> str:
    """The address of a table as CSV, with the filters of the page that is open."""
    query = request.GET.copy()
    query["format"], query["table"] = "csv", name
    return f"?{query.urlencode()}"


def _bytes(table: Table) -> bytes:
    file = io.StringIO()
    write_cells(file, table.columns, table.rows())
    return file.getvalue().encode(ENCODING)
