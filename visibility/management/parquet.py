"""Tables as Parquet, a file a month, for engines that read folders of files. Needs pyarrow, the extra `parquet`."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow
from django.db.models import Count, Max, Min, Q, Sum, TextField
from django.db.models.functions import Cast
from pyarrow import parquet

from apikeys.snapshot import snapshot
from visibility.management.tables import whole_file
from visibility.models import Answer, Citation, DailyScore, Mention, Run
from visibility.scores.reads import TREND_COLUMNS, iterate_scores, trend_row

BRANDS_AT_ONCE = 200
"""Brands whose rows one statement reads: by brand and day, as the indexes have them."""
BATCH = 1_000
"""Rows that are fetched at once."""
TEXT, WHOLE, SMALL, REAL, TRUTH, DAY = (
    *(pyarrow.string(), pyarrow.int64(), pyarrow.int32(), pyarrow.float64(), pyarrow.bool_(), pyarrow.date32()),
)
MOMENT = pyarrow.timestamp("us", tz="UTC")
Month = tuple[date, date]
"""The first and the last day."""
State = Mapping[str, Any]
"""What the rows of a month were made of: a file with another state is not of today."""
StateOf = Callable[[Sequence[UUID], Month], State]


@dataclass(frozen=True, slots=True)
class Dataset:
    """One kind of rows: its columns, how many rows are held in memory and make a row group, the rows of some brands
    in a month, and the state of these."""

    name: str
    columns: Mapping[str, pyarrow.DataType]
    group: int
    rows: Callable[[Sequence[UUID], Month], Iterator[Sequence[Any]]]
    state: StateOf


@dataclass(frozen=True, slots=True)
class Exported:
    """What became of a file: `rows` that were written; None where it was of today, or `kept` because answers that it
    has were deleted since."""

    path: Path
    rows: int | None
    kept: bool = False


def export_months(
    folder: Path, brands: Sequence[UUID], since: date = date.min, *, again: bool = False
) -> Iterator[Exported]:
    """Write the months of these brands, the oldest first, as `folder`/dataset/YYYY-MM.parquet. Files that are of
    today are passed over, unless `again`; a file is there as a whole or not at all."""
    for month in _months(brands, since):
        with snapshot():  # mentions are those of the answers beside them
            state = cache(partial(_state, brands, month))
            for dataset in DATASETS:
                path = folder / dataset.name / f"{month[0]:%Y-%m}.parquet"
                before, now = _state_of(path), state(dataset.state)
                if again or before is None or (before["rows"] <= now["rows"] and before != now):
                    if now["rows"]:
                        yield Exported(path, _write(dataset, path, now, brands, month))
                else:
                    yield Exported(path, None, kept=before != now)


def _write(dataset: Dataset, path: Path, state: State, brands: Sequence[UUID], month: Month) -> int:
    """Write the file, a row group at a time; returns the number of rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    schema = pyarrow.schema(dataset.columns.items()).with_metadata({"state": json.dumps(state)})
    rows, number = (row for part in _parts(brands) for row in dataset.rows(part, month)), 0
    with whole_file(path) as file, parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while group := list(islice(rows, dataset.group)):
            values, kinds = zip(*group, strict=True), dataset.columns.values()
            columns = [pyarrow.array(each, kind) for each, kind in zip(values, kinds, strict=True)]
            writer.write_batch(pyarrow.RecordBatch.from_arrays(columns, schema=schema))
            number += len(group)
    return number


def _months(brands: Sequence[UUID], since: date) -> Iterator[Month]:
    days = [
        Run.objects.filter(brand__in=part, day__gte=since).order_by().aggregate(first=Min("day"), last=Max("day"))
        for part in _parts(brands)
    ]
    first = min((each["first"] for each in days if each["first"]), default=date.max)
    last = max((each["last"] for each in days if each["last"]), default=date.min)
    while first <= last:
        first = first.replace(day=1)
        following = (first + timedelta(days=31)).replace(day=1)
        yield first, following - timedelta(days=1)
        first = following


