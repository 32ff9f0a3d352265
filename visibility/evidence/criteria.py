"""What answers to buying questions judge by. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from visibility.detection.stance.quotes import as_written, quote
from visibility.detection.text.entries import entries
from visibility.detection.text.reading import Reading
from visibility.detection.text.spans import Spans
from visibility.evidence.labels import Label, is_kind, labels_of
from visibility.evidence.praise import Terms, terms_of
from visibility.evidence.types import AnswerText, Criterion, Quote, Winner
from visibility.evidence.vocabulary import Key, label_of_key, spellings_of, stems, without_praise
from visibility.evidence.winners import MAX_QUOTE, Mentions, Praise, praises

MIN_ANSWERS = 3
MIN_ENGINES = 2
MIN_PROMPTS = 3
"""A criterion stands in at least three answers: of two engines, or to three prompts of one."""
MAX_TERMS = 8
MAX_QUOTES = 5
MAX_WINNERS = 5
NAMED, UNNAMED = "praise", "praise in its entry"
"""Rules of a winner's quote: it names the winner, or stands where only that is spoken of."""
_EMPHASIS = "*_"


class _Use(NamedTuple):
    """That an answer uses a criterion: the number of the answer, the words, and the label in its visible text."""

    answer: int
    spelling: str
    label: Label


def find_criteria(answers: Sequence[AnswerText], names: Sequence[str]) -> list[Criterion]:
    """The criteria of the answers to buying questions, weightiest first; `names` are those of all subjects.

    Only answers to unbranded buying questions count, and each once. The same thresholds hold for the answers of one
    topic, which may be given alone: what few answers of each of many topics say stands in the list of all, what is
    said of one topic in both, there with the smaller weight. An answer uses a criterion where it stands as a label,
    so that a weight is a lower bound. Quotes have at most 400 characters. Takes any text, in time linear in it.
    """
    buying = [answer for answer in answers if answer.buying and not answer.branded]
    own = {tuple(stems(name)) for name in names} - {()}
    uses: dict[Key, list[_Use]] = defaultdict(list)
    for number, answer in enumerate(buying):
        for key, use in _uses(number, answer, own):
            uses[key].append(use)
    kept = {key: rows for key, rows in uses.items() if _is_kept(key, rows, buying)}
    winners = _winners(kept, buying)
    criteria = [_criterion(key, rows, buying, winners.get(key, ())) for key, rows in kept.items()]
    return sorted(criteria, key=lambda row: (-row.answers, row.label.casefold()))


def _uses(number: int, answer: AnswerText, own: set[tuple[str, ...]]) -> Iterator[tuple[Key, _Use]]:
    reading = Reading(answer.text)
    question = frozenset(stems(answer.question))
    named = Spans(span for spans in answer.named.values() for span in spans)
    for label in labels_of(reading, entries(reading.seen, reading.lines, asked=True), named):
        for key, words in label.keys:
            if not is_kind(words, question) and not _is_name(words, own):
                yield key, _Use(number, words, label)


def _is_name(words: str, own: set[tuple[str, ...]]) -> bool:
    """Whether somebody's name stands in a label."""
    parts = stems(words)
    return any(
        tuple(parts[first:last]) in own for first in range(len(parts)) for last in range(first + 1, len(parts) + 1)
    )


def _is_kept(key: Key, rows: Sequence[_Use], answers: Sequence[AnswerText]) -> bool:
    """Whether enough answers have it as a label; what no list knows mostly not as the name of what they offer."""
    is_known = bool(label_of_key(key))
    if not is_known and 2 * sum(row.label.is_offered for row in rows) >= len(rows):
        return False
    certain = {row.answer for row in rows if row.label.is_certain and (is_known or not row.label.is_offered)}
    prompts: dict[str, set[str]] = defaultdict(set)
    for number in certain:
        prompts[answers[number].engine].add(answers[number].prompt)
    if len(certain) < MIN_ANSWERS:
        return False
    return len(prompts) >= MIN_ENGINES or max(map(len, prompts.values())) >= MIN_PROMPTS


