"""How an answer speaks of a name: it recommends it, advises against it, warns of it, or does not know it.

Recommended is only what is one of three picks or more, where nothing around takes that back: turns of phrase would
read "I'd choose Y over X" the wrong way round. In languages other than English, whose ways to reject we know less
well, the title of the list has to say that it recommends. What is not understood is unknown.
"""

from visibility.detection.entries import Ranking
from visibility.detection.phrases import (
    AGAINST_AFTER,
    AGAINST_BEFORE,
    AGAINST_TITLE,
    DOUBT,
    DOUBT_ABROAD,
    NOT_FOUND_AFTER,
    NOT_FOUND_BEFORE,
    WARNING,
)
from visibility.detection.quotes import sentence
from visibility.detection.splitting import Line
from visibility.detection.titles import is_offer
from visibility.detection.types import Stance
from visibility.detection.visible import Span, Visible
from visibility.detection.words import FUNCTION, words_in

FEWEST = 3
"""Picks that an answer has to offer before a place among them is a recommendation."""

_WINDOW = 160
_READ = 3_000
_ENGLISH_SHARE = 0.1


class Stances:
    """Reads the stances of one answer towards its names. `is_asked`: the question asks for advice."""

    def __init__(self, seen: Visible, ranking: Ranking, question: str, *, is_asked: bool) -> None:
        self._seen = seen
        self._ranking = ranking
        self._is_asked = is_asked
        self._is_english = _is_english(f"{question} {seen.text[:_READ]}")
        self._doubt = DOUBT if self._is_english else DOUBT_ABROAD
        self._titles = _titles(seen)

    def stance_at(self, start: int, end: int) -> Stance:
        """The stance towards the name at `start:end` of the visible text."""
        shown, line = self._seen.text, self._seen.line_at(start)
        entry = self._ranking.entry_of(start, end)
        first, last = sentence(shown, (start, end), self.bounds(start, end))
        before = _straight(shown[max(first, start - _WINDOW) : start])
        after = _straight(shown[end : min(last, end + _WINDOW)])
        row, title = self._row(line), self._titles[self._seen.index_at(start)]
        if AGAINST_TITLE.search(title) or any(AGAINST_TITLE.search(cell) for cell in row):
            return Stance.REJECTED
        if NOT_FOUND_BEFORE.search(before) or NOT_FOUND_AFTER.search(after):
            return Stance.NOT_FOUND
        if AGAINST_BEFORE.search(before) or (self._is_asked and AGAINST_AFTER.search(after)):
            return Stance.REJECTED
        is_doubtful = any(self._doubt.search(words) for words in (before, after, title, *row))
        is_understood = self._is_english or is_offer(title)
        if entry and self._ranking.picks >= FEWEST and is_understood and not is_doubtful:
            return Stance.RECOMMENDED
        is_warned = self._is_asked and WARNING.search(before + after)
        return Stance.CAUTIONED if is_warned else Stance.UNKNOWN

    def bounds(self, start: int, end: int) -> Span:
        """The stretch that speaks of the name: its line, inside of its entry."""
        low, high = self._ranking.bounds_of(start, self._seen.line_at(start))
        return low, max(high, end)

    def _row(self, line: Line) -> list[str]:
        """The cells of a table's row from this line on."""
        if line.kind != "cell":
            return []
        index = self._seen.index_at(line.start)
        cells = []
        for other in self._seen.lines[index : index + 12]:
            if other.kind != "cell" or other.row != line.row:
                break
            cells.append(_straight(self._seen.text[other.start : other.end]))
        return cells


def _is_english(text: str) -> bool:
    """Whether enough of its words are small words of English."""
    words = words_in(text)
    return sum(word.lower() in FUNCTION for word in words) >= _ENGLISH_SHARE * len(words)


def _titles(seen: Visible) -> list[str]:
    """For each line the introduction, heading and title above it, as far as they are recognised."""
    titles = []
    heading = title = introduction = previous = ""
    level = 0
    for line in seen.lines:
        words = _straight(seen.text[line.start : line.end].strip()[-_WINDOW:])
        if line.kind == "heading":
            if previous.endswith((":", "：")):
                introduction, level = previous, line.level  # of this heading and its siblings
            elif line.level < level:
                introduction = ""
            titles.append(introduction)
            heading, title = words, ""
        else:
            titles.append("" if line.kind == "text" else f"{introduction} {heading} {title}")
            is_bold = line.kind == "bold" and line.end - line.head < 4
            if line.kind == "title" or is_bold or words.endswith((":", "：")):
                title = words
            elif line.kind == "text" and words:
                title = ""
        previous = words or previous
    return titles


def _straight(text: str) -> str:
    return text.lower().replace("’", "'")
