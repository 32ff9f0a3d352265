"""What recommendations are made of: the answers of now, read once for all kinds."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property, reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Substr

from apikeys.text import marked
from brands.models import Brand, Cadence
from brands.names import BrandNames, names_of
from visibility.counts.reader import Selection, select_now
from visibility.counts.rows import CountRow
from visibility.counts.untracked import by_answer, company_by_name, untracked_sums
from visibility.counts.words import engine_name
from visibility.detection import SourceClass, is_function_word, is_offer, is_plain
from visibility.detection.visible import read
from visibility.evidence.reads import criteria_of
from visibility.evidence.resources import Criterion
from visibility.models import (
    Answer,
    Citation,
    DailyScore,
    Mention,
    PromptVersion,
    Recommendation,
    Topic,
    UntrackedName,
)

Subject = UUID | None
"""A competitor's id; None: the brand."""
OFTEN_MEASURED = 5
"""Measured days of the last 30. A brand that has more is tested so often that each test has to be stricter."""
HARDLY = 0.1
"""The part of a topic's answers up to which it is not likely the brand's own."""
SHORT_QUOTE, LONGEST_QUOTE = 60, 300
BEHIND_NAME = 80
"""Characters behind a name that may name a product and its price."""
LEAST_SIMILAR = 3
"""Answers with one name that may be the brand's, for it to be asked about."""
OFFERED = 0.75
"""Who is offered in a smaller part of the answers that mention it is often mentioned as something else."""
NAME = "name"
"""The kind of recommendation that asks whether a name is the brand's; dismissed: it is not."""
_WORDS = re.compile(r"[^\W\d][\w-]*")
_NEXT_ITEM = re.compile(r"\s*(?:#|-{3}|\W*\d+[.)])")
_SELLING = re.compile(r"\w/(?:products?|collections)/")
"""In the address of a page on which something is sold."""
Place = tuple[UUID, int, str, int]
"""Run, engine, surface and wording of an answer."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A page that an answer cites; `owner` is False where it is neither the brand's nor a competitor's."""

    url: str
    digest: bytes
    domain: str
    title: str
    source_class: str
    owner: Subject | bool


