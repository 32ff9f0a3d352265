"""Whether the text of a link is the name or the title of the page that it leads to, not the answer's own words."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

_SIGN = re.compile(r"[\W_]")
_SEPARATOR = re.compile(r"\s[|\u2013\u2014\u00b7-]\s|:\s")
_MIN_SITE_LENGTH = 4
_MAX_SITE_LENGTH = 8
_WORD = re.compile(r"[^\W_]+")
_MIN_TITLE_LENGTH = 15


def letters(text: str) -> str:
    """The letters and digits of a text alone."""
    return _SIGN.sub("", text)


def names_site(shown: str, host: str, href: str) -> bool:
    """Whether a headline begins or ends with the name of the site that it leads to ("... | Runner's World")."""
    ends = _SEPARATOR.split(shown)
    site = letters(f"{host} {_path(href)}".lower())
    return len(ends) > 1 and any(
        len(name) >= _MIN_SITE_LENGTH and name in site
        for name in (letters(end).removeprefix("the").removesuffix("com") for end in (ends[0], ends[-1]))
    )


def abbreviates(site: str, shown: str) -> bool:
    """Whether a host is made of the beginnings of the words of a name, in their order ("edweek", "bbc")."""
    ways = {0}
    for word in _WORD.findall(shown)[:_MAX_SITE_LENGTH]:
        ways |= {at + size for at in ways for size in range(1, len(word) + 1) if site.startswith(word[:size], at)}
    return len(shown.split()) > 1 and len(site) in ways


def is_path(shown: str, href: str) -> bool:
    """Whether a link shows the path that it leads to ("r/headphones")."""
    return len(shown) > _MIN_SITE_LENGTH and "/" in shown and shown == _path(href).strip("/").casefold()


def is_title(shown: str, titles: Iterable[str]) -> bool:
    """Whether a link shows the title of its source, also cut short."""
    if not shown.endswith(("\u2026", "...")):
        return shown in titles
    begun = shown.rstrip(".\u2026 ")
    return len(begun) >= _MIN_TITLE_LENGTH and any(title.startswith(begun) for title in titles)


def _path(href: str) -> str:
    try:
        return urlsplit(href).path
    except ValueError:
        return ""
