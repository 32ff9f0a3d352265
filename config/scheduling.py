"""The scheduler: Celery's own, which says in a line a minute that the queue is away instead of a traceback a tick."""

from typing import Any

from celery.beat import PersistentScheduler

from apikeys.db.outages import Outage

QUEUE = Outage("The queue")


class Scheduler(PersistentScheduler):
    """What could not be announced is announced by a later tick: the rows say what is due."""

    def apply_async(self, entry: Any, producer: Any = None, advance: bool = True, **kwargs: Any) -> Any:
        """As Celery's, but a queue that is away is no error of the entry."""
        try:
            result = super().apply_async(entry, producer=producer, advance=advance, **kwargs)
        except Exception as error:  # queues have errors of many families
            QUEUE.failed(ConnectionError(str(error)))
            return None
        QUEUE.works()
        return result
