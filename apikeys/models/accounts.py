"""People, what their plan allows, and what they have used of it."""

from decimal import Decimal
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models.functions import Lower


class Plan(models.Model):
    """The limits of an account. Rows that operators edit; months and days are in UTC."""

    tier = models.SlugField(unique=True)
    name = models.CharField(max_length=100)
    api_access = models.BooleanField("API and agent access", default=False)
    max_sites = models.PositiveIntegerField()
    max_prompts_per_site = models.PositiveIntegerField()
    max_competitors_per_site = models.PositiveIntegerField()
    drafts_per_month = models.PositiveIntegerField()
    credits_per_month = models.PositiveIntegerField()
    writer_calls_per_day = models.PositiveIntegerField(default=50)
    provider_cost_per_day = models.DecimalField(
        "cost at providers per day, at most",
        max_digits=9,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="US dollars for all calls that an account pays, in a day (UTC); empty: no limit",
    )
    max_samples = models.PositiveSmallIntegerField("samples per prompt, at most", default=10)

    class Meta:
        ordering = ["credits_per_month", "tier"]
        constraints = [
            models.CheckConstraint(condition=models.Q(max_samples__gte=1), name="plan_samples_at_least_one"),
            models.CheckConstraint(
                condition=models.Q(provider_cost_per_day__gte=0), name="plan_provider_cost_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class UserManager(DjangoUserManager["User"]):
    """Users are named by their email address, whatever its case."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)

    def _create_user(self, username: str, email: str | None, password: str | None, **extra: Any) -> "User":
        user = self.model(email=self.normalize_email(username), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_user(  # type: ignore[override]
        self, email: str, password: str | None = None, **extra: Any
    ) -> "User":
        return self._create_user(email, None, password, **extra)

    def create_superuser(  # type: ignore[override]
        self, email: str, password: str | None = None, **extra: Any
    ) -> "User":
        """Whoever makes a superuser by a command runs the service: the account is on its largest plan, so that it can
        have brands and keys at once."""
        largest = Plan.objects.filter(api_access=True).order_by("credits_per_month", "tier").last()
        extra = {"plan": largest, **extra, "is_staff": True, "is_superuser": True}
        return self._create_user(email, None, password, **extra)


LIMITS = (
    "max_sites",
    "max_prompts_per_site",
    "max_competitors_per_site",
    "drafts_per_month",
    "credits_per_month",
    "writer_calls_per_day",
    "provider_cost_per_day",
    "max_samples",
)
"""The limits that a plan has, by the names of its fields."""


class User(AbstractUser):
    """A person with an account. The email address is the login, unique whatever its case.

    What `own_…` limits say holds for this account instead of its plan's; None: as the plan says.
    """

    username = None  # type: ignore[assignment]
    email = models.EmailField("email address", unique=True)
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, related_name="users", null=True, blank=True)
    own_max_sites = models.PositiveIntegerField("sites", null=True, blank=True)
    own_max_prompts_per_site = models.PositiveIntegerField("prompts per site", null=True, blank=True)
    own_max_competitors_per_site = models.PositiveIntegerField("competitors per site", null=True, blank=True)
    own_drafts_per_month = models.PositiveIntegerField("drafts per month", null=True, blank=True)
    own_credits_per_month = models.PositiveIntegerField("credits per month", null=True, blank=True)
    own_writer_calls_per_day = models.PositiveIntegerField("writer calls per day", null=True, blank=True)
    own_provider_cost_per_day = models.DecimalField(
        "US dollars at providers per day", max_digits=9, decimal_places=2, null=True, blank=True
    )
    own_max_samples = models.PositiveSmallIntegerField(
        "samples per prompt, at most", null=True, blank=True, validators=[MinValueValidator(1)]
    )

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        ordering = ["email"]
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email_unique_any_case"),
            models.CheckConstraint(condition=models.Q(own_max_samples__gte=1), name="user_samples_at_least_one"),
            models.CheckConstraint(
                condition=models.Q(own_provider_cost_per_day__gte=0), name="user_provider_cost_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def provider_cost_per_day(self) -> Decimal | None:
        """US dollars that the account's calls to providers may cost in a day (UTC); None: no limit."""
        if self.own_provider_cost_per_day is not None:
            return self.own_provider_cost_per_day
        return self.plan.provider_cost_per_day if self.plan else None

    def limit(self, name: str) -> int:
        """What holds for the account of those of `LIMITS` that count things: its own where it has one, else its
        plan's. Without either it is allowed nothing, and a prompt one sample."""
        own: int | None = getattr(self, f"own_{name}")
        if own is not None:
            return own
        return int(getattr(self.plan, name)) if self.plan else int(name == "max_samples")


class Usage(models.Model):
    """What an account has used of one resource in one period; only `services.usage` writes it."""

    class Kind(models.TextChoices):
        CREDITS = "credits"
        DRAFTS = "drafts"
        WRITER_CALLS = "writer_calls"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="usage")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    period = models.DateField(help_text="first day of the month, or the day, in UTC")
    used = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind", "period"], name="usage_once_per_period")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.period}: {self.used}"
