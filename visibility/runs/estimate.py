"""What a scan would ask and cost, before it is started."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.utils import timezone

from apikeys.caller import Caller
from apikeys.models import Usage
from apikeys.usage import quotas
from brands.access import readable_brand
from visibility.runs.services import plan_scan
from visibility.runs.spending import recent_costs


@dataclass(frozen=True, slots=True)
class EngineEstimate:
    """One engine's part. `cost` in US dollars, at the mean of its recent calls and the prices of now; None: no cost
    is known yet."""

    engine: str
    answers: int
    cost: Decimal | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """One credit is one answer; `credits_left` is what the owner has left this month."""

    prompts: int
    engines: Sequence[EngineEstimate]
    credits: int
    credits_left: int


def estimate_scan(caller: Caller, brand_id: UUID) -> Estimate:
    """What a scan of the brand would ask now; raises no_engine_configured and no_prompts as the scan would."""
    brand = readable_brand(caller, brand_id)
    plan = plan_scan(brand)
    engines = []
    for reached, samples in plan.engines:
        answers = samples * len(plan.wordings)
        costs = recent_costs(reached, timezone.now())
        mean = sum(costs, Decimal(0)) / len(costs) if costs else None
        engines.append(EngineEstimate(reached.engine.name, answers, None if mean is None else answers * mean))
    quota = quotas(brand.owner)[Usage.Kind.CREDITS]
    return Estimate(len(plan.wordings), engines, plan.total, max(quota.limit - quota.used, 0))
