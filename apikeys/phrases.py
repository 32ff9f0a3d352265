"""Sentences that jobs store in English, in the language of whoever reads them: by their templates in the catalogue.

A sentence is found by its template, and so is each of its values, unless it is a number or between “ and ”, as words
of others are. Of several templates that fit, that one is taken which leaves least in English.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Annotated, NamedTuple

from django.conf import settings
from django.utils.translation import get_language, gettext
from django.utils.translation.trans_real import translation
from pydantic import AfterValidator

from apikeys.language import number_words, span_words

NUMBERS = frozenset({"away", "bytes", "characters", "depth", "number", "share", "times", "total"})
"""Places of templates that take nothing but a number."""
LEAST_LETTERS = 4
"""Of a template's own, for a whole text to be one of it and no words of others."""
_PLACE = re.compile(r"\{(\w+)\}")
_NUMBER = re.compile(r"\d[\d,]*")
_QUOTED = re.compile(r"“[^“”]*”")
_LIST = re.compile(r", | and ")
_SPAN = re.compile(r"(?:(\d{1,2})(?: (\w{3}))?(?: (\d{4}))? to )?(\d{1,2}) (\w{3}) (\d{4})")
_END = re.compile(r"(?<=\.)(?= [A-Z\d“])")


class Found(NamedTuple):
    """A text in another language, and how many letters of it are still English."""

    text: str
    left: int


@dataclass(frozen=True)
class Phrase:
    """A template in English and in another language."""

    template: str
    translated: str

    @cached_property
    def own(self) -> list[str]:
        """The parts between its places, the longest first."""
        return sorted(_PLACE.sub("\0", self.template).split("\0"), key=len, reverse=True)

    @cached_property
    def letters(self) -> int:
        """How many letters it has of its own."""
        return sum(map(_letters, self.own))

    def values_in(self, text: str) -> Mapping[str, str] | None:
        """What stands at its places in a text; None for a text of another template."""
        if self.own[0] not in text:
            return None
        found = self._pattern.fullmatch(text)
        return found.groupdict() if found else None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = _PLACE.split(self.template)
        places = (_place(part) if number % 2 else re.escape(part) for number, part in enumerate(parts))
        return re.compile("".join(places), re.DOTALL)


def in_words(text: str, context: str) -> str:
    """A stored sentence of this context in the language of the reader."""
    language = get_language() or settings.LANGUAGE_CODE
    if not text or language == settings.LANGUAGE_CODE:
        return text
    found = _sentences(text, _phrases(language, context))
    return found.text if found else text


def days_in_words(text: str) -> str:
    """Days that a sentence stores, "20 to 24 May 2025", as the reader writes them."""
    return _SPAN.sub(_span, text)


DaysText = Annotated[str, AfterValidator(days_in_words)]
"""Days that are stored in English and read in the language of the reader."""


def _span(found: re.Match[str]) -> str:
    first_day, first_month, first_year, day, month, year = found.groups()
    last = datetime.strptime(f"{day} {month} {year}", "%d %b %Y").date()
    if first_day is None:
        return span_words(last, last)
    first = datetime.strptime(f"{first_day} {first_month or month} {first_year or year}", "%d %b %Y").date()
    return span_words(first, last)


def _sentences(text: str, phrases: list[Phrase]) -> Found | None:
    """One sentence or several in a row; None where a template is missing."""
    own = [each for each in phrases if each.letters >= LEAST_LETTERS]
    found = _filled(text, own, phrases)
    if found and not found.left:
        return found
    several = (_row(text[:end], text[end:], phrases) for end in (match.start() for match in _END.finditer(text)))
    body = text.removesuffix(".")
    bare = _about(body, phrases) or (_filled(body, own, phrases) if body != text else None)
    whole = bare and Found(bare.text + text[len(body) :], bare.left)
    return min((each for each in (found, *several, whole) if each), key=lambda each: each.left, default=None)


def _row(first: str, rest: str, phrases: list[Phrase]) -> Found | None:
    one = _sentences(first, phrases)
    more = one and (_sentences(rest, phrases) or _sentences(rest[1:], phrases))
    return Found(f"{one.text.rstrip()} {more.text.lstrip()}", one.left + more.left) if one and more else None


def _about(text: str, phrases: list[Phrase]) -> Found | None:
    """A sentence on a page, “/prices” has no heading, or one with a number behind it: No heading (2 addresses)."""
    if match := re.fullmatch(r"(“[^“”]*”:?) (.+)", text):
        rest = _value(match[2], phrases)
        return Found(f"{match[1]} {rest.text}", rest.left)
    if match := re.fullmatch(r"(.+) \((\d[^()]*)\)", text):
        first, number = _filled(match[1], phrases, phrases), _value(match[2], phrases)
        return Found(f"{first.text} ({number.text})", first.left + number.left) if first else None
    return None


def _filled(text: str, of: list[Phrase], phrases: list[Phrase]) -> Found | None:
    """A text by the template of these that leaves least in English."""
    found = []
    for phrase in of:
        if (values := phrase.values_in(text)) is not None:
            parts = {name: _value(value, phrases) for name, value in values.items()}
            words = phrase.translated.format(**{name: each.text for name, each in parts.items()})
            found.append(Found(words, sum(each.left for each in parts.values())))
    return min(found, key=lambda each: each.left, default=None)


def _value(text: str, phrases: list[Phrase]) -> Found:
    """What is at a place: a number, words of others, a phrase, so many of something, or a list of these."""
    if _NUMBER.fullmatch(text):
        return Found(number_words(int(text.replace(",", ""))), 0)
    found = [_filled(text, phrases, phrases), Found(text, _letters(_QUOTED.sub("", text)))]
    for match in re.finditer(r"(?<=[\da-z]) ", text) if _NUMBER.match(text) else ():
        number, rest = text[: match.start()], text[match.end() :]
        first = _value(number, phrases) if _NUMBER.fullmatch(number) else _filled(number, phrases, phrases)
        if first and (second := _value(rest, phrases)):
            found.append(Found(f"{first.text} {second.text}", first.left + second.left))
    if _LIST.search(text):
        parts = [_value(part, phrases) for part in re.split(r", (?!and )| and ", text)]
        words = [each.text for each in parts]
        last = f" {gettext('and')} {words.pop()}" if " and " in text else ""
        found.append(Found(", ".join(words) + last, sum(each.left for each in parts)))
    return min((each for each in found if each), key=lambda each: each.left)


def _place(name: str) -> str:
    values = r"[\d,]+" if name.rstrip("_0123456789") in NUMBERS else ".*?"
    return f"(?P<{name}>{values})"


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


@lru_cache(maxsize=32)
def _phrases(language: str, context: str) -> list[Phrase]:
    """The templates of a context, those with most letters of their own first."""
    return sorted(_catalogue(language, f"{context}\x04"), key=lambda phrase: -phrase.letters)


def _catalogue(language: str, context: str) -> Iterator[Phrase]:
    for message, words in translation(language)._catalog.items():  # type: ignore[attr-defined]  # as JavaScriptCatalog reads it
        if isinstance(message, str) and message.startswith(context):
            yield Phrase(message.removeprefix(context), words)
