"""The questions that are asked of engines, with their versions."""

import uuid

from django.db import models
from django.utils import timezone

from brands.models import Brand, Competitor
from brands.querysets import BrandScopedQuerySet

MAX_PROMPT = 2_000
MAX_TOPIC = MAX_PERSONA = 200
"""Characters of a wording, of its topic and of the persona that asks."""


class Stage(models.TextChoices):
    """Where the asker stands on the way to a purchase."""

    AWARENESS = "awareness"
    CONSIDERATION = "consideration"
    DECISION = "decision"


class Intent(models.TextChoices):
    """What the asker wants from the answer."""

    INFORMATIONAL = "informational"
    COMPARISON = "comparison"
    TRANSACTIONAL = "transactional"


class Purpose(models.TextChoices):
    """What a question is asked for."""

    VISIBILITY = "visibility"
    COMPARISON = "comparison"


class PromptQuerySet(BrandScopedQuerySet):
    def tracked(self) -> "PromptQuerySet":
        """The prompts that people keep, without the questions that comparisons make for themselves."""
        return self.filter(purpose=Purpose.VISIBILITY)

    def active(self) -> "PromptQuerySet":
        """Prompts that scans ask; archived ones keep their history and are asked no more."""
        return self.tracked().filter(archived_at=None)


class Prompt(models.Model):
    """A question in its current wording. Prompts of one `topic` are wordings of one need (default: the text).

    Those with the purpose of a comparison put the brand against `rival`, which is null once that is watched no more;
    no scan asks them, they enter no figure and count against no quota.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="prompts")
    text = models.TextField(help_text="the current wording, as it is asked; at most 2,000 characters")
    version = models.PositiveIntegerField(default=1, editable=False)
    topic = models.CharField(max_length=MAX_TOPIC, blank=True)
    stage = models.CharField(max_length=20, choices=Stage.choices, blank=True)
    intent = models.CharField(max_length=20, choices=Intent.choices, blank=True)
    persona = models.CharField(max_length=MAX_PERSONA, blank=True)
    locale = models.CharField(max_length=20, blank=True, help_text="BCP 47, such as en-GB; empty: not stated")
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.VISIBILITY, editable=False)
    rival = models.ForeignKey(
        Competitor, on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    digest = models.CharField(
        max_length=64, editable=False, help_text="SHA-256 of wording and locale, and of the rival in a comparison"
    )
    archived_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = PromptQuerySet.as_manager()

    class Meta:
        ordering = ["topic", "created_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["brand", "digest"],
                condition=models.Q(archived_at=None),
                name="prompt_active_once_per_brand",
                violation_error_message="This brand already has an active prompt with this wording and locale.",
            ),
            models.CheckConstraint(condition=~models.Q(text=""), name="prompt_not_empty"),
            models.CheckConstraint(
                condition=models.Q(purpose="comparison") | models.Q(purpose="visibility", rival=None),
                name="prompt_rival_only_in_comparisons",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class PromptVersion(models.Model):
    """One wording of a prompt in one locale. Answers point to what was asked; it never changes."""

    brand_path = "prompt__brand"

    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    locale = models.CharField(max_length=20, blank=True, help_text="in which it was asked; empty: not stated")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.CharField(max_length=100, blank=True, help_text="the actor of the caller")

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["prompt", "number"]
        constraints = [models.UniqueConstraint(fields=["prompt", "number"], name="prompt_version_number_once")]

    def __str__(self) -> str:
        return f"{self.number}: {self.text[:80]}"
