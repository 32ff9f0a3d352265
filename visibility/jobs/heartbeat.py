"""Renews the lease of a run, or of another job, while its worker is busy, whatever the worker is busy with."""

import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from django.conf import settings
from django.db import Error, connection

from apikeys.db.outages import DATABASE, is_away

logger = logging.getLogger(__name__)


class Heartbeat:
    """A thread of its own, so that neither slow statements nor long computations let the lease run out.

    `renew` prolongs the lease and says whether it is still held; `lost` is set when it is not. A database that does
    not answer is asked again.
    """

    def __init__(self, renew: Callable[[], bool]) -> None:
        self.lost = threading.Event()
        self._stop = threading.Event()
        self._renew = renew
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

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
                is_held = self._renew()
            except Error as error:
                if is_away(error):
                    DATABASE.failed(error)
                else:
                    logger.warning("A heartbeat was missed", exc_info=True)
                continue
            finally:
                # Each thread has its own connection: give it back instead of holding one for every job.
                connection.close()
            if not is_held:
                self.lost.set()
                return


def log_break(error: Exception, event: str) -> None:
    """Log that a job broke off, in short where the database is away, and let go of a connection that may be broken:
    the next statement opens another."""
    if is_away(error):
        DATABASE.failed(error)
        logger.warning("%s: the database is away", event)
    else:
        logger.error(event, exc_info=error)
    if not connection.in_atomic_block:
        connection.close()
