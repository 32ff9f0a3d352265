"""How an answer speaks of a name: it recommends it, advises against it, warns of it, or does not know it.

Recommended is what is one of three picks or more, where nothing around takes that back: turns of phrase would read
"I'd choose Y over X" the wrong way round. Negations are a closed part of each language's grammar, so any of them near
a pick leaves it unknown. What is not understood is unknown.
"""

from visibility.detection.entries import Entry, Ranking
from visibility.detection.phrases import (
    AGAINST_AFTER,
    AGAINST_BEFORE,
    AGAINST_TITLE,
    DOUBT,
    DOUBT_ABROAD,
    INCIDENT,
    NOT_FOUND_AFTER,
    NOT_FOUND_BEFORE,
    WARNING,
    WARNING_LABEL,
)
from visibility.detection.quotes import sentence
from visibility.detection.splitting import Line
from visibility.detection.titles import is_offer
from visibility.detection.types import Stance
from visibility.detection.visible import Span, Visible
from visibility.detection.words import is_english

FEWEST = 3
"""Picks that an answer has to offer before a place among them is a recommendation."""

_WINDOW = 160
_READ = 3_000
_FEWEST_LETTERS = 12
"""Letters about a pick that are more than a price or a label."""


class Stances:
    """Reads the stances of one answer towards its names."""

    def __init__(self, seen: Visible, ranking: Ranking) -> None:
        self._seen = seen
        self._ranking = ranking
        self._offers = ranking.picks >= FEWEST
        self._is_english = is_english(seen.text)
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
        if AGAINST_BEFORE.search(before) or (self._offers and AGAINST_AFTER.search(after)):
            return Stance.REJECTED
        if entry and WARNING_LABEL.search(self._text_of(start)):
            return Stance.CAUTIONED
        is_doubtful = any(self._doubt.search(words) for words in (before, after, title, *row))
        if entry and self._offers and not is_doubtful and self._is_praised(entry, end, title):
            return Stance.RECOMMENDED
        around = before + after
        is_warned = WARNING.search(around) or (self._offers and INCIDENT.search(around))
        return Stance.CAUTIONED if is_warned else Stance.UNKNOWN

    def _is_praised(self, entry: Entry, end: int, title: str) -> bool:
        """Whether the answer says what it thinks of its picks: in a language whose refusals we know well, by a title
        that offers, or with words about each. Names alone may as well be those that it warns of."""
        if self._is_english or is_offer(title):
            return True
        about = self._seen.text[end : min(self._ranking.next_entry(end), end + _WINDOW)]
        return sum(map(str.isalpha, about)) >= _FEWEST_LETTERS

    def _text_of(self, start: int) -> str:
        """What the answer says of the entry that begins here, up to the next one."""
        return _straight(self._seen.text[start : min(self._ranking.next_entry(start), start + _READ)])

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
