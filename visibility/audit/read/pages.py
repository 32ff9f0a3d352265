"""From the bytes of an answer to the facts of a page."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

from py3langid import classify
from w3lib.encoding import html_body_declared_encoding, html_to_unicode, http_content_type_encoding, read_bom

from visibility.audit.facts import ParsedPage, Unparsed
from visibility.audit.read import body as build
from visibility.audit.read.dates import dates, without_dates
from visibility.audit.read.document import Document, document, text_of
from visibility.audit.read.hidden import hidden
from visibility.audit.read.kinds import BUY, page_kind
from visibility.audit.read.limits import TooMuch, check_tags
from visibility.audit.read.maintext import main_text
from visibility.audit.read.markup import json_ld, microdata
from visibility.audit.read.prices import prices
from visibility.audit.sentences import Sentence, say, to_stored

MAX_TITLES, MAX_METAS, MAX_HEADINGS, MAX_LINKS, MAX_IMAGES, MAX_TABLES = 20, 500, 1_000, 5_000, 2_000, 200
MAX_DATES, MAX_HIDDEN = 60, 20
"""Facts of each kind; those beyond are left out."""
_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|a|table)\b", re.IGNORECASE)
Fact = TypeVar("Fact")
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_SNIFFED_TYPES = ("", "text/plain", "application/octet-stream", "application/xml", "text/xml")
_WORD = re.compile(r"\w+")
MIN_LANGUAGE_WORDS, LANGUAGE_SAMPLE = 100, 5_000
MAX_SHELL_WORDS = 50
"""Above these visible words a page has a text of its own, whatever its elements are called."""
MIN_LOST, MIN_LOST_SHARE = 3, 0.25
"""So many characters, and such a part of those beyond ASCII, show that the charset is a wrong one."""
MIN_RARE, MAX_RARE_SHARE = 20, 0.35
"""Signs from U+0080 to U+00FF to one letter of any kind: in French and Vietnamese they are one of ten."""
_ROOTS = frozenset({"root", "app", "__next", "__nuxt", "___gatsby", "svelte", "main-app", "q-app", "application"})
_ROOT_TAGS = ("app-root", "app", "ember-app")

classify("It boils water.")  # unpacks its model, which must not happen with a text of a stranger


def parse_page(
    body: bytes, *, url: str, content_type: str, is_home: bool = False, cut: bool = False
) -> ParsedPage | Unparsed:
    """The facts of a page. Never raises: a page beyond a bound, or that breaks a reader, is Unparsed with its reason.

    `content_type`: the header as it was sent; `cut`: the body is the beginning of a longer one.
    """
    media = content_type.partition(";")[0].strip().lower()
    sniffed = media in _SNIFFED_TYPES and _HTML.search(body[:8_192].replace(b"\0", b""))
    if media not in _HTML_TYPES and not sniffed:
        return Unparsed(
            url, "not_html", f"The address answers with {media[:60] or 'no content type'}, not with HTML."
        )
    try:
        check_tags(body)
        charset, text = html_to_unicode(content_type or None, body, auto_detect_fun=_encoding)
        page = document(text, url)
        return _read(page, illegible=_illegible(page, body, charset, content_type), is_home=is_home, cut=cut)
    except TooMuch as refused:
        return Unparsed(url, refused.reason, refused.detail)
    except MemoryError:
        return Unparsed(url, "too_much_memory", "The page takes more memory than one page may.")
    except Exception as error:  # whatever a page of others does to a reader is a fact about the page
        return Unparsed(url, "broken", f"The page could not be read ({type(error).__name__}).")


def count_words(text: str) -> int:
    """How many words a text has."""
    return sum(1 for _ in _WORD.finditer(text))


def _encoding(body: bytes) -> str:
    """The encoding of a page that declares none: UTF-8 unless most of its other bytes are none."""
    return "cp1252" if _is_mostly_lost(body.decode("utf-8", "replace"), body) else "utf-8"


def _is_mostly_lost(text: str, body: bytes) -> bool:
    """Whether so many characters of a decoded text are no characters that its encoding is another one."""
    lost = text.count("\ufffd") - body.count("\ufffd".encode())
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return lost >= MIN_LOST and lost >= MIN_LOST_SHARE * beyond_ascii


def _illegible(page: Document, body: bytes, charset: str, content_type: str) -> str:
    """What is wrong with the charset of a page whose characters cannot be read; empty where they can.

    Either bytes are no characters of it, or they are UTF-8 and it is another one, or it gives more signs that Latin
    letters are rare among (é, ¿) than any language has.
    """
    shown = "\n".join(line.text for line in page.lines) + page.root.findtext(".//title", "")
    signs = [sign for sign in shown if sign > "\x7f"]
    if len(signs) < MIN_LOST or read_bom(body)[0]:
        return ""
    declared = http_content_type_encoding(content_type) or html_body_declared_encoding(body)
    if not declared:
        return "" if charset == "utf-8" else say("no charset is declared")
    letters = sum(map(str.isalpha, shown))
    rare = sum(sign < "\u0100" for sign in signs)
    is_lost = "\ufffd" in signs and _is_mostly_lost(page.source, body)
    is_utf_8 = charset != "utf-8" and b"\0" not in body and _is_utf_8(body)
    if is_lost or is_utf_8 or (rare >= MIN_RARE and rare > MAX_RARE_SHARE * letters):
        return say("the declared charset ({declared}) is a wrong one", declared=declared)
    return ""


def _is_utf_8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return True


def _read(page: Document, *, illegible: str, is_home: bool, cut: bool) -> ParsedPage:
    facts = _of_tree(page, cut=cut)
    outermost = page.root.xpath("//*[@data-nosnippet and not(ancestor::*[@data-nosnippet])]")
    unquotable = " ".join(map(text_of, outermost))
    password = bool(page.root.xpath("boolean(//input[@type='password'])"))
    buy = _has_buy_button(page)
    # From here on the tree belongs to the extractor, which changes it.
    facts = replace(facts, blocks=main_text(page))
    main = facts.main_text
    words = count_words(main)
    facts = replace(
        facts,
        content_hash=hashlib.sha256(without_dates(main).encode("utf-8", "replace")).hexdigest(),
        words=words,
        illegible=illegible,
        sentences=_stored(illegible=illegible, client_rendered=facts.client_rendered),
        lang_detected=str(classify(main[:LANGUAGE_SAMPLE])[0])
        if words >= MIN_LANGUAGE_WORDS and not illegible
        else "",
        unquotable_words=sum(count_words(block.text) for block in facts.blocks if block.text in unquotable),
    )
    return replace(facts, kind=page_kind(facts, is_home=is_home, password=password, buy=buy))


def _stored(**sentences: str) -> dict[str, Any]:
    return {name: to_stored(text) for name, text in sentences.items() if isinstance(text, Sentence)}


def _of_tree(page: Document, *, cut: bool) -> ParsedPage:
    """The facts of the tree: all but the main text and what depends on it."""
    visible, lang, metas = page.visible, build.declared_language(page), _first(MAX_METAS, build.metas(page))
    visible_words = count_words(visible)
    markup = (*json_ld(page), *microdata(page))
    return ParsedPage(
        url=page.url,
        visible_text=visible,
        visible_words=visible_words,
        lang_declared=lang,
        titles=_first(MAX_TITLES, build.titles(page)),
        metas=metas,
        head_links=_first(MAX_METAS, build.head_links(page)),
        headings=_first(MAX_HEADINGS, build.headings(page)),
        has_landmark=build.has_landmark(page),
        links=_first(MAX_LINKS, build.links(page)),
        images=_first(MAX_IMAGES, build.images(page)),
        tables=_first(MAX_TABLES, build.tables(page)),
        markup=markup,
        dates=_first(MAX_DATES, dates(page, metas, markup)),
        prices=prices(page, metas, markup, lang),
        client_rendered=_client_rendered(page, visible_words),
        hidden=_first(MAX_HIDDEN, hidden(page)),
        cut=cut,
    )


def _first(number: int, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(islice(facts, number))


def _has_buy_button(page: Document) -> bool:
    """Whether a button or form puts something into a basket."""
    return any(
        BUY.search((element.get(key) or "")[:300])
        for element in page.root.iter("button", "form", "input", "a")
        for key in ("id", "class", "name", "action", "data-action", "href")
    )


def _client_rendered(page: Document, visible_words: int) -> str:
    """What shows that the text of a page is not in its HTML but in scripts or frames, or nowhere; else empty."""
    if visible_words <= MAX_SHELL_WORDS and next(page.root.iter("frameset"), None) is not None:
        return say("it has frames in place of a body")
    scripts = sum("json" not in (script.get("type") or "").lower() for script in page.root.iter("script"))
    if visible_words > MAX_SHELL_WORDS or (visible_words and not scripts):
        return ""
    for element in page.root.iter("div", "main", "section", *_ROOT_TAGS):
        if (element.get("id") in _ROOTS or element.tag in _ROOT_TAGS) and not text_of(element):
            shown = f'<{element.tag} id="{element.get("id")}">' if element.get("id") else f"<{element.tag}>"
            return say("{shown} is empty", shown=shown)
    if any("javascript" in text_of(element).lower() for element in page.root.iter("noscript")):
        return say("a noscript element asks for JavaScript, and there is no other text")
    if not visible_words:
        return say("its body has no word")
    if visible_words < 5:
        return say("{visible_words} words and {scripts} scripts", visible_words=visible_words, scripts=scripts)
    return ""
