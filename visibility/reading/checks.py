"""What of a reply is kept: rows with a quote that the text has, on a subject that the quote is on, and short labels.

Nothing that a reader returns is believed: a row that fails a check is refused, with the reason.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from uuid import UUID

from apikeys.text import clean, unmarked
from visibility.detection.addresses import EXTRACT
from visibility.detection.visible import Span, read
from visibility.models.reading import Facet
from visibility.reading.lines import name_above
from visibility.reading.passages import Given, Material
from visibility.reading.task import (
    MOST_HEADINGS,
    MOST_RIVAL_HEADINGS,
    MOST_ROWS,
    MOST_WORDS,
    RIVAL_FACETS,
    VALUED,
    Heading,
    Reply,
    Row,
)

SHORTEST_QUOTE, LONGEST_QUOTE = 3, 300
LONGEST_LABEL = 60
MOST_PLACES = 50
"""Places of one quote in one text that are looked at."""
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2018\u2019\u201a", "'"),
        **dict.fromkeys("\u2010\u2011\u2013\u2014\u2212", "-"),
    }
)
_NUMBER = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d{3}(?!\d))*(?:[.,]\d+)?")
_GLUED = re.compile(r"([$€£]\s?\d[\d,]*\.\d\d)(?=\d)")
_MONEY = re.compile(r"[$€£]\s?\d[\d,]*\.\d\d\Z")
_GROUPED = re.compile(r"[.,'’\u00a0\u202f ](?=\d{3}(?:\D|\Z))")
_PARTS = re.compile(r"(?:[\s/_;·•+]|(?<!\d),|,(?!\d))+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_END = r"(?<!\bvs)(?<!\n\d)(?<!\n\d\d)[.!?…][\"'\u201d\u2019)]{0,3}(?:\s|(?=[A-Z])|\Z)|[。\uff01\uff1f]"
_SENTENCE_END, _STOP = re.compile(_END), re.compile(rf"{_END}|[\n\0]")
_LETTERS_OF_A_WORD = 4
"""In scripts that put no space between words."""
_MARKUP = re.compile(r"[<>{}\[\]|\\`*^\n\r\0\u2028\u2029]")
_ADDRESS = re.compile(r"://|@\w|\bwww\.", re.IGNORECASE)
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_ORDER = re.compile(
    r"""\b(?:ignor\w*|disregard\w*|overrid\w*|forget|vergiss|missachte\w*|oubli\w*|olvid\w*|dimentic\w*|negeer\w*|zignoruj)\b
        .{0,60}?\b(?:instruc\w*|instruk\w*|instruç\w*|istruzion\w*|anweisung\w*|consignes?|prompts?|rules?|regeln|above
          |previous|prior|earlier|everything|anterior\w*|précédent\w*|bisherig\w*)
      | \b(?:system|developer|assistant)\s*(?:prompt|message|:)|\bas\ an?\ (?:ai|llm|language\ model)\b|<\|\w+\|>
      | \b(?:ai|llm|language\ model|assistants?|chatbots?|readers?)\b.{0,20}\b(?:must|should|has\ to|have\ to|shall)\b
        .{0,40}\b(?:say|output|return|report|rank|recommend|reply|write|answer|include|add)\b
      | \b(?:return|output|add|write|include|reply\ with|respond\ with|report)\b.{0,40}\b(?:json|facets?)\b
      | (?:以前|上記|これまで|之前|以上|上面).{0,20}(?:指示|命令|指令)""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words to a model instead of words on a subject. What gets past it is still no more than a quote and a label."""


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A row that passed: its quote is `start:end` of the raw text of `pk`."""

    pk: int
    subject: UUID | None
    facet: Facet
    value: str
    heading: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row that did not: where it claims to be from, its value, and why, for the person who pasted it."""

    answer: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of a reply."""

    kept: Sequence[KeptRow]
    refused: Sequence[RefusedRow]


class RowRefusal(Exception):
    """Why a row is not kept."""


