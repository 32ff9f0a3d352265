"""Any site at all: every field of every type that checks read, filled with odd values."""

import dataclasses
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from tests.audit.builders import HOME
from tests.audit.extremes import TRAP
from visibility.audit.parse.robots import parse_robots
from visibility.audit.robots import RobotsRules
from visibility.audit.site import Site

ODD = (
    "", " ", "\x00", "\u202e", "{n}", "“x”", TRAP, "noindex", "none, nosnippet", "max-snippet:0", "http://[::1", HOME,
    HOME + "a", HOME + "b?x=1", "//x", "javascript:void(0)", "/a", "robots", "googlebot", "refresh", "0; url=",
    "canonical", "alternate", "en-UK", "x-default", "User-agent: *\nDisallow: /", "Disallow: /a$", "x-robots-tag",
    "googlebot: noindex, a:b:c", "content-signal", "ai-train=yes", '[{"tdm-reservation": 1}]', "<!doctype html>",
    "https://norrvik.example:99999/", "http://norrvik.example/%zz", "2026-01-01", "12,50 €", "Norrvik",
)  # fmt: skip
TEXTS = st.sampled_from(ODD) | st.text(max_size=12)
_MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.sampled_from([None, UTC]))
_KEYS = st.sampled_from(("@type", "@id", "name", "url", "offers", "price", "sameAs", "author", "datePublished"))
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_KEYS | TEXTS, inner, max_size=3),
    max_leaves=6,
)
_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXTS,
    int: st.integers(0, 10**7) | st.sampled_from([0, 200, 301, 403, 404, 429, 503]),
    float: st.floats(0, 100),
    bool: st.booleans(),
    date: st.dates(date(1990, 1, 1), date(2090, 1, 1)),
    datetime: _MOMENTS,
    Any: _JSON,
    RobotsRules: st.lists(TEXTS, max_size=6).map(
        lambda lines: parse_robots("\n".join(lines).encode("utf-8", "replace"))
    ),
}
MOST = 2
"""Elements of a list."""


@cache
def of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if dataclasses.is_dataclass(hint):
        hints = get_type_hints(hint)
        return st.builds(hint, **{field.name: of(hints[field.name]) for field in dataclasses.fields(hint)})
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Literal:
        return st.sampled_from(inside)
    if origin in (Union, UnionType):
        return st.one_of(*(st.none() if part is NoneType else of(part) for part in inside))
    if origin is tuple and inside[-1] is Ellipsis:
        return st.lists(of(inside[0]), max_size=MOST).map(tuple)
    if origin is tuple:
        return st.tuples(*map(of, inside))
    if origin in (Mapping, dict):
        return st.dictionaries(of(inside[0]), of(inside[1]), max_size=MOST)
    raise TypeError(f"No values of {hint!r} are known here.")


SITES = of(Site)
