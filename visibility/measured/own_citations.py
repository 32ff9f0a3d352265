"""How often the brand's own pages were cited, day by day: on the questions and engines of the latest measured day
that were asked on the earlier ones, too. Four statements."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

import numpy as np

from brands.models import Brand
from visibility.detection.types import BRAND
from visibility.measured.counts import unpacked
from visibility.measured.topics import Topics, read_topics
from visibility.metrics.pairs import DayCounts
from visibility.metrics.table import Floats
from visibility.models import Answer, Citation, DailyScore, DayCount, Run

MAX_DAYS = 35
MAX_PAGES = 12
MAX_TOPICS = 12
"""Own pages and topics that are looked at: those that were cited most."""


@dataclass(frozen=True, slots=True)
class CitedDays:
    """Of a page (its `digest`), or of the own domain on a topic (no digest): on each day, the sum over cells (an
    engine with a question) of the share of answers that cite it, and how many cells there are. `now` is how many of
    how many answers of the latest day cite it, by engine."""

    topic: str
    days: tuple[date, ...]
    cited: Floats
    cells: Floats
    now: Mapping[str, tuple[int, int]]
    digest: str = ""
    url: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class _Grid:
    """The answers of each day by engine and question, those of the latest day's panel alone; `topics` are keys."""

    days: tuple[date, ...]
    engines: tuple[str, ...]
    wordings: tuple[str, ...]
    topics: tuple[str, ...]
    answers: Floats
    own: Floats

    def row(self, cited: Floats, chosen: Sequence[int], **page: str) -> CitedDays:
        """What is cited so often in the answers to these questions."""
        answers, cited = self.answers[:, :, chosen], cited[:, :, chosen]
        shares = np.divide(cited, answers, out=np.zeros_like(cited), where=answers > 0)
        now = {
            engine: (int(cited[-1, place].sum()), int(answers[-1, place].sum()))
            for place, engine in enumerate(self.engines)
        }
        return CitedDays(
            days=self.days, cited=shares.sum(axis=(1, 2)), cells=(answers > 0).sum(axis=(1, 2)).astype(float),
            now=now, **page,
        )  # fmt: skip


def read_own_citations(brand: Brand) -> list[CitedDays]:
    """Each own page that was cited on these days, and the own domain on each topic, the most cited first. Empty
    before there are two days."""
    rows = DailyScore.objects.filter(brand=brand, competitor=None).order_by("-date")
    measured = list(rows.values_list("date", "runs", "panel__content")[:MAX_DAYS])[::-1]
    stored = DayCount.objects.filter(brand=brand, date__in=[day for day, *_ in measured])
    counts = {day: unpacked(day, bytes(content)) for day, content in stored.values_list("date", "content")}
    measured = [row for row in measured if row[0] in counts and BRAND in counts[row[0]].subjects]
    if len(measured) < 2:
        return []
    grid = _grid([(counts[day], content or {}) for day, _, content in measured], read_topics(brand.pk))
    return [*_pages(brand, grid, {day: runs for day, runs, _ in measured}), *_topics(grid)]


def _grid(days: Sequence[tuple[DayCounts, Mapping[str, Any]]], topics: Topics) -> _Grid:
    latest, panel = days[-1]
    column = latest.subjects.index(BRAND)
    kept = [
        place
        for place, wording in enumerate(latest.prompts)
        if wording in topics.prompt_of and not latest.named[place, column]
    ]
    wordings = tuple(latest.prompts[place] for place in kept)
    shape = (len(days), len(latest.engines), len(wordings))
    answers, own = np.zeros(shape), np.zeros(shape)
    for number, (day, day_panel) in enumerate(days):
        place_of = {wording: place for place, wording in enumerate(day.prompts)}
        mine = [(here, place_of[wording]) for here, wording in enumerate(wordings) if wording in place_of]
        subject = day.subjects.index(BRAND)
        for row, engine in enumerate(latest.engines):
            if engine in day.engines and _models(day_panel, engine) == _models(panel, engine) and mine:
                here, there = map(list, zip(*mine, strict=True))
                answers[number, row, here] = day.answers[day.engines.index(engine), there]
                own[number, row, here] = day.cited[day.engines.index(engine), there, subject]
    own = np.where(answers[-1:] > 0, own, 0.0)
    answers = np.where(answers[-1:] > 0, answers, 0.0)
    keys = tuple(topics.key_of[topics.prompt_of[wording]] for wording in wordings)
    return _Grid(tuple(day.day for day, _ in days), latest.engines, wordings, keys, answers, own)


def _models(panel: Mapping[str, Any], engine: str) -> object:
    """Who served the engine: another model is another measurement."""
    return panel.get("asked", {}).get(engine, {}).get("models")


def _topics(grid: _Grid) -> list[CitedDays]:
    rows = []
    for topic in sorted(set(grid.topics)):
        chosen = [place for place, other in enumerate(grid.topics) if other == topic]
        row = grid.row(grid.own, chosen, topic=topic)
        if row.cited.any():
            rows.append(row)
    return _most_cited(rows, MAX_TOPICS)


def _pages(brand: Brand, grid: _Grid, runs: Mapping[date, Iterable[str]]) -> list[CitedDays]:
    day_of = {UUID(run): day for day, of_day in runs.items() for run in of_day}
    citations = Citation.objects.filter(answer__run__in=day_of, answer__brand=brand, owner=Citation.Owner.OWN)
    fields = ("url_digest", "url", "title", "answer__run_id", "answer__run__trigger", "answer__answered_at")
    rows = citations.filter(answer__state=Answer.State.ANSWERED).order_by("answer", "position")
    cited: dict[str, Floats] = defaultdict(lambda: np.zeros_like(grid.answers))
    words: dict[str, tuple[str, str]] = {}
    days, engines, wordings = (
        {name: place for place, name in enumerate(names)} for names in (grid.days, grid.engines, grid.wordings)
    )
    for digest, url, title, run, trigger, at, engine, version in rows.values_list(
        *fields, "answer__engine", "answer__version_id"
    ).iterator():
        day = at.date() if trigger == Run.Trigger.IMPORT and at else day_of[run]
        if day in days and engine in engines and str(version) in wordings:
            cited[digest][days[day], engines[engine], wordings[str(version)]] += 1
            words[digest] = (url, title)
    whole = []
    for digest, counts in cited.items():
        counts = np.minimum(counts, grid.answers)
        by_topic: dict[str, float] = defaultdict(float)
        for place, sum_of in enumerate(counts.sum(axis=(0, 1))):
            by_topic[grid.topics[place]] += float(sum_of)
        topic = max(by_topic, key=lambda key: by_topic[key])
        url, title = words[digest]
        chosen = range(len(grid.wordings))
        whole.append(grid.row(counts, chosen, topic=topic, digest=digest, url=url, title=title))
    return _most_cited(whole, MAX_PAGES)


def _most_cited(rows: Iterable[CitedDays], most: int) -> list[CitedDays]:
    return sorted(rows, key=lambda row: (-float(row.cited.sum()), row.digest, row.topic))[:most]