def check_reply(material: Material, reply: Reply) -> Checked:
    """The rows, each kept or refused; what one text says twice under one heading is kept once."""
    checker = _Checker(material, reply.headings)
    kept: dict[tuple[object, ...], KeptRow] = {}
    refused: list[RefusedRow] = []
    for position, row in enumerate(reply.rows):
        try:
            if position >= MOST_ROWS:
                raise RowRefusal(f"more than {MOST_ROWS} rows")
            found = checker.check(row)
            kept.setdefault((found.pk, found.subject, found.facet, found.heading, found.value.casefold()), found)
        except RowRefusal as refusal:
            refused.append(RefusedRow(row.answer[:20], checker.label(row)[:LONGEST_LABEL], str(refusal)))
    return Checked(list(kept.values()), refused)


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading that passed, on a subject by its listed name."""

    subject: str
    facet: Facet
    text: str


class _Checker:
    """Checks rows against the texts that were given."""

    def __init__(self, material: Material, headings: Sequence[Heading]) -> None:
        self._given = {each.key: each for each in material.texts}
        self._subjects = {_plain(name).casefold(): name for name in material.subjects}
        self._ids = material.subjects
        self._is_reviews = material.topic is None
        self._folded: dict[str, Folded] = {}
        self._labels = {each.id: each.heading for each in reversed(headings)}
        self._headings = self._check_headings(headings)

    def label(self, row: Row) -> str:
        """What a row is called where it is refused: its value, else its heading, else the id of that."""
        return row.value or self._labels.get(row.heading) or row.heading

    def check(self, row: Row) -> KeptRow:
        """The row with the place of its quote; raises RowRefusal."""
        given = self._given.get(row.answer)
        if given is None:
            raise RowRefusal("no such text")
        heading = self._headings.get(row.heading, "no such heading")
        if isinstance(heading, str):
            raise RowRefusal(heading)
        is_valued = heading.facet in VALUED
        value = _label("value", row.value) if is_valued and row.value else heading.text
        start, end = self._place(given, row.quote, heading.subject)
        quote = given.seen.text[start:end]
        if _ORDER.search(_sentence(given.seen.text, start, end)):
            raise RowRefusal("the quote is an instruction")
        if is_valued and not numbers(value) <= numbers(quote):
            raise RowRefusal("a number that the quote lacks")
        # A model's number may be above the quote.
        if (named := numbers(heading.text)) and not named <= numbers(given.text):
            raise RowRefusal("a number that the text lacks")
        first, last = given.seen.raw_span(start, end)
        return KeptRow(given.pk, self._ids[heading.subject], heading.facet, value, heading.text, first, last)

    def _check_headings(self, headings: Sequence[Heading]) -> dict[str, _Heading | str]:
        """By their ids, the first of each, in one spelling; or why one is refused, with all of its rows."""
        checked: dict[str, _Heading | str] = {}
        spelled: dict[tuple[str, Facet, str], _Heading] = {}
        for each in headings:
            if not each.id or each.id in checked:
                continue
            try:
                found = self._check_heading(each)
                key = found.subject, found.facet, found.text.casefold()
                most = MOST_RIVAL_HEADINGS if self._ids[found.subject] else MOST_HEADINGS
                if key not in spelled and sum(subject == found.subject for subject, *_ in spelled) == most:
                    raise RowRefusal(f"more than {most} headings of {found.subject}")
                checked[each.id] = spelled.setdefault(key, found)
            except RowRefusal as refusal:
                checked[each.id] = str(refusal)
        return checked

    def _check_heading(self, heading: Heading) -> _Heading:
        if heading.facet not in Facet.values:
            raise RowRefusal("unknown facet")
        name = self._subjects.get(_plain(heading.subject).casefold())
        if name is None:
            raise RowRefusal("not one of the subjects")
        facet = Facet(heading.facet)
        if self._ids[name] and facet not in RIVAL_FACETS:
            raise RowRefusal(f"of rivals no {facet.value} is asked")
        return _Heading(name, facet, _label("heading", heading.heading))

    def _place(self, given: Given, quote: str, name: str) -> Span:
        """Where the quote is, in the visible text: the first place that is on the subject."""
        folded = self._folded.setdefault(given.key, Folded(given.seen.text, given.spans))
        found = list(folded.find(quote))
        if not found:
            raise RowRefusal("the quote is not in that text")
        if all(given.is_header(span) for span in found):
            raise RowRefusal("the quote is a table's header")
        for span in found:
            if not given.is_header(span) and (self._is_reviews or _is_on(given, span, name)):
                return span
        raise RowRefusal("the quote is not on that subject")


def _is_on(given: Given, span: Span, name: str) -> bool:
    """Whether a stretch names a subject, in the sentence where others are named or it begins, and says more than
    names; or whether it names nobody and the subject's name is the last before it."""
    start, end = span
    text = given.seen.text
    touching = [each for each in given.names if each.start < end and start < each.end]
    inside = [each for each in touching if start <= each.start and each.end <= end]
    if not touching:
        above = name_above(given.seen, given.names, start)
        return above is not None and above.is_tracked and above.name == name
    if not any(each.is_tracked and each.name == name for each in inside):
        return False
    runs = ((first.end, second.start) for first, second in pairwise(inside) if first.name != second.name)
    if _SENTENCE_END.search(text, start, inside[0].start) or any(_STOP.search(text, *run) for run in runs):
        return False
    parts = zip([start, *(each.end for each in inside)], [*(each.start for each in inside), end], strict=True)
    return any(letter.isalnum() for first, last in parts for letter in text[first:last])


