"""What an answer used and what it cost: as the operator says, else as the provider says, else by the price list."""

from dataclasses import asdict, dataclass
from decimal import Decimal
from functools import cache
from importlib import import_module
from typing import Any

from visibility.engines.bodies import money, table
from visibility.engines.protocol import Bill
from visibility.engines.spec import EngineSpec, Prices

TICKS_PER_DOLLAR = Decimal(10) ** 10
MODELS = "models/"
"""What Google's interfaces put before the names of models, sometimes."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and searches of one answer. Cached tokens are part of the input, reasoning of the output."""

    input_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    searches: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        mine, theirs = asdict(self), asdict(other)
        return Usage(**{name: mine[name] + theirs[name] for name in mine})

    def as_json(self) -> dict[str, int]:
        """The form that is stored with the answer."""
        return asdict(self)


def bill(
    spec: EngineSpec, model: str, usage: Usage, *, reported: Decimal | None = None, billed_searches: int | None = None
) -> Bill:
    """What the provider charges for a call that `model` served; its cost is unknown where no tokens are told.

    `billed_searches` where the provider bills other than the searches that were counted.
    """
    cost, source = price(spec, model, usage, reported=reported, billed_searches=billed_searches)
    if source != "reported" and not (usage.input_tokens or usage.output_tokens):
        cost, source = None, "unknown"
    return Bill(usage=usage.as_json(), cost=cost, cost_source=source, served_model=model)


def price(
    spec: EngineSpec, model: str, usage: Usage, *, reported: Decimal | None = None, billed_searches: int | None = None
) -> tuple[Decimal | None, str]:
    """The cost in US dollars and where it comes from: configured, reported, computed or unknown.

    `billed_searches` where the provider bills other than the searches that were counted.
    """
    searches = usage.searches if billed_searches is None else billed_searches
    if spec.prices is not None:
        return _configured(spec.prices, usage, searches), "configured"
    if reported is not None:
        return reported, "reported"
    computed = listed_price(spec.provider.pricing, (model or spec.model).removeprefix(MODELS), usage, searches)
    return (computed, "computed") if computed is not None else (None, "unknown")


def listed_price(provider: str, model: str, usage: Usage, searches: int) -> Decimal | None:
    """By the price list that comes with the package; None for models, or searches, that it has no price for."""
    prices = _price_list()
    billed_usage = prices.Usage(
        input_tokens=usage.input_tokens,
        cache_read_tokens=usage.cached_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        output_tokens=usage.output_tokens,
        web_searches=searches,
    )
    if not provider:
        return None
    try:
        calculation = prices.calc_price(billed_usage, model, provider_id=provider)
    except (LookupError, ValueError):
        return None
    if searches and calculation.model_price.web_searches_kcount is None:
        return None
    total: Decimal = calculation.total_price
    return total


@cache
def _price_list() -> Any:
    """Loaded at the first price: it brings an HTTP client along."""
    return import_module("genai_prices")


def reported_cost(usage: dict[str, Any]) -> Decimal | None:
    """What the usage of an OpenAI-compatible body says it cost (Perplexity, xAI, OpenRouter), in US dollars."""
    ticks = money(usage.get("cost_in_usd_ticks"))
    if ticks is not None:
        return ticks / TICKS_PER_DOLLAR
    cost = usage.get("cost")
    return money(cost) if not isinstance(cost, dict) else money(table(cost).get("total_cost"))


def _configured(prices: Prices, usage: Usage, searches: int) -> Decimal:
    tokens = usage.input_tokens * prices.input_million + usage.output_tokens * prices.output_million
    return tokens / 1_000_000 + searches * prices.thousand_searches / 1000
