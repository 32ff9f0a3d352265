"""From what an address answered to what its page says."""

import hashlib
import re
from typing import Any

from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.bylines import bylines
from visibility.audit.parse.dates import dates, without_days
from visibility.audit.parse.decoding import decoded
from visibility.audit.parse.document import Document, document, text_of
from visibility.audit.parse.head import declared_language, head_links, metas, titles
from visibility.audit.parse.hidden import hidden
from visibility.audit.parse.jsonld import json_ld
from visibility.audit.parse.kinds import CART, Forms, Signs, page_kind
from visibility.audit.parse.language import detected_language
from visibility.audit.parse.limits import TooMuch, check_tags
from visibility.audit.parse.lost import key_spans, lost
from visibility.audit.parse.maintext import MainText, main_text
from visibility.audit.parse.microdata import microdata
from visibility.audit.parse.prices import prices
from visibility.audit.parse.rendering import client_rendered
from visibility.audit.parse.structure import headings, images, in_main, landmarks, links, lists, words
from visibility.audit.parse.tables import tables
from visibility.audit.readability import reading_grade

PARSER_VERSION = 3
"""Raised with every change of what a page is found to say: pages that stay the same are parsed again then."""

_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|a|table)\b", re.IGNORECASE)
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_SNIFFED_TYPES = ("", "text/plain", "application/octet-stream", "application/xml", "text/xml")


def parse_page(
    body: bytes, *, url: str, content_type: str, is_home: bool = False, cut: bool = False
) -> ParsedPage | Unparsed:
    """What a page says. Never raises: a page beyond a bound, or that breaks a reader, is Unparsed with its reason.

    `content_type`: the header as it was sent; `cut`: the body is the beginning of a longer one.
    """
    if not _is_html(body, content_type):
        named = content_type.partition(";")[0].strip() or "no content type"
        return Unparsed(url, "not_html", f"The address answers with {named}, not with HTML.")
    try:
        check_tags(body)
        return _read(document(decoded(body, content_type), url), len(body), is_home=is_home, cut=cut)
    except TooMuch as refused:
        return Unparsed(url, refused.reason, refused.detail)
    except MemoryError:
        return Unparsed(url, "too_much_memory", "The page takes more memory than one page may.")
    except Exception as error:  # whatever a page of others does to a reader is said of the page
        return Unparsed(url, "broken", f"The page could not be read ({type(error).__name__}).")


def _is_html(body: bytes, content_type: str) -> bool:
    named = content_type.partition(";")[0].strip().lower()
    if named in _HTML_TYPES:
        return True
    return named in _SNIFFED_TYPES and _HTML.search(body.replace(b"\0", b"")[:4_096]) is not None


def _read(page: Document, size: int, *, is_home: bool, cut: bool) -> ParsedPage:
    said = _of_tree(page)
    spans = key_spans(page, said["prices"], said["markup"], said["visible_text"])
    unquotable = [text_of(element) for element in page.root.xpath("//*[@data-nosnippet]")]
    forms = Forms(len(page.root.xpath("//input[@type='password']")), _cart(page))
    # From here on the tree belongs to the extractor, which changes it.
    main = main_text(page)
    said["links"] = in_main(said["links"], main)
    count, title = words(main.text), said["titles"][0].text if said["titles"] else ""
    kind, because = page_kind(Signs.of(page.url, is_home=is_home, words=count, forms=forms, said=said))
    return ParsedPage(
        url=page.url,
        kind=kind,
        kind_because=because,
        content_hash=hashlib.sha256(without_days(main.text, said["dates"]).encode()).hexdigest(),
        html_bytes=size,
        words=count,
        main_text=main.text,
        blocks=main.blocks,
        lang_detected=detected_language(main.text, count),
        unquotable_words=_unquotable(unquotable, main),
        key_spans=len(spans),
        lost=lost(spans, main.text, title),
        reading_grade=reading_grade([block.text for block in main.blocks if block.kind in ("paragraph", "quote")]),
        cut=cut,
        **said,
    )


def _of_tree(page: Document) -> dict[str, Any]:
    """The fields that are read of the tree, by name."""
    visible, lang, named = page.visible, declared_language(page), metas(page)
    # Data and templates in script elements write no page.
    scripts = sum(1 for script in page.root.iter("script") if "json" not in (script.get("type") or "").lower())
    visible_words = words(visible)
    markup = (*json_ld(page), *microdata(page))
    return {
        "visible_text": visible,
        "visible_words": visible_words,
        "lang_declared": lang[:40],
        "titles": titles(page),
        "metas": named,
        "head_links": head_links(page),
        "headings": headings(page),
        "landmarks": landmarks(page),
        "links": links(page),
        "images": images(page),
        "tables": tables(page),
        "lists": lists(page),
        "markup": markup,
        "dates": dates(page, named, markup, visible),
        "prices": prices(page, named, markup, lang),
        "bylines": bylines(page),
        "client_rendered": client_rendered(page, visible_words, scripts),
        "scripts": scripts,
        "hidden": hidden(page),
    }


def _cart(page: Document) -> str:
    """The name of a button or form that puts something into a basket; empty without one."""
    for element in page.root.iter("button", "form", "input", "a"):
        for key in ("id", "class", "name", "action", "data-action", "href"):
            value = (element.get(key) or "")[:300]
            if value and (match := CART.search(value)):
                return match[0]
    return ""


def _unquotable(texts: list[str], main: MainText) -> int:
    """Words of the main text's blocks that stand in elements which forbid quoting."""
    if not texts:
        return 0
    return sum(words(block.text) for block in main.blocks if any(block.text in text for text in texts))
