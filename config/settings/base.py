"""What all variants of the service share. Every value from the environment has a default that runs embedded."""

import sys
from pathlib import Path

import environ
import structlog
from csp.constants import NONE, SELF

from config.settings.audit import checked_user_agent, default_user_agent, local_hosts
from config.settings.storage import cache_settings, celery_settings, database_settings, prepare_var

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = prepare_var(Path(env.str("VAR_DIR", default=str(BASE_DIR / "var"))))

DEBUG = False
SECRET_KEY = env.str("SECRET_KEY", default="")
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])
TRUSTED_PROXIES: list[str] = env.list("TRUSTED_PROXIES", default=[])
RATE_LIMIT: str = env.str("RATE_LIMIT", default="300/m")
# How long a request waits for the cache before it is counted in the process.
CACHE_TIMEOUT_SECONDS: float = env.float("CACHE_TIMEOUT_SECONDS", default=0.2)
# Wrong passwords of one account from one address, and of all accounts from one address; mails to one account.
SIGN_IN_FAILURES: str = env.str("SIGN_IN_FAILURES", default="10/15m")
SIGN_IN_FAILURES_PER_ADDRESS: str = env.str("SIGN_IN_FAILURES_PER_ADDRESS", default="100/15m")
PASSWORD_RESET_MAILS: str = env.str("PASSWORD_RESET_MAILS", default="5/h")
INVITATIONS: str = env.str("INVITATIONS", default="20/d")
WEB_WORKERS: int = env.int("WEB_WORKERS", default=2)
WEB_THREADS: int = env.int("WEB_THREADS", default=8)
WORKER_THREADS: int = env.int("WORKER_THREADS", default=5)
# Of the threads of each worker process: for audits, which scans leave alone.
AUDIT_SLOTS: int = env.int("AUDIT_SLOTS", default=1)
# Of the agent endpoint in each web process: for tools, and for those that wait for an engine to write.
TOOL_THREADS: int = env.int("TOOL_THREADS", default=8)
WRITER_THREADS: int = env.int("WRITER_THREADS", default=4)

INSTALLED_APPS = [
    "config.staffpages.StaffPagesConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "apikeys",
    "brands",
    "visibility",
    "mcp_bridge",
    "config",
]

MIDDLEWARE = [
    "apikeys.http.frames.RoomyMiddleware",
    "apikeys.http.middleware.BodilessMiddleware",
    "apikeys.http.middleware.RequestIdMiddleware",
    "apikeys.signin.middleware.SecureCookiesMiddleware",
    "apikeys.http.middleware.StrayCallMiddleware",
    "apikeys.http.middleware.JsonErrorMiddleware",
    "apikeys.http.middleware.RefuseNulMiddleware",
    "apikeys.http.middleware.AcceptedGzipMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "config.health.HealthMiddleware",
    "apikeys.signin.middleware.UnstoredMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.errors.RefusedMethodMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "apikeys.signin.middleware.SignedOutMiddleware",
]
APPEND_SLASH = False

ROOT_URLCONF = "config.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["visibility.templatetags.figures", "visibility.templatetags.words"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

_THREADS = max(WEB_THREADS + TOOL_THREADS + WRITER_THREADS, WORKER_THREADS)  # of a web and of a worker process
DATABASES = {"default": database_settings(env, VAR_DIR, pool_size=_THREADS + 2)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# How long PostgreSQL may take for one statement of a web process, and of a worker or the scheduler; half of it for a
# lock. Callers have their answer, or a refusal, within half a minute.
DATABASE_STATEMENT_SECONDS: float = env.float("DATABASE_STATEMENT_SECONDS", default=15.0)
DATABASE_JOB_STATEMENT_SECONDS: float = env.float("DATABASE_JOB_STATEMENT_SECONDS", default=600.0)
DATABASE_PREPARE = env.bool("DATABASE_PREPARE", default=True)
CACHES = cache_settings(env, VAR_DIR, timeout=CACHE_TIMEOUT_SECONDS)
RATELIMIT_USE_CACHE = "rate"
# The rate limit falls back to a counter in the process when the cache is silent; see apikeys.http.ratelimit.
SILENCED_SYSTEM_CHECKS = ["django_ratelimit.E003", "django_ratelimit.W001"]

AUTH_USER_MODEL = "apikeys.User"
AUTHENTICATION_BACKENDS = ["apikeys.signin.sessions.Accounts"]
SESSION_ENGINE = "apikeys.signin.sessions"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "brand-list"
LOGOUT_REDIRECT_URL = "login"
EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
EMAIL_TIMEOUT = 10  # seconds; without one a silent mail server would keep a web thread for ever
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Brand Visibility Service <noreply@localhost>")

LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_I18N = True
FORMAT_MODULE_PATH = "config.formats"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "templates" / "assets"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"},
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["apikeys.http.renderers.ResourceRenderer"],
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_AUTHENTICATION_CLASSES": ["apikeys.http.authentication.ApiKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["apikeys.http.permissions.PlanAndScope"],
    "DEFAULT_SCHEMA_CLASS": "apikeys.http.schema.ResourceSchema",
    "DEFAULT_VERSIONING_CLASS": None,
    "EXCEPTION_HANDLER": "apikeys.http.exceptions.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Brand Visibility Service",
    "DESCRIPTION": "Read-only reporting API: how visible brands are in the answers of AI systems.",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    # As a path: the description is the same bytes wherever the service runs, and stands on the server it describes.
    "SERVERS": [{"url": "/", "description": "the service that this description comes from"}],
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": False,
    "POSTPROCESSING_HOOKS": ["apikeys.http.schema.without_titles"],
}

