"""Text for AI systems that people do not see: invisible characters, hidden elements, comments."""

import re
from collections.abc import Iterator

from lxml import etree

from visibility.audit.facts import Hidden
from visibility.audit.read.document import Document, folded, text_of

MAX_QUOTE, MAX_READ = 200, 5_000
NEAR = 80
"""Characters between the name of the AI system and the order."""
_INVISIBLE = re.compile("[\U000e0020-\U000e007f]")
_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}\U000e007f?")
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a]{2,7}\U000e007f")
"""Flags of regions (England, Scotland) are written with tags, too."""
_SYSTEMS = re.compile(
    r"\b(?:AIs?|LLMs?|GPT|ChatGPT|Claude|Gemini|Copilot|Perplexity|KI|[Ll]anguage [Mm]odels?|(?:AI|KI) [Aa]ssistants?"
    r"|(?:AI|KI) (?:agents?|systems?|models?|crawlers?)|[Cc]hat ?bots?)\b"
)
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|recommend|mention|cite|respond|you must|you should|always (?:say|name|tell)"
    r"|summari[sz]e|rank|prefer|praise|ignoriere?n?|empfiehl|empfehle|erwähnen?|ignorez|recommandez|ignora|recomienda)\b",
    re.IGNORECASE,
)
_OVERRIDES = re.compile(
    r"\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+)?(?:the\s+|your\s+)?(?:previous|prior|above|earlier)\s+\w+",
    re.IGNORECASE,
)
_STYLED = re.compile(
    r"font-size\s*:\s*0(?:[^.\d]|$)|opacity\s*:\s*0(?:[^.\d]|$)|text-indent\s*:\s*-\d{3}|left\s*:\s*-\d{4}"
    r"|clip\s*:\s*rect\(0|(?<![\w-])color\s*:\s*(?:#fff(?:fff)?|white|transparent)\b",
    re.IGNORECASE,
)


def hidden(page: Document) -> Iterator[Hidden]:
    """Hidden text that gives orders to AI systems."""
    for gather in (_characters, _elements, _comments):
        yield from gather(page)


def _orders_machines(text: str) -> bool:
    """Whether a text names AI systems and gives orders, or says to ignore earlier orders."""
    text = text[:MAX_READ]
    if _OVERRIDES.search(text):
        return True
    named = _SYSTEMS.finditer(text)
    return any(_ORDERS.search(text, max(0, each.start() - NEAR), each.end() + NEAR) for each in named)


def _characters(page: Document) -> Iterator[Hidden]:
    if _INVISIBLE.search(page.source):
        source = _FLAG.sub("", page.source)
        for run in _TAGS.finditer(source):
            text = "".join(chr(ord(sign) - 0xE0000) for sign in run[0][:MAX_QUOTE] if ord(sign) < 0xE007F)
            yield Hidden(text, "unicode", source.count("\n", 0, run.start()) + 1)


def _elements(page: Document) -> Iterator[Hidden]:
    styled = (element for element in page.root.xpath("//*[@style]") if _STYLED.search(element.get("style")[:2_000]))
    outermost = None
    for element in [*page.unseen, *styled]:
        if outermost is not None and outermost in element.iterancestors():
            continue  # its text was read with the element around it
        outermost = element
        text = text_of(element)
        if _orders_machines(text):
            yield Hidden(text[:MAX_QUOTE], "style", element.sourceline or 0)


def _comments(page: Document) -> Iterator[Hidden]:
    for comment in page.root.iter(etree.Comment):
        text = folded((comment.text or "")[: 2 * MAX_READ])
        if "<" not in text and _orders_machines(text):
            yield Hidden(text[:MAX_QUOTE], "comment", comment.sourceline or 0)
