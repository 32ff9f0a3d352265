"""The Celery application: it delivers jobs; the run row decides (see visibility.jobs).

A worker needs DJANGO_SETTINGS_MODULE in its environment; `manage.py serve` sets it.
"""

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


@worker_shutting_down.connect
def _tell_the_runs(**_: object) -> None:
    """Celery waits for the tasks under way; they are told to make it short."""
    stopping.set()
