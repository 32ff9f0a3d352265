"""What a scan would take before it starts: calls, credits, money as far as prices are known, and time."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from apikeys.caller import Caller
from apikeys.models import Usage
from apikeys.services.usage import limit_of, used
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.engines.adapters.local_search import is_local
from visibility.engines.spec import EngineSpec
from visibility.pipeline.ask.engines import spec_of, usable_engines
from visibility.pipeline.ask.prices import UNKNOWN, Basis, answer_prices, recent_means
from visibility.services.scans.plans import calls_of_scan

TYPICAL_SECONDS = 6.0
TYPICAL_SEARCHING_SECONDS = 20.0


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
        known = [engine.cost for engine in self.engines if engine.cost is not None]
        return sum(known, Decimal(0)) if len(known) == len(self.engines) else None

    @property
    def seconds(self) -> float | None:
        """Engines are asked side by side: the slowest tells; None where one is unknown."""
        known = [engine.seconds for engine in self.engines if engine.seconds is not None]
        return max(known, default=0.0) if len(known) == len(self.engines) else None


def estimate_scan(
    caller: Caller, *, brand_id: UUID, samples: int | None = None, engines: Sequence[str] | None = None
) -> ScanEstimate:
    """What `start_scan` with the same arguments would reserve, and what the providers would take for it.

    Reads only, and says nothing about cooldowns. Raises as `start_scan` does, but for quota_exceeded.
    """
    brand = readable_brand(caller, brand_id)
    calls_by_engine = calls_of_scan(brand, engines=engines, samples=samples)
    prices = answer_prices(brand, list(calls_by_engine))
    times = _seconds(brand, calls_by_engine)
    estimates = []
    for engine, calls in calls_by_engine.items():
        price, basis = prices[engine]
        cost = None if price is None else price * calls
        estimates.append(EngineEstimate(engine, calls, cost, basis, times[engine]))
    return ScanEstimate(estimates, sum(calls_by_engine.values()), credits_left(brand))


def credits_left(brand: Brand) -> int:
    """The credits that the brand's owner has left this month."""
    limit = limit_of(brand.owner, Usage.Kind.CREDITS)
    return max(limit - used(brand.owner, Usage.Kind.CREDITS), 0)


def _seconds(brand: Brand, calls: Mapping[str, int]) -> dict[str, float | None]:
    """How long the calls of each engine take: by the mean time of recent answers, else by what is usual."""
    means = recent_means(brand)
    configured = {config.name: spec_of(config) for config in usable_engines(brand)}
    times: dict[str, float | None] = {}
    for engine, count in calls.items():
        spec = configured.get(engine)
        usual = _usual_seconds(spec) if spec and not is_local(engine) else 0.0
        latency = means.get(engine, UNKNOWN).latency
        seconds_per_call = usual if latency is None else latency / 1000
        if spec is not None:
            paced = count * 60 / spec.requests_per_minute if spec.requests_per_minute else 0.0
            times[engine] = max(math.ceil(count / spec.concurrency) * seconds_per_call, paced)
        else:
            times[engine] = count * seconds_per_call if is_local(engine) or seconds_per_call else None
    return times


def _usual_seconds(spec: EngineSpec) -> float:
    return TYPICAL_SEARCHING_SECONDS if spec.search else TYPICAL_SECONDS
