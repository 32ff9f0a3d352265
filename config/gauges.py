"""What only the database knows, as Prometheus metrics: the worker serves it. Every worker has the same values."""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Case, Count, Max, Min, Q, Value, When
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from apikeys.mail.sending import oldest_unsent
from apikeys.models import Mail
from apikeys.notes import last_backup
from apikeys.release import VERSION
from brands.later import WORKER_SILENT_SECONDS
from visibility.models import Engine, EngineAccount, Run
from visibility.runs.engines import reach
from visibility.runs.spending import spent

FRESH_SECONDS = 10
"""How long what the database answered is served again."""
_JOBS = "SELECT task_name, status::text, count(*) FROM procrastinate_jobs WHERE status <> 'aborted' GROUP BY 1, 2"
_OLDEST_JOBS = """
SELECT job.task_name, extract(epoch FROM now() - min(greatest(job.scheduled_at, event.at)))
FROM procrastinate_jobs AS job
LEFT JOIN procrastinate_events AS event ON event.job_id = job.id AND event.type = 'deferred'
WHERE job.status = 'todo' AND (job.scheduled_at IS NULL OR job.scheduled_at <= now()) GROUP BY 1
"""
_WORKERS = "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - make_interval(secs => %s)"
_SWEEP = "SELECT max(defer_timestamp) FROM procrastinate_periodic_defers WHERE task_name = 'visibility.jobs.sweep'"

OWN_APPS = frozenset({"apikeys", "brands", "visibility"})

Rows = Iterable[Sequence[object]]
"""The values of the labels, then the number."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One metric: its name, what it means, its labels, and how its rows are read."""

    name: str
    meaning: str
    labels: Sequence[str]
    read: Callable[[], Rows]


class StateOfService(Collector):
    """Reads all metrics in one go, at most once each FRESH_SECONDS; none while the database is away."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._families: list[GaugeMetricFamily] = []
        self._read_at = -float(FRESH_SECONDS)

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """The names, without asking the database."""
        return [GaugeMetricFamily(each.name, each.meaning, labels=each.labels) for each in READINGS]

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """The metrics with their values."""
        with self._lock:
            if time.monotonic() - self._read_at >= FRESH_SECONDS:
                self._read_at = time.monotonic()
                try:
                    self._families = [_family(each) for each in READINGS]
                except DatabaseError:
                    self._families = []
                finally:
                    connection.close()
            return self._families


def _family(reading: Reading) -> GaugeMetricFamily:
    family = GaugeMetricFamily(reading.name, reading.meaning, labels=reading.labels)
    for *labels, value in reading.read():
        if value is not None:
            family.add_metric([str(label) for label in labels], float(str(value)))
    return family


def _rows(statement: str, *parameters: int) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(cursor.fetchall())


def _jobs() -> Rows:
    return [(_short(name), *rest) for name, *rest in _rows(_JOBS)]


def _oldest_jobs() -> Rows:
    return [(_short(name), *rest) for name, *rest in _rows(_OLDEST_JOBS)]


def _short(task: object) -> str:
    return str(task).rpartition(".")[2]


def _runs() -> Rows:
    is_new = Q(finished_at__gte=timezone.now() - timedelta(days=1))
    runs = Run.objects.filter(is_new | Q(status__in=Run.ACTIVE)).order_by()
    return list(runs.values_list("kind", "status").annotate(number=Count("pk")))


def _oldest_run() -> Rows:
    oldest = Run.objects.active().aggregate(at=Min("created_at"))["at"]
    return [((timezone.now() - oldest).total_seconds() if oldest else 0,)]


def _mails() -> Rows:
    is_new = Q(created_at__gte=timezone.now() - timedelta(days=1))
    mails = Mail.objects.filter(is_new | Q(next_try_at__isnull=False)).order_by()
    state = Case(
        When(sent_at__isnull=False, then=Value("sent")),
        When(given_up_at__isnull=False, then=Value("given up")),
        default=Value("waiting"),
    )
    return list(mails.values_list(state).annotate(number=Count("pk")))


def _oldest_mail() -> Rows:
    oldest = oldest_unsent()
    return [((timezone.now() - oldest).total_seconds() if oldest else 0,)]


def _open_engines() -> Rows:
    """Whether the circuit breaker of an engine's account is open."""
    open_accounts = set(EngineAccount.objects.filter(open_until__gt=timezone.now()).values_list("digest", flat=True))
    reached = [each for each in map(reach, Engine.objects.asked()) if each is not None]
    return [(each.engine.name, int(each.account in open_accounts)) for each in reached]


def _spent() -> Rows:
    today = Q(created_at__gte=timezone.now().replace(hour=0, minute=0, second=0, microsecond=0))
    engines: dict[str, list[str]] = {}
    for name, preset in Engine.objects.exclude(preset="").values_list("name", "preset"):
        engines.setdefault(preset, []).append(name)
    return [(provider, spent(today & Q(engine__in=names))) for provider, names in engines.items()]


def _last_scan() -> Rows:
    scans = Run.objects.measured().filter(kind=Run.Kind.VISIBILITY).exclude(trigger=Run.Trigger.IMPORT)
    return [(_seconds(scans.aggregate(at=Max("finished_at"))["at"]),)]


def _seconds(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment else None


def _schema() -> str:
    """The newest migration of each of our apps."""
    applied = MigrationRecorder(connection).applied_migrations()
    newest: dict[str, str] = {}
    for app, name in sorted(applied):
        if app in OWN_APPS:
            newest[app] = f"{app}.{name[:4]}"
    return " ".join(newest.values())


def _workers() -> Rows:
    return _rows(_WORKERS, WORKER_SILENT_SECONDS)


def _last_sweep() -> Rows:
    return _rows(_SWEEP)


def _last_backup() -> Rows:
    return [(_seconds(last_backup()),)]


def _limit() -> Rows:
    return [(settings.DAY_SPEND_LIMIT,)]


def _info() -> Rows:
    return [(VERSION, _schema(), 1)]


READINGS = (
    Reading("visibility_jobs", "Jobs in the queue", ["task", "status"], _jobs),
    Reading("visibility_job_oldest_seconds", "Age of the oldest job that could begin", ["task"], _oldest_jobs),
    Reading("visibility_workers", "Workers that show a sign of life", [], _workers),
    Reading("visibility_runs", "Runs that are active, or ended within a day", ["kind", "status"], _runs),
    Reading("visibility_run_oldest_seconds", "Age of the oldest active run; 0: none is active", [], _oldest_run),
    Reading("visibility_mails", "Mails that wait, or were written within a day", ["status"], _mails),
    Reading("visibility_mail_oldest_seconds", "Age of the oldest mail that waits; 0: none waits", [], _oldest_mail),
    Reading("visibility_engine_open", "1: the engine does not answer, and is left alone", ["engine"], _open_engines),
    Reading("visibility_spent_dollars", "What calls of this day (UTC) cost", ["provider"], _spent),
    Reading("visibility_spend_limit_dollars", "DAY_SPEND_LIMIT", [], _limit),
    Reading("visibility_last_sweep_timestamp", "When a worker last looked for what is missing", [], _last_sweep),
    Reading("visibility_last_scan_timestamp", "When the last scan ended", [], _last_scan),
    Reading("visibility_last_backup_timestamp", "When `backup` last ended", [], _last_backup),
    Reading("visibility_info", "The release, and its tables", ["version", "schema"], _info),
)
