"""Changes of a brand's score, confirmed or raised by the monitor: written when measured, read by every door."""

from typing import Any

from django.db import models

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet


class KnownBy(models.TextChoices):
    """What made a change known."""

    CONFIRMED = "confirmed"
    MONITOR = "monitor"


class ChangeState(models.TextChoices):
    """What became of a change."""

    HOLDS = "holds"
    RECOVERED = "recovered"
    WENT_ON = "went_on"


class ChangeRecordQuerySet(BrandScopedQuerySet):
    """Change records in the words of those who read them."""

    def open(self) -> "ChangeRecordQuerySet":
        """Those that have not recovered."""
        return self.exclude(state=ChangeState.RECOVERED)


class ChangeRecord(models.Model):
    """A change of the score over engines (`engine` empty) or of one engine, in points.

    `before` is the mean of the days that it was tested against, `after` that of the latest day that showed it, both
    on the prompts that both answered; `delta` is after less before, `low` to `high` its 95 % interval. `parts` are
    what topics, engines and wordings add to it: each list sums to `delta`.
    """

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="change_records")
    engine = models.CharField(max_length=80, blank=True, help_text="name and surface; empty: over engines")
    began = models.DateField(help_text="the day of the move; where the monitor raised it, about when it began")
    known_by = models.CharField(max_length=9, choices=KnownBy.choices)
    known_on = models.DateField(help_text="the measured day on which it became known")
    reported_until = models.DateField()
    state = models.CharField(max_length=9, choices=ChangeState.choices, default=ChangeState.HOLDS)
    state_since = models.DateField(help_text="the measured day since which it has this state")
    before = models.FloatField()
    before_days = models.PositiveSmallIntegerField(help_text="how many days `before` is the mean of")
    after = models.FloatField()
    after_day = models.DateField()
    delta = models.FloatField()
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    context = models.JSONField(
        default=dict, help_text="competitors that moved and sources that appeared or vanished over the same days"
    )
    parts = models.JSONField(default=dict, help_text="topics, engines, wordings: each a list of key and points")

    objects = ChangeRecordQuerySet.as_manager()

    class Meta:
        ordering = ["brand", "-began", "engine"]
        constraints = [models.UniqueConstraint(fields=["brand", "engine", "began"], name="change_record_once")]

    def __str__(self) -> str:
        return f"{self.began}: {self.delta:+.1f}"

    @property
    def instrument(self) -> dict[str, Any] | None:
        """The engines that changed themselves at that time, and what of the change is theirs: see
        `scores.instrument`."""
        found: dict[str, Any] | None = self.context.get("instrument")
        return found

    @property
    def is_of_engine(self) -> bool:
        """Whether more than half of the change is of engines that changed themselves at that time."""
        points = self.instrument["points"] if self.instrument else 0.0
        return bool(points * self.delta > 0 and abs(points) > abs(self.delta) / 2)

    @property
    def is_open(self) -> bool:
        """Whether the change has not recovered."""
        return self.state != ChangeState.RECOVERED
