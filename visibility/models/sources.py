"""What operators say of cited sites."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from visibility.detection.types import SourceClass

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