@dataclass(slots=True, eq=False)
class Seen:
    """One answer: whom it names with which stance, and what it cites. `asks_for`: whom its question itself names,
    `offered`: who is among what it offers for choice, and where first."""

    pk: int
    prompt: UUID
    version: int
    topic: UUID
    engine: str
    day: date
    asks_for: frozenset[Subject]
    stances: dict[Subject, set[str]] = field(default_factory=lambda: defaultdict(set))
    places: dict[Subject, tuple[int, int]] = field(default_factory=dict)
    offered: dict[Subject, int] = field(default_factory=dict)
    ranks: dict[Subject, int] = field(default_factory=dict)
    """At which place among all that it offers, 1 the first."""
    named_as: dict[Subject, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    """How whom it offers is named, place by place: the name, and the text behind it."""
    similar: tuple[str, int, int] | None = None
    """Where it does not count as naming the brand: a name that may be the brand's, and its place."""
    first: Subject | bool = False
    """The brand that is its first pick; False: no tracked one."""
    untracked: frozenset[str] = frozenset()
    """The companies that it offers and nobody tracks."""
    first_untracked: tuple[str, int, int] | None = None
    """Without a tracked first pick, the untracked name that it offers first, and its place."""
    cited: list[Cited] = field(default_factory=list)

    def names(self, subject: Subject) -> bool:
        """Whether it names somebody."""
        return subject in self.stances

    @property
    def may_name_brand(self) -> bool:
        """Whether it names the brand, or a name that may be the brand's."""
        return self.names(None) or self.similar is not None

    @property
    def first_place(self) -> tuple[int, int] | None:
        """Where it speaks of its first pick."""
        if not isinstance(self.first, bool):
            return self.places[self.first]
        return self.first_untracked[1:] if self.first_untracked else None

    def puts_first(self, subject: Subject) -> bool:
        """Whether somebody is its first pick."""
        return self.first == subject

    @property
    def names_nobody(self) -> bool:
        """Whether it offers no brand at all, as one that only asks back."""
        return not self.stances and not self.untracked

    def cites(self, digest: bytes) -> bool:
        """Whether it cites a page."""
        return any(page.digest == digest for page in self.cited)


@dataclass(frozen=True)
class Material:
    """What is known of a brand. `answers` are those of the window, without prompts that name the brand."""

    brand: Brand
    scored: Selection
    answers: Sequence[Seen]
    competitors: Mapping[UUID, str]
    topics: Mapping[UUID, Topic]
    engines: frozenset[str]
    """Whose answers count."""
    names: Sequence[str] = ()
    """By which the brand is counted."""
    called: Mapping[str, str] = field(default_factory=dict)
    """By company that nobody tracks, the name that answers offer most of it."""
    similar: str = ""
    """The name that may be the brand's ("Google Nest", "Ekrin") and that nobody has decided about."""

    @cached_property
    def is_unsure(self) -> bool:
        """Whether so many answers have that name that it is not sure which ones lack the brand."""
        number = sum(each.similar is not None for each in self.answers)
        return number > (1 - OFFERED) * sum(each.may_name_brand for each in self.answers)

    @cached_property
    def criteria(self) -> list[Criterion]:
        """What buyers judge by in the brand's field."""
        return [each for each in criteria_of(self.brand) if each.topic_id in self.field]

    @cached_property
    def by_topic(self) -> Mapping[UUID, list[Seen]]:
        """The answers on each topic."""
        return _grouped(self.answers, "topic")

    @cached_property
    def field(self) -> Mapping[UUID, list[Seen]]:
        """The topics of the brand's field: its own, and undecided ones on which more than a tenth of the answers name
        it; all topics where there are none of these."""
        found = {
            topic: rows
            for topic, rows in self.by_topic.items()
            if self.topics[topic].own or sum(each.may_name_brand for each in rows) > HARDLY * len(rows)
        }
        return found or self.by_topic

    @cached_property
    def by_engine(self) -> Mapping[str, list[Seen]]:
        """The answers of each engine."""
        return _grouped(self.answers, "engine")

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

    def topic_name(self, topic: UUID) -> str:
        """A topic's name between marks: it may have been written by others."""
        return marked(self.topics[topic].name)

    def name(self, subject: Subject) -> str:
        """The name of the brand or a competitor."""
        return self.brand.name if subject is None else self.competitors[subject]

    def first_name(self, answer: Seen) -> str:
        """The name of an answer's first pick, tracked or not; "" for none."""
        if not isinstance(answer.first, bool):
            return self.name(answer.first)
        return marked(answer.first_untracked[0]) if answer.first_untracked else ""

    def quotes(self, answers: Sequence[Seen], subject: Subject, most: int = 3) -> list[dict[str, object]]:
        """Evidence: what some of these answers say of somebody, of other engines and prompts first."""
        return quotes_at({each: each.places[subject] for each in answers if subject in each.places}, most)


def is_offered(answers: Iterable[Seen], subject: Subject) -> bool:
    """Whether answers that name a brand mostly offer it as a choice, and do not mean a part or a shop."""
    named = naming(answers, subject)
    return sum(subject in each.offered for each in named) >= OFFERED * len(named)


def naming(answers: Iterable[Seen], subject: Subject) -> list[Seen]:
    """The answers that name somebody."""
    return [answer for answer in answers if answer.names(subject)]


def quotes_at(places: Mapping[Seen, tuple[int, int]], most: int = 3) -> list[dict[str, object]]:
    """Evidence: the texts at these places of some of these answers."""
    chosen = spread([*places], most)
    texts = dict(Answer.objects.filter(pk__in=[each.pk for each in chosen]).values_list("pk", "text"))
    return [
        {
            "kind": "answer",
            "text": _quoted(texts[each.pk], *places[each]),
            "engine": each.engine,
            "promptId": str(each.prompt),
            "answerId": each.pk,
        }
        for each in chosen
        if each.pk in texts
    ]


def questions_of(answers: Iterable[Seen]) -> dict[int, str]:
    """The questions of answers, by prompt version."""
    versions = {answer.version for answer in answers}
    return dict(PromptVersion.objects.filter(pk__in=versions).order_by("pk").values_list("pk", "text"))


def words_asked(answers: Iterable[Seen]) -> set[str]:
    """The words of the questions of answers, in small letters."""
    return {word.casefold() for text in questions_of(answers).values() for word in _WORDS.findall(text)}


def asked(answers: Iterable[Seen]) -> list[str]:
    """The same, between marks."""
    return [marked(text) for text in questions_of(answers).values()]


def spread(answers: Sequence[Seen], most: int) -> list[Seen]:
    """Some of these answers, of other engines and prompts first, the newest of each."""
    number: dict[object, int] = defaultdict(int)
    ranked = []
    for answer in sorted(answers, key=lambda each: (-each.day.toordinal(), each.pk)):
        ranked.append((number[answer.engine, answer.prompt], number[answer.engine], answer))
        number[answer.engine, answer.prompt] += 1
        number[answer.engine] += 1
    return [answer for *_, answer in sorted(ranked, key=lambda each: each[:2])][:most]


def _quoted(text: str, start: int, end: int) -> str:
    """What an answer says at a place; a bare name goes on to the end of its paragraph, or of the next one if that is
    about it."""
    if end - start < SHORT_QUOTE:
        end += len(text[end:].partition("\n\n")[0])
    if end - start < SHORT_QUOTE and not _NEXT_ITEM.match(text, end):
        end += 2 + len(text[end + 2 :].partition("\n\n")[0])
    return " ".join(read(text[start:end]).text.replace("\0", " ").split())[:LONGEST_QUOTE]


def days_of(answers: Collection[Seen]) -> str:
    """The days of answers, by engine where these were not asked at the same time: "24 May 2025"."""
    days = {engine: sorted({row.day for row in rows}) for engine, rows in _grouped(answers, "engine").items()}
    first, last = min(each[0] for each in days.values()), max(each[-1] for each in days.values())
    if max(each[0] for each in days.values()) <= min(each[-1] for each in days.values()):
        return _span(first, last)
    return ", ".join(f"{engine_name(engine)} {_span(each[0], each[-1])}" for engine, each in sorted(days.items()))


def gather(brand: Brand) -> Material:
    """Read what is known of a brand: some ten statements, whatever its size."""
    scored = select_now(brand).scored
    cells = scored.cells
    own = cells.filter(competitor=None, answers__gt=0).order_by()
    columns = ("run", "engine", "surface", "version", "engine__name", "version__prompt", "version__prompt__topic")
    places = {row[:4]: row[4:] for row in own.values_list(*columns)}
    asks_for: dict[int, set[Subject]] = defaultdict(set)
    for version, subject in cells.filter(named=True).order_by().values_list("version", "competitor").distinct():
        asks_for[version].add(subject)
    runs = {place[0] for place in places}
    answers: dict[int, Seen] = {}
    rows = Answer.objects.answered().filter(run__in=runs).order_by("pk")
    for pk, day, *place in rows.values_list("pk", "day", "run", "engine", "surface", "version"):
        if (found := places.get(tuple(place))) and None not in asks_for[place[3]]:
            named = frozenset(asks_for[place[3]])
            answers[pk] = Seen(pk, found[1], place[3], found[2], found[0], day, named)
    _add_mentions(answers, runs)
    called = _add_untracked_firsts(scored, answers)
    _add_citations(answers, runs)
    names = names_of(brand)
    similar = _add_similar_names(brand, names, answers)
    return Material(
        brand=brand,
        scored=scored,
        answers=list(answers.values()),
        competitors=dict(brand.competitors.order_by("pk").values_list("pk", "name")),
        topics={topic.pk: topic for topic in Topic.objects.filter(brand=brand)},
        engines=frozenset(name for name, _ in scored.engines),
        names=[name.text for name in names.brand.names],
        called=called,
        similar=similar,
    )


def _add_mentions(answers: Mapping[int, Seen], runs: Collection[UUID]) -> None:
    mentions = (
        Mention.objects.filter(answer__run__in=runs)
        .visible()
        .annotate(text=Substr("answer__text", F("start") + 1, F("end") - F("start") + BEHIND_NAME))
        .order_by("answer", "start")
    )
    for pk, subject, rank, stance, start, end, text, *quote in mentions.values_list(
        "answer", "competitor", "rank", "stance", "start", "end", "text", "quote_start", "quote_end"
    ):
        if answer := answers.get(pk):
            answer.first = subject if rank == 1 else answer.first
            answer.stances[subject].add(stance)
            if rank:
                answer.offered.setdefault(subject, start)
                answer.ranks.setdefault(subject, rank)
                answer.named_as[subject].append((text[: end - start], text[end - start :]))
            answer.places.setdefault(subject, (quote[0], quote[1]))


def _add_untracked_firsts(scored: Selection, answers: Mapping[int, Seen]) -> dict[str, str]:
    """Returns by company that nobody tracks the name that answers offer most of it."""
    found = by_answer(UntrackedName.objects.offered().filter(answer__in=list(answers)))
    company_of = company_by_name(scored, found)
    for pk, (first, *others) in found.items():
        answer = answers[pk]
        answer.untracked = frozenset(company_of[each.name] for each in (first, *others) if each.name in company_of)
        if answer.first is False and all(first.start < start for start in answer.offered.values()):
            company = company_of.get(first.name)
            answer.first_untracked = (company, first.start, first.end) if company else None
    return {company: name for name, company in reversed(company_of.items())}


def _add_citations(answers: Mapping[int, Seen], runs: Collection[UUID]) -> None:
    columns = ("answer", "url", "digest", "domain", "title", "source_class", "competitor", "is_own")
    for pk, url, digest, domain, title, source_class, competitor, is_own in Citation.objects.filter(
        answer__run__in=runs
    ).values_list(*columns):
        if answer := answers.get(pk):
            owner: Subject | bool = None if is_own else competitor or False
            is_product = source_class == SourceClass.OTHER and _SELLING.search(url)
            kind = SourceClass.SHOP if is_product else SourceClass(source_class)
            answer.cited.append(Cited(url, bytes(digest), domain, title, kind, owner))


def _add_similar_names(brand: Brand, names: BrandNames, answers: Mapping[int, Seen]) -> str:
    """The most frequent name in answers that do not count as naming the brand and may be its: with a capitalised
    word before it ("Google Nest"), or its first word alone of something on offer ("Ekrin"). Empty where it is rare or
    dismissed."""
    lacking = [each.pk for each in answers.values() if not each.names(None)]
    written = Q()
    for form in (*(f" {name.text}" for name in names.brand.names), *_short_forms(names)):
        written |= Q(text__contains=form)
    offering = _offering(lacking, _short_forms(names))
    found: dict[str, dict[int, tuple[int, int]]] = defaultdict(dict)
    pattern = _similar_name(names)
    for pk, text in Answer.objects.filter(written, pk__in=lacking).values_list("pk", "text").iterator():
        for match in pattern.finditer(text):
            before = match["before"] or ""
            if not before and pk not in offering:
                continue
            if not is_function_word(before.lower()) and not is_offer(before):
                found[" ".join(match[0].split())].setdefault(pk, match.span())
    decided = Recommendation.objects.filter(brand=brand, kind=NAME, status=Recommendation.Status.DISMISSED)
    for dismissed in decided.values_list("subject", flat=True):
        found.pop(dismissed, None)
    similar = max(found, key=lambda each: (len(found[each]), each), default="")
    topics = {answers[pk].topic for pk in found.get(similar, ())}
    asked = sum(answer.topic in topics for answer in answers.values())
    if len(found.get(similar, ())) < max(LEAST_SIMILAR, HARDLY * asked):
        return ""
    for pk, place in found[similar].items():
        answers[pk].similar = similar, *place
    return similar


def _offering(answers: Sequence[int], forms: Collection[str]) -> set[int]:
    """The answers that offer something whose name begins so, and do not only speak of it."""
    begins = [Q(name__startswith=form) for form in forms]
    rows = (
        UntrackedName.objects.offered().filter(reduce(or_, begins), answer__in=answers)
        if begins
        else UntrackedName.objects.none()
    )
    return set(rows.values_list("answer", flat=True))


def _short_forms(names: BrandNames) -> set[str]:
    """The first words of names of several words, unless they are of the language or in a competitor's name."""
    words = [name.text.split() for name in names.brand.names]
    theirs = {word for each in names.competitors for name in each.names for word in name.text.split()}
    return {first for first, *more in words if more and not is_plain(first)} - theirs


def _similar_name(names: BrandNames) -> re.Pattern[str]:
    """A short form of the brand's name, or a word with a capital before it; none of a competitor's."""
    own = [name.text for name in names.brand.names]
    theirs = {word for each in names.competitors for name in each.names for word in name.text.split()}
    before = rf"(?!(?i:{_any({*theirs, *own})})(?!\w))(?P<before>[A-Z][\w&’'-]{{1,40}})[ \xa0](?:{_any(own)})"
    return re.compile(rf"(?<!\w)(?:{before}|{_any(_short_forms(names)) or '(?!)'})(?!\w)")


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, names)))


def _grouped(answers: Iterable[Seen], column: str) -> dict[Any, list[Seen]]:
    groups: dict[Any, list[Seen]] = defaultdict(list)
    for answer in answers:
        groups[getattr(answer, column)].append(answer)
    return groups


def _span(first: date, last: date) -> str:
    if first == last:
        return f"{last.day} {last:%b %Y}"
    return f"{first.day}{f' {first:%b}' * (first.month != last.month)} to {last.day} {last:%b %Y}"
