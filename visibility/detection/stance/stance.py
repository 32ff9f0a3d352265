"""What an answer says of a name: advised, merely told, warned of, advised against, or unknown; with the sentence.

Rules, the first that holds: the cell or title beside it advises against it; the sentence knows nothing of the name;
it advises against it; it warns; it advises it; it only compares with it or tells facts; the head of its list, row or
section, or bold type, shows it as one of the answers to a request for advice; a sentence about it replies to such a
request without reservation; else neutral. The clause of the name counts, and sentences behind it that name nothing
else. A class that is not neutral is to be right rather than complete.
"""

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import NamedTuple

from visibility.detection.names.matching import Match
from visibility.detection.names.questions import Question
from visibility.detection.stance import phrases, phrases_abroad
from visibility.detection.stance.ranking import Rank
from visibility.detection.text.languages import is_foreign
from visibility.detection.text.lines import Line, Lines
from visibility.detection.text.spans import Spans
from visibility.detection.types import Stance

_REACH = 160
_BESIDE_REACH = 40
_FOLLOWING = 3
_JOINED = re.compile(r"[\s,/&*]*(?:\b(?:and|or|und|oder|et|ou|y|o|e|but also)\b)?[\s,*]*|\s*[\u3068\u548c\u3001]\s*")
_CLAUSE_END = re.compile(
    r";|\uff1b|\s[\u2014]\s|, (?:but|while|whereas|though)\s|\s(?:while|whereas|doch|mais|pero)\s"
)
_ASKS_FOR_ADVICE = re.compile(
    r"\b(?:best|top|recommend\w*|should|suggest\w*|which \S+ (?!exist|are there)|who (?:has|makes|sells)|(?:a"
    r"|any) good"
    r"|good for|are good|worth buying|where (?:do|can|should) I|beste\w*|welche\w*|wo|quel\w*|meilleure?s?"
    r"|mejor\w*|cu\u00e1l)\b"
    r"|\u304a\u3059\u3059\u3081|\u63a8\u8350",
    re.IGNORECASE,
)
_ASKS_OTHERWISE = re.compile(
    r"\W*(?:compare|comparison|difference|who (?:owns|is|was)|is|are|was|does|do|did|can|has|have|what (?:is"
    r"|does|are)|tell|problems?)\b"
    r"|.*\bwhich (?:\w+ ){1,3}?(?:still|ships?|delivers?|lacks?|accepts?|fl(?:y|ies)|owns?|requires?|belongs?"
    r"|sponsors?)\b"
    r"|.*\b(?:exist|are there|versus|vs|problems|owned|founded)\b",
    re.IGNORECASE,
)
# What may stand before the name that a sentence is about.
_PLAIN_LEAD = re.compile(
    r"""[\W_]*(?:(?:the|a|an|both|used|new|your|our|die|der|das|ein|eine|la|le|les|el|los|las|il|lo|de|het|en|ett"
    r"|models?|products?
      |seats?|sticks?|shoes|pans?|apps?|tools?|plans?|owners?|also|then|finally|overall|still|and|but|so|yes|ja|oui|s\u00ed|well
      |personally|honestly|are|is|good|of|from|by|both\ are\ good)[\W_]+)*\Z""",
    re.VERBOSE,
)
# What lists the things that answer a request: "popular choices include ...", "brands such as ...".
_OFFERS = re.compile(
    r"(?!.*\bthan\b).*\b(?:brands?|options?|choices|models?|tools?|apps?|services?|compan(?:y|ies)|picks?"
    r"|alternatives"
    r"|products?|ones|names|candidates"
    r"|contenders|favou?rites|something|anything|stand outs?|stand out|shortlist)(?:\s\w+){0,3}?\s?(?:\b(?:like"
    r"|such as|including|includes?|are|from|by|is)\b|:)"
    r"(?:\s(?:the|a|an))?\W*\Z",
    re.DOTALL,
)
_CONDITION = re.compile(
    r"\W*(?:if|for|on|once|when|with|unless|after|otherwise|as|in|at)\b[^.;:!?]*,\s(?:(?:the|a|an|your|our)\s)?\W*\Z"
)
_LISTED = frozenset({"list", "heading", "bold"})
_ENOUGH = (" enough", " highly enough")  # "I can't recommend it enough"
_TITLE_WORDS = 8
_MAX_ROW_LENGTH = 12
_MAX_LIST_LENGTH = 40


class Told(NamedTuple):
    """A stance, and the sentence in the visible text that shows it."""

    stance: Stance
    start: int
    end: int


class _Passage(NamedTuple):
    """The clause around a name, cut at it, and the sentences behind it that name nothing else; in small letters."""

    before: str
    after: str
    following: str


