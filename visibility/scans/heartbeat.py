"""Renews the lease of a run while its worker is busy, whatever the worker is busy with."""

import logging
import threading
from types import TracebackType
from typing import Self
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, connection

from visibility.scans.claim import renew

logger = logging.getLogger(__name__)


class Heartbeat:
    """A thread of its own, so that neither slow statements nor long computations let the lease run out.

    `lost` is set when the worker no longer holds the run. A database that does not answer is asked again.
    """

    def __init__(self, run_id: UUID, worker: str) -> None:
        self.lost = threading.Event()
        self._stop = threading.Event()
        self._run_id = run_id
        self._worker = worker
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat-{run_id}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._stop.wait(settings.SCAN_LEASE_SECONDS / 3):
            try:
                held = renew(self._run_id, self._worker)
            except DatabaseError:
                logger.warning("Heartbeat of run %s missed", self._run_id, exc_info=True)
                continue
            finally:
                # Each thread has its own connection: give it back instead of holding one for every run.
                connection.close()
            if not held:
                self.lost.set()
                return
