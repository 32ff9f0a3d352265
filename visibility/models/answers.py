"""Answers as they came, and what was found in them. Mentions and citations can be derived again at any time."""

import uuid
from typing import Self

from django.db import models
from django.db.models import CharField, Exists, OuterRef, Q, Value
from django.db.models.functions import Cast, Replace

from brands.models import Brand, Competitor
from brands.querysets import BrandScopedQuerySet
from visibility.detection.types import SourceClass
from visibility.engines.surfaces import MAX_ENGINE_NAME, Surface
from visibility.models.generations import CurrentManager, Generation
from visibility.models.prompts import Prompt, PromptVersion
from visibility.models.runs import Run
from visibility.models.topics import LeftOutTopic


class AnswerQuerySet(BrandScopedQuerySet):
    def counting(self) -> Self:
        """Without those on topics that the current figures leave out, as the brand does not sell them: what every
        list that stands beside figures is made of."""
        left_out = LeftOutTopic.objects.filter(brand=OuterRef("brand"))
        # The id of a prompt without a topic, which SQLite and PostgreSQL write differently.
        by_id = left_out.annotate(hex=_plain("topic")).filter(hex=_plain(Cast(OuterRef("prompt"), CharField())))
        return self.exclude(
            Exists(left_out.filter(topic=OuterRef("prompt__topic"))) | Q(Exists(by_id), prompt__topic="")
        )


def _plain(key: str | Cast) -> Replace:
    return Replace(key, Value("-"), Value(""))


class Answer(models.Model):
    """One wording asked once of one engine: planned as `pending`, then `answered` or `failed`."""

    class State(models.TextChoices):
        PENDING = "pending"
        ANSWERED = "answered"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="answers")
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="answers")
    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="answers")
    version = models.ForeignKey(PromptVersion, on_delete=models.CASCADE, related_name="answers")
    engine = models.CharField(max_length=MAX_ENGINE_NAME, help_text="its name in figures, the surface in it")
    surface = models.CharField(
        max_length=12,
        choices=[(surface.value, surface.value) for surface in Surface],
        default=Surface.API.value,
        db_default=Surface.API.value,
        help_text="where the answer was taken",
    )
    sample = models.PositiveIntegerField(default=1, help_text="1 for the first time the wording is asked")
    position = models.PositiveIntegerField(default=0, help_text="order of asking within the run")
    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    text = models.TextField(blank=True)
    sources = models.JSONField(default=list, help_text="citations as the engine gave them: url, title, start, end")
    searched = models.BooleanField(null=True, help_text="whether the engine searched the web; null: not told")
    searches = models.JSONField(default=list)
    truncated = models.BooleanField(default=False)
    refused = models.BooleanField(
        default=False, db_default=False, help_text="the model declined, or the provider's filter held the answer back"
    )
    served_model = models.CharField(max_length=100, blank=True)
    latency_ms = models.PositiveIntegerField(null=True)
    answered_at = models.DateTimeField(null=True, help_text="when the engine answered")
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.TextField(blank=True)
    import_key = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 -- null: not imported

    objects = AnswerQuerySet.as_manager()

    class Meta:
        ordering = ["run", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "version", "engine", "sample"], name="answer_once_per_run_and_sample"
            ),
            models.UniqueConstraint(fields=["run", "position"], name="answer_position_once_per_run"),
            models.CheckConstraint(
                condition=Q(state__in=["pending", "answered", "failed"]), name="answer_state_known"
            ),
            models.CheckConstraint(condition=Q(sample__gte=1), name="answer_sample_from_one"),
        ]
        indexes = [
            models.Index(fields=["prompt", "answered_at"], name="answer_prompt_time"),
        ]

    def __str__(self) -> str:
        return f"{self.engine} #{self.sample} {self.state}"


class RawBody(models.Model):
    """The provider's response as it came, compressed with zlib; kept apart so that answers stay light."""

    brand_path = "answer__brand"

    answer = models.OneToOneField(Answer, on_delete=models.CASCADE, related_name="raw_body")
    body = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = BrandScopedQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{len(self.body)} bytes of {self.answer_id}"


class MentionQuerySet(BrandScopedQuerySet):
    def visible(self) -> "MentionQuerySet":
        """Mentions that make their subject visible: not those that say that nothing is known of it."""
        return self.exclude(stance=Mention.Stance.NOT_FOUND)


