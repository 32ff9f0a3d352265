"""The web server's worker, for plain HTTP alone."""

from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi


class HttpProtocol(ASGIProtocol):  # type: ignore[misc]
    """Leaves an Upgrade to WebSocket to the application, as any other header (RFC 9110, section 7.8).

    The server would answer such a request beside the application: uncounted, and with a 403 that says nothing.
    """

    def _is_websocket_upgrade(self, request: Any) -> bool:
        return False


class HttpWorker(gasgi.ASGIWorker):  # type: ignore[misc]
    """The server's own worker for ASGI with this protocol, which it has no setting for."""

    def init_process(self) -> None:
        gasgi.ASGIProtocol = HttpProtocol
        super().init_process()
