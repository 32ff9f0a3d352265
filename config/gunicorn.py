"""How the web server runs: `gunicorn -c python:config.gunicorn`."""

import os
import shutil
import tempfile
from ipaddress import ip_network
from typing import Any

from config.address import bound
from config.drain import DRAIN_SECONDS

# Named before prometheus_client is imported, whose counters then lie in files that all processes share.
counts = tempfile.mkdtemp(prefix="metrics-") if os.environ.get("METRICS_PORT") else ""
if counts:
    os.environ.update(PROMETHEUS_MULTIPROC_DIR=counts)

from config import monitoring  # noqa: E402

wsgi_app = "config.asgi:application"
worker_class = "config.drain.DrainingWorker"
asgi_lifespan = "on"
bind = bound()
workers = int(os.environ.get("WEB_WORKERS") or 1)
graceful_timeout = DRAIN_SECONDS + 3  # the parent counts from the signal
timeout = 60
# Idle connections stay open longer than at any load balancer (60 s): who closes first loses no request.
keepalive = 75
loglevel = "warning"
# Only a trusted proxy is believed when it says that the client came by TLS.
forwarded_allow_ips = ",".join(
    str(ip_network(text.strip(), strict=False))
    for text in os.environ.get("TRUSTED_PROXIES", "").split(",")
    if text.strip()
)
secure_scheme_headers = {"X-FORWARDED-PROTO": "https"}
control_socket_disable = True


def when_ready(server: Any) -> None:
    """The parent serves the metrics of its processes."""
    if counts:
        monitoring.serve_shared()


def child_exit(server: Any, worker: Any) -> None:
    """Also after a kill."""
    if counts:
        monitoring.forget_process(worker.pid)


def on_exit(server: Any) -> None:
    """The counts end with the server, as Prometheus expects."""
    if counts:
        shutil.rmtree(counts, ignore_errors=True)
