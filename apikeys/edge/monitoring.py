"""What operators watch of requests, as Prometheus metrics. No label holds a brand, a person, a key or what a client
wrote.

Requests that the rate limit refuses have no name: nothing has looked at their path.
"""

import logging
from http import HTTPStatus

from django.db import connection
from prometheus_client import Counter, Gauge, Histogram

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
"""Seconds, up to the time limit of statements."""
REQUESTS = Counter(
    "visibility_requests", "Requests that were answered; name: route or tool", ["door", "name", "status"]
)
SECONDS = Histogram("visibility_request_seconds", "How long answers took", ["door", "name"], buckets=BUCKETS)
POOL = Gauge(
    "visibility_db_pool",
    "Connections to the database, of all processes of a web server; waiting: requests for one",
    ["state"],
    multiprocess_mode="livesum",
)
REFUSED = Counter("visibility_refused", "Requests that were refused, by the code of the error", ["reason"])

logger = logging.getLogger(__name__)


def note_answer(*, door: str, name: str, status: int, seconds: float, error_code: str = "") -> None:
    """Count an answered request. A refused one is a line of the log at the level INFO, too."""
    REQUESTS.labels(door, name, status).inc()
    SECONDS.labels(door, name).observe(seconds)
    _look_at_pool()
    if status < HTTPStatus.BAD_REQUEST or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return
    reason = error_code or HTTPStatus(status).phrase.lower().replace(" ", "_")
    note_refusal(door=door, name=name, reason=reason)


def note_refusal(*, door: str, name: str, reason: str) -> None:
    """Count a refusal, and log it in one line."""
    REFUSED.labels(reason).inc()
    logger.info("Refused at %s: %s: %s", door, name, reason)


def _look_at_pool() -> None:
    pool = getattr(connection, "pool", None)  # PostgreSQL's own
    if pool is None:
        return
    stats = pool.get_stats()
    for state, name in (("open", "pool_size"), ("idle", "pool_available"), ("waiting", "requests_waiting")):
        POOL.labels(state).set(stats.get(name, 0))