class Mention(models.Model):
    """A name found in the visible prose of an answer: of the brand (competitor null) or of a competitor.

    `start` and `end` are character offsets into the raw text of the answer, `quote_start` and `quote_end` those of
    the words that show the stance. `rank` is the subject's place among what the answer offers, 1 for the first, null
    where it is not offered or that cannot be told. Rows of detectors before 7 say "neutral" for unknown.
    """

    class Stance(models.TextChoices):
        RECOMMENDED = "recommended"
        UNKNOWN = "unknown"
        CAUTIONED = "cautioned"
        REJECTED = "rejected"
        NOT_FOUND = "not_found"

    brand_path = "answer__brand"

    generation = models.ForeignKey(Generation, on_delete=models.CASCADE, related_name="+")
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="mentions")
    competitor = models.ForeignKey(
        Competitor, on_delete=models.CASCADE, null=True, blank=True, related_name="mentions"
    )
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    text = models.CharField(max_length=300)
    rank = models.PositiveIntegerField(null=True)
    rule = models.CharField(max_length=40, help_text="the rule of the detector that fired")
    rank_rule = models.CharField(max_length=20, blank=True, help_text="what the rank was taken from")
    stance = models.CharField(max_length=12, choices=Stance.choices, default=Stance.UNKNOWN)
    quote_start = models.PositiveIntegerField(default=0)
    quote_end = models.PositiveIntegerField(default=0)

    objects = CurrentManager.from_queryset(MentionQuerySet)()
    of_all_generations = MentionQuerySet.as_manager()

    class Meta:
        ordering = ["answer", "start"]
        constraints = [
            models.UniqueConstraint(
                fields=["answer", "start", "generation"],
                condition=Q(competitor=None),
                name="mention_of_brand_once_per_place",
            ),
            models.UniqueConstraint(
                fields=["answer", "start", "competitor", "generation"],
                condition=Q(competitor__isnull=False),
                name="mention_of_competitor_once_per_place",
            ),
            models.CheckConstraint(condition=Q(end__gt=models.F("start")), name="mention_span_not_empty"),
        ]
        indexes = [models.Index(fields=["competitor", "answer"], name="mention_competitor")]

    def __str__(self) -> str:
        return f"{self.text} @{self.start}"


class Citation(models.Model):
    """A source that an answer cites; one row per canonical URL and answer.

    `spans` are the places, in the raw text of the answer, of the sentences that it supports. The impressions are the
    part of the answer that it carries, 0–1; null: not computed.
    """

    class Owner(models.TextChoices):
        OWN = "own"
        COMPETITOR = "competitor"
        OTHER = "other"

    brand_path = "answer__brand"

    generation = models.ForeignKey(Generation, on_delete=models.CASCADE, related_name="+")
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="citations")
    url = models.TextField(help_text="canonical URL")
    url_digest = models.CharField(max_length=64, help_text="SHA-256 of the canonical URL")
    domain = models.CharField(max_length=253, help_text="registrable domain")
    title = models.TextField(blank=True)
    position = models.PositiveIntegerField(help_text="1 for the first source")
    owner = models.CharField(max_length=10, choices=Owner.choices, default=Owner.OTHER)
    cls = models.CharField(
        "class",
        max_length=12,
        choices=[(source_class.value, source_class.value) for source_class in SourceClass],
        default=SourceClass.OTHER.value,
        help_text="what kind of site the source is",
    )
    competitor = models.ForeignKey(
        Competitor, on_delete=models.SET_NULL, null=True, blank=True, related_name="citations"
    )

    spans = models.JSONField(default=list, help_text="[[start, end]] of the sentences that it supports")
    impression = models.FloatField(null=True, help_text="by the sentences that it supports")
    impression_published = models.FloatField(null=True, help_text="by the published code's reading of markers")

    objects = CurrentManager.from_queryset(BrandScopedQuerySet)()
    of_all_generations = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["answer", "position"]
        constraints = [
            models.UniqueConstraint(fields=["answer", "url_digest", "generation"], name="citation_once_per_answer")
        ]
        indexes = [models.Index(fields=["domain"], name="citation_domain")]

    def __str__(self) -> str:
        return self.url
