"""Engines, the accounts at providers that they share, and the ledger of every call that may cost money."""

import uuid
from typing import Any

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScoped


class Surface(models.TextChoices):
    """Where an answer was taken. Answers of several surfaces are never pooled."""

    API = "api"
    APP = "app"
    API_IMPORTED = "api_imported"
    IMPORTED = "imported"
    PAGES = "pages"


class EngineQuerySet(models.QuerySet[Any]):
    """Engines in the words of those who work with them."""

    def asked(self) -> "EngineQuerySet":
        """Those that scans ask: the others are known from imports, or switched off."""
        return self.filter(is_enabled=True).exclude(preset="")


class Engine(models.Model):
    """An AI system that is asked. `name` is in every answer and figure and never changes.

    The keys of providers are environment variables, never rows.
    """

    id = models.SmallAutoField(primary_key=True)
    name = models.SlugField(max_length=64, unique=True)
    preset = models.CharField(max_length=32, blank=True, help_text="the provider; empty: known from imports only")
    model = models.CharField(max_length=100, blank=True, help_text="as the provider calls it")
    base_url = models.URLField(blank=True, help_text="empty: the provider's own address")
    search = models.BooleanField(default=True, help_text="whether the model may search the web")
    is_enabled = models.BooleanField(default=False)
    writes = models.BooleanField(
        default=False, help_text="writes drafts and refines evidence; at most one engine does"
    )
    max_output_tokens = models.PositiveIntegerField(default=8192, validators=[MinValueValidator(1)])
    max_searches = models.PositiveSmallIntegerField(default=5, validators=[MinValueValidator(1)])
    max_samples = models.PositiveSmallIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])
    concurrency = models.PositiveSmallIntegerField(
        default=8, validators=[MinValueValidator(1)], help_text="questions under way at once"
    )
    requests_per_minute = models.PositiveIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])
    input_price = models.DecimalField(
        max_digits=9, decimal_places=4, null=True, blank=True, help_text="US dollars for a million tokens"
    )
    output_price = models.DecimalField(
        max_digits=9, decimal_places=4, null=True, blank=True, help_text="US dollars for a million tokens"
    )
    search_price = models.DecimalField(
        max_digits=9, decimal_places=4, null=True, blank=True, help_text="US dollars for a thousand searches"
    )

    objects = EngineQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["writes"], condition=Q(writes=True), name="engine_one_writes"),
            models.CheckConstraint(condition=~Q(writes=True, preset="local-search"), name="engine_writer_is_a_model"),
        ]

    def __str__(self) -> str:
        return self.name


class BrandEngine(BrandScoped):
    """An engine that a brand chose. A brand that chose none asks all that are enabled."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="chosen_engines")
    engine = models.ForeignKey(Engine, on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["brand", "engine"]
        constraints = [models.UniqueConstraint(fields=["brand", "engine"], name="brand_engine_once")]

    def __str__(self) -> str:
        return str(self.engine)


class EngineAccount(models.Model):
    """What engines with one address and key share: how much may be under way, and when to wait. Locked to book."""

    digest = models.CharField(max_length=32, primary_key=True, help_text="of the address and the key")
    window = models.FloatField(default=1, help_text="1: all that the engine allows at once; halved by a refusal")
    paused_until = models.DateTimeField(null=True, help_text="the provider asked to wait")
    open_until = models.DateTimeField(null=True, help_text="the breaker: the provider does not answer")
    failures = models.PositiveIntegerField(default=0, help_text="in a row, of the provider's own")
    failing_since = models.DateTimeField(null=True)
    paced_until = models.DateTimeField(null=True, help_text="when the requests so far will have kept the pace")

    def __str__(self) -> str:
        return self.digest


class CallOutcome(models.TextChoices):
    """How a call ended. `charged` gave no answer and costs; `failed` costs nothing; `unknown`: no end was heard."""

    PENDING = "pending"
    ANSWERED = "answered"
    CHARGED = "charged"
    FAILED = "failed"
    UNKNOWN = "unknown"


class CallPurpose(models.TextChoices):
    """What a call is made for."""

    SCAN = "scan"
    COMPARISON = "comparison"
    CHECK = "check"
    WRITER = "writer"


class ProviderCall(models.Model):
    """The ledger: one row before each call, settled once, never deleted. It outlives brands, runs and accounts.

    Amounts are US dollars. What counts towards a cap is `cost`, where that is not known `reserved`.
    """

    Outcome = CallOutcome
    Purpose = CallPurpose

    created_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, choices=CallOutcome.choices, default=CallOutcome.PENDING)
    purpose = models.CharField(max_length=12, choices=CallPurpose.choices, default=CallPurpose.SCAN)
    engine = models.CharField(max_length=64)
    account = models.CharField(max_length=32, help_text="digest of the account at the provider")
    payer = models.BigIntegerField(null=True, help_text="id of the account that pays; null: the operator")
    brand = models.UUIDField(null=True)
    brand_name = models.CharField(max_length=200, blank=True)
    run = models.UUIDField(null=True)
    answer = models.BigIntegerField(null=True)
    reserved = models.DecimalField(max_digits=12, decimal_places=6, default=0, help_text="before it was asked")
    cost = models.DecimalField(max_digits=12, decimal_places=6, null=True)
    cost_source = models.CharField(max_length=12, blank=True)
    usage = models.JSONField(default=dict, help_text="tokens and searches by name")
    error_code = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["answer"], condition=Q(outcome="pending"), name="provider_call_one_open_per_answer"
            )
        ]
        indexes = [
            models.Index(fields=["account"], condition=Q(outcome="pending"), name="provider_call_open"),
            models.Index(fields=["payer", "created_at"], name="provider_call_payer_time"),
            models.Index(fields=["created_at"], name="provider_call_time"),
            models.Index(fields=["run"], name="provider_call_run"),
            models.Index(fields=["engine", "-id"], condition=Q(cost__isnull=False), name="provider_call_known_cost"),
        ]

    def __str__(self) -> str:
        return f"{self.engine}: {self.outcome}"


class Page(BrandScoped):
    """A page that `local-search` quotes for one brand: of the brand, of a competitor, or about them."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="pages")
    url = models.TextField()
    title = models.CharField(max_length=500, blank=True)
    text = models.TextField()
    published_on = models.DateField(null=True)
    stored_at = models.DateTimeField(default=timezone.now)
    words = models.GeneratedField(
        expression=SearchVector("title", weight="A", config="simple") + SearchVector("text", config="simple"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        ordering = ["brand", "url"]
        constraints = [models.UniqueConstraint(fields=["brand", "url"], name="page_once_per_brand")]
        indexes = [GinIndex(fields=["words"], name="page_words")]

    def __str__(self) -> str:
        return self.url
