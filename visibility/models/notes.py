"""What people write about a day."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScoped

LONGEST_NOTE = 120


class DayNote(BrandScoped):
    """A short note on a day of a brand, such as a launch or a campaign, shown on its charts."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="day_notes")
    day = models.DateField()
    text = models.CharField(max_length=LONGEST_NOTE)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["brand", "day", "made_at"]
        indexes = [models.Index(fields=["brand", "day"], name="day_note_day")]

    def __str__(self) -> str:
        return f"{self.day}: {self.text}"
