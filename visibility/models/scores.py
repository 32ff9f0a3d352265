"""Daily scores: what the doors read. Rates are 0–100, two decimals; unmeasured is null, never 0."""

from django.db import models
from django.db.models import Q

from brands.models import Brand, Competitor
from brands.querysets import BrandScopedQuerySet
from visibility.models.generations import CurrentManager, Generation
from visibility.models.intervals import interval_field


class Panel(models.Model):
    """What was asked of whom on a day: prompts, engines with their models, locales, detector version.

    Kept once for all days that share it; two days are comparable when their panels are alike.
    """

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="panels")
    digest = models.CharField(max_length=64)
    content = models.JSONField()

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["brand", "digest"], name="panel_once_per_brand")]

    def __str__(self) -> str:
        return self.digest[:12]


class DailyScore(models.Model):
    """The measured visibility of one UTC day: of the brand (competitor null) or of one of its competitors."""

    generation = models.ForeignKey(Generation, on_delete=models.CASCADE, db_index=False, related_name="+")
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="daily_scores")
    competitor = models.ForeignKey(
        Competitor, on_delete=models.CASCADE, null=True, blank=True, related_name="daily_scores"
    )
    date = models.DateField()
    score = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    interval = interval_field()
    panel_low = models.FloatField(null=True)
    panel_high = models.FloatField(null=True)
    prompts = models.PositiveIntegerField(default=0)
    topics = models.PositiveIntegerField(default=0)
    answers = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    share_of_voice = models.FloatField(null=True)
    share_of_voice_low = models.FloatField(null=True)
    share_of_voice_high = models.FloatField(null=True)
    share_of_voice_interval = interval_field()
    prominence = models.FloatField(null=True)
    prominence_low = models.FloatField(null=True)
    prominence_high = models.FloatField(null=True)
    prominence_interval = interval_field()
    prominence_bounds = models.JSONField(null=True, help_text="a Bounds; null: every mention has a place")
    mentions = models.PositiveIntegerField(null=True, help_text="answers that name the subject, of `answers`")
    ranked = models.PositiveIntegerField(null=True, help_text="of `mentions`, those that have a place")
    citation_rate = models.FloatField(null=True)
    citation_rate_low = models.FloatField(null=True)
    citation_rate_high = models.FloatField(null=True)
    citation_rate_interval = interval_field()
    engines = models.JSONField(default=list, help_text="an EngineScore for each engine that was asked")
    by_locale = models.JSONField(
        null=True, help_text="a LocaleScore for each locale, empty where that is one; null: of an earlier release"
    )
    details = models.JSONField(default=dict, help_text="the further figures, and all figures by engine")
    all_topics = models.JSONField(
        null=True, help_text="the brand's score over all topics, where those that are not own are left out elsewhere"
    )
    comparable = models.BooleanField(null=True, help_text="with the measured day before; null: there is none")
    change = models.JSONField(null=True, help_text="since the measured day before")
    change_week = models.JSONField(null=True, help_text="since the comparable day a week or two before")
    change_month = models.JSONField(null=True, help_text="since the comparable day four to eight weeks before")
    confirmation = models.JSONField(null=True, help_text="whether a move of the latest days is confirmed")
    monitor = models.JSONField(null=True, help_text="what looking on every day says")
    changes = models.JSONField(default=list, help_text="the day's changes by metric and engine")
    budget = models.JSONField(default=dict, help_text="variance budgets of score and change")
    runs = models.JSONField(default=list, help_text="ids of the runs that were pooled")
    panel = models.ForeignKey(Panel, on_delete=models.RESTRICT, related_name="daily_scores", null=True)
    detector_version = models.CharField(max_length=40)

    objects = CurrentManager.from_queryset(BrandScopedQuerySet)()
    of_all_generations = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["brand", "date"]
        constraints = [
            models.UniqueConstraint(
                fields=["brand", "date", "generation"], condition=Q(competitor=None), name="daily_score_of_brand_once"
            ),
            models.UniqueConstraint(
                fields=["competitor", "date", "generation"],
                condition=Q(competitor__isnull=False),
                name="daily_score_of_competitor_once",
            ),
            models.CheckConstraint(
                condition=Q(score=None) | Q(score__gte=0, score__lte=100), name="daily_score_percent"
            ),
        ]
        indexes = [models.Index(fields=["generation", "date"], name="daily_score_of_generation")]

    def __str__(self) -> str:
        return f"{self.date}: {self.score}"


class DayCount(models.Model):
    """The answers of one measured day, counted by engine, wording and subject.

    Any two days can be compared by these, and every earlier day looked at again, without reading answers. Written
    with the scores of the day, gone with them.
    """

    generation = models.ForeignKey(Generation, on_delete=models.CASCADE, db_index=False, related_name="+")
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="day_counts")
    date = models.DateField()
    content = models.BinaryField(help_text="a DayCounts as `measured.counts` packs it")

    objects = CurrentManager.from_queryset(BrandScopedQuerySet)()
    of_all_generations = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["brand", "date"]
        constraints = [models.UniqueConstraint(fields=["generation", "date"], name="day_count_once_per_generation")]

    def __str__(self) -> str:
        return str(self.date)
