"""What an engine was asked of a name that nothing else tells of, and what it said. Asked once, kept for ever."""

import uuid

from django.db import models

from brands.models import MAX_NAME
from brands.querysets import BrandScopedQuerySet
from visibility.models.answers import Answer


class NameJudgement(models.Model):
    """Whether a name in one answer means the owner of `domain`, as an engine was asked.

    The row is there before the engine is asked, so that nobody asks again, not even after a crash. `meant` is null
    while nothing came of it: then what the detector says stands. The call to the provider has the same id.
    """

    brand_path = "answer__brand"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="name_judgements")
    name = models.CharField(max_length=MAX_NAME, help_text="as it is tracked")
    domain = models.CharField(max_length=253, help_text="of the owner that was asked about")
    meant = models.BooleanField(null=True, help_text="null: asked, and nothing usable came")
    rule = models.CharField(max_length=20, help_text="the version of the question")
    engine = models.CharField(max_length=64)
    asked_at = models.DateTimeField()
    error_code = models.CharField(max_length=40, blank=True)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["answer", "name"]
        constraints = [
            models.UniqueConstraint(fields=["answer", "name", "domain"], name="name_judged_once_per_answer")
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.meant}"
