"""Labels around an answer's words: where a thing is sold, whose source it is. The names in them do not count."""

import re

from visibility.detection.lines import Line, Lines

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
    r"sources?|via|references?|citations?|read\ more(?:\ at)?|see\ also|photos?|images?|credits?|quellen?|fuentes?"
    r"|bildquelle|\u51fa\u5178|\u6765\u6e90|\ucd9c\ucc98"
)
_LINE = re.compile(
    rf"[\s*_>\u2022-]*(?:{_SHOPS}|{_SOURCES})[*_\s]*[:\uff1a](?P<named>.*)", re.IGNORECASE | re.DOTALL | re.X
)
_ENCLOSED = re.compile(
    rf"[(\[\uff08]\s*(?:{_SOURCES})\s*[:\uff1a][^()\[\]\uff08\uff09]*[)\]\uff09]", re.IGNORECASE | re.X
)
_INTRODUCED = re.compile(r"\b(?:you|can|that|which|these|such|sell|have|it|them)\b", re.IGNORECASE)


def is_label(lines: Lines, start: int) -> bool:
    """Whether the name at `start` of the visible text only stands in a label: "Where to buy: REI", "(source: CNET)",
    or an item of a list that such a label alone heads. A sentence that introduces shops makes them count."""
    index = lines.index_at(start)
    line = lines[index]
    if _labels(line, start):
        return True
    if any(found.start() <= start - line.start < found.end() for found in _ENCLOSED.finditer(line.text)):
        return True
    return line.place.kind == "item" and _headed_by_label(lines, index)


def _labels(line: Line, start: int) -> bool:
    found = _LINE.match(line.text)
    return found is not None and start - line.start >= found.start("named")


def _headed_by_label(lines: Lines, index: int) -> bool:
    """Whether the nearest line above that is not of the same list is a label of shops or sources without names."""
    place = lines[index].place
    for above in range(index - 1, max(-1, index - 20), -1):
        line = lines[above]
        same = line.place.kind == "item" and (line.place.group, line.place.level) == (place.group, place.level)
        if not same:
            found = _LINE.match(line.text)
            if line.place.kind == "item" and line.place.level >= place.level:
                return False
            return found is not None and not found["named"].strip(" *_\0") and not _INTRODUCED.search(line.text)
    return False
