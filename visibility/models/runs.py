"""Runs: one scan, audit or comparison of a brand."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from apikeys.models import User
from brands.models import Brand
from brands.querysets import BrandScoped, BrandScopedQuerySet
from visibility.models.engines import Engine, Surface
from visibility.models.prompts import LONGEST_MARKET

ASKED_AT = Coalesce("started_at", "created_at")
"""When a run was asked."""


class RunQuerySet(BrandScopedQuerySet):
    """Runs in the words of those who work with them."""

    def newest(self) -> "RunQuerySet":
        """The newest first."""
        return self.order_by("-created_at", "-id")

    def last_asked(self) -> "RunQuerySet":
        """Those that were asked last first: imported answers are older than their import."""
        return self.order_by(ASKED_AT.desc())

    def active(self) -> "RunQuerySet":
        """Those that still wait or work."""
        return self.filter(status__in=Run.ACTIVE)

    def measured(self) -> "RunQuerySet":
        """Those whose answers are counted: not what was cancelled, or never answered."""
        return self.filter(status__in=[RunStatus.SUCCEEDED, RunStatus.PARTIAL])

    def not_refused(self) -> "RunQuerySet":
        """Without the slots of a schedule that were left out, for want of credits or by a fault of the service."""
        return self.exclude(~Q(error_code=""), status=Run.Status.CANCELLED)


# The OpenAPI description names its components by classes, so these need names of their own.
class RunKind(models.TextChoices):
    """What a run does."""

    VISIBILITY = "visibility"
    AUDIT = "audit"
    COMPARISON = "comparison"


class RunStatus(models.TextChoices):
    """How far a run is, or how it ended."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"


class RunTrigger(models.TextChoices):
    """What started a run."""

    SCHEDULE = "schedule"
    AGENT = "agent"
    WEB = "web"
    OPERATOR = "operator"
    IMPORT = "import"


class Run(models.Model):
    """One run. `total`, `done` and `failed` count engine answers, in an audit pages."""

    Kind = RunKind
    Status = RunStatus
    Trigger = RunTrigger
    ACTIVE = (Status.QUEUED, Status.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="runs", db_index=False)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    trigger = models.CharField(max_length=10, choices=Trigger.choices)
    actor = models.CharField(max_length=100, blank=True, help_text="who started it")
    day = models.DateField(null=True, help_text="the UTC day that the run counts for")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    repeated = models.PositiveIntegerField(
        default=0, help_text="answers that repeat one of an earlier run of the day: they count once"
    )
    score = models.FloatField(null=True, help_text="0 to 100; null: not measured")
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.CharField(max_length=500, blank=True)
    credits_reserved = models.PositiveIntegerField(default=0)
    credits_spent = models.PositiveIntegerField(default=0)
    credits_month = models.DateField(null=True, help_text="the month that the credits were reserved in")
    payer = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    settled_at = models.DateTimeField(null=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["brand", "kind"],
                condition=Q(status__in=["queued", "running"]) & ~Q(trigger="import"),
                name="run_one_active_per_brand_and_kind",
            ),
            models.CheckConstraint(condition=Q(done__lte=F("total")), name="run_done_within_total"),
            models.CheckConstraint(condition=Q(credits_spent__lte=F("credits_reserved")), name="run_spent_reserved"),
        ]
        indexes = [
            models.Index(fields=["brand", "-created_at", "-id"], name="run_brand_newest"),
            models.Index("brand", "kind", ASKED_AT.desc(), name="run_brand_kind_asked"),
            models.Index(fields=["id"], condition=Q(status__in=["queued", "running"]), name="run_active"),
            models.Index(
                fields=["id"], condition=Q(status="cancelled", settled_at__isnull=True), name="run_unsettled"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.created_at:%-d %b %Y %H:%M} UTC: {self.status}"

    @property
    def is_active(self) -> bool:
        """Whether the run still waits or works."""
        return self.status in self.ACTIVE


class RunEngine(BrandScoped):
    """An engine that a run asks, through one surface of it (its API, an app, stored pages).

    `markets` are what its answers were asked for; `served_models` is what they say, and so is `countries` of those
    that were asked for without a country. All are written when the run is measured.
    """

    brand_path = "run__brand"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="engines")
    engine = models.ForeignKey(Engine, on_delete=models.PROTECT, related_name="+")
    surface = models.CharField(max_length=12, choices=Surface.choices)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    samples = models.PositiveSmallIntegerField(default=1)
    served_models = ArrayField(models.CharField(max_length=100), default=list)
    countries = ArrayField(models.CharField(max_length=2), default=list)
    markets = ArrayField(models.CharField(max_length=LONGEST_MARKET), default=list, db_default=[])

    class Meta:
        ordering = ["run", "engine"]
        constraints = [models.UniqueConstraint(fields=["run", "engine", "surface"], name="run_engine_once")]

    def __str__(self) -> str:
        return f"{self.engine} ({self.surface})"