vars().update(celery_settings(env, VAR_DIR))

# Failures are logged without the values of variables, which are raw keys and passwords too: where the library `rich`
# is installed structlog would show them.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(colors=sys.stdout.isatty(), exception_formatter=structlog.dev.plain_traceback),
    ]
)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"links": {"()": "apikeys.signin.links.LinkFilter"}},
    "loggers": {
        # What its threads say of a database that is away, over and over, apikeys.db.outages says once.
        "psycopg.pool": {"level": "CRITICAL"},
        "django.request": {"filters": ["links"]},
        "django.security.csrf": {"filters": ["links"]},
    },
}

# Scans
SCAN_COOLDOWN_SECONDS: int = env.int("SCAN_COOLDOWN_SECONDS", default=3600)
SCAN_LEASE_SECONDS: int = env.int("SCAN_LEASE_SECONDS", default=30)
SCAN_MAX_ATTEMPTS: int = env.int("SCAN_MAX_ATTEMPTS", default=5)
SCAN_PROVIDER_PATIENCE_SECONDS: float = env.float("SCAN_PROVIDER_PATIENCE_SECONDS", default=600.0)
SCAN_CANCEL_GRACE_SECONDS: float = env.float("SCAN_CANCEL_GRACE_SECONDS", default=60.0)
# Below what the supervisor gives its processes to end.
SCAN_STOP_GRACE_SECONDS: float = env.float("SCAN_STOP_GRACE_SECONDS", default=5.0)
# What one scan may take; without them, what it reserves and what its engines cost.
SCAN_MAX_COST_USD: float | None = env.float("SCAN_MAX_COST_USD", default=0.0) or None
SCAN_MAX_CREDITS: int | None = env.int("SCAN_MAX_CREDITS", default=0) or None
# Decompressed; a larger body is not read to its end.
MAX_PROVIDER_BODY_BYTES: int = env.int("MAX_PROVIDER_BODY_BYTES", default=8_000_000)
SCHEDULER_TICK_SECONDS: float = env.float("SCHEDULER_TICK_SECONDS", default=5.0)
# Ticks that pile up while no worker runs say nothing new: they expire.
CELERY_BEAT_SCHEDULE = {
    "tick": {"task": "visibility.tasks.tick", "schedule": SCHEDULER_TICK_SECONDS, "options": {"expires": 30}}
}
# Dotted paths of factories of further engines, available to every brand; see visibility.pipeline.ask.engines.
EXTRA_ENGINES: list[str] = env.list("EXTRA_ENGINES", default=[])
# How long providers' raw responses are kept; see visibility.pipeline.retention.
RAW_BODY_DAYS: int = env.int("RAW_BODY_DAYS", default=90)
CALL_LOG_DAYS: int = env.int("CALL_LOG_DAYS", default=400)
ADMIN_LOG_DAYS: int = env.int("ADMIN_LOG_DAYS", default=730)
# What a deactivation ends, a function of each floor in turn: see apikeys.services.users.deactivate_user.
ACCOUNT_ENDINGS = (
    "apikeys.services.keys.end_keys",
    "brands.services.endings.end_offers_and_slots",
    "visibility.services.scans.endings.end_runs",
)
TOOL_PREFIX: str = env.str("TOOL_PREFIX", default="svc_")

# Site audits
AUDIT_USER_AGENT: str = checked_user_agent(env.str("AUDIT_USER_AGENT", default=default_user_agent(ALLOWED_HOSTS)))
# Names that lead to this machine instead of the internet, for the demo and tests; refused in production.
AUDIT_LOCAL_HOSTS: dict[str, tuple[str, int]] = local_hosts(env.list("AUDIT_LOCAL_HOSTS", default=[]))
# Whom the page about the crawler (/bot) names for questions: a mail address, or the address of a page.
AUDIT_CONTACT: str = env.str("AUDIT_CONTACT", default="")
# How long the pages of audits are kept; scores and findings stay. See visibility.pipeline.retention.
AUDIT_PAGES_DAYS: int = env.int("AUDIT_PAGES_DAYS", default=90)
