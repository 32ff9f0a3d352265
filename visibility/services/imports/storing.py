"""Stores checked rows as runs, one for each UTC day. Runs inside the caller's transaction, under the brand's lock."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

import orjson
from django.utils import timezone

from apikeys.caller import Caller
from brands.models import Brand
from visibility.detection.citations.citations import left_out
from visibility.engines.surfaces import Surface, name_of_imported
from visibility.models import Answer, Run
from visibility.pipeline.surfaces import asked_engines
from visibility.services.imports.progress import Progress
from visibility.services.imports.rows import ImportedAnswer, without_closing_lines
from visibility.services.imports.staging import StagedAnswers
from visibility.services.imports.wordings import Wording, add_wordings, wording_digest, wordings_of
from visibility.services.prompts.editing import PromptDraft

EMPTY = "empty_answer"
OF_EMPTY = "of an answer without text"


@dataclass(frozen=True, slots=True)
class Stored:
    """What came of storing: answers that are new, answers that were there, prompts that were added; and of the new
    answers the citations that are counted, and how many are not, by why."""

    added: int
    known: int
    prompts: int
    citations: int
    left_out: Mapping[str, int]


@dataclass(slots=True)
class _New:
    """What of a file is new to the brand."""

    keys: set[str] = field(default_factory=set)
    citations: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    days: set[date] = field(default_factory=set)
    drafts: dict[str, PromptDraft] = field(default_factory=dict)

    def count_citations(self, row: ImportedAnswer) -> None:
        """How many of the row's citations are counted, and why the others are not."""
        reasons: Counter[str] = Counter(left_out(row.citations))
        if not without_closing_lines(row.text).strip():
            reasons = Counter({OF_EMPTY: len(row.citations)})
        self.left_out += reasons
        self.citations += len(row.citations) - reasons.total()


@dataclass(slots=True)
class _Day:
    """The run of one day while it is filled. `scan_engines` are those that the brand was scanned with."""

    run: Run
    scan_engines: Collection[str]
    taken: set[tuple[int, str, int]] = field(default_factory=set)
    free: dict[tuple[int, str], int] = field(default_factory=dict)
    engines: set[str] = field(default_factory=set)

    def sample(self, version: int, engine: str, preferred_number: int) -> int:
        """The wanted sample number, or the lowest free one where it is taken."""
        number = preferred_number
        if (version, engine, number) in self.taken:
            number = self.free.get((version, engine), 1)
            while (version, engine, number) in self.taken:
                number += 1
            self.free[version, engine] = number + 1
        self.taken.add((version, engine, number))
        return number


def store_rows(caller: Caller, brand: Brand, staged: StagedAnswers, progress: Progress) -> Stored:
    """Store the rows that the brand does not have yet as queued runs whose answers are all there."""
    new = _find_new(brand, staged)
    prompts = add_wordings(caller, brand, list(new.drafts.values())) if new.drafts else 0
    added = len(new.keys)
    if new.keys:
        _insert(brand, staged, new, _make_runs(caller, brand, new.days), progress)
    return Stored(
        added=added,
        known=staged.count - added,
        prompts=prompts,
        citations=new.citations,
        left_out=dict(new.left_out.most_common()),
    )


def import_key(brand: Brand, row: ImportedAnswer) -> str:
    """SHA-256 (hex) of what makes an imported answer the same one: brand, engine, surface where it is stated, prompt,
    sample, time and text."""
    identity = (str(brand.pk), row.engine, row.prompt, row.sample, row.time.isoformat(), row.text)
    stated = () if row.surface is Surface.IMPORTED else (row.surface,)
    return hashlib.sha256(orjson.dumps((*identity, *stated))).hexdigest()


def _with_keys(brand: Brand, staged: StagedAnswers) -> Iterator[dict[str, ImportedAnswer]]:
    """The rows by key, a few at a time."""
    for chunk in staged.chunks():
        yield {import_key(brand, row): row for row in chunk}


def _find_new(brand: Brand, staged: StagedAnswers) -> _New:
    new, wordings = _New(), wordings_of(brand)
    for chunk in _with_keys(brand, staged):
        stored = set(Answer.objects.filter(import_key__in=list(chunk)).values_list("import_key", flat=True))
        for key, row in chunk.items():
            if key in stored:
                continue
            if key not in new.keys:
                new.count_citations(row)
            new.keys.add(key)
            new.days.add(row.time.date())
            digest = wording_digest(row.prompt)
            if digest not in wordings:
                new.drafts.setdefault(digest, PromptDraft(text=row.prompt, topic=row.topic))
    return new


def _make_runs(caller: Caller, brand: Brand, days: set[date]) -> dict[date, _Day]:
    now = timezone.now()
    runs = {
        day: Run(
            brand=brand,
            kind=Run.Kind.VISIBILITY,
            trigger=Run.Trigger.IMPORT,
            status=Run.Status.QUEUED,
            actor=caller.actor,
            # A microsecond apart, so that lists of runs keep the order of the days.
            created_at=now + timedelta(microseconds=index),
            not_before=now,
        )
        for index, day in enumerate(sorted(days))
    }
    Run.objects.bulk_create(runs.values())
    scan_engines = asked_engines(brand.pk)
    return {day: _Day(run, scan_engines) for day, run in runs.items()}


def _insert(brand: Brand, staged: StagedAnswers, new: _New, days: Mapping[date, _Day], progress: Progress) -> None:
    wordings, total, unstored_keys = wordings_of(brand), len(new.keys), new.keys
    for chunk in _with_keys(brand, staged):
        answers = []
        for key, row in chunk.items():
            if key in unstored_keys:
                unstored_keys.remove(key)
                answers.append(_answer(days[row.time.date()], wordings[wording_digest(row.prompt)], key, row))
        Answer.objects.bulk_create(answers)
        progress("Storing", total - len(unstored_keys), total)
    for day in days.values():
        day.run.engines = sorted(day.engines)
    fields = ["started_at", "finished_at", "total", "done", "failed", "engines"]
    Run.objects.bulk_update([day.run for day in days.values()], fields, batch_size=100)


def _answer(day: _Day, wording: Wording, key: str, row: ImportedAnswer) -> Answer:
    run, text = day.run, without_closing_lines(row.text)
    engine = name_of_imported(row.engine, row.surface, day.scan_engines)
    _count(run, row.time, answered=bool(text.strip()))
    day.engines.add(engine)
    answer = Answer(
        run=run,
        brand_id=run.brand_id,
        prompt_id=wording.prompt,
        version_id=wording.version,
        engine=engine,
        surface=row.surface,
        sample=day.sample(wording.version, engine, row.sample),
        position=run.total,
        state=Answer.State.ANSWERED,
        text=text,
        sources=[source.as_json() for source in row.citations if source.url],
        answered_at=row.time,
        import_key=key,
    )
    if not text.strip():
        answer.state, answer.error_code = Answer.State.FAILED, EMPTY
        answer.error_message = "The file holds no text for this answer."
    return answer


def _count(run: Run, time: datetime, *, answered: bool) -> None:
    run.total += 1
    run.done += answered
    run.failed += not answered
    run.started_at = min(run.started_at or time, time)
    run.finished_at = max(run.finished_at or time, time)
