"""The Celery application: it delivers jobs; the run row decides (see visibility.scans).

A worker needs DJANGO_SETTINGS_MODULE in its environment; `manage.py serve` sets it.
"""

from celery import Celery
from celery.signals import worker_shutting_down
from kombu.transport import TRANSPORT_ALIASES

from visibility.scans.stopping import stopping

TRANSPORT_ALIASES["filesystem"] = "config.filequeue:Transport"

app = Celery("config")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_shutting_down.connect
def _tell_the_runs(**_: object) -> None:
    """Celery waits for the tasks under way; they are told to make it short."""
    stopping.set()
