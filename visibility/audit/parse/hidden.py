"""Text that people do not see and that addresses AI systems: invisible characters, hidden elements, comments."""

import re
from collections.abc import Iterator

from lxml import etree

from visibility.audit.page import Hidden
from visibility.audit.parse.document import Document, folded, text_of

MAX_FOUND = 20
MAX_QUOTE = 200
MIN_RUN = 8
"""Zero-width characters in a row: joiners of scripts and emoji stand one or two together."""

_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}\U000e007f?")
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a]{2,7}\U000e007f")
"""Flags of regions (England, Scotland) are written with tags too."""
_ZERO_WIDTH = re.compile("[\u200b\u200c\u200d\u2060-\u2064\ufeff]{%d,}" % MIN_RUN)
_SYSTEMS = (
    r"\b(?:AI|A\.I\.|LLMs?|GPT|ChatGPT|Claude|Gemini|Copilot|Perplexity|KI|IA|chat ?bots?|language models?|assistants?"
    r"|(?:AI|KI) (?:agents?|systems?|models?|crawlers?)|Sprachmodelle?|modèles? de langage|modelos? de lenguaje)\b"
)
_ORDERS = (
    r"\b(?:ignore|disregard|forget|recommend|mention|cite|say|tell|always|must|instructions?|respond|answer|summari[sz]e"
    r"|rank|prefer|praise|prompt|ignoriere\w*|empfiehl\w*|empfehle\w*|erwähne\w*|antworte\w*|ignorez|recommande\w*"
    r"|mentionne\w*|ignora|recomienda|menciona)\b"
)
_ADDRESSES = re.compile(rf"(?=.*(?:{_SYSTEMS}))(?=.*(?i:{_ORDERS}))", re.DOTALL)
_OVERRIDES = re.compile(
    r"(?i)\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+)?(?:the\s+|your\s+)?(?:previous|prior|above|earlier)\s+\w+"
)
_STYLED = re.compile(
    r"(?i)font-size\s*:\s*0(?:[^.\d]|$)|opacity\s*:\s*0(?:[^.\d]|$)|text-indent\s*:\s*-\d{3,}|left\s*:\s*-\d{4}"
    r"|clip\s*:\s*rect\(0|color\s*:\s*(?:#fff(?:fff)?|white|transparent)\b"
)


def hidden(page: Document) -> tuple[Hidden, ...]:
    """What is hidden from people and says something to AI systems."""
    found = [*_characters(page), *_elements(page), *_comments(page)]
    return tuple(found[:MAX_FOUND])


def addresses_machines(text: str) -> bool:
    """Whether a text names AI systems and tells them what to do, or tells its reader to ignore earlier orders."""
    text = text[:5_000]
    return bool(_OVERRIDES.search(text) or _ADDRESSES.search(text))


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
    for element in [*page.unseen, *styled]:
        text = text_of(element)
        if text and addresses_machines(text):
            yield Hidden(text[:MAX_QUOTE], "style", element.sourceline or 0)


def _comments(page: Document) -> Iterator[Hidden]:
    for comment in page.root.iter(etree.Comment):
        text = folded(comment.text or "")
        if "<" not in text and addresses_machines(text):
            yield Hidden(text[:MAX_QUOTE], "comment", comment.sourceline or 0)
