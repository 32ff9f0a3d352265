"""What recommendations are made of: the answers of now, what readers found in them, and the audit; read once."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from brands.models import Brand, Cadence
from brands.names import names_of
from visibility.audit import in_a_row, say
from visibility.audits.resources import AuditFindingResource
from visibility.audits.words import days_between
from visibility.counts.reader import Selection, select_now
from visibility.counts.rows import CountRow
from visibility.counts.untracked import by_answer, company_by_name, untracked_sums
from visibility.counts.words import engine_name
from visibility.detection import SourceClass
from visibility.models import (
    Citation,
    CitedPage,
    DailyScore,
    Mention,
    PromptVersion,
    Run,
    Topic,
    UntrackedName,
)
from visibility.models.reading import Facet
from visibility.reading.reads import Finding, findings_of
from visibility.recommendations.similar_names import SimilarName, similar_name_of

Subject = UUID | str | None
"""A competitor's id; the name of a company that nobody tracks; None: the brand."""
OFTEN_MEASURED = 5
"""Measured days of the last 30. A brand that has more is tested so often that each test has to be stricter."""
LEAST_COUNTED = 0.8
"""The part of the answers with the brand's name, or one like it, that has to count before absence is claimed."""
LEAST_OF_FIELD = 0.1
"""The part of a topic's answers up to which it is not likely the brand's own."""
LEAST_OFFERED = 0.75
"""Who is offered in a smaller part of the answers that mention it is often mentioned as something else."""


class Cited(NamedTuple):
    """A page that an answer cites; `owner` is the competitor whose page it is, None for the brand's own, and "" where
    it is of neither."""

    url: str
    digest: bytes
    domain: str
    title: str
    source_class: str
    owner: Subject


@dataclass(slots=True, eq=False)
class Seen:
    """One answer: whom it names with which stance, what it offers in which order, and what it cites. `asks_for`: whom
    its question itself names; `first`: the tracked names, mostly one, that it mentions before all others."""

    pk: int
    prompt: UUID
    version: int
    topic: UUID
    engine: str
    day: date
    asks_for: frozenset[Subject] = frozenset()
    stances: dict[Subject, set[str]] = field(default_factory=lambda: defaultdict(set))
    quotes: dict[Subject, tuple[int, int]] = field(default_factory=dict)
    ranks: dict[Subject, int] = field(default_factory=dict)
    first: frozenset[UUID | None] = frozenset()
    untracked: frozenset[str] = frozenset()
    similar: tuple[int, int] | None = None
    """Where it does not count as naming the brand: the place of a name that may be the brand's."""
    cited: list[Cited] = field(default_factory=list)

    def names(self, subject: Subject) -> bool:
        """Whether it names somebody."""
        return subject in self.untracked if isinstance(subject, str) else subject in self.stances

    def names_first(self, subject: Subject) -> bool:
        """Whether it names somebody before all others who are tracked."""
        return subject in self.first

    @property
    def may_name_brand(self) -> bool:
        """Whether it names the brand, or a name that may be the brand's."""
        return self.names(None) or self.similar is not None

    @property
    def offers_nobody(self) -> bool:
        """Whether it names no brand at all, as one that only asks back."""
        return not self.stances and not self.untracked

    def cites(self, digest: bytes) -> bool:
        """Whether it cites a page."""
        return any(page.digest == digest for page in self.cited)


@dataclass(frozen=True)
class Audited:
    """The newest audit that was measured: its findings, the worst first, and whether it read as many pages as the one
    before."""

    run: Run
    findings: Sequence[AuditFindingResource]
    is_whole: bool


