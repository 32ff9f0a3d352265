"""Impression share: how much of an answer each of its sources carries.

The measures are those of Aggarwal et al., "GEO: Generative Engine Optimization" (KDD 2024, section 3.2), as their
code computes them: sentences are numbered from 0 to S - 1, a sentence has as many words as it has tokens longer than
two characters, and its citations share alike

- word count: its words,
- position: e^(-i/(S - 1)) for sentence i, 1 in an answer of one sentence,
- position-adjusted word count: the product of the two.

A source's impression is the sum over the sentences that cite it; its share is that ÷ the sum over all sources.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp

from visibility.detection.text.sentences import count_words, sentence_spans
from visibility.detection.types import CitedSentence

_DIGITS = re.compile(r"(\d+)")
_MARKER = re.compile(r"\[[^\w\s\[]*+\d")
_MARKS = re.compile(r"[^\w\s]*")
_MAX_NUMBER_LENGTH = 9


@dataclass(frozen=True, slots=True)
class Impressions:
    """One number for each source, in the order of the sources."""

    word_count: tuple[float, ...]
    position: tuple[float, ...]
    position_adjusted: tuple[float, ...]


_Sentence = tuple[int, Sequence[int]]
"""The number of words, and the place of each cited source among the sources."""


def geo_compat(answer: str, sources: int, *, normalize: bool = True) -> Impressions:
    """The published code's numbers for an answer that cites its `sources` by `[1]`, `[2]` and so on.

    Its ways are kept: paragraphs end at an empty line only; a marker counts where it stands, so one after the full
    stop belongs to the next sentence; several numbers in one bracket are no citation; `[0]` is the last source;
    numbers above `sources` take their part of the sentence and are lost; an answer without citations gives each
    source the same share.
    """
    # Most answers of engines that send offsets have no such marker, and then no sentence needs to be found.
    paragraphs = answer.split("\n\n") if _MARKER.search(answer) else ()
    sentences = [
        _read(paragraph[start:end], sources) for paragraph in paragraphs for start, end in sentence_spans(paragraph)
    ]
    raw = _impressions(sentences, sources)
    return _shares(raw, 1 / sources if sources else 0.0) if normalize else raw


def geo_attached(sentences: Sequence[CitedSentence], urls: Sequence[str]) -> Impressions:
    """The shares of the pages `urls`, from sentences that know what they cite (`detection.attachment`).

    Three things differ from the published code: what a citation supports is what the engine says, else the sentence
    that it stands in or right after; only prose has words, not link targets and labels; and an answer without
    citations gives 0. Pages that are not among `urls` take their part of a sentence.
    """
    place = {url: number for number, url in enumerate(urls)}
    cited = [(sentence.words, [place.get(url, len(urls)) for url in sentence.urls]) for sentence in sentences]
    return _shares(_impressions(cited, len(urls)), 0.0)


def _read(sentence: str, sources: int) -> _Sentence:
    """Words are counted where they are shared among citations."""
    places = list(_places(sentence, sources))
    return count_words(sentence) if places else 0, places


def _places(sentence: str, sources: int) -> Iterator[int]:
    """The place of each `[n]` of a sentence, `[^n^]` and the like included; out of range for unknown sources."""
    before, *rest = _DIGITS.split(sentence)
    for digits, after in zip(rest[::2], rest[1::2], strict=True):
        opens = "[" in _marks(before[::-1])
        closed = _marks(after).rfind("]")
        before = after
        if opens and closed >= 0:
            before = after[closed + 1 :]
            number = int(digits) if len(digits) <= _MAX_NUMBER_LENGTH else sources + 1
            yield number - 1 if number else sources - 1


def _marks(text: str) -> str:
    match = _MARKS.match(text)
    return match[0] if match else ""


def _impressions(sentences: Sequence[_Sentence], sources: int) -> Impressions:
    words, position, adjusted = ([0.0] * sources for _ in range(3))
    for number, (length, cited) in enumerate(sentences):
        decay = exp(-number / (len(sentences) - 1)) if len(sentences) > 1 else 1.0
        for place in cited:
            if 0 <= place < sources:
                words[place] += length / len(cited)
                position[place] += decay / len(cited)
                adjusted[place] += length * decay / len(cited)
    return Impressions(tuple(words), tuple(position), tuple(adjusted))


def _shares(raw: Impressions, otherwise: float) -> Impressions:
    return Impressions(
        *(
            tuple(value / total for value in values) if (total := sum(values)) else (otherwise,) * len(values)
            for values in (raw.word_count, raw.position, raw.position_adjusted)
        )
    )
