"""The queue of what to do about visibility, each item with its evidence and a prompt that fixes it; what people
decided about it, and whether what they did has helped."""

import uuid

from django.db import models
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.models.prompts import MAX_TOPIC
from visibility.models.proofs import Proof
from visibility.models.runs import Run

MAX_REASON = 500
"""Characters of what people say about their decision."""


QUEUE_ORDER = ("-priority", "-created_at", "kind", "subject")
"""Most urgent first, of equals the newest; then by what they are about: a queue that is made again from the same
answers stands in the same order."""


class Recommendation(models.Model):
    """One thing to do. Brand, kind and `subject` are its fingerprint: by them a later measurement finds the same one
    again.

    `opened_at` is when the gap opened last, `opened_on` the measured day that showed it: a proof never rests on the
    answers of that day. `factors` are what the priority is made of, as `insights.recommendations.kind` has them.
    """

    class Kind(models.TextChoices):
        TOPIC_GAP = "topic_gap"
        ENGINE_GAP = "engine_gap"
        CITED_PAGE = "cited_page"
        OWN_PAGE_UNNAMED = "own_page_unnamed"
        OWN_PAGE_LOST = "own_page_lost"
        STATEMENT = "statement"
        CLAIM = "claim"
        CRITERION = "criterion"
        SEARCH = "search"
        COMPARISON_PAGE = "comparison_page"
        AUDIT_FINDING = "audit_finding"
        REVIEW_THEME = "review_theme"
        CONFIRMED_FALL = "confirmed_fall"
        # Of earlier releases: found no more, kept where people have decided on them.
        MENTION_GAP = "mention_gap"
        SOURCE_GAP = "source_gap"

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
    subject = models.CharField(max_length=100, help_text="topic, engine, page, check… that it is about")
    topic = models.CharField(max_length=MAX_TOPIC, blank=True, help_text="topic as prompts have it; empty: none")
    title = models.CharField(max_length=300)
    summary = models.TextField()
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.OPEN)
    priority = models.PositiveSmallIntegerField()
    impact = models.CharField(max_length=6, choices=Level.choices)
    effort = models.CharField(max_length=6, choices=Level.choices)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now, help_text="when something in it last changed")
    status_changed_at = models.DateTimeField(default=timezone.now)
    status_reason = models.CharField(max_length=MAX_REASON, blank=True, help_text="why people decided so")
    status_by = models.CharField(max_length=100, blank=True, help_text="the actor who decided; empty: measurement")
    opened_at = models.DateTimeField(default=timezone.now, help_text="when the gap opened last")
    opened_on = models.DateField(null=True, blank=True, help_text="the measured day that showed it")
    last_seen_at = models.DateTimeField(default=timezone.now, help_text="when it was last measured and still there")
    first_seen_run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")
    last_seen_run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")
    evidence = models.JSONField(default=list)
    factors = models.JSONField(default=dict, help_text="what the priority is made of")
    payload = models.JSONField(default=dict)
    proof = models.ForeignKey(Proof, on_delete=models.SET_NULL, null=True, blank=True, related_name="recommendations")

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


class StatusChange(models.Model):
    """One change of a recommendation's status: by people with their reason, or by measurement."""

    brand_path = "recommendation__brand"

    recommendation = models.ForeignKey(Recommendation, on_delete=models.CASCADE, related_name="status_changes")
    before = models.CharField(max_length=12, choices=Recommendation.Status.choices, blank=True)
    status = models.CharField(max_length=12, choices=Recommendation.Status.choices)
    reason = models.CharField(max_length=MAX_REASON, blank=True)
    actor = models.CharField(max_length=100, blank=True, help_text="empty: measurement")
    changed_at = models.DateTimeField(default=timezone.now)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["-changed_at", "-id"]

    def __str__(self) -> str:
        return f"{self.before} → {self.status}"
