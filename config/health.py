"""What a load balancer asks: is the process up, and can it serve."""

from collections.abc import Callable
from dataclasses import asdict

import orjson
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from visibility.services import health


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process answers; looks at nothing else."""
    return _answer({"status": "ok"}, 200)


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when database, migrations and worker are well, else 503 within two seconds; names each part, and what is
    wrong with it."""
    report = health.check()
    status = "ok" if report.ready else "unavailable"
    return _answer({"status": status, **asdict(report)}, 200 if report.ready else 503)


def _answer(body: dict[str, object], status: int) -> HttpResponse:
    said = orjson.dumps(body)
    headers = {"Cache-Control": "no-store", "Content-Length": str(len(said))}
    return HttpResponse(said, status=status, content_type="application/json", headers=headers)


_PAGES = {"/healthz": healthz, "/readyz": readyz}


class HealthMiddleware:
    """Answers both before anyone looks at the host by which the service was called, at TLS or at forms: a load
    balancer calls by whatever address it has."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return _PAGES.get(request.path_info, self.get_response)(request)