@dataclass(frozen=True, eq=False)
class Facts:
    """What is known of a brand. `answers` are those of the window, without prompts that name the brand."""

    brand: Brand
    scored: Selection
    answers: Sequence[Seen]
    competitors: Mapping[UUID, str]
    topics: Mapping[UUID, Topic]
    findings: Sequence[Finding] = ()
    similar: SimilarName | None = None
    audited: Audited | None = None

    @cached_property
    def is_unsure(self) -> bool:
        """Whether so many answers have a name that may be the brand's that it is not sure which ones lack the
        brand."""
        number = sum(each.similar is not None for each in self.answers)
        return number > (1 - LEAST_COUNTED) * sum(each.may_name_brand for each in self.answers)

    @cached_property
    def by_topic(self) -> Mapping[UUID, list[Seen]]:
        """The answers on each topic."""
        return grouped(self.answers, "topic")

    @cached_property
    def by_engine(self) -> Mapping[str, list[Seen]]:
        """The answers of each engine."""
        return grouped(self.answers, "engine")

    @cached_property
    def field(self) -> Mapping[UUID, list[Seen]]:
        """The topics of the brand's field: its own, and undecided ones on which more than a tenth of the answers name
        it; all topics where there are none of these."""
        return {topic: rows for topic, rows in self.by_topic.items() if not self._is_foreign(topic)} or self.by_topic

    def is_doubtful(self, topic: UUID) -> bool:
        """Whether nobody has decided that a topic is the brand's own, and at most a tenth of its answers name it."""
        return self._is_foreign(topic) and bool(self.by_topic.get(topic))

    def _is_foreign(self, topic: UUID) -> bool:
        rows = self.by_topic.get(topic, [])
        return not self.topics[topic].own and sum(each.may_name_brand for each in rows) <= LEAST_OF_FIELD * len(rows)

    @cached_property
    def level(self) -> float:
        """The chance of a false alarm that one look may take."""
        last = DailyScore.objects.of_brand(self.brand).exclude(date=None).order_by("-date").first()
        since = last.date - timedelta(days=30) if last and last.date else None
        days = DailyScore.objects.of_brand(self.brand).filter(date__gt=since).count() if since else 0
        return 0.01 if self.brand.cadence == Cadence.DAILY or days > OFTEN_MEASURED else 0.05

    @cached_property
    def domains_of_untracked(self) -> frozenset[str]:
        """The domains that bear the name of something that answers offer: makers and shops, no editors."""
        names = UntrackedName.objects.filter(answer__in=[each.pk for each in self.answers]).exclude(domain="")
        return frozenset(names.values_list("domain", flat=True))

    @cached_property
    def untracked(self) -> Sequence[CountRow]:
        """By topic the companies that answers offer and nobody tracks."""
        rows = self.scored.rows("subject", "topic", untracked=untracked_sums(self.scored))
        return [row for row in rows if not row.tracked and row.ranked]

    @cached_property
    def pages_read(self) -> Mapping[bytes, CitedPage]:
        """The pages of others that were read, by digest."""
        return {bytes(page.digest): page for page in CitedPage.objects.filter(brand=self.brand)}

    def name(self, subject: Subject) -> str:
        """The name of the brand, a competitor, or somebody who is not tracked."""
        if isinstance(subject, str):
            return subject
        return self.brand.name if subject is None else self.competitors[subject]

    def named_first(self, answers: Iterable[Seen]) -> Counter[str]:
        """How many of these answers name each competitor before all others who are tracked."""
        firsts = Counter(rival for each in answers for rival in each.first if rival is not None)
        return Counter(dict(sorted((self.name(each), number) for each, number in firsts.items())))

    def found(self, *facets: Facet, subject: Subject = None, topics: Collection[UUID | None] = ()) -> list[Finding]:
        """What readers found of a subject under these facets, on these topics or all, where enough answers say it;
        the most answers first. Reviews are apart: their topic is None."""
        return [
            each
            for each in self.findings
            if each.facet in facets
            and each.subject == subject
            and each.is_telling
            and (each.topic in topics if topics else each.topic is not None)
        ]


def grouped(answers: Iterable[Seen], column: str) -> dict[Any, list[Seen]]:
    """Answers by a column of theirs."""
    groups: dict[Any, list[Seen]] = defaultdict(list)
    for answer in answers:
        groups[getattr(answer, column)].append(answer)
    return groups


def naming(answers: Iterable[Seen], subject: Subject) -> list[Seen]:
    """The answers that name somebody."""
    return [answer for answer in answers if answer.names(subject)]


def is_offered(answers: Iterable[Seen], subject: Subject) -> bool:
    """Whether answers that name a brand offer it as a choice in most cases, and do not mean a part or a shop."""
    if isinstance(subject, str):
        return True
    named = naming(answers, subject)
    return sum(subject in each.ranks for each in named) >= LEAST_OFFERED * len(named)


def questions_of(answers: Iterable[Seen]) -> dict[int, str]:
    """The questions of answers, by prompt version."""
    versions = {answer.version for answer in answers}
    return dict(PromptVersion.objects.filter(pk__in=versions).order_by("pk").values_list("pk", "text"))


