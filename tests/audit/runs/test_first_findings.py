"""What six sites are told first is what an expert would say first, on the page, by the tool and as recommendations.

`python -m tests.audit.runs.test_first_findings` prints it.
"""

import re
import sys

import pytest
from django.urls import reverse

from config.settings.audit import local_hosts
from tests.audit.runs.sites import serving
from tests.audit.runs.six_sites import SITES
from visibility.models import Recommendation, Run
from visibility.pipeline.runner import execute
from visibility.services.audits.reports import audit_findings, audit_scores
from visibility.services.audits.starting import start_audit

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


def audited(build, cast, owner, settings):
    """The finished audit of a site that is served."""
    with serving(build()) as site:
        settings.AUDIT_LOCAL_HOSTS = local_hosts([site.local_hosts])
        run = start_audit(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT).run
        execute(run.pk, "worker")
    run.refresh_from_db()
    return run


@pytest.mark.parametrize("build", SITES, ids=lambda build: build.__name__)
def test_the_first_findings_are_an_experts_on_every_door(build, cast, owner, settings, client):
    expected, brand = SITES[build], cast.brand
    run = audited(build, cast, owner, settings)
    findings = audit_findings(owner, brand_id=brand.pk).findings
    todo = list(Recommendation.objects.filter(brand=brand, status="open").order_by("-priority"))
    client.force_login(cast.owner)
    shown = client.get(reverse("audit-page", args=[brand.pk, run.pk])).content.decode()
    print(f"\n{build.__name__}: {run.status}, {run.score:.1f} of 100. {expected.why}")
    for finding in findings[:12]:
        print(f"  {finding.check} {finding.severity} +{finding.gain:g}: {finding.title}. {finding.what}")

    first = expected.checks
    assert [finding.check for finding in findings][: len(first)] == list(first)
    assert [row.subject for row in todo][: len(first)] == list(first)
    assert [row.subject for row in todo] == [finding.check for finding in findings][: len(todo)]
    assert re.findall(r'<li id="([A-Z]{3}-\d\d)">', shown) == [finding.check for finding in findings]
    assert len({row.priority for row in todo}) == len(todo)
    assert run.score is not None and run.score <= expected.at_most
    defects = [defect.check for defect in audit_scores(owner, brand_id=brand.pk).critical_defects]
    assert defects == [finding.check for finding in findings if finding.severity == "critical"]


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-s", "-q", "-p", "no:cacheprovider"]))
