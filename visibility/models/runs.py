"""Runs: one scan of a brand, and the job that carries it out."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.models.intervals import interval_field
from visibility.models.jobs import LeasedJob


class Run(LeasedJob):
    """One scan. `total`, `done` and `failed` count engine answers (pages for an audit)."""

    class Kind(models.TextChoices):
        VISIBILITY = "visibility"
        AUDIT = "audit"
        COMPARISON = "comparison"

    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        SUCCEEDED = "succeeded"
        PARTIAL = "partial"
        FAILED = "failed"
        CANCELLED = "cancelled"

    class Trigger(models.TextChoices):
        SCHEDULE = "schedule"
        AGENT = "agent"
        WEB = "web"
        OPERATOR = "operator"
        IMPORT = "import"

    ACTIVE = (Status.QUEUED, Status.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="runs")
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.VISIBILITY)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    trigger = models.CharField(max_length=10, choices=Trigger.choices)
    actor = models.CharField(max_length=100, blank=True, help_text="who started it")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    engines = models.JSONField(default=list, help_text="names of the engines that were asked")
    score = models.FloatField(null=True, blank=True)
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    interval = interval_field()
    error_code = models.CharField(max_length=40, blank=True)

    # Credits: reserved when the run starts, settled against the month of the reservation when it ends.
    credits_reserved = models.PositiveIntegerField(default=0)
    credits_spent = models.PositiveIntegerField(default=0)
    credits_month = models.DateField(null=True, blank=True)
    credits_account = models.ForeignKey(
        "apikeys.User", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    settled_at = models.DateTimeField(null=True, blank=True)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["brand", "kind"],
                condition=Q(status__in=["queued", "running"]) & ~Q(trigger="import"),
                name="run_one_active_per_brand_and_kind",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["queued", "running", "succeeded", "partial", "failed", "cancelled"]),
                name="run_status_known",
            ),
            models.CheckConstraint(condition=Q(done__lte=models.F("total")), name="run_done_within_total"),
            models.CheckConstraint(
                condition=Q(credits_spent__lte=models.F("credits_reserved")), name="run_spent_within_reserved"
            ),
        ]
        indexes = [
            models.Index(fields=["brand", "-created_at", "-id"], name="run_brand_newest"),
            models.Index(
                fields=["lease_until"], name="run_unsettled", condition=Q(status="cancelled", settled_at=None)
            ),
            models.Index(fields=["not_before"], name="run_due", condition=Q(status__in=["queued", "running"])),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.status} {self.created_at:%-d %b %Y %H:%M} UTC"

    @property
    def is_active(self) -> bool:
        """Whether the run still waits or works."""
        return self.status in self.ACTIVE
