"""What operators watch of calls to engines, as Prometheus metrics of the process that makes them."""

from prometheus_client import Counter, Histogram

CALLS = Counter("visibility_engine_calls", "Calls to engines that ended", ["engine", "outcome"])
SECONDS = Histogram(
    "visibility_engine_seconds",
    "How long engines took to answer",
    ["engine"],
    buckets=(0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300),
)
