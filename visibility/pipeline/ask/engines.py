"""Which engines a brand has. Making them is cheap: what they need of providers is loaded when they are asked."""

import os
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import Error, connection
from django.db.models import BigIntegerField, Exists, OuterRef, QuerySet, Value

from apikeys.caller import Caller
from apikeys.db.instances import columns_of, instances_of
from apikeys.db.outages import is_away
from apikeys.db.prepared import Prepared, Slot
from apikeys.db.snapshot import remembered
from brands.models import Brand
from visibility.engines.adapters.local_search import NAME, RANKINGS, LocalSearch, Passage
from visibility.engines.connection import Connections
from visibility.engines.protocol import Engine, EngineError
from visibility.engines.registry import build, load_engine
from visibility.engines.spec import EngineSpec, LocaleHandling, Prices
from visibility.models import BrandEngine, EngineConfig, Page
from visibility.pipeline.ask.corpus import search_pages
from visibility.pipeline.provider_calls import Tariff


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
    configured, with_pages = _usable_by_brand(brands), _configured(tuple(brand.pk for brand in brands)).with_pages
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


def tariffs_of(brand: Brand) -> dict[str, Tariff]:
    """How the ledger knows the engines that scans of `brand` ask, by name; engines of EXTRA_ENGINES are known by
    that alone."""
    configured = {
        config.name: Tariff(config.name, config.provider, config.model, spec_of(config))
        for config in usable_engines(brand)
    }
    return {NAME: Tariff(NAME, NAME), **configured}


def _usable_by_brand(brands: Sequence[Brand]) -> dict[UUID, list[EngineConfig]]:
    configured = _configured(tuple(brand.pk for brand in brands))
    usable = [config for config in configured.engines if config.enabled and has_key(config)]
    unchosen = [config for config in usable if config.provider != NAME]
    return {
        brand.pk: [config for config in usable if config.pk in configured.chosen[brand.pk]]
        if brand.pk in configured.chosen
        else unchosen
        for brand in brands
    }


@dataclass(frozen=True, slots=True)
class _Configured:
    """The configured engines by name; the ids of those that brands have chosen, by brand that has chosen any; and the
    brands with pages."""

    engines: Sequence[EngineConfig]
    chosen: Mapping[UUID, Set[int]]
    with_pages: Set[UUID]


@remembered
def _configured(brands: tuple[UUID, ...]) -> _Configured:
    """For these brands, in one statement, or two for several."""
    if len(brands) == 1:
        return _configured_for(brands[0])
    chosen = BrandEngine.objects.filter(brand__in=brands).order_by().values_list("brand_id", "engine_id")
    nothing = Value(None, output_field=BigIntegerField())
    pages = Page.objects.filter(brand__in=brands).order_by().annotate(engine_id=nothing)
    engines: dict[UUID, set[int]] = {}
    with_pages: set[UUID] = set()
    for brand, engine in chosen.union(pages.values_list("brand_id", "engine_id")):
        if engine is None:
            with_pages.add(brand)
        else:
            engines.setdefault(brand, set()).add(engine)
    return _Configured(list(EngineConfig.objects.all()), engines, with_pages)


def _configured_for(brand: UUID) -> _Configured:
    engines, chosen = [], set()
    has_pages: bool | None = None
    for *row, is_chosen, has_pages in _OF_ONE.rows(None, brand=brand):  # noqa: B007 -- the same in each
        (engine,) = instances_of(row, EngineConfig)
        engines.append(engine)
        chosen |= {engine.pk} if is_chosen else set()
    if has_pages is None:
        has_pages = Page.objects.filter(brand=brand).exists()
    return _Configured(engines, {brand: chosen} if chosen else {}, {brand} if has_pages else set())


def _of_one(caller: Caller | None, brand: Slot) -> QuerySet[EngineConfig, Any]:
    is_chosen = Exists(BrandEngine.objects.filter(engine=OuterRef("pk"), brand=brand))
    has_pages = Exists(Page.objects.filter(brand=brand))
    return EngineConfig.objects.values_list(*columns_of(EngineConfig), is_chosen, has_pages)


_OF_ONE = Prepared(_of_one)


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
