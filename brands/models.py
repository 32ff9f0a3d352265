"""Brands, the names and domains by which answers mention and cite them, competitors, and people."""

import uuid
from datetime import datetime, timedelta

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_noop

from apikeys.models import User
from brands.querysets import BrandQuerySet, BrandScoped, BrandScopedQuerySet

LONGEST_NAME = 200
LONGEST_KEY = 3 * LONGEST_NAME  # in one case, a letter may become three
LONGEST_DOMAIN = 253
LONGEST_DESCRIPTION = 5_000
INVITATION_LASTS = timedelta(days=14)
LINK_LASTS = timedelta(days=30)


class Cadence(models.TextChoices):
    """How often a brand is scanned by itself."""

    MANUAL = "manual"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"


class Brand(models.Model):
    """A brand whose visibility is measured; a site on the agent door. Its name and domain have rows below it, too."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="brands")
    name = models.CharField(max_length=LONGEST_NAME)
    domain = models.CharField(max_length=LONGEST_DOMAIN, help_text="host name without scheme")
    description = models.TextField(blank=True)
    region = models.CharField(
        max_length=2,
        blank=True,
        validators=[RegexValidator("^[A-Z]{2}$", "Give a country code of two letters, such as DE.")],
        help_text="country code (ISO 3166) for prompts without one of their own",
    )
    cadence = models.CharField(max_length=10, choices=Cadence.choices, default=Cadence.MANUAL)
    samples = models.PositiveSmallIntegerField(
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text="answers asked of each engine for each prompt; at least 2 for an interval of the panel",
    )
    is_read = models.BooleanField(
        default=False, help_text="its answers are read by the engine that writes, once a week"
    )
    next_run_at = models.DateTimeField(null=True, editable=False, help_text="when the cadence starts the next scan")
    names_version = models.PositiveIntegerField(
        default=1, editable=False, help_text="counts changes of names and domains, the competitors' included"
    )
    counted_version = models.PositiveIntegerField(
        default=1, editable=False, help_text="the names_version that the figures were counted with"
    )
    detector_version = models.PositiveSmallIntegerField(
        default=0, editable=False, help_text="of the detector with which history is, or is about to be, counted"
    )
    method_version = models.PositiveSmallIntegerField(
        default=0, editable=False, help_text="of the method that all stored figures were made with"
    )
    recounted_on = models.DateField(
        null=True, editable=False, help_text="when a new version of the service last moved figures of the past"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BrandQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "domain"], name="brand_domain_once_per_owner"),
            models.CheckConstraint(condition=Q(cadence__in=Cadence.values), name="brand_cadence_known"),
            models.CheckConstraint(condition=Q(samples__gte=1), name="brand_samples_at_least_one"),
        ]
        indexes = [
            models.Index(fields=["owner", "name", "id"], name="brand_owner_name"),
            models.Index(fields=["next_run_at"], name="brand_due", condition=Q(next_run_at__isnull=False)),
            models.Index(
                fields=["id"],
                name="brand_unscheduled",
                condition=~Q(cadence=Cadence.MANUAL) & Q(next_run_at__isnull=True),
            ),
            models.Index(fields=["id"], name="brand_behind", condition=Q(counted_version__lt=F("names_version"))),
            models.Index(fields=["detector_version"], name="brand_detector"),
            models.Index(fields=["method_version"], name="brand_method"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.domain})"

    @property
    def is_recounting(self) -> bool:
        """Whether names have changed and figures do not know it yet."""
        return self.counted_version < self.names_version


class Competitor(BrandScoped):
    """A competitor whose mentions are counted in the same answers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="competitors")
    name = models.CharField(max_length=LONGEST_NAME)
    domain = models.CharField(max_length=LONGEST_DOMAIN)
    description = models.TextField(blank=True, help_text="what it sells; empty: the same as the brand")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Name(BrandScoped):
    """A name by which answers mention the brand (competitor null) or a competitor, and when it counts.

    `key` is the name as names are compared: one name belongs to one of them.
    """

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="names")
    competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, null=True, related_name="names")
    text = models.CharField(max_length=LONGEST_NAME)
    key = models.CharField(max_length=LONGEST_KEY, editable=False)
    is_main = models.BooleanField(default=False, editable=False)
    case_sensitive = models.BooleanField(default=False, help_text="only these capitals are the name")
    required_near = ArrayField(
        models.CharField(max_length=50), default=list, blank=True, help_text="one of these words stands in the line"
    )
    forbidden_near = ArrayField(
        models.CharField(max_length=50), default=list, blank=True, help_text="none of these words stands beside it"
    )

    class Meta:
        ordering = ["-is_main", "text"]
        constraints = [
            models.UniqueConstraint(fields=["brand", "key"], name="name_belongs_to_one"),
            models.UniqueConstraint(
                fields=["brand", "competitor"], condition=Q(is_main=True), nulls_distinct=False, name="name_one_main"
            ),
        ]

    def __str__(self) -> str:
        return self.text


