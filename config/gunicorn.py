"""How the web server runs, in every variant: `gunicorn -c python:config.gunicorn`."""

import os
from ipaddress import ip_network

from django.conf import settings
from environ import Env
from gunicorn.arbiter import Arbiter

from config.local.processes import die_with_parent
from config.local.running import Occupied, join

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
_env = Env()

wsgi_app = "config.asgi:application"
worker_class = "config.webworker.HttpWorker"
logger_class = "config.serverlog.Logger"
asgi_lifespan = "on"
bind = _env.str("BIND", default=f"127.0.0.1:{_env.int('PORT', default=8000)}")
workers = _env.int("WEB_WORKERS", default=2)
graceful_timeout = 5
timeout = 60
# Seconds that an idle connection stays open. Clients keep theirs for up to a minute and lose what they send just as
# the server closes; whoever stands between (a load balancer, commonly 60 s) has to be the first to close.
keepalive = 75
loglevel = "warning"
# Only a trusted proxy is believed when it says that the client came by TLS. Addresses are judged by the service.
forwarded_allow_ips = ",".join(
    str(ip_network(network, strict=False)) for network in _env.list("TRUSTED_PROXIES", default=[])
)
secure_scheme_headers = {"X-FORWARDED-PROTO": "https"}
control_socket_disable = True


def on_starting(server: Arbiter) -> None:
    """While a restore replaces the database no process of the service starts. Workers hold what this one holds.

    Says which hosts site audits reach on this machine: nobody shall forget that.
    """
    try:
        join(settings.VAR_DIR)
    except Occupied as error:
        raise SystemExit(f"A restore is under way on {error}. Start again when it is done.") from error
    for host, (address, port) in settings.AUDIT_LOCAL_HOSTS.items():
        server.log.warning("AUDIT_LOCAL_HOSTS: site audits reach %s on this machine, at %s:%d.", host, address, port)


def post_fork(server: object, worker: object) -> None:
    """Leave with the master, even when it is killed and can tell nobody."""
    die_with_parent(os.getppid())
