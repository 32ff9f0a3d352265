"""How a web process leaves: it says so to load balancers first, and takes requests until they have noticed."""

import os
import threading

from gunicorn.workers.gasgi import ASGIWorker

DRAIN_SECONDS = int(os.environ.get("DRAIN_SECONDS") or 5)
"""How long requests are still taken after SIGTERM; longer than load balancers need to ask for readiness again."""
leaving = threading.Event()
"""Set once this process was asked to end."""


class DrainingWorker(ASGIWorker):  # type: ignore[misc]
    """Serves on for DRAIN_SECONDS after SIGTERM, while `/readyz` says that it leaves. SIGQUIT ends it at once."""

    def handle_exit_signal(self) -> None:
        leaving.set()
        self.loop.call_later(DRAIN_SECONDS, super().handle_exit_signal)
