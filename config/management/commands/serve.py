"""The whole service on one machine: the web server and the worker, started again whenever one of them ends."""

import os
import signal
import socket
import sys
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from config.address import public_url, remember_bound


class Command(BaseCommand):
    help = "Run the web server and the worker in the foreground. Ctrl-C or SIGTERM stops both."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=os.environ.get("PORT") or 8000)
        parser.add_argument("--demo", action="store_true", help="make demo accounts, a demo brand and a key first")

    def handle(self, *args: Any, **options: Any) -> None:
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))  # leaves the embedded PostgreSQL in order
        port = options["port"]
        os.environ["BIND"] = f"127.0.0.1:{port}"
        os.environ.setdefault("DRAIN_SECONDS", "0")  # no load balancer has to notice
        _require_free(port)
        remember_bound()
        os.environ.setdefault("PUBLIC_URL", public_url())  # for the web server: by it apps may sign in
        call_command("migrate", verbosity=0, skip_checks=False)
        call_command("collectstatic", interactive=False, verbosity=0)
        if options["demo"]:
            call_command("seed_demo", address=public_url())
        self.stdout.write(f"The service answers at {public_url()}. Ctrl-C stops it; its data stays.")
        self.stdout.flush()
        connections.close_all()
        # This process becomes the one that watches, which needs nothing of the 100 MB that it has loaded by now.
        os.execv(sys.executable, [sys.executable, "-m", "config.supervise"])  # noqa: S606


def _require_free(port: int) -> None:
    """Raise CommandError when another process listens on the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise CommandError(f"Port {port} cannot be used ({error.strerror}). Choose another: --port") from error
