"""Changes of a brand's score that may be called so: one row each, written by the pipeline, read by every door."""

from django.db import models
from django.db.models import Q

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.models.generations import CurrentManager, Generation
from visibility.models.prompts import MAX_TOPIC


class ChangeRecord(models.Model):
    """One change of the brand's score: over engines, of one engine, or of one topic. Figures are 0–100, changes in
    points; `delta` is on the cells (engine and wording) that both sides have, and before + delta + prompts_changed =
    after.

    Derived from the counts of measured days, so written anew as a whole whenever these change.
    """

    class Of(models.TextChoices):
        SCORE = "score"
        ENGINE = "engine"
        TOPIC = "topic"

    class Direction(models.TextChoices):
        UP = "up"
        DOWN = "down"

    class KnownBy(models.TextChoices):
        CONFIRMED = "confirmed"
        MONITOR = "monitor"

    class State(models.TextChoices):
        HOLDS = "holds"
        WENT_ON = "went_on"
        RECOVERED = "recovered"

    generation = models.ForeignKey(Generation, on_delete=models.CASCADE, related_name="+")
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="change_records")
    of = models.CharField(max_length=6, choices=Of.choices)
    engine = models.CharField(max_length=100, blank=True, help_text="of which engine; empty: over engines")
    topic = models.CharField(max_length=MAX_TOPIC, blank=True, help_text="key of the topic; empty: all own topics")
    direction = models.CharField(
        max_length=4,
        choices=Direction.choices,
        help_text="of the change as it became known; the `delta` of a later day may differ",
    )
    began = models.DateField(help_text="the day of the move; where the monitor raised it, about when it began")
    known_by = models.CharField(max_length=9, choices=KnownBy.choices)
    known_on = models.DateField(help_text="the measured day that confirmed it, or on which the monitor raised it")
    state = models.CharField(max_length=9, choices=State.choices)
    state_since = models.DateField(help_text="the measured day since which it has this state")
    before = models.FloatField(help_text="the mean of the days that it was tested against")
    before_first = models.DateField(help_text="the first of these days")
    before_last = models.DateField(help_text="the last of these days")
    before_days = models.PositiveIntegerField(help_text="how many they are")
    after = models.FloatField(help_text="the figure of the latest measured day, or of the day that ended the change")
    after_day = models.DateField()
    delta = models.FloatField()
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    prompts_changed = models.FloatField(default=0, help_text="what other prompts or engines make of the difference")
    told_until = models.DateField(help_text="it is told as a change up to this measured day")
    content = models.JSONField(default=dict, help_text="a ChangeContent: what it is made of, and what went with it")

    objects = CurrentManager.from_queryset(BrandScopedQuerySet)()
    of_all_generations = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["brand", "-began", "of", "engine", "topic"]
        constraints = [
            models.UniqueConstraint(
                fields=["generation", "of", "engine", "topic", "began", "direction"], name="change_record_once"
            ),
            models.CheckConstraint(condition=Q(of__in=["score", "engine", "topic"]), name="change_record_of_known"),
        ]

    def __str__(self) -> str:
        return f"{self.of} {self.engine}{self.topic} {self.began}: {self.direction}"
