"""Which words of others may be quoted at all: whole sentences that state something, without debris of markup.

What assistants say to whom they answer ("Here are …"), questions, and what tells a writer what to do are left out.
That is no guard by itself (an order may be worded in ways that nobody thought of): what is written rests on a source
word for word (`statements`), whatever the source asks for.
"""

import html
import re
from collections.abc import Iterable, Iterator

from apikeys.text.sentences import one_line
from visibility.audit.readability import words_of
from visibility.writers.languages.language import LANGUAGES

MIN_WORDS = 4
MAX_WORDS = 60
MAX_PASSAGE_LENGTH = 600
_MARKDOWN = re.compile(r"\\([\\`*_\[\]<>|~#&$!.()+-])")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)")
_EMPHASIS = re.compile(r"\*{1,3}|_{2,3}|`+|~~")
_LIST_MARKER = re.compile(r"^\s*(?:[-*+•>]|#{1,6}|\d{1,2}[.)])\s+")
_CITED = re.compile(r"\]\([^()\s]*\)|\(?\[?\[\w[^\[\]]*+\]\[\d+\]\]?\)?|\s\[\d+\](?=[.,;]|\s|$)|【[^】]*】")
_DEBRIS = re.compile(
    r"[|{}<>`\\]|&#?\w{1,40};|^(?:The|A|An)(?:and|or|is|are|has|with|of|for)\b"  # a name that a link had is missing
    r"|\[S?\d*\]|\[(?:fact needed|add)\b|\b\w++://|www\.|untrusted-quote|javascript:|\d[$€£]|\d\(\d|: .*: ",
    re.IGNORECASE,
)
_TIGHT = re.compile(r"(?<=[\w)])[:](?=[A-Z][a-z]|A )")
_GLUED = re.compile(r"(?<=[a-z)\]][.!?])(?=[A-Z][a-z])|(?<=\+\))(?=[A-Z])")
"""Where an interface put the end of one block against the beginning of the next."""
_END = re.compile(r"[.!?…。！？][\"'”’)\]]*$")  # noqa: RUF001 -- full-width marks end sentences too
_OPENING = re.compile(r"^[\"'“(]*[^\W_a-z]")
_LABEL = re.compile(r"^[^\W_][\w &/-]{0,38}:\s*(?=[^\W_])")
_CHATTER = re.compile(rf"^\W*(?:{LANGUAGES.any_of(lambda language: language.words.chatter)})\b", re.IGNORECASE)
_ADVISING = re.compile(rf"\b(?:{LANGUAGES.any_of(lambda language: language.words.advising)})\b", re.IGNORECASE)
_PRODUCT = re.compile(r"\b(?=\w*[A-Z])(?=\w*\d)\w{2,}|\b[A-Z]\w+ [A-Z\d]")
_ORDER = re.compile(LANGUAGES.any_of(lambda language: language.words.orders), re.IGNORECASE)


def plain_lines(markdown: str) -> Iterator[str]:
    """The lines of an answer as its reader sees them, without markup; rows of tables and code are left out."""
    is_code = False
    for line in markdown.splitlines():
        is_fence = _LIST_MARKER.sub("", line).lstrip().startswith(("```", "~~~"))
        is_code = is_code != is_fence
        if not is_code and not is_fence and line.count("|") < 2:
            text = _LIST_MARKER.sub("", _CITED.sub("", _LINK.sub(r"\1", line)))
            text = one_line(html.unescape(_MARKDOWN.sub(r"\1", _EMPHASIS.sub("", text))))
            yield from filter(None, _GLUED.split(_TIGHT.sub(": ", text)))


def without_label(text: str, labels: Iterable[str]) -> str:
    """The text without a label that repeats the heading below which it will stand ("Comfort: …")."""
    match = _LABEL.match(text)
    if match and match[0].rstrip(": ").casefold() in {label.casefold() for label in labels}:
        rest = text[match.end() :]
        return rest[:1].upper() + rest[1:] if rest[:1].isupper() else text
    return text


def is_order(text: str) -> bool:
    """Whether a text tells a writer what to do."""
    return _ORDER.search(text) is not None


def is_asked(text: str) -> bool:
    """Whether a wording can stand as a question or a search: it holds no markup and tells no writer what to do."""
    return not _DEBRIS.search(text) and not is_order(text)


def is_advice(text: str) -> bool:
    """Whether a sentence advises buyers whatever they choose: it has no label and names no product."""
    return ":" not in text and _ADVISING.search(text) is not None and not _PRODUCT.search(text[1:])


def is_quotable(text: str) -> bool:
    """Whether a passage can stand as a sentence of its own: it states something, whole, in words alone."""
    return (
        MIN_WORDS <= len(words_of(text)) <= MAX_WORDS
        and len(text) <= MAX_PASSAGE_LENGTH
        and _END.search(text) is not None
        and _OPENING.match(text) is not None
        and "?" not in text
        and not _DEBRIS.search(text)
        and not _CHATTER.match(text)
        and not is_order(text)
    )
