"""Fills in the records of change: their figures, what each is made of, and what changed at the same time."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Count, Q, QuerySet

from visibility.detection.text.addresses import canonical_url
from visibility.detection.types import BRAND
from visibility.measured.audits import finished_audits
from visibility.measured.generations import rival_names
from visibility.measured.topics import Topics, read_topics
from visibility.metrics.changes.day_effects import with_day_effects
from visibility.metrics.changes.following import SideBySide, side_by_side
from visibility.metrics.decomposition import Share, changed_beyond_chance, decompose, together, whole_parts
from visibility.metrics.pairs import Counts, Pair
from visibility.metrics.table import Floats
from visibility.metrics.types import rounded
from visibility.models import Answer, AuditPage, Citation, DailyScore, Mention, Run
from visibility.pipeline.days.lines import Found, Line, Lines

PERIOD = timedelta(days=28)
MAX_PARTS = 30
"""Parts of a partition that are kept by themselves; what is left is kept as one, without a key."""
MAX_READ = 3
"""The largest parts of each partition that have two answers to read."""
MAX_BESIDE = 5
"""Competitors, and sources, that are told beside a change: the largest of those beyond chance."""
MAX_DOMAINS = 100
"""Domains, the most cited, that are looked at."""
MAX_CAUSES = 5
GONE = (404, 410)


@dataclass(frozen=True, slots=True)
class _Sides:
    """A record with its two sides: the days before it as one, and the latest."""

    known_change: Found
    both: SideBySide
    pair: Pair

    @property
    def days(self) -> tuple[date, ...]:
        """The days of both sides."""
        return self.both.series.dates


def add_content(generation: UUID, brand: UUID, lines: Lines, every: Sequence[Found]) -> None:
    """Fill in all fields of these records that following them did not give."""
    if not every:
        return
    sides = [_sides(lines, known_change) for known_change in every]
    reader = _Reader(generation, brand, {day for compared in sides for day in compared.days})
    topics, rivals = read_topics(brand), {str(key): name for key, name in rival_names(brand).items()}
    for compared in sides:
        known_change, record = compared.known_change, compared.known_change.record
        record.generation_id, record.brand_id = generation, brand
        _figures(lines, known_change)
        others = [change for change in changed_beyond_chance(compared.pair) if change.key in rivals]
        record.content = {
            **_partitions(compared, reader, topics, record.delta),
            "competitors": [
                _beside(change.key, rivals[change.key], change.before, change.after) for change in others[:MAX_BESIDE]
            ],
            "sources": _sources(compared, reader),
            "known_causes": _causes(compared, reader),
            "against": [*_month(known_change, reader), *_period(lines, known_change)],
        }


def _figures(lines: Lines, known_change: Found) -> None:
    """Rounded so that before + delta + prompts_changed = after, to the hundredth."""
    record, change = known_change.record, known_change.change
    before = [lines.figure(known_change.line, day) or 0.0 for day in known_change.base]
    record.before = _hundredths(sum(before) / len(before))
    record.after = _hundredths(lines.figure(known_change.line, known_change.after) or 0.0)
    record.delta = _hundredths(100 * change.delta)
    record.low, record.high = (rounded(None if bound is None else 100 * bound) for bound in (change.low, change.high))
    record.prompts_changed = _hundredths(record.after - record.before - record.delta)


def _hundredths(value: float) -> float:
    return round(value, 2) + 0.0


def _sides(lines: Lines, known_change: Found) -> _Sides:
    counts = lines.sides(known_change.line, known_change.base, [known_change.after])
    subjects = set(counts[0].subjects).intersection(*(day.subjects for day in counts))
    both = side_by_side(counts, subjects)
    series, base = both.series, len(known_change.base)
    return _Sides(known_change, both, series.pair(series.pooled(0, base), series.pooled(base, base + 1)))


def _partitions(compared: _Sides, reader: "_Reader", topics: Topics, delta: float) -> dict[str, list[dict[str, Any]]]:
    prompt_of = [str(topics.prompt_of.get(wording, wording)) for wording in compared.both.prompts]
    text_of = {str(wording.prompt): wording.text for _, wording in sorted(topics.versions.items()) if wording.text}
    keys = [_topic_key(topic) for topic in compared.both.topics]
    parts = decompose(compared.pair, keys, prompt_of)
    partitions = {
        "topics": (parts.topics, lambda key: topics.names.get(key, key)),
        "engines": (parts.engines, str),
        "wordings": (parts.wordings, lambda key: text_of.get(key, key)),
    }
    return {
        name: list(_parts(shares, delta, name_of, compared, reader)) for name, (shares, name_of) in partitions.items()
    }


def _parts(shares: Sequence[Share], delta: float, name_of: Any, compared: _Sides, reader: "_Reader") -> Iterator[Any]:
    rest = shares[MAX_PARTS:]
    shown = [*shares[:MAX_PARTS], *([together("", rest)] if rest else [])]
    points = whole_parts([share.points for share in shown], delta)
    for place, (share, part) in enumerate(zip(shown, points, strict=True)):
        yield {
            "key": share.key,
            "name": name_of(share.key) if share.key else f"{len(rest)} others",
            "points": part,
            "before": _hundredths(share.before),
            "after": _hundredths(share.after),
            "answers": reader.two_of(compared, share) if place < MAX_READ and part else [],
        }


def _topic_key(topic: str) -> str:
    """The key of a topic as readers have it: that of a prompt without one is the prompt's id."""
    return topic.removeprefix("prompt ")


