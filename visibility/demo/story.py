"""The demo from beginning to end: its simulated days with what people did on them, and what was made of it since.

Every part can be repeated, and goes on where it was stopped.
"""

from collections.abc import Iterable
from uuid import uuid4

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import User
from apikeys.services.users import create_user
from brands.models import Brand, Collaborator
from brands.services.collaborators import add_collaborator
from visibility.demo.auditing import audit_site_on
from visibility.demo.content import DRAFTS, VIEWER
from visibility.demo.days import DAYS
from visibility.demo.deeds import do_deeds
from visibility.demo.history import seed_history
from visibility.models import BrandEvidence, ContentDraft
from visibility.pipeline.evidence.making import make_evidence
from visibility.pipeline.evidence.planning import plan_evidence
from visibility.services.content.drafts import prepare_draft
from visibility.services.imports.progress import Progress, silent


def seed_story(
    caller: Caller, brand: Brand, progress: Progress = silent, days: Iterable[int] = range(1, DAYS + 1)
) -> int:
    """Live through the days that are not there yet, and do what follows from all of them; how many were added."""

    def live(number: int) -> None:
        audit_site_on(brand, number)
        do_deeds(brand, number)

    added = seed_history(caller, brand, progress, days, then=live)
    _make_evidence(brand)
    _write_drafts(brand)
    _let_look(caller, brand)
    return added


def _make_evidence(brand: Brand) -> None:
    """What answers and pages say for buyers, unless it is made of what there is now."""
    plan_evidence()
    job = BrandEvidence.objects.filter(brand=brand, state=BrandEvidence.State.OUTDATED).first()
    if job is not None:
        make_evidence(job.pk, f"demo-{uuid4().hex}")


def _write_drafts(brand: Brand) -> None:
    """Have pages written, as the owner; where too little is known to write from, there is none."""
    owner = Caller.from_user(brand.owner)
    written = set(ContentDraft.objects.filter(brand=brand).values_list("topic", flat=True))
    for topic in DRAFTS:
        if topic in written:
            continue
        try:
            prepare_draft(owner, brand_id=brand.pk, topic=topic)()
        except ServiceError as refusal:
            if refusal.code not in (ErrorCode.CONFLICT, ErrorCode.QUOTA_EXCEEDED):
                raise


def _let_look(caller: Caller, brand: Brand) -> None:
    """Have a second person look at the brand, who may change nothing."""
    viewer = User.objects.filter(email__iexact=VIEWER).first() or create_user(caller, email=VIEWER, plan=None)
    if viewer.is_active and not Collaborator.objects.filter(brand=brand, user=viewer).exists():
        add_collaborator(Caller.from_user(brand.owner), brand=brand, user=viewer, role=Collaborator.Role.VIEWER)
