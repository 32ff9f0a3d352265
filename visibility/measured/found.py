"""Reads what the answers of now show: answers, mentions and citations in one statement, without their texts."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import BigIntegerField, F, Min, TextField, UUIDField, Value
from django.db.models.functions import Cast

from apikeys.db.snapshot import remembered
from brands.models import Brand
from visibility.detection.detector import named_in
from visibility.detection.types import BRAND, SourceClass
from visibility.measured.basis import Basis, EngineDay
from visibility.measured.facts import AnswerFacts, BrandFacts, CitedPage, PromptFacts
from visibility.measured.generations import rival_names, tracked_names_of
from visibility.measured.reading import answers_of
from visibility.measured.topics import Wording, read_topics
from visibility.models import Answer, Citation, Mention, PromptVersion

_ANSWER, _MENTION, _CITATION = range(3)
_COLUMNS = ("part", "answer", "subject", "number", "place", "first", "second", "third", "fourth")
_NO_ID = Cast(Value(None), UUIDField())
_NO_NUMBER = Cast(Value(None), BigIntegerField())
_NO_TEXT = Value("", output_field=TextField())


class _Row(NamedTuple):
    """An answer (its prompt, wording and engine), the first mention of a subject in one (its offset), or a citation
    (its place, and the fields of a `CitedPage`)."""

    part: int
    answer: UUID
    subject: UUID | None
    number: int
    place: int | None
    first: str
    second: str
    third: str
    fourth: str


@dataclass(frozen=True, slots=True)
class Found:
    """What answers show, in the order of their ids, and by answer the pages that it cites, in its order; `versions`
    are the wordings that the answers answer."""

    answers: Sequence[AnswerFacts]
    cited: Mapping[UUID, Sequence[CitedPage]]
    versions: frozenset[int]

    def of(self, engines: Iterable[EngineDay]) -> Sequence[AnswerFacts]:
        """The answers of these engines."""
        names = {engine_day.engine for engine_day in engines}
        return [answer for answer in self.answers if answer.engine in names]


def read_found(engines: Iterable[EngineDay]) -> Found:
    """What each of these engines' answers of its day shows."""
    return _read(tuple(engines))


@remembered
def _read(engines: tuple[EngineDay, ...]) -> Found:
    days = {engine_day.engine: engine_day.day for engine_day in engines}
    rows: dict[int, list[_Row]] = {_ANSWER: [], _MENTION: [], _CITATION: []}
    for row in map(_Row._make, _rows(engines)):
        rows[row.part].append(row)
    cited = _cited(rows[_CITATION])
    rivals: dict[UUID, dict[UUID, int]] = defaultdict(dict)
    names_brand = set()
    for mention in rows[_MENTION]:
        if mention.subject is None:
            names_brand.add(mention.answer)
        else:
            rivals[mention.answer][mention.subject] = mention.number
    answers = [
        _of_pages(
            AnswerFacts(
                id=row.answer,
                prompt=row.subject,
                engine=row.first,
                brand_named=row.answer in names_brand,
                rivals=rivals.get(row.answer, {}),
                day=days[row.first],
            ),
            cited.get(row.answer, ()),
        )
        for row in sorted(rows[_ANSWER], key=lambda row: row.answer.int)
        if row.subject is not None
    ]
    return Found(answers, cited, frozenset(row.number for row in rows[_ANSWER]))


def _of_pages(answer: AnswerFacts, pages: Sequence[CitedPage]) -> AnswerFacts:
    domains = frozenset(page.domain for page in pages if page.owner == Citation.Owner.OTHER)
    cites_brand = any(page.owner == Citation.Owner.OWN for page in pages)
    return replace(answer, domains=domains, cites_brand=cites_brand) if pages else answer


def _cited(rows: Iterable[_Row]) -> Mapping[UUID, Sequence[CitedPage]]:
    known: dict[tuple[str, str, str, str], CitedPage] = {}
    pages: dict[UUID, list[CitedPage]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row.place or 0, row.number)):
        fields = (row.first, row.second, row.third, row.fourth)
        if fields not in known:
            known[fields] = CitedPage(row.first, row.second, SourceClass(row.third), row.fourth)
        pages[row.answer].append(known[fields])
    return pages


def _rows(engines: Iterable[EngineDay]) -> Iterable[tuple[Any, ...]]:
    """One statement. The citations come first, as their columns give the types."""
    answers = answers_of(engines).filter(state=Answer.State.ANSWERED)
    ids = answers.values("pk")
    mentions = Mention.objects.filter(answer__in=ids).visible().values("answer_id", "competitor_id")
    parts = _part(
        Citation.objects.filter(answer__in=ids),
        _CITATION,
        answer=F("answer_id"),
        subject=_NO_ID,
        number=F("pk"),
        place=F("position"),
        first=F("url_digest"),
        second=F("domain"),
        third=F("cls"),
        fourth=F("owner"),
    ).union(
        _part(answers, _ANSWER, answer=F("pk"), subject=F("prompt_id"), number=F("version_id"), first=F("engine")),
        _part(mentions, _MENTION, answer=F("answer_id"), subject=F("competitor_id"), number=Min("start")),
        all=True,
    )
    rows: Iterable[tuple[Any, ...]] = parts
    return rows


def _part(rows: Any, part: int, **columns: Any) -> Any:
    missing = dict.fromkeys(_COLUMNS, _NO_TEXT) | {"subject": _NO_ID, "number": _NO_NUMBER, "place": _NO_NUMBER}
    every = {**missing, **columns, "part": Value(part)}
    named = {f"found_{name}": every[name] for name in _COLUMNS}
    return rows.order_by().annotate(**named).values_list(*named)


@remembered
def read_brand_facts(brand: Brand, basis: Basis) -> BrandFacts:
    """The names of the brand, its competitors and the questions that are answered now. Not before the first
    measured day."""
    return facts_of(brand, basis, read_found(basis.engines))


def facts_of(brand: Brand, basis: Basis, findings: Found) -> BrandFacts:
    """As `read_brand_facts`, where what all engines' answers show is known already."""
    topics = read_topics(brand.pk)
    dictionary = tracked_names_of(brand).dictionary
    wordings = _wordings(findings.versions, topics.versions)
    prompts = {
        prompt: _prompt_facts(wording, topics.key_of.get(prompt, str(prompt)), named_in(wording.text, dictionary))
        for prompt, wording in wordings.items()
    }
    days = {engine_day.engine: engine_day.day for engine_day in basis.engines}
    return BrandFacts(
        brand.name, brand.domain, rival_names(brand.pk), prompts, max(days.values()), days, topics.names
    )


def _wordings(wording_ids: Collection[int], known: Mapping[int, Wording]) -> dict[UUID, Wording]:
    """The latest wording of each prompt that was asked."""
    versions = [known[version] for version in wording_ids if version in known]
    if unknown := [
        version for version in wording_ids if version not in known
    ]:  # of prompts that nobody keeps any more
        fields = ("prompt_id", "number", "text", "prompt__stage", "prompt__intent")
        others = PromptVersion.objects.filter(pk__in=unknown).order_by()
        versions += [Wording(*row) for row in others.values_list(*fields)]
    return {version.prompt: version for version in sorted(versions, key=lambda version: version.number)}


def _prompt_facts(wording: Wording, topic: str, named: frozenset[str]) -> PromptFacts:
    return PromptFacts(
        id=wording.prompt,
        text=wording.text,
        stage=wording.stage,
        intent=wording.intent,
        topic=topic,
        branded=BRAND in named,
        named=frozenset(UUID(subject) for subject in named if subject != BRAND),
    )
