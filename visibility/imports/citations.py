"""The sources of an answer in whatever form a file gives them: lists, cells, objects, or links in the text."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext

from apikeys.text import UNSTORABLE, storable
from visibility.detection.addresses import EXTRACT, host_of
from visibility.detection.canonical import canonical_url
from visibility.detection.citations import GROUNDING

LONGEST_ADDRESS = 8_000
Source = tuple[str, str]
"""An address and its title."""
_FIELD = re.compile(
    r"(?:citation|source|reference|link|url|annotation)s"
    r"|(?:citation|cited|source|reference)s?(?:url|uri|link|page|site|domain|source)s"
    r"|groundingchunks|searchresults"
)
_NOTHING = frozenset(("", "none", "null", "nan", "n/a", "-", "–", "[]", "{}"))
_PAGE_KEYS = ("url", "link", "uri", "href")
_BARE_KEY = re.compile(r"url|link|uri|href|address|page|domain|host|site|website|source")
_PICTURE_KEY = re.compile(r"icon|image|img|thumb|logo|avatar|photo|picture|cache")
_TITLE_KEYS = ("title", "name")
_ADDRESS = re.compile(
    r"https?://(?:(?![,;]https?://)[^\s<>\"`|\\^{}\u3000-\u303f\uff00-\uff0f\uff1a-\uff1f]){1,8001}", re.IGNORECASE
)
_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z+-]{1,20}:[^\s]{1,8000}", re.IGNORECASE)
"""A link that leads to no page of the web, such as `mailto:`: it is kept as it is, and is no citation."""
_MARKDOWN = re.compile(r"\[([^\[\]\n]{0,1000})\]\(\s*<?(https?://(?:[^\s()<>]|\([^\s()]*\))+)>?[^()\n]{0,300}\)")
_NUMBERING = re.compile(r"^\W*(?:\d{1,3}(?=\W))?\W*")
_AROUND = "<>()[]{}\"'`*•·–—-,;:|"
_NO_PROSE = re.compile(
    r"(?P<fence>```|~~~).*?(?:(?P=fence)|\Z)|`[^`\n]*`|<!--.*?(?:-->|\Z)|<img\b[^>]{0,2000}>|!\[[^\]\n]{0,300}\]\([^)\s]{0,2000}\)",
    re.DOTALL,
)


def field_of_sources(record: Mapping[str, Any]) -> str | None:
    """The field of a record that holds its sources: `citations`, else the first of another usual name with any."""
    for name in sorted(record, key=lambda name: name != "citations"):
        value = record[name]
        known = name == "citations" or _FIELD.fullmatch(re.sub(r"[^a-z]", "", name))
        is_count = name != "citations" and (isinstance(value, int | float) or str(value).strip().isdigit())
        if known and not is_count and not _is_nothing(value):
            return name
    return None


def sources_in(value: Any, place: str) -> list[Source]:
    """The sources of a list, an object, or a cell. Raises ValueError, naming the place of what has no address."""
    if _is_nothing(value):
        return []
    if isinstance(value, str):
        parsed = _parsed(value.strip())
        return _in_cell(value, place) if parsed is None else sources_in(parsed, place)
    if isinstance(value, dict):
        if not _is_collection(value):
            return [_in_object(value, place)]
        value = [each for part in value.values() for each in (part if isinstance(part, list) else [part])]
    if not isinstance(value, list):
        raise ValueError(
            gettext("{place}: {text} is no list of web addresses").format(place=place, text=str(value)[:100])
        )
    found = []
    for number, item in enumerate(value):
        where = f"{place}.{number}"
        if isinstance(item, str):
            found += _in_cell(item, where)
        elif isinstance(item, dict):
            found.append(_in_object(item, where))
        elif item is not None:
            raise ValueError(gettext("{where}: {text} is no web address").format(where=where, text=str(item)[:100]))
    return found


def _is_collection(value: Mapping[str, Any]) -> bool:
    """Whether an object holds several sources by number or kind, rather than the fields of one."""
    texts = [text for text in value.values() if not isinstance(text, dict | list)]
    are_addresses = all(isinstance(text, str) and (_ADDRESS.match(text) or _is_bare(text)) for text in texts)
    return are_addresses and not any(key.lower() in _PAGE_KEYS for key in value)


def links_in(text: str) -> list[Source]:
    """The links of a text in Markdown, HTML or plain, each once; not those of code and pictures."""
    found = (address for address, _ in _addresses(_NO_PROSE.sub(" ", text)))
    pages = {canonical_url(address): address.replace("&amp;", "&") for address in found}
    return [(address, "") for page, address in pages.items() if page and len(address) <= LONGEST_ADDRESS]


def _is_nothing(value: Any) -> bool:
    return value is None or value in ([], {}) or (isinstance(value, str) and value.strip().casefold() in _NOTHING)


def _parsed(text: str) -> Any:
    """The list or object that a cell holds as JSON, or as Python writes it; None for other text."""
    if text.startswith(("[", "{")):
        with suppress(ValueError, RecursionError):
            return json.loads(text)
        with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
            value = ast.literal_eval(text)
            return list(value) if isinstance(value, tuple | set) else value
    return None


def _in_cell(cell: str, place: str) -> list[Source]:
    """Addresses between white space, commas, semicolons or lines, numbered or not; beside a single one, its title."""
    if _OTHER_SCHEME.fullmatch(link := cell.strip()):
        return [(link, "")]
    return [source for line in cell.splitlines() for source in _in_line(line, place)]


def _in_line(line: str, place: str) -> list[Source]:
    sources = [(_checked(match[2], place), match[1]) for match in _MARKDOWN.finditer(line)]
    line = _MARKDOWN.sub(" ", line)
    addresses = list(_addresses(line))
    sources += [(_checked(address, place), "") for address, _ in addresses]
    ends = [0, *(start + len(address) for address, start in addresses)]
    starts = [*(start for _, start in addresses), len(line)]
    rest = _NUMBERING.sub("", " ".join(line[end:start] for end, start in zip(ends, starts, strict=True)))
    parts = [part.strip(_AROUND) for part in re.split(r"[\s,;|]+", rest)]
    parts = [part for part in parts if re.search(r"\w", part) and not re.fullmatch(r"\d{1,3}\.?", part)]
    bare = [f"https://{part}" for part in parts if _is_bare(part)]
    words = [part for part in parts if not _is_bare(part)]
    if words and (len(sources), len(bare)) == (1, 0):
        return [(sources[0][0], sources[0][1] or rest.strip(f"{_AROUND} "))]
    if words:
        raise ValueError(
            gettext("{place}: “{text}” is no web address; give addresses with https://").format(
                place=place, text=" ".join(words)[:100]
            )
        )
    return sources + [(_checked(address, place), "") for address in bare]


def _addresses(text: str) -> Iterator[tuple[str, int]]:
    """The addresses in a text as far as they go, with their places."""
    done = 0
    while found := _ADDRESS.search(text, done):
        address = found[0]
        depth = {")": 0, "]": 0}
        for place, sign in enumerate(address):
            if sign in "([":
                depth[")" if sign == "(" else "]"] += 1
            elif sign in ")]":
                depth[sign] -= 1
                if depth[sign] < 0:
                    address = address[:place]
                    break
        done = found.start() + len(address)
        yield address.rstrip(".,;:!?*_~'"), found.start()


def _is_bare(part: str) -> bool:
    """Whether a word is an address without its scheme: its host ends in a public suffix."""
    host = host_of(part)
    return "//" not in part and "@" not in part and bool(EXTRACT(host).domain and EXTRACT(host).suffix)


def _in_object(item: Mapping[str, Any], place: str) -> Source:
    """The one web address of an object, in whatever field, with its title."""
    texts = list(_texts(item))
    addresses = {key: text for key, text in texts if re.match(r"https?://", text, re.IGNORECASE)}
    pages = {key: text for key, text in addresses.items() if not _PICTURE_KEY.search(key)}
    named = [pages[key] for key in _PAGE_KEYS if key in pages]
    bare = [f"https://{text}" for key, text in texts if _BARE_KEY.search(key) and _is_bare(text)]
    other = [text for key, text in texts if key in _PAGE_KEYS and _OTHER_SCHEME.fullmatch(text)]
    only = [*pages.values()] if len(set(pages.values())) == 1 else [] if pages else bare
    url = next(iter([*named, *only, *other]), "")
    if not url and pages:
        raise ValueError(
            gettext("{place} has several addresses ({pages}); call that of the page url").format(
                place=place, pages=", ".join(pages)
            )
        )
    if not url:
        raise ValueError(
            gettext("{place} has no url; it has {names}").format(
                place=place, names=", ".join(map(str, item))[:200] or gettext("nothing")
            )
        )
    titles = dict(texts)
    title = next((titles[key] for key in _TITLE_KEYS if key in titles), "")
    if host_of(url) == GROUNDING and _is_bare(titles.get("domain", "")):
        title = titles["domain"]
    return _checked(url, place), title


def _texts(item: Mapping[str, Any], depth: int = 2) -> Iterator[tuple[str, str]]:
    """The texts of an object and of those in it, by their keys in small letters."""
    for key, value in item.items():
        if isinstance(value, str) and value.strip():
            yield str(key).lower(), value.strip()
        elif isinstance(value, dict) and depth:
            yield from _texts(value, depth - 1)


def _checked(address: str, place: str) -> str:
    """The address, if it can be stored and is one of the web. Raises ValueError."""
    if found := UNSTORABLE.search(address):
        raise ValueError(
            gettext("{place}: the address contains U+{code}, which cannot be stored; remove it").format(
                place=place, code=f"{ord(found[0]):04X}"
            )
        )
    if len(address) > LONGEST_ADDRESS:
        raise ValueError(
            gettext("{place}: the address is longer than {longest:,} characters").format(
                place=place, longest=LONGEST_ADDRESS
            )
        )
    if not canonical_url(address) and not _OTHER_SCHEME.fullmatch(address):
        raise ValueError(
            gettext("{place}: “{text}” is no web address; give it with https://").format(
                place=place, text=storable(address)[:100]
            )
        )
    return address
