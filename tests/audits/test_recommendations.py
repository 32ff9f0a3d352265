"""What an audit makes of the queue of recommendations."""

import pytest

from tests.factories import BrandFactory, RunFactory
from visibility.models import AuditFinding, Recommendation, Run
from visibility.recommendations.advise import recommend
from visibility.recommendations.cards import show

pytestmark = pytest.mark.django_db
PAGES = 20


def audit(brand, *findings, pages=PAGES):
    """An audit that has ended, with findings as (check, severity, gain)."""
    run = RunFactory(brand=brand, kind=Run.Kind.AUDIT, done=pages, total=pages)
    for position, (check, severity, gain) in enumerate(findings, start=1):
        place = {"url": "https://acme.example/", "where": "line 3", "quote": "<meta>", "to": "", "pages": 1}
        finding = {
            **{"check": check, "title": f"{check} is wrong", "category": "access", "severity": severity},
            **{"finding": f"{check} was seen.", "gain": gain, "affected": 3, "evidence": [place], "urls": []},
            **{"fixPrompt": f"Mend {check}.", "effect": "", "counterEvidence": "", "source": "RFC 9309"},
        }
        AuditFinding.objects.create(
            run=run, position=position, check_id=check, category="access", severity=severity, finding=finding
        )
    recommend(run.brand)
    return run


def queue(brand):
    rows = Recommendation.objects.filter(brand=brand).order_by("-priority")
    return {row.subject: row.status for row in rows}


def test_critical_defects_come_first_each_by_itself_and_all_else_is_one_card():
    brand = BrandFactory()
    found = (("ACC-06", "critical", 40), ("REN-01", "critical", 20), ("STR-06", "low", 1.5), ("DIS-07", "medium", 2))
    audit(brand, *found, ("AGT-01", "info", 0))
    assert list(queue(brand)) == ["ACC-06", "REN-01", "smaller defects"]
    card = Recommendation.objects.get(brand=brand, subject="smaller defects")
    assert show(card, brand).title == "Mend 2 smaller defects of the site"
    assert "Mend STR-06." in show(card, brand).fix_prompt
    assert Recommendation.objects.get(brand=brand, subject="ACC-06").evidence[0]["url"] == "https://acme.example/"


def test_what_is_mended_is_resolved_and_opens_again_when_it_comes_back():
    brand = BrandFactory()
    audit(brand, ("ACC-06", "critical", 40))
    audit(brand)
    assert queue(brand) == {"ACC-06": "resolved"}
    audit(brand, ("ACC-06", "critical", 40))
    assert queue(brand) == {"ACC-06": "open"}


def test_a_smaller_audit_closes_nothing():
    brand = BrandFactory()
    audit(brand, ("ACC-06", "critical", 40))
    audit(brand, pages=PAGES - 1)
    assert queue(brand) == {"ACC-06": "open"}


def test_a_decision_of_a_person_outlasts_every_audit_and_what_is_done_is_resolved_by_one():
    brand = BrandFactory()
    audit(brand, ("ACC-06", "critical", 40), ("REN-01", "critical", 20))
    for subject, status in (("ACC-06", "dismissed"), ("REN-01", "done")):
        Recommendation.objects.filter(brand=brand, subject=subject).update(status=status)
    audit(brand, ("ACC-06", "critical", 40), ("REN-01", "critical", 20))
    assert queue(brand) == {"ACC-06": "dismissed", "REN-01": "done"}
    audit(brand)
    assert queue(brand) == {"ACC-06": "dismissed", "REN-01": "resolved"}


def test_the_same_audit_again_moves_no_time_of_change():
    brand = BrandFactory()
    run = audit(brand, ("ACC-06", "critical", 40))
    before = Recommendation.objects.get(brand=brand)
    recommend(run.brand)
    after = Recommendation.objects.get(brand=brand)
    assert (after.pk, after.updated_at) == (before.pk, before.updated_at)
