"""Topics, the prompts that are asked about them, and the wordings of each prompt."""

import re
import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone

from brands.models import Brand, Competitor
from brands.querysets import BrandScoped, BrandScopedQuerySet

LONGEST_PROMPT = 2_000
LONGEST_TOPIC = 200
LONGEST_MARKET = 24
MARKET = "language and country asked for, such as de-AT; empty: not known"
UNSTATED = "und"
"""The language of a locale or market that states a country alone, by BCP 47."""
_JOINTS = re.compile(r"[-_]")
_LEAST_WORDS = 3
"""Of a name that is written for machines: "e-bikes" and "all-wheel drive" are not."""


def topic_title(name: str) -> str:
    """The name of a topic as people write it: "tv 55 inch 1000" for "tv-55-inch-1000"."""
    words = _JOINTS.split(name)
    return name if " " in name or len(words) < _LEAST_WORDS else " ".join(words)


def language_of(market: str) -> str:
    """The language of a locale or market (BCP 47, with its script); empty where it states none."""
    language, *rest = market.split("-")
    return "" if language == UNSTATED else "-".join([language, *(part for part in rest if len(part) == 4)])


def country_of(market: str) -> str:
    """The country of a locale or market, two capitals; empty where it states none."""
    _, *rest = market.split("-")
    return next((part.upper() for part in rest if len(part) == 2 and part.isalpha()), "")


def market_of(locale: str, region: str = "") -> str:
    """The market that a wording is asked for: a locale without a country takes the brand's region. "und-AT" where
    only the country is known, empty where nothing is."""
    language, country = language_of(locale), country_of(locale) or region
    return "-".join(filter(None, [language or (UNSTATED if country else ""), country]))


class Topic(BrandScoped):
    """A need that prompts are wordings of. `own`: the brand sells what it is about; null: nobody has decided."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="topics")
    name = models.CharField(max_length=LONGEST_TOPIC)
    own = models.BooleanField(null=True, help_text="null: undecided; it counts, and is asked about first")
    decided_by = models.CharField(max_length=100, blank=True, help_text="the actor of the caller")
    decided_at = models.DateTimeField(null=True)
    pooled = models.BooleanField(default=False, help_text="an import put its wordings together by their words")

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint("brand", Lower("name"), name="topic_once_per_brand")]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """The name as people write it."""
        return topic_title(self.name)


class Stage(models.TextChoices):
    """Where the asker is on the way to a purchase."""

    AWARENESS = "awareness"
    CONSIDERATION = "consideration"
    DECISION = "decision"


class Intent(models.TextChoices):
    """What the asker wants from the answer."""

    INFORMATIONAL = "informational"
    COMPARISON = "comparison"
    TRANSACTIONAL = "transactional"


class Purpose(models.TextChoices):
    """What a prompt is asked for."""

    VISIBILITY = "visibility"
    COMPARISON = "comparison"


class PromptQuerySet(BrandScopedQuerySet):
    """Prompts in the words of those who work with them."""

    def tracked(self) -> "PromptQuerySet":
        """Those that people track, without the questions that comparisons make for themselves."""
        return self.filter(purpose=Purpose.VISIBILITY)

    def active(self) -> "PromptQuerySet":
        """Tracked prompts that scans ask: not the archived ones."""
        return self.tracked().filter(archived_at=None)


class Prompt(models.Model):
    """A prompt in its current wording. `digest` identifies it: SHA-256 of wording, locale and competitor."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="prompts")
    topic = models.ForeignKey(
        Topic, on_delete=models.RESTRICT, null=True, related_name="prompts", help_text="null: of a comparison"
    )
    text = models.TextField(help_text="the current wording, as it is asked")
    version = models.PositiveIntegerField(default=1, editable=False)
    stage = models.CharField(max_length=20, choices=Stage.choices, blank=True)
    intent = models.CharField(max_length=20, choices=Intent.choices, blank=True)
    persona = models.CharField(max_length=200, blank=True)
    locale = models.CharField(max_length=20, blank=True, help_text="BCP 47, such as en-GB; empty: not stated")
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.VISIBILITY, editable=False)
    competitor = models.ForeignKey(
        Competitor,
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        help_text="of a comparison",
    )
    digest = models.CharField(max_length=64, editable=False)
    archived_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = PromptQuerySet.as_manager()

    class Meta:
        ordering = ["topic", "created_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["brand", "digest"], condition=Q(archived_at=None), name="prompt_active_once_per_brand"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="prompt_not_empty"),
            models.CheckConstraint(
                condition=Q(topic__isnull=False) | Q(purpose="comparison"), name="prompt_tracked_has_topic"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]

    @property
    def topic_name(self) -> str:
        """Empty for a question of a comparison."""
        return self.topic.name if self.topic else ""


class PromptVersion(BrandScoped):
    """One wording of a prompt in one locale. Answers point to what was asked, so it never changes."""

    brand_path = "prompt__brand"

    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    locale = models.CharField(max_length=20, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=100, blank=True, help_text="the actor of the caller")

    class Meta:
        ordering = ["prompt", "number"]
        constraints = [models.UniqueConstraint(fields=["prompt", "number"], name="prompt_version_number_once")]

    def __str__(self) -> str:
        return f"{self.number}: {self.text[:80]}"
