"""The queue of what to do about visibility, each item with its evidence and a prompt that fixes it."""

import uuid

from django.db import models
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.models.runs import Run


class Recommendation(models.Model):
    """One thing to do. `subject` names what it is about, so that a later run finds the same one again."""

    class Kind(models.TextChoices):
        MENTION_GAP = "mention_gap"
        SOURCE_GAP = "source_gap"
        AUDIT_FINDING = "audit_finding"

    class Status(models.TextChoices):
        OPEN = "open"
        IN_PROGRESS = "in_progress"
        DONE = "done"
        DISMISSED = "dismissed"
        RESOLVED = "resolved"

    class Level(models.TextChoices):
        LOW = "low"
        MEDIUM = "medium"
        HIGH = "high"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="recommendations")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    subject = models.CharField(max_length=100, help_text="prompt id, domain or check that it is about")
    title = models.CharField(max_length=300)
    summary = models.TextField()
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.OPEN)
    priority = models.PositiveSmallIntegerField()
    impact = models.CharField(max_length=6, choices=Level.choices)
    effort = models.CharField(max_length=6, choices=Level.choices)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now, help_text="when something in it last changed")
    status_changed_at = models.DateTimeField(default=timezone.now)
    first_seen_run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")
    last_seen_run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")
    evidence = models.JSONField(default=list)
    payload = models.JSONField(default=dict)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["-priority", "-created_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["brand", "kind", "subject"], name="recommendation_once_per_subject"),
            models.CheckConstraint(condition=models.Q(priority__lte=100), name="recommendation_priority_percent"),
        ]
        indexes = [models.Index(fields=["brand", "status", "-priority", "-created_at"], name="recommendation_queue")]

    def __str__(self) -> str:
        return self.title
