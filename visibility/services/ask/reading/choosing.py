"""Which kinds a question is of, once it is known whom and what it names. Pure."""

import re
from dataclasses import dataclass
from functools import cache

from visibility.services.ask.reading.folding import folded, folded_pattern
from visibility.services.ask.reading.kinds import kinds_of
from visibility.services.ask.reading.vocabulary import QUESTION_WORDS
from visibility.services.ask.types import Kind
from visibility.services.ask.vocabulary import any_of

_FIGURES = frozenset({Kind.SCORE, Kind.ENGINES})
_SHARE_OF_VOICE = re.compile(
    rf"(?<!\w)(?:{folded_pattern(any_of(lambda words: words.meaning.share_of_voice))})", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Named:
    """What a question names: how many competitors and engines, whether topics and days."""

    rivals: int = 0
    engines: int = 0
    topics: bool = False
    days: bool = False

    @property
    def is_narrowed(self) -> bool:
        """Whether figures of less than everything are meant."""
        return bool(self.engines or self.topics or self.days)


def chosen_kinds(question: str, language: str, named: Named) -> tuple[Kind, ...]:
    """What the question asks for, the most important first: its words decide, then whom it names; nothing where
    neither tells. `question` has signs in the place of names, engines, topics and days."""
    kinds = list(kinds_of(question, language))
    if named.rivals:
        kinds = _of_rivals(kinds, is_negated=_is_negated(question, language))
        if named.topics:
            kinds = [kind for kind in kinds if kind is not Kind.TOPICS] or [Kind.COMPETITORS]
        if Kind.COMPETITORS in kinds and _SHARE_OF_VOICE.search(folded(question)):
            kinds.insert(kinds.index(Kind.COMPETITORS), Kind.SCORE)
    elif Kind.COMPETITORS in kinds and named.engines > 1:
        kinds = [Kind.ENGINES if kind is Kind.COMPETITORS else kind for kind in kinds]
    if Kind.ENGINES in kinds and named.engines > 1:
        kinds = [kind for kind in kinds if kind is not Kind.SCORE]
    if named.days and Kind.CHANGE in kinds:
        kinds.append(Kind.COMPETITORS if named.rivals else Kind.SCORE)
    if not kinds and named.is_narrowed:
        kinds = [Kind.SCORE]
    return tuple(dict.fromkeys(kinds))


def _of_rivals(kinds: list[Kind], *, is_negated: bool) -> list[Kind]:
    """Figures of a competitor stand beside the brand's; prompts are those that name it, or do not name the brand."""
    kinds = [Kind.COMPETITORS if kind in _FIGURES else kind for kind in kinds] or [Kind.COMPETITORS]
    if Kind.PROMPTS in kinds:
        kinds[kinds.index(Kind.PROMPTS)] = Kind.GAPS if is_negated or Kind.GAPS in kinds else Kind.COMPETITORS
    return kinds


def _is_negated(question: str, language: str) -> bool:
    return _negation(language).search(folded(question)) is not None


@cache
def _negation(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(folded_pattern, QUESTION_WORDS[language].premises.negation))})\b")
