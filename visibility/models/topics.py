"""What people say of a topic: whether it is the brand's business at all."""

from django.db import models
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.models.prompts import MAX_TOPIC


class TopicChoice(models.Model):
    """Whether the brand sells what a topic is about, as its owner or an editor said."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="topic_choices")
    topic = models.CharField(max_length=MAX_TOPIC, help_text="as prompts have it; the id of a prompt without one")
    is_own = models.BooleanField(help_text="whether the brand sells what it is about")
    decided_by = models.CharField(max_length=100, blank=True, help_text="the actor of the caller")
    decided_at = models.DateTimeField(default=timezone.now)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["brand", "topic"]
        constraints = [models.UniqueConstraint(fields=["brand", "topic"], name="topic_choice_once")]

    def __str__(self) -> str:
        return f"{self.topic}: {'own' if self.is_own else 'not own'}"


class LeftOutTopic(models.Model):
    """A topic that the current figures of a brand leave out: what was said of it when these were counted."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="left_out_topics")
    topic = models.CharField(max_length=MAX_TOPIC, help_text="as prompts have it; the id of a prompt without one")

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["brand", "topic"]
        constraints = [models.UniqueConstraint(fields=["brand", "topic"], name="left_out_topic_once")]

    def __str__(self) -> str:
        return self.topic
