"""Names at the heads of an answer's entries that nobody tracks yet: who else it recommends.

Heads are those that ranks are taken from: list items of the first level, headings, lines that begin in bold, the rows
and columns of tables. Letters decide what is a name, so this errs; what it finds is offered to people, never counted.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic.dataclasses import dataclass as data

from apikeys.text.language_files import STRICT, Words, load_file
from visibility.detection.names.matching import Dictionary
from visibility.detection.names.proper_names import PROPER_NAMES
from visibility.detection.text.addresses import canonical_url, host_of, registrable_domain
from visibility.detection.text.lines import Lines
from visibility.detection.text.reading import Reading
from visibility.detection.text.spans import Spans
from visibility.detection.text.visible import BREAK, VisibleText
from visibility.detection.text.words import parts_of_speech
from visibility.engines.protocol import Source

MOST = 40
"""Candidates of one answer: who lists more recommends nobody."""

_LONGEST = 60
_MAX_QUOTE_LENGTH = 240
_MAX_WORDS = 8
_NUMBER = re.compile(r"\W*(?:#\s?)?\d{1,3}(?:[.):]|\ufe0f?\u20e3)?\s+")
_SIGNS = re.compile(r"[^\w'\"\u201c\u201d]+")
_LABEL = re.compile(r"(?P<label>[^:\uff1a]{1,60})[:\uff1a]\s+(?P<rest>\S.*)")
_ENDS = re.compile(
    r"\s[\u2013\u2014\u2012|\u2022\u2192-]+(?:\s|$)|\s*[:;!?(\[{,\"\u201c\u201d\uff08\uff1a\u2122\u00ae]|\.\s|\.$|\$"
)
_NEXT_ENTRY = re.compile(r"\n(?=(?:[-*+\u2022]|\d{1,3}[.)]|#{1,6}|\|)\s?)")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_ENDING = re.compile(r"(?<=\w)\.(?:com|io|ai|co|app|org|net|so|dev)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/\S*)?")
# Behind the first of several things that a sentence begins with: "Mudguards, rack and lock are included".
_FURTHER_THINGS = re.compile(r", (?P<things>(?:[a-z]+, )*[a-z]+,? and [a-z]+) are\b")


@data(frozen=True, slots=True, config=STRICT)
class _Words:
    """What stands at heads without being a name: before one, behind one, or in its place."""

    articles: Words
    cuts: Words
    no_names: Words


_WORDS = load_file(Path(__file__).with_name("heads.toml"), _Words)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name that leads an entry; `start:end` is its place in the raw text.

    `domain` is that of a page which the answer cites or links to, where it is spelt as the name is; else empty.
    """

    name: str
    start: int
    end: int
    domain: str


@dataclass(frozen=True, slots=True)
class _Head:
    """The words at `start:end` of the visible text that lead an entry, and the list that it is an entry of."""

    family: tuple[str, int]
    start: int
    end: int
    name: str
    is_certain: bool


def suggest(answer: Reading, dictionary: Dictionary) -> list[Candidate]:
    """The untracked names that lead the entries of an answer, each once, in their order. Takes any string."""
    seen = answer.seen
    tracked = Spans((match.start, match.end) for match in dictionary.occurrences(answer.folded, seen.prose.text))
    heads = [
        head
        for head in _heads(seen, answer.lines)
        if not tracked.touches(head.start, head.end) and not answer.labels.hide(head.start)
    ]
    hosts = _hosts(seen, answer.sources)
    found: dict[str, Candidate] = {}
    for head in _named(heads):
        place = seen.prose.source_span(head.start, head.end)
        found.setdefault(name_key(head.name), Candidate(head.name, *place, _domain(head.name, hosts)))
    return list(found.values())[:MOST]


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
    parts = [part.lower() for part in _WORD.findall(word)]
    return all(part in _WORDS.no_names or part in PROPER_NAMES or bool(parts_of_speech(part)) for part in parts)


