"""Accounts, their plans and usage; API keys, apps that use them, the record of their calls; repeated calls; mail."""

import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone

from apikeys.scopes import Scope

COUNTED_LIMITS = (
    "max_sites",
    "max_prompts_per_site",
    "max_competitors_per_site",
    "drafts_per_month",
    "credits_per_month",
    "writer_calls_per_day",
    "max_samples",
)
"""The limits of a plan that are whole numbers, by the names of its fields."""


class Plan(models.Model):
    """The limits of an account. Rows that operators edit; months and days are in UTC."""

    tier = models.SlugField(unique=True)
    name = models.CharField(max_length=100)
    api_access = models.BooleanField("API and agent access", default=False)
    max_sites = models.PositiveIntegerField("sites")
    max_prompts_per_site = models.PositiveIntegerField("prompts per site")
    max_competitors_per_site = models.PositiveIntegerField("competitors per site")
    drafts_per_month = models.PositiveIntegerField()
    credits_per_month = models.PositiveIntegerField()
    writer_calls_per_day = models.PositiveIntegerField(default=10)
    provider_cost_per_day = models.DecimalField(
        "cost at providers per day, at most",
        max_digits=9,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="US dollars for all calls that an account pays, in a day (UTC); empty: no limit",
    )
    max_samples = models.PositiveSmallIntegerField(
        "samples per prompt, at most", default=10, validators=[MinValueValidator(1)]
    )

    class Meta:
        ordering = ["credits_per_month", "tier"]
        constraints = [
            models.CheckConstraint(condition=Q(max_samples__gte=1), name="plan_samples_at_least_one"),
            models.CheckConstraint(condition=Q(provider_cost_per_day__gte=0), name="plan_cost_not_negative"),
        ]

    def __str__(self) -> str:
        return self.name


class UserManager(DjangoUserManager["User"]):
    """Accounts are named by their email address, whatever its case."""

    @staticmethod
    def key_of(email: str) -> str:
        """The same for all spellings of an address that name one account."""
        return email.strip().lower()

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.alias(key=Lower("email")).get(key=self.key_of(username or ""))

    def with_email(self, email: str) -> "User | None":
        """The account of an address, with its plan."""
        return self.select_related("plan").alias(key=Lower("email")).filter(key=self.key_of(email)).first()

    def reached_by_mail(self) -> "models.QuerySet[User]":
        """The accounts that get what nobody has to get: active ones, whose address is proven."""
        return self.filter(is_active=True, has_confirmed_address=True)

    def create_user(self, email: str, password: str | None = None, **extra: Any) -> "User":  # type: ignore[override]
        user = self.model(email=self.normalize_email(email), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **extra: Any) -> "User":  # type: ignore[override]
        """A superuser runs the service and gets its largest plan, to have brands and keys."""
        largest = Plan.objects.filter(api_access=True).order_by("credits_per_month", "tier").last()
        return self.create_user(email, password, **{"plan": largest, **extra, "is_staff": True, "is_superuser": True})


class User(AbstractUser):
    """A person with an account; the email address is the login. An `own_…` limit replaces the plan's."""

    username = None  # type: ignore[assignment]
    email = models.EmailField("email address", unique=True)
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, related_name="users", null=True, blank=True)
    has_confirmed_address = models.BooleanField(
        default=True, db_default=True, help_text="the operator made the account, or the person has proven the address"
    )
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
        verbose_name = "account"
        ordering = ["email"]
        permissions = [
            ("deactivate_user", "Can deactivate accounts"),
            ("reactivate_user", "Can reactivate accounts"),
            ("set_password_user", "Can set passwords of accounts"),
        ]
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email_unique_any_case"),
            models.CheckConstraint(condition=Q(own_max_samples__gte=1), name="user_samples_at_least_one"),
            models.CheckConstraint(condition=Q(own_provider_cost_per_day__gte=0), name="user_cost_not_negative"),
        ]

    def __str__(self) -> str:
        return self.email

    def limit(self, name: str) -> int:
        """One of COUNTED_LIMITS: the account's own, else its plan's. Without either nothing, and one sample."""
        own: int | None = getattr(self, f"own_{name}")
        if own is not None:
            return own
        return int(getattr(self.plan, name)) if self.plan else int(name == "max_samples")

    @property
    def provider_cost_per_day(self) -> Decimal | None:
        """US dollars that the account's calls to providers may cost in a day (UTC); None: no limit."""
        if self.own_provider_cost_per_day is not None:
            return self.own_provider_cost_per_day
        return self.plan.provider_cost_per_day if self.plan else None

    @property
    def has_api_access(self) -> bool:
        """Whether the plan opens the API and the agent endpoint."""
        return self.plan is not None and self.plan.api_access


