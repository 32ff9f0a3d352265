"""A result cut to what a model can work with: declared as data beside each tool, applied to the written JSON."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_bridge.short.paths import places
from mcp_bridge.short.rows import Rows, fill, in_order
from mcp_bridge.short.taking import Taken, cut_lists, cut_texts, leave_out, leave_out_usual, without_empty

MAX_TOKENS = 2000
ABOUT_OMITTED = 300
"""Tokens of the limit that are kept for what is said about what was left out."""
Body = dict[str, Any]
Omitted = Counter[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Short:
    """What the short form of a result leaves out, by path (see `paths`)."""

    rows: tuple[str, ...] = ()
    """Lists that are filled up to `tokens`: the first of them, of which a `limit` is, with what the others leave."""
    digest: bool = False
    """The first of `rows` is only one part of the result among others."""
    newest_last: bool = False
    """The first of `rows` is cut at its beginning."""
    both_ends: tuple[str, ...] = ()
    """Those of `rows` that are cut in their middle: the best and the worst stay."""
    spread: str = ""
    """A field of the first of `rows`: one row of each value comes before a second one of any."""
    whole_rows: int | None = None
    """How many of the first of `rows` the whole form has where there is no limit; None: all."""
    by_ids: str = ""
    """The argument that takes the ids of rows which are wanted whole."""
    first_whole: int = 0
    """How many of the first of `rows` are whole already."""
    leave_out: tuple[str, ...] = ()
    at_most: Mapping[str, int] = field(default_factory=dict)
    """How long lists may be; with a minus the last of them stay."""
    texts: Mapping[str, int] = field(default_factory=dict)
    """How many characters texts may have."""
    unless: Mapping[str, Any] = field(default_factory=dict)
    """Left out, uncounted, where it has this value, which goes without saying. So does, below the top, what is null
    or empty."""
    reshape: Callable[[Body, Omitted], None] | None = None
    """For what no path can tell."""
    tokens: int = MAX_TOKENS


def shorten(body: Body, short: Short, limit: int | None, reserved: float = 0) -> Omitted:
    """Cut the result, which is changed; what was left out is counted by its path. `reserved` are the tokens of what
    is put beside it."""
    omitted: Omitted = Counter()
    if short.reshape is not None:
        short.reshape(body, omitted)
    taken = Taken()
    leave_out_usual(body, short.unless)
    leave_out(body, short.leave_out, taken)
    cut_lists(body, {path: bound for path, bound in short.at_most.items() if path not in short.rows}, taken)
    cut_texts(body, short.texts, taken)
    without_empty(body)
    lists = [rows for path in (*short.rows[1:], *short.rows[:1]) for rows in _rows_at(body, path, short, limit)]
    rows = fill(body, lists, short.tokens - ABOUT_OMITTED - reserved, omitted)
    _count_more(body, short, omitted)
    return omitted + taken.total(rows)


def limited(body: Body, short: Short, limit: int | None) -> Omitted:
    """The whole form: nothing but rows beyond the limit is left out."""
    omitted: Omitted = Counter()
    bound = limit if limit is not None else short.whole_rows
    if bound is not None:
        for rows in (rows for path in short.rows[:1] for rows in _rows_at(body, path, short, bound)):
            items = rows.place.value
            kept = [items[number] for number in sorted(rows.order[:bound])]
            omitted[rows.path] += len(items) - len(kept)
            rows.place.holder[rows.place.name] = kept
    _count_more(body, short, omitted)
    return omitted


def _rows_at(body: Body, path: str, short: Short, limit: int | None) -> Iterator[Rows]:
    """The list of rows at a path, if there is one, with what is to be kept of it."""
    is_first = path == short.rows[0]
    by_limit = is_first and limit is not None
    for place in places(body, path):
        if isinstance(place.value, list):
            order = in_order(
                place.value,
                newest_last=is_first and short.newest_last,
                both_ends=path in short.both_ends,
                spread=short.spread if is_first else "",
            )
            yield Rows(path, place, order, limit if by_limit else short.at_most.get(path), all=by_limit)


def _count_more(body: Body, short: Short, omitted: Omitted) -> None:
    """Results that tell how many rows there are beyond those listed count those left out here as well."""
    if short.rows and "more" in body:
        body["more"] += omitted[short.rows[0]]
