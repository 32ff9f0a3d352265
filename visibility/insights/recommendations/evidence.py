"""Reads the words that gaps rest on: texts and sources of a few answers for each, all gaps in one statement."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import IntegerField, QuerySet, TextField, Value
from django.db.models.functions import Cast

from apikeys.text.sentences import one_line, shortened
from visibility.insights.recommendations.types import Gap, GapKind
from visibility.insights.recommendations.wording import MAX_QUOTE, EvidenceText, sentence_around
from visibility.measured.facts import AnswerFacts, BrandFacts
from visibility.models import Answer, Citation

MAX_EVIDENCE = 5
MAX_ANSWERS = 3


def read_evidence(gaps: Sequence[Gap], subject: BrandFacts) -> list[list[EvidenceText]]:
    """For each gap at most five pieces: quotes of up to three answers, and sources that those answers cite."""
    answer_by_id = {answer.id: answer for gap in gaps for answer in gap.answers[:MAX_ANSWERS]}
    places = {gap_answer.id: _first_rival(gap_answer, subject) for gap_answer in answer_by_id.values()}
    quotes: dict[UUID, str] = {}
    citations: dict[UUID, list[tuple[str, str, str]]] = defaultdict(list)
    for answer, place, text, title, domain in _rows(places):
        if place is None:
            quotes[answer] = sentence_around(text, places[answer])
        else:
            citations[answer].append((text, title, domain))
    return [_evidence(gap, quotes, citations) for gap in gaps]


def _first_rival(answer: AnswerFacts, subject: BrandFacts) -> int:
    """Where the first competitor is mentioned that the question does not name itself."""
    named = subject.prompts[answer.prompt].named
    return min(start for rival, start in answer.rivals.items() if rival not in named)


def _rows(answers: Iterable[UUID]) -> Iterable[tuple[Any, ...]]:
    """Each answer with its text and no place; then its sources of others with their places, URLs, titles and domains,
    in the order of the answer."""
    ids = list(answers)
    cited = Citation.objects.filter(answer__in=ids, owner=Citation.Owner.OTHER)
    sources: QuerySet[Any, Any] = cited.order_by().values_list("answer_id", "position", "url", "title", "domain")
    nothing = Value("", output_field=TextField())
    texts = Answer.objects.filter(pk__in=ids).annotate(
        place=Cast(Value(None), IntegerField()), no_title=nothing, no_domain=nothing
    )
    whole = texts.order_by().values_list("pk", "place", "text", "no_title", "no_domain")
    return sources.union(whole, all=True).order_by("position").iterator(chunk_size=100)


def _evidence(
    gap: Gap, quotes: Mapping[UUID, str], citations: Mapping[UUID, Sequence[tuple[str, str, str]]]
) -> list[EvidenceText]:
    answers = gap.answers[:MAX_ANSWERS]
    quote_evidence: dict[str, EvidenceText] = {}
    for answer in answers:
        # Repeated answers often say the same; once is enough.
        if text := quotes.get(answer.id):
            quote_evidence.setdefault(text, EvidenceText("answer", text, answer.engine, answer.prompt, answer.id))
    sources: dict[str, EvidenceText] = {}
    for answer in answers:
        for url, title, domain in citations.get(answer.id, ()):
            if gap.kind == GapKind.MENTION or domain == gap.subject:
                text = shortened(one_line(title) or domain, MAX_QUOTE)
                sources.setdefault(url, EvidenceText("citation", text, answer.engine, answer.prompt, answer.id, url))
    return [*quote_evidence.values(), *sources.values()][:MAX_EVIDENCE]
