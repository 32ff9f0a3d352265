"""Tables of data on a page, and what stands for one: a grid of repeated rows of a label and a value without
markup."""

from collections.abc import Iterator

from lxml import html

from visibility.audit.page import Table
from visibility.audit.parse.document import Document, text_of

MIN_ROWS = 3
"""Rows that make a grid a table."""
MAX_TABLES = 200
MAX_LABEL, MAX_VALUE = 60, 120
MAX_QUOTE = 200


def tables(page: Document) -> tuple[Table, ...]:
    """The tables of data (of at least two rows and columns; those that only lay out are none), and the grids."""
    marked = []
    for element in page.root.iter("table"):
        if _lays_out(element) or page.place(element) in ("navigation", "footer"):
            continue
        if table := _marked_up(element):
            marked.append(table)
        if len(marked) == MAX_TABLES:
            break
    grids = [table for element in page.root.iter("div", "section", "ul") if (table := _grid(page, element))]
    return tuple(marked + grids[: MAX_TABLES - len(marked)])


def _lays_out(table: html.HtmlElement) -> bool:
    """Whether a table only puts things side by side: it says so, or holds another, a form or headings."""
    if table.get("role") in ("presentation", "none"):
        return True
    return next(table.iter("form", "h1", "h2", "nav"), None) is not None or table.find(".//table") is not None


def _marked_up(table: html.HtmlElement) -> Table | None:
    rows = [[cell for cell in row if cell.tag in ("td", "th")] for row in table.iter("tr")]
    rows = [cells for cells in rows if cells]
    columns = max((len(cells) for cells in rows), default=0)
    if len(rows) < 2 or columns < 2:
        return None
    headers = sum(
        cell.tag == "th" or cell.get("role") in ("columnheader", "rowheader") for row in rows for cell in row
    )
    quote = " | ".join(text_of(cell) for cell in rows[0])[:MAX_QUOTE]
    return Table(table.sourceline or 0, len(rows), columns, headers, True, quote)


def _grid(page: Document, element: html.HtmlElement) -> Table | None:
    """A parent whose children are built alike and each hold a short label and a short value."""
    rows = [child for child in element if isinstance(child.tag, str)]
    if len(rows) < MIN_ROWS or len({(row.tag, row.get("class")) for row in rows}) > 2:
        return None
    pairs = [pair for row in rows if (pair := _pair(row))]
    if len(pairs) < MIN_ROWS or len(pairs) < len(rows) * 0.8 or len({label for label, _ in pairs}) < len(pairs):
        return None
    if page.place(element) in ("navigation", "footer"):
        return None
    quote = "; ".join(f"{label} {value}" for label, value in pairs)[:MAX_QUOTE]
    return Table(element.sourceline or 0, len(pairs), 2, 0, False, quote)


def _pair(row: html.HtmlElement) -> tuple[str, str] | None:
    if row.tag not in ("div", "li"):
        return None
    parts = list(_leaves(row))
    if len(parts) != 2 or next(row.iter("a", "button", "input", "img"), None) is not None:
        return None
    label, value = parts
    if not (0 < len(label) <= MAX_LABEL and 0 < len(value) <= MAX_VALUE):
        return None
    return (label, value) if label.endswith(":") or any(sign.isdigit() for sign in value) else None


def _leaves(row: html.HtmlElement) -> Iterator[str]:
    """The texts of a row's two parts, where it has exactly two elements and no text of its own."""
    children = [child for child in row if isinstance(child.tag, str)]
    while len(children) == 1 and not (row.text or "").strip():
        row, children = children[0], [child for child in children[0] if isinstance(child.tag, str)]
    if len(children) == 2 and not (row.text or "").strip() and len(children[0]) < 3 and len(children[1]) < 3:
        yield from (text for child in children if (text := text_of(child)))
