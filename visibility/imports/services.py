"""Imports of answers that were captured elsewhere: all of a file or nothing, one run for each UTC day."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from typing import IO
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from apikeys.accounts.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import User
from brands.access import editable_brand
from brands.brands import create_brand
from brands.competitors import add_competitor
from brands.models import Brand
from brands.names import mark_counted
from visibility.detection import VERSION
from visibility.imports.reader import ImportedAnswer, Reading, read_answers
from visibility.imports.tables import BadLine, PassedOver
from visibility.models import Answer, Engine, PromptVersion, Run, RunEngine, Surface
from visibility.models.prompts import market_of
from visibility.prompts.services import PromptDraft, add_prompts, prompt_digest
from visibility.scores.measure import measure_waiting
from visibility.scores.recount import rescore
from visibility.topics.pooling import assign
from visibility.topics.services import decide_own_topics

BATCH = 1_000
MOST_NAMED = 20
"""Bad lines that a refusal names; the others are counted."""
Progress = Callable[[str, int, int | None], None]
"""Called with a stage, how much of it has been done since the last call, and its total where that is known."""


@dataclass(frozen=True, slots=True)
class NewBrand:
    """A brand that comes into being with its first import; `competitors` are names and domains."""

    owner: User
    name: str
    domain: str
    description: str = ""
    competitors: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import: answers that are new, those that were there already, and prompts that were added.

    `linked`: answers of the file whose citations are the links of their text; `unread`: its columns that hold
    something and that nobody reads; `passed_over`: how many of each kind were no answers; `first` and `last`: its
    days.
    """

    brand: Brand
    added: int
    known: int
    prompts: int
    linked: int
    unread: Sequence[str]
    passed_over: Mapping[str, int]
    first: date
    last: date


@dataclass(slots=True)
class _Contents:
    """What a file holds, counted while it is checked."""

    answers: int = 0
    linked: int = 0
    unread: set[str] = field(default_factory=set)
    passed_over: Counter[str] = field(default_factory=Counter)
    days: set[date] = field(default_factory=set)

    def add(self, row: ImportedAnswer) -> None:
        """Count one more answer."""
        self.answers += 1
        self.linked += row.has_links
        self.unread |= row.unread
        self.days.add(row.time.date())


def import_answers(
    caller: Caller,
    *,
    brand: UUID | NewBrand,
    file: IO[str],
    reading: Reading | None = None,
    surface: Surface = Surface.IMPORTED,
    own_topics: Collection[str] = (),
    progress: Progress = lambda stage, done, total: None,
) -> Imported:
    """Store the answers of a file that are new, then measure their days. No credits are spent.

    All or nothing: a bad line, a topic that there is not (invalid_arguments) or too small a quota (quota_exceeded)
    leaves no brand, prompt or answer behind. The same file again adds nothing, and measures what an earlier import
    left unmeasured. `reading` says how the file is read, `surface` is where answers were taken whose line does not
    say.
    """

    def rows() -> Iterator[ImportedAnswer | BadLine | PassedOver]:
        return read_answers(file, reading)

    contents = _check(rows(), progress)
    with transaction.atomic():
        target = (
            _make_brand(caller, brand) if isinstance(brand, NewBrand) else editable_brand(caller, brand, lock=True)
        )
        added, prompts = _store(caller, target, rows, surface, lambda: progress("Storing", 1, contents.answers))
        if own_topics:
            decide_own_topics(caller, brand_id=target.pk, names=own_topics)
    measure_waiting(target, lambda number, total: progress("Measuring", number, total))
    if own_topics:
        rescore(target.pk)  # here and now, though a job for it waits: who imports wants to see the figures
    known, days = contents.answers - added, contents.days
    return Imported(
        brand=target,
        added=added,
        known=known,
        prompts=prompts,
        linked=contents.linked,
        unread=sorted(contents.unread),
        passed_over=contents.passed_over,
        first=min(days),
        last=max(days),
    )


