"""ASGI entry point: the one port of the service. The rate limit is outermost and counts for every door."""

import os
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from servestatic import ServeStaticASGI

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
_wsgi: Any = get_wsgi_application()
HEALTH_THREADS = 2

# Only now: the doors import models, which need the applications that Django has just loaded.
from apikeys.http.ratelimit import RateLimitMiddleware  # noqa: E402
from config.postgres.bounds import BOUNDS  # noqa: E402
from config.routing import Router  # noqa: E402
from config.starting import prepare  # noqa: E402
from config.wsgi_bridge import PatientWSGI  # noqa: E402
from mcp_bridge.endpoint import agent_endpoint  # noqa: E402
from mcp_bridge.jobs import ThreadJobs  # noqa: E402
from mcp_bridge.tools import ALL_TOOLS  # noqa: E402

BOUNDS.set(settings.DATABASE_STATEMENT_SECONDS)
application = RateLimitMiddleware(
    Router(
        django=PatientWSGI(_wsgi, workers=settings.WEB_THREADS),
        health=PatientWSGI(_wsgi, workers=HEALTH_THREADS),
        agent=agent_endpoint(
            ALL_TOOLS,
            prefix=settings.TOOL_PREFIX,
            allowed_hosts=settings.ALLOWED_HOSTS,
            jobs=ThreadJobs(settings.TOOL_THREADS, "tool"),
            slow_jobs=ThreadJobs(settings.WRITER_THREADS, "writer"),
        ),
        static=ServeStaticASGI(
            None, root=settings.STATIC_ROOT, prefix=settings.STATIC_URL, max_age=3600, allow_all_origins=False
        ),
        static_prefix=settings.STATIC_URL,
        prepare=prepare,
    ),
    rate=settings.RATE_LIMIT,
    trusted_proxies=settings.TRUSTED_PROXIES,
    cache_timeout=settings.CACHE_TIMEOUT_SECONDS,
)
