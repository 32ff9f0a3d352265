"""How the web server runs, in every variant: `gunicorn -c python:config.gunicorn`."""

import os

from environ import Env

from config.processes import die_with_parent

_env = Env()

wsgi_app = "config.asgi:application"
worker_class = "asgi"
asgi_lifespan = "on"
bind = _env.str("BIND", default=f"127.0.0.1:{_env.int('PORT', default=8000)}")
workers = _env.int("WEB_WORKERS", default=2)
graceful_timeout = 5
timeout = 60
loglevel = "warning"
# The service judges X-Forwarded-For by TRUSTED_PROXIES; the server itself believes no header.
forwarded_allow_ips = ""
control_socket_disable = True


def post_fork(server: object, worker: object) -> None:
    """Leave with the master, even when it is killed and can tell nobody."""
    die_with_parent(os.getppid())
