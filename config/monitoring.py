"""Prometheus metrics on a port of their own: METRICS_PORT of METRICS_HOST; without it there are none."""

import logging
import os

from prometheus_client import REGISTRY, CollectorRegistry, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

logger = logging.getLogger(__name__)


def serve(registry: CollectorRegistry = REGISTRY) -> None:
    """Serve a registry from a thread. A port that is taken costs the metrics, and not the process."""
    port = int(os.environ.get("METRICS_PORT") or 0)
    if not port:
        return
    host = os.environ.get("METRICS_HOST") or "127.0.0.1"
    try:
        start_http_server(port, host, registry)
    except OSError as error:
        logger.error("No metrics at %s:%s (%s). Give each process a METRICS_PORT of its own.", host, port, error)


def serve_shared() -> None:
    """Serve what all processes of this web server count, in the files of PROMETHEUS_MULTIPROC_DIR."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    serve(registry)


def forget_process(pid: int) -> None:
    """Take back what a process that ended held open; what it counted stays."""
    mark_process_dead(pid)  # type: ignore[no-untyped-call]
