"""Serves the demo brand's site on the loopback: as it is, or as it was before its owners worked on it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from visibility.demo.website import Edition, answer

HOST = "127.0.0.1"


class SiteHandler(BaseHTTPRequestHandler):
    """Answers for the one site that there is, whatever host is asked for."""

    protocol_version = "HTTP/1.1"
    timeout = 30
    edition = Edition.NOW

    def do_GET(self) -> None:
        """The page, in full."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """The head of the page."""
        self._answer(with_body=False)

    def today(self) -> date:
        """The day on which the site is asked."""
        return datetime.now(UTC).date()

    def _answer(self, *, with_body: bool) -> None:
        response = answer(self.path, self.today(), self.edition)
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


@contextmanager
def served(edition: Edition, day: date) -> Iterator[tuple[str, int]]:
    """The address and port where the site answers, in this process, as that edition would on that day."""
    handler = type("PastSiteHandler", (SiteHandler,), {"edition": edition, "today": lambda self: day})
    with ThreadingHTTPServer((HOST, 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, name="demo site", daemon=True)
        thread.start()
        try:
            yield HOST, server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