class Domain(BrandScoped):
    """A domain of the brand (competitor null) or of a competitor: citations of it count as theirs."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="domains")
    competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, null=True, related_name="domains")
    domain = models.CharField(max_length=LONGEST_DOMAIN)
    is_main = models.BooleanField(default=False, editable=False)

    class Meta:
        ordering = ["-is_main", "domain"]
        constraints = [
            models.UniqueConstraint(fields=["brand", "domain"], name="domain_belongs_to_one"),
            models.UniqueConstraint(
                fields=["brand", "competitor"],
                condition=Q(is_main=True),
                nulls_distinct=False,
                name="domain_one_main",
            ),
        ]

    def __str__(self) -> str:
        return self.domain


class NameChange(BrandScoped):
    """What one names_version changed: a name, a domain, or that a competitor is tracked. Deleted once history is
    counted with it; a version without rows may have changed anything."""

    class Kind(models.TextChoices):
        NAME = "name"
        DOMAIN = "domain"
        COMPETITOR = "competitor"

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="name_changes")
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    text = models.CharField(max_length=LONGEST_DOMAIN)

    class Meta:
        ordering = ["brand", "version"]
        constraints = [
            models.UniqueConstraint(fields=["brand", "version", "kind", "text"], name="name_change_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["name", "domain", "competitor"]), name="name_change_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.text}"


class Collaborator(BrandScoped):
    """A person who may see a brand that another owns; an editor may also change it and run scans."""

    class Role(models.TextChoices):
        EDITOR = "editor"
        VIEWER = "viewer"

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="collaborators")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="collaborations")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.EDITOR)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["brand", "user"]
        constraints = [
            models.UniqueConstraint(fields=["brand", "user"], name="collaborator_once_per_brand"),
            models.CheckConstraint(condition=Q(role__in=["editor", "viewer"]), name="collaborator_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class BrandChange(BrandScoped):
    """What somebody changed of a brand, in words: what it was, and what it is since. An operator, a command or a job
    is `actor` alone. Only `trail.py` writes it."""

    LONGEST_SUBJECT = 300

    class What(models.TextChoices):
        """What was changed."""

        NAME = "name", gettext_noop("Name")
        NAMES = "names", gettext_noop("Other names")
        NAME_USE = "name_use", gettext_noop("When a name counts")
        DOMAIN = "domain", gettext_noop("Main site")
        DOMAINS = "domains", gettext_noop("Other sites")
        DESCRIPTION = "description", gettext_noop("What it sells")
        REGION = "region", gettext_noop("Country")
        CADENCE = "cadence", gettext_noop("How often scans run")
        SAMPLES = "samples", gettext_noop("Times each prompt is asked")
        ENGINES = "engines", gettext_noop("AI engines")
        COMPETITOR = "competitor", gettext_noop("Competitor")
        TOPIC = "topic", gettext_noop("Topic")
        PERSON = "person", gettext_noop("Person")
        INVITATION = "invitation", gettext_noop("Invitation")
        OWNER = "owner", gettext_noop("Owner")

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="changes", db_index=False)
    at = models.DateTimeField(default=timezone.now, db_index=True)
    actor = models.CharField(max_length=100, help_text="as in other records: key, user or command")
    person = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    what = models.CharField(max_length=12, choices=What.choices)
    subject = models.CharField(max_length=LONGEST_SUBJECT, blank=True, help_text="which one of several")
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["brand", "-at", "-id"], name="brandchange_newest")]

    def __str__(self) -> str:
        return f"{self.get_what_display()} {self.subject}".strip()

    @property
    def is_of_our_words(self) -> bool:
        """Whether its words are ours, and not names that people gave."""
        return self.what in (self.What.CADENCE, self.What.TOPIC, self.What.PERSON, self.What.INVITATION)

    @property
    def is_by_key(self) -> bool:
        """Whether a program did it with a key of the person."""
        return self.actor.startswith("key:")


class InvitationQuerySet(BrandScopedQuerySet):
    """Invitations in the words of those who work with them."""

    def to_address(self, email: str) -> "InvitationQuerySet":
        """Those to this address in whatever case, compared as for accounts: they are for one account at most."""
        same: InvitationQuerySet = self.alias(key=Lower("email")).filter(key=User.objects.key_of(email))
        return same

    def waiting(self) -> "InvitationQuerySet":
        """Those that can still be accepted."""
        return self.filter(created_at__gt=timezone.now() - INVITATION_LASTS)

    def working(self) -> "InvitationQuerySet":
        """Those of active accounts: what deactivated ones offered is void."""
        return self.filter(invited_by__is_active=True, brand__owner__is_active=True)


class Invitation(models.Model):
    """A role offered to an email address, with an account or without, until its person accepts or it expires.

    To accept the role of the owner is to take the brand over, with what it costs.
    """

    class Role(models.TextChoices):
        EDITOR = "editor"
        VIEWER = "viewer"
        OWNER = "owner"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(max_length=254)
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.EDITOR)
    invited_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["brand", "email"]
        constraints = [
            models.UniqueConstraint("brand", Lower("email"), name="invitation_once_per_brand"),
            models.CheckConstraint(condition=Q(role__in=["editor", "viewer", "owner"]), name="invitation_role_known"),
        ]
        indexes = [models.Index(Lower("email"), name="invitation_email")]

    def __str__(self) -> str:
        return f"{self.email} ({self.role})"

    @property
    def expires_at(self) -> datetime:
        """From when on nobody can accept it."""
        return self.created_at + INVITATION_LASTS

    @property
    def has_expired(self) -> bool:
        """Whether it is too late to accept it."""
        return self.expires_at <= timezone.now()


class ShareLinkQuerySet(BrandScopedQuerySet):
    """Links in the words of those who work with them."""

    def expired(self) -> "ShareLinkQuerySet":
        """Those that opened the page for 30 days."""
        return self.filter(created_at__lte=timezone.now() - LINK_LASTS)

    def working(self) -> "ShareLinkQuerySet":
        """Those that open the page: neither expired, nor made by somebody who might not make them now, nor of a
        brand whose owner is deactivated."""
        editors = Collaborator.objects.filter(brand=OuterRef("brand"), user=OuterRef("made_by"), role="editor")
        still_may = Q(made_by=F("brand__owner")) | Exists(editors)
        people = Q(made_by__is_active=True, brand__owner__is_active=True)
        return self.filter(still_may, people, created_at__gt=timezone.now() - LINK_LASTS)


class ShareLink(models.Model):
    """A link by which anybody looks at the overview of a brand, without an account and with these filters alone. Its
    token is stored as SHA-256 only."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="share_links")
    made_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256 of the token, hex")
    filters = models.CharField(max_length=300, blank=True, help_text="the query of the page")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(null=True, editable=False)

    objects = ShareLinkQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "id"]

    def __str__(self) -> str:
        return f"link by {self.made_by}"

    @property
    def expires_at(self) -> datetime:
        """From when on it opens nothing."""
        return self.created_at + LINK_LASTS
