"""Where an answer repeats the question instead of answering it: word for word, or nearly so in a heading, in a line
in bold, in a question, before a colon or behind words such as "You asked".

A sentence that begins with the question's own words and goes on says something of them, and is no repetition.
"""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator

from visibility.detection.text.folding import fold
from visibility.detection.text.lines import Line, Lines
from visibility.detection.text.mapped import MappedText
from visibility.detection.text.scripts import is_unspaced, is_word_character
from visibility.detection.text.spans import Spans
from visibility.detection.text.words import parts_of_speech, word_set

_ECHO_WORDS = 3
_ALIKE_WORDS = 2
_ECHO_UNSPACED = 12
_WORD = re.compile(r"\w+")
_ALIKE = 0.8
_LONGER = 1.5
_LEAD = 60
_REQUESTS = word_set(
    """
    asked asking compare explain find give help know list looking need please question recommend recommendations show
    suggest tell want
    """
)
_LEAD_IN = re.compile(
    r"""\W*(?:you(?:['\u2019]re|\ are|r)?\ (?:asked|asking|question|wonder\w*|would\ like
      |want\w*\ to\ know|looking\ for)|so\ you|question|q\b
      |as\ for\b
      |regarding\b|here(?:['\u2019]s|\ is|\ are)\b|the\ question\b|du\ (?:fragst|m\u00f6chtest)|sie\ (?:fragen
      |m\u00f6chten)
      |vous\ (?:demandez|voulez)|preguntas|la\ question)""",
    re.VERBOSE | re.IGNORECASE,
)
_ASKING = re.compile(r"[?\uff1f:\uff1a][\s*_\"'\u201d)]*\Z")
_ANSWERS = re.compile(r"\W*(?:yes|no|yep|nope|ja|nein|oui|non|s\u00ed|si)\b", re.IGNORECASE)
_ASKED = re.compile(
    r"\W*(?:so\ )?(?:you(?:['\u2019]re|\ are)?\ (?:ask|wonder|looking\ for|want(?:ed)?\ to\ know"
    r"|would\ like\ to\ know)"
    r"|your\ question)",
    re.IGNORECASE,
)
_STATEMENT = (".", "!", "\u3002")
_GOES_ON = re.compile(r"[\s*_]*[^\W\d_]")
_QUOTE = ('"', "'")


class Echo:
    """The repetitions of one question in one answer."""

    def __init__(self, folded: MappedText, prompt: str, bold: Spans) -> None:
        self._question = fold(prompt).text.strip(" \t?!.:;,\"'")
        self._asks = "?" in prompt or "\uff1f" in prompt
        self._words = _content(self._question)
        self._bold = bold
        self._longest = 2 * len(prompt) + _LEAD
        self._alike: dict[int, bool] = {}
        self._literal = Spans(folded.source_span(start, end) for start, end in self._occurrences(folded.text))

    def covers(self, lines: Lines, start: int, end: int) -> bool:
        """Whether the name at `start:end` only stands in the question: word for word anywhere, or with nearly all of
        its words and few others where a question may be repeated."""
        if self._literal.touches(start, end):
            return True
        if len(self._words) < _ALIKE_WORDS:
            return False
        line = lines.at(start)
        spans = lines.sentences(line)
        number = bisect_right(spans, (start, sys.maxsize)) - 1
        if number < 0 or spans[number][1] <= start or spans[number][1] - spans[number][0] > self._longest:
            return False
        first, last = spans[number]
        if first not in self._alike:
            sentence = line.text[first - line.start : last - line.start]
            self._alike[first] = self._may_repeat(line, sentence) and self._is_alike(sentence)
        return self._alike[first]

    def _may_repeat(self, line: Line, sentence: str) -> bool:
        """Whether a question may be repeated in such a sentence: a statement ends with a full stop, and answers."""
        if _ANSWERS.match(sentence):
            return False
        if line.place.kind == "heading" or _ASKING.search(sentence):
            return True
        states = sentence.rstrip(" *_\"'\u201d)").endswith(_STATEMENT) and not _ASKED.match(sentence)
        if states or line.place.kind in ("item", "cell"):
            return False
        return _LEAD_IN.match(sentence) is not None or self._bold.holding(line.start, line.end) is not None

    def _is_alike(self, sentence: str) -> bool:
        words = _content(fold(sentence).text)
        shared = len(words & self._words)
        if shared == len(words) >= _ALIKE_WORDS and sentence.rstrip(" *_\"'\u201d)").endswith(("?", "\uff1f")):
            return True  # a part of the question, asked again
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
            if not any(char and is_word_character(char) for char in (before, after)) and not self._goes_on(
                answer, start, end
            ):
                yield start, end
            start = answer.find(question, end)

    def _goes_on(self, answer: str, start: int, end: int) -> bool:
        """Whether the question is no more than the beginning of a sentence that says something of its words."""
        quoted = answer[:start].rstrip(" *_").endswith(_QUOTE)
        return not self._asks and not quoted and bool(_GOES_ON.match(answer, end))


def _content(folded: str) -> frozenset[str]:
    return frozenset(
        word for word in _WORD.findall(folded) if word not in _REQUESTS and "f" not in parts_of_speech(word)
    )
