"""The settings of the service. Each value from the environment has a default that runs everything on one machine."""

import secrets
from decimal import Decimal
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF

from config.address import public_url
from config.database import database_of
from config.mail import mail_of
from config.postgres import embedded_url, var_folder

env = environ.Env()
BASE_DIR = Path(__file__).parent.parent
VAR_DIR = var_folder()
DEBUG = env.bool("DEBUG", default=False)


def _secret_key() -> str:
    """The key in a file that only its owner can read; the first start makes it."""
    file = VAR_DIR / "secret_key"
    if not file.exists():
        candidate = VAR_DIR / f"secret_key.{secrets.token_hex(4)}"
        candidate.touch(mode=0o600)
        candidate.write_text(secrets.token_urlsafe(50))
        try:
            file.hardlink_to(candidate)  # fails when another process was first: all share one key
        except FileExistsError:
            pass
        finally:
            candidate.unlink()
    return file.read_text()


def _dollars(name: str) -> Decimal | None:
    """An amount from the environment; None where none is given."""
    text = env.str(name, default="")
    return Decimal(text) if text else None


def _local_hosts(named: dict[str, str]) -> dict[str, tuple[str, int]]:
    """Host names with the address and port of this machine where they are served: `shop.example=127.0.0.1:9000`."""
    places = {host: place.rsplit(":", 1) for host, place in named.items()}
    return {host: (address, int(port)) for host, (address, port) in places.items()}


# Whether the service is meant for others than this machine: then unsafe defaults are refused, see config/apps.py.
IS_PUBLIC = "ALLOWED_HOSTS" in env.ENVIRON and not DEBUG
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
# Where people and programs reach the service, without a path or an ending slash: in letters, keys and what commands
# print. By default the address that `serve` was bound to.
PUBLIC_URL = public_url()
# Whether people may let apps in by signing in: apps compare each address with PUBLIC_URL, so somebody has to name it.
APPS_SIGN_IN = bool(env.str("PUBLIC_URL", default="").strip())
# Whether apps that publish no document about themselves may register by themselves.
APPS_MAY_REGISTER = env.bool("APPS_MAY_REGISTER", default=True)
# How long an app works without renewing its token, and how many days a connection lasts that nobody uses.
ACCESS_TOKEN_HOURS = env.int("ACCESS_TOKEN_HOURS", default=24)
CONNECTION_DAYS = env.int("CONNECTION_DAYS", default=90)
SECRET_KEY = env.str("SECRET_KEY", default="") or _secret_key()
# Keys of before: what they signed is accepted, and nothing more is signed with them.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
TRUSTED_PROXIES = [ip_network(text.strip(), strict=False) for text in env.list("TRUSTED_PROXIES", default=[])]
RATE_LIMIT = env.str("RATE_LIMIT", default="300/m")
# Networks whose addresses have a limit of their own each, as offices and hosted agents do: 203.0.113.0/24=3000/m,…
RATE_LIMIT_NETWORKS = {
    ip_network(text.strip(), strict=False): rate for text, rate in env.dict("RATE_LIMIT_NETWORKS", default={}).items()
}

# Threads of a web process, for pages and for tools, and the connections that they share.
WEB_THREADS = env.int("WEB_THREADS", default=8)
TOOL_THREADS = env.int("TOOL_THREADS", default=8)
# Tools of the agent endpoint that wait for engines have threads of their own.
WRITER_THREADS = env.int("WRITER_THREADS", default=4)
TOOL_PREFIX = env.str("TOOL_PREFIX", default="svc_")
# The web process ends statements after so many seconds; commands and the worker let them run (0).
STATEMENT_SECONDS = env.int("STATEMENT_SECONDS", default=0)

