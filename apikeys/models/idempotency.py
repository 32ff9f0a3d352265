"""Calls that create something and may be repeated: what was asked, and what was answered."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class IdempotentCall(models.Model):
    """One call with an idempotency key: held by the caller that carries it out, then kept with its result.

    The owner of `token` carries the call out until `lease_until`; after that another may take it over. `finished_at`
    is set, with the result, in the transaction of the effect. Kept for `services.idempotency.KEPT`, or until the user
    or the `subject` is deleted.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="idempotent_calls")
    tool = models.CharField(max_length=64, help_text="name of the tool without its prefix")
    key = models.CharField(max_length=255)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the arguments in their canonical form")
    subject = models.UUIDField(help_text="the brand that the call is about")
    token = models.UUIDField()
    lease_until = models.DateTimeField()
    result = models.TextField(blank=True, help_text="the result as JSON")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "tool", "key"], name="idempotent_call_once")]
        indexes = [
            models.Index(fields=["subject"], name="idempotent_call_subject"),
            models.Index(fields=["created_at"], name="idempotent_call_time"),
        ]

    def __str__(self) -> str:
        return f"{self.tool} {self.created_at:%-d %b %Y %H:%M} UTC {'finished' if self.finished_at else 'running'}"
