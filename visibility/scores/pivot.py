"""The pivot: how often answers name each subject, by topic, engine and day, and who is ahead beyond chance."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from typing import Any, Literal
from uuid import UUID

from django.db.models import Count, Exists, Max, Min, OuterRef, Q, QuerySet, Sum

from brands.models import Brand
from visibility.answers.detect import BRAND, subject_key
from visibility.answers.words import Words
from visibility.detection import Maker, makers
from visibility.detection import UntrackedName as FoundName
from visibility.detection.untracked import name_key
from visibility.metrics import Counts, Headline, Lead, Row, Verdict, count, find_leads, measure_scores
from visibility.models import Answer, Cell, Mention, PromptVersion, Run, Topic, UntrackedName
from visibility.scores.days import Summed, engine_of, engines_that_count, rounded
from visibility.scores.now import answers_behind, cells_of_now, counted_competitors

Axis = Literal["subject", "topic", "engine", "day"]
Relation = Literal["ahead", "behind", "tied", "not_told_apart"]
_COUNTS = ("mentioned", "first", "recommended", "cautioned", "cited", "alone", "without_brand")
_TOPIC, _TOPIC_NAME = "version__prompt__topic", "version__prompt__topic__name"
_PLACE = ("engine__name", "surface", "version", _TOPIC, _TOPIC_NAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class PivotRow:
    """So many of the answers name the subject: the brand (competitor_id None), a competitor or an untracked name,
    which is searched in their texts; what is not counted of it is None.

    `topic`, `engine` and `surface` are None where the rows are not by them; the answers are of `first_day` to
    `last_day`. Score, its 95 % interval and share of voice are percentages. `relation` is how the subject does
    against the brand by being mentioned in the same answers; of the brand itself None. It rests on the answers that
    name only the subject (`without_brand`) or `only_brand`: `chance` is the part of comparisons in which two that are
    named alike differ so much, given how many are compared at once.
    """

    subject: str
    competitor_id: UUID | None = None
    tracked: bool = True
    topic: str | None
    engine: str | None
    surface: str | None
    first_day: date
    last_day: date
    mentioned: int = 0
    first: int | None = None
    recommended: int | None = None
    cautioned: int | None = None
    cited: int | None = None
    alone: int | None = None
    without_brand: int | None = None
    only_brand: int | None = None
    chance: float | None = None
    of: int = 0
    score: float | None = None
    low: float | None = None
    high: float | None = None
    share_of_voice: float | None = None
    relation: Relation | None = None

    @property
    def is_own(self) -> bool:
        """Whether it is of the brand."""
        return self.tracked and self.competitor_id is None

    @property
    def period(self) -> str:
        """The day, or the first and last as an ISO interval."""
        return str(self.first_day) if self.first_day == self.last_day else f"{self.first_day}/{self.last_day}"

    def is_of_same_answers(self, other: "PivotRow") -> bool:
        """Whether both count the same answers, apart from those to prompts that name one of them."""
        return all(getattr(self, axis) == getattr(other, axis) for axis in ("topic", "engine", "surface", "period"))


@dataclass(frozen=True, slots=True)
class Counted:
    """The answers of a period that figures count. `names` are those of the competitors that are counted."""

    brand: Brand
    cells: QuerySet[Cell]
    rows: Sequence[Summed]
    names: Mapping[UUID, str]

    @property
    def answers(self) -> QuerySet[Answer]:
        """The answers behind the rows."""
        return answers_behind(self.cells).filter(brand=self.brand)


def count_period(
    brand: Brand,
    *,
    first: date | None = None,
    last: date | None = None,
    topics: Collection[Topic] = (),
    engines: Collection[str] = (),
    prompt: UUID | None = None,
    days: int | None = None,
) -> Counted:
    """The answers of some days, both included, or without days those of now; of these topics and engines or this
    prompt, or of all.
    With `days` of the last so many of them that were measured, each counted by itself.

    Topics that are not the brand's own and engines of which too few prompts were answered are left out, as in every
    figure.
    """
    if first is None and last is None:
        cells = cells_of_now(brand)
    else:
        cells = Cell.objects.filter(brand=brand, run__kind=Run.Kind.VISIBILITY)
        cells = cells.filter(day__range=(first or date.min, last or date.max))
    cells = cells.exclude(version__prompt__topic__own=False)
    if topics:
        cells = cells.filter(version__prompt__topic__in=topics)
    if engines:
        cells = cells.filter(engine__name__in=engines)
    if prompt:
        cells = cells.filter(version__prompt=prompt)
    if days is not None:
        measured = cells.filter(competitor=None).order_by("-day").values_list("day", flat=True).distinct()
        cells = cells.filter(day__in=list(measured[:days]))
    keys = (*_PLACE, "competitor", "named", *(() if days is None else ("day",)))
    sums = {f"sum_{name}": Sum(name) for name in ("answers", *_COUNTS)}
    summed = cells.values(*keys).annotate(**sums, first_day=Min("day"), last_day=Max("day"))
    by_day: dict[date | None, list[Summed]] = defaultdict(list)
    for row in summed.order_by():
        by_day[row.get("day")].append(row)
    rows = [row for each in by_day.values() for row in _that_count(each)]
    places = Q(pk=None)
    for name, surface in {engine_of(row) for row in rows}:
        places |= Q(engine__name=name, surface=surface)
    return Counted(brand, cells.filter(places), rows, counted_competitors(brand))


def _that_count(rows: Sequence[Summed]) -> Iterator[Summed]:
    """The rows of engines that answered enough prompts; `averaged`: the engine makes the figure over engines."""
    counted, averaged = engines_that_count(rows)
    for row in rows:
        if engine_of(row) in counted:
            yield {**row, "averaged": engine_of(row) in averaged}


def by_answer(names: QuerySet[UntrackedName]) -> dict[int, list[FoundName]]:
    """These untracked names, of each answer by place."""
    found: dict[int, list[FoundName]] = defaultdict(list)
    columns = ("answer", "name", "start", "end", "domain")
    for answer, name, start, end, domain in names.order_by("answer", "start").values_list(*columns):
        found[answer].append(FoundName(name, start, end, domain))
    return found


def companies_behind(brand: Brand, names: Collection[Sequence[FoundName]], wordings: Collection[int]) -> list[Maker]:
    """The companies behind the untracked names of these answers, those in most answers first; without numbers of
    models and words of the prompts (these wordings), unless a cited domain bears the name.

    A competitor that waits for its recount counts as tracked, and so do the words that a tracked name begins with.
    """
    words_of = [name.text.split() for name in brand.names.all()]
    tracked = {name_key(" ".join(words[:length])) for words in words_of for length in range(1, len(words) + 1)}
    asked = PromptVersion.objects.filter(pk__in=wordings).values_list("text", "prompt__topic__name")
    words = (word for text in chain.from_iterable(asked) for word in str(text).split() if word.islower())
    plain = {name_key(word).removesuffix("s") for word in words}
    found = [replace(each, name=_without_what_was_asked(each.name, plain)) for each in makers(names)]
    untracked = [each for each in found if name_key(each.name) not in tracked]
    return [each for each in untracked if each.domain or not (_is_model(each.name) or _is_plain(each.name, plain))]


def company_by_name(counted: Counted, found: Mapping[int, Sequence[FoundName]]) -> dict[str, str]:
    """The companies behind these untracked names of answers, by the names; those in most answers first."""
    companies = companies_behind(counted.brand, found.values(), {row["version"] for row in counted.rows})
    return {name: company.name for company in companies for name in company.names}


def _is_plain(name: str, plain: Collection[str]) -> bool:
    return all(name_key(word).removesuffix("s") in plain for word in name.split())


def _without_what_was_asked(name: str, plain: Collection[str]) -> str:
    """ "Monos Carry-On" is Monos where the prompts ask for carry-ons."""
    words = name.split()
    while len(words) > 1 and _is_plain(words[-1], plain):
        words.pop()
    return " ".join(words)


def _is_model(name: str) -> bool:
    """ "QM751G", "U6N": one word of letters and digits."""
    return " " not in name and any(map(str.isdecimal, name)) and any(map(str.isalpha, name))


def untracked_rows(counted: Counted) -> dict[str, list[Summed]]:
    """By the companies that answers offer and nobody tracks, those in most answers first: which answers, as rows."""
    found = by_answer(UntrackedName.objects.filter(answer__in=counted.answers))
    places = {pk: place for pk, *place in counted.answers.values_list("pk", *_PLACE)}
    company_of = company_by_name(counted, found)
    offered = Counter(
        (company, tuple(places[answer]))
        for answer, names in found.items()
        for company in {company_of[name.name] for name in names if name.name in company_of}
    )
    averaged = {engine_of(row) for row in counted.rows if row["averaged"]}
    rows: dict[str, list[Summed]] = {company: [] for company in company_of.values()}
    for (company, place), number in offered.items():
        row = {**dict(zip(_PLACE, place, strict=True)), "competitor": company, "named": False}
        rows[company].append({**row, "sum_mentioned": number, "averaged": engine_of(row) in averaged})
    rows.pop(BRAND, None)  # the key of the brand
    return rows


def rows_naming(counted: Counted, names: Collection[str]) -> dict[str, list[Summed]]:
    """By names that nobody tracks: which answers have them in their text, as rows; only those that some have.

    A name that means something else, too, is found with its capital, so that "beats" is no company.
    """
    has_brand = Exists(Mention.objects.filter(answer=OuterRef("pk"), competitor=None).visible())
    numbers = {f"number_{place}": Words.of(name).as_name() for place, name in enumerate(names)}
    places = counted.answers.order_by().annotate(has_brand=has_brand).values(*_PLACE, "has_brand")
    rows = places.annotate(**{key: Count("pk", filter=in_text) for key, in_text in numbers.items()})
    averaged = {engine_of(row) for row in counted.rows if row["averaged"]}
    found: dict[str, list[Summed]] = defaultdict(list)
    for row in rows if numbers else ():
        for name, key in zip(names, numbers, strict=True):
            if number := row[key]:
                sums = {"sum_mentioned": number, "sum_without_brand": 0 if row["has_brand"] else number}
                more = {"competitor": name, "named": False, "averaged": engine_of(row) in averaged}
                found[name].append({**{column: row[column] for column in _PLACE}, **more, **sums})
    return found


def pivot(
    counted: Counted, by: Collection[Axis], *, untracked: Mapping[str, Sequence[Summed]] | None = None
) -> list[PivotRow]:
    """The rows by any of the axes, the largest share of answers first; not by subject, of the brand alone. By day, of
    what was counted by day.

    Prompts that name a subject count for none of its rows. `untracked` are `rows_naming`, tested in a family of
    their own. Each group shares 5 % among its tests.
    """
    groups: dict[tuple[Any, ...], list[Summed]] = defaultdict(list)
    for row in (*counted.rows, *(row for rows in (untracked or {}).values() for row in rows)):
        if "engine" in by or row["averaged"]:
            axes = {"topic": row[_TOPIC], "engine": engine_of(row), "day": row.get("day")}
            groups[tuple(place for axis, place in axes.items() if axis in by)].append(row)
    found: list[PivotRow] = []
    for rows in groups.values():
        of_subject: dict[object, list[Summed]] = defaultdict(list)
        for row in rows:
            of_subject[row["competitor"]].append(row)
        if own := of_subject[None]:
            blank = _blank(counted.brand, own, by)
            tracked = [*_tracked(counted, blank, of_subject, by)]
            searched = {name: of_subject[name] for name in untracked or ()}
            found += [*tracked, *_untracked(tracked[0], blank, own, searched)]
    return sorted(
        (row for row in found if row.of),
        key=lambda row: (-row.mentioned / row.of, -row.of, row.competitor_id is not None, row.subject),
    )


def _tracked(
    counted: Counted, blank: PivotRow, rows: Mapping[object, Sequence[Summed]], by: Collection[Axis]
) -> Iterator[PivotRow]:
    """The rows of the brand and its competitors in one group."""
    counts = _counts({subject_key(subject): rows.get(subject, ()) for subject in (None, *counted.names)})
    scores = measure_scores(counts)
    leads = find_leads(counts) if "subject" in by else {}
    own = replace(blank, **_sums(rows[None], rows[None]), **_figures(scores[BRAND]))
    yield own
    for subject, name in counted.names.items() if "subject" in by else ():
        sums, key = _sums(rows.get(subject, ()), rows[None]), subject_key(subject)
        row = replace(blank, subject=name, competitor_id=subject, **sums, **_figures(scores[key]))
        yield _against(own, row, leads.get(key))


def _sums(rows: Sequence[Summed], own: Sequence[Summed]) -> dict[str, Any]:
    """The counts of a subject, and of how many answers, which are those of the brand's rows; without the prompts that
    name it."""
    named = {row["version"] for row in rows if row["named"]}
    counts = {name: sum(row[f"sum_{name}"] for row in rows if row["version"] not in named) for name in _COUNTS}
    return {**counts, "of": sum(row["sum_answers"] for row in own if row["version"] not in named)}


def _untracked(
    brand: PivotRow, blank: PivotRow, own: Sequence[Summed], rows: Mapping[str, Sequence[Summed]]
) -> Iterator[PivotRow]:
    """The rows of untracked names in one group."""
    leads = find_leads(_counts({BRAND: own, **rows})) if rows else {}
    of = sum(row["sum_answers"] for row in own)
    for name, naming in rows.items():
        sums = {each: sum(row[f"sum_{each}"] for row in naming) for each in ("mentioned", "without_brand")}
        yield _against(brand, replace(blank, subject=name, tracked=False, of=of, **sums), leads.get(name))


def _counts(rows: Mapping[str, Sequence[Summed]]) -> Counts:
    """The rows of each subject as counts, over the engines that they are of."""
    return count(
        (
            Row(
                engine=" ".join(engine_of(row)),
                prompt=row["version"],
                topic=str(row[_TOPIC]),
                subject=subject,
                answers=row.get("sum_answers", 0),
                mentioned=row["sum_mentioned"],
                without_brand=row["sum_without_brand"],
                named=row["named"],
            )
            for subject, of_subject in rows.items()
            for row in of_subject
        ),
        list(rows),
    )


def _against(own: PivotRow, row: PivotRow, lead: Lead | None) -> PivotRow:
    """The row with how its subject does against the brand, and what that rests on."""
    if lead is None or lead.delta is None:
        return row
    relation: Relation = "behind" if lead.delta > 0 else "ahead"
    if (row.mentioned, row.of) == (own.mentioned, own.of):
        relation = "tied"
    elif lead.verdict != Verdict.MOVED:
        relation = "not_told_apart"
    chance = None if lead.adjusted_p is None else round(lead.adjusted_p, 3)
    return replace(row, relation=relation, only_brand=lead.alone, chance=chance)


def _figures(of: Headline) -> dict[str, Any]:
    ends = (of.score.interval.low, of.score.interval.high) if of.score.interval else (None, None)
    figures = zip(("score", "low", "high", "share_of_voice"), (of.score.value, *ends, of.share_of_voice), strict=True)
    return {name: rounded(value) for name, value in figures}


def _blank(brand: Brand, own: Sequence[Summed], by: Collection[Axis]) -> PivotRow:
    """A row of the group of these rows, without counts."""
    engine, surface = engine_of(own[0]) if "engine" in by else (None, None)
    return PivotRow(
        subject=brand.name,
        topic=own[0][_TOPIC_NAME] if "topic" in by else None,
        engine=engine,
        surface=surface,
        first_day=min(row["first_day"] for row in own),
        last_day=max(row["last_day"] for row in own),
    )
