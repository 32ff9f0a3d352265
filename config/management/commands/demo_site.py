"""`manage.py demo_site`: serve the demo brand's site on this machine, for audits; `serve --demo` starts it."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from visibility.demo.website import answer

HOST = "127.0.0.1"


class SiteHandler(BaseHTTPRequestHandler):
    """Answers for the one site that there is, whatever host is asked for."""

    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        """The page, in full."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """The head of the page."""
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        response = answer(self.path, datetime.now(UTC).date())
        body = response.body.encode()
        self.send_response(response.status)
        self.send_header("Content-Type", response.content_type)
        self.send_header("Content-Length", str(len(body)))
        if response.location:
            self.send_header("Location", response.location)
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: each audit asks for dozens of pages."""


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
