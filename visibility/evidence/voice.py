"""How a brand's own pages speak. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from visibility.audit.checks.matching import folded
from visibility.audit.page import ParsedPage
from visibility.audit.readability import MIN_WORDS_FOR_GRADE, reading_grade, words_of
from visibility.evidence.page_words.page_words import LANGUAGES, PageWords, language_for
from visibility.evidence.sentences import Sentence, sentences_of
from visibility.evidence.types import Quote, Trait, Voice, VoiceFigure

MIN_WORDS = 1_000
"""Pooled words of prose without which no figure is reliable."""
MIN_SENTENCE = 4
"""Words: fewer are a label."""
MAX_EXAMPLES = 3
MAX_EXAMPLE = 300
"""Characters of an example, where there are shorter ones."""
LONG = 7
"""Letters of a long word."""
MAX_CALLS = 12
MAX_CALL_WORDS = 5
MAX_ON_PAGE = 200
_LEFT_OUT = ("legal", "login", "search")
"""Kinds of pages that lawyers and forms speak on."""
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence with what is counted in it."""

    sentence: Sentence
    words: tuple[str, ...]

    def found(self, trait: Trait) -> int:
        """How often the trait shows in it."""
        return _COUNTS[trait](self)


_COUNTS: dict[Trait, Callable[[Read], int]] = {
    Trait.YOU_SHARE: lambda read: _matches(read, read.sentence.words.voice.you),
    Trait.WE_SHARE: lambda read: _matches(read, read.sentence.words.voice.we),
    Trait.CONTRACTIONS: lambda read: _matches(read, read.sentence.words.voice.contractions),
    Trait.LONG_WORDS: lambda read: sum(len(word) >= LONG for word in read.words),
    Trait.NUMBERS: lambda read: _matches(read, _NUMBER),
}
"""What is counted in sentences and told for each 100 words."""


def _matches(read: Read, rule: re.Pattern[str] | None) -> int:
    return 0 if rule is None else sum(1 for _ in rule.finditer(read.sentence.text))


def read_voice(pages: Sequence[ParsedPage]) -> Voice:
    """The voice of these pages of one brand, in their main language: that of most of their words."""
    language = _main_language(pages)
    own = [page for page in pages if language_for(page) == language and page.kind not in _LEFT_OUT]
    words = LANGUAGES.get(language)
    if words is None:
        return Voice(0, 0, language, ())
    reads = list(prose_of(own))
    count = sum(len(read.words) for read in reads)
    figures = _figures(reads, words) if count >= MIN_WORDS else ()
    speaking = {read.sentence.page.url for read in reads}
    return Voice(count, len(speaking), language, figures, tuple(_calls(own, words)))


def _main_language(pages: Sequence[ParsedPage]) -> str:
    pooled: Counter[str] = Counter()
    for page in pages:
        pooled[language_for(page)] += page.words
    return pooled.most_common(1)[0][0] if pooled else ""


def prose_of(pages: Sequence[ParsedPage]) -> Iterator[Read]:
    """The sentences of prose: no labels, menus, tables or code."""
    for sentence in sentences_of(pages, ("paragraph", "item")):
        words = tuple(words_of(sentence.text))
        if sentence.ends and len(words) >= MIN_SENTENCE:
            yield Read(sentence, words)


def _figures(reads: Sequence[Read], words: PageWords) -> tuple[VoiceFigure, ...]:
    values = measured(reads)
    traits = [trait for trait in Trait if trait in values]
    if words.voice.contractions is None:
        traits.remove(Trait.CONTRACTIONS)
    return tuple(VoiceFigure(trait, values[trait], UNITS[trait], _examples(trait, reads, values)) for trait in traits)


UNITS = {
    Trait.READABILITY: "school grade",
    Trait.SENTENCE_LENGTH: "words per sentence",
    Trait.YOU_SHARE: "per 100 words",
    Trait.WE_SHARE: "per 100 words",
    Trait.CONTRACTIONS: "per 100 words",
    Trait.LONG_WORDS: "per 100 words",
    Trait.NUMBERS: "per 100 words",
}


def measured(reads: Sequence[Read], *, min_words: int = MIN_WORDS_FOR_GRADE) -> dict[Trait, float]:
    """Each trait over these sentences; the grade only where there are words enough for it (`min_words`)."""
    count = sum(len(read.words) for read in reads)
    values = {Trait.SENTENCE_LENGTH: round(count / len(reads), 1)}
    values |= {trait: round(100 * sum(read.found(trait) for read in reads) / count, 2) for trait in _COUNTS}
    grade = reading_grade([read.sentence.text for read in reads], min_words=min_words)
    return values if grade is None else {Trait.READABILITY: grade, **values}


def _examples(trait: Trait, reads: Sequence[Read], values: dict[Trait, float]) -> tuple[Quote, ...]:
    """Sentences that show the trait: those with most of it, or those of the usual length where there is none."""
    candidates = [read for read in reads if len(read.sentence.text) <= MAX_EXAMPLE] or list(reads)
    if trait in _COUNTS and values[trait]:
        candidates.sort(key=lambda read: -read.found(trait) / len(read.words))
    else:
        candidates.sort(key=lambda read: abs(len(read.words) - values[Trait.SENTENCE_LENGTH]))
    return tuple(read.sentence.quote(f"voice.{trait}") for read in candidates[:MAX_EXAMPLES])


def _calls(pages: Sequence[ParsedPage], words: PageWords) -> Iterator[Quote]:
    """The calls to action, those of most pages first."""
    first: dict[str, Quote] = {}
    spread: Counter[str] = Counter()
    for page in pages:
        for key, quote in _calls_on(page, words).items():
            first.setdefault(key, quote)
            spread[key] += 1
    for key, _ in spread.most_common(MAX_CALLS):
        yield first[key]


def _calls_on(page: ParsedPage, words: PageWords) -> dict[str, Quote]:
    """The links and the lines of their own, as buttons are, that begin as a call does; where they stand in the
    visible text."""
    lines = [line for line in page.visible_text.splitlines() if _may_call(line, words)]
    links = [link.text for link in page.links if _may_call(link.text, words)]
    calls: dict[str, Quote] = {}
    for text in islice(dict.fromkeys([*links, *lines]), MAX_ON_PAGE):
        if (offset := page.visible_text.find(text)) >= 0:
            calls.setdefault(folded(text), Quote(text, "page", offset, "voice.calls", url=page.url))
    return calls


def _may_call(text: str, words: PageWords) -> bool:
    if not text[:1].isupper() or len(text.split()) > MAX_CALL_WORDS or "://" in text:
        return False
    return words.voice.calls.match(text) is not None and not words.set_aside.search(text)
