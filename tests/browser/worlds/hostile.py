"""A brand whose every text is hostile or far too long: names, prompts, engines, answers, findings, drafts."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from apikeys.models import User
from brands.models import Alias, Brand, Collaborator, CompetitorAlias, NamePolicy
from tests.audit.stored import CRITICAL, audited, failure
from tests.factories import BrandFactory, CompetitorFactory, PromptFactory, RecommendationFactory, RunFactory
from tests.pages.hostile_markdown import ALL
from tests.scans.history import asked_run, end
from visibility.models import (
    BrandEvidence,
    CompetitorSuggestion,
    ContentDraft,
    EngineConfig,
    Recommendation,
    Review,
    ReviewImport,
    StatusChange,
)
from visibility.pipeline.evidence.making import make_evidence
from visibility.pipeline.evidence.planning import plan_evidence

WIDE = "W" * 180
MARKUP = "<svg onload=alert(1)><script>alert(1)</script>" + "M" * 100
TURNED = '\u202e\u05d7\u05e0\u05d5\u05ea \u0627\u0644\u062f\u0631\u0627 "><img src=x onerror=alert(1)>\u202c'
HUGE = "<b>" + "n" * 100_000
FORMULA = '=HYPERLINK("javascript:alert(1)")'
DOMAIN = ".".join(["w" * 60] * 3) + ".example"
ENGINE = "e" * 64
TOPICS = (WIDE, MARKUP, TURNED)
DAYS = 3


@transaction.atomic
def fill(owner: User, viewer: User) -> Brand:
    """The brand, with a row of every kind in every state."""
    name = MARKUP + TURNED
    brand: Brand = BrandFactory(owner=owner, name=name[:200], domain=DOMAIN)
    Collaborator.objects.create(brand=brand, user=viewer, role="viewer")
    Alias.objects.create(brand=brand, text=WIDE)
    Alias.objects.create(brand=brand, text="Acme")
    NamePolicy.objects.create(brand=brand, text=WIDE, required_near=[WIDE, MARKUP], forbidden_near=[TURNED])
    for number, rival in enumerate((WIDE[:-1], TURNED, FORMULA)):
        competitor = CompetitorFactory(brand=brand, name=rival, domain=f"r{number}{DOMAIN[2:]}")
        CompetitorAlias.objects.create(competitor=competitor, text=f"Rival{number}")
    EngineConfig.objects.update_or_create(
        name=ENGINE, defaults={"label": WIDE[:100], "provider": "openai-chat", "model": WIDE[:100], "enabled": False}
    )
    _measure(brand)
    _runs_of_each_state(brand)
    _audit(brand)
    _gather(brand)
    _decide(brand)
    return brand


def _measure(brand: Brand) -> None:
    """Days of answers, the last ones worse than the first."""
    prompts = [
        PromptFactory(brand=brand, text=f"{number} {topic}?", topic=topic) for number in (1, 2) for topic in TOPICS
    ]
    PromptFactory(brand=brand, text=MARKUP, topic=WIDE, archived_at=timezone.now())
    texts = [*_answers(), "Rival0 is the best. Acme is bad.", HUGE, f"Rival1 {TURNED} Rival2"]
    addresses = [
        ["javascript:alert(1)", f"https://{DOMAIN}/{'p' * 1900}", f"https://{'q' * 60}.example/{MARKUP}"]
    ] * len(texts)
    start = timezone.now() - timedelta(days=DAYS)
    for day in range(DAYS):
        at = start + timedelta(days=day)
        run = asked_run(
            brand,
            prompts,
            texts=texts,
            cited=addresses,
            engine=ENGINE,
            engines=[ENGINE],
            created_at=at,
            started_at=at,
        )
        run.answers.update(served_model=WIDE[:100], answered_at=at, searches=[MARKUP, WIDE, TURNED], searched=True)
        end(run)


def _answers() -> list[str]:
    """All hostile texts in three answers, each with the brand and a rival at its ends."""
    short = [text[:2000].replace("\0", "").encode(errors="ignore").decode() for text in ALL]  # as databases take them
    return ["\n\n".join(["Acme is good.", *short[part::3], "Rival0 is good."]) for part in range(3)]


def _runs_of_each_state(brand: Brand) -> None:
    """Beside those that succeeded; what is under way is held by nobody who works."""
    held = {"worker": "w", "lease_until": timezone.now() + timedelta(days=1), "finished_at": None}
    states: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("visibility", "running", {**held, "total": 9, "done": 3, "failed": 1, "started_at": timezone.now()}),
        ("visibility", "failed", {"error_code": "no_answers", "total": 2, "failed": 2}),
        ("visibility", "cancelled", {"total": 5, "done": 1}),
        ("visibility", "partial", {"total": 5, "done": 4, "failed": 1}),
        ("comparison", "failed", {"error_code": "no_answers"}),
        ("audit", "failed", {"error_code": "unreachable"}),
    )
    for kind, status, fields in states:
        RunFactory(brand=brand, kind=kind, status=status, actor=WIDE[:100], engines=[ENGINE], **fields)


def _audit(brand: Brand) -> None:
    """Two audits, whose findings quote what is hostile."""
    address = f"https://{DOMAIN}/{'p' * 1900}"
    hostile = {"words": {"finding": MARKUP, "q": TURNED}, "urls": [address, "javascript:alert(1)"]}
    failing = [
        CRITICAL,
        ("FRE-04", {**failure(url=address, quote=WIDE, where=WIDE), **hostile}),
        ("FRE-02", failure(url="javascript:alert(1)", quote=MARKUP + TURNED)),
    ]
    audited(brand, failing=failing[:2], passing=["ACC-01"], unclear=["FRE-01"])
    audited(brand, day=1, failing=failing, passing=["ACC-01"], score=30.0)


def _gather(brand: Brand) -> None:
    """Reviews and pages, and the evidence and drafts that are made of them."""
    source = ReviewImport.objects.create(brand=brand, file=f"{MARKUP}.csv", actor=WIDE[:100])
    for number, text in enumerate((f"The battery failed. {WIDE}", f"{MARKUP} broke after a week.", TURNED, HUGE)):
        Review.objects.create(brand=brand, source=source, key=str(number), text=text, title=MARKUP, stars=1)
    plan_evidence()
    job = BrandEvidence.objects.filter(brand=brand).first()
    if job is not None:
        make_evidence(job.pk, "worlds")
    _draft(brand)
    now = timezone.now()
    for number, suggestion in enumerate((WIDE[:80], MARKUP[:80], TURNED[:80])):
        CompetitorSuggestion.objects.create(
            brand=brand, name=suggestion, key=str(number), domain=DOMAIN, answers=3, of_answers=6, prompts=2,
            engines=[ENGINE], quote=f"{MARKUP} {WIDE}", topics=[[WIDE, 2], [TURNED, 1]],
            first_seen=now, last_seen=now,
        )  # fmt: skip


def _draft(brand: Brand) -> None:
    """A page that quotes all of it."""
    source = {
        "mark": "S1", "text": MARKUP + WIDE, "source": HUGE[:2000], "url": "javascript:alert(1)", "own": False,
        "answer_id": None, "said_by": ENGINE, "about": TURNED, "of": WIDE,
    }  # fmt: skip
    ContentDraft.objects.create(
        brand=brand, topic=WIDE, format="article", title=MARKUP, sources=[source], page_url="javascript:alert(1)",
        markdown=f"{MARKUP} [S1].\n\n## {TURNED}\n\n{WIDE} [S1].\n\n{HUGE[:9000]}", page_text=MARKUP,
        questions=[MARKUP, TURNED], criteria=[WIDE], diff=f"--- page\n+++ draft\n-{MARKUP}\n+{WIDE}\n",
        checks=[{"id": "title_length", "passed": False, "message": f"The title is {WIDE}."}],
        structured_data={"headline": f"</script>{MARKUP}"}, writer={"kind": "engine", "name": ENGINE, "model": WIDE},
    )  # fmt: skip


def _decide(brand: Brand) -> None:
    """A recommendation in each status, with reasons, whose evidence leads astray."""
    evidence = [
        {"kind": "answer", "text": HUGE, "engine": ENGINE},
        {"kind": "citation", "text": MARKUP, "url": "javascript:alert(1)"},
        {"kind": "page", "text": TURNED, "url": f"https://{DOMAIN}/{'p' * 1900}"},
    ]
    for number, (status, _label) in enumerate(Recommendation.Status.choices):
        row = RecommendationFactory(
            brand=brand, kind="cited_page", subject=f"world-{number}", topic=TOPICS[number % 3],
            title=[WIDE, MARKUP, TURNED][number % 3], summary=HUGE[:5000], status=status, evidence=evidence,
            status_reason=WIDE + MARKUP, status_by=WIDE[:100], payload={"fix_prompt": HUGE + MARKUP},
        )  # fmt: skip
        StatusChange.objects.create(recommendation=row, status=status, reason=MARKUP + WIDE, actor=WIDE[:100])
    RecommendationFactory(brand=brand, subject="plain", title=MARKUP[:200], summary=MARKUP, evidence=evidence)
