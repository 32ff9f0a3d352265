"""What rows keep as JSON, as tables and lists that can be read: escaped, and bounded in length and depth.

The keys and texts are as they are stored, words of engines, pages and people among them: each is escaped, with a
direction of its own, and never made a link.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.contrib import admin
from django.db.models import JSONField, Model
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apikeys.text.sentences import counted

MAX_ITEMS = 50
"""Of a list or a table; what follows is counted."""
MAX_COLUMNS = 12
"""A list of objects with more keys than this is shown object by object."""
MAX_DEPTH = 5
MAX_TEXT = 2_000
MAX_VALUES = 2_000
"""Of the whole table: what nests bounded lists would still grow without bound."""
NOTHING = SafeString('<span class="quiet">none</span>')


def as_table(value: Any) -> SafeString:
    """A value as JSON has them: objects as tables of two columns, lists of like objects as tables with a heading,
    other lists as lists. Empty ones are "none", null a dash."""
    return _Tables().shown(value, 0)


def stored_as_table(field: JSONField) -> Callable[[Model], SafeString]:
    """A field for the page of one row that shows what `field` keeps there, under its own name and help text."""

    @admin.display(description=str(field.verbose_name))
    def shown(row: Model) -> SafeString:
        table = as_table(getattr(row, field.attname))
        return format_html(
            '<div class="scroll" tabindex="0" role="region" aria-label="{}">{}</div>', field.verbose_name, table
        )

    shown.__name__ = field.name
    return shown


class _Tables:
    """One table, with how many values it may still show."""

    def __init__(self) -> None:
        self._left = MAX_VALUES

    def shown(self, value: Any, depth: int) -> SafeString:
        if not isinstance(value, (dict, list)):
            self._left -= 1
            return _text(value)
        if not value:
            return NOTHING
        if depth >= MAX_DEPTH or self._left <= 0:
            return format_html(
                '<span class="quiet">{}, not shown here</span>', counted(len(value), "entry", "entries")
            )
        if isinstance(value, dict):
            return self._object(value, depth)
        columns = _columns(value)
        return self._objects(value, columns, depth) if columns else self._list(value, depth)

    def _object(self, value: Mapping[str, Any], depth: int) -> SafeString:
        rows = [
            format_html('<tr><th scope="row">{}</th><td>{}</td></tr>', _name(key), self.shown(inner, depth + 1))
            for key, inner in self._first(value.items())
        ]
        return _table(SafeString(""), rows, len(value))

    def _objects(self, value: Sequence[Mapping[str, Any]], columns: Sequence[str], depth: int) -> SafeString:
        heading = format_html_join("", '<th scope="col">{}</th>', ((_name(column),) for column in columns))
        rows = []
        for item in self._first(value):
            cells = format_html_join("", "<td>{}</td>", ((self._cell(item, name, depth),) for name in columns))
            rows.append(format_html("<tr>{}</tr>", cells))
        return _table(format_html("<thead><tr>{}</tr></thead>", heading), rows, len(value))

    def _cell(self, item: Mapping[str, Any], name: str, depth: int) -> SafeString:
        return self.shown(item[name], depth + 1) if name in item else SafeString("")

    def _list(self, value: Sequence[Any], depth: int) -> SafeString:
        items = [format_html("<li>{}</li>", self.shown(inner, depth + 1)) for inner in self._first(value)]
        if len(value) > len(items):
            items.append(format_html('<li class="quiet">{}</li>', _rest(len(value) - len(items))))
        return format_html('<ul class="json">{}</ul>', _together(items))

    def _first(self, values: Any) -> Any:
        """The first of them, until the whole table has enough."""
        for place, value in enumerate(values):
            if place >= MAX_ITEMS or (place and self._left <= 0):
                return
            yield value


def _columns(value: Sequence[Any]) -> Sequence[str]:
    """The keys of a list of objects in the order of their first appearance; none where it is no such list."""
    if not all(isinstance(item, dict) and item for item in value):
        return ()
    columns = list(dict.fromkeys(key for item in value for key in item))
    return columns if len(columns) <= MAX_COLUMNS else ()


def _table(heading: SafeString, rows: Sequence[SafeString], total: int) -> SafeString:
    more = _rest(total - len(rows)) if total > len(rows) else ""
    foot = format_html('<p class="quiet">{}</p>', more) if more else ""
    body = _together(rows)
    return format_html('<table class="json">{}<tbody>{}</tbody></table>{}', heading, body, foot)


def _together(parts: Sequence[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in parts))


def _rest(number: int) -> str:
    return f"and {number:,} more"


def _name(key: str) -> SafeString:
    """A key as a heading: keys of our own are words between underscores, others may be anything."""
    return _bounded(key.replace("_", " ").strip() or "(no name)", 200)


def _text(value: Any) -> SafeString:
    if value is None:
        return SafeString("–")
    if isinstance(value, bool):
        return SafeString("yes" if value else "no")
    if isinstance(value, str):
        return _bounded(value, MAX_TEXT) if value.strip() else NOTHING
    return _bounded(str(value), 60)


def _bounded(text: str, limit: int) -> SafeString:
    rest = format_html(' <span class="quiet">… {}</span>', _rest(len(text) - limit) + " characters")
    return format_html('<span dir="auto">{}</span>{}', text[:limit], rest if len(text) > limit else "")
