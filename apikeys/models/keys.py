"""API keys, stored only as a hash, and the record of the calls they made."""

import uuid

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone

from apikeys.scopes import ALL_SCOPES


def validate_scopes(value: object) -> None:
    """A list of known scopes without repeats."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValidationError("Scopes are a list of names.")
    unknown = sorted(set(value) - ALL_SCOPES)
    if unknown or len(set(value)) != len(value):
        raise ValidationError(f"Unknown or repeated scopes: {', '.join(unknown) or 'repeated'}.")


class ApiKey(models.Model):
    """A key belongs to one user and carries scopes. The raw key is never stored."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256 of the key, hex")
    prefix = models.CharField(max_length=16, editable=False)
    last_four = models.CharField(max_length=4, editable=False)
    scopes = models.JSONField(default=list, validators=[validate_scopes])
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        editable=False,
    )
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        editable=False,
    )
    revoked_reason = models.CharField(max_length=200, blank=True, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    rotated_from = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="rotations", editable=False
    )
    issue_nonce = models.UUIDField(
        null=True, blank=True, unique=True, editable=False, help_text="of the form that issued it: once only"
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
        constraints = [models.UniqueConstraint(fields=["rotated_from"], name="apikey_rotated_once")]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…{self.last_four})"


class CallLog(models.Model):
    """One authenticated call on either door. No arguments, bodies or addresses."""

    class Door(models.TextChoices):
        REST = "rest", "REST"
        MCP = "mcp", "Agent"

    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="calls")
    door = models.CharField(max_length=8, choices=Door.choices)
    name = models.CharField(max_length=120, help_text="the endpoint's template, the tool's name or the method")
    success = models.BooleanField()
    error_code = models.CharField(max_length=40, blank=True)
    duration_ms = models.FloatField(default=0)
    request_id = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    count = models.PositiveIntegerField(default=1, help_text="above 1 only for rate refusals, one row a minute")

    class Meta:
        verbose_name = "call"
        verbose_name_plural = "call log"
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["key", "-created_at"], name="calllog_key_time"),
            models.Index(fields=["created_at"], name="calllog_time"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["key", "created_at"],
                condition=models.Q(error_code="rate_limited"),
                name="calllog_one_refusal_row_per_minute",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.error_code or 'ok'} {self.created_at:%-d %b %Y %H:%M:%S} UTC"