def _beside(key: str, name: str, before: float, after: float) -> dict[str, Any]:
    before, after = _hundredths(before), _hundredths(after)
    return {"key": key, "name": name, "before": before, "after": after, "points": _hundredths(after - before)}


def _sources(compared: _Sides, reader: "_Reader") -> list[dict[str, Any]]:
    """Whose share of the answers that cite them changed beyond chance, in the same cells."""
    series, base = compared.both.series, len(compared.known_change.base)
    dates = series.dates[:base], series.dates[base:]
    cited = [reader.cited(days) for days in dates]
    total: dict[str, int] = defaultdict(int)
    for side in cited:
        for (_, _, domain), number in side.items():
            total[domain] += number
    domains = sorted(total, key=lambda domain: (-total[domain], domain))[:MAX_DOMAINS]
    if not domains:
        return []
    answers = series.sums.answers[base], series.sums.answers[-1] - series.sums.answers[base]
    pair = replace(
        compared.pair,
        subjects=(BRAND, *domains),
        named=np.repeat(compared.pair.named[:, :1], 1 + len(domains), axis=1) & (np.arange(1 + len(domains)) == 0),
        before=_citing(compared, compared.pair.before.answers, answers[0], cited[0], domains),
        now=_citing(compared, compared.pair.now.answers, answers[1], cited[1], domains),
    )
    return [_beside(change.key, change.key, change.before, change.after) for change in changed_beyond_chance(pair)][
        :MAX_BESIDE
    ]


def _citing(compared: _Sides, answers: Floats, total: Floats, cited: "_Cited", domains: Sequence[str]) -> Counts:
    """The side with the domains in place of the competitors: `answers` are those of the side, a mean over its days,
    and `total` their sum, of which so many cite a domain."""
    place = {key: number for number, key in enumerate(compared.both.prompts)}
    row = {name: number for number, name in enumerate(compared.pair.engines)}
    column = {domain: number for number, domain in enumerate(domains, start=1)}
    known_change = np.zeros((*answers.shape, 1 + len(domains)))
    for (engine, wording, domain), number in cited.items():
        if engine in row and wording in place and domain in column:
            known_change[row[engine], place[wording], column[domain]] = number
    part = np.divide(answers, total, out=np.zeros_like(answers), where=total > 0)
    mentioned = known_change * part[..., None]
    return Counts(answers, mentioned, np.zeros_like(mentioned))


def _month(known_change: Found, reader: "_Reader") -> Iterator[dict[str, Any]]:
    """The latest figure against the comparable day four to eight weeks before, as that day has it."""
    said = reader.month(known_change.line, known_change.after.day)
    if said and said["delta"] is not None:
        yield {"span": "month", **{name: said[name] for name in ("since", "delta", "low", "high")}}


def _period(lines: Lines, known_change: Found) -> Iterator[dict[str, Any]]:
    """The 28 days up to the latest against the 28 before these, on what both have."""
    end = known_change.after.day
    days = [day for day in lines.history.days if end - 2 * PERIOD < day.day <= end]
    sides = lines.sides(known_change.line, [known_change.after], days)[1:]
    earlier = sum(day.day <= end - PERIOD for day in sides)
    if not 0 < earlier < len(sides):
        return
    series = with_day_effects(side_by_side(sides, [BRAND]).series)
    change = known_change.line.compare(series, slice(0, earlier), slice(earlier, len(sides)))
    if change is not None:
        low, high = (rounded(None if bound is None else 100 * bound) for bound in (change.low, change.high))
        since = sides[0].day.isoformat()
        yield {"span": "period", "since": since, "delta": _hundredths(100 * change.delta), "low": low, "high": high}


def _causes(compared: _Sides, reader: "_Reader") -> list[dict[str, Any]]:
    """Own pages that were cited before the change and not on the latest day, and that the latest audit found gone."""
    series, base = compared.both.series, len(compared.known_change.base)
    before, after = (reader.own_pages(compared, days) for days in (series.dates[:base], series.dates[base:]))
    lost = before - after
    gone = reader.gone_pages() if lost else {}
    return [
        {"what": f"answers with an error ({gone[url][0]})", "url": url, "day": gone[url][1].isoformat()}
        for url in sorted(lost & gone.keys())
    ][:MAX_CAUSES]


