"""Five brands with the same real answers, as an operator imports them."""

import io
from collections.abc import Iterable, Mapping, Set
from pathlib import Path
from types import MappingProxyType

from django.core.management import call_command
from django.test import override_settings

from apikeys.models import User
from brands.models import Brand
from tests.judged import proof_of
from visibility.models import BrandEvidence, Proof, Recommendation
from visibility.pipeline.evidence.making import make_evidence
from visibility.pipeline.evidence.planning import plan_evidence

BRANDS: Mapping[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "Sony": ("sony.com", (("Samsung", "samsung.com"), ("LG", "lg.com"), ("Bose", "bose.com"))),
    "Samsung": ("samsung.com", (("Apple", "apple.com"), ("Google", "google.com"), ("Sony", "sony.com"))),
    "Garmin": ("garmin.com", (("Apple", "apple.com"), ("Fitbit", "fitbit.com"), ("Samsung", "samsung.com"))),
    "Apple": ("apple.com", (("Dell", "dell.com"), ("Samsung", "samsung.com"), ("Lenovo", "lenovo.com"))),
    "Breville": ("breville.com", (("De'Longhi", "delonghi.com"), ("Ninja", "ninjakitchen.com"))),
}
"""Each brand's domain and competitors."""
SOLD: Mapping[str, Set[str]] = {
    "Apple": {"earbuds-workout-150", "laptop-general-1000", "monitor-27-inch-office", "running-watch-400",
              "smartphone-budget-600", "streaming-service-movies"},
    "Breville": {"air-fryer-family-size", "blender-high-performance", "espresso-machine-700"},
    "Garmin": {"running-watch-400"},
    "Samsung": {"earbuds-workout-150", "headphones-wireless-200", "laptop-general-1000", "monitor-27-inch-office",
                "running-watch-400", "smartphone-budget-600", "tv-55-inch-1000", "vacuum-stick-cordless"},
    "Sony": {"earbuds-workout-150", "headphones-wireless-200", "smartphone-budget-600", "tv-55-inch-1000"},
}  # fmt: skip
"""The topics that each brand sells something of, by hand."""


@override_settings(SCAN_LEASE_SECONDS=3600)
def imported(
    answers: Path, owner: User, names: Iterable[str] = BRANDS, sold: Mapping[str, Set[str]] = MappingProxyType({})
) -> dict[str, Brand]:
    """These brands, each with the answers of the file; the owner's plan holds them. A brand of which `sold` tells
    something has these topics as its own and no other; of the rest all are undecided."""
    for name in names:
        domain, competitors = BRANDS[name]
        options = [argument for rival in competitors for argument in ("--competitor", *rival)]
        options += [argument for topic in sorted(sold.get(name, ())) for argument in ("--topic", topic)]
        arguments = [str(answers), "--new-brand", name, domain, "--owner", owner.email, *options]
        call_command("import_answers", *arguments, stdout=io.StringIO(), stderr=io.StringIO())
    return {name: Brand.objects.get(owner=owner, name=name) for name in names}


@override_settings(SCAN_LEASE_SECONDS=3600)
def with_evidence(brands: Iterable[Brand]) -> None:
    """Have the evidence of these brands made, as a worker does. The lease outlasts the work: its heartbeat has a
    connection of its own, which would wait for the transaction of the test."""
    plan_evidence()
    for brand in brands:
        make_evidence(BrandEvidence.objects.get(brand=brand).pk, "asking")


def with_decisions(brands: Iterable[Brand]) -> None:
    """Of each brand's queue the second is in progress, the third done and judged, the fourth dismissed."""
    for brand, verdict in zip(brands, (*Proof.Verdict.values, Proof.Verdict.MOVED_UP), strict=False):
        queue = Recommendation.objects.filter(brand=brand, status="open").order_by("-priority", "created_at", "pk")
        for row, status in zip(queue[1:4], ("in_progress", "done", "dismissed"), strict=False):
            row.status, row.status_reason = status, f"We said {status}."
            if status == "done":
                row.proof = proof_of(brand, verdict=verdict, topic=row.topic)
            row.save()
