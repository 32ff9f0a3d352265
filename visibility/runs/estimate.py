"""What a scan would ask and cost, before it is started."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils import timezone

from apikeys.accounts.usage import quotas
from apikeys.models import Usage
from brands.models import Brand, Cadence
from visibility.runs.engines import LOCAL
from visibility.runs.services import plan_scan
from visibility.runs.spending import recent_costs

SCANS_A_MONTH: Mapping[str, Decimal] = {
    Cadence.MANUAL: Decimal(1),
    Cadence.DAILY: Decimal(365) / 12,
    Cadence.WEEKLY: Decimal(52) / 12,
    Cadence.MONTHLY: Decimal(1),
}


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

    @property
    def cost(self) -> Decimal | None:
        """US dollars over all engines; None where the price of one is not known."""
        costs = [each.cost for each in self.engines]
        known = [cost for cost in costs if cost is not None]
        return sum(known, Decimal(0)) if len(known) == len(costs) else None

    def a_month(self, cadence: str = Cadence.WEEKLY) -> tuple[int, Decimal | None]:
        """Credits and US dollars of a month with scans by this cadence."""
        scans = SCANS_A_MONTH[cadence]
        return round(self.credits * scans), None if self.cost is None else self.cost * scans

    @property
    def unpriced(self) -> list[str]:
        """The engines whose price is not known."""
        return [each.engine for each in self.engines if each.cost is None]


def estimate_scan(brand: Brand) -> Estimate:
    """What a scan of the brand would ask now; raises no_engine_configured and no_prompts as the scan would."""
    plan = plan_scan(brand)
    engines = []
    for reached, samples in plan.engines:
        answers = samples * len(plan.wordings)
        costs = [Decimal(0)] if reached.account == LOCAL else recent_costs(reached, timezone.now())
        mean = sum(costs, Decimal(0)) / len(costs) if costs else None
        engines.append(EngineEstimate(reached.engine.name, answers, None if mean is None else answers * mean))
    quota = quotas(brand.owner)[Usage.Kind.CREDITS]
    return Estimate(len(plan.wordings), engines, plan.total, max(quota.limit - quota.used, 0))