def _winners(kept: Mapping[Key, Sequence[_Use]], answers: Sequence[AnswerText]) -> Mapping[Key, Sequence[Winner]]:
    """Of each criterion the subjects that answers praise for it, those of most answers first."""
    spellings = [(key, row.spelling) for key, rows in kept.items() for row in rows if row.label.is_certain]
    listed = [(key, spelling) for key in kept for spelling in (label_of_key(key), *spellings_of(key))]
    terms = terms_of([*spellings, *listed])
    praise: dict[tuple[Key, str], dict[int, Quote]] = defaultdict(dict)
    for number, answer in enumerate(answers):
        if answer.named:
            for row, quote in _praises(answer, terms):
                best = praise[row.key, row.subject].get(number)
                if best is None or _clarity(quote) < _clarity(best):
                    praise[row.key, row.subject][number] = quote
    winners: dict[Key, list[Winner]] = defaultdict(list)
    for (key, subject), quotes in praise.items():
        winners[key].append(Winner(subject, len(quotes), min(quotes.values(), key=_clarity)))
    return {
        key: sorted(rows, key=lambda row: (-row.answers, row.subject))[:MAX_WINNERS] for key, rows in winners.items()
    }


def _clarity(quote: Quote) -> tuple[bool, bool, int]:
    """The less, the sooner it is shown: what names its subject, holds no address, is short."""
    return quote.rule != NAMED, "http" in quote.text, len(quote.text)


def _praises(answer: AnswerText, terms: Terms) -> Iterator[tuple[Praise, Quote]]:
    reading = Reading(answer.text)
    prose = reading.seen.prose
    offers = entries(reading.seen, reading.lines, asked=True)
    for row in praises(reading, offers, Mentions(reading, answer.named), terms):
        start, end = prose.source_span(*row.span)
        if end - start <= 2 * MAX_QUOTE:
            rule = NAMED if row.is_named else UNNAMED
            yield row, Quote(answer.text[start:end], "answer", start, rule, answer=answer.id, engine=answer.engine)


def _criterion(key: Key, rows: Sequence[_Use], answers: Sequence[AnswerText], winners: Sequence[Winner]) -> Criterion:
    users = sorted({row.answer for row in rows})
    spellings = Counter(" ".join(row.spelling.split()) for row in rows if row.label.is_certain)
    folded = Counter({spelling.casefold(): 0 for spelling in spellings})
    for row in rows:
        folded[" ".join(row.spelling.casefold().split())] += 1
    topics = Counter(answers[number].topic for number in users)
    return Criterion(
        label=label_of_key(key) or _shown(spellings),
        terms=tuple(term for term, _ in folded.most_common(MAX_TERMS)),
        answers=len(users),
        of_answers=len(answers),
        engines=tuple(sorted({answers[number].engine for number in users})),
        prompts=len({answers[number].prompt for number in users}),
        topics=tuple(topics.most_common()),
        winners=tuple(winners),
        quotes=tuple(_quotes(rows, answers)),
    )


def _shown(spellings: Counter[str]) -> str:
    """The most usual spelling with a capital at its beginning alone, but for short forms ("GPS accuracy")."""
    counts: Counter[str] = Counter()
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for spelling, count in spellings.items():
        words = without_praise(spelling)
        counts[words.casefold()] += count
        forms[words.casefold()][words] += count
    usual = forms[min(counts, key=lambda words: (-counts[words], len(words), words))]
    small = [word if sum(map(str.isupper, word)) > 1 else word.lower() for word in usual.most_common(1)[0][0].split()]
    return " ".join([small[0][:1].upper() + small[0][1:], *small[1:]])


def _quotes(rows: Sequence[_Use], answers: Sequence[AnswerText]) -> Iterator[Quote]:
    """Where it is used: certain labels with words behind them first, each topic and engine once before any twice."""
    counts: Counter[str] = Counter()
    by_answer: dict[int, _Use] = {}
    for row in sorted(rows, key=lambda row: (not row.label.is_certain, row.label.stop <= row.label.end + 3)):
        by_answer.setdefault(row.answer, row)
    left = list(by_answer.values())
    while left and counts.total() < 2 * MAX_QUOTES:
        best = min(left, key=lambda row: counts[answers[row.answer].topic] + counts[answers[row.answer].engine])
        left.remove(best)
        counts.update([answers[best.answer].topic, answers[best.answer].engine])
        yield _quote(best, answers[best.answer])


def _quote(use: _Use, answer: AnswerText) -> Quote:
    prose, label = Reading(answer.text).seen.prose, use.label
    place = (label.start, label.end)
    span = quote(prose.text, place, (label.start, max(label.stop, label.end)))
    start, end = as_written(prose.text, span, place, prose.source_span)
    start = len(answer.text[:start].rstrip(_EMPHASIS))  # "**Weight:** 32 g" with both of its signs
    return Quote(answer.text[start:end], "answer", start, "label", answer=answer.id, engine=answer.engine)
