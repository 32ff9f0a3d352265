"""What an answer says of a name, where that can be told: offered, advised against, warned of, or not known to it.

The rules are tried in the order of their table; the first that holds decides, and where none does the stance is
unknown. Recommended is only what stands among three picks or more that an answer offers, where nothing negates it:
on real answers each sentence in prose that recommends a name does so in its list, too, and turns of phrase read
"I'd choose Y over X" or "used to be my top pick" the wrong way round.
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

_ENOUGH = (" enough", " highly enough")  # "I can't recommend it enough"
_ADVICE = re.compile(r"\b(?:trust|safe|any good|worth|should|still|avoid|problems? with)\b", re.IGNORECASE)

# Withholds a recommendation, tells nothing else: "1. X - not recommended", "the one to avoid", "X war früher gut".
_DOUBT = re.compile(
    r"""\b(?:not|no|never|cannot|without|avoid|skip|worst|formerly|used\ to
      | nicht|kein\w*|nie|niemals|ohne|meiden|fr\u00fcher | pas|jamais|sans|ne|\u00e9vite[rz] | non|mai|senza|evita\w*
      | sin|nunca | n[\u00e3a]o|sem | niet|geen|nooit|zonder|vermijd\w* | ikke|inte|ingen|aldrig
      | \u043d\u0435|\u043d\u0435\u0442|\u0431\u0435\u0437)\b | n't\b
      | [\u4e0d\u6c92\u6ca1\u7121\u65e0\u522b\u5225\u907f]
      | (?:\bs|d[e\u00e9]s?a?)con(?:sig|se[jil]) | \b(?:ab|af)[\ -]?(?:zu|ge|te\ )?ra[dt]  # to advise against
      | \br[a\u00e5]a?[dt]\w*\b.{0,40}\ba[bf]\b | \b(?:avr|frar)[a\u00e5]d | \bodradz
      | \u306a\u3044|\u307e\u305b\u3093 | \uc54a|\uc5c6|\ub9d0""",
    re.VERBOSE,
)


FEWEST = 3
"""Picks that an answer has to offer so that their places recommend: one or two names with a few words each may as
well be warned of, in words that no list has ("hard pass")."""


class Told(NamedTuple):
    """A stance, where in the visible text it is shown, and the rule that told it."""

    stance: Stance
    start: int
    end: int
    rule: str = ""


class _Said(NamedTuple):
    """A clause as rules look at it. `is_listed`: the name heads an entry; `asked`: for advice of any kind."""

    clause: Clause
    phrases: Phrases
    is_listed: bool
    asked: bool

    def has(self, kind: str, text: str) -> bool:
        return self.phrases.find(kind, text)


class _Rule(NamedTuple):
    name: str
    stance: Stance
    holds: Callable[[_Said], bool]


def _is_doubtful(clause: Clause) -> bool:
    """Whether anything around the name takes back what its place in a list says."""
    around = (clause.before, clause.after, clause.below, clause.title, *clause.cells)
    return any(_DOUBT.search(words) for words in around)


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
    _Rule("against", Stance.REJECTED, lambda said: said.asked and said.has("against_after", said.clause.after)),
    _Rule("listed", Stance.RECOMMENDED, lambda said: said.is_listed and not _is_doubtful(said.clause)),
    _Rule("warning", Stance.CAUTIONED, lambda said: said.asked and said.has("warning", said.clause.after)),
    _Rule(
        "warning before", Stance.CAUTIONED, lambda said: said.asked and said.has("warning_before", said.clause.before)
    ),
)
"""The first that holds decides."""


class Stances:
    """Reads the stances of the matches of one answer, which are sorted by place."""

    def __init__(self, matches: Sequence[Match], lines: Lines, ranking: Ranking, prompt: str) -> None:
        self._matches = matches
        self._clauses = Clauses(matches, lines)
        self._lines = lines
        self._ranking = ranking
        self._asked = Question(prompt).chooses or _ADVICE.search(prompt) is not None

    def of(self, index: int) -> Told:
        """What the answer says of the match with this number, where it stands."""
        match, clause = self._matches[index], self._clauses.of(index)
        is_listed = self._ranking.size >= FEWEST and self._ranking.entry_of(match) is not None
        said = _Said(clause, phrases(abroad=clause.abroad), is_listed, self._asked)
        rule = next((rule for rule in _RULES if rule.holds(said)), None)
        line = self._lines.at(match.start)
        bounds = self._ranking.bounds_of(match, (line.start, line.end))
        start, end = quote(self._lines.shown, (match.start, match.end), bounds)
        return Told(rule.stance if rule else Stance.UNKNOWN, start, end, rule.name if rule else "")
