"""The saved pages of the reference data: bytes, address, what people read on them."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.parsing import parse_page


@dataclass(frozen=True)
class Saved:
    """A saved page: the set that it is of, its file, its body and its address; `gold` as its set has it."""

    group: str
    name: str
    body: bytes
    url: str
    gold: Any = field(default=None, repr=False)


def articles(data: Path) -> Iterator[Saved]:
    """Pages whose article text people marked; `gold` is the text."""
    gold = json.loads((data / "site-audit/pages/aeb/gold.json").read_text())
    for name, said in gold.items():
        file = data / f"site-audit/pages/aeb/{name}.html"
        if file.exists():
            yield Saved("aeb", name, file.read_bytes(), said["url"], said["articleBody"])
    for folder in sorted((data / "site-audit/pages/readability").iterdir()):
        expected = (folder / "expected.html").read_bytes()
        source = (folder / "source.html").read_bytes()
        yield Saved("readability", folder.name, source, f"https://www.site.example/saved/{folder.name}", expected)


def products(data: Path) -> Iterator[Saved]:
    """Pages of shops; `gold` has price, currency and more, each a list."""
    folder = data / "site-audit/pages/products"
    for name, said in json.loads((folder / "gold.json").read_text()).items():
        yield Saved("products", name, gzip.decompress((folder / f"{name}.html.gz").read_bytes()), said["url"], said)


def others(data: Path) -> Iterator[Saved]:
    """The other sets, without an address of their own."""
    for group in ("extruct", "htmldate", "metascraper", "trafilatura"):
        for file in sorted((data / "site-audit/pages" / group).glob("*.html")):
            yield Saved(group, file.name, file.read_bytes(), f"https://www.site.example/saved/{file.stem}")


def sites(data: Path) -> Iterator[Saved]:
    """The pages of the whole sites."""
    for name in ("nutch", "ofbiz"):
        folder = data / "site-audit/sites" / name
        for file in sorted(folder.rglob("*.html")):
            path = file.relative_to(folder).as_posix().removesuffix("index.html")
            yield Saved(name, path or "/", file.read_bytes(), f"https://{name}.apache.org/{path}")


def everything(data: Path) -> Iterator[Saved]:
    """All saved pages."""
    for pages in (articles, products, others, sites):
        yield from pages(data)


_read: dict[tuple[str, str], ParsedPage | Unparsed] = {}


def said(page: Saved) -> ParsedPage | Unparsed:
    """What a saved page says, parsed once for all tests."""
    key = page.group, page.name
    if key not in _read:
        _read[key] = parse_page(page.body, url=page.url, content_type="text/html")
    return _read[key]
