"""What a question takes for granted: "why is Sony never named", "since we lead". Pure.

Only what stands behind a word that takes it for granted is a premise: "are we behind Samsung?" claims nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from visibility.services.ask.reading.folding import folded, folded_pattern
from visibility.services.ask.reading.vocabulary import QUESTION_WORDS, PremiseWords
from visibility.services.ask.types import Claimed, Kind, Premise, Subject
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
            is_object = words.object_pronouns.fullmatch(match[0]) is not None
            places.append(_Place(match.start(), subject, is_object))
    return places


def _premise(clause: str, words: _Words, people: Sequence[_Place] | None, brand: Subject) -> Premise | None:
    if people is None or words.other_figures.search(clause):
        return None
    is_negated = words.negation.search(clause) is not None
    first, other = _first_and_other(people, brand)
    for claimed, pattern in words.claims:
        if not pattern.search(clause):
            continue
        if claimed in (Claimed.AHEAD, Claimed.BEHIND):
            return _compared(claimed, first, other, brand, is_negated=is_negated)
        if not is_negated:
            return Premise(claimed, first)
    if words.not_named.search(clause) or (is_negated and words.naming.search(clause)):
        return Premise(Claimed.NOT_NAMED, first)
    share = words.percent.search(clause)
    return Premise(Claimed.FIGURE, first, value=float(share["number"].replace(",", "."))) if share else None


def _first_and_other(people: Sequence[_Place], brand: Subject) -> tuple[Subject, Subject | None]:
    """Who does it, and whom it concerns: "us" is never who does."""
    if not people:
        return brand, None
    if len(people) > 1 and people[0].is_object:
        return people[1].subject, people[0].subject
    return people[0].subject, people[1].subject if len(people) > 1 else None


def _compared(
    claimed: Claimed, first: Subject, other: Subject | None, brand: Subject, *, is_negated: bool
) -> Premise | None:
    """Who is in front: not to be ahead is to be behind; a competitor alone is compared with the brand."""
    if is_negated and claimed is Claimed.BEHIND:
        return None
    if other is None and first != brand:
        other = brand
    return Premise(Claimed.BEHIND if is_negated else claimed, first, other)


@cache
def _words(language: str) -> _Words:
    premises = QUESTION_WORDS[language].premises
    return _Words(
        why=_any(premises.why, behind=r"\b"),
        granted=_any(premises.granted),
        who=_who(language),
        object_pronouns=re.compile("|".join(map(folded_pattern, premises.object_pronouns))),
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
    others = "|".join(
        folded_pattern(word) for words in QUESTION_WORDS[language].kinds[Kind.COMPETITORS].words for word in (words,)
    )
    ours = [*VOCABULARIES[language].people.we, *QUESTION_WORDS[language].premises.object_pronouns]
    return re.compile(rf"{NAME}|(?<!\w)(?:{'|'.join(map(folded_pattern, ours))})(?!\w)(?! (?:\w+ )?(?:{others}))")


def _any(patterns: Iterable[str], behind: str = "") -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(folded_pattern, patterns))}){behind}")
