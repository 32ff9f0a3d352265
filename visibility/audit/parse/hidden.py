"""Text that people do not see and that addresses AI systems: invisible characters, hidden elements, comments."""

import re
from collections.abc import Iterator

from lxml import etree, html

from visibility.audit.page import Hidden
from visibility.audit.parse.document import Document, folded, text_of

MAX_FOUND = 20
MAX_QUOTE = 200
MAX_READ = 5_000
MAX_STYLES = 200_000
MIN_RUN = 8
"""Zero-width characters in a row: joiners of scripts and emoji stand one or two together."""

_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}\U000e007f?")
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a]{2,7}\U000e007f")
"""Flags of regions (England, Scotland) are written with tags too."""
_ZERO_WIDTH = re.compile(f"[\u200b\u200c\u200d\u2060-\u2064\ufeff]{{{MIN_RUN},}}")
NEAR = 80
"""Characters between who is addressed and what is ordered."""

_SYSTEMS = re.compile(
    r"\b(?:AIs?|LLMs?|GPT|ChatGPT|Claude|Gemini|Copilot|Perplexity|KI|IA|[Ll]anguage [Mm]odels?|(?:AI"
    r"|KI) [Aa]ssistants?"
    r"|[Aa]ssistants?|(?:AI|KI) (?:agents?|systems?|models?|crawlers?)|[Cc]hat ?bots?|Sprachmodelle?"
    r"|modèles? de langage|modelos? de lenguaje)\b"
)
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|recommend|mention|cite|instructions?|respond|you must|you should|always (?:say"
    r"|name|tell)"
    r"|summari[sz]e|rank|prefer|praise|ignoriere?n?|empfiehl|empfehlen sie|empfehle|erwähnen?|ignorez|recommandez"
    r"|mentionnez"
    r"|ignora|recomienda|menciona)\b",
    re.IGNORECASE,
)
_OVERRIDES = re.compile(
    r"(?i)\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+)?(?:the\s+|your\s+)?(?:previous|prior|above|earlier)\s+\w+"
)
_HIDING = re.compile(
    r"\.([\w-]+)\s*\{[^{}]{0,400}?(?:display\s*:\s*none|(?<![\w-])visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]))",
    re.IGNORECASE,
)
_STYLED = re.compile(
    r"(?i)font-size\s*:\s*0(?:[^.\d]|$)|opacity\s*:\s*0(?:[^.\d]|$)|text-indent\s*:\s*-\d{3,}|left\s*:\s*-\d{4}"
    r"|clip\s*:\s*rect\(0|color\s*:\s*(?:#fff(?:fff)?|white|transparent)\b"
)


def hidden(page: Document) -> tuple[Hidden, ...]:
    """What is hidden from people and says something to AI systems."""
    pieces = [*_characters(page), *_elements(page), *_comments(page)]
    return tuple(pieces[:MAX_FOUND])


def addresses_machines(text: str) -> bool:
    """Whether a text names AI systems and tells them what to do, or tells its reader to ignore earlier orders."""
    text = text[:MAX_READ]
    if _OVERRIDES.search(text):
        return True
    return any(
        _ORDERS.search(text, max(0, named.start() - NEAR), named.end() + NEAR) for named in _SYSTEMS.finditer(text)
    )


def _characters(page: Document) -> Iterator[Hidden]:
    if not re.search("[\U000e0020-\U000e007f\u200b-\u200d\u2060-\u2064\ufeff]", page.source):
        return
    source = _FLAG.sub("", page.source)
    for run in _TAGS.finditer(source):
        said = "".join(chr(ord(sign) - 0xE0000) for sign in run[0] if ord(sign) < 0xE007F)
        yield Hidden(said[:MAX_QUOTE], "unicode", source.count("\n", 0, run.start()) + 1)
    for run in _ZERO_WIDTH.finditer(source):
        yield Hidden(
            f"{len(run[0])} zero-width characters in a row", "unicode", source.count("\n", 0, run.start()) + 1
        )


def _elements(page: Document) -> Iterator[Hidden]:
    styled = (element for element in page.root.xpath("//*[@style]") if _STYLED.search(element.get("style")))
    for element in [*page.unseen, *styled, *_by_class(page)]:
        text = text_of(element)
        if text and addresses_machines(text):
            yield Hidden(text[:MAX_QUOTE], "style", element.sourceline or 0)


def _by_class(page: Document) -> Iterator[html.HtmlElement]:
    """The elements whose class a style element of the page hides."""
    rules = "".join(style.text or "" for style in page.root.iter("style"))[:MAX_STYLES]
    names = {rule[1] for rule in _HIDING.finditer(rules)}
    if names:
        yield from (
            element for element in page.root.xpath("//*[@class]") if names & set(element.get("class").split())
        )


def _comments(page: Document) -> Iterator[Hidden]:
    for comment in page.root.iter(etree.Comment):
        text = folded(comment.text or "")
        if "<" not in text and addresses_machines(text):
            yield Hidden(text[:MAX_QUOTE], "comment", comment.sourceline or 0)
