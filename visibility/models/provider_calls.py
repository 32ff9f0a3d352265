"""The ledger of money: each call to a provider, before it is made, and what came of it. Rows are never deleted."""

import uuid
from decimal import Decimal
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from apikeys.caller import Action, Caller
from brands.models import MAX_NAME, Brand
from brands.querysets import BrandScopedQuerySet
from visibility.engines.surfaces import MAX_ENGINE_NAME
from visibility.models.runs import Run


class ProviderCallQuerySet(BrandScopedQuerySet):
    """Calls; those of brands that are gone, and of none, are seen by who sees all."""

    def restrict(self, caller: Caller, action: Action) -> Self:
        """The calls for the brands that the caller may view; nobody changes any."""
        if action == "change":
            return self.none()
        return self.all() if caller.reach == "all" else super().restrict(caller, action)

    def pending(self) -> "ProviderCallQuerySet":
        """Calls that are under way, or whose process died."""
        return self.filter(outcome=ProviderCall.Outcome.PENDING)

    def charged(self) -> "ProviderCallQuerySet":
        """Calls that came to an end and were charged, or may have been."""
        return self.exclude(outcome__in=(ProviderCall.Outcome.PENDING, ProviderCall.Outcome.FAILED))


class ProviderCall(models.Model):
    """One question to an engine. The row is there before the call is made, and is settled once.

    It outlives whom and what it was for: account, brand and run are named by their keys alone, which deletions leave
    as they are. What counts towards caps is `cost`, and where that is not known what was `reserved`.
    """

    class Purpose(models.TextChoices):
        SCAN = "scan"
        COMPARISON = "comparison"
        JUDGE = "judge", "judge of names"
        WRITER = "writer", "prompts and drafts"
        ASK = "ask"
        TEST = "test", "test connection"

    class Outcome(models.TextChoices):
        PENDING = "pending", "under way"
        ANSWERED = "answered"
        CHARGED = "charged", "charged, no answer"
        FAILED = "failed", "failed, free"
        UNKNOWN = "unknown", "not known"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    created_at = models.DateTimeField(default=timezone.now, help_text="when the call was booked")
    settled_at = models.DateTimeField(null=True, help_text="when it was known, or given up, what came of it")
    purpose = models.CharField(max_length=12, choices=Purpose.choices)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, default=Outcome.PENDING)
    error_code = models.CharField(max_length=40, blank=True)
    engine = models.CharField(max_length=MAX_ENGINE_NAME)
    provider = models.CharField(max_length=40, blank=True)
    model = models.CharField(max_length=100, blank=True, help_text="as it was asked for")
    served_model = models.CharField(max_length=100, blank=True)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        null=True,
        related_name="+",
        help_text="who pays with a plan; none: the operator",
    )
    brand = models.ForeignKey(
        Brand, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, null=True, related_name="+"
    )
    brand_name = models.CharField(max_length=MAX_NAME, blank=True, help_text="as it was called then")
    run = models.ForeignKey(Run, on_delete=models.DO_NOTHING, db_constraint=False, null=True, related_name="+")
    answer = models.UUIDField(null=True, help_text="the answer that it was made for")
    reserved = models.DecimalField(
        max_digits=12, decimal_places=6, null=True, help_text="US dollars that it may cost at most; null: not known"
    )
    cost = models.DecimalField(max_digits=12, decimal_places=6, null=True, help_text="US dollars; null: not known")
    cost_source = models.CharField(max_length=20, blank=True)
    credits = models.PositiveSmallIntegerField(default=0)
    usage = models.JSONField(default=dict)

    objects = ProviderCallQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome__in=["pending", "answered", "charged", "failed", "unknown"]),
                name="provider_call_outcome_known",
            ),
            models.CheckConstraint(
                condition=Q(outcome="pending", settled_at=None) | ~Q(outcome="pending") & Q(settled_at__isnull=False),
                name="provider_call_settled_unless_pending",
            ),
        ]
        indexes = [
            models.Index(fields=["-created_at", "-id"], name="provider_call_newest"),
            models.Index(fields=["account", "created_at"], name="provider_call_of_account"),
            models.Index(fields=["created_at"], name="provider_call_pending", condition=Q(outcome="pending")),
        ]

    def __str__(self) -> str:
        return f"{self.engine} {self.purpose} {self.created_at:%-d %b %Y %H:%M} UTC"


COUNTED = Coalesce("cost", "reserved", Value(Decimal(0)), output_field=models.DecimalField())
"""What a call counts for towards caps, in US dollars."""
