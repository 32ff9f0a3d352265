"""`manage.py demo_site`: serve the demo brand's site on this machine, for audits; `serve --demo` starts it."""

from argparse import ArgumentParser
from http.server import ThreadingHTTPServer
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from visibility.demo.serving import HOST, SiteHandler


class Command(BaseCommand):
    help = "Serve the site of the demo brand on the loopback, where AUDIT_LOCAL_HOSTS lets audits find it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, required=True, help="port to listen on")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            server = ThreadingHTTPServer((HOST, options["port"]), SiteHandler)
        except (OSError, OverflowError) as error:
            raise CommandError(
                f"Cannot listen on {HOST} port {options['port']}: {error}. Choose another with --port."
            ) from error
        with server:
            server.serve_forever()
