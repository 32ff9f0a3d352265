"""Which engines a brand has. Making them is cheap: what they need of providers is loaded when they are asked."""

import os
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import Error, connection

from apikeys.db.outages import is_away
from brands.models import Brand
from visibility.engines.adapters.local_search import NAME, RANKINGS, LocalSearch, Passage
from visibility.engines.connection import Connections
from visibility.engines.protocol import Engine, EngineError
from visibility.engines.registry import build, load_engine
from visibility.engines.spec import EngineSpec, LocaleHandling, Prices
from visibility.models import BrandEngine, EngineConfig, Page
from visibility.pipeline.ask.corpus import search_pages


def engines_of(brand: Brand) -> list[Engine]:
    """The engines that scans of `brand` ask, each name once.

    local-search where the brand has pages; the enabled engines whose key is there, or those of them that the brand
    has chosen (engines that rank its pages in another way: only where chosen); then those that EXTRA_ENGINES names, a
    list of dotted paths of factories that take no arguments: the extension point for engines that live outside this
    project.
    """
    return engines_by_brand([brand])[brand.pk]


def engines_by_brand(brands: Sequence[Brand]) -> dict[UUID, list[Engine]]:
    """As `engines_of`, for several brands with as many statements as for one."""
    with_pages = set(Page.objects.filter(brand__in=brands).order_by().values_list("brand_id", flat=True).distinct())
    configured = _usable_by_brand(brands)
    connections = Connections()
    extra = [load_engine(path) for path in settings.EXTRA_ENGINES]
    by_brand: dict[UUID, list[Engine]] = {}
    for brand in brands:
        engines: list[Engine] = [_local_search(brand)] if brand.pk in with_pages else []
        for config in configured[brand.pk]:
            if config.provider != NAME:
                engines.append(build(spec_of(config), connections))
            elif brand.pk in with_pages:
                engines.append(_local_search(brand, config))
        by_brand[brand.pk] = list({engine.name: engine for engine in [*engines, *extra]}.values())
    return by_brand


def usable_engines(brand: Brand) -> list[EngineConfig]:
    """The configured engines of `brand` that are enabled and have their key."""
    return _usable_by_brand([brand])[brand.pk]


def _usable_by_brand(brands: Sequence[Brand]) -> dict[UUID, list[EngineConfig]]:
    usable = [config for config in EngineConfig.objects.filter(enabled=True) if has_key(config)]
    chosen_ids: dict[UUID, set[int]] = defaultdict(set)
    for brand, engine in BrandEngine.objects.filter(brand__in=brands).values_list("brand_id", "engine_id"):
        chosen_ids[brand].add(engine)
    unchosen = [config for config in usable if config.provider != NAME]
    return {
        brand.pk: [config for config in usable if config.pk in chosen_ids[brand.pk]]
        if brand.pk in chosen_ids
        else unchosen
        for brand in brands
    }


def has_key(config: EngineConfig) -> bool:
    """Whether the variable that the engine names holds something; true for engines without a key."""
    return not config.key_variable or bool(_key(config))


def spec_of(config: EngineConfig) -> EngineSpec:
    """The engine that the row describes, with its key from the environment."""
    amounts = [config.input_price, config.output_price, config.search_price]
    prices = Prices(*(price or Decimal(0) for price in amounts))
    return EngineSpec(
        name=config.name,
        preset=config.provider,
        model=config.model,
        base_url=config.base_url,
        api_key=_key(config),
        search=config.search,
        locale_handling=LocaleHandling(config.locale_handling),
        max_output_tokens=config.max_output_tokens,
        max_searches=config.max_searches,
        prices=prices if any(price is not None for price in amounts) else None,
        concurrency=config.concurrency,
        requests_per_minute=config.requests_per_minute,
        max_samples=config.max_samples,
        max_body_bytes=settings.MAX_PROVIDER_BODY_BYTES,
    )


def _key(config: EngineConfig) -> str:
    return os.environ.get(config.key_variable, "").strip() if config.key_variable else ""


def _local_search(brand: Brand, config: EngineConfig | None = None) -> LocalSearch:
    """The engine over the brand's pages, or the configured one that ranks them in its own way."""

    async def retrieve(query: str, limit: int) -> Sequence[Passage]:
        return await sync_to_async(_passages)(brand, query, limit)

    if config is None:
        return LocalSearch(retrieve)
    engine = LocalSearch(retrieve, name=config.name, ranking=RANKINGS[config.model])
    engine.concurrency, engine.requests_per_minute = config.concurrency, config.requests_per_minute
    engine.max_samples = config.max_samples
    return engine


def _passages(brand: Brand, query: str, limit: int) -> Sequence[Passage]:
    try:
        return search_pages(brand, query, limit)
    except Error as error:
        if connection.in_atomic_block or not is_away(error):
            raise
        connection.close()
        raise EngineError("unreachable", "The database with the pages was unavailable.", retryable=True) from error
