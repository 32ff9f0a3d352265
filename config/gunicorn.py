"""How the web server runs: `gunicorn -c python:config.gunicorn`."""

import os
from ipaddress import ip_network

from config.address import bound
from config.drain import DRAIN_SECONDS

wsgi_app = "config.asgi:application"
worker_class = "config.drain.DrainingWorker"
asgi_lifespan = "on"
bind = bound()
workers = int(os.environ.get("WEB_WORKERS") or 1)
graceful_timeout = DRAIN_SECONDS + 3  # the parent counts from the signal
timeout = 60
# Idle connections stay open longer than at any load balancer (60 s): who closes first loses no request.
keepalive = 75
loglevel = "warning"
# Only a trusted proxy is believed when it says that the client came by TLS.
forwarded_allow_ips = ",".join(
    str(ip_network(text.strip(), strict=False))
    for text in os.environ.get("TRUSTED_PROXIES", "").split(",")
    if text.strip()
)
secure_scheme_headers = {"X-FORWARDED-PROTO": "https"}
control_socket_disable = True
