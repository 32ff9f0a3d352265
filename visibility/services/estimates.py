"""What a scan would take before it starts: calls, credits, money as far as prices are known, and time."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Avg

from apikeys.caller import Caller
from apikeys.models import Usage
from apikeys.services.usage import limit_of, used
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.engines.local_search import is_local
from visibility.engines.pricing import Usage as Tokens
from visibility.engines.pricing import price
from visibility.engines.spec import EngineSpec
from visibility.models import Answer, Run
from visibility.scans.engines import spec_of, usable_engines
from visibility.services.scan_plans import plan_scan

RECENT_RUNS = 5
TYPICAL = Tokens(input_tokens=50, output_tokens=1_000)
TYPICAL_SEARCHING = Tokens(input_tokens=15_000, output_tokens=1_200, searches=2)
"""Assumed of an answer where none has been seen: the middle of real ones, which spread over a factor of thirty."""
TYPICAL_SECONDS = 6.0
TYPICAL_SEARCHING_SECONDS = 20.0


class Basis(StrEnum):
    """Where the price of an answer comes from."""

    ANSWERS = "mean of recent answers"
    ASSUMED = "tokens assumed"
    FREE = "free"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class EngineEstimate:
    """What one engine would be asked and cost, in US dollars; `cost` is None where no price is known.

    `seconds` is how long its calls take within its own limits; None where that is not known.
    """

    engine: str
    calls: int
    cost: Decimal | None
    basis: Basis
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class ScanEstimate:
    """What the scan would take. `cost` is None where an engine's price is unknown."""

    engines: Sequence[EngineEstimate]
    credits: int
    credits_left: int

    @property
    def affordable(self) -> bool:
        """Whether the credits of the brand's owner suffice now."""
        return self.credits <= self.credits_left

    @property
    def cost(self) -> Decimal | None:
        """US dollars over all engines, in the mean; a single scan can take more."""
        known = [each.cost for each in self.engines if each.cost is not None]
        return sum(known, Decimal(0)) if len(known) == len(self.engines) else None

    @property
    def seconds(self) -> float | None:
        """Engines are asked side by side: the slowest tells; None where one is unknown."""
        known = [each.seconds for each in self.engines if each.seconds is not None]
        return max(known, default=0.0) if len(known) == len(self.engines) else None


def estimate_scan(
    caller: Caller, *, brand_id: UUID, samples: int | None = None, engines: Sequence[str] | None = None
) -> ScanEstimate:
    """What `start_scan` with the same arguments would reserve, and what the providers would take for it.

    Reads only, and says nothing about cooldowns. Raises as `start_scan` does, but for quota_exceeded.
    """
    brand = readable_brand(caller, brand_id)
    plan = plan_scan(brand, engines=engines, samples=samples)
    prices = answer_prices(brand, list(plan.samples))
    times = _seconds(brand, {engine: plan.calls(engine) for engine in plan.samples})
    estimates = []
    for engine in plan.samples:
        each, basis = prices[engine]
        calls = plan.calls(engine)
        cost = None if each is None else each * calls
        estimates.append(EngineEstimate(engine, calls, cost, basis, times[engine]))
    limit = limit_of(brand.owner.plan, Usage.Kind.CREDITS)
    left = max(limit - used(brand.owner, Usage.Kind.CREDITS), 0)
    return ScanEstimate(estimates, plan.total, left)


def answer_prices(brand: Brand, engines: Sequence[str]) -> dict[str, tuple[Decimal | None, Basis]]:
    """The price of one answer by engine: the mean of the brand's last runs, else by list for assumed tokens."""
    means = _means(brand, "cost")
    configured = {config.name: spec_of(config) for config in usable_engines(brand)}
    prices: dict[str, tuple[Decimal | None, Basis]] = {}
    for engine in engines:
        spec = configured.get(engine)
        if is_local(engine):
            prices[engine] = (Decimal(0), Basis.FREE)
        elif means.get(engine) is not None:
            prices[engine] = (Decimal(means[engine]), Basis.ANSWERS)
        else:
            assumed = price(spec, spec.model, TYPICAL_SEARCHING if spec.search else TYPICAL)[0] if spec else None
            prices[engine] = (assumed, Basis.UNKNOWN if assumed is None else Basis.ASSUMED)
    return prices


def _seconds(brand: Brand, calls: Mapping[str, int]) -> dict[str, float | None]:
    """How long the calls of each engine take: by the mean time of recent answers, else by what is usual."""
    means = _means(brand, "latency_ms")
    configured = {config.name: spec_of(config) for config in usable_engines(brand)}
    times: dict[str, float | None] = {}
    for engine, count in calls.items():
        spec = configured.get(engine)
        usual = _usual_seconds(spec) if spec and not is_local(engine) else 0.0
        each = float(means[engine]) / 1000 if means.get(engine) is not None else usual
        if spec is not None:
            paced = count * 60 / spec.requests_per_minute if spec.requests_per_minute else 0.0
            times[engine] = max(math.ceil(count / spec.concurrency) * each, paced)
        else:
            times[engine] = count * each if is_local(engine) or each else None
    return times


def _usual_seconds(spec: EngineSpec) -> float:
    return TYPICAL_SEARCHING_SECONDS if spec.search else TYPICAL_SECONDS


def _means(brand: Brand, field: str) -> dict[str, Any]:
    """The mean of a field over the answers of the brand's last runs, by engine."""
    runs = Run.objects.filter(brand=brand, kind=Run.Kind.VISIBILITY).exclude(trigger=Run.Trigger.IMPORT)
    recent = list(runs.order_by("-created_at").values_list("pk", flat=True)[:RECENT_RUNS])
    answers = Answer.objects.filter(run__in=recent, state=Answer.State.ANSWERED, **{f"{field}__isnull": False})
    return dict(answers.order_by().values_list("engine").annotate(Avg(field)))
