"""Counts of answers, and the daily scores made of them. Scores are 0 to 100; unmeasured is null, never 0."""

from datetime import date
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from brands.models import Brand, Competitor
from brands.querysets import BrandScoped, BrandScopedQuerySet
from visibility.models.engines import Engine, Surface
from visibility.models.prompts import LONGEST_MARKET, MARKET, PromptVersion
from visibility.models.runs import Run


class Cell(BrandScoped):
    """The counts of one wording asked of one engine for one market in one run, for the brand (competitor null) or a
    competitor.

    The one table of counts: every figure reads it. The brand's row is there for each wording that was asked, a
    competitor's only where a count of it is not zero. `gain` is the sum of 1/log2(1 + rank) over ranked mentions.
    """

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="cells", db_index=False)
    day = models.DateField()
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="cells", db_index=False)
    engine = models.ForeignKey(Engine, on_delete=models.PROTECT, related_name="+")
    surface = models.CharField(max_length=12, choices=Surface.choices)
    market = models.CharField(max_length=LONGEST_MARKET, blank=True, default="", db_default="", help_text=MARKET)
    version = models.ForeignKey(PromptVersion, on_delete=models.CASCADE, related_name="cells")
    competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, null=True, related_name="cells")
    answers = models.PositiveSmallIntegerField(help_text="answered, of those asked for")
    failed = models.PositiveSmallIntegerField(default=0)
    absent = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="askings for which no AI answer was shown"
    )
    mentioned = models.PositiveSmallIntegerField(default=0, help_text="answers that name the subject")
    ranked = models.PositiveSmallIntegerField(default=0, help_text="of these, those that give it a place")
    first = models.PositiveSmallIntegerField(default=0)
    gain = models.FloatField(default=0)
    gain_squares = models.FloatField(default=0, help_text="the sum of the squares of these")
    recommended = models.PositiveSmallIntegerField(default=0)
    cautioned = models.PositiveSmallIntegerField(default=0, help_text="cautioned or rejected")
    alone = models.PositiveSmallIntegerField(default=0, help_text="answers that name no other tracked subject")
    cited = models.PositiveSmallIntegerField(default=0, help_text="answers that cite a domain of the subject")
    unsourced = models.PositiveSmallIntegerField(
        default=0, help_text="answers that cite sources which the provider lost: they count for no rate of citation"
    )
    comentions = models.PositiveIntegerField(
        default=0, help_text="over the answers that name the subject, the sum of how many subjects each names"
    )
    without_brand = models.PositiveSmallIntegerField(
        default=0, help_text="answers that name the competitor and not the brand"
    )
    named = models.BooleanField(default=False, help_text="the prompt itself names the subject")

    class Meta:
        ordering = ["brand", "day"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "engine", "surface", "market", "version", "competitor"],
                nulls_distinct=False,
                name="cell_once",
            )
        ]
        indexes = [models.Index(fields=["brand", "day"], name="cell_brand_day")]

    def __str__(self) -> str:
        return f"{self.day}: {self.mentioned} of {self.answers}"


class DailyScoreQuerySet(BrandScopedQuerySet):
    """Daily scores in the words of those who read them."""

    def of_brand(self, brand: Brand) -> "DailyScoreQuerySet":
        """The brand's own, not its competitors'."""
        return self.filter(brand=brand, competitor=None)

    def between(self, first: date, last: date) -> "DailyScoreQuerySet":
        """The measured days of a window, both ends included, the oldest first."""
        return self.filter(date__range=(first, last)).order_by("date")


class DailyScore(models.Model):
    """The visibility of one UTC day (null: of now), of the brand (competitor null) or of a competitor.

    `figures` are the further figures by their names in the API, see `scores/resources.py`.
    """

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="daily_scores", db_index=False)
    competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, null=True, related_name="daily_scores")
    date = models.DateField(null=True)
    score = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    figures = models.JSONField(default=dict)
    comparable = models.BooleanField(null=True, help_text="with the measured day before; null: there is none")
    change = models.JSONField(null=True, help_text="since the measured day before")
    runs = ArrayField(models.UUIDField(), default=list, help_text="the runs that were pooled")
    window = models.JSONField(default=dict, help_text="the figures of the window that ended on the day; of the brand")

    objects = DailyScoreQuerySet.as_manager()

    class Meta:
        ordering = ["brand", "date"]
        constraints = [
            models.UniqueConstraint(
                fields=["brand", "date", "competitor"], nulls_distinct=False, name="daily_score_once"
            ),
            models.CheckConstraint(
                condition=Q(score=None) | Q(score__range=(0, 100)), name="daily_score_is_a_percentage"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.date or 'now'}: {self.score}"

    @property
    def every_figure(self) -> dict[str, Any]:
        """The score, its interval and the further figures, by their names in the API."""
        return {"score": self.score, "low": self.low, "high": self.high, **self.figures}
