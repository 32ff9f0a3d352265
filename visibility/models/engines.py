"""Engines that operators configure, and which of them a brand has chosen. No key is here, only where it is."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet


class EngineConfig(models.Model):
    """One AI system as it is asked: a provider's model, with search or without, within bounds.

    `name` stands in every answer and figure and never changes; another model or search setting is another engine.
    `key_variable` names the environment variable that holds the provider's key. Prices are US dollars.
    """

    name = models.SlugField(max_length=64, unique=True, help_text="stands in every answer and figure; never changes")
    label = models.CharField(max_length=100, blank=True, help_text="what people read; empty: the name")
    provider = models.CharField(max_length=40)
    base_url = models.CharField(max_length=300, blank=True, help_text="empty: the provider's own")
    model = models.CharField(max_length=100, help_text="as the provider names it")
    search = models.BooleanField(default=False, help_text="search the web before answering")
    locale_handling = models.CharField(max_length=20, default="search")
    max_output_tokens = models.PositiveIntegerField(default=8192, help_text="of one answer, reasoning included")
    max_searches = models.PositiveSmallIntegerField(
        default=5, help_text="of one answer, where the provider takes a bound"
    )
    input_price = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    output_price = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    search_price = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    concurrency = models.PositiveSmallIntegerField(
        default=8, help_text="questions under way at once, in all scans; engines of this address and key share"
    )
    requests_per_minute = models.PositiveIntegerField(
        null=True, blank=True, help_text="in all scans; engines of this address and key share; empty: no limit"
    )
    max_samples = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="answers to one prompt in a run at most; empty: as many as the brand wants"
    )
    key_variable = models.CharField(max_length=100, blank=True, help_text="environment variable that holds the key")
    enabled = models.BooleanField(default=False)
    writes = models.BooleanField(default=False, help_text="writes prompts, drafts and answers; one engine at most")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name"]
        verbose_name = "engine"
        constraints = [
            models.CheckConstraint(condition=~Q(name="local-search"), name="engine_name_not_reserved"),
            models.CheckConstraint(condition=Q(concurrency__gte=1), name="engine_concurrency_at_least_one"),
            models.UniqueConstraint(fields=["writes"], condition=Q(writes=True), name="engine_one_writes"),
        ]

    def __str__(self) -> str:
        return self.label or self.name


class BrandEngine(models.Model):
    """An engine that a brand has chosen. A brand without any is asked about through all that are enabled."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="chosen_engines")
    engine = models.ForeignKey(EngineConfig, on_delete=models.PROTECT, related_name="choices")

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["brand", "engine"]
        constraints = [models.UniqueConstraint(fields=["brand", "engine"], name="brand_engine_once")]

    def __str__(self) -> str:
        return f"{self.brand} · {self.engine}"
