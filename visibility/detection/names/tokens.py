"""Addresses, hosts and file names in running text: a name inside one of them is no mention."""

import re
from functools import lru_cache
from string import ascii_letters, digits

from visibility.detection.text.spans import Spans

_LONGEST = 400
_GLUE = frozenset("./@:-_=&?#%~+\\")
_TOKEN = re.compile(r"[^\s<>\0]*")
_OUTSIDE = ".,;:!?()[]{}\"'*_|\u2019\u201c\u201d"
_TOP_LEVEL = (
    "com|org|net|io|co|ai|app|dev|me|so|us|uk|de|fr|es|it|nl|ch|at|jp|cn|kr|in|au|ca|br|ru|eu|shop|store|tech"
    "|xyz|info"
    "|biz|tv|gg|ly|be|se|no|dk|fi|pl|cz|pt|mx|edu|gov|example|test"
)
_WEB = re.compile(
    r"(?:https?://|(?<![\w.@-])www\.|(?<![\w.@-])(?-i:[\w-]++(?:\.[\w-]++)++(?<=[a-z]{2})/))[^\s<>\0]*", re.IGNORECASE
)
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)+")
_HOST = re.compile(rf"[\w-]+(?:\.[\w-]+)*\.(?:{_TOP_LEVEL})", re.ASCII)
_OF_HOST = f"{ascii_letters}{digits}._-"
_FILE = re.compile(r"\.[a-z]")
_FILE_NAME = re.compile(
    r"\.(?:pdf|docx?|xlsx?|pptx?|csv|zip|exe|dmg|html?|php|js|ts|py|md|txt|png|jpe?g|svg|gif|webp|mp[34]|json"
    r"|xml|ya?ml)\b"
)
_COMMUNITY = re.compile(r"(?:^|/)[ru]/\Z")


def in_address(text: str, start: int, end: int) -> bool:
    """Whether the name at `start:end` is a part of an address, a host or a file name, and not all of a bare host:
    "monday.com" can be a name, "trello.com" is none of Trello's."""
    if not {text[end : end + 1], text[start - 1 : start] if start else ""} & _GLUE:
        return False
    head = _TOKEN.match(text[max(0, start - _LONGEST) : start][::-1])
    tail = _TOKEN.match(text, end, end + _LONGEST)
    before, after = (head[0][::-1] if head else ""), (tail[0] if tail else "")
    name = text[start:end]
    if not before.strip(_OUTSIDE) and not after.strip(_OUTSIDE):
        return False
    if _COMMUNITY.search(before):
        return True
    token = before + name + after
    if "." not in token and "://" not in token:
        return False
    if _addresses(text).touches(start, start + 1) or _FILE.match(after) or _FILE_NAME.search(after):
        return True
    return token.strip(_OUTSIDE) != name and _is_host(token, len(before), len(before) + len(name))


@lru_cache(maxsize=4)
def _addresses(text: str) -> Spans:
    """Where web and mail addresses stand in a text, which is asked for each name in it."""
    return Spans(found.span() for pattern in (_WEB, _MAIL) for found in pattern.finditer(text))


def _is_host(token: str, start: int, end: int) -> bool:
    """Whether the part of the token around `start:end`, between other signs, is a host in small letters."""
    before, after = token[:start], token[end:]
    left, right = before[len(before.rstrip(_OF_HOST)) :], after[: len(after) - len(after.lstrip(_OF_HOST))]
    host = (left + token[start:end] + right).strip(".-_")
    return host != token[start:end] and host == host.lower() and _HOST.fullmatch(host) is not None
