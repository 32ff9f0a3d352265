"""Brands, their names and domains, the people who work on them, and the competitors they watch."""

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower, Upper
from django.utils import timezone

from brands.querysets import BrandQuerySet, BrandScopedQuerySet

MAX_NAME = 200
"""Characters of the name of a brand or a competitor, and of another name of it."""

INVITATION_LASTS = timedelta(days=14)
"""From when it is sent until nobody can accept it any more."""


class Cadence(models.TextChoices):
    """How often a brand is scanned by itself."""

    MANUAL = "manual"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"


class Brand(models.Model):
    """A brand whose visibility is measured. Called a site on the agent door."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="brands")
    name = models.CharField(max_length=MAX_NAME)
    domain = models.CharField(max_length=253, help_text="host name without scheme, lower case")
    description = models.TextField(blank=True)
    cadence = models.CharField(max_length=10, choices=Cadence.choices, default=Cadence.MANUAL)
    samples = models.PositiveSmallIntegerField(
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text="answers asked of each engine for each prompt; at least 2 for a panel interval",
    )
    judges_names = models.BooleanField(
        default=False,
        db_default=False,
        help_text="let the engine that writes decide names in answers that nothing else tells of; a credit each",
    )
    next_run_at = models.DateTimeField(null=True, blank=True, help_text="when the cadence starts the next scan")
    names_version = models.PositiveBigIntegerField(
        default=0, editable=False, help_text="counts the changes of names and domains, the competitors' included"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BrandQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "domain"], name="brand_domain_once_per_owner"),
            models.CheckConstraint(condition=models.Q(cadence__in=Cadence.values), name="brand_cadence_known"),
            models.CheckConstraint(condition=models.Q(samples__gte=1), name="brand_samples_at_least_one"),
        ]
        indexes = [
            models.Index(fields=["owner", "name", "id"], name="brand_owner_name"),
            models.Index(fields=["domain"], name="brand_domain"),
            models.Index(fields=["next_run_at"], name="brand_due", condition=models.Q(next_run_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.domain})"


class Alias(models.Model):
    """Another name by which answers mention the brand."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="aliases")
    text = models.CharField(max_length=MAX_NAME)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "aliases"
        ordering = ["text"]
        constraints = [models.UniqueConstraint("brand", Lower("text"), name="alias_once_per_brand")]

    def __str__(self) -> str:
        return self.text


class OwnedDomain(models.Model):
    """A further domain that the brand owns: citations of it count as its own."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="owned_domains")
    domain = models.CharField(max_length=253)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["domain"]
        constraints = [models.UniqueConstraint(fields=["brand", "domain"], name="owned_domain_once_per_brand")]

    def __str__(self) -> str:
        return self.domain


class Collaborator(models.Model):
    """A person who may see a brand that another owns; an editor may also change it and run scans."""

    class Role(models.TextChoices):
        EDITOR = "editor"
        VIEWER = "viewer"

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="collaborators")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="collaborations")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.EDITOR)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["brand", "user"]
        constraints = [
            models.UniqueConstraint(fields=["brand", "user"], name="collaborator_once_per_brand"),
            models.CheckConstraint(condition=models.Q(role__in=["editor", "viewer"]), name="collaborator_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class Invitation(models.Model):
    """A role that an owner offers to an email address, whether it has an account or not: nothing changes before the
    person of that account accepts, within INVITATION_LASTS. To be the owner is to take the brand over, with what it
    costs."""

    class Role(models.TextChoices):
        EDITOR = "editor"
        VIEWER = "viewer"
        OWNER = "owner"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(max_length=254)
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.EDITOR)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["brand", "email"]
        constraints = [
            models.UniqueConstraint("brand", Lower("email"), name="invitation_once_per_brand"),
            models.CheckConstraint(
                condition=models.Q(role__in=["editor", "viewer", "owner"]), name="invitation_role_known"
            ),
        ]
        indexes = [models.Index(Upper("email"), name="invitation_email")]  # as databases compare whatever the case

    def __str__(self) -> str:
        return f"{self.email} ({self.role})"

    @property
    def expires_at(self) -> datetime:
        """Until when it can be accepted."""
        return self.created_at + INVITATION_LASTS

    @property
    def has_expired(self) -> bool:
        """Whether it is too late to accept it."""
        return self.expires_at <= timezone.now()


class Competitor(models.Model):
    """A rival whose mentions are counted in the same answers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="competitors")
    name = models.CharField(max_length=MAX_NAME)
    domain = models.CharField(max_length=253)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["brand", "domain"], name="competitor_domain_once_per_brand"),
            models.UniqueConstraint("brand", Lower("name"), name="competitor_name_once_per_brand"),
        ]

    def __str__(self) -> str:
        return self.name


class CompetitorAlias(models.Model):
    """Another name by which answers mention a competitor."""

    brand_path = "competitor__brand"

    competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, related_name="aliases")
    text = models.CharField(max_length=MAX_NAME)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "competitor aliases"
        ordering = ["text"]
        constraints = [models.UniqueConstraint("competitor", Lower("text"), name="alias_once_per_competitor")]

    def __str__(self) -> str:
        return self.text


class NamePolicy(models.Model):
    """What people say of a name that also means something else: when it counts in the answers for this brand.

    It holds for the name wherever it stands in the brand's dictionary: as its own name, a competitor's, or an alias.
    """

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="name_policies")
    text = models.CharField(max_length=MAX_NAME, help_text="the name, as it is written where it is tracked")
    case_sensitive = models.BooleanField(default=False, help_text="only these capitals are the name")
    required_near = models.JSONField(default=list, help_text="one of these words stands in the line")
    forbidden_near = models.JSONField(default=list, help_text="none of these words stands right beside the name")

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "name policies"
        ordering = ["text"]
        constraints = [models.UniqueConstraint("brand", Lower("text"), name="name_policy_once_per_brand")]

    def __str__(self) -> str:
        parts = ["only with these capitals"] if self.case_sensitive else []
        parts += [f"in a line with {', '.join(self.required_near)}"] if self.required_near else []
        parts += [f"not beside {', '.join(self.forbidden_near)}"] if self.forbidden_near else []
        return f"{self.text}: {'; '.join(parts)}"
