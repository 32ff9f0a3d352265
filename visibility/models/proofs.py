"""Whether what was done has helped: a plan that is frozen when the work is done, and the verdict of later scans."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.models.prompts import MAX_TOPIC


class Proof(models.Model):
    """One test of one topic: recommendations that are done on the same topic share it while it is under way.

    `plan` is frozen when the first of them is done: the prompts, engines and metric, the days of the baseline, how
    many scans and answers the change needs to show, what they cost. `result` holds the difference to the brand's
    other topics with its interval, and what could have been seen. Both have the forms of `insights.proofs.types`.
    """

    class State(models.TextChoices):
        BASELINE = "baseline", "waiting for a baseline"
        COLLECTING = "collecting", "waiting for scans"
        JUDGED = "judged"

    class Metric(models.TextChoices):
        SCORE = "score"
        CITATION_RATE = "citation_rate", "citation rate"

    class Verdict(models.TextChoices):
        MOVED_UP = "moved_up"
        MOVED_DOWN = "moved_down"
        NOT_SEEN = "not_seen", "no change that this panel could see"
        NOT_COMPARABLE = "not_comparable"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="proofs")
    topic = models.CharField(max_length=MAX_TOPIC, blank=True, help_text="topic as prompts have it; empty: all")
    metric = models.CharField(max_length=16, choices=Metric.choices, default=Metric.SCORE)
    state = models.CharField(max_length=12, choices=State.choices, default=State.BASELINE)
    done_at = models.DateTimeField(default=timezone.now, help_text="when the work was done: later days are after it")
    plan = models.JSONField(default=dict)
    verdict = models.CharField(max_length=16, choices=Verdict.choices, blank=True)
    result = models.JSONField(default=dict)
    p = models.FloatField(null=True, blank=True, help_text="of the difference to the other topics, two-sided")
    judged_at = models.DateTimeField(null=True, blank=True)
    waits_until = models.DateField(null=True, blank=True, help_text="the last day that it waits for; null: no more")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["-done_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["brand", "topic", "metric"], condition=~Q(state="judged"), name="proof_one_under_way"
            ),
            models.CheckConstraint(
                condition=Q(state="judged", judged_at__isnull=False) & ~Q(verdict="")
                | ~Q(state="judged") & Q(verdict="", judged_at=None),
                name="proof_judged_has_verdict",
            ),
        ]
        indexes = [
            models.Index(fields=["brand", "state", "judged_at"], name="proof_of_brand"),
            models.Index(fields=["waits_until"], name="proof_waits", condition=~Q(state="judged")),
        ]

    def __str__(self) -> str:
        return f"{self.topic}: {self.verdict or self.state}"
