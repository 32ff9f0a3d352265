"""Where an answer repeats the question instead of answering it."""

import re
from collections.abc import Iterator

from visibility.detection.folding import fold
from visibility.detection.lines import Lines
from visibility.detection.mapped import MappedText
from visibility.detection.scripts import is_unspaced, is_word_character
from visibility.detection.spans import Spans
from visibility.detection.words import parts_of_speech

_ECHO_WORDS = 3
_ECHO_UNSPACED = 12
_WORD = re.compile(r"\w+")
_MARK = re.compile(r"[?\uff1f]")
_ALIKE = 0.8
_LONGER = 1.5


class Echo:
    """The repetitions of one question in one answer."""

    def __init__(self, folded: MappedText, prompt: str) -> None:
        self._question = fold(prompt).text.strip(" \t?!.:;,\"'")
        self._words = _content(self._question)
        self._literal = Spans(folded.source_span(start, end) for start, end in self._occurrences(folded.text))

    def covers(self, lines: Lines, start: int, end: int) -> bool:
        """Whether the name at `start:end` only stands in the question: word for word anywhere, or in a heading or a
        question with nearly all of its words and few others."""
        if self._literal.touches(start, end):
            return True
        if len(self._words) < _ECHO_WORDS:
            return False
        line = lines.at(start)
        if line.place.kind != "heading" and not _MARK.search(line.text):
            return False
        for first, last in lines.sentences(line):
            if first <= start < last:
                sentence = line.text[first - line.start : last - line.start]
                asks = line.place.kind == "heading" or sentence.rstrip(" *\"'\u201d)").endswith(("?", "\uff1f"))
                return asks and self._is_alike(sentence)
        return False

    def _is_alike(self, sentence: str) -> bool:
        words = _content(fold(sentence).text)
        shared = len(words & self._words)
        return shared >= _ALIKE * len(self._words) and len(words) <= _LONGER * len(self._words)

    def _occurrences(self, answer: str) -> Iterator[tuple[int, int]]:
        """Where the folded answer repeats the question word for word; a word or two is no question to repeat."""
        question = self._question
        if len(question.split()) < _ECHO_WORDS and sum(map(is_unspaced, question)) < _ECHO_UNSPACED:
            return
        start = answer.find(question)
        while start >= 0:
            end = start + len(question)
            before, after = answer[start - 1 : start] if start else "", answer[end : end + 1]
            if not any(char and is_word_character(char) for char in (before, after)):
                yield start, end
            start = answer.find(question, end)


def _content(folded: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(folded) if "f" not in parts_of_speech(word))
