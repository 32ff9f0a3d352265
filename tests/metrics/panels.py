"""Panels of answers for the tests: drawn by a rule, or written down answer by answer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2

from visibility.metrics import Counts, Row, count

BRAND, RIVAL = "brand", "rival"


@dataclass(frozen=True)
class Answer:
    """One answer: the rank of each subject that it mentions (None without a place), whom it cites, whom its prompt
    names."""

    engine: str
    prompt: str
    topic: str
    ranks: Mapping[str, int | None]
    cited: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()


def tally(answers: Iterable[Answer], subjects: Sequence[str] = (BRAND, RIVAL), averaged=None) -> Counts:
    """The answers counted, one row for each and subject."""
    return count((_row(answer, subject) for answer in answers for subject in subjects), subjects, averaged)


def _row(answer: Answer, subject: str) -> Row:
    rank = answer.ranks.get(subject)
    mentioned, gain = subject in answer.ranks, 1 / log2(1 + rank) if rank else 0.0
    sums = (1, mentioned, rank is not None, gain, gain**2, subject in answer.cited, mentioned * len(answer.ranks))
    return Row(answer.engine, answer.prompt, answer.topic, subject, *sums, subject in answer.named)


def ruled(topics: int, wordings: int, engines: int, samples: int, *, salt: int = 0, shift: int = 0) -> Counts:
    """The panel that the reference values are of: who is mentioned where follows from two remainders."""
    answers = []
    for t in range(topics):
        for q in range(wordings):
            for e in range(engines):
                for r in range(samples):
                    h = (7 * t * t + 3 * q + 5 * e + 11 * r + 13 * salt + 2 * t * q) % 17
                    g = (5 * t + 7 * q * q + 3 * e + 4 * r + 3 * salt) % 13
                    ranks: dict[str, int | None] = {}
                    if h < 6 + shift:
                        ranks[BRAND] = None if h % 3 == 0 else 1 + (h + t) % 4
                    if g < 5:
                        ranks[RIVAL] = 1 + (g + q) % 3
                    cited = {BRAND: (h + g) % 5 == 0, RIVAL: (h + 2 * g) % 7 == 0}
                    cites = frozenset(subject for subject, is_cited in cited.items() if is_cited)
                    answers.append(Answer(f"e{e}", f"{t}.{q}", f"t{t}", ranks, cites))
    return tally(answers)


def panel(rates: Mapping[str, Sequence[int]], samples: int, *, engines: Sequence[str] = ("e",)) -> Counts:
    """A panel of the brand alone: by topic, how many of the `samples` answers to each of its prompts mention it."""
    return tally(
        [
            Answer(engine, f"{topic}.{number}", topic, {BRAND: 1} if sample < mentions else {})
            for engine in engines
            for topic, prompts in rates.items()
            for number, mentions in enumerate(prompts)
            for sample in range(samples)
        ],
        [BRAND],
    )
