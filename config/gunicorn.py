"""How the web server runs, in every variant: `gunicorn -c python:config.gunicorn`.

Nothing of the service is imported here, and Django neither: what the master holds its workers inherit, and a reload
would bring only half of the new code. See `config.webworker`.
"""

import os
import signal
from ipaddress import ip_network
from types import FrameType

from gunicorn.arbiter import Arbiter

from config.local.processes import die_with_parent
from config.webworker import GENERATIONS

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

wsgi_app = "config.asgi:application"
worker_class = "config.webworker.HttpWorker"
logger_class = "config.serverlog.Logger"
asgi_lifespan = "on"
asgi_loop = "asyncio"
bind = os.environ.get("BIND") or f"127.0.0.1:{os.environ.get('PORT') or 8000}"
workers = int(os.environ.get("WEB_WORKERS") or 2)
graceful_timeout = 5
timeout = 120  # for the start of a worker, too, on a machine that has much else to do
# Seconds that an idle connection stays open. Clients keep theirs for up to a minute and lose what they send just as
# the server closes; whoever stands between (a load balancer, commonly 60 s) has to be the first to close.
keepalive = 75
loglevel = "warning"
# Only a trusted proxy is believed when it says that the client came by TLS. Addresses are judged by the service.
forwarded_allow_ips = ",".join(
    str(ip_network(network.strip(), strict=False))
    for network in os.environ.get("TRUSTED_PROXIES", "").split(",")
    if network.strip()
)
secure_scheme_headers = {"X-FORWARDED-PROTO": "https"}
control_socket_disable = True


def when_ready(server: Arbiter) -> None:
    """Before the first worker: that the server is asked to end its workers have to know from a reload."""
    end = signal.getsignal(signal.SIGTERM)

    def note_and_end(number: int, frame: FrameType | None) -> None:
        GENERATIONS.end()
        if callable(end):
            end(number, frame)

    signal.signal(signal.SIGTERM, note_and_end)


def on_reload(server: Arbiter) -> None:
    """SIGHUP, before the new workers are forked."""
    GENERATIONS.begin()


def post_fork(server: object, worker: object) -> None:
    """Leave with the master, even when it is killed and can tell nobody."""
    die_with_parent(os.getppid())


def on_exit(server: Arbiter) -> None:
    """The last line says why the server did not start, where its application said so."""
    if GENERATIONS.refusal:
        server.log.error(GENERATIONS.refusal)