# A pooler in transaction mode in front of PostgreSQL: what belongs to a session is left away.
DATABASE_POOLER = env.bool("DATABASE_POOLER", default=False)
# Connections that a process keeps for its threads, at most; see docs/operators.md for the sum.
DATABASE_POOL = env.int("DATABASE_POOL", default=12)
DATABASES = {"default": database_of(env.str("DATABASE_URL", default="") or embedded_url())}
DATABASES["default"].update(
    CONN_MAX_AGE=0,  # the pool keeps connections, and checks them
    CONN_HEALTH_CHECKS=True,
    DISABLE_SERVER_SIDE_CURSORS=DATABASE_POOLER,
)
_given = DATABASES["default"]["OPTIONS"]
_limits = f"-c statement_timeout={STATEMENT_SECONDS}s -c lock_timeout={STATEMENT_SECONDS}s"
_options = f"{_limits} {_given.pop('options', '')}".strip()
DATABASES["default"]["OPTIONS"] = {
    "connect_timeout": 5,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    **_given,  # of what is set twice, the address of the database says which
    **({} if DATABASE_POOLER else {"options": _options}),  # with a pooler, its own `connect_query` sets limits
    "pool": {
        "min_size": 1,
        "max_size": DATABASE_POOL,
        "timeout": 5,
        "reconnect_timeout": 2,
    },
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    # Of packages, such as which codes of second factors were used: for all processes, too.
    "default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"},
    # Of requests and of guessed passwords: whole numbers in PostgreSQL, which all processes share.
    "counters": {"BACKEND": "apikeys.edge.counters.PostgresCounters"},
}
RATELIMIT_USE_CACHE = "counters"
SILENCED_SYSTEM_CHECKS = [
    "django_ratelimit.E003",  # the counters are shared and atomic, which the check cannot see
    "django_ratelimit.W001",
    "security.W005",  # HSTS for subdomains and preloading are not for one host to decide
    "security.W021",
]

INSTALLED_APPS = [
    "config.desk.DeskConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "procrastinate.contrib.django",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "apikeys",
    "brands",
    "visibility",
    "mcp_bridge",
    "config",
]
MIDDLEWARE = [
    "apikeys.edge.http.RequestMiddleware",  # request ids; JSON for every error below the API's paths
    "config.health.HealthMiddleware",  # before anyone looks at the host by which a load balancer calls
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "apikeys.edge.http.GZip",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "apikeys.signin.staff.StaffSecondFactor",
]
ROOT_URLCONF = "config.urls"
APPEND_SLASH = False  # a trailing slash is another address
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "libraries": {
                "advice": "visibility.recommendations.words",
                "operator": "visibility.admin.home",
                "pages": "visibility.pages.tags",
            },
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# People and sessions
AUTH_USER_MODEL = "apikeys.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"}
    for name in ("UserAttributeSimilarity", "MinimumLength", "CommonPassword", "NumericPassword")
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "/"
PASSWORD_RESET_TIMEOUT = 14 * 24 * 3600  # of the links that last longest, see apikeys/signin/links.py
# Whether staff need a second factor.
STAFF_SECOND_FACTOR = env.bool("STAFF_SECOND_FACTOR", default=False)
# Single sign-on (OpenID Connect): for accounts that there are, and for who is invited.
OIDC_URL = env.str("OIDC_URL", default="")
OIDC_NAME = env.str("OIDC_NAME", default="single sign-on")
_client = {"client_id": env.str("OIDC_CLIENT_ID", default=""), "secret": env.str("OIDC_CLIENT_SECRET", default="")}
_provider = {"provider_id": "oidc", "name": OIDC_NAME, **_client, "settings": {"server_url": OIDC_URL}}
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [_provider] if OIDC_URL else [], "OAUTH_PKCE_ENABLED": True}}
SOCIALACCOUNT_ADAPTER = "apikeys.signin.adapters.SocialAdapter"
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
SOCIALACCOUNT_LOGIN_ON_GET = True  # a link; browsers stop forms that are sent on to another site
ACCOUNT_ADAPTER = "apikeys.signin.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "apikeys.signin.forms.SignInForm",
    "reauthenticate": "apikeys.signin.forms.PasswordAgainForm",
}
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # who may not open a page signs in as somebody else
ACCOUNT_DEFAULT_HTTP_PROTOCOL = urlsplit(PUBLIC_URL).scheme
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False  # they count by account alone: ours are in apikeys/signin/tries.py
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")
ACCOUNT_SIGNUP_FIELDS = ["email*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
MFA_ADAPTER = "apikeys.signin.adapters.SecondFactorAdapter"
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "authenticate": "apikeys.signin.forms.CodeForm",
    "reauthenticate": "apikeys.signin.forms.CodeAgainForm",
    "activate_totp": "apikeys.signin.forms.FirstCodeForm",
}
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Brand Visibility"
MFA_TOTP_TOLERANCE = 1
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_PUBLIC
SESSION_COOKIE_AGE = 14 * 24 * 3600
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[PUBLIC_URL])
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=IS_PUBLIC)
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=3600 if IS_PUBLIC else 0)
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}

