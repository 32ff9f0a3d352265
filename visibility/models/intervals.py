"""What the 95 % interval of a stored figure speaks of."""

from typing import Any

from django.db import models


class IntervalOf(models.TextChoices):
    """Prompts like these (the topics are a sample), or exactly these prompts."""

    TOPICS = "topics"
    QUESTIONS = "questions"


def interval_field() -> "models.CharField[Any, Any]":
    """The column beside the two ends."""
    return models.CharField(
        max_length=9,
        null=True,
        blank=True,
        choices=IntervalOf.choices,
        help_text="what the interval speaks of; null: there is none, or an earlier release counted it",
    )
