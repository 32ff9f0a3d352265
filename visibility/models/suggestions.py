"""Names that answers recommend and nobody tracks: where they stand, what is made of them. No figure counts any."""

import uuid

from django.db import models

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.models.answers import Answer
from visibility.models.generations import CurrentManager, Generation


class UntrackedName(models.Model):
    """A name at the head of an answer's entry that is no subject's; kept for the newest runs of a brand.

    `lead` is the key of its first word, which the products of one maker share. With `is_tracked` it stands behind a
    tracked name ("Galaxy" behind Samsung): nobody suggests it, and it tells whose the same word is elsewhere.
    """

    brand_path = "answer__brand"

    generation = models.ForeignKey(Generation, on_delete=models.CASCADE, related_name="+")
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="untracked_names")
    lead = models.CharField(max_length=80)
    name = models.CharField(max_length=80)
    start = models.PositiveIntegerField(help_text="in the raw text of the answer")
    domain = models.CharField(max_length=253, blank=True, help_text="a cited domain that is spelt as the name is")
    is_tracked = models.BooleanField(default=False, db_default=False, help_text="it stands behind a tracked name")

    objects = CurrentManager.from_queryset(BrandScopedQuerySet)()
    of_all_generations = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["answer", "start"]
        constraints = [
            models.UniqueConstraint(fields=["answer", "start", "generation"], name="untracked_name_once_per_place")
        ]

    def __str__(self) -> str:
        return self.name


class CompetitorSuggestion(models.Model):
    """A company that several answers recommend, offered to be watched as a competitor. It is counted only when added.

    Derived from the newest runs after each; `first_seen` and a dismissal outlive what they were derived from.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="competitor_suggestions")
    key = models.CharField(max_length=80, help_text="the first word of the name, in one spelling")
    name = models.CharField(max_length=80)
    domain = models.CharField(max_length=253, blank=True, help_text="a guess from what answers cite; empty: none")
    answers = models.PositiveIntegerField(help_text="answers that offer it or one of its products")
    of_answers = models.PositiveIntegerField(help_text="answers that were analysed")
    prompts = models.PositiveIntegerField(help_text="prompts whose answers name it")
    engines = models.JSONField(default=list, help_text="names of the engines that name it")
    topics = models.JSONField(
        default=list, db_default=[], help_text="[topic, answers] where it is offered, most first"
    )
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()
    quote = models.TextField(blank=True, help_text="what an answer says of it")
    examples = models.JSONField(default=list, help_text="ids of answers that name it, the newest first")
    dismissed_at = models.DateTimeField(null=True, blank=True)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["-answers", "-prompts", "key"]
        constraints = [models.UniqueConstraint(fields=["brand", "key"], name="competitor_suggestion_once_per_brand")]

    def __str__(self) -> str:
        return f"{self.name}: {self.answers} answers"
