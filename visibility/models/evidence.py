"""Evidence of what buyers and the brand say: reviews that people bring; what is found in pages, reviews and answers.

What is found can be made again at any time; reviews cannot.
"""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.models.jobs import LeasedJob
from visibility.models.prompts import MAX_TOPIC

MAX_FILE_NAME = 200
MAX_REVIEW_URL = 2_048
MAX_REVIEW_TITLE = 500


class ReviewImport(models.Model):
    """One file of reviews, as it was imported. Deleted, it takes the reviews along that no later file has changed."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="review_imports")
    file = models.CharField(max_length=MAX_FILE_NAME, help_text="name of the file, as far as it can be shown")
    added = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0, help_text="reviews that were there with other words")
    known = models.PositiveIntegerField(default=0, help_text="reviews that were there already")
    actor = models.CharField(max_length=100, blank=True, help_text="who imported it")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.file} {self.created_at:%-d %b %Y %H:%M} UTC"


class Review(models.Model):
    """One review that an operator imported. Those that pages show are read from the pages."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="reviews")
    source = models.ForeignKey(ReviewImport, on_delete=models.CASCADE, related_name="reviews")
    key = models.CharField(max_length=64, help_text="SHA-256 of the id in the file, or of the review")
    text = models.TextField()
    title = models.CharField(max_length=MAX_REVIEW_TITLE, blank=True)
    stars = models.FloatField(null=True, blank=True, help_text="of five")
    day = models.DateField(null=True, blank=True, help_text="on which it was written")
    url = models.CharField(max_length=MAX_REVIEW_URL, blank=True)
    line = models.PositiveIntegerField(default=0, help_text="of the file")
    imported_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["-imported_at", "line", "id"]
        constraints = [
            models.UniqueConstraint(fields=["brand", "key"], name="review_once_per_brand"),
            models.CheckConstraint(condition=~Q(text=""), name="review_not_empty"),
            models.CheckConstraint(
                condition=Q(stars=None) | Q(stars__gte=0, stars__lte=5), name="review_stars_of_five"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class BrandEvidence(LeasedJob):
    """The evidence of a brand as a job: made anew whenever its pages, reviews or answers are no longer those it was
    made from.

    `stamp` names what it was made from, `version` the rules. `changes` counts what the stamp cannot see, such as a
    topic that was renamed.
    """

    class State(models.TextChoices):
        OUTDATED = "outdated"
        MADE = "made"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.OneToOneField(Brand, on_delete=models.CASCADE, related_name="evidence_job")
    state = models.CharField(max_length=8, choices=State.choices, default=State.OUTDATED)
    version = models.PositiveIntegerField(default=0, help_text="of the rules that it is made by")
    stamp = models.CharField(max_length=200, blank=True, help_text="what it was made from; empty: nothing yet")
    changes = models.PositiveBigIntegerField(default=0)
    made_at = models.DateTimeField(null=True, blank=True)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        verbose_name = "evidence"
        verbose_name_plural = "evidence"
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["outdated", "made"]), name="brand_evidence_state_known")
        ]
        indexes = [models.Index(fields=["not_before"], name="brand_evidence_due", condition=Q(state="outdated"))]

    def __str__(self) -> str:
        return f"{self.state} {self.brand_id}"


class Evidence(models.Model):
    """What was found of one kind, all topics together or (criteria) on one topic.

    `content` has the items in the form of `visibility.evidence.types`. `pages`, `reviews` and `answers` were looked
    at; `used` of the answers speak of the matter: they answer buying questions, or name the brand. `as_of` is the day
    of the newest of what was read.
    """

    class Kind(models.TextChoices):
        VOICE = "voice"
        CLAIMS = "claims"
        THEMES = "themes"
        CRITERIA = "criteria"

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="evidence")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    topic = models.CharField(max_length=MAX_TOPIC, blank=True, help_text="empty: all topics together")
    content = models.JSONField(default=list)
    pages = models.PositiveIntegerField(default=0)
    reviews = models.PositiveIntegerField(default=0)
    answers = models.PositiveIntegerField(default=0)
    used = models.PositiveIntegerField(default=0)
    as_of = models.DateField(null=True, blank=True)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "evidence"
        ordering = ["brand", "kind", "topic"]
        constraints = [
            models.UniqueConstraint(fields=["brand", "kind", "topic"], name="evidence_once_per_brand_and_topic"),
            models.CheckConstraint(
                condition=Q(kind__in=["voice", "claims", "themes", "criteria"]), name="evidence_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.topic}"
