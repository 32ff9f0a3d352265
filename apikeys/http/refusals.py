"""What the rate limit refused of keys: tallied in the process, written to the call log every few seconds."""

import atexit
import threading
from collections import Counter
from datetime import datetime

import structlog
from django.db import connection
from django.utils import timezone

from apikeys.db.outages import DATABASE, is_away
from apikeys.keyformat import digest, looks_valid
from apikeys.models import CallLog
from apikeys.services.calls import record_refusals

log = structlog.get_logger(__name__)

FLUSH_SECONDS = 5.0
MAX_ENTRIES = 10_000
Entry = tuple[str, datetime, CallLog.Door]


class RefusalTally:
    """Counts refused calls by key and minute without touching the database; its own thread writes them.

    A process that is killed loses the last seconds of the tally; nothing else depends on it.
    """

    def __init__(self) -> None:
        self._counts: Counter[Entry] = Counter()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, raw_key: str | None, door: CallLog.Door) -> None:
        """Count one refusal, if `raw_key` has the form of a key. Beyond `MAX_ENTRIES` no new key is taken up."""
        if raw_key is None or not looks_valid(raw_key):
            return
        entry = (digest(raw_key), timezone.now().replace(second=0, microsecond=0), door)
        with self._lock:
            if entry in self._counts or len(self._counts) < MAX_ENTRIES:
                self._counts[entry] += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="refusals", daemon=True)
                self._thread.start()
                atexit.register(self.close)  # a server that is told to stop at once skips the lifespan's end

    def flush(self) -> None:
        """Write what has been counted; keep it for the next time when the database fails."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        if not counts:
            return
        try:
            record_refusals(counts)
        except Exception as error:  # whatever fails, the thread goes on
            if is_away(error):
                DATABASE.failed(error)
            else:
                log.exception("refusals not written yet")
            with self._lock:
                self._counts.update(counts)
        finally:
            connection.close()

    def close(self) -> None:
        """Write the rest and end the thread. Blocks: not for the event loop."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(FLUSH_SECONDS):
            self.flush()
        self.flush()
