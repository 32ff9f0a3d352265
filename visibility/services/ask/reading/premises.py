"""What a question takes for granted: "why is Sony never named", "since we lead". Pure.

Only what stands behind a word that takes it for granted is a premise: "are we behind Samsung?" claims nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from visibility.services.ask.reading.folding import folded, folded_pattern
from visibility.services.ask.reading.vocabulary import QUESTION_WORDS, PremiseWords
from visibility.services.ask.types import Claimed, Premise, Subject
from visibility.services.ask.vocabulary import VOCABULARIES

NAME = "\x01"
MAX_PREMISES = 3
_END = re.compile(r"[?!;\n]|\.(?!\d)")
_COMMA = re.compile(r"[,–—]\s|\s-\s")
_NUMBER = r"(?<![\d.,])(?P<number>\d{1,3}(?:[.,]\d{1,3})?)\s?"


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one language, as patterns."""

    why: re.Pattern[str]
    granted: re.Pattern[str]
    who: re.Pattern[str]
    object_pronouns: re.Pattern[str]
    before_object: re.Pattern[str]
    negation: re.Pattern[str]
    naming: re.Pattern[str]
    claims: Sequence[tuple[Claimed, re.Pattern[str]]]
    not_named: re.Pattern[str]
    percent: re.Pattern[str]
    other_figures: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Place:
    """Whom a clause speaks of at a place."""

    start: int
    subject: Subject
    is_object: bool


def premises_of(question: str, language: str, brand: Subject, names: Sequence[Subject | None]) -> tuple[Premise, ...]:
    """What the question takes for granted of the brand and its competitors.

    `question` has a sign in the place of each name; `names` are who they stand for, in order, None for whom there are
    no figures of.
    """
    words = _words(language)
    text = folded(question)
    premises = [
        premise
        for clause, before in _clauses(text, words)
        if (premise := _premise(clause, words, _people(clause, words, brand, names[before.count(NAME) :]), brand))
    ]
    return tuple(dict.fromkeys(premises))[:MAX_PREMISES]


def _clauses(text: str, words: _Words) -> Iterator[tuple[str, str]]:
    """What is taken for granted, and the text before it: behind a "why" to the end of the sentence, behind a "since"
    to the next comma."""
    for pattern, ends in ((words.why, (_END,)), (words.granted, (_END, _COMMA))):
        match = pattern.search(text)
        if match:
            rest = text[match.end() :]
            stops = [stop.start() for end in ends if (stop := end.search(rest))]
            yield rest[: min(stops, default=len(rest))], text[: match.end()]


def _people(clause: str, words: _Words, brand: Subject, names: Sequence[Subject | None]) -> list[_Place] | None:
    """Whom the clause speaks of, in its order; None where there are no figures of one of them."""
    places: list[_Place] = []
    following = iter(names)
    for match in words.who.finditer(clause):
        subject = next(following, None) if match[0] == NAME else brand
        if subject is None:
            return None
        if all(subject != place.subject for place in places):
            is_object = words.object_pronouns.fullmatch(match[0]) or words.before_object.search(
                clause[: match.start()]
            )
            places.append(_Place(match.start(), subject, is_object is not None))
    return places


def _premise(clause: str, words: _Words, people: Sequence[_Place] | None, brand: Subject) -> Premise | None:
    if people is None or words.other_figures.search(clause):
        return None
    negation = words.negation.search(clause)
    first = people[0].subject if people else brand
    for claimed, pattern in words.claims:
        if not pattern.search(clause):
            continue
        if claimed in (Claimed.AHEAD, Claimed.BEHIND):
            return _compared(claimed, people, brand, is_negated=negation is not None)
        if not negation:
            return Premise(claimed, first)
    if words.not_named.search(clause):
        return Premise(Claimed.NOT_NAMED, first)
    if negation and words.naming.search(clause):
        before = [place.subject for place in people if place.start < negation.start()]
        return Premise(Claimed.NOT_NAMED, before[-1] if before else first)
    share = words.percent.search(clause)
    return Premise(Claimed.FIGURE, first, value=float(share["number"].replace(",", "."))) if share else None


def _compared(claimed: Claimed, people: Sequence[_Place], brand: Subject, *, is_negated: bool) -> Premise | None:
    """Who is in front of whom: not to be ahead is to be behind; a competitor alone is compared with the brand; what
    is ahead of the brand and has no name leaves it behind. None where nobody is spoken of."""
    if not people or (is_negated and claimed is Claimed.BEHIND):
        return None
    is_ahead = (claimed is Claimed.AHEAD) != is_negated
    first, *others = people
    if others and first.is_object:
        first, others = others[0], [first]
    elif first.is_object:
        is_ahead = not is_ahead
    other = others[0].subject if others else brand if first.subject != brand else None
    return Premise(Claimed.AHEAD if is_ahead else Claimed.BEHIND, first.subject, other)


@cache
def _words(language: str) -> _Words:
    premises = QUESTION_WORDS[language].premises
    return _Words(
        why=_any(premises.why, behind=r"\b"),
        granted=_any(premises.granted),
        who=_who(language),
        object_pronouns=re.compile("|".join(map(folded_pattern, premises.object_pronouns))),
        before_object=_any(premises.before_object, behind=r"\s$"),
        negation=_any(premises.negation, behind=r"\b"),
        naming=_any(premises.naming),
        claims=_claims(premises),
        not_named=_any(premises.not_named),
        percent=re.compile(rf"{_NUMBER}(?:{'|'.join(map(folded_pattern, premises.percent))})"),
        other_figures=_any(premises.other_figures),
    )


def _claims(premises: PremiseWords) -> Sequence[tuple[Claimed, re.Pattern[str]]]:
    """In the order in which they are looked for: "worse than last week" fell, "worse than Samsung" is behind."""
    return (
        (Claimed.FELL, _any(premises.fell)),
        (Claimed.ROSE, _any(premises.rose)),
        (Claimed.BEHIND, _any(premises.behind)),
        (Claimed.AHEAD, _any(premises.ahead)),
        (Claimed.LEADS, _any(premises.leads)),
    )


def _who(language: str) -> re.Pattern[str]:
    """A name, or the asker's side; "our competitors" are not it."""
    premises = QUESTION_WORDS[language].premises
    others = "|".join(map(folded_pattern, premises.others))
    ours = [*VOCABULARIES[language].people.we, *premises.object_pronouns]
    return re.compile(rf"{NAME}|(?<!\w)(?:{'|'.join(map(folded_pattern, ours))})(?!\w)(?! (?:\w+ )?(?:{others}))")


def _any(patterns: Iterable[str], behind: str = "") -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(folded_pattern, patterns))}){behind}")
