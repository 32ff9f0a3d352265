"""What an answer costs and how long it takes, by what recent answers of the brand cost and took, or by list."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from django.db.models import Avg, Subquery

from apikeys.db.snapshot import remembered
from brands.models import Brand
from visibility.engines.adapters.local_search import is_local
from visibility.engines.pricing import Usage as Tokens
from visibility.engines.pricing import price
from visibility.models import Answer, ProviderCall, Run
from visibility.pipeline.ask.engines import spec_of, usable_engines

RECENT_RUNS = 5


TYPICAL = Tokens(input_tokens=50, output_tokens=1_000)


TYPICAL_SEARCHING = Tokens(input_tokens=15_000, output_tokens=1_200, searches=2)
"""Assumed of an answer where none has been seen: the middle of real ones, which spread over a factor of thirty."""


class Basis(StrEnum):
    """Where the price of an answer comes from."""

    ANSWERS = "mean of recent answers"
    ASSUMED = "tokens assumed"
    FREE = "free"
    UNKNOWN = "unknown"


def answer_prices(brand: Brand, engines: Sequence[str]) -> dict[str, tuple[Decimal | None, Basis]]:
    """The price of one answer by engine: the mean of the brand's last runs, else by list for assumed tokens."""
    means = recent_means(brand)
    configured = {config.name: spec_of(config) for config in usable_engines(brand)}
    prices: dict[str, tuple[Decimal | None, Basis]] = {}
    for engine in engines:
        spec = configured.get(engine)
        if is_local(engine):
            prices[engine] = (Decimal(0), Basis.FREE)
        elif (mean := means.get(engine, UNKNOWN).cost) is not None:
            prices[engine] = (mean, Basis.ANSWERS)
        else:
            assumed = price(spec, spec.model, TYPICAL_SEARCHING if spec.search else TYPICAL)[0] if spec else None
            prices[engine] = (assumed, Basis.UNKNOWN if assumed is None else Basis.ASSUMED)
    return prices


@dataclass(frozen=True, slots=True)
class Means:
    """What an answer of an engine cost, in US dollars, and how long it took, in milliseconds; None where no answer
    says."""

    cost: Decimal | None
    latency: float | None


UNKNOWN = Means(None, None)


@remembered
def recent_means(brand: Brand) -> dict[str, Means]:
    """The means over the answers of the brand's last runs, by engine."""
    runs = Run.objects.filter(brand=brand, kind=Run.Kind.VISIBILITY).exclude(trigger=Run.Trigger.IMPORT)
    recent = runs.order_by("-created_at").values("pk")[:RECENT_RUNS]
    answers = Answer.objects.filter(run__in=Subquery(recent), state=Answer.State.ANSWERED).order_by()
    calls = ProviderCall.objects.filter(run__in=Subquery(recent), outcome=ProviderCall.Outcome.ANSWERED).order_by()
    of_answers = calls.exclude(purpose=ProviderCall.Purpose.JUDGE)
    costs = dict(of_answers.values_list("engine").annotate(Avg("cost")))
    latencies = dict(answers.values_list("engine").annotate(Avg("latency_ms")))
    means = {}
    for engine in costs.keys() | latencies.keys():
        cost, latency = costs.get(engine), latencies.get(engine)
        means[engine] = Means(None if cost is None else Decimal(cost), None if latency is None else float(latency))
    return means
