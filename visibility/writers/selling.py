"""Whether a description says that a brand sells what a topic is about. Pure.

By the thing, not by shared words: "running watches" are sold by who sells "watches" or "GPS running watches", not by
who sells "running shoes", "watch straps" or "luxury watches".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from visibility.writers.languages.language import LANGUAGES
from visibility.writers.stems import terms_of
from visibility.writers.topics import head_of, things_of

_SENTENCE = re.compile(r"[^;:.!?()\[\]|–—\n]+")
_PART = re.compile(r"[^,/]+")
_FOR = re.compile(
    rf"\b(?:{'|'.join(sorted(LANGUAGES.all_of(lambda language: language.words.audience)))})\b", re.IGNORECASE
)
"""Behind it stands whom or what things are for: "bags for laptops and phones" are neither."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Sold:
    """What people look for: the stem of the thing, and those of what kind of it. Where the language does not say by
    the place of a word which is the thing, it is empty, and all words are `kinds`."""

    thing: str
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of the description; `stem` is empty for a word without content."""

    start: int
    end: int
    stem: str
    is_plural: bool


def sold_things(topic: str, language: str, wordings: Sequence[str]) -> list[Sold]:
    """What the topic, first, and its wordings ask for."""
    things = [_sold(name, language) for name in things_of(topic, language, wordings)]
    # "Mesh WiFi system home" asks for no home: the name of the topic says of which word it is the kind.
    things = [thing for thing in things if thing.thing not in things[0].kinds]
    return [thing for thing in dict.fromkeys(things) if thing.thing or thing.kinds]


def _sold(name: str, language: str) -> Sold:
    head = terms_of(head_of(name))[-1:] if language == "en" else []
    return Sold("".join(head), frozenset(term for term in terms_of(name) if not term.isdigit()).difference(head))


def words_that_say(text: str, things: Iterable[Sold], *, plain: bool = True) -> str:
    """The words of the text, verbatim, that say that one of these things is sold; empty where none do. Where a
    `plain` name of the thing does not do ("services"), something of its kind has to stand with it."""
    things = list(things)
    for start, end in _parts(text):
        words = [_word(match) for match in _WORD.finditer(text, start, end)]
        for sold in things:
            if span := _span(words, sold, plain=plain):
                return text[span[0].start : span[1].end]
    return ""


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Where the parts of the text begin and end between which no name goes on."""
    for sentence in _SENTENCE.finditer(text):
        end = match.start() if (match := _FOR.search(text, *sentence.span())) else sentence.end()
        yield from (part.span() for part in _PART.finditer(text, sentence.start(), end))


def _word(match: re.Match[str]) -> _Word:
    stem = next(iter(terms_of(match[0])), "")
    return _Word(match.start(), match.end(), stem, match[0].endswith("s"))


def _span(words: Sequence[_Word], sold: Sold, *, plain: bool) -> tuple[_Word, _Word] | None:
    """The first and the last of the words that name the thing."""
    if not sold.thing:
        holding = [word for word in words if word.stem in sold.kinds]
        return (holding[0], holding[-1]) if {word.stem for word in holding} == sold.kinds else None
    for place, word in enumerate(words):
        if word.stem == sold.thing and (first := _begins(words, place, sold.kinds, plain=plain)) is not None:
            return words[first], word
    return None


def _begins(words: Sequence[_Word], place: int, kinds: frozenset[str], *, plain: bool) -> int | None:
    """Where the name of the thing at `place` begins; None where it is of another kind, or says of what kind another
    thing is, as in "watch straps"."""
    says_a_kind = place + 1 < len(words) and words[place + 1].stem and not words[place].is_plural
    if says_a_kind:
        return None
    first = place
    while first and words[first - 1].stem:
        first -= 1
    is_named = not kinds or kinds & {word.stem for word in words[first:place]}
    return first if is_named or (plain and first == place) else None
