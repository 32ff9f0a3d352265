"""What answers say of a claim: supported where they say the same of the brand, contradicted only where they deny just
that or give another number for just that."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from visibility.detection.text.entries import entries
from visibility.detection.text.reading import Reading
from visibility.detection.text.sentences import sentence_spans
from visibility.detection.text.spans import Spans
from visibility.detection.types import BRAND
from visibility.evidence.page_words.page_words import LANGUAGES
from visibility.evidence.positioning.attributes import Amount, Attributes, attributes
from visibility.evidence.types import AnswerText, Claim, ClaimKind, EnginesSay, Quote, WeighedClaim

MAX_QUOTES = 5
"""Of each side."""
MAX_SENTENCE = 600
MIN_SHARED = 2
"""Stems that a claim and a sentence about the same share at least."""
MIN_COVERED = 0.5
"""Share of a claim's stems that a sentence has which says the same."""
MAX_ROUNDED = 0.25
"""By how much bounds and estimates of the same may differ."""
_PARTING = re.compile(LANGUAGES.any_of(lambda words: [words.weighing.parting.pattern]))
_LINE = re.compile(r"[^\n]+")
_MARKS = re.compile(r"^[\s>#*_•|-]*(?:\d{1,2}[.)]\s+)?")


@dataclass(frozen=True, slots=True)
class _Said:
    """What a sentence of an answer says of the brand."""

    quote: Quote
    attributes: Attributes


def weigh(claims: Sequence[Claim], answers: Sequence[AnswerText]) -> list[WeighedClaim]:
    """What the answers that name the brand say of each claim."""
    naming = [answer for answer in answers if answer.named.get(BRAND)]
    own = frozenset(word for answer in naming for word in _names(answer))
    heard = [tuple(_said_in(answer, own)) for answer in naming]
    return [_weighed(claim, heard, own) for claim in claims]


def _names(answer: AnswerText) -> Iterator[str]:
    """The words by which an answer names the brand."""
    for start, end in answer.named[BRAND]:
        yield from re.findall(r"\w+", answer.text[start:end].casefold())


def _said_in(answer: AnswerText, own: frozenset[str]) -> Iterator[_Said]:
    """What an answer says of the brand: in sentences that name it, up to where they speak of another, and below an
    entry of a list that is its own."""
    ours = Spans(answer.named[BRAND])
    others = Spans(span for subject, spans in answer.named.items() if subject != BRAND for span in spans)
    places = _entries(answer, ours, own)
    for start, end in _sentences(answer.text):
        if end - start > MAX_SENTENCE:
            continue
        above = next((entry for begin, stop, entry in places if begin <= start < stop), None)
        for first, last in _clauses(answer.text, start, end):
            if (above or ours.touches(first, last)) and not others.touches(first, last):
                said = attributes(answer.text[first:last], own)
                yield _Said(_quote(answer, start, end), said if above is None else said.below(above))


def _quote(answer: AnswerText, start: int, end: int) -> Quote:
    return Quote(answer.text[start:end], "answer", start, "claims.said", answer=answer.id, engine=answer.engine)


