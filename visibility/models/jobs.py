"""Jobs: rows that workers carry out. The row decides who works on it; the queue only delivers."""

from datetime import datetime

from django.db import models
from django.utils import timezone


class LeasedJob(models.Model):
    """Work that one worker at a time holds by a lease; `visibility.jobs.lease` says how.

    `attempt` counts claims without progress. `worker` and `lease_until` are the lease, empty while nobody holds it.
    Nobody claims the job before `not_before`. `dispatched_at` is when workers were last told of it.
    """

    attempt = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    not_before = models.DateTimeField(default=timezone.now)
    dispatched_at = models.DateTimeField(null=True, blank=True)
    error_message = models.TextField(blank=True)

    class Meta:
        abstract = True

    def is_held_at(self, now: datetime) -> bool:
        """Whether a worker that shows signs of life is at the job."""
        return self.lease_until is not None and self.lease_until >= now
