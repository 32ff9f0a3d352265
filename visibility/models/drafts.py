"""Pages that were written for a brand, to be finished and published by people."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.models.prompts import MAX_TOPIC
from visibility.writers.protocol import MAX_TITLE_LENGTH
from visibility.writers.tasks import DraftFormat


class ContentDraft(models.Model):
    """One page as it was written, with what it rests on. It is never changed: another one is another draft."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="drafts")
    opportunity = models.CharField(max_length=40, blank=True, help_text="id of the opportunity it was written for")
    topic = models.CharField(max_length=MAX_TOPIC)
    format = models.CharField(
        max_length=12, choices=[(draft_format.value, draft_format.value) for draft_format in DraftFormat]
    )
    title = models.CharField(max_length=MAX_TITLE_LENGTH)
    markdown = models.TextField()
    sources = models.JSONField(default=list, help_text="the passages that the marks in the text stand for")
    checks = models.JSONField(default=list)
    writer = models.JSONField(help_text="who wrote it: kind, name, model")
    created_by = models.CharField(max_length=100, blank=True, help_text="the actor of the caller")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(format__in=[draft_format.value for draft_format in DraftFormat]),
                name="content_draft_format_known",
            )
        ]
        indexes = [models.Index(fields=["brand", "-created_at", "-id"], name="content_draft_newest")]

    def __str__(self) -> str:
        return self.title