def _entries(answer: AnswerText, ours: Spans, own: frozenset[str]) -> list[tuple[int, int, Attributes]]:
    """Where the answer speaks of an entry of the brand alone, and what the entry's name says."""
    reading = Reading(answer.text)
    places = []
    for entry in entries(reading.seen, reading.lines, asked=True):
        names = [reading.seen.prose.source_span(*name) for name in entry.names]
        if all(ours.touches(*name) for name in names) and entry.names[0][0] < entry.stop:
            begin, stop = reading.seen.prose.source_span(entry.names[0][0], entry.stop)
            places.append((begin, stop, attributes(" ".join(answer.text[slice(*name)] for name in names), own)))
    return places


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of each line, without the marks before it; the row of a table is one."""
    for line in _LINE.finditer(text):
        begin = line.start() + len(_MARKS.match(line[0])[0])
        shown = text[begin : line.end()].rstrip(" |")
        if line[0].lstrip().startswith("|"):
            if shown:
                yield begin, begin + len(shown)
        else:
            yield from ((begin + start, begin + end) for start, end in sentence_spans(shown) if start < end)


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first = start
    for match in _PARTING.finditer(text, start, end):
        yield first, match.start()
        first = match.start()
    yield first, end


def _weighed(claim: Claim, heard: Sequence[Sequence[_Said]], own: frozenset[str]) -> WeighedClaim:
    claimed = attributes(claim.text, own)
    supporting, contradicting = [], []
    for answer in heard:
        says = [(_verdict(claim.kind, claimed, said.attributes), said) for said in answer]
        for verdict, quotes in ((EnginesSay.SUPPORTED, supporting), (EnginesSay.CONTRADICTED, contradicting)):
            alike = [said for each, said in says if each == verdict]
            if alike:
                best = max(alike, key=lambda said: len(said.attributes.about & claimed.about))
                quotes.append(best.quote)
    if len(contradicting) > len(supporting):
        says_all = EnginesSay.CONTRADICTED
    else:
        says_all = EnginesSay.SUPPORTED if supporting else EnginesSay.ABSENT
    return WeighedClaim(
        claim, says_all, len(heard), tuple(supporting[:MAX_QUOTES]), tuple(contradicting[:MAX_QUOTES])
    )


def _verdict(kind: ClaimKind, claimed: Attributes, said: Attributes) -> EnginesSay:
    """What one sentence says of the claim; absent in doubt."""
    if claimed.models - said.models and claimed.models:
        return EnginesSay.ABSENT
    if claimed.amounts:
        return _by_amounts(claimed, said)
    return _by_words(kind, claimed, said)


def _by_amounts(claimed: Attributes, said: Attributes) -> EnginesSay:
    verdicts = [_of_amount(amount, said) for amount in claimed.amounts]
    if EnginesSay.CONTRADICTED in verdicts:
        # Another number is one only for the same thing: not for another model, nor in words on somebody else.
        same = said.models <= claimed.models and not said.names - claimed.names
        return EnginesSay.CONTRADICTED if same and EnginesSay.SUPPORTED not in verdicts else EnginesSay.ABSENT
    return EnginesSay.SUPPORTED if EnginesSay.SUPPORTED in verdicts else EnginesSay.ABSENT


def _of_amount(amount: Amount, said: Attributes) -> EnginesSay:
    alike = [each for each in said.amounts if each.quantity.same_kind(amount.quantity) and each.near & amount.near]
    if any(each.quantity.values & amount.quantity.values for each in alike):
        return EnginesSay.SUPPORTED
    needed = min(MIN_SHARED, len(amount.near))
    close = [each for each in alike if len(each.near & amount.near) >= needed]
    if len(alike) == len(close) == 1 and not _rounded(amount, close[0]):
        return EnginesSay.CONTRADICTED
    return EnginesSay.ABSENT


def _rounded(amount: Amount, other: Amount) -> bool:
    """Whether two bounds or estimates may mean the same."""
    if not (amount.bounded or other.bounded):
        return False
    pairs = [(one, two) for one in amount.quantity.values for two in other.quantity.values if one and two]
    return any(abs(float(one - two)) <= MAX_ROUNDED * float(max(one, two)) for one, two in pairs)


def _by_words(kind: ClaimKind, claimed: Attributes, said: Attributes) -> EnginesSay:
    shared = claimed.about & said.about
    if len(shared) < MIN_SHARED or len(shared) < MIN_COVERED * len(claimed.about):
        return EnginesSay.ABSENT
    denied = len(shared & said.denied) >= MIN_SHARED
    if claimed.denied & shared:
        return EnginesSay.SUPPORTED if shared & said.denied else EnginesSay.ABSENT
    if denied:
        same = said.models <= claimed.models and not said.names - claimed.names
        return EnginesSay.CONTRADICTED if same else EnginesSay.ABSENT
    return EnginesSay.ABSENT if shared & said.denied else EnginesSay.SUPPORTED
