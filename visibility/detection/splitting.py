"""Splits text that lost its line breaks, as search pages print it: "…for simplicity.Name: It is …".

Ranks and senses depend on where the lines of an answer begin. In unbroken text an entry begins right behind a full
stop, a product card right behind the previous one, and a title ends with a colon and a hard space.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["heading", "item", "cell", "bold", "title", "point", "card", "text"]


@dataclass(slots=True)
class Line:
    """A line at `start:end` of the visible text; its words begin at `body`, its label or first words end at `head`.

    `kind`: a heading, list item, cell of a table, line that begins in bold, title (a label with nothing behind),
    point ("label: description"), product card or text. `level` is that of headings, and 2 for nested items; `row` and
    `column` are those of cells.
    """

    kind: Kind
    start: int
    end: int
    body: int
    head: int
    level: int = 0
    row: int = 0
    column: int = 0
    is_numbered: bool = False


BREAK = "\0"
"""The sign in the visible text for something hidden between two stretches."""

_CUT = re.compile(
    r"""
      [\0\xa0]+\s*(?![·:;!?»€%\s])                                  # where a line ended
    | (?<=\S[.!?…])(?<![\s.][A-Z][.!?…])["”’)\]]{0,3}(?=["“(]?[A-Z])      # a full stop glued to the next line
    | (?<=[a-z%)\]"”’][.!?])(?=\d\w{0,20}[A-Z]|\d{2,4}\s[A-Z])          # "…for everyone.1More Sono: …"
    | (?<=[a-z]{3}\.)(?=[a-z][\w+-]{2,20}(?:\s[A-Z\d][\w+-]{0,20}){0,3}:)    # "…more expensive.eero: …"
    | (?<=[a-z]{3}[.!?])(?=[a-z][A-Z])                                  # "…for runners.iPhone 16"
    | (?<=\d\.\d)\([\d.,k+]{1,8}\)(?=\w)
    | (?<=[\d+]\))(?=[A-Z\d])                                         # a rating glued to the next card: "4.3(9k+)JBL"
    | (?<=\w\))(?=[A-Z][a-z])
    | (?<=\.\d\d)(?=[A-Z][a-z])                                       # a price
    | \bSee\ more(?=[A-Z])
    | (?<=\])\s?(?=[A-Z])
    # signs of items whose line ends are gone
    | (?<!\d[.)])(?<![-•*▪◦\s])\s{2,20}(?=\S)
    | \s(?=[-•*▪◦]\s{1,4}\S)
    | \s(?=\#{1,6}\s\S)
    | (?<=[.:!?)])\s(?=\d{1,2}[.)]\s{1,4}[A-Z*])
    | \s(?=1[.)]\s{1,4}[A-Z*][^\n]{2,600}?\s2[.)]\s{1,4}[A-Z*])
    """,
    re.VERBOSE,
)
_SIGN = re.compile(r"(?P<sign>[-•*▪◦]|\#{1,6}|(?P<number>(?:\#\s?)?\d{1,3}(?:[.):]|\ufe0f?\u20e3)))\s{1,20}(?=\S)")
_ORNAMENT = re.compile(r"[^\w\"'“$(]{0,20}")
_COLON = re.compile(r"[:：](?!//)(?!\d\d\b)|\s→\s")
_DASH = re.compile(r"\s[–—-]{1,2}\s")
_STOP = re.compile(
    r"(?<![\s.][A-Z])(?<!\b\d)(?<!\b\d\d)(?<!\b(?:vs|Dr|St|Mr|No|qt|in|oz|lb|ft))(?<!\b(?:Mrs|e\.g|i\.e|inc|Inc))"
    r"[.!?…][\"”’)]{0,3}\s+(?=[\"“]?[A-Z\d])"
)
_CARD = re.compile(r"\S[$€£]\d|\d\.\d\(\d")
_CARD_END = re.compile(r"[\w\"”)][$€£]\d[\d.,$€£()+k]{0,30}\Z")
_SENTENCE = re.compile(r"[.!?…][\"”’)]{0,3}\Z")
_NESTED = 3
"""Spaces before the sign of an item that make it a part of the item above."""
_MAX_LABEL = 140
_MAX_LABEL_WORDS = 16
_MAX_TITLE_WORDS = 10
_MAX_CUT_LABEL_WORDS = 10
_MAX_SUBTITLE_WORDS = 4


def begin(shown: str, start: int, end: int) -> int:
    """Where the words of a line begin, behind signs, ornaments and its number."""
    place = start
    for _ in range(2):
        found = _ORNAMENT.match(shown, place, end)
        place = found.end() if found else place
        sign = _SIGN.match(shown, place, end)
        place = sign.end() if sign else place
    return min(place, end)


def split(shown: str, start: int, end: int) -> Iterator[Line]:
    """The lines that a stretch of plain text really has, in order and without gaps. In time linear in it."""
    for low, high, is_broken in _pieces(shown, start, end):
        yield from _labelled(shown, low, high, is_broken)


def _pieces(shown: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Stretches between cuts; True where a hard break ends one."""
    done = start
    for cut in _CUT.finditer(shown, start, end):
        if cut.end() > done:
            yield done, cut.end(), cut[0][:1] in ("\xa0", BREAK)
            done = cut.end()
    if done < end:
        yield done, end, True


