"""Site audits: what was fetched of a site, what its pages say, and what the checks found."""

from django.db import models
from django.db.models import Q

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.models.runs import Run


class Audit(models.Model):
    """What an audit run knows of the site as a whole. Written stage by stage, so that another worker can go on.

    `site`: robots.txt, sitemaps, probes and sampled addresses, as `visibility.audit.site` names them. `categories`:
    the scores by category. `caps`: the checks whose caps applied, with the cap.
    """

    brand_path = "run__brand"

    run = models.OneToOneField(Run, on_delete=models.CASCADE, primary_key=True, related_name="audit")
    home_url = models.CharField(max_length=2048)
    max_pages = models.PositiveSmallIntegerField()
    user_agent = models.CharField(max_length=200)
    site = models.JSONField(default=dict)
    categories = models.JSONField(default=list)
    caps = models.JSONField(default=list)
    checked_at = models.DateTimeField(null=True, blank=True)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(max_pages__gte=1), name="audit_max_pages_at_least_one"),
        ]

    def __str__(self) -> str:
        return f"{self.home_url} {self.run_id}"


class PageContent(models.Model):
    """What a parser said of a page, kept once for as long as the page stays the same.

    `key` is the SHA-256 of the parser's version, the address, the content type and the body; `facts` is the JSON of a
    `ParsedPage` or `Unparsed`, compressed with zlib.
    """

    brand = models.ForeignKey(Brand, on_delete=models.CASCADE, related_name="page_contents")
    key = models.CharField(max_length=64)
    parsed = models.BooleanField(help_text="false: the page could not be read")
    parser_version = models.PositiveSmallIntegerField(
        default=0, help_text="of the parser that read it; 0 where that was not noted yet"
    )
    facts = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["brand", "key"], name="page_content_once_per_brand")]

    def __str__(self) -> str:
        return self.key


class AuditPage(models.Model):
    """One address of the crawl: waiting until it was asked, then with what it answered.

    A page that was `fetched` costs a credit, with what it says in `content`. `failed`: it gave no answer, or none for
    now. `aside`: what it answered is no page of this site to read (gone, no HTML, elsewhere, the same as another);
    it neither costs nor counts. `fetched` has the fields of `visibility.audit.site.Fetched`.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        FETCHED = "fetched"
        FAILED = "failed"
        ASIDE = "aside"

    brand_path = "run__brand"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="audit_pages")
    url = models.CharField(max_length=2048)
    position = models.PositiveSmallIntegerField(help_text="the order of the crawl; 0 is the home page")
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    found_by = models.CharField(max_length=8, help_text="home, sitemap or link")
    depth = models.PositiveSmallIntegerField(default=99)
    linked_from = models.CharField(max_length=2048, blank=True)
    lastmod = models.DateField(null=True, blank=True)
    fetched = models.JSONField(default=dict)
    error_code = models.CharField(max_length=40, blank=True, help_text="why it is no page that was read")
    fetched_at = models.DateTimeField(null=True, blank=True)
    # RESTRICT, not PROTECT: with its brand both go.
    content = models.ForeignKey(PageContent, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["run", "position"]
        constraints = [
            models.UniqueConstraint(fields=["run", "url"], name="audit_page_once_per_run"),
            models.UniqueConstraint(fields=["run", "position"], name="audit_page_position_once_per_run"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "fetched", "failed", "aside"]), name="audit_page_state_known"
            ),
        ]

    def __str__(self) -> str:
        return self.url


class CheckResult(models.Model):
    """What one check found in an audit; the fields are those of `visibility.audit.outcome.Outcome`."""

    class Verdict(models.TextChoices):
        PASSED = "passed"
        FAILED = "failed"
        NOT_APPLICABLE = "not_applicable"
        INCONCLUSIVE = "inconclusive"

    brand_path = "run__brand"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="check_results")
    check_id = models.CharField(max_length=10)
    verdict = models.CharField(max_length=14, choices=Verdict.choices)
    share = models.FloatField(null=True, blank=True)
    words = models.JSONField(default=dict)
    evidence = models.JSONField(default=list)
    urls = models.JSONField(default=list)
    affected = models.PositiveIntegerField(default=0)
    because = models.TextField(blank=True)
    critical = models.BooleanField(default=False, help_text="so much is lost that it caps the score")
    lost = models.FloatField(default=0.0, help_text="the part of the site's pages that machines do not get, 0 to 1")

    objects = BrandScopedQuerySet.as_manager()

    class Meta:
        ordering = ["run", "check_id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "check_id"], name="check_result_once_per_run"),
            models.CheckConstraint(
                condition=Q(verdict__in=["passed", "failed", "not_applicable", "inconclusive"]),
                name="check_result_verdict_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.check_id} {self.verdict}"