def _named(heads: Sequence[_Head]) -> Iterator[_Head]:
    """The heads that are names. Plain words are, where they stand among names: "Notion" between Trello and Asana.
    What leads several entries of a list is a label ("Price"), not a name."""
    often = Counter((head.family, name_key(head.name)) for head in heads)
    certain = Counter(head.family for head in heads if head.is_certain)
    size = Counter(head.family for head in heads)
    for head in heads:
        among_names = certain[head.family] >= 2 and 2 * certain[head.family] >= size[head.family]
        if often[head.family, name_key(head.name)] == 1 and (
            head.is_certain or (among_names and len(head.name.split()) <= 2)
        ):
            yield head


def _heads(seen: VisibleText, lines: Lines) -> Iterator[_Head]:
    for index in range(len(lines)):
        line, place = lines[index], lines[index].place
        start, end = line.body, line.end
        bold = seen.bold.holding(start, start + 1) if start < end else None
        match place.kind:
            case "cell" if place.ordinal == 0 and place.column > 0:
                family = ("column", place.group)
            case "cell" if place.ordinal > 0 and place.column == 0:
                family = ("row", place.group)
            case "heading":
                family = ("heading", place.level)
            case "item" if place.level == 1 and place.leads and lines.opens_block(index):
                family = ("item", place.group)
            case "text" if bold:
                family = ("bold", 0)
            case _:
                continue
        if bold:
            end = min(end, bold[1])
        if head := _read(seen.prose.text, start, end, family):
            yield head


def _read(shown: str, start: int, end: int, family: tuple[str, int]) -> _Head | None:
    """The name in a head, behind its number and a label ("Best overall: Vessi"), before what is said of it."""
    start = _begin(shown, start, end)
    labelled = _LABEL.match(shown, start, end)
    if labelled and is_plain(labelled["label"]):
        start = _begin(shown, labelled.start("rest"), end)
    stop = _ENDS.search(shown, start, end)
    words = list(re.finditer(r"\S+", shown[start : stop.start() if stop else end]))
    while words and words[0][0].lower() in _WORDS.articles:
        words.pop(0)
    if not words or len(words) > _MAX_WORDS:
        return None
    kept = 1
    while kept < len(words) and not _cuts(words[kept][0]):
        kept += 1
    words = words[:kept]
    name = shown[start + words[0].start() : start + words[-1].end()].strip("*_'\u2019\"")
    if not _is_name(name) or (len(words) == 1 and _is_thing_among_things(name, shown, start + words[0].end())):
        return None
    return _Head(family, start + words[0].start(), start + words[-1].end(), name, not is_plain(name))


def _begin(shown: str, start: int, end: int) -> int:
    """Where the words begin, behind signs and a number."""
    for pattern in (_SIGNS, _NUMBER, _SIGNS):
        if found := pattern.match(shown, start, end):
            start = found.end()
    return start


def _cuts(word: str) -> bool:
    """Whether a name ends before this word: a model number, or what is said of it."""
    return word.lower() in _WORDS.cuts or any(character.isdigit() for character in word)


def _is_name(name: str) -> bool:
    words = name.split()
    first = words[0]
    capitals = all(
        word[:1].isupper() or any(map(str.isupper, word)) or word.lower() in ("of", "the", "de", "&", "+")
        for word in words
    )
    letters = sum(map(str.isalpha, name))
    return (
        capitals
        and letters >= 2
        and len(name) <= _LONGEST
        and (first[:1].isalpha() or any(map(str.isalpha, first)))
        and "\0" not in name
        and "\n" not in name
        and not _ADDRESS.fullmatch(name)
        and _WORD.findall(first)[0].lower() not in _WORDS.no_names
    )


def _is_thing_among_things(name: str, shown: str, end: int) -> bool:
    """Whether the plural that ends at `end` is the first of several plain things that a sentence speaks of."""
    found = _FURTHER_THINGS.match(shown, end) if name.endswith("s") else None
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
