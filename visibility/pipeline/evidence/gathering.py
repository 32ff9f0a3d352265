"""Reads what evidence is found in: the answers of now, the pages of the latest audit, the reviews; never too many."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from uuid import UUID

from django.db.models.functions import Length

from brands.models import Brand
from visibility.audit.page import ParsedPage
from visibility.detection.detector import named_in
from visibility.detection.types import BRAND
from visibility.evidence.buying import is_buying
from visibility.evidence.types import AnswerText, ReviewText
from visibility.measured.audits import finished_audits, read_pages
from visibility.measured.basis import EngineDay
from visibility.measured.generations import tracked_names_of
from visibility.measured.names import TrackedNames
from visibility.measured.reading import answers_of, read_basis
from visibility.measured.sample_rows import AT_ONCE
from visibility.models import Answer, Mention, Review, Run

MAX_ANSWER = 100_000
"""Characters of one answer that are read."""
MAX_CHARACTERS = 20_000_000
"""Characters of all answers together: each prompt's first answers of each engine come first."""
MAX_REVIEWS = 20_000
"""The newest."""

_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Gathered:
    """What is there to be read of one brand. `names` are those of the brand itself, `all_names` those of all that is
    tracked; `read_on` is the day on which the pages were read."""

    names: Sequence[str]
    all_names: Sequence[str]
    answers: Sequence[AnswerText]
    pages: Sequence[ParsedPage]
    read_on: date | None
    reviews: Sequence[ReviewText]

    @property
    def buying(self) -> list[AnswerText]:
        """The answers to unbranded questions of those who choose or buy."""
        return [answer for answer in self.answers if answer.buying]

    @property
    def naming(self) -> list[AnswerText]:
        """The answers that name the brand."""
        return [answer for answer in self.answers if answer.named.get(BRAND)]


def gather(brand: Brand) -> Gathered:
    """All that evidence of the brand is found in, in a fixed number of statements for a thousand answers."""
    tracked = tracked_names_of(brand)
    names = tracked.vocabulary.names
    pages, read_on = _pages(brand)
    return Gathered(
        names=[name.text for name in names if name.subject == BRAND],
        all_names=[name.text for name in names],
        answers=_answers(brand, tracked),
        pages=pages,
        read_on=read_on,
        reviews=_reviews(brand),
    )


def _answers(brand: Brand, tracked: TrackedNames) -> list[AnswerText]:
    """The answers of the engines of now that findings rest on, with the questions as they were asked."""
    engines = read_basis(brand.pk).compared
    chosen = _chosen(engines)
    days = {engine_day.engine: engine_day.day for engine_day in engines}
    branded: dict[str, bool] = {}
    texts: list[AnswerText] = []
    for start in range(0, len(chosen), AT_ONCE):
        ids = chosen[start : start + AT_ONCE]
        spans = _spans(tracked, ids)
        rows = Answer.objects.filter(pk__in=ids).select_related("prompt", "version").order_by("position", "pk")
        for row in rows.only("engine", "text", "position", "prompt", "version"):
            question = row.version.text
            if question not in branded:
                branded[question] = BRAND in named_in(question, tracked.dictionary)
            prompt = row.prompt
            texts.append(
                AnswerText(
                    id=str(row.pk),
                    engine=row.engine,
                    prompt=str(prompt.pk),
                    topic=prompt.topic or str(prompt.pk),
                    question=question,
                    text=row.text[:MAX_ANSWER],
                    named=spans.get(row.pk, {}),
                    branded=branded[question],
                    buying=not branded[question] and is_buying(question, prompt.intent, prompt.stage),
                    day=days[row.engine],
                )
            )
    return texts


def _chosen(engines: Sequence[EngineDay]) -> list[UUID]:
    """The answers that are read, as many as the bound lets in."""
    answers = answers_of(engines).filter(state=Answer.State.ANSWERED, refused=False)
    lengths = answers.order_by("sample", "position", "pk").values_list("pk", Length("text"))
    chosen, total = [], 0
    for answer, length in lengths.iterator():
        total += min(length, MAX_ANSWER)
        if total > MAX_CHARACTERS:
            break
        chosen.append(answer)
    return chosen


def _spans(tracked: TrackedNames, answers: Sequence[UUID]) -> Mapping[UUID, Mapping[str, Sequence[_Span]]]:
    """By answer: where each subject is visibly mentioned."""
    spans: dict[UUID, dict[str, list[_Span]]] = defaultdict(lambda: defaultdict(list))
    mentions = Mention.of_all_generations.visible().filter(generation=tracked.generation, answer__in=answers)
    rows = mentions.order_by("answer", "start").values_list("answer_id", "competitor_id", "start", "end")
    for answer, competitor, start, end in rows.iterator():
        if start < MAX_ANSWER:
            spans[answer][str(competitor) if competitor else BRAND].append((start, end))
    return spans


def _pages(brand: Brand) -> tuple[list[ParsedPage], date | None]:
    """The pages that the latest finished audit read, in the order of its crawl, and its day."""
    audit = finished_audits(Run.objects.filter(brand=brand)).first()
    if audit is None:
        return [], None
    return read_pages(audit), (audit.finished_at or audit.created_at).date()


def _reviews(brand: Brand) -> list[ReviewText]:
    """The reviews that were imported, the newest first."""
    rows = Review.objects.filter(brand=brand).order_by("-pk")
    fields = ("key", "text", "stars", "day", "url", "title")
    return [ReviewText(*row) for row in islice(rows.values_list(*fields).iterator(), MAX_REVIEWS)]
