"""Briefs and drafts of pages."""

import uuid

from django.db import models
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScoped
from visibility.models.prompts import Topic
from visibility.models.recommendations import Recommendation


class DraftFormat(models.TextChoices):
    """What kind of page is to be written."""

    ARTICLE = "article"
    FAQ = "faq"
    COMPARISON = "comparison"
    LANDING = "landing"


class Draft(BrandScoped):
    """A brief (without an engine that writes) or a draft, in Markdown, with what it rests on."""

    Format = DraftFormat

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="drafts")
    opportunity = models.CharField(max_length=120, help_text="id of the opportunity that it was made for")
    recommendation = models.ForeignKey(Recommendation, on_delete=models.SET_NULL, null=True, related_name="drafts")
    topic = models.ForeignKey(Topic, on_delete=models.SET_NULL, null=True, related_name="+")
    format = models.CharField(max_length=10, choices=DraftFormat.choices)
    title = models.CharField(max_length=300)
    markdown = models.TextField()
    sources = models.JSONField(default=list, help_text="a list of Source, see content/resources.py")
    checks = models.JSONField(default=list, help_text="a list of Check")
    writer = models.JSONField(help_text="kind (brief, engine), engine and model")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=100, blank=True, help_text="the actor of the caller")

    class Meta:
        ordering = ["brand", "-created_at", "id"]

    def __str__(self) -> str:
        return self.title