def _sentence(text: str, start: int, end: int) -> str:
    """A stretch with the rest of the sentences in which it begins and ends."""
    before = [found.end() for found in _STOP.finditer(text, max(0, start - LONGEST_QUOTE), start)]
    behind = _STOP.search(text, end, end + LONGEST_QUOTE)
    first = before[-1] if before else max(0, start - LONGEST_QUOTE)
    return text[first : behind.start() if behind else end + LONGEST_QUOTE]


class Folded:
    """The visible text of stretches with white space folded, and where each of its characters is."""

    def __init__(self, text: str, spans: Sequence[Span]) -> None:
        self._text = text
        self._parts = [_fold(text, *span) for span in spans]

    def find(self, quote: str) -> Iterator[Span]:
        """The places of a quote, as it is or in another of the forms in which readers give it back."""
        for form in dict.fromkeys(_forms(quote)):
            if not SHORTEST_QUOTE <= len(form) <= LONGEST_QUOTE:
                continue
            found = [span for words, at in self._parts for span in self._places(words, at, form)]
            if found:
                yield from found[:MOST_PLACES]
                return

    def _places(self, words: str, at: Sequence[int], form: str) -> Iterator[Span]:
        place = words.find(form)
        while place >= 0:
            end = place + len(form)
            if not _cuts(words, place) and not _cuts(words, end):
                yield at[place], at[end - 1] + 1
            place = words.find(form, place + 1)


def _fold(text: str, start: int, end: int) -> tuple[str, list[int]]:
    words: list[str] = []
    at: list[int] = []
    for place in range(start, end):
        letter = text[place]
        if letter.isspace() or letter in "\0|":
            letter = " "
            if not words or words[-1] == " ":
                continue
        elif not clean(letter):
            continue
        words.append(letter.translate(_ALIKE))
        at.append(place)
    return "".join(words), at


def _forms(quote: str) -> Iterator[str]:
    """A quote as it is, with signs instead of their escapes, and without Markdown."""
    if len(quote) > 4 * LONGEST_QUOTE:
        return
    bare = unmarked(quote)
    for form in (bare, unescape(bare), read(bare).text, read(unescape(bare)).text):
        yield _fold(form, 0, len(form))[0].strip()


def _cuts(words: str, place: int) -> bool:
    """Whether a place parts a word or a number; scripts without capitals may put no spaces between words."""
    before, behind = words[max(0, place - 1) : place], words[place : place + 1]
    if not before or not behind:
        return False
    if behind.isdigit() and _MONEY.search(words, max(0, place - 20), place):
        return False  # "$329.994.8" is a price and a rating in one
    if before.isdigit() and behind in ".," and words[place + 1 : place + 2].isdigit():
        return True
    if behind.isdigit() and before in ".," and words[max(0, place - 2) : place - 1].isdigit():
        return True
    return all(letter.isdigit() or letter.lower() != letter.upper() for letter in (before, behind))


def numbers(text: str) -> set[str]:
    """The numbers in a text, however they are written: "1,299.00" and "1299" are one."""
    found: set[str] = set()
    for match in _NUMBER.findall(_GLUED.sub(r"\1 ", text)):
        digits = "".join(str(unicodedata.digit(letter, letter)) for letter in _GROUPED.sub("", match))
        whole, _, rest = digits.replace(",", ".").partition(".")
        found.add(f"{whole.lstrip('0') or '0'}.{rest.rstrip('0')}".rstrip("."))
    return found


def _plain(text: str) -> str:
    return " ".join(unescape(unmarked(text)).translate(_ALIKE).split())


def _label(what: str, text: str) -> str:
    """A value or heading: one short line of words; raises RowRefusal."""
    label = unescape(text).strip()
    if not any(letter.isalnum() for letter in label):
        raise RowRefusal(f"no {what}")
    if _MARKUP.search(label) or clean(label) != label:
        raise RowRefusal(f"the {what} has signs that are no words")
    label = " ".join(label.split())
    words = sum(any(letter.isalnum() for letter in part) for part in _PARTS.split(label))
    words += len(_UNSPACED.findall(label)) // _LETTERS_OF_A_WORD
    if words > MOST_WORDS or len(label) > LONGEST_LABEL:
        raise RowRefusal(f"the {what} has more than {MOST_WORDS} words")
    if _ADDRESS.search(label) or any(EXTRACT(host).suffix for host in _HOST.findall(label)):
        raise RowRefusal(f"the {what} has an address")
    if _ORDER.search(label):
        raise RowRefusal(f"the {what} is an instruction")
    return label
