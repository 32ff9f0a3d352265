"""Proofs whose time is over without another scan: no scan ends that would judge them."""

import logging
from datetime import UTC

from django.db import transaction
from django.utils import timezone

from brands.models import Brand
from visibility.insights.proofs.judging import judge_proofs
from visibility.insights.proofs.planning import LATE
from visibility.jobs.lease import LeaseLost, hold_brand
from visibility.models import Proof

logger = logging.getLogger(__name__)

BRANDS_PER_TICK = 20


def judge_overdue() -> None:
    """Judge proofs that have waited for their last day, some brands at a time. Can be repeated by several workers at
    once, at any time."""
    now = timezone.now()
    waiting = Proof.objects.exclude(state=Proof.State.JUDGED)
    overdue = waiting.filter(waits_until__lt=now.astimezone(UTC).date() - LATE).order_by("waits_until")
    for brand in Brand.objects.filter(pk__in=overdue.values("brand")).order_by("pk")[:BRANDS_PER_TICK]:
        try:
            with transaction.atomic():
                judge_proofs(hold_brand(brand), now)
        except LeaseLost:
            continue  # deleted meanwhile, and its proofs with it
        except Exception:  # one brand's trouble must not keep the others waiting; it is looked at again
            logger.exception("The proofs of brand %s could not be judged", brand.pk)
