"""Which of two names an answer prefers. Pure; nothing is weighed, each rule is a way of saying it aloud.

Rules, the first that holds: the last line that sums up and decides ("Verdict: Acme"); all sentences that decide do so
for the same name ("I would go with Acme", "Acme is the better choice for most people"); one has the first place of a
ranking and the other has not; one is advised against or warned of, and the other is recommended. A clause under a
condition ("if you need …"), for some people, or in one respect decides nothing, nor does one with a "not" in it.
Otherwise, and wherever the answer contradicts itself, it is undecided: which name comes first, is named more often or
is told of at more length says nothing, for that follows the question.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from visibility.detection.stance.choice_phrases import (
    ALONE,
    CHOSEN,
    CLAUSE_END,
    FIRST_PLACE,
    HEDGED,
    NEGATED,
    ONE,
    OTHER,
    UNHEDGED,
    VERDICT_LINE,
)
from visibility.detection.text.closing import end_of_answer
from visibility.detection.text.sentences import sentence_spans
from visibility.detection.types import FoundMention, Stance

_LINE = re.compile(r"[^\n\r]+")
_MARKUP = re.compile(r"\A\s*(?:#{1,6}|[-\u2022>]|\d{1,2}[.)])\s+|[*_`|~\[\]]+")
_SPACE = re.compile(r"\s+")
_MAX_TITLE_LENGTH = 60
_AGAINST = frozenset({Stance.REJECTED, Stance.CAUTIONED})


class PreferenceRule(StrEnum):
    """What decided; `NONE` where nothing did, `CONTRADICTION` where the answer decides both ways."""

    VERDICT = "verdict"
    CHOICE = "choice"
    RANK = "rank"
    STANCE = "stance"
    CONTRADICTION = "contradiction"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class FoundPreference:
    """The subject that is preferred, None where the answer is undecided; the words at `start:end` of the raw text
    show it."""

    subject: str | None
    rule: PreferenceRule
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence that decides: for the first contender (0) or the second (1)."""

    side: int
    in_verdict: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of the raw text; in `words` the names are stand-ins. `sums_up`: it stands in a line that does."""

    words: str
    sums_up: bool
    start: int
    end: int


def preferred(text: str, mentions: Sequence[FoundMention], contenders: tuple[str, str]) -> FoundPreference:
    """Which of the two contenders, which are subject keys, the answer prefers. `mentions` are what `detect` found.

    Takes any string, in time linear in its length.
    """
    sentences = list(_sentences(text, mentions, contenders))
    said = [each for sentence in sentences if (each := _decision(sentence))]
    if verdicts := [each for each in said if each.in_verdict]:
        return _found(verdicts[-1], PreferenceRule.VERDICT, contenders)
    if said:
        if len({each.side for each in said}) == 1:
            return _found(said[-1], PreferenceRule.CHOICE, contenders)
        return FoundPreference(None, PreferenceRule.CONTRADICTION, said[-1].start, said[-1].end)
    first = [
        _Said(side, False, each.start, each.end) for each in sentences for side in _sides(FIRST_PLACE, each.words)
    ]
    if len({each.side for each in first}) == 1:
        return _found(first[0], PreferenceRule.RANK, contenders)
    return _by_stance(mentions, contenders)


def _found(said: _Said, rule: PreferenceRule, contenders: tuple[str, str]) -> FoundPreference:
    return FoundPreference(contenders[said.side], rule, said.start, said.end)


def _by_stance(mentions: Sequence[FoundMention], contenders: tuple[str, str]) -> FoundPreference:
    """The one that is recommended without reservation, where the other is advised against."""
    told = {subject: {each.stance for each in mentions if each.subject == subject} for subject in contenders}
    for subject, other in (contenders, contenders[::-1]):
        if Stance.RECOMMENDED in told[subject] and told[other] & _AGAINST and not told[subject] & _AGAINST:
            shown = next(each for each in mentions if each.subject == other and each.stance in _AGAINST)
            return FoundPreference(subject, PreferenceRule.STANCE, shown.quote_start, shown.quote_end)
    return FoundPreference(None, PreferenceRule.NONE)


def _decision(sentence: _Sentence) -> _Said | None:
    """For whom a sentence decides; nobody where its clauses disagree."""
    sides = {side for clause in CLAUSE_END.split(sentence.words) for side in _decided(clause, sentence.sums_up)}
    if len(sides) != 1:
        return None
    return _Said(sides.pop(), sentence.sums_up, sentence.start, sentence.end)


def _decided(clause: str, sums_up: bool) -> list[int]:
    plain = _plain(UNHEDGED.sub(" ", clause))
    if HEDGED.search(plain) or NEGATED.search(plain):
        return []
    return _sides(CHOSEN, plain) or (_sides(ALONE, plain) if sums_up else [])


def _sides(patterns: tuple[re.Pattern[str], re.Pattern[str]], words: str) -> list[int]:
    return [side for side, pattern in enumerate(patterns) if pattern.search(words)]


def _sentences(text: str, mentions: Sequence[FoundMention], contenders: tuple[str, str]) -> Iterator[_Sentence]:
    """The sentences that name a contender, and whether they stand in a line, or below a title, that sums up."""
    places = list(_places(mentions, contenders))
    below_title = False
    for line in _LINE.finditer(text, 0, end_of_answer(text)):
        shown = _plain(line.group())
        is_title = len(shown) <= _MAX_TITLE_LENGTH and (
            line.group().lstrip().startswith(("#", "**")) or shown.endswith(":")
        )
        opens = VERDICT_LINE.match(shown) is not None
        names = places[bisect_left(places, (line.start(),)) : bisect_left(places, (line.end(),))]
        if not names:
            below_title = opens if is_title else below_title
            continue
        for first, last in sentence_spans(line.group()):
            start, end = line.start() + first, line.start() + last
            held = names[bisect_left(names, (start,)) : bisect_left(names, (end,))]
            if held:
                words = _with_stand_ins(text, start, end, held)
                yield _Sentence(words, opens or below_title or VERDICT_LINE.match(words) is not None, start, end)


def _places(mentions: Sequence[FoundMention], contenders: tuple[str, str]) -> Iterator[tuple[int, int, str]]:
    """The places of the contenders' names, each with its stand-in; what is a name of both is left out."""
    subjects: dict[tuple[int, int], set[str]] = {}
    for each in mentions:
        if each.subject in contenders:
            subjects.setdefault((each.start, each.end), set()).add(each.subject)
    reached = 0
    for (start, end), named in sorted(subjects.items()):
        if len(named) == 1 and start >= reached:
            yield start, end, ONE if contenders[0] in named else OTHER
            reached = end


def _with_stand_ins(text: str, start: int, end: int, names: Sequence[tuple[int, int, str]]) -> str:
    parts = []
    for first, last, name in names:
        parts += [_without_stand_ins(text[start:first]), name]
        start = last
    return _plain("".join([*parts, _without_stand_ins(text[start:end])]))


def _without_stand_ins(text: str) -> str:
    return text.replace(ONE, " ").replace(OTHER, " ")


def _plain(text: str) -> str:
    """In small letters, without Markdown, on one line."""
    return _SPACE.sub(" ", _MARKUP.sub(" ", text)).strip().lower()
