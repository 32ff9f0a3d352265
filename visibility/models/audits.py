"""Site audits: what was gathered of a site, page by page, and what the checks found."""

from django.db import models
from django.db.models import Q

from brands.querysets import BrandScoped
from visibility.models.runs import Run


class Audit(BrandScoped):
    """What an audit run knows of the site as a whole. Written stage by stage, so that another worker can go on.

    `gathered`: robots.txt, sitemaps, probes and sampled addresses as JSON of `visibility.audit`. `report`: the scores
    by category and the caps, once it was judged.
    """

    brand_path = "run__brand"

    run = models.OneToOneField(Run, on_delete=models.CASCADE, primary_key=True, related_name="audit")
    max_pages = models.PositiveSmallIntegerField()
    unused_path = models.CharField(max_length=64, help_text="a path that cannot exist on the site")
    # Bytes, not JSON of the database: what strangers send may hold what PostgreSQL refuses in a text.
    gathered = models.BinaryField(null=True)
    report = models.JSONField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(max_pages__gte=1), name="audit_at_least_one_page")]

    def __str__(self) -> str:
        return str(self.run)


class AuditPage(BrandScoped):
    """One address of the crawl, with what it answered and says: `page` is JSON of `visibility.audit`.

    `reader` is the version of what read it: another one reads the page again at the next audit.
    """

    brand_path = "run__brand"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="audit_pages")
    position = models.PositiveSmallIntegerField(help_text="order of asking; 0 is the home page")
    url = models.TextField()
    reader = models.PositiveSmallIntegerField()
    page = models.BinaryField()

    class Meta:
        ordering = ["run", "position"]
        constraints = [models.UniqueConstraint(fields=["run", "position"], name="audit_page_position_once")]

    def __str__(self) -> str:
        return self.url


class AuditFinding(BrandScoped):
    """What one check found wrong, in the order of consequence."""

    brand_path = "run__brand"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="findings")
    position = models.PositiveSmallIntegerField(help_text="1 is to be mended first")
    check_id = models.CharField(max_length=10)
    category = models.CharField(max_length=20)
    severity = models.CharField(max_length=10)
    finding = models.JSONField(help_text="as every door shows it")

    class Meta:
        ordering = ["run", "position"]
        constraints = [models.UniqueConstraint(fields=["run", "check_id"], name="audit_finding_once_per_check")]

    def __str__(self) -> str:
        return f"{self.position}. {self.check_id}"
