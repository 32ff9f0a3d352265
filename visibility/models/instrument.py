"""The instrument: what is known of changes of the engines themselves, which no brand made."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from visibility.models.engines import Engine, Surface
from visibility.models.prompts import LONGEST_MARKET, MARKET


class EngineChange(models.Model):
    """A day from which on an engine's answers have another form, over all brands that ask it.

    `features` has the mean of each feature that changed, before and after, by the names of `metrics.form`; `wordings`
    is how many were compared.
    """

    engine = models.ForeignKey(Engine, on_delete=models.CASCADE, related_name="changes")
    surface = models.CharField(max_length=12, choices=Surface.choices)
    market = models.CharField(max_length=LONGEST_MARKET, blank=True, help_text=MARKET)
    began = models.DateField(help_text="the first of the two days that showed it")
    features = models.JSONField(help_text="by feature its mean before and after")
    wordings = models.PositiveIntegerField()
    models_before = ArrayField(models.CharField(max_length=100), default=list)
    models_after = ArrayField(models.CharField(max_length=100), default=list)

    class Meta:
        ordering = ["-began", "engine", "surface", "market"]
        constraints = [
            models.UniqueConstraint(fields=["engine", "surface", "market", "began"], name="engine_change_once")
        ]

    def __str__(self) -> str:
        return f"{self.engine} ({self.surface}) since {self.began}"


class OutsideEvent(models.Model):
    """Something outside that may move figures of every brand, such as a new version of an engine. Operators write
    it."""

    day = models.DateField()
    engine = models.ForeignKey(
        Engine, on_delete=models.CASCADE, null=True, blank=True, related_name="+", help_text="empty: all"
    )
    surface = models.CharField(max_length=12, choices=Surface.choices, blank=True, help_text="empty: all")
    text = models.CharField(max_length=120, help_text="what happened, for the owners of brands")
    url = models.URLField(blank=True, help_text="where it is written")

    class Meta:
        ordering = ["-day", "pk"]

    def __str__(self) -> str:
        return f"{self.day}: {self.text}"

    def concerns(self, engine: str, surface: str) -> bool:
        """Whether it is of an engine that is asked through a surface."""
        return (self.engine is None or self.engine.name == engine) and self.surface in ("", surface)
