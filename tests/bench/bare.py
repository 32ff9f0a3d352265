"""The limit: a Django view without middleware that runs the recorded SQL and dumps the same JSON with orjson."""

import json
import os
from pathlib import Path

import orjson
from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.http import HttpResponse
from django.urls import re_path

REPLAY = json.loads(Path(os.environ["BENCH_REPLAY"]).read_text()) if "BENCH_REPLAY" in os.environ else {}


def replay(request):
    """Run each statement of the real endpoint, fetch its rows, and answer with its payload."""
    recorded = REPLAY[request.get_full_path()][request.headers["Authorization"]]
    with connection.cursor() as cursor:
        for sql in recorded["sql"]:
            cursor.execute(sql)
            if cursor.description:
                cursor.fetchall()
    body = orjson.dumps(recorded["payload"])
    return HttpResponse(body, content_type="application/json", headers={"Content-Length": str(len(body))})


urlpatterns = [re_path(r"", replay)]


def __getattr__(name):
    if name == "application":
        return WSGIMiddleware(get_wsgi_application(), workers=8)
    raise AttributeError(name)
