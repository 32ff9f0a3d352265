"""How the service stands, in a line for each part: what is wrong, if anything, and what to do about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, TextField, Value, Window
from django.db.models.functions import Concat, RowNumber
from django.utils import timezone

from apikeys.text.sentences import counted, one_line, shortened
from visibility.jobs.kinds import KINDS
from visibility.jobs.lease import due
from visibility.measured.charges import charges_in_words, charges_since
from visibility.metrics.amounts import duration
from visibility.models import Answer, EngineConfig, ProviderCall, Run
from visibility.models.jobs import LeasedJob
from visibility.services.health import worker_alive
from visibility.services.operating.backups import last_backup

LATE = timedelta(minutes=5)
"""A job that is due for longer waits for a worker that does not come."""
ERRORS_OF = timedelta(days=1)
LAST_ERROR_OF = timedelta(days=30)
"""What went wrong before that says nothing of the engine of today."""
BACKUP_AGE = timedelta(days=2)
MAX_ERROR = 160
STUCK_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class StatusLine:
    """One part of the service: `says` what is so, `remedy` what to do where it `is_wrong`. `rows` are the model whose
    list shows more, with the filter of that list in `query`."""

    part: str
    says: str
    is_wrong: bool = False
    remedy: str = ""
    rows: type[LeasedJob] | type[Answer] | type[EngineConfig] | type[ProviderCall] | None = None
    query: str = ""


def service_status(now: datetime) -> list[StatusLine]:
    """How everything stands at `now`: workers, queue, runs, providers, spend, backup."""
    return [_workers(), _queue(now), _stuck(now), *_providers(now), _spend(now), _backup(now)]


def _workers() -> StatusLine:
    if worker_alive():
        return StatusLine("Workers", "At least one has been heard within the last minute.")
    remedy = "Start one: manage.py serve, or, where the parts run apart, celery -A config worker -P threads."
    return StatusLine("Workers", "None has been heard within the last minute: no scan moves.", True, remedy)


def _queue(now: datetime) -> StatusLine:
    """Jobs that are due, and since when the one that waits longest."""
    waiting = [(kind.model._default_manager.filter(due(kind, now)), kind) for kind in KINDS]
    numbers = {kind: jobs.count() for jobs, kind in waiting}
    total = sum(numbers.values())
    if not total:
        return StatusLine("Queue", "Nothing waits.", rows=Run)
    starts = [jobs.order_by("not_before").values_list("not_before", flat=True).first() for jobs, _ in waiting]
    since = min(start for start in starts if start is not None)
    is_late = now - since > LATE
    says = f"{counted(total, 'job waits', 'jobs wait')}, the first for {duration((now - since).total_seconds())}."
    remedy = "Look whether workers run and are enough; the queue is announced again every minute." if is_late else ""
    return StatusLine("Queue", says, is_late, remedy, Run, "status__in=queued,running")


def _stuck(now: datetime) -> StatusLine:
    """Runs that were begun again and again, or whose worker has been silent for long."""
    abandoned = Q(lease_until__lt=now - LATE) | Q(attempt__gte=STUCK_ATTEMPTS)
    number = Run.objects.filter(abandoned, status__in=Run.ACTIVE).count()
    if not number:
        return StatusLine("Stuck runs", "None.", rows=Run)
    says = f"{counted(number, 'run makes', 'runs make')} no progress."
    remedy = "Open each: its error says why it broke off. Queue it again, or cancel it."
    return StatusLine("Stuck runs", says, True, remedy, Run, "status__in=queued,running")


def _providers(now: datetime) -> Iterator[StatusLine]:
    """Questions of the last day that came to nothing, by engine, with the last error of each."""
    errors = recent_errors(now)
    for engine, error in errors.items():
        says = f"{counted(error.number, 'question')} without an answer within a day. The last: {error.message}"
        remedy = "Test the connection on the engine's page; check its key and what the provider allows."
        yield StatusLine(f"Engine {engine}", says, True, remedy, Answer, f"state=failed&engine={engine}")
    if not errors:
        yield StatusLine("Engines", "No question went without an answer within a day.", rows=EngineConfig)


@dataclass(frozen=True, slots=True)
class EngineErrors:
    """Questions of an engine that came to nothing, and what was told of the last one."""

    number: int
    message: str


def recent_errors(now: datetime) -> dict[str, EngineErrors]:
    """What failed in the scans of the last day, by the name of the engine; one statement."""
    newest = [F("run__created_at").desc(), F("position").desc()]
    rows = failures_since(now - ERRORS_OF).annotate(
        place=Window(RowNumber(), partition_by=F("engine"), order_by=newest),
        number=Window(Count("pk"), partition_by=F("engine")),
    )
    last = rows.filter(place=1).order_by("engine").values_list("engine", "number", "error_code", "error_message")
    return {engine: EngineErrors(number, _said(f"{code}: {message}")) for engine, number, code, message in last}


def failures_since(start: datetime) -> QuerySet[Answer]:
    """Questions of scans begun since then that came to nothing. Runs know how many of theirs failed, so that only
    those are looked through that have any; what was imported empty says nothing of a provider."""
    failed: QuerySet[Answer] = Answer.objects.filter(
        state=Answer.State.FAILED, run__failed__gt=0, run__created_at__gte=start
    )
    return failed.exclude(run__trigger=Run.Trigger.IMPORT).order_by()


def with_last_error(configs: QuerySet[EngineConfig], now: datetime) -> QuerySet[EngineConfig]:
    """The engines with `newest_failure`: why the last question of LAST_ERROR_OF that came to nothing did so."""
    failed = failures_since(now - LAST_ERROR_OF).filter(engine=OuterRef("name"))
    newest = failed.order_by("-run__created_at", "-position")
    said = newest.values(said=Concat("error_code", Value(": "), "error_message", output_field=TextField()))[:1]
    return configs.annotate(newest_failure=Subquery(said))


def last_error(config: EngineConfig) -> str:
    """The error of an engine that was read by `with_last_error`; empty where there is none."""
    return _said(getattr(config, "newest_failure", None) or "")


def _said(error: str) -> str:
    return shortened(one_line(error), MAX_ERROR)


def _spend(now: datetime) -> StatusLine:
    month = timezone.localdate(now).replace(day=1)
    start = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return StatusLine(
        "Spend", f"Since {month:%-d %B %Y}: {charges_in_words(charges_since(start))}.", rows=ProviderCall
    )


def _backup(now: datetime) -> StatusLine:
    made = last_backup(settings.VAR_DIR)
    remedy = "Make one: manage.py backup FILE, every day by a timer, to another disk."
    if made is None:
        return StatusLine("Backup", "None is known on this machine.", True, remedy)
    age = now - made
    says = f"The last one was made {duration(age.total_seconds())} ago, at {made:%-d %b %Y %H:%M} UTC."
    is_old = age > BACKUP_AGE
    return StatusLine("Backup", says, is_old, remedy if is_old else "")
