"""What the answers of now say on a topic: of the brand, of competitors, and of what to look for, by criterion."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.formats import date_format

from apikeys.text.sentences import one_line
from brands.models import Brand
from visibility.detection.text.sentences import sentence_spans
from visibility.evidence.types import Criterion
from visibility.measured.reading import answers_of, read_basis
from visibility.models import Answer, EngineConfig
from visibility.writers.quotable import is_advice, is_order, is_quotable, plain_lines, without_label
from visibility.writers.tasks import Material, Subject
from visibility.writers.words import content_words, name_pattern, wording_key

MAX_ANSWERS = 60
MAX_ANSWER = 20_000
"""Characters of an answer that are read."""
MOST = {"brand": 4, "rival": 1, "anyone": 2}
"""Passages for each criterion."""
MAX_REPEATED = 0.6
"""Share of a sentence's words that another may have."""
USUAL_WORDS = range(8, 31)
"""Words of a sentence that says something and can still be quoted."""
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class _Said:
    text: str
    about: str
    of: str
    answer: Answer

    @property
    def rank(self) -> tuple[bool, bool]:
        """What says most first: a figure, a whole sentence."""
        return (not _FIGURE.search(self.text), len(self.text.split()) not in USUAL_WORDS)


def said_by_answers(
    brand: Brand, subject: Subject, criteria: Sequence[Criterion], prompts: Collection[UUID]
) -> Iterator[Material]:
    """Sentences of answers to these prompts, those that say most first; each once, by the criterion it speaks of.

    A sentence that names the brand is of the brand, whoever else it names; one that names several competitors is
    nobody's.
    """
    rows = answers_of(read_basis(brand.pk).engines).filter(
        prompt__in=prompts, state=Answer.State.ANSWERED, refused=False
    )
    answers = list(rows.select_related("version").order_by("sample", "position", "pk")[:MAX_ANSWERS])
    labels = {config.name: str(config) for config in EngineConfig.objects.all()}
    chosen: dict[tuple[str, str], list[_Said]] = defaultdict(list)
    for said in sorted(_sentences(answers, subject, criteria), key=lambda said: said.rank):
        kind = "anyone" if not said.of else "brand" if said.of == subject.name else "rival"
        group = chosen[said.about, said.of]
        if len(group) < MOST[kind] and (said.about or kind == "brand") and not _is_repeated(said, group):
            group.append(said)
    for group in chosen.values():
        for said in group:
            engine = labels.get(said.answer.engine) or one_line(said.answer.engine).replace("_", " ")
            yield Material(
                "",
                said.text,
                _origin(engine, said.answer),
                answer=str(said.answer.pk),
                said_by=engine,
                about=said.about,
                of=said.of,
            )


def _is_repeated(said: _Said, group: Sequence[_Said]) -> bool:
    """Whether most of what a sentence says was said."""
    words = content_words(said.text)
    return any(len(words & content_words(other.text)) >= MAX_REPEATED * len(words) for other in group)


def _sentences(answers: Iterable[Answer], subject: Subject, criteria: Sequence[Criterion]) -> Iterator[_Said]:
    terms = {one_line(row.label): _terms(row) for row in criteria}
    names = {
        subject.name: [name_pattern(name.casefold()) for name in (subject.name, *subject.names)],
        **{rival: [name_pattern(rival.casefold())] for rival in subject.rivals},
    }
    labels = [name for row in criteria for name in _spellings(row)]
    known: set[frozenset[str]] = set()
    for answer in answers:
        for line in plain_lines(answer.text[:MAX_ANSWER]):
            for start, end in sentence_spans(line):
                text = without_label(one_line(line[start:end]), labels)
                key = wording_key(text)
                if is_quotable(text) and key not in known:
                    known.add(key)
                    of = _of(text, names, subject.name)
                    if of is not None:
                        yield _Said(text, _about(text, terms), of, answer)


def _of(text: str, names: Mapping[str, Sequence[re.Pattern[str]]], brand: str) -> str | None:
    """Whom a sentence speaks of: the brand, a competitor, nobody (empty); None where that cannot be told.

    It speaks of who is named in its first half, and before its colon where it has one.
    """
    folded = text.casefold()
    places = {
        name: min((match.start() for pattern in patterns if (match := pattern.search(folded))), default=None)
        for name, patterns in names.items()
    }
    named = {name: place for name, place in places.items() if place is not None}
    if not named:
        return "" if is_advice(text) else None
    subject = brand if brand in named else next(iter(named))
    end = text.find(": ") if ": " in text else len(text) // 2
    return subject if (subject == brand or len(named) == 1) and named[subject] < end else None


def _about(text: str, terms: Mapping[str, re.Pattern[str]]) -> str:
    """The criterion that a sentence speaks of: the one of its longest term, the weightiest of these; or none."""
    longest = {label: max(map(len, pattern.findall(text)), default=0) for label, pattern in terms.items()}
    best = max(longest.values(), default=0)
    return next((label for label, length in longest.items() if length == best), "") if best else ""


def _spellings(criterion: Criterion) -> Sequence[str]:
    return (criterion.label, *criterion.terms)


def _terms(criterion: Criterion) -> re.Pattern[str]:
    words = sorted({re.escape(one_line(term)) for term in _spellings(criterion)}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)


def _origin(engine: str, answer: Answer) -> str:
    """On which day it was said, to which question; a question that tells a writer what to do is not repeated."""
    question = one_line(answer.version.text)
    day = f", {date_format(answer.answered_at)}" if answer.answered_at else ""
    return f"{engine}{day}" + ("" if is_order(question) else f": “{question}”")
