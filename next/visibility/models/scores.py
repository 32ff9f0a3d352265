"""Daily scores: what the doors read. Rates are 0 to 100; unmeasured is null, never 0."""

from datetime import date

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from brands.models import Brand, Competitor
from brands.querysets import BrandScopedQuerySet


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

    `figures` holds the further figures by their names in the API, see `scores/resources.py`.
    """

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="daily_scores")
    competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, null=True, related_name="daily_scores")
    date = models.DateField(null=True)
    score = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    figures = models.JSONField(default=dict)
    comparable = models.BooleanField(null=True, help_text="with the measured day before; null: there is none")
    change = models.JSONField(null=True, help_text="since the measured day before")
    runs = ArrayField(models.UUIDField(), default=list, help_text="the runs that were pooled")

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
