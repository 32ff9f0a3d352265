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

MAX_PAGE_URL = 2_048


class ContentDraft(models.Model):
    """One page as it was written, with what it rests on, and its latest edit.

    What was written is never changed: an edit stands beside it, with who made it and when. `version` counts edits
    from one on: who edits names the version that was read. `checks`, `structured_data` and `diff` are of the latest
    text.
    """

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
    questions = models.JSONField(default=list, help_text="what the page answers, the first of all first")
    criteria = models.JSONField(default=list, help_text="what buyers judge by, as headings of the page")
    locale = models.CharField(max_length=35, blank=True, help_text="of most of the questions; empty: not stated")
    dropped = models.PositiveIntegerField(default=0, help_text="sentences of the writer that had no source")
    structured_data = models.JSONField(default=dict, help_text="JSON-LD that the text allows")
    page_url = models.CharField(max_length=MAX_PAGE_URL, blank=True, help_text="the own page that it revises")
    page_text = models.TextField(blank=True, help_text="what that page said when the draft was written")
    diff = models.TextField(blank=True, help_text="from that page to the latest text, as a unified diff")
    version = models.PositiveIntegerField(default=1, help_text="1 as it was written, one more with each edit")
    edited_title = models.CharField(max_length=MAX_TITLE_LENGTH, blank=True)
    edited_markdown = models.TextField(blank=True, help_text="the latest edit; empty: none")
    edited_by = models.CharField(max_length=100, blank=True, help_text="the actor of the latest edit")
    edited_at = models.DateTimeField(null=True, blank=True)
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
            ),
            models.CheckConstraint(
                condition=Q(version=1, edited_markdown="", edited_at=None)
                | (Q(version__gt=1, edited_at__isnull=False) & ~Q(edited_markdown="")),
                name="content_draft_edit_whole",
            ),
        ]
        indexes = [models.Index(fields=["brand", "-created_at", "-id"], name="content_draft_newest")]

    def __str__(self) -> str:
        return self.latest_title

    @property
    def latest_title(self) -> str:
        """The title as it was edited last, or written."""
        return self.edited_title if self.edited_at else self.title

    @property
    def latest_markdown(self) -> str:
        """The text as it was edited last, or written."""
        return self.edited_markdown if self.edited_at else self.markdown