def _check(rows: Iterator[ImportedAnswer | BadLine | PassedOver], progress: Progress) -> _Contents:
    """Read the whole file once, before anything is written."""
    bad: list[BadLine] = []
    contents = _Contents()
    for row in rows:
        if isinstance(row, BadLine):
            bad.append(row)
        elif isinstance(row, PassedOver):
            contents.passed_over[row.kind] += 1
        else:
            contents.add(row)
        progress("Reading", 1, None)
    if bad or not contents.answers:
        raise refusal(bad, "answer")
    return contents


def refusal(bad: Sequence[BadLine], noun: str) -> ServiceError:
    """Why nothing of a file was imported: its bad lines, else that it is empty."""
    if not bad:
        return ServiceError(
            ErrorCode.INVALID_ARGUMENTS, gettext("The file holds no {noun}. Nothing was imported.").format(noun=noun)
        )
    shown = bad[:MOST_NAMED]
    named = "; ".join(f"{line.part} {line.line}: {line.reason}" for line in shown)
    more = gettext("; and {number} more").format(number=f"{len(bad) - len(shown):,}") if len(bad) > len(shown) else ""
    parts = gettext("{number} of the file's {part}s").format(number=f"{len(bad):,}", part=bad[0].part)
    return ServiceError(
        ErrorCode.INVALID_ARGUMENTS,
        gettext("Nothing was imported. Correct {parts} and import it again: {named}{more}.").format(
            parts=parts, named=named, more=more
        ),
        lines=[{"line": line.line, "reason": line.reason} for line in shown],
    )


def _make_brand(caller: Caller, new: NewBrand) -> Brand:
    brand = create_brand(caller, owner=new.owner, name=new.name, domain=new.domain, description=new.description)
    for name, domain in new.competitors:
        add_competitor(caller, brand_id=brand.pk, name=name, domain=domain)
    brand = editable_brand(caller, brand.pk, lock=True)
    brand.detector_version = VERSION
    brand.save(update_fields=["detector_version"])
    mark_counted(brand, brand.names_version)  # there is nothing to count yet
    return brand


def _store(
    caller: Caller,
    brand: Brand,
    read: Callable[[], Iterator[ImportedAnswer | BadLine | PassedOver]],
    surface: Surface,
    progress: Callable[[], None],
) -> tuple[int, int]:
    """Write the answers that the locked brand lacks; returns how many, and how many prompts were added."""
    lines: dict[str, tuple[date, str]] = {}
    drafts: dict[str, PromptDraft] = {}
    names: set[str] = set()
    for row in _answers(read()):
        digest = prompt_digest(row.prompt, row.locale)
        drafts.setdefault(digest, PromptDraft(row.prompt, row.topic, locale=row.locale))
        lines[import_key(brand, row, surface)] = (row.time.date(), digest)
        names.add(row.engine)
    new_keys = lines.keys() - set(Answer.objects.filter(import_key__in=lines).values_list("import_key", flat=True))
    days = {lines[key][0] for key in new_keys}
    digests = {lines[key][1] for key in new_keys}
    if not days:
        return 0, 0
    unknown = digests - _versions(brand).keys()  # others keep their history and stay as they are
    prompts = _add_prompts(caller, brand, [draft for digest, draft in drafts.items() if digest in unknown])
    versions = _versions(brand)
    engines = _engines(names)
    runs = _make_runs(caller, brand, days)
    taken: dict[date, Counter[tuple[int, int, str]]] = defaultdict(Counter)
    answers: list[Answer] = []
    for row in _answers(read()):
        key = import_key(brand, row, surface)
        if key not in new_keys:
            continue
        new_keys.discard(key)  # a line that the file has twice is one answer
        answer = _answer(brand, row, runs[row.time.date()], versions[prompt_digest(row.prompt, row.locale)])
        answer.engine, answer.surface, answer.import_key = engines[row.engine], row.surface or surface, key
        place = (answer.version_id, answer.engine_id, answer.surface)
        taken[answer.day][place] += 1
        answer.sample, answer.position = taken[answer.day][place], taken[answer.day].total()
        answers.append(answer)
        progress()
    Answer.objects.bulk_create(answers, batch_size=BATCH)
    _count_runs(runs.values(), answers)
    return len(answers), prompts


