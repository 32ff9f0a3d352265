"""Where names do not count: in labels of shops and sources ("Where to buy: REI") and in the repeated question."""

import re
from collections.abc import Iterator

from visibility.detection.folding import fold
from visibility.detection.visible import Span, Visible

_SHOPS = (
    r"where to (?:buy|get|find|shop)(?: it| them)?|(?:also )?available (?:at|from|on|in|via)|sold (?:at|by|on)|"
    r"(?:buy|shop|order|get)(?: (?:it|now|here|online))?(?: (?:at|from|on|in))?|retailers?|stores?|sellers?|"
    r"check prices?(?: (?:at|on))?|prices? (?:at|from)|buying options|deals?|erhältlich (?:bei|in|auf)|wo kaufen|"
    r"bezugsquellen?|où (?:l')?acheter|disponible (?:chez|en|sur)|dónde comprar|dove comprare|購入先|购买渠道|구매처"
)
_SOURCES = (
    r"sources?|more (?:info(?:rmation)?|details|on this)|learn more|further reading|via|references?|citations?|"
    r"read more|see also|photos?|images?|credits?|quellen?|fuentes?|fonti?|bron(?:nen)?|mehr (?:dazu|infos?)|"
    r"en savoir plus|más información|参考|出典|来源|출처"
)
_LABEL = re.compile(
    rf"(?:^|(?<=[\n\0\xa0])|(?<=[.!?)]))[\s*_>•-]{{0,9}}(?:(?P<shops>{_SHOPS})|{_SOURCES})[*_\s]{{0,4}}[:：]",
    re.IGNORECASE | re.MULTILINE,
)
_ENCLOSED = re.compile(rf"[(\[（]\s?(?:{_SOURCES})\s?[:：][^()\[\]（）]{{0,500}}[)\]）]", re.IGNORECASE)
_BARE_TITLE = re.compile(
    rf"[\s*_#]*(?:{_SHOPS}|{_SOURCES}|links?|bibliography|literatur)[\s*_]*[:：]?[\s*_\0\xa0]*", re.I
)
_STOP = re.compile(r"[.!?。](?=\s|[A-Z\0]|\Z)|[\n\0]|\xa0(?=\S)")
_SMALL = re.compile(r"(?<![^\W_])(?!(?:and|or|und|oder|et|ou|y|e|o)\b)[a-zß-ÿ]+(?![\w.])")
_SENTENCE_WORDS = 2
"""A sentence has so many different words in small letters; a mere list of shops has fewer."""
_MAX_TITLE = 60
_MIN_ECHO = 3


def labelled(seen: Visible) -> Iterator[Span]:
    """Stretches whose names are only those of shops or sources. In a sentence about shops their names count."""
    shown = seen.text
    for found in _ENCLOSED.finditer(shown):
        yield found.span()
    for found in _LABEL.finditer(shown):
        behind = shown[found.end() : found.end() + 9]
        first = found.end() + len(behind) - len(behind.lstrip(" \xa0\0*_"))
        stop = _STOP.search(shown, first)
        end = stop.start() if stop else len(shown)
        if not found["shops"] or _is_list(shown, first, end):
            yield found.end(), end
    yield from _below_titles(seen)


def _below_titles(seen: Visible) -> Iterator[Span]:
    """Items, and lines of mere names, below a title that is such a label and nothing more."""
    is_below = False
    for line in seen.lines:
        words = seen.text[line.start : line.end]
        if line.kind == "card":
            is_below = False
        elif line.kind in ("heading", "title", "bold", "text") and not (is_below and _is_bare_item(line.kind, words)):
            if words.strip("\xa0\0\n "):
                is_below = len(words) <= _MAX_TITLE and _BARE_TITLE.fullmatch(words) is not None
        elif is_below and _is_list(seen.text, line.start, line.end):
            yield line.start, line.end


def _is_bare_item(kind: str, words: str) -> bool:
    return kind in ("title", "text") and ":" not in words and not _SMALL.search(words)


def _is_list(shown: str, start: int, end: int) -> bool:
    return len(set(_SMALL.findall(shown, start, end))) < _SENTENCE_WORDS


def echoes(shown: str, prompt: str) -> Iterator[Span]:
    """Where the answer repeats the question word for word and does not go on with it."""
    question = fold(prompt).strip(" \t?!.:;,\"'")
    if len(question.split()) < _MIN_ECHO:
        return
    folded = fold(shown)
    start = folded.find(question)
    while start >= 0:
        end = start + len(question)
        if "?" in prompt or not re.match(r"[\s*_]{0,3}[^\W\d_]", folded[end : end + 4]):
            yield start, end
        start = folded.find(question, end)
