"""Names at the heads of an answer's entries that nobody tracks yet: who else it recommends.

The entries are those that ranks are taken from. Letters decide what is a name, so this errs; what it finds is offered
to people, never counted.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic.dataclasses import dataclass as data

from apikeys.text.language_files import STRICT, Patterns, Words, load_file
from visibility.detection.citations.source_classes import class_called
from visibility.detection.names.makers import makers_in
from visibility.detection.names.matching import Dictionary
from visibility.detection.names.proper_names import PROPER_NAMES
from visibility.detection.names.questions import Question
from visibility.detection.text.addresses import canonical_url, host_of, registrable_domain
from visibility.detection.text.entries import entries
from visibility.detection.text.reading import Reading
from visibility.detection.text.spans import Spans
from visibility.detection.text.visible import BREAK, VisibleText
from visibility.detection.text.words import parts_of_speech
from visibility.detection.types import SourceClass
from visibility.engines.protocol import Source

MOST = 40
"""Candidates of one answer: who lists more recommends nobody."""

_LONGEST = 60
_MAX_QUOTE_LENGTH = 240
_MAX_WORDS = 8
_MAX_PLAIN = 3
"""More words of the language in a row are no name, unless the answer's own structure shows a maker."""
_NEXT_ENTRY = re.compile(r"\n(?=(?:[-*+\u2022]|\d{1,3}[.)]|#{1,6}|\|)\s?)")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_ENDING = re.compile(r"(?<=\w)\.(?:com|io|ai|co|app|org|net|so|dev)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/\S*)?")
# Behind the first of several things that a sentence begins with: "Mudguards, rack and lock are included".
_FURTHER_THINGS = re.compile(r", (?P<things>(?:[a-z]{1,40}, ){0,12}[a-z]{1,40},? and [a-z]{1,40}) are\b")
_ASIDE = re.compile(r"\(?[^()\s]{1,10}\)\s?")  # what stands in brackets before a name: "(1k+)"
_ENDS = re.compile(r"[(\[\u2013\u2014|~$]|-$")
_MODEL = re.compile(r"[A-Z]{1,5}-?\d")
_LETTERED = re.compile(r"\b[^\W\d_]-(?=[a-z])")
"""The letter of "e-bike" and "T-shirt", which makes no name of a word of the language; "T-Mobile" has none."""
_POSSESSIVE = re.compile(r"['\u2019]s?(?=\s)")


@data(frozen=True, slots=True, config=STRICT)
class _Words:
    """What stands at heads without being a name: before one, behind one, or in its place."""

    articles: Words
    conditions: Words
    cuts: Words
    no_names: Words
    shops: Patterns
    publications: Patterns


_AROUND = "*_'\u2019\",.:;"
_WORDS = load_file(Path(__file__).with_name("heads.toml"), _Words)
_ASKED_FOR = {
    SourceClass.SHOP: re.compile("|".join(_WORDS.shops), re.IGNORECASE),
    SourceClass.REVIEW_SITE: re.compile("|".join(_WORDS.publications), re.IGNORECASE),
    SourceClass.NEWS: re.compile("|".join(_WORDS.publications), re.IGNORECASE),
}
"""Sites of these classes sell and judge what others make: they are suggested only where a question asks for such."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name that leads an entry; `start:end` is its place in the raw text.

    `domain` is that of a page which the answer cites or links to, where it is spelt as the name is; else empty.
    `is_tracked`: a tracked name stands before it, so these are words of a tracked subject: "Galaxy" behind Samsung.
    """

    name: str
    start: int
    end: int
    domain: str
    is_tracked: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """A name at `start:end` of the visible text; `is_certain` where it is more than words of the language."""

    start: int
    end: int
    name: str
    is_certain: bool
    is_tracked: bool


def suggest(answer: Reading, dictionary: Dictionary, prompt: str = "") -> list[Candidate]:
    """The untracked names that lead the entries of an answer to this question, each once, by their place, and the
    words that stand there behind tracked ones. Takes any string."""
    seen = answer.seen
    tracked = Spans((match.start, match.end) for match in dictionary.occurrences(answer.folded, seen.prose.text))
    hosts = _hosts(seen, answer.sources)
    barred = {cls for cls, asked_for in _ASKED_FOR.items() if not asked_for.search(prompt)}
    candidates: dict[tuple[str, bool], Candidate] = {}
    for found in _told(list(_found(answer, prompt, tracked)), makers_in(seen.prose.text)):
        if class_called(name_key(found.name)) in barred:
            continue
        place = seen.prose.source_span(found.start, found.end)
        candidate = Candidate(found.name, *place, _domain(found.name, hosts), found.is_tracked)
        candidates.setdefault((name_key(found.name), found.is_tracked), candidate)
    by_place = {candidate.start: candidate for candidate in reversed(candidates.values())}
    return sorted(by_place.values(), key=lambda candidate: candidate.start)[:MOST]


def said_at(text: str, start: int) -> str:
    """What an answer says in the entry that the name at `start` leads, without markup, on one line.

    Where the entry is the bare name, what follows it is added.
    """
    begin = text.rfind("\n", 0, start) + 1
    entry = _NEXT_ENTRY.search(text, start)
    words = _words_of(text[begin : entry.start() if entry else len(text)][: 3 * _MAX_QUOTE_LENGTH])
    if words.count(" ") < _MAX_WORDS:
        words = _words_of(text[begin : begin + 3 * _MAX_QUOTE_LENGTH])
    return words if len(words) <= _MAX_QUOTE_LENGTH else words[:_MAX_QUOTE_LENGTH].rsplit(" ", 1)[0] + "\u2026"


