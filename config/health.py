"""What a load balancer asks: is the process up, and can it serve."""

from dataclasses import asdict

import orjson
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from visibility.services import health


@csrf_exempt  # it changes nothing, and a refused method is told as one
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process answers; looks at nothing else."""
    return _answer({"status": "ok"}, 200)


@csrf_exempt
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when database, migrations and worker are well, else 503 within two seconds; names each part, and what is
    wrong with it."""
    report = health.check()
    status = "ok" if report.ready else "unavailable"
    return _answer({"status": status, **asdict(report)}, 200 if report.ready else 503)


def _answer(body: dict[str, object], status: int) -> HttpResponse:
    return HttpResponse(
        orjson.dumps(body), status=status, content_type="application/json", headers={"Cache-Control": "no-store"}
    )
