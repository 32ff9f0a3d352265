"""The Celery application: it delivers jobs; the run row decides (see visibility.scans).

A worker needs DJANGO_SETTINGS_MODULE in its environment; `manage.py serve` sets it.
"""

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

TRANSPORT_ALIASES["filesystem"] = "config.filequeue:Transport"

app = Celery("config")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