_Cited = Mapping[tuple[str, str, str], int]
"""By engine, key of the wording and domain: how many answers cite it."""


class _Reader:
    """Reads what the counts of days do not tell: answers, what they cite, and what an audit found."""

    def __init__(self, generation: UUID, brand: UUID, days: Collection[date]) -> None:
        self._generation, self._brand = generation, brand
        own = DailyScore.of_all_generations.filter(generation=generation, competitor=None, date__in=days)
        self._scores = {row.date: row for row in own.only("date", "runs", "change_month", "change", "changes")}
        self.cited = lru_cache(maxsize=None)(self._cited)
        self.gone_pages = lru_cache(maxsize=1)(self._gone_pages)

    def _answers(self, days: Iterable[date]) -> QuerySet[Answer]:
        """The answers that are counted on these days; an import may have some of other days, too."""
        days = set(days)
        runs = {UUID(run) for day in days for run in self._scores[day].runs}
        of_day = ~Q(run__trigger=Run.Trigger.IMPORT) | Q(answered_at__date__in=days)
        answers: QuerySet[Answer] = Answer.objects.filter(of_day, run__in=runs, state=Answer.State.ANSWERED)
        return answers.order_by()

    def two_of(self, compared: _Sides, share: Share) -> list[dict[str, Any]]:
        """Two answers of one engine to one question that show a part: of a fall, one that names the brand before and
        one that does not after; of a rise the other way round. The latest ones, of the cell that adds most. Empty
        where there are none."""
        base = len(compared.known_change.base)
        for cell in share.cells[:MAX_READ]:
            engine, wording = compared.pair.engines[cell.engine], compared.both.prompts[cell.wording]
            sides = compared.days[:base], compared.days[base:]
            known_change = [
                self._one(days, engine, int(wording), named=is_later == (share.points > 0))
                for is_later, days in enumerate(sides)
            ]
            if all(known_change):
                return [answer for answer in known_change if answer]
        return []

    def _one(self, days: Sequence[date], engine: str, wording: int, *, named: bool) -> dict[str, Any] | None:
        """The latest answer of the days to that wording that names the brand, or does not."""
        mentions = Mention.of_all_generations.visible().filter(generation=self._generation, competitor=None)
        answers = self._answers(days).filter(engine=engine, version=wording)
        naming = mentions.filter(answer__in=answers.values("pk")).values("answer")
        chosen = answers.filter(pk__in=naming) if named else answers.exclude(pk__in=naming)
        row = chosen.order_by("-answered_at", "pk").values_list("pk", "run", "version__text").first()
        if row is None:
            return None
        pk, run, text = row
        day = max(day for day in days if str(run) in self._scores[day].runs)
        return {"answer": str(pk), "day": day.isoformat(), "engine": engine, "prompt": text, "named": named}

    def _cited(self, days: tuple[date, ...]) -> _Cited:
        rows = Citation.of_all_generations.filter(
            generation=self._generation, answer__in=self._answers(days).values("pk")
        ).order_by()
        counted = rows.values_list("answer__engine", "answer__version_id", "domain").annotate(
            number=Count("answer", distinct=True)
        )
        return {(engine, str(version), domain): number for engine, version, domain, number in counted}

    def own_pages(self, compared: _Sides, days: Sequence[date]) -> set[str]:
        """The own pages that answers of these days cite, in the cells of the change."""
        rows = Citation.of_all_generations.filter(
            generation=self._generation,
            owner=Citation.Owner.OWN,
            answer__in=self._answers(days).values("pk"),
            answer__engine__in=compared.pair.engines,
            answer__version__in=[int(key) for key in compared.both.prompts],
        )
        return set(rows.order_by().values_list("url", flat=True).distinct())

    def _gone_pages(self) -> dict[str, tuple[int, date]]:
        """The addresses that the latest finished audit found to be gone, each with its status and the day."""
        audit = finished_audits(Run.objects.filter(brand=self._brand)).first()
        pages = AuditPage.objects.filter(run=audit, fetched__status__in=GONE).order_by("position")
        rows = pages.values_list("url", "fetched__status", "fetched_at")
        return {canonical_url(url) or url: (status, at.date()) for url, status, at in rows if at}

    def month(self, line: Line, day: date) -> Mapping[str, Any] | None:
        """What a day says of a line against the month before; of a topic nothing is kept."""
        row = self._scores[day]
        if line.topic or not line.engine:
            return None if line.topic else row.change_month
        by_engine = {item["engine"]: item for item in row.changes if item["metric"] == "score"}
        by_engine |= {item["engine"]: item for item in (row.change or {}).get("by_engine", ())}
        return by_engine[line.engine]["month"] if line.engine in by_engine else None
