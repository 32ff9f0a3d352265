"""Labels around an answer's words: where a thing is sold, whose source it is. The names in them do not count."""

import re
from collections.abc import Iterator

from visibility.detection.text.lines import Line, Lines
from visibility.detection.text.spans import Spans

_SHOPS = (
    r"(?:where|places?)\ to\ (?:buy|get|order|shop|find)(?:\ (?:it|them|this))?"
    r"|(?:also\ )?available\ (?:at|from|on|in|via)|sold\ (?:at|by|on)|(?:in\ stock|for\ sale)\ at"
    r"|(?:buy|shop|order|get|find)(?:\ (?:it|now|here|online))?(?:\ (?:at|from|on|it\ at|in))?"
    r"|retailers?|stores?|shops?|sellers?|vendors?|merchants?|check\ prices?(?:\ (?:at|on))?|prices?\ (?:at|from)"
    r"|buying\ options|deals?|erh\u00e4ltlich\ (?:bei|in|auf)|wo\ kaufen|bezugsquellen?|o\u00f9\ (?:l')?acheter"
    r"|disponible\ (?:chez|en|sur)|d\u00f3nde\ comprar|dove\ comprare|\u8cfc\u5165\u5148"
    r"|\u8cb7\u3048\u308b\u5834\u6240|\u8d2d\u4e70\u6e20\u9053|\uad6c\ub9e4\ucc98"
)
_SOURCES = (
    r"sources?|more(?:\ (?:info(?:rmation)?|details|on\ this|at))?|learn\ more|further\ reading|via|references?"
    r"|citations?|read\ more(?:\ at)?|see\ also|photos?|images?|credits?|quellen?|fuentes?"
    r"|mehr(?:\ (?:dazu|infos?|informationen|details))?|weitere\ (?:infos?|informationen|details)|weiterlesen"
    r"|siehe\ auch"
    r"|en\ savoir\ plus|plus\ d'infos?|voir\ aussi|m\u00e1s\ informaci\u00f3n|leer\ m\u00e1s|ver\ tambi\u00e9n|fonti?"
    r"|maggiori\ informazioni|leggi\ anche|lees\ (?:meer|ook)|meer\ (?:informatie|lezen)|bron(?:nen)?"
    r"|\u53c2\u8003|\u8a73\u3057\u304f\u306f|\u7d9a\u304d\u3092\u8aad\u3080|\u53c2\u8003\u8d44\u6599|\ucc38\uace0"
    r"|\uc790\uc138\ud788 \ubcf4\uae30"
    r"|bildquelle|\u51fa\u5178|\u6765\u6e90|\ucd9c\ucc98"
)
_LINE = re.compile(rf"[\s*_>\u2022-]*(?:(?P<shops>{_SHOPS})|{_SOURCES})[*_\s]*[:\uff1a]", re.IGNORECASE | re.X)
_TITLE = re.compile(
    r"[\s*_#]*(?:sources?|references|citations|bibliography|further\ reading|read\ more|see\ also|links?"
    r"|(?P<shops>where\ to\ (?:buy|shop))"
    r"|quellen|literatur|fuentes|r\u00e9f\u00e9rences|fonti|bronnen|\u51fa\u5178"
    r"|\u53c2\u8003\u6587\u732e)[\s*_]*[:\uff1a]?[\s*_\0]*",
    re.IGNORECASE | re.X,
)
_AFTER_SENTENCE = re.compile(
    rf"(?<=[.!?])[*_\s]*(?:(?P<shops>{_SHOPS})|{_SOURCES})[*_]*\s?[:\uff1a]", re.IGNORECASE | re.X
)
_ENCLOSED = re.compile(
    rf"[(\[\uff08]\s*(?:{_SOURCES})\s*[:\uff1a][^()\[\]\uff08\uff09]*[)\]\uff09]", re.IGNORECASE | re.X
)
_STOP = re.compile(r"[.!?\u3002](?=\s|[A-Z\0]|\Z)|\u00a0(?=\S)")
_SMALL = re.compile(r"(?<![^\W_])(?!(?:and|or|und|oder|et|ou|y|e|o)\b)[a-z\u00df-\u00ff]+(?![\w.])")
_SAYING = 2
"""So many different words in small letters make a sentence; a mere list of shops has fewer."""
_BRACKET = re.compile(r"[:\uff1a][^()\[\]\uff08\uff09]*[)\]\uff09]")
_MAX_LIST_LENGTH = 20
_INTRODUCED = re.compile(r"\b(?:you|can|that|which|these|such|sell|have|it|them)\b", re.IGNORECASE)


class Labels:
    """Finds the names that only stand in a label: "Where to buy: REI", "(source: CNET)", or an item of a
    list that such a label alone heads. A sentence that introduces shops makes them count."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._hidden: dict[int, Spans] = {}

    def hide(self, start: int) -> bool:
        """Whether a name at this place of the visible text stands in a label."""
        index = self._lines.index_at(start)
        if index not in self._hidden:
            self._hidden[index] = Spans(self._stretches(index))
        return self._hidden[index].touches(start, start + 1)

    def _stretches(self, index: int) -> Iterator[tuple[int, int]]:
        line = self._lines[index]
        labelled = _LINE.match(line.text)
        if labelled:
            yield from self._bare(line, labelled.end(), of_shops=labelled["shops"] is not None)
        elif line.place.kind == "item" and (heading := self._heading(index)):
            yield from self._bare(line, 0, of_shops=heading["shops"] is not None)
        if ":" in line.text:
            for found in _AFTER_SENTENCE.finditer(line.text):
                yield from self._bare(line, found.end(), of_shops=found["shops"] is not None)
        if _BRACKET.search(line.text):
            for found in _ENCLOSED.finditer(line.text):
                yield line.start + found.start(), line.start + found.end()

    def _bare(self, line: Line, start: int, *, of_shops: bool) -> Iterator[tuple[int, int]]:
        """What a label names, up to the first stop; of shops only where that is no sentence."""
        blank = len(line.text) - len(line.text[start:].lstrip(" *_\u00a0"))
        stop = _STOP.search(line.text, blank)
        end = stop.start() if stop else len(line.text)
        if not of_shops or len(set(_SMALL.findall(line.text, blank, end))) < _SAYING:
            yield line.start + start, line.start + end

    def _heading(self, index: int) -> re.Match[str] | None:
        """The nearest line above that is not of the same list, where it is a mere label of shops or sources."""
        place = self._lines[index].place
        for above in range(index - 1, max(-1, index - _MAX_LIST_LENGTH), -1):
            line = self._lines[above]
            if line.place.kind != "item" or line.place.level < place.level:
                found = _TITLE.fullmatch(line.text)
                if found or (found := _LINE.match(line.text)) is None:
                    return found
                return None if line.text[found.end() :].strip(" *_\0") or _INTRODUCED.search(line.text) else found
            if (line.place.group, line.place.level) != (place.group, place.level):
                return None
        return None
