"""The queue of recommendations."""

import uuid

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScoped
from visibility.models.prompts import Topic
from visibility.models.runs import Run


class Level(models.TextChoices):
    """How large an impact or an effort is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class RecommendationStatus(models.TextChoices):
    """Where a recommendation is. The OpenAPI description shows the name of this class."""

    OPEN = "open"
    IN_PROGRESS = "in_progress"
    DONE = "done"
    DISMISSED = "dismissed"
    RESOLVED = "resolved"


class Recommendation(BrandScoped):
    """One thing to do. `subject` identifies it among its kind. `resolved` is set by measurement only."""

    Status = RecommendationStatus

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="recommendations")
    kind = models.CharField(max_length=40)
    subject = models.CharField(max_length=300)
    facts = models.JSONField(
        default=dict, help_text="those of the kind, see recommendations/kinds; words are made of them when shown"
    )
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.OPEN)
    priority = models.PositiveSmallIntegerField(validators=[MaxValueValidator(100)])
    impact = models.CharField(max_length=6, choices=Level.choices)
    effort = models.CharField(max_length=6, choices=Level.choices)
    evidence = models.JSONField(default=list, help_text="a list of Evidence")
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now, help_text="moves when something in it changed")
    status_changed_at = models.DateTimeField(default=timezone.now)
    status_changed_by = models.CharField(max_length=100, blank=True, help_text="actor of the caller; empty: measured")
    status_reason = models.CharField(max_length=300, blank=True, help_text="why it is in this state, where known")
    proof = models.JSONField(null=True, help_text="what was counted when it was marked as done, see proofs.py")
    first_seen_run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")
    last_seen_run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-priority", "-created_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["brand", "kind", "subject"], name="recommendation_once_per_subject"),
            models.CheckConstraint(condition=Q(priority__lte=100), name="recommendation_priority_to_100"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.subject}"


class Diagnosis(BrandScoped):
    """How a brand stands and why, over all topics (`topic` null) or on one."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="diagnoses")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, null=True, related_name="+")
    facts = models.JSONField(default=dict, help_text="see recommendations/diagnosis.py; sentences are made of them")
    made_at = models.DateTimeField(default=timezone.now, help_text="moves when something in it changed")

    class Meta:
        ordering = ["brand", "topic"]
        constraints = [
            models.UniqueConstraint(fields=["brand", "topic"], nulls_distinct=False, name="diagnosis_once_per_topic")
        ]

    def __str__(self) -> str:
        return f"{self.brand}: {self.topic or 'all topics'}"
