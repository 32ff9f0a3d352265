"""Which kinds of question one is, by its words: the first asked first. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from visibility.services.ask.reading.folding import folded, folded_pattern
from visibility.services.ask.reading.vocabulary import QUESTION_WORDS, QuestionWords
from visibility.services.ask.types import Kind

OVERVIEW = (Kind.SCORE, Kind.CHANGE, Kind.RECOMMENDATIONS)
"""What an open question is answered with."""
_STOP = r"[?!;¿¡]+|\.(?=\s|$)"
_ALL = "all"
MAX_ITEM_WORDS = 3
"""Of a thing in a list; more are a sentence."""
COVERS: Mapping[Kind, frozenset[Kind]] = {
    Kind.SURE: frozenset({Kind.SCORE, Kind.CHANGE, Kind.PROMPTS, Kind.RUNS, Kind.QUOTAS, Kind.TOPICS, Kind.CLAIMS}),
    Kind.CHANGE: frozenset({Kind.SCORE, Kind.RUNS}),
    Kind.ENGINES: frozenset({Kind.SCORE, Kind.COMPETITORS}),
    Kind.TOPICS: frozenset({Kind.SCORE}),
    Kind.COMPETITORS: frozenset({Kind.SCORE, Kind.CHANGE}),
    Kind.GAPS: frozenset({Kind.SCORE, Kind.CHANGE, Kind.COMPETITORS}),
    Kind.SOURCES: frozenset({Kind.SCORE, Kind.SITES, Kind.CONTENT, Kind.TOPICS}),
    Kind.ABSENT_SOURCES: frozenset(
        {Kind.SOURCES, Kind.GAPS, Kind.SCORE, Kind.CONTENT, Kind.SITES, Kind.TOPICS, Kind.THEMES}
    ),
    Kind.CRITERIA: frozenset(
        {Kind.SCORE, Kind.CLAIMS, Kind.ENGINES, Kind.SOURCES, Kind.COMPETITORS, Kind.RECOMMENDATIONS}
    ),
    Kind.CLAIMS: frozenset({Kind.SCORE, Kind.ENGINES}),
    Kind.THEMES: frozenset({Kind.SCORE, Kind.CLAIMS, Kind.COMPETITORS, Kind.CRITERIA}),
    Kind.VOICE: frozenset({Kind.CONTENT, Kind.SCORE}),
    Kind.RECOMMENDATIONS: frozenset({Kind.SCORE, Kind.CHANGE}),
    Kind.PROGRESS: frozenset({Kind.RECOMMENDATIONS, Kind.SCORE, Kind.CHANGE, Kind.RUNS, Kind.PROMPTS, Kind.AUDIT}),
    Kind.PROOFS: frozenset({Kind.PROGRESS, Kind.RECOMMENDATIONS, Kind.SCORE, Kind.CHANGE, Kind.RUNS, Kind.CONTENT}),
    Kind.CONTENT: frozenset({Kind.RECOMMENDATIONS, Kind.SCORE, Kind.SITES}),
    Kind.NEXT_SCAN: frozenset({Kind.RUNS, Kind.RECOMMENDATIONS, Kind.SCORE}),
    Kind.RUNS: frozenset({Kind.SCORE}),
    Kind.COST: frozenset(
        {Kind.QUOTAS, Kind.RUNS, Kind.AUDIT, Kind.CONTENT, Kind.PROMPTS, Kind.NEXT_SCAN, Kind.SCORE}
    ),
    Kind.QUOTAS: frozenset({Kind.PROMPTS, Kind.CONTENT, Kind.COMPETITORS, Kind.RECOMMENDATIONS, Kind.SCORE}),
    Kind.AUDIT: frozenset({Kind.SCORE, Kind.CONTENT}),
    Kind.DEFINITIONS: frozenset({Kind.SCORE, Kind.CHANGE, Kind.COMPETITORS, Kind.RUNS}),
    Kind.SITES: frozenset({Kind.SCORE}),
}
"""The kinds whose words a question of another kind only speaks of: "how sure is the score" does not ask for it."""


@dataclass(frozen=True, slots=True)
class _Matcher:
    """The words of one language, or of all."""

    clause: re.Pattern[str]
    item: re.Pattern[str]
    asking: re.Pattern[str]
    condition: re.Pattern[str]
    open: re.Pattern[str]
    asks: Mapping[Kind, re.Pattern[str]]
    words: Mapping[Kind, re.Pattern[str]]


def kinds_of(question: str, language: str) -> tuple[Kind, ...]:
    """The kinds that the question is of, in its own order; the overview for an open one, none where no word tells.

    `question` has signs in the place of names, engines, topics and days (see `naming`). A language's own words come
    first; those of the others are looked at only where it has none.
    """
    text = folded(question)
    for matcher in (_matcher(language), _matcher(_ALL)):
        kinds_of_parts = {part: _kinds_of_part(part, matcher) for part in _parts(text, matcher)}
        asking = [kinds for part, kinds in kinds_of_parts.items() if not matcher.condition.match(part)]
        kinds = [kind for kinds in (asking if any(asking) else kinds_of_parts.values()) for kind in kinds]
        if kinds:
            return tuple(dict.fromkeys(kinds))
        if matcher.open.search(text):
            return OVERVIEW
    return ()


def means_a_kind(word: str) -> bool:
    """Whether the word alone means a kind, in any language: such a word is neither a name nor a topic."""
    text, matcher = folded(word), _matcher(_ALL)
    return any(pattern.match(text) for patterns in (matcher.words, matcher.asks) for pattern in patterns.values())


def _parts(text: str, matcher: _Matcher) -> Iterator[str]:
    """One question after the other; where no word asks, what is listed ("score and gaps") one after the other."""
    for clause in matcher.clause.split(text):
        items = [] if matcher.asking.search(clause) else matcher.item.split(clause)
        if len(items) > 1 and all(len(item.split()) <= MAX_ITEM_WORDS for item in items):
            yield from items
        yield clause


def _kinds_of_part(part: str, matcher: _Matcher) -> Sequence[Kind]:
    phrases = _places(part, matcher.asks)
    if phrases:
        return _uncovered(phrases)
    nouns = _places(part, matcher.words)
    if len(nouns) > 1:
        # Beside another word the engines are who does it: "do the engines know us".
        nouns.pop(Kind.ENGINES, None)
    return _uncovered(nouns)


def _places(part: str, patterns: Mapping[Kind, re.Pattern[str]]) -> dict[Kind, int]:
    """Where each kind is first meant."""
    matches = ((kind, pattern.search(part)) for kind, pattern in patterns.items())
    return {kind: match.start() for kind, match in matches if match}


def _uncovered(places: Mapping[Kind, int]) -> list[Kind]:
    covered: set[Kind] = set().union(*(COVERS.get(kind, frozenset()) for kind in places))
    return sorted((kind for kind in places if kind not in covered), key=lambda kind: places[kind])


@cache
def _matcher(language: str) -> _Matcher:
    vocabularies = list(QUESTION_WORDS.values()) if language == _ALL else [QUESTION_WORDS[language]]
    joining = _one_of(vocabularies, lambda words: words.joining)
    asking = _one_of(vocabularies, lambda words: words.asking)
    asks, words = {}, {}
    for kind in Kind:
        asks[kind] = _beginning([pattern for words in vocabularies for pattern in words.kinds[kind].asks])
        nouns = [pattern for words in vocabularies for pattern in words.kinds[kind].words]
        if nouns:
            words[kind] = _beginning(nouns)
    return _Matcher(
        re.compile(rf"{_STOP}|,?\s(?:{joining})\s(?=(?:{asking})\b)|,\s(?=(?:{asking})\b)"),
        re.compile(rf"\s(?:{joining})\s|,|\s[&+/]\s"),
        re.compile(rf"(?<!\w)(?:{asking})\b"),
        re.compile(rf"\W*(?:{_one_of(vocabularies, lambda words: words.conditions)})"),
        _beginning([pattern for words in vocabularies for pattern in words.open]),
        asks,
        words,
    )


def _beginning(patterns: Iterable[str]) -> re.Pattern[str]:
    """Any of them at the beginning of a word; what stands for any word there may be a sign as well."""
    any_of = "|".join(map(folded_pattern, patterns)).replace(r"(?: \w{1,40}", r"(?: [\w\x00-\x02]{1,40}")
    return re.compile(rf"(?<!\w)(?:{any_of})")


def _one_of(vocabularies: Sequence[QuestionWords], select: Callable[[QuestionWords], Sequence[str]]) -> str:
    return "|".join(folded_pattern(pattern) for words in vocabularies for pattern in select(words))
