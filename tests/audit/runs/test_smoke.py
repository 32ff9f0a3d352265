import pytest
from visibility.models import *
@pytest.mark.django_db(transaction=True)
def test_it(site, audited):
    site.page("/", "/a", "/b", "/pricing")
    for p in ("/a", "/b", "/pricing"): site.page(p, "/", "/gone")
    site.sitemap("/", "/a", "/c")
    site.page("/c")
    run = audited()
    print(run.status, run.error_code, run.error_message, run.done, run.failed, run.total, run.score, run.credits_spent)
    for p in AuditPage.objects.all(): print(p.position, p.url, p.state, p.error_code, p.depth, p.linked_from)
    print(Audit.objects.get().caps, Audit.objects.get().categories)
    print(CheckResult.objects.values_list("check_id","verdict"))
    print(site.times())
    assert 0
