"""The Celery application: it delivers jobs; the run row decides (see visibility.jobs).

A worker needs DJANGO_SETTINGS_MODULE in its environment; `manage.py serve` sets it.
"""

import ctypes
import warnings

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import beat_init, worker_init, worker_shutting_down
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

from config.local.running import Occupied, join
from config.postgres.bounds import BOUNDS
from visibility.jobs.stopping import stopping

# Messages are ids in JSON, which nobody can turn into a call: the worker may have the rights of whoever starts it.
warnings.filterwarnings("ignore", category=SecurityWarning)
TRANSPORT_ALIASES["filesystem"] = "config.local.filequeue:Transport"
TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = "config.redisqueue:Transport"

M_ARENA_MAX, HEAPS = -8, 2
"""The parameter of glibc's mallopt, and how many heaps a worker needs: Python lets one thread at a time compute."""

app = Celery("config")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def _bound_statements(**_: object) -> None:
    BOUNDS.set(settings.DATABASE_JOB_STATEMENT_SECONDS)


@worker_init.connect
@beat_init.connect
def _join_the_service(**_: object) -> None:
    """While a restore replaces the database no process of the service starts."""
    try:
        join(settings.VAR_DIR)
    except Occupied as error:
        raise SystemExit(f"A restore is under way on {error}. Start again when it is done.") from error


@worker_init.connect
def _share_heaps(**_: object) -> None:
    """glibc gives up to eight heaps a core to threads, and each keeps the most that it ever held: with the threads
    that come and go with each scan a worker would grow by some hundred KB a scan. Other C libraries have one heap."""
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(M_ARENA_MAX, HEAPS)


@worker_shutting_down.connect
def _tell_the_runs(**_: object) -> None:
    """Celery waits for the tasks under way; they are told to make it short."""
    stopping.set()
