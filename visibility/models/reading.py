"""What an engine or a person's assistant has read in answers and reviews: rows with a quote, checked by code."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from brands.models import Brand, Competitor
from brands.querysets import BrandScoped
from visibility.models.answers import Answer
from visibility.models.evidence import Review
from visibility.models.prompts import Topic


class Facet(models.TextChoices):
    """What a statement says of its subject."""

    ROLE = "role"  # for whom or for what it is the choice
    REASON = "reason"  # why it is chosen
    LIMIT = "limit"  # what it lacks, or for whom it is not
    WARNING = "warning"  # what is warned of
    PRICE = "price"
    PRODUCT = "product"  # which of its products
    BUYER = "buyer"  # who asks, and what they choose by
    RATING = "rating"
    FACT = "fact"  # anything else that is true or false


class Reading(BrandScoped):
    """One look of a reader at the answers on a topic, or (`topic` null) at the reviews. Never edited; the newest
    counts. Another reader or version is another series."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="readings")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, null=True, related_name="readings")
    reader = models.CharField(max_length=64, blank=True, help_text="the engine's name; empty: a person's assistant")
    model = models.CharField(max_length=100, blank=True, help_text="as the engine reports it")
    version = models.PositiveSmallIntegerField(help_text="of the task and the checks")
    read = ArrayField(models.BigIntegerField(), default=list, help_text="ids of the answers or reviews given to read")
    refused = models.PositiveIntegerField(default=0, help_text="rows that failed a check")
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.CharField(max_length=100, blank=True, help_text="actor of the caller; empty: by itself")

    class Meta:
        ordering = ["brand", "topic", "-made_at", "-id"]
        indexes = [models.Index(fields=["brand", "topic", "-made_at"], name="reading_newest")]

    def __str__(self) -> str:
        return f"{self.brand}: {self.topic or 'reviews'}, {self.made_at:%Y-%m-%d}"


class Statement(BrandScoped):
    """One row: what an answer or a review says of the brand (`competitor` null) or a competitor. The quote is
    `start:end` of its text; `value` and `heading` are words of the reader, shown as labels only."""

    brand_path = "reading__brand"

    reading = models.ForeignKey(Reading, on_delete=models.CASCADE, related_name="statements")
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, null=True, related_name="+")
    review = models.ForeignKey(Review, on_delete=models.CASCADE, null=True, related_name="+")
    competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, null=True, related_name="+")
    facet = models.CharField(max_length=8, choices=Facet.choices)
    value = models.CharField(max_length=80, help_text="at most four words")
    heading = models.CharField(max_length=80, help_text="of the group of rows that mean the same")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        ordering = ["reading", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(answer__isnull=True) ^ Q(review__isnull=True), name="statement_of_one_text"
            ),
            models.CheckConstraint(condition=Q(start__lt=models.F("end")), name="statement_has_a_quote"),
        ]

    def __str__(self) -> str:
        return f"{self.facet}: {self.value}"
