"""What encoding a page is in, as browsers tell it: byte order mark, charset of the header, charset of a meta element,
and a guess where none of these says anything that is known."""

import codecs
import re

from charset_normalizer import from_bytes

MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
META_BYTES = 4_096
"""Where a meta element is looked for: browsers read 1,024, and more where it takes them little time."""
GUESS_BYTES = 32_768

_META = re.compile(rb"<meta[^>]{0,500}?charset\s*+=\s*+[\"']?\s*+([A-Za-z0-9_:.\-]{1,40})", re.IGNORECASE)
_HEADER = re.compile(r"charset\s*+=\s*+[\"']?\s*+([A-Za-z0-9_:.\-]{1,40})", re.IGNORECASE)

# What the labels of the web mean where Python's codec of that name reads less than browsers do.
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
_KNOWN = frozenset(
    [
        *("utf-8", "utf-16", "utf-16-le", "utf-16-be", "cp866", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic"),
        *("euc_jp", "iso2022_jp", *_WIDER.values(), *(f"cp{number}" for number in range(1250, 1259))),
        *(f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    ]
)


def decoded(body: bytes, content_type: str) -> str:
    """The text of a page; bytes that its encoding does not know become U+FFFD."""
    for mark, encoding in MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    return body.decode(_declared(body, content_type) or _guessed(body), "replace")


def _declared(body: bytes, content_type: str) -> str:
    header = _HEADER.search(content_type)
    if header and (encoding := _known(header[1])):
        return encoding
    meta = _META.search(body[:META_BYTES])
    encoding = _known(meta[1].decode("ascii")) if meta else ""
    # A meta element that can be read as bytes is not in UTF-16, whatever it says.
    return "utf-8" if encoding.startswith("utf-16") else encoding


def _known(label: str) -> str:
    """The codec of a label of the web; empty for what browsers do not read (UTF-7) and what is no encoding of
    text."""
    try:
        name = codecs.lookup(label.lower()).name
    except (LookupError, ValueError):
        return ""
    name = _WIDER.get(name, name)
    return name if name in _KNOWN else ""


def _guessed(body: bytes) -> str:
    try:
        body.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        guess = from_bytes(body[:GUESS_BYTES]).best()
        return (_known(guess.encoding) if guess else "") or "cp1252"