def days_of(answers: Collection[Seen]) -> str:
    """The days of answers, by engine where these were not asked at the same time: "24 May 2025"."""
    days = {engine: sorted({row.day for row in rows}) for engine, rows in grouped(answers, "engine").items()}
    first, last = min(each[0] for each in days.values()), max(each[-1] for each in days.values())
    if max(each[0] for each in days.values()) <= min(each[-1] for each in days.values()):
        return days_between(first, last)
    of_engine = ((engine_name(engine), days_between(each[0], each[-1])) for engine, each in sorted(days.items()))
    return in_a_row(*(say("{engine} {days}", engine=name, days=each) for name, each in of_engine), sign=", ")


def next_answers(answers: Iterable[Seen]) -> int:
    """How many such answers two scans like the last bring: twice those of each engine's newest day."""
    return 2 * sum(
        sum(each.day == max(row.day for row in rows) for each in rows) for rows in grouped(answers, "engine").values()
    )


def gather(brand: Brand) -> Facts:
    """Read what is known of a brand: some fifteen statements, whatever its size."""
    scored = select_now(brand).scored
    answers = _answers(scored)
    _add_mentions(answers)
    _add_untracked(scored, answers)
    _add_citations(answers)
    topics = {pk: each.topic for pk, each in answers.items()}
    lacking = [pk for pk, answer in answers.items() if not answer.names(None)]
    similar = similar_name_of(brand, names_of(brand), topics, lacking)
    for pk, place in similar.places.items() if similar else ():
        answers[pk].similar = place
    return Facts(
        brand=brand,
        scored=scored,
        answers=list(answers.values()),
        competitors=dict(brand.competitors.order_by("pk").values_list("pk", "name")),
        topics={topic.pk: topic for topic in Topic.objects.filter(brand=brand)},
        findings=findings_of(brand),
        similar=similar,
        audited=_audited(brand),
    )


def _answers(scored: Selection) -> dict[int, Seen]:
    """The answers of now to questions that do not name the brand, by id."""
    asks_for: dict[int, set[Subject]] = defaultdict(set)
    named = scored.cells.filter(named=True).order_by()
    for version, subject in named.values_list("version", "competitor").distinct():
        asks_for[version].add(subject)
    columns = ("pk", "prompt", "version", "prompt__topic", "engine__name", "day")
    rows = scored.answers.order_by("pk").values_list(*columns)
    return {
        pk: Seen(pk, prompt, version, topic, engine, day, frozenset(asks_for[version]))
        for pk, prompt, version, topic, engine, day in rows
        if None not in asks_for[version]
    }


def _add_mentions(answers: Mapping[int, Seen]) -> None:
    starts: dict[int, int] = {}
    rows = Mention.objects.filter(answer__in=list(answers)).visible().order_by("answer", "start")
    for pk, subject, rank, stance, start, *quote in rows.values_list(
        "answer", "competitor", "rank", "stance", "start", "quote_start", "quote_end"
    ):
        answer = answers[pk]
        if start == starts.setdefault(pk, start):
            answer.first |= {subject}
        answer.stances[subject].add(stance)
        answer.quotes.setdefault(subject, (quote[0], quote[1]))
        if rank:
            answer.ranks.setdefault(subject, rank)


def _add_untracked(scored: Selection, answers: Mapping[int, Seen]) -> None:
    """The companies that nobody tracks among what each answer offers."""
    found = by_answer(UntrackedName.objects.offered().filter(answer__in=list(answers)))
    company_of = company_by_name(scored, found)
    for pk, names in found.items():
        answer = answers[pk]
        places = {
            company_of[each.name]: (each.start, each.end) for each in reversed(names) if each.name in company_of
        }
        answer.untracked = frozenset(places)
        answer.quotes.update(places)


def _add_citations(answers: Mapping[int, Seen]) -> None:
    columns = ("answer", "url", "digest", "domain", "title", "source_class", "competitor", "is_own")
    for pk, url, digest, domain, title, source_class, competitor, is_own in Citation.objects.filter(
        answer__in=list(answers)
    ).values_list(*columns):
        owner: Subject = None if is_own else competitor or ""
        answers[pk].cited.append(Cited(url, bytes(digest), domain, title, SourceClass(source_class), owner))


def _audited(brand: Brand) -> Audited | None:
    audits = Run.objects.measured().filter(brand=brand, kind=Run.Kind.AUDIT).newest()
    run = audits.first()
    if run is None:
        return None
    findings = [AuditFindingResource.model_validate(row.finding) for row in run.findings.order_by("position")]
    before = audits.filter(created_at__lt=run.created_at).first()
    return Audited(run, findings, before is None or run.done >= before.done)
