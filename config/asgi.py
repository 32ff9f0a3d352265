"""ASGI entry point: the one port of the service. The rate limit is outermost and counts for every door."""

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("STATEMENT_SECONDS", "30")  # nobody waits longer for a page

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver
from servestatic import ServeStaticASGI

django: Any = get_wsgi_application()

# Only now: these import models, which need the applications that Django has just loaded.
from apikeys.edge.http import HEALTH_PATHS, Message, Receive, Send  # noqa: E402
from apikeys.edge.ratelimit import RateLimit  # noqa: E402
from config.apps import SERVICE  # noqa: E402
from config.files import FilesApart, hand_over_files  # noqa: E402
from mcp_bridge.dispatch import ThreadJobs  # noqa: E402
from mcp_bridge.endpoint import AgentEndpoint  # noqa: E402
from mcp_bridge.tools import ALL_TOOLS  # noqa: E402

if problems := run_checks(tags=[SERVICE]):
    raise ImproperlyConfigured(" ".join(f"{problem.msg} {problem.hint}" for problem in problems))

get_resolver().url_patterns  # noqa: B018 - imports every page now, and not for the first who calls
HEALTH_THREADS = 2

# Nothing is streamed from Django: a2wsgi would hold a thread for as long as the client takes. Files go out from here.
_pages: Any = FilesApart(WSGIMiddleware(hand_over_files(django), workers=settings.WEB_THREADS))
# Health has threads of its own: those of the pages may all be waiting for a database that hangs.
_health: Any = WSGIMiddleware(django, workers=HEALTH_THREADS)
_agent = AgentEndpoint(
    ALL_TOOLS,
    prefix=settings.TOOL_PREFIX,
    allowed_hosts=settings.ALLOWED_HOSTS,
    jobs=ThreadJobs(settings.TOOL_THREADS, "tool"),
    slow_jobs=ThreadJobs(settings.WRITER_THREADS, "writer"),
)


def _no_sniffing(headers: Any, path: str, url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"


_static = ServeStaticASGI(
    None,
    root=settings.STATIC_ROOT,
    prefix=settings.STATIC_URL,
    allow_all_origins=False,
    add_headers_function=_no_sniffing,
)


async def router(scope: Message, receive: Receive, send: Send) -> None:
    """Send a request to the application that answers it."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
    elif scope["path"].startswith(settings.STATIC_URL):
        await _static(scope, receive, send)
    elif scope["path"] == "/mcp":
        await _agent(scope, receive, send)
    elif scope["path"] in HEALTH_PATHS:
        await _health(scope, receive, send)
    else:
        await _pages(scope, receive, send)


async def _lifespan(receive: Receive, send: Send) -> None:
    """Answer the server's start and end, which Django's own handler refuses; the agent endpoint runs in between."""
    await receive()
    async with _agent.running():
        await send({"type": "lifespan.startup.complete"})
        await receive()
    await send({"type": "lifespan.shutdown.complete"})


application = RateLimit(
    router,
    rate=settings.RATE_LIMIT,
    rates=settings.RATE_LIMIT_NETWORKS,
    trusted_proxies=settings.TRUSTED_PROXIES,
)
