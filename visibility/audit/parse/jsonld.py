"""The JSON-LD of a page, block by block: one that is broken costs no other.

A block that strict JSON refuses is read once more without comments and commas before a closing bracket; then its
nodes are kept and its error says what strict readers stumble over.
"""

import json
import math
import re
from typing import Any

from visibility.audit.page import Markup
from visibility.audit.parse.document import Document

MAX_BLOCKS = 200
MAX_CHARACTERS = 1_000_000
"""Of all blocks of a page."""
MAX_NESTING = 60
"""Objects and arrays inside each other; what stores them refuses 254."""
MAX_INTEGER_DIGITS = 18

_WRAPPER_START = re.compile(r"\s*+(?:/\*|//)?\s*+<!(?:\[CDATA\[|--)\s*+(?:\*/)?")
_WRAPPER_END = re.compile(r"(?:/\*|//)?\s*+(?:\]\]|--)>\s*+(?:\*/)?\s*+;?\Z")
_WRAPPER_CHARACTERS = 40
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_LATE_COMMA = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\\?\Z))|,(?=\s*[}\]])', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Broken(ValueError):
    """Why a block cannot be read, and on which of its lines."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def json_ld(page: Document) -> tuple[Markup, ...]:
    """The JSON-LD blocks of a page."""
    blocks, characters = [], 0
    for element in page.root.iter("script"):
        if (element.get("type") or "").partition(";")[0].strip().lower() != "application/ld+json":
            continue
        text = "".join(element.itertext())
        characters += len(text)
        if characters > MAX_CHARACTERS:
            why = f"the page has more than {MAX_CHARACTERS:,} characters of JSON-LD; the rest is not read"
            blocks.append(Markup("json-ld", element.sourceline or 0, error=why, error_line=element.sourceline or 0))
            break
        blocks.append(_block(text, element.sourceline or 0))
        if len(blocks) == MAX_BLOCKS:
            break
    return tuple(blocks)


def _block(text: str, line: int) -> Markup:
    try:
        return Markup("json-ld", line, _nodes(_loaded(_unwrapped(text))))
    except _Broken as error:
        said, at = str(error), line + error.line - 1
    try:
        nodes = _nodes(_loaded(_mended(_unwrapped(text)), strict=False))
    except _Broken:
        nodes = ()
    return Markup("json-ld", line, nodes, error=said, error_line=at)


def _loaded(text: str, *, strict: bool = True) -> Any:
    if not text.strip():
        raise _Broken("the block is empty")
    try:
        value = json.loads(text, strict=strict, parse_int=_integer, parse_float=_number, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise _Broken(_sentence(error), error.lineno) from error
    except RecursionError as error:
        raise _Broken(_TOO_DEEP) from error
    if _nesting(value) > MAX_NESTING:
        raise _Broken(_TOO_DEEP)
    return _whole(value) if "\\ud" in text.lower() else value


_TOO_DEEP = f"more than {MAX_NESTING} objects and arrays stand inside each other"


def _sentence(error: json.JSONDecodeError) -> str:
    at = error.doc[max(0, error.pos - 20) : error.pos + 20]
    return f"{error.msg}, column {error.colno}, near {' '.join(at.split())!r}"


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MAX_INTEGER_DIGITS else digits


def _number(digits: str) -> float | str:
    value = float(digits)
    return value if math.isfinite(value) else digits


def _constant(name: str) -> Any:
    raise _Broken(f"{name} is no value of JSON")


def _nodes(value: Any) -> tuple[dict[str, Any], ...]:
    nodes = tuple(node for node in (value if isinstance(value, list) else [value]) if isinstance(node, dict))
    if not nodes:
        raise _Broken("the block holds no object")
    return nodes


def _nesting(value: Any) -> int:
    deepest, level = 0, [value]
    while level and deepest <= MAX_NESTING:
        deepest += 1
        level = [
            part
            for outer in level
            for part in (outer.values() if isinstance(outer, dict) else outer if isinstance(outer, list) else ())
            if isinstance(part, (dict, list))
        ]
    return deepest


def _unwrapped(text: str) -> str:
    """The text without the wrappers of old pages (CDATA, HTML comments), which readers of JSON-LD take off; its lines
    stay."""
    if "<!" not in text and "]]>" not in text:
        return text
    if start := _WRAPPER_START.match(text):
        text = "\n" * start[0].count("\n") + text[start.end() :]
    text = text.rstrip()
    last = text[-_WRAPPER_CHARACTERS:]
    end = _WRAPPER_END.search(last)
    return text[: len(text) - len(last) + end.start()] if end else text


def _mended(text: str) -> str:
    """The text without comments and commas before a closing bracket."""
    text = _TOKEN.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
    return _LATE_COMMA.sub(lambda match: match[1] or "", text)


def _whole(value: Any) -> Any:
    """The value with U+FFFD for halves of characters, which no database keeps."""
    return json.loads(_SURROGATE.sub("\ufffd", json.dumps(value, ensure_ascii=False)))
