"""What a load balancer asks: is the process up (/healthz), and can the service work (/readyz)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

from brands.later import has_worker

PATIENCE_SECONDS = 1.5
# A look at a database that hangs does not end and keeps this thread; those that wait for it give up in time.
_looker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="health")


class HealthMiddleware:
    """Answers both paths before anyone looks at the host: a load balancer calls by whatever address it has."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info == "/healthz":
            return _answer({"status": "ok"}, 200)
        if request.path_info == "/readyz":
            parts = readiness()
            ready = all(state == "ok" for state in parts.values())
            return _answer({"status": "ok" if ready else "unavailable", **parts}, 200 if ready else 503)
        return self.get_response(request)


def readiness() -> dict[str, str]:
    """The state of database, migrations and worker: "ok", or what is wrong. Answers within two seconds."""
    try:
        return _looker.submit(_look).result(PATIENCE_SECONDS)
    except (DatabaseError, TimeoutError) as error:
        return {"database": f"away ({type(error).__name__})", "migrations": "unknown", "worker": "unknown"}


def _look() -> dict[str, str]:
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if waiting:
            return {"database": "ok", "migrations": f"{len(waiting)} are not applied", "worker": "unknown"}
        alive = has_worker()
    finally:
        connection.close()
    return {"database": "ok", "migrations": "ok", "worker": "ok" if alive else "none is running"}


def _answer(body: dict[str, str], status: int) -> HttpResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})
