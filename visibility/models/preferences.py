"""Which of two names an answer of a comparison prefers; made of stored answers, as mentions are."""

from django.db import models
from django.db.models import F, Q

from brands.querysets import BrandScopedQuerySet
from visibility.detection.stance.preference import PreferenceRule
from visibility.models.answers import Answer
from visibility.models.generations import CurrentManager, Generation


class Preference(models.Model):
    """Whom one answer to a question of a comparison prefers: the brand, the rival of the question, or nobody.

    `start` and `end` are character offsets of the words that decide into the raw text; equal where nothing does.
    """

    class Side(models.TextChoices):
        BRAND = "brand"
        RIVAL = "rival"
        NOBODY = "nobody"

    brand_path = "answer__brand"

    generation = models.ForeignKey(Generation, on_delete=models.CASCADE, related_name="+")
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="preferences")
    side = models.CharField(max_length=6, choices=Side.choices)
    rule = models.CharField(max_length=14, choices=[(rule.value, rule.value) for rule in PreferenceRule])
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)

    objects = CurrentManager.from_queryset(BrandScopedQuerySet)()
    of_all_generations = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["answer"]
        constraints = [
            models.UniqueConstraint(fields=["answer", "generation"], name="preference_once_per_answer"),
            models.CheckConstraint(condition=Q(side__in=["brand", "rival", "nobody"]), name="preference_side_known"),
            models.CheckConstraint(condition=Q(end__gte=F("start")), name="preference_span_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.side} ({self.rule})"
