"""Generations of what is derived from a brand's answers: every figure of a brand that a reader sees is of one."""

import uuid
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.models.jobs import LeasedJob
from visibility.models.runs import Run


class Generation(LeasedJob):
    """Mentions, citations and scores that one detector made for one set of names and domains.

    The doors show the current generation of a brand. A next one is built beside it, becomes current in one
    transaction, and the one before it is then cleared away. Building and clearing are jobs as runs are.
    """

    class State(models.TextChoices):
        BUILDING = "building"
        CURRENT = "current"
        RETIRED = "retired"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="generations")
    state = models.CharField(max_length=10, choices=State.choices, default=State.BUILDING)
    stamp = models.CharField(max_length=20, help_text="digest of the names, domains and classes of domains")
    detector = models.PositiveIntegerField(help_text="version of the detector; 0: of more than one, or not known")
    names_version = models.PositiveBigIntegerField(help_text="that of the brand when it was last compared")
    classes = models.CharField(
        max_length=20, help_text="digest of the operators' classes of domains when it was last compared"
    )
    names = models.JSONField(
        help_text="the names, domains and classes that answers are analysed for, and topics that are not own"
    )
    is_outdated = models.BooleanField(
        default=False,
        db_default=False,
        help_text="prompts were moved between topics that count and topics that do not: it is counted anew",
    )
    names_since = models.DateTimeField(
        default=timezone.now, help_text="when the names, domains or classes became these, or the detector this one"
    )
    topics_since = models.DateTimeField(
        null=True, blank=True, help_text="when other topics became the brand's own than were before; null: never"
    )
    created_at = models.DateTimeField(default=timezone.now)
    current_since = models.DateTimeField(null=True, blank=True)

    error_message = models.TextField(blank=True, help_text="why the last attempt broke off")

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["brand"], condition=Q(state="current"), name="generation_one_current_per_brand"
            ),
            models.UniqueConstraint(
                fields=["brand"], condition=Q(state="building"), name="generation_one_building_per_brand"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["building", "current", "retired"]), name="generation_state_known"
            ),
        ]
        indexes = [
            models.Index(fields=["not_before"], name="generation_due", condition=Q(state__in=["building", "retired"]))
        ]

    def __str__(self) -> str:
        return f"{self.state} {self.stamp}"


class RunScore(models.Model):
    """How far a run's answers are analysed for a generation, and the run's score in it.

    A run's answers count in a generation from the moment when all of them are analysed.
    """

    brand_path = "generation__brand"

    class Stage(models.TextChoices):
        ANALYSING = "analysing"
        ANALYSED = "analysed"
        SCORED = "scored"

    generation = models.ForeignKey(Generation, on_delete=models.CASCADE, related_name="run_scores")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="scores")
    stage = models.CharField(max_length=9, choices=Stage.choices, default=Stage.ANALYSING)
    position = models.IntegerField(default=-1, help_text="of the last answer that was analysed")
    analysed = models.PositiveIntegerField(default=0, help_text="answers that were analysed")
    score = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["generation", "run"], name="run_score_once_per_generation"),
            models.CheckConstraint(
                condition=Q(stage__in=["analysing", "analysed", "scored"]), name="run_score_stage_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.score}"


class CurrentManager(models.Manager[Any]):
    """Rows of the current generation of each brand: what readers see."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().filter(generation__state=Generation.State.CURRENT)
