"""The pivot: how often answers name each subject, by topic, engine and day, and who is ahead beyond chance."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from brands.models import Brand
from visibility.detection import UntrackedName as FoundName
from visibility.detection import makers
from visibility.metrics import Counts, Row, SubjectFigures, Verdict, count, find_leads, measure
from visibility.models import Answer, Cell, Run, Topic, UntrackedName
from visibility.scores.days import BRAND, EngineKey, count_rows
from visibility.scores.now import cells_of_now

Axis = Literal["subject", "topic", "engine", "day"]
Relation = Literal["ahead", "behind", "tied", "not_told_apart"]
Summed = Mapping[str, Any]
"""Sums over the cells of one engine, wording, subject and day."""
_FIGURES = ("answers", "mentioned", "ranked", "gain", "gain_squares", "cited", "comentions")
_COUNTS = ("mentioned", "first", "recommended", "cautioned", "cited", "alone")
_SUMS = {*_FIGURES, *_COUNTS, "failed"}
_TOPIC, _TOPIC_NAME = "version__prompt__topic", "version__prompt__topic__name"
_KEYS = ("engine__name", "surface", "version", _TOPIC, _TOPIC_NAME, "competitor", "named", "day")


@dataclass(frozen=True, slots=True)
class PivotRow:
    """So many of the answers name the subject: the brand (competitor_id None), a competitor or an untracked name.

    `topic`, `engine` and `surface` are None where the rows are not by them; the answers are of `first_day` to
    `last_day`. Score, its 95 % interval and share of voice are percentages. `relation` is how the subject does
    against the brand by being mentioned in the same answers; of the brand itself None. Of an untracked name only the
    answers that offer it are counted, so that it is never behind; what is not counted of it is None.
    """

    subject: str
    competitor_id: UUID | None
    tracked: bool
    topic: str | None
    engine: str | None
    surface: str | None
    first_day: date
    last_day: date
    mentioned: int
    first: int | None
    recommended: int | None
    cautioned: int | None
    cited: int | None
    alone: int | None
    of: int
    score: float | None
    low: float | None
    high: float | None
    share_of_voice: float | None
    relation: Relation | None

    @property
    def is_own(self) -> bool:
        """Whether it is of the brand."""
        return self.tracked and self.competitor_id is None

    @property
    def period(self) -> str:
        """The day, or the first and last as an ISO interval."""
        return str(self.first_day) if self.first_day == self.last_day else f"{self.first_day}/{self.last_day}"

    def is_beside(self, other: "PivotRow") -> bool:
        """Whether both are of the same answers but for prompts that name one of them."""
        return all(getattr(self, axis) == getattr(other, axis) for axis in ("topic", "engine", "surface", "period"))


@dataclass(frozen=True, slots=True)
class Counted:
    """The answers of a period that count, read once for all that is made of them. `averaged`: the engines of figures
    over engines."""

    brand: Brand
    cells: QuerySet[Cell]
    rows: Sequence[Summed]
    averaged: frozenset[EngineKey]
    names: Mapping[UUID, str]

    @property
    def answers(self) -> QuerySet[Answer]:
        """The answers behind the rows."""
        same = {name: OuterRef(name) for name in ("run", "engine", "surface", "version")}
        answers: QuerySet[Answer] = Answer.objects.answered().filter(brand=self.brand)
        return answers.filter(Exists(self.cells.filter(competitor=None, **same)))


def count_period(
    brand: Brand,
    *,
    first: date | None = None,
    last: date | None = None,
    topics: Collection[Topic] = (),
    engines: Collection[str] = (),
) -> Counted:
    """The answers of some days, both included, or without days those of now; of these topics and engines, or of all.

    Topics that are not the brand's own and engines of which too few prompts were answered are left out, as in every
    figure.
    """
    cells = cells_of_now(brand)
    if first is not None or last is not None:
        cells = Cell.objects.filter(brand=brand, run__kind=Run.Kind.VISIBILITY)
        cells = cells.filter(day__range=(first or date.min, last or date.max))
    cells = cells.exclude(version__prompt__topic__own=False)
    if topics:
        cells = cells.filter(version__prompt__topic__in=topics)
    if engines:
        cells = cells.filter(engine__name__in=engines)
    summed = cells.values(*_KEYS).annotate(**{f"sum_{name}": Sum(name) for name in _SUMS})
    rows = list(summed.order_by())
    counted = count_rows(brand, rows, [])
    usable = set(counted.engines.values())
    places = Q(pk=None)
    for name, surface in usable:
        places |= Q(engine__name=name, surface=surface)
    return Counted(
        brand,
        cells.filter(places),
        [row for row in rows if _engine(row) in usable],
        frozenset(counted.engines[str(key)] for key in counted.counts.averaged),
        dict(brand.competitors.order_by("pk").values_list("pk", "name")),
    )


def untracked_rows(counted: Counted) -> dict[str, list[Summed]]:
    """By the companies that answers offer and nobody tracks, those in most answers first: which answers, as rows."""
    answers = UntrackedName.objects.filter(answer__in=counted.answers).order_by()
    columns = ("engine__name", "surface", "version", _TOPIC, _TOPIC_NAME, "day")
    found: dict[int, list[FoundName]] = defaultdict(list)
    places: dict[int, tuple[object, ...]] = {}
    for answer, name, start, end, domain, *place in answers.values_list(
        "answer", "name", "start", "end", "domain", *(f"answer__{column}" for column in columns)
    ):
        found[answer].append(FoundName(name, start, end, domain))
        places[answer] = tuple(place)
    companies = makers(found.values())
    company_of = {name: company.name for company in companies for name in company.names}
    offered = Counter(
        (company, places[answer])
        for answer, names in found.items()
        for company in {company_of[name.name] for name in names}
    )
    rows: dict[str, list[Summed]] = {company.name: [] for company in companies}
    for (company, place), number in offered.items():
        at = dict(zip(columns, place, strict=True))
        rows[company].append({**at, "competitor": company, "named": False, "sum_mentioned": number})
    rows.pop(BRAND, None)  # the key of the brand
    return rows


def pivot(
    counted: Counted,
    by: Collection[Axis],
    *,
    untracked: Mapping[str, Sequence[Summed]] | None = None,
    branded: bool = False,
) -> list[PivotRow]:
    """The rows by any of the axes, the largest share of answers first; not by subject, of the brand alone.

    Prompts that name a subject count for none of its rows; with `branded` only these count, and nothing is tested.
    `untracked` are some of `untracked_rows`, tested in a family of their own. Each group shares 5 % among its tests.
    """
    groups: dict[tuple[Any, ...], list[Summed]] = defaultdict(list)
    others = [row for rows in (untracked or {}).values() for row in rows]
    for row in (*counted.rows, *others):
        if "engine" in by or _engine(row) in counted.averaged:
            groups[_group(row, by)].append(row)
    found: list[PivotRow] = []
    for rows in groups.values():
        tracked = [row for row in rows if not isinstance(row["competitor"], str)]
        own = [row for row in rows if row["competitor"] is None]
        if not own:
            continue
        blank = _blank(counted.brand, own, by)
        found += _tracked(counted, blank, tracked, by, branded=branded)
        if untracked and not branded:
            found += _untracked(blank, own, {name: _of(rows, name) for name in untracked})
    kept = [row for row in found if row.of]
    return sorted(
        kept, key=lambda row: (-row.mentioned / row.of, -row.of, row.competitor_id is not None, row.subject)
    )


def _tracked(
    counted: Counted, blank: PivotRow, rows: Sequence[Summed], by: Collection[Axis], *, branded: bool
) -> Iterator[PivotRow]:
    """The rows of the brand and its competitors in one group."""
    subjects: dict[UUID | None, str] = {None: counted.brand.name}
    subjects |= counted.names.items()
    counts = _counts(rows, [BRAND, *map(str, counted.names)])
    figures = measure(counts)
    leads = find_leads(counts) if "subject" in by and not branded else {}
    own_row, brands = blank, _of(rows, None)
    for key, subject in subjects.items() if "subject" in by else [(None, counted.brand.name)]:
        own = _of(rows, key)
        named = {row["version"] for row in own if row["named"]}
        meant, asked = ([row for row in each if (row["version"] in named) is branded] for each in (own, brands))
        number = {name: sum(row[f"sum_{name}"] for row in meant) for name in _COUNTS}
        of = sum(row["sum_answers"] for row in asked)
        row = replace(blank, subject=subject, competitor_id=key, of=of, **number)
        if not branded:
            row = _with_figures(row, figures[BRAND if key is None else str(key)])
        if key is None:
            own_row = row
        else:
            row = replace(row, relation=_relation(leads.get(str(key)), row, own_row))
        yield row


def _untracked(blank: PivotRow, own: Sequence[Summed], rows: Mapping[str, Sequence[Summed]]) -> Iterator[PivotRow]:
    """The rows of untracked names in one group."""
    leads = find_leads(_counts([*own, *(row for each in rows.values() for row in each)], [BRAND, *rows]))
    of = sum(row["sum_answers"] for row in own)
    for name, offered in rows.items():
        number = sum(row["sum_mentioned"] for row in offered)
        lead = leads.get(name)
        is_ahead = lead is not None and lead.verdict == Verdict.MOVED and (lead.delta or 0.0) < 0
        relation: Relation = "ahead" if is_ahead else "not_told_apart"
        yield replace(blank, subject=name, tracked=False, mentioned=number, of=of, relation=relation)


def _counts(rows: Sequence[Summed], subjects: Sequence[str]) -> Counts:
    """The rows as counts, over the engines that they are of."""
    return count(
        (
            Row(
                engine=" ".join(_engine(row)),
                prompt=str(row["version"]),
                topic=str(row[_TOPIC]),
                subject=BRAND if row["competitor"] is None else str(row["competitor"]),
                named=row["named"],
                **{name: row.get(f"sum_{name}", 0) for name in _FIGURES},
            )
            for row in rows
        ),
        subjects,
    )


def _relation(lead: Any, row: PivotRow, own: PivotRow) -> Relation | None:
    if lead is None or lead.delta is None:
        return None
    if (row.mentioned, row.of) == (own.mentioned, own.of):
        return "tied"
    if lead.verdict != Verdict.MOVED:
        return "not_told_apart"
    return "behind" if lead.delta > 0 else "ahead"


def _with_figures(row: PivotRow, figures: SubjectFigures) -> PivotRow:
    score, voice = figures.overall.score, figures.overall.share_of_voice
    ends = (score.interval.low, score.interval.high) if score.interval else (None, None)
    value, low, high, share = (
        None if each is None else round(each, 2) + 0.0 for each in (score.value, *ends, voice.value)
    )
    return replace(row, score=value, low=low, high=high, share_of_voice=share)


def _blank(brand: Brand, own: Sequence[Summed], by: Collection[Axis]) -> PivotRow:
    """A row of the group of these rows, without counts."""
    days, row = [each["day"] for each in own], own[0]
    topic = row[_TOPIC_NAME] if "topic" in by else None
    engine, surface = _engine(row) if "engine" in by else (None, None)
    place = (topic, engine, surface, min(days), max(days))
    return PivotRow(brand.name, None, True, *place, 0, None, None, None, None, None, 0, *[None] * 5)


def _group(row: Summed, by: Collection[Axis]) -> tuple[Any, ...]:
    parts = {"topic": row[_TOPIC], "engine": _engine(row), "day": row["day"]}
    return tuple(part for axis, part in parts.items() if axis in by)


def _of(rows: Sequence[Summed], subject: object) -> list[Summed]:
    return [row for row in rows if row["competitor"] == subject]


def _engine(row: Summed) -> EngineKey:
    return row["engine__name"], row["surface"]
