"""What an answer says of a name, where that can be told: offered, advised against, warned of, or not known to it.

The rules are tried in the order of their table; the first that holds decides, and where none does the stance is
unknown. What stands among the entries that an answer offers is recommended. In an answer without entries the words
around the name decide, by turns of phrase; nothing is read from the mood of a text, nor from sentences further on,
which on real answers were wrong far more often than right.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from visibility.detection.names.matching import Match
from visibility.detection.names.questions import Question
from visibility.detection.stance.clauses import Clause, Clauses
from visibility.detection.stance.phrases import Phrases, phrases
from visibility.detection.stance.quotes import quote
from visibility.detection.stance.ranking import Ranking
from visibility.detection.text.lines import Lines
from visibility.detection.types import Stance

_BESIDE_REACH = 40
_ENOUGH = (" enough", " highly enough")  # "I can't recommend it enough"
_ADVICE = re.compile(r"\b(?:trust|safe|any good|worth|should|still|avoid|problems? with)\b", re.IGNORECASE)


class Told(NamedTuple):
    """A stance, where in the visible text it is shown, and the rule that told it."""

    stance: Stance
    start: int
    end: int
    rule: str = ""


class _Said(NamedTuple):
    """A clause as rules look at it. `is_listed`: the name heads an entry; `is_prose`: the answer asked for advice has
    no entries, so its sentences give it; `asked`: for advice of any kind."""

    clause: Clause
    phrases: Phrases
    is_listed: bool
    is_prose: bool
    asked: bool

    def has(self, kind: str, text: str) -> bool:
        return self.phrases.find(kind, text)


class _Rule(NamedTuple):
    name: str
    stance: Stance
    holds: Callable[[_Said], bool]


def _is_beside(said: _Said) -> bool:
    """Whether the sentence is about another name, or tells facts."""
    return said.has("told_of", said.clause.after) or said.has("beside", said.clause.before[-_BESIDE_REACH:])


_RULES = (
    _Rule(
        "row against",
        Stance.REJECTED,
        lambda said: any(said.has("against_title", cell) for cell in said.clause.cells),
    ),
    _Rule("title against", Stance.REJECTED, lambda said: said.has("against_title", said.clause.title)),
    _Rule("knows nothing", Stance.NOT_FOUND, lambda said: said.has("unknown", said.clause.whole)),
    _Rule(
        "against before",
        Stance.REJECTED,
        lambda said: not said.clause.after.startswith(_ENOUGH) and said.has("against_before", said.clause.before),
    ),
    _Rule("against at once", Stance.REJECTED, lambda said: said.has("against_head", said.clause.after)),
    _Rule("listed", Stance.RECOMMENDED, lambda said: said.is_listed),
    _Rule("against", Stance.REJECTED, lambda said: said.asked and said.has("against_after", said.clause.after)),
    _Rule("warning", Stance.CAUTIONED, lambda said: said.asked and said.has("warning", said.clause.after)),
    _Rule(
        "warning before", Stance.CAUTIONED, lambda said: said.asked and said.has("warning_before", said.clause.before)
    ),
    _Rule(
        "advice before",
        Stance.RECOMMENDED,
        lambda said: said.is_prose and said.has("advice_before", said.clause.before),
    ),
    _Rule(
        "advice",
        Stance.RECOMMENDED,
        lambda said: said.is_prose and not _is_beside(said) and said.has("advice_after", said.clause.after),
    ),
)
"""The first that holds decides."""


def asks_for_choices(prompt: str) -> bool:
    """Whether a question asks for things to choose; one without words may."""
    return Question(prompt).chooses


class Stances:
    """Reads the stances of the matches of one answer, which are sorted by place."""

    def __init__(self, matches: Sequence[Match], lines: Lines, ranking: Ranking, prompt: str) -> None:
        self._matches = matches
        self._clauses = Clauses(matches, lines)
        self._lines = lines
        self._ranking = ranking
        chooses = asks_for_choices(prompt)
        self._asked = chooses or _ADVICE.search(prompt) is not None
        self._is_prose = Question(prompt).asks and not ranking.has_entries

    def of(self, index: int) -> Told:
        """What the answer says of the match with this number, where it stands."""
        match, clause = self._matches[index], self._clauses.of(index)
        is_listed = self._ranking.entry_of(match) is not None
        said = _Said(clause, phrases(abroad=clause.abroad), is_listed, self._is_prose, self._asked)
        rule = next((rule for rule in _RULES if rule.holds(said)), None)
        line = self._lines.at(match.start)
        bounds = self._ranking.bounds_of(match, (line.start, line.end))
        start, end = quote(self._lines.shown, (match.start, match.end), bounds)
        return Told(rule.stance if rule else Stance.UNKNOWN, start, end, rule.name if rule else "")