def _add_prompts(caller: Caller, brand: Brand, drafts: Sequence[PromptDraft]) -> int:
    """Add the prompts of an import; those that came without a topic are put together by their words."""
    known = set(brand.topics.values_list("pk", flat=True))
    topics = assign([draft.text for draft in drafts if not draft.topic], ())
    named = [replace(draft, topic=draft.topic or topics.get(draft.text, "")) for draft in drafts]
    created = add_prompts(caller, brand_id=brand.pk, drafts=named).created
    pooled = {prompt.topic_id for prompt in created if prompt.topic_id and prompt.text in topics}
    brand.topics.filter(pk__in=pooled - known).update(pooled=True)
    return len(created)


def import_key(brand: Brand, row: ImportedAnswer, surface: Surface) -> str:
    """What makes an imported answer the same one, SHA-256 as hex."""
    place = (str(brand.pk), row.engine, row.surface or surface)
    more = (row.locale, "absent" if row.absent else "")
    parts = (*place, row.prompt, str(row.sample), row.time.isoformat(), row.text, *filter(None, more))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _answers(rows: Iterator[ImportedAnswer | BadLine | PassedOver]) -> Iterator[ImportedAnswer]:
    """The answers of a file that was checked."""
    return (row for row in rows if isinstance(row, ImportedAnswer))


def _versions(brand: Brand) -> dict[str, PromptVersion]:
    """Every wording that the brand's prompts have or had, by digest; of equal ones that of an active prompt."""
    versions = PromptVersion.objects.filter(prompt__brand=brand).select_related("prompt")

    def rank(version: PromptVersion) -> tuple[bool, bool, int]:
        return version.prompt.archived_at is None, version.number == version.prompt.version, version.pk

    return {prompt_digest(version.text, version.locale): version for version in sorted(versions, key=rank)}


def _engines(names: Collection[str]) -> dict[str, Engine]:
    Engine.objects.bulk_create((Engine(name=name) for name in names), ignore_conflicts=True)
    return {engine.name: engine for engine in Engine.objects.filter(name__in=names)}


def _make_runs(caller: Caller, brand: Brand, days: Collection[date]) -> dict[date, Run]:
    runs = [
        Run(
            brand=brand,
            kind=Run.Kind.VISIBILITY,
            status=Run.Status.RUNNING,
            trigger=Run.Trigger.IMPORT,
            actor=caller.actor,
            day=day,
            started_at=datetime.combine(day, time(), UTC),
        )
        for day in sorted(days)
    ]
    Run.objects.bulk_create(runs)
    return {run.day: run for run in runs if run.day}


def _answer(brand: Brand, row: ImportedAnswer, run: Run, version: PromptVersion) -> Answer:
    is_empty = not row.text.strip() and not row.absent
    state = Answer.State.ABSENT if row.absent else Answer.State.FAILED if is_empty else Answer.State.ANSWERED
    return Answer(
        run=run,
        brand=brand,
        day=row.time.date(),
        prompt_id=version.prompt_id,
        version=version,
        state=state,
        error_code="empty_answer" if is_empty else "",
        text=row.text,
        sources=[{"url": source.url, "title": source.title} for source in row.citations],
        market=market_of(row.locale),
        country=row.country,
        answered_at=row.time,
    )


def _count_runs(runs: Collection[Run], answers: Sequence[Answer]) -> None:
    """What runs know of their answers: how many, of which engines, since when. They end when they are measured."""
    by_run: dict[UUID, list[Answer]] = defaultdict(list)
    for answer in answers:
        by_run[answer.run_id].append(answer)
    engines = []
    for run in runs:
        own = by_run[run.pk]
        times = [answer.answered_at for answer in own if answer.answered_at]
        run.total = len(own)
        run.failed = sum(answer.state == Answer.State.FAILED for answer in own)
        run.done = run.total - run.failed
        run.started_at = min(times)
        for (engine, surface), count in Counter((answer.engine_id, answer.surface) for answer in own).items():
            engines.append(RunEngine(run=run, engine_id=engine, surface=surface, total=count, done=count))
    Run.objects.bulk_update(runs, ["total", "done", "failed", "started_at"])
    RunEngine.objects.bulk_create(engines)