class AddressChange(models.Model):
    """A new address that a person wants, until both the old and the new one have confirmed it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="address_change")
    email = models.EmailField()
    created_at = models.DateTimeField(default=timezone.now)
    confirmed_by_old_at = models.DateTimeField(null=True)
    confirmed_by_new_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.user} to {self.email}"


class Usage(models.Model):
    """What an account has used of one resource in one period. Only `usage.py` writes it."""

    class Kind(models.TextChoices):
        CREDITS = "credits"
        DRAFTS = "drafts"
        WRITER_CALLS = "writer_calls"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="usage")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    period = models.DateField(help_text="first day of the month, or the day, in UTC")
    used = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name_plural = "usage"
        ordering = ["-period", "user", "kind"]
        constraints = [models.UniqueConstraint(fields=["user", "kind", "period"], name="usage_once_per_period")]

    def __str__(self) -> str:
        return f"{self.used} {self.get_kind_display()} since {self.period}"


class ApiKey(models.Model):
    """A key belongs to one account and carries scopes. The raw key is never stored."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=100, help_text="what the key is for")
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256 of the key, hex")
    prefix = models.CharField(max_length=16, editable=False)
    last_four = models.CharField(max_length=4, editable=False)
    scopes = ArrayField(models.CharField(max_length=40, choices=[(scope.value, scope.help) for scope in Scope]))
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+", editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, editable=False)
    revoked_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+", editable=False)
    revoked_reason = models.CharField(max_length=200, editable=False)
    last_used_at = models.DateTimeField(null=True, editable=False)
    rotated_from = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, related_name="rotated_to", editable=False
    )
    form_nonce = models.UUIDField(null=True, unique=True, editable=False, help_text="of the form that issued it")
    may_connect = models.BooleanField(
        "apps may connect", default=True, help_text="the owner may let apps use it by signing in"
    )

    class Meta:
        verbose_name = "API key"
        ordering = ["-created_at", "id"]
        permissions = [
            ("issue_apikey", "Can issue API keys"),
            ("revoke_apikey", "Can revoke API keys"),
            ("rotate_apikey", "Can rotate API keys"),
            ("grant_run_scopes", "Can grant run scopes, which spend credits"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…{self.last_four})"

    def state_at(self, now: datetime) -> str:
        """`revoked`, `expired`, `owner inactive`, or `active`: only an active key works."""
        if self.revoked_at is not None:
            return "revoked"
        if self.expires_at is not None and self.expires_at <= now:
            return "expired"
        return "active" if self.owner.is_active else "owner inactive"


class App(models.Model):
    """A program that people let in by signing in, such as ChatGPT: an OAuth client.

    The id of one with a document is the https address of that document, which is read anew after `fresh_until`.
    """

    class Source(models.TextChoices):
        DOCUMENT = "document"
        REGISTERED = "registered"
        OPERATOR = "operator"

    client_id = models.CharField(max_length=500, unique=True, editable=False)
    source = models.CharField(max_length=12, choices=Source.choices, editable=False)
    name = models.CharField(max_length=100, help_text="as the app names itself; nobody has checked it")
    redirect_uris = ArrayField(models.CharField(max_length=2_000), help_text="where browsers may be sent back to")
    secret_digest = models.CharField(max_length=64, blank=True, editable=False, help_text="SHA-256 of its secret")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    fresh_until = models.DateTimeField(null=True, editable=False)
    blocked_at = models.DateTimeField(null=True, editable=False)
    blocked_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+", editable=False)

    class Meta:
        ordering = ["-created_at", "id"]
        permissions = [("block_app", "Can block apps, and let them in again")]

    def __str__(self) -> str:
        return f"{self.name} ({self.host})" if self.host else self.name

    @property
    def host(self) -> str:
        """The host that vouches for the app; empty where nobody does."""
        return urlsplit(self.client_id).hostname or "" if self.source == self.Source.DOCUMENT else ""


class Connection(models.Model):
    """What a person lets one app do with one of their keys, at the agent endpoint alone."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="connections")
    app = models.ForeignKey(App, on_delete=models.PROTECT, related_name="connections")
    scopes = ArrayField(models.CharField(max_length=40, choices=[(scope.value, scope.help) for scope in Scope]))
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(null=True, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)
    ended_why = models.CharField(max_length=100, blank=True, editable=False)

    class Meta:
        ordering = ["-created_at", "id"]
        permissions = [("end_connection", "Can end connections of apps")]
        indexes = [models.Index(fields=["ended_at"], name="connection_ended", condition=Q(ended_at__isnull=False))]

    def __str__(self) -> str:
        return f"{self.app} with {self.key}"

    def state_at(self, now: datetime) -> str:
        """`ended`, `app blocked`, `apps not allowed`, or the state of its key: only an active connection works."""
        if self.ended_at is not None:
            return "ended"
        if self.app.blocked_at is not None:
            return "app blocked"
        return self.key.state_at(now) if self.key.may_connect else "apps not allowed"


class ConnectionSecret(models.Model):
    """A code, or a token, of a connection. The raw form is never stored."""

    class Kind(models.TextChoices):
        CODE = "code"
        ACCESS = "access"
        REFRESH = "refresh"

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="secrets")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256, hex")
    challenge = models.CharField(max_length=43, blank=True, help_text="of a code: PKCE, S256")
    redirect_uri = models.CharField(max_length=2_000, blank=True, help_text="of a code: where it was sent")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(db_index=True)
    spent_at = models.DateTimeField(null=True)
    repeats = models.PositiveSmallIntegerField(default=0, help_text="how often it was used again after that")

    def __str__(self) -> str:
        return f"{self.kind} of {self.connection_id}"


class CallLog(models.Model):
    """One authenticated call on either door. No arguments, bodies or addresses."""

    class Door(models.TextChoices):
        REST = "rest", "REST"
        MCP = "mcp", "Agent"

    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="calls")
    connection = models.ForeignKey(
        Connection, on_delete=models.SET_NULL, null=True, related_name="calls", db_index=False, editable=False
    )
    door = models.CharField(max_length=8, choices=Door.choices)
    name = models.CharField(max_length=120, help_text="the endpoint's template, the tool's name or the method")
    success = models.BooleanField()
    error_code = models.CharField(max_length=40, blank=True)
    duration_ms = models.FloatField()
    request_id = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    count = models.PositiveIntegerField(default=1, help_text="above 1 only for rate refusals: one row a minute")

    class Meta:
        verbose_name = "call"
        verbose_name_plural = "call log"
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["key", "-created_at"], name="calllog_key_time"),
            models.Index(fields=["created_at"], name="calllog_time"),
            models.Index(fields=["connection"], condition=Q(connection__isnull=False), name="calllog_connection"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["key", "created_at"],
                condition=Q(error_code="rate_limited"),
                name="calllog_one_refusal_row_per_minute",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.result}"

    @property
    def result(self) -> str:
        """Why the call failed, else ok."""
        return self.error_code or ("ok" if self.success else "failed")


class IdempotentCall(models.Model):
    """One call with an idempotency key. The owner of `token` carries it out until `lease_until`; then another may.

    `finished_at` and `result` are set in the transaction of the effect. Only `idempotency.py` writes it.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="idempotent_calls")
    tool = models.CharField(max_length=64, help_text="name of the tool without its prefix")
    key = models.CharField(max_length=255)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the arguments in their canonical form")
    subject = models.UUIDField(help_text="the brand that the call is about")
    token = models.UUIDField()
    lease_until = models.DateTimeField()
    result = models.TextField(blank=True, help_text="the result as JSON")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "tool", "key"], name="idempotent_call_once")]
        indexes = [
            models.Index(fields=["subject"], name="idempotent_call_subject"),
            models.Index(fields=["created_at"], name="idempotent_call_time"),
        ]

    def __str__(self) -> str:
        return f"{self.tool} {'finished' if self.finished_at else 'running'}"


