"""What operators say of cited sites, and since when answers cite them."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from brands.querysets import BrandScopedQuerySet
from visibility.detection.types import SourceClass
from visibility.models.answers import Citation
from visibility.models.generations import CurrentManager, Generation

ASSIGNABLE = [
    source_class for source_class in SourceClass if source_class not in (SourceClass.OWN, SourceClass.COMPETITOR)
]
"""The classes that a domain can be given; whose own it is follows from the domains of each brand."""


class DomainClass(models.Model):
    """The class that an operator gives a domain and all below it, for every brand, in place of the built-in one."""

    domain = models.CharField(max_length=253, unique=True, help_text="host name without scheme, lower case")
    cls = models.CharField(
        "class", max_length=12, choices=[(source_class.value, source_class.value) for source_class in ASSIGNABLE]
    )
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["domain"]
        verbose_name = "class of a domain"
        verbose_name_plural = "classes of domains"
        constraints = [
            models.CheckConstraint(
                condition=Q(cls__in=[source_class.value for source_class in ASSIGNABLE]),
                name="domain_class_assignable",
            )
        ]

    def __str__(self) -> str:
        return f"{self.domain}: {self.cls}"


class SourceSighting(models.Model):
    """The first day on which any answer on record cites a domain, or a page of it; kept as answers are analysed, so
    that nobody has to look through the history. Answers of comparisons are none."""

    brand_path = "generation__brand"

    generation = models.ForeignKey(Generation, on_delete=models.CASCADE, related_name="+")
    domain = models.CharField(max_length=253)
    owner = models.CharField(max_length=10, choices=Citation.Owner.choices)
    page = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the canonical URL; empty: the domain")
    day = models.DateField()

    objects = CurrentManager.from_queryset(BrandScopedQuerySet)()
    of_all_generations = BrandScopedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["generation", "domain", "owner", "page"], name="source_sighting_once_per_generation"
            )
        ]

    def __str__(self) -> str:
        return f"{self.domain} {self.day}"