def _labelled(shown: str, start: int, end: int, is_broken: bool) -> Iterator[Line]:
    """One piece as a line, or as several where a later sentence of it begins with a short label."""
    done = last = start
    for colon in _COLON.finditer(shown, start, end):
        low = max(last, colon.start() - _MAX_LABEL)
        last = colon.end()
        place = low
        for stop in _STOP.finditer(shown, low, colon.start()):
            place = stop.end()
        if place > low and len(shown[place : colon.start()].split()) <= _MAX_CUT_LABEL_WORDS:
            yield _line(shown, done, place, is_broken=False)
            done = place
    yield _line(shown, done, end, is_broken)


def _line(shown: str, start: int, end: int, is_broken: bool) -> Line:
    body = begin(shown, start, end)
    sign = _SIGN.match(shown, start + len(shown[start:body]) - len(shown[start:body].lstrip()), end)
    kind, head = _kind(shown, body, end, is_broken)
    if sign is None:
        return Line(kind, start, end, body, head)
    if sign["sign"].startswith("#"):
        return Line("heading", start, end, body, end, level=len(sign["sign"]))
    if kind == "text" and end - start <= 4 * _MAX_LABEL:
        kind = "item"
    is_nested = sign["number"] is None and shown[max(0, sign.start() - _NESTED) : sign.start()].isspace()
    level = 2 if is_nested and sign.start() >= _NESTED else 1
    return Line(kind, start, end, body, head, level, is_numbered=sign["number"] is not None)


def _kind(shown: str, body: int, end: int, is_broken: bool) -> tuple[Kind, int]:
    """What a piece is, and where its label or first words end."""
    words = shown[body:end].rstrip("\xa0\0\n ")
    stop = body + len(words)
    if _CARD_END.search(words[-40:]):
        return "card", stop
    dash = _DASH.search(shown, body, min(stop, body + _MAX_LABEL))
    is_labelled = dash and len(shown[body : dash.start()].split()) <= _MAX_TITLE_WORDS and words[:1].isupper()
    colon = _COLON.search(shown, body, min(stop, body + _MAX_LABEL))
    if dash and is_labelled and (not colon or len(shown[dash.end() : colon.start()].split()) > _MAX_SUBTITLE_WORDS):
        return "point", dash.start()
    if colon and colon.start() > body and not _STOP.search(shown, body, colon.start()):
        is_last = colon.end() >= stop
        if is_last or len(shown[body : colon.start()].split()) <= _MAX_LABEL_WORDS:
            return ("title" if is_last else "point"), colon.start()
    if _CARD.search(words[:400]):
        return "card", stop
    if words.endswith((":", "：")):
        return "title", stop - 1
    is_short = len(words.split()) <= _MAX_TITLE_WORDS and words[:1].isupper() and not _SENTENCE.search(words)
    return ("title" if is_short and is_broken and stop < end else "text"), stop