# Mail. Without EMAIL_URL none is written: who acts gets the link to hand on.
HAS_MAIL = bool(env.str("EMAIL_URL", default=""))
vars().update(mail_of(env.str("EMAIL_URL", default="")))
EMAIL_TIMEOUT = 15  # seconds for each word of the server: far less than a worker's claim of a mail lasts
_host = urlsplit(PUBLIC_URL).hostname
DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", default="") or f"Brand Visibility <no-reply@{_host}>"

# Words, times and files
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True
FORMAT_MODULE_PATH = "config.formats"
STATIC_URL = "/static/"
STATIC_ROOT = env.path("STATIC_ROOT", default=str(VAR_DIR / "static"))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"},
}

REST_FRAMEWORK = {
    # Who may call, and what is accepted, is written on the base of the endpoints: apikeys/edge/rest.py.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "apikeys.edge.openapi.ResourceSchema",
    "EXCEPTION_HANDLER": "apikeys.edge.rest.exception_handler",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Brand Visibility Service",
    "DESCRIPTION": "How visible brands are in the answers of AI systems. Read-only; needs an API key.",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["apikeys.edge.openapi.without_titles"],
}

# What calls to providers may cost, in US dollars: one run, and all in one day (UTC). Without a value no limit.
RUN_SPEND_LIMIT = _dollars("RUN_SPEND_LIMIT")
DAY_SPEND_LIMIT = _dollars("DAY_SPEND_LIMIT")

# Site audits: as whom sites are asked, and hosts of this machine that may be audited, for demonstrations and tests.
AUDIT_USER_AGENT = env.str(
    "AUDIT_USER_AGENT", default="BrandVisibilityBot/1.0 (site audit, asked for by the site's owner)"
)
AUDIT_LOCAL_HOSTS = _local_hosts(env.dict("AUDIT_LOCAL_HOSTS", default={}))

# Pages of others that answers rest on are read before a recommendation sends somebody there. 0: never.
CITED_PAGES_PER_WEEK = env.int("CITED_PAGES_PER_WEEK", default=10)

# Jobs: see visibility/jobs.py
PROCRASTINATE_IMPORT_PATHS = ["visibility.jobs"]
# How long a worker that has to end waits for answers that are under way, and paid for.
WORKER_GRACE_SECONDS = env.int("WORKER_GRACE_SECONDS", default=120)
# How many days is kept what would else grow for ever; 0: for ever.
CALL_LOG_DAYS = env.int("CALL_LOG_DAYS", default=400)
BODY_DAYS = env.int("BODY_DAYS", default=90)
ANSWER_DAYS = env.int("ANSWER_DAYS", default=0)
AUDIT_PAGE_DAYS = env.int("AUDIT_PAGE_DAYS", default=0)
ADMIN_LOG_DAYS = env.int("ADMIN_LOG_DAYS", default=0)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "request_id": {"()": "apikeys.edge.requestid.RequestIdFilter"},
        "outages": {"()": "config.logs.OneLineOutages"},
        "health": {"()": "config.logs.WithoutHealth"},
    },
    "formatters": {
        "text": {"format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"},
        "json": {"()": "config.logs.JsonLines"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": env.str("LOG_FORMAT", default="text"),
            "filters": ["request_id", "outages"],
        }
    },
    # Refusals by the line would name what callers write as a path, which may be a key or a link for a password.
    "loggers": {
        "django.request": {"level": "ERROR", "filters": ["health"]},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
}
