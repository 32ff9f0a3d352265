"""Pages that the local-search engine answers from. A corpus belongs to one brand."""

from django.db import models
from django.utils import timezone

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet


class Page(models.Model):
    """The text of one page, searched by the full-text index of the database."""

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="pages")
    url = models.CharField(max_length=2000)
    title = models.CharField(max_length=500)
    text = models.TextField()
    published_on = models.DateField(null=True, blank=True, help_text="the day that the page states; empty: none")
    fetched_at = models.DateTimeField(default=timezone.now)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["brand", "url"]
        constraints = [models.UniqueConstraint(fields=["brand", "url"], name="page_once_per_brand")]

    def __str__(self) -> str:
        return self.url
