"""What an answer used and cost: by the operator's prices, else as the provider reports, else by the price list."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from importlib import import_module
from typing import Any

from visibility.engines.bodies import Body, money, table
from visibility.engines.types import Bill, EngineSettings, Prices

TICKS_PER_DOLLAR = Decimal(10) ** 10
SEARCH_FEES = {"deepseek": Decimal("0.75")}  # since 2026-11-01, api-docs.deepseek.com
"""Dollars for a thousand searches, by provider, until the price list has them."""

COUNTED = ("input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens", "searches")


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and searches of one answer. Cached tokens are part of the input, reasoning of the output.

    `billed_searches`: those that the provider bills, where their number is another than that of `searches`.
    """

    input_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    searches: int = 0
    billed_searches: int | None = None
    reported_cost: Decimal | None = None

    def counts(self) -> dict[str, int]:
        """The counts that are stored with an answer."""
        return {name: getattr(self, name) for name in COUNTED}

    @property
    def says_nothing(self) -> bool:
        """Whether the provider counted and billed nothing."""
        return not self.reported_cost and not any(self.counts().values())


def make_bill(settings: EngineSettings, provider: str, model: str, turns: Sequence[Usage], *, at: datetime) -> Bill:
    """The bill of `provider`, by its name in the price list, for the turns of a call that `model` served.

    Each turn is priced by itself, as prices depend on its length, and on the time of the call, `at`. Unknown where
    one counts no tokens or has no price.
    """
    usage: Counter[str] = Counter()
    costs, source = [], "unknown"
    for turn in turns:
        usage.update(turn.counts())
        cost, source = _cost(settings, provider, model or settings.model, turn, at)
        costs.append(cost)
    known = [cost for cost in costs if cost is not None]
    if len(known) < len(costs):
        return Bill(None, "unknown", dict(usage))
    return Bill(sum(known, Decimal(0)), source, dict(usage))


def price_ratio(
    settings: EngineSettings, provider: str, usage: Mapping[str, int], *, then: datetime, now: datetime
) -> Decimal:
    """How many times the price of `then` the price list asks `now` for the counts of a bill; 1 where it has none."""
    counted: dict[str, Any] = {name: count for name, count in usage.items() if name in COUNTED}
    turn = Usage(**counted)
    before, after = (make_bill(settings, provider, settings.model, [turn], at=moment).cost for moment in (then, now))
    return after / before if before and after else Decimal(1)


def _cost(
    settings: EngineSettings, provider: str, model: str, usage: Usage, at: datetime
) -> tuple[Decimal | None, str]:
    has_tokens = bool(usage.input_tokens or usage.output_tokens)
    searches = usage.searches if usage.billed_searches is None else usage.billed_searches
    if settings.prices is not None:
        return (_configured(settings.prices, usage, searches) if has_tokens else None), "configured"
    if usage.reported_cost is not None:
        return usage.reported_cost, "reported"
    return (_listed(provider, model, usage, searches, at) if has_tokens else None), "computed"


def reported_cost(usage: Body) -> Decimal | None:
    """The cost in US dollars that the usage of an OpenAI-like body reports (Perplexity, xAI, OpenRouter)."""
    ticks = money(usage.get("cost_in_usd_ticks"))
    if ticks is not None:
        return ticks / TICKS_PER_DOLLAR
    cost = usage.get("cost")
    return money(cost) if not isinstance(cost, dict) else money(table(cost).get("total_cost"))


def _configured(prices: Prices, usage: Usage, searches: int) -> Decimal:
    tokens = usage.input_tokens * prices.input_million + usage.output_tokens * prices.output_million
    return tokens / 1_000_000 + searches * prices.thousand_searches / 1000


def _listed(provider: str, model: str, usage: Usage, searches: int, at: datetime) -> Decimal | None:
    """The cost by the price list of `genai_prices` at a time, as some prices depend on the hour; None where it has no
    price for the model or its searches."""
    if not provider:
        return None
    prices = _price_list()
    billed = prices.Usage(
        input_tokens=usage.input_tokens,
        cache_read_tokens=usage.cached_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        output_tokens=usage.output_tokens,
        web_searches=searches,
    )
    try:
        calculation = prices.calc_price(billed, model, provider_id=provider, genai_request_timestamp=at)
    except (LookupError, ValueError, ArithmeticError):
        return None
    total: Decimal = calculation.total_price
    if searches and calculation.model_price.web_searches_kcount is None:
        fee = SEARCH_FEES.get(provider)
        return None if fee is None else total + searches * fee / 1000
    return total


@cache
def _price_list() -> Any:
    """Loaded at the first price, as it imports an HTTP client and takes a quarter of a second."""
    return import_module("genai_prices")