def _parts(brands: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    return (brands[start : start + BRANDS_AT_ONCE] for start in range(0, len(brands), BRANDS_AT_ONCE))


def _state(brands: Sequence[UUID], month: Month, read: StateOf) -> State:
    states = [read(part, month) for part in _parts(brands)]
    return {name: int(sum(each[name] or 0 for each in states)) for name in states[0]}


def _state_of(path: Path) -> State | None:
    """The state that a file was written with; None for no file, or one that is not of this command."""
    try:
        found = json.loads((parquet.read_schema(path).metadata or {})[b"state"])
    except (OSError, KeyError, ValueError, pyarrow.ArrowInvalid):
        return None
    return found if isinstance(found, dict) and "rows" in found else None


def _answers_state(brands: Sequence[UUID], month: Month) -> State:
    """Answers have other mentions, citations and texts only with another of these."""
    answers = Answer.objects.filter(brand__in=brands, day__range=month).order_by()
    pending = Count("pk", filter=Q(state=Answer.State.PENDING))
    return answers.aggregate(rows=Count("pk"), last=Max("pk"), names=Sum("names_version"), pending=pending)


def _days_state(brands: Sequence[UUID], month: Month) -> State:
    """Days that are scored again are new rows."""
    days = DailyScore.objects.filter(brand__in=brands, competitor=None, date__range=month).order_by()
    return days.aggregate(rows=Count("pk"), last=Sum("pk"))


_OF_BRAND: dict[str, tuple[Any, pyarrow.DataType]] = {
    "brand": (Cast("brand_id", TextField()), TEXT),
    "domain": ("brand__domain", TEXT),
    "day": ("day", DAY),
}
_ANSWERS: dict[str, tuple[Any, pyarrow.DataType]] = {
    "id": ("pk", WHOLE),
    **_OF_BRAND,
    "engine": ("engine__name", TEXT),
    "surface": ("surface", TEXT),
    "topic": ("prompt__topic__name", TEXT),
    "promptId": (Cast("prompt_id", TextField()), TEXT),
    "prompt": ("version__text", TEXT),
    "locale": ("version__locale", TEXT),
    "purpose": ("prompt__purpose", TEXT),
    "run": (Cast("run_id", TextField()), TEXT),
    "sample": ("sample", SMALL),
    "state": ("state", TEXT),
    "text": ("text", TEXT),
    "searched": ("searched", TRUTH),
    "truncated": ("truncated", TRUTH),
    "refused": ("refused", TRUTH),
    "servedModel": ("served_model", TEXT),
    "market": ("market", TEXT),
    "country": ("country", TEXT),
    "answeredAt": ("answered_at", MOMENT),
    "latencyMs": ("latency_ms", SMALL),
}
_MENTIONS: dict[str, tuple[Any, pyarrow.DataType]] = {
    "answer": ("answer_id", WHOLE),
    "brand": (Cast("answer__brand_id", TextField()), TEXT),
    "domain": ("answer__brand__domain", TEXT),
    "day": ("answer__day", DAY),
    "competitor": ("competitor__name", TEXT),
    "start": ("start", SMALL),
    "end": ("end", SMALL),
    "rank": ("rank", SMALL),
    "stance": ("stance", TEXT),
}
_CITATIONS: dict[str, tuple[Any, pyarrow.DataType]] = {
    "answer": ("answer_id", WHOLE),
    **_OF_BRAND,
    "position": ("position", SMALL),
    "url": ("url", TEXT),
    "citedDomain": ("domain", TEXT),
    "title": ("title", TEXT),
    "class": ("source_class", TEXT),
    "isOwn": ("is_own", TRUTH),
    "competitor": ("competitor__name", TEXT),
}
_WHOLE_FIGURES = ("prompts", "topics", "answers", "failed", "recommended", "cautioned", "topicsForTen")
_DAYS: dict[str, pyarrow.DataType] = {
    **{"brand": TEXT, "domain": TEXT},
    **dict.fromkeys(TREND_COLUMNS, REAL),
    **dict.fromkeys(_WHOLE_FIGURES, SMALL),
    **{"date": DAY, "comparable": TRUTH, "engines": TEXT, "runs": TEXT},
    **{"change.from": DAY, "change.verdict": TEXT},
}


def _answers(brands: Sequence[UUID], month: Month) -> Iterator[Sequence[Any]]:
    return _read(
        Answer.objects.filter(brand__in=brands, day__range=month).order_by("brand_id", "day", "pk"), _ANSWERS
    )


def _mentions(brands: Sequence[UUID], month: Month) -> Iterator[Sequence[Any]]:
    rows = Mention.objects.visible().filter(answer__brand__in=brands, answer__day__range=month)
    return _read(rows.order_by("answer__brand_id", "answer__day", "answer_id", "start", "pk"), _MENTIONS)


def _citations(brands: Sequence[UUID], month: Month) -> Iterator[Sequence[Any]]:
    rows = Citation.objects.filter(brand__in=brands, day__range=month)
    return _read(rows.order_by("brand_id", "day", "answer_id", "position"), _CITATIONS)


def _read(rows: Any, columns: Mapping[str, tuple[Any, pyarrow.DataType]]) -> Iterator[Sequence[Any]]:
    found: Iterator[Sequence[Any]] = rows.values_list(*(value for value, _ in columns.values())).iterator(BATCH)
    return found


def _days(brands: Sequence[UUID], month: Month) -> Iterator[Sequence[Any]]:
    for brand, domain, item in iterate_scores(brands, *month):
        yield [
            _day_value(value, kind)
            for value, kind in zip((str(brand), domain, *trend_row(item)), _DAYS.values(), strict=True)
        ]


def _day_value(value: Any, kind: pyarrow.DataType) -> Any:
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return date.fromisoformat(value) if kind == DAY and value else value


def _types(columns: Mapping[str, tuple[Any, pyarrow.DataType]]) -> dict[str, pyarrow.DataType]:
    return {name: kind for name, (_, kind) in columns.items()}


DATASETS = (
    Dataset("answers", _types(_ANSWERS), 5_000, _answers, _answers_state),
    Dataset("mentions", _types(_MENTIONS), 20_000, _mentions, _answers_state),
    Dataset("citations", _types(_CITATIONS), 20_000, _citations, _answers_state),
    Dataset("days", _DAYS, 10_000, _days, _days_state),
)