class Stances:
    """Reads the stances of the matches of one answer, which are sorted by place."""

    def __init__(
        self, matches: Sequence[Match], lines: Lines, prompt: str, ranks: Mapping[str, Rank], bold: Spans
    ) -> None:
        self._matches = matches
        self._starts = [match.start for match in matches]
        self._ends = [match.end for match in matches]
        self._lines = lines
        self._ranks = ranks
        self._bold = bold
        self._asks = _ASKS_FOR_ADVICE.search(prompt) is not None or (
            bool(prompt.strip()) and Question(prompt).asks and not _ASKS_OTHERWISE.match(prompt)
        )

    def of(self, index: int) -> Told:
        """What the answer says of the match with this number, where it stands."""
        match = self._matches[index]
        line = self._lines.at(match.start)
        spans = self._lines.sentences(line)
        number = bisect_right(spans, (match.start, sys.maxsize)) - 1
        first, last = spans[number] if number >= 0 else (line.start, line.end)
        following = self._following(spans[number + 1 : number + 1 + _FOLLOWING]) if number >= 0 else ""
        if number == len(spans) - 1 and (
            line.place.kind in ("heading", "item") or self._bold.touches(line.start, last)
        ):
            following += self._below(line)
        passage = self._passage(index, line, (first, last), following)
        return Told(self._stance(match, line, passage), min(first, match.start), max(last, match.end))

    def _stance(self, match: Match, line: Line, passage: _Passage) -> Stance:
        before, after, _ = passage
        row, title = self._row(match, line), self._title(line)
        if row and any(phrases.AGAINST_TITLE.match(cell.strip(" *_")) for cell in row.split(" | ")):
            return Stance.REJECTED
        if title and phrases.AGAINST_TITLE.search(title):
            return Stance.REJECTED
        leads = _PLAIN_LEAD.match(before) is not None or (
            self._asks and (_CONDITION.match(before) or _OFFERS.match(before)) is not None
        )
        told_of = phrases.TOLD_OF.search(after) or (not leads and phrases.BESIDE.search(before[-_BESIDE_REACH:]))
        if told := self._phrase(passage, line, told_of=bool(told_of)):
            return told
        if row and phrases.WARNING.search(row):
            return Stance.CAUTIONED
        if row and phrases.ADVICE_TITLE.search(row):
            return Stance.RECOMMENDED
        if told_of:
            return Stance.NEUTRAL
        if phrases.ADVICE_AFTER.search(after) or self._is_listed(match, line, passage, title):
            return Stance.RECOMMENDED
        return Stance.RECOMMENDED if self._answers(match, line, passage, leads) else Stance.NEUTRAL

    def _phrase(self, passage: _Passage, line: Line, *, told_of: bool) -> Stance | None:
        """The stance that a turn of phrase shows; None where none does. `told_of`: the sentence is about another, or
        tells facts."""
        before, after, following = passage
        whole = f"{before}\0{after}"
        abroad = not whole.isascii() or is_foreign(line.text)
        families = (phrases, phrases_abroad) if abroad else (phrases,)
        denies = abroad or any(word in whole for word in phrases.DENIALS)
        if denies and any(family.UNKNOWN.search(whole) for family in families):
            return Stance.NOT_FOUND
        leads, goes_on = bool(before.strip()), bool(following) and not told_of
        denied = leads and not after.startswith(_ENOUGH)
        for family in families:
            if (denied and family.AGAINST_BEFORE.search(before)) or _is_against(family, after):
                return Stance.REJECTED
        if goes_on and any(_is_against(family, following) for family in families):
            return Stance.REJECTED
        for family in families:
            if family.WARNING.search(after) or (goes_on and family.WARNING.search(following)):
                return Stance.CAUTIONED
        if leads and (phrases.WARNING_BEFORE.search(before) or (abroad and phrases_abroad.WARNING.search(before))):
            return Stance.CAUTIONED
        if leads and any(family.ADVICE_BEFORE.search(before) for family in families):
            return Stance.RECOMMENDED
        if abroad and not told_of and phrases_abroad.ADVICE_AFTER.search(after):
            return Stance.RECOMMENDED
        if goes_on and any(family.ADVICE_AFTER.search(following) for family in families):
            return Stance.RECOMMENDED
        return None

    def _answers(self, match: Match, line: Line, passage: _Passage, leads: bool) -> bool:
        """Whether a sentence in reply to a request for advice is about it, in front or in bold type, and without
        reservation."""
        if not self._asks or line.place.kind != "text":
            return False
        if not (leads or self._bold.touches(match.start, match.start + 1)):
            return False
        if phrases_abroad.DRAWBACK.search(passage.after) and is_foreign(passage.before + passage.after):
            return False
        return not phrases.DRAWBACK.search(passage.after) or phrases.ADVICE_AFTER.search(passage.after) is not None

    def _is_listed(self, match: Match, line: Line, passage: _Passage, title: str) -> bool:
        """Whether the name heads an entry of the main list that answers a question for the best, or one that is
        praised in its own line or title."""
        if line.place.kind == "item" and line.place.level > 1:
            return False
        if not any(self._ranks[subject].rule in _LISTED for subject in match.subjects if subject in self._ranks):
            return False
        return self._asks or any(
            phrases.ADVICE_TITLE.search(text) for text in (passage.before, passage.after, title.lower())
        )

    def _passage(self, index: int, line: Line, sentence: tuple[int, int], following: str) -> _Passage:
        """The words around a match up to the clauses that name others; names side by side share their words."""
        match = self._matches[index]
        start, end = max(sentence[0], match.start - _REACH), min(sentence[1], match.end + _REACH)
        first, last = self._rows[index]
        first = max(first, min(index, bisect_right(self._ends, start)))
        last = min(last, max(index, bisect_left(self._starts, end) - 1))
        head, rear = self._matches[first].start, self._matches[last].end
        before, after = self._lines.shown[start:head], self._lines.shown[rear:end]
        if first and (cut := self._matches[first - 1].end) > start and self._names_other(first - 1, index):
            before = _CLAUSE_END.split(self._lines.shown[cut:head])[-1]
        following_match = self._matches[last + 1] if last + 1 < len(self._matches) else None
        if following_match and following_match.start < end and self._names_other(last + 1, index):
            after, following = _CLAUSE_END.split(self._lines.shown[rear : following_match.start])[0], ""
        return _Passage(_plain(before), _plain(after), _plain(following))

    def _names_other(self, one: int, other: int) -> bool:
        return set(self._matches[one].subjects) != set(self._matches[other].subjects)

    @cached_property
    def _rows(self) -> Sequence[tuple[int, int]]:
        """For each match the first and the last of those that stand side by side with it, as in "A, B and C"."""
        rows: list[tuple[int, int]] = []
        first, last = 0, len(self._matches) - 1
        for index in range(len(self._matches)):
            if index == last or not self._joined(index):
                rows += [(first, index)] * (index - first + 1)
                first = index + 1
        return rows

    def _joined(self, index: int) -> bool:
        """Whether this match and the next stand side by side."""
        gap = self._lines.shown[self._matches[index].end : self._matches[index + 1].start]
        return len(gap) < 20 and _JOINED.fullmatch(gap) is not None

    def _following(self, spans: Sequence[tuple[int, int]]) -> str:
        """These sentences up to the first that names a subject."""
        told = []
        for start, end in spans:
            named = bisect_left(self._starts, start)
            if named < len(self._starts) and self._starts[named] < end:
                break
            told.append(self._lines.shown[start:end])
        return " ".join(told)

    def _below(self, line: Line) -> str:
        """What stands below the head of an entry, up to the next entry or the next name."""
        told: list[str] = []
        index = self._lines.index_at(line.start) + 1
        while index < len(self._lines) and len(told) < _FOLLOWING:
            below = self._lines[index]
            if below.place.kind == "heading" or (line.place.kind == "item" and not _is_within(below, line)):
                break
            if self._bold.touches(below.start, below.start + 1) and line.place.kind != "item":
                break
            text = self._following(self._lines.sentences(below)[:_FOLLOWING])
            told.append(text)
            if not text.strip() and below.text.strip():
                break
            index += 1
        return " " + " ".join(told)

    def _row(self, match: Match, line: Line) -> str:
        """The other cells of the row of a table."""
        if line.place.kind != "cell" or line.place.ordinal == 0:
            return ""
        index = self._lines.index_at(match.start) + 1
        cells: list[str] = []
        while index < len(self._lines) and len(cells) < _MAX_ROW_LENGTH:
            place = self._lines[index].place
            if (place.kind, place.group, place.ordinal) != ("cell", line.place.group, line.place.ordinal):
                break
            cells.append(self._lines[index].text)
            index += 1
        return " | ".join(cells).lower()

    def _title(self, line: Line) -> str:
        """The short line above a list: its heading or label. Empty for other lines."""
        if line.place.kind != "item":
            return ""
        index = self._lines.index_at(line.start) - 1
        last = index - _MAX_LIST_LENGTH
        while (
            index >= max(0, last)
            and self._lines[index].place.kind == "item"
            and self._lines[index].place.group == line.place.group
        ):
            index -= 1
        if index < max(0, last) or len(self._lines[index].text.split()) > _TITLE_WORDS:
            return ""
        return self._lines[index].text


def _is_within(below: Line, item: Line) -> bool:
    """Whether a line belongs to a list item above it."""
    if below.place.kind != "item" or below.place.level < item.place.level:
        return False
    return below.place.level > item.place.level or (below.place.group, below.place.ordinal) == (
        item.place.group,
        item.place.ordinal,
    )


def _is_against(family: ModuleType, text: str) -> bool:
    """Whether what stands behind the name advises against it; a quick look at words spares most the long one."""
    return any(word in text for word in family.AGAINST_WORDS) and family.AGAINST_AFTER.search(text) is not None


def _plain(text: str) -> str:
    return text.lower().replace("\u2019", "'")
