"""What is counted in answers and own pages, reviews, and the pages of others that answers rest on."""

from django.db import models
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScoped
from visibility.models.prompts import Topic


class EvidenceKind(models.TextChoices):
    """What a piece of evidence says; each has its resource in `evidence/resources.py`."""

    CRITERION = "criterion"  # a label of answers
    CLAIM = "claim"  # a sentence of an own page that can be checked
    VOICE = "voice"


class EvidenceItem(BrandScoped):
    """One finding, in the order of weight within its kind. Replaced as a whole when made again, never edited."""

    Kind = EvidenceKind

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="evidence")
    kind = models.CharField(max_length=10, choices=EvidenceKind.choices)
    position = models.PositiveSmallIntegerField()
    topic = models.ForeignKey(
        Topic, on_delete=models.CASCADE, null=True, related_name="+", help_text="of a criterion"
    )
    item = models.JSONField(help_text="the resource of its kind")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["brand", "kind", "position"]
        constraints = [models.UniqueConstraint(fields=["brand", "kind", "position"], name="evidence_position_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.position}"


class Review(BrandScoped):
    """What a customer wrote about the brand: imported, or in the structured data of an own page."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="reviews")
    digest = models.BinaryField(max_length=16, help_text="BLAKE2b of source, day and text")
    text = models.TextField()
    stars = models.FloatField(null=True, help_text="1 to 5; null: not stated")
    source = models.CharField(max_length=200, blank=True, help_text="where it was published")
    url = models.TextField(blank=True)
    day = models.DateField(null=True)
    imported_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["brand", "-day", "id"]
        constraints = [models.UniqueConstraint(fields=["brand", "digest"], name="review_once_per_brand")]

    def __str__(self) -> str:
        return self.text[:80]


class CitedPage(BrandScoped):
    """A page of others that answers cite, as it was read before anybody is sent there."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="cited_pages")
    url = models.TextField()
    digest = models.BinaryField(max_length=16, help_text="BLAKE2b of the URL, as of citations")
    read_at = models.DateTimeField(default=timezone.now)
    error = models.CharField(max_length=200, blank=True, help_text="why it could not be read; empty: it was read")
    title = models.CharField(max_length=500, blank=True)
    changed_on = models.DateField(null=True, help_text="the newest day that the page states")
    names_brand = models.BooleanField(null=True, help_text="null: not read")
    competitors = models.JSONField(default=list, help_text="names of the competitors on it")

    class Meta:
        ordering = ["brand", "url"]
        constraints = [models.UniqueConstraint(fields=["brand", "digest"], name="cited_page_once_per_brand")]
        indexes = [models.Index(fields=["brand", "read_at"], name="cited_page_brand_read")]

    def __str__(self) -> str:
        return self.url