def _words_of(markdown: str) -> str:
    return " ".join(Reading(markdown).seen.prose.text.replace(BREAK, " ").split())


def name_key(name: str) -> str:
    """What two spellings of a name share: letters and digits in lower case, without an ending such as `.com`."""
    plain = unicodedata.normalize("NFKC", _ENDING.sub("", name)).casefold()
    return "".join(character for character in plain if character.isalnum())


def is_plain(word: str) -> bool:
    """Whether a word says nothing of who is meant: of the language, or the name of a person, place or day."""
    parts = [part.lower() for part in _WORD.findall(_LETTERED.sub("", word))]
    return all(part in _WORDS.no_names or part in PROPER_NAMES or bool(parts_of_speech(part)) for part in parts)


def _found(answer: Reading, prompt: str, tracked: Spans) -> Iterator[_Found]:
    """The names of the entries in the order of the answer, but for those in labels."""
    shown = answer.seen.prose.text
    for entry in entries(answer.seen, answer.lines, asked=Question(prompt).offers):
        for start, end in entry.names:
            is_tracked = tracked.touches(start, end)
            place = _name_at(shown, _behind(shown, start, end, tracked) if is_tracked else start, end)
            if place and not answer.labels.hide(start):
                name = shown[slice(*place)].strip(_AROUND)
                yield _Found(*place, name, not is_plain(name), is_tracked)


def _told(found: Sequence[_Found], makers: frozenset[str]) -> Iterator[_Found]:
    """Those that are told as names. Words of the language are, where they stand among names: "Notion" between Trello
    and Asana; more than a few are only behind a maker."""
    names = {name_key(each.name): each.is_certain for each in found if not each.is_tracked}
    certain = sum(names.values())
    among_names = certain >= 2 and 2 * certain >= len(names)
    for each in found:
        words = each.name.split()
        if (
            each.is_certain
            or each.is_tracked
            or (among_names and words[0][:1].isupper() and (len(words) <= _MAX_PLAIN or words[0] in makers))
        ):
            yield each


def _behind(shown: str, start: int, end: int, tracked: Spans) -> int:
    """Where the words behind the first tracked name of this stretch begin."""
    held = tracked.holding(*next((at, at + 1) for at in range(start, end) if tracked.touches(at, at + 1)))
    begin = min(end, held[1]) if held else end
    possessive = _POSSESSIVE.match(shown, begin, end)
    return possessive.end() if possessive else begin


def _name_at(shown: str, start: int, end: int) -> tuple[int, int] | None:
    """The name in this stretch: behind articles and conditions, before a model number or what is said of it."""
    if aside := _ASIDE.match(shown, start, end):
        start = aside.end()
    words = list(re.finditer(r"\S+", shown[start:end]))
    while words and words[0][0].lower().replace("\u2019", "'") in _WORDS.articles | _WORDS.conditions:
        words.pop(0)
    kept = 1
    while kept < len(words) and not _cuts(words[kept][0]):
        kept += 1
    words = words[:kept]
    while words and not any(map(str.isalnum, words[-1][0])):
        words.pop()
    if not words or len(words) > _MAX_WORDS:
        return None
    place = start + words[0].start(), start + words[-1].end()
    name = shown[slice(*place)].strip(_AROUND)
    return place if _is_name(name) and not _is_thing_among_things(name, shown, start + words[0].end()) else None


def _cuts(word: str) -> bool:
    """Whether a name ends before this word: a model number, a bracket, a dash, or what is said of it."""
    return word.lower() in _WORDS.cuts or _ENDS.match(word) is not None or any(map(str.isdigit, word))


def _is_name(name: str) -> bool:
    first = _WORD.search(name)
    return (
        first is not None
        and first[0].lower() not in _WORDS.no_names
        and sum(map(str.isalpha, name)) >= 2
        and len(name) <= _LONGEST
        and "\0" not in name
        and "\n" not in name
        and not _ADDRESS.fullmatch(name)
        and not _MODEL.match(name)
    )


def _is_thing_among_things(name: str, shown: str, end: int) -> bool:
    """Whether the plural that ends at `end` is the first of several plain things that a sentence speaks of."""
    found = _FURTHER_THINGS.match(shown, end) if name.endswith("s") and " " not in name else None
    return found is not None and all(map(is_plain, _WORD.findall(found["things"])))


def _hosts(seen: VisibleText, sources: Sequence[Source]) -> Mapping[str, str]:
    """The registrable domains that the answer cites or links to, by what they are called; none where two are called
    the same."""
    addresses = [*(source.url for source in sources), *(href for _, _, href in seen.links)]
    domains = {registrable_domain(host_of(url)) for each in addresses if (url := canonical_url(each))}
    called: dict[str, str] = {}
    for domain in sorted(domains - {""}):
        label = name_key(domain.split(".")[0])
        called[label] = "" if label in called else domain
    return called


def _domain(name: str, hosts: Mapping[str, str]) -> str:
    return hosts.get(name_key(name)) or hosts.get(name_key(name.split()[0]), "")
