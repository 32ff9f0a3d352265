"""Words of wordings: what makes two questions the same, and what a brand's own texts are about."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from visibility.engines.adapters.local_search import STOP_WORDS, search_terms
from visibility.writers.languages.language import LANGUAGES

_FUNCTION_WORDS = frozenset(LANGUAGES.all_of(lambda language: language.words.function))
"""Those of other languages than English."""
_NOT_CONTENT = _FUNCTION_WORDS | frozenset(LANGUAGES.all_of(lambda language: language.words.asking))
_STOP = STOP_WORDS | _FUNCTION_WORDS | frozenset(LANGUAGES.all_of(lambda language: language.words.company))
_PART = re.compile(r"[^\W_][\w'’&+-]*|[^\s\w]")
MAX_WORDS = 4
MAX_LETTERS = 60
MIN_WEIGHT = 0.5
_FOR = frozenset(LANGUAGES.all_of(lambda language: language.words.audience))
_CLAUSE = frozenset(LANGUAGES.all_of(lambda language: language.words.clause))
_CLAUSE_END = frozenset(LANGUAGES.all_of(lambda language: language.words.clause_end))


def wording_key(text: str) -> frozenset[str]:
    """The words that make a question what it is, whatever their order, case and punctuation."""
    return frozenset(search_terms(text))


def content_words(text: str) -> frozenset[str]:
    """What a text is about: its words without function words, numbers and single letters, a final s left out."""
    words = (word for word in wording_key(text) if len(word) > 1 and not word.isdigit() and word not in _NOT_CONTENT)
    return frozenset(word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word for word in words)


def name_pattern(name: str, *, ending: str = "") -> re.Pattern[str]:
    """A name as people write it: in any letters, with hyphens or spaces between its words; with a pattern for what
    may be added to it."""
    words = r"[\s_-]+".join(map(re.escape, _name_parts(name)))
    return re.compile(rf"(?<!\w){words}{ending}(?!\w)", re.IGNORECASE)


def names_any(text: str, names: Iterable[str]) -> bool:
    """Whether the text contains one of the names as words."""
    folded = text.casefold()
    # Few of many names are in a text at all: their parts are looked for before a pattern is made.
    present = (name for name in map(str.casefold, names) if name and all(p in folded for p in _name_parts(name)))
    return any(name_pattern(name).search(folded) for name in present)


def _name_parts(name: str) -> list[str]:
    return re.split(r"[\s_-]+", name) if name.strip(" _-") else [name]


@dataclass(frozen=True, slots=True)
class Salient:
    """What texts are about, the weightiest first: things, and those whom they are for (with the word for "for")."""

    things: list[str]
    audiences: list[str]


def salient_terms(texts: Sequence[str], support: Sequence[str], *, without: Iterable[str], most: int) -> Salient:
    """The phrases between the function words of `texts`, those behind a "for" apart.

    A phrase weighs the sum over its words of degree ÷ frequency (Rose and others, *Automatic keyword extraction from
    individual documents*, 2010: RAKE), times one more than the number of `support` texts that hold all its words.
    Things that weigh less than half of the weightiest are left out, as are the names of `without`.
    """
    phrases = _phrases_of(texts, without)
    frequency: Counter[str] = Counter()
    degree: Counter[str] = Counter()
    for phrase in phrases:
        for word in phrase.key:
            frequency[word] += 1
            degree[word] += len(phrase.key)
    support_keys = [wording_key(text) for text in support]
    weights: dict[_Phrase, float] = {}
    weighed_keys: set[frozenset[str]] = set()
    for phrase in phrases:
        if phrase.key in weighed_keys:
            continue
        weighed_keys.add(phrase.key)
        rake = sum(degree[word] / frequency[word] for word in phrase.key)
        weights[phrase] = rake * (1 + sum(phrase.key <= other for other in support_keys))
    ranked = sorted(weights, key=lambda phrase: -weights[phrase])
    things = [phrase for phrase in ranked if not phrase.behind]
    least = weights[things[0]] * MIN_WEIGHT if things else 0.0
    return Salient(
        things=[phrase.text for phrase in things if weights[phrase] >= least][:most],
        audiences=[f"{phrase.behind} {phrase.text}" for phrase in ranked if phrase.behind][:most],
    )


def things_in(texts: Iterable[str], *, without: Iterable[str], most: int) -> list[str]:
    """The phrases of the texts in their order, each once, but not the names of `without` nor those behind a "for"."""
    things = {
        " ".join(sorted(phrase.key)): phrase.text for phrase in _phrases_of(texts, without) if not phrase.behind
    }
    return list(things.values())[:most]


def _phrases_of(texts: Iterable[str], without: Iterable[str]) -> list["_Phrase"]:
    names = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in without if name)
    apart = [re.sub(names, " . ", text, flags=re.IGNORECASE) if names else text for text in texts]
    return [phrase for text in apart for phrase in _phrases(text)]


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A run of words, and the word for "for" before it, if there is one."""

    text: str
    behind: str

    @property
    def key(self) -> frozenset[str]:
        return frozenset(self.text.casefold().split())


def _phrases(text: str) -> Iterable[_Phrase]:
    """Runs of at most four words without function words or punctuation between them."""
    run: list[str] = []
    before = behind = ""
    in_clause = False
    for part in [*_PART.findall(text), "."]:
        if (part[0].isalnum() and part.casefold() not in _STOP) or (run and part.isdigit()):
            behind = behind if run else before
            run.append(part)
            continue
        phrase = " ".join(run)
        if run and not in_clause and len(run) <= MAX_WORDS and 3 <= len(phrase) <= MAX_LETTERS:
            yield _Phrase(phrase, behind)
        word = part.casefold()
        in_clause = word in _CLAUSE or (in_clause and word[0].isalnum() and word not in _CLAUSE_END)
        run, before = [], word if word in _FOR else ""