class Counter(models.Model):
    """A counter of the cache: an UNLOGGED table that starts empty after a crash. `counters.py` counts in it, and a
    few notes on the service itself lie here: its heartbeat, its last backup."""

    key = models.CharField(max_length=250, primary_key=True)
    value = models.BigIntegerField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.value}"


class Mail(models.Model):
    """One mail to one address, written in the transaction of its cause. `next_try_at` is null once it was sent or
    given up; while a worker sends it, it lies ahead."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="mails")
    address = models.EmailField()
    kind = models.CharField(max_length=40, help_text="such as `reset` or `letter`")
    once = models.CharField(max_length=200, unique=True, help_text="what it is about: the same is not sent twice")
    mailing = models.CharField(max_length=100, blank=True, help_text="what one click ends; empty: it has to be sent")
    brand = models.UUIDField(null=True, help_text="what it tells of: its person must see it when the mail is sent")
    subject = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    html = models.TextField(blank=True)
    has_secret = models.BooleanField(default=False, help_text="its words open something: they go once it is sent")
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(null=True, default=timezone.now)
    given_up_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=300, blank=True, help_text="what the server of mail said last")

    class Meta:
        ordering = ["-created_at", "id"]
        indexes = [
            models.Index(fields=["next_try_at"], name="mail_waiting", condition=Q(next_try_at__isnull=False)),
            models.Index(fields=["created_at"], name="mail_time"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.address}"

    @property
    def state(self) -> str:
        """`sent`, `given up` or `waiting`."""
        if self.sent_at is not None:
            return "sent"
        return "waiting" if self.given_up_at is None else "given up"


class MailImage(models.Model):
    """A PNG within a mail, which its HTML shows as `cid:NAME`."""

    mail = models.ForeignKey(Mail, on_delete=models.CASCADE, related_name="images")
    name = models.SlugField()
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["mail", "name"], name="mail_image_once")]

    def __str__(self) -> str:
        return self.name


class MailChoice(models.Model):
    """Whether a person wants the mails of one mailing; without a row, as the mailing is by default."""

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="mail_choices")
    mailing = models.CharField(max_length=100)
    is_wanted = models.BooleanField()
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "mailing"], name="mail_choice_once")]

    def __str__(self) -> str:
        return f"{self.mailing}: {'wanted' if self.is_wanted else 'unsubscribed'}"


class MailPreference(models.Model):
    """In which language mails are written to a person, and when the letters on brands come: on a weekday (0: Monday)
    at an hour of a time zone. `next_letter_at` is null where no letter is wanted."""

    person = models.OneToOneField(User, on_delete=models.CASCADE, related_name="mail_preference")
    language = models.CharField(max_length=10, default=settings.LANGUAGE_CODE)
    zone = models.CharField(max_length=64, default="UTC", help_text="IANA name, such as Europe/Berlin")
    weekday = models.PositiveSmallIntegerField(default=0)
    hour = models.PositiveSmallIntegerField(default=6)
    next_letter_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["next_letter_at"], name="mail_letter_due", condition=Q(next_letter_at__isnull=False))
        ]
        constraints = [
            models.CheckConstraint(condition=Q(weekday__lte=6), name="mail_weekday_known"),
            models.CheckConstraint(condition=Q(hour__lte=23), name="mail_hour_known"),
        ]

    def __str__(self) -> str:
        return f"{self.language}, {self.zone}"


class CacheEntry(models.Model):
    """A row of Django's default cache, which all processes share: what packages put there."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "cache"

    def __str__(self) -> str:
        return self.cache_key
