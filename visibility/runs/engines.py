"""The engines that a brand's scans ask, and how each is reached."""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial, reduce
from operator import or_
from uuid import UUID

from asgiref.sync import sync_to_async
from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext

from brands.models import Brand
from visibility import engines
from visibility.engines import (
    PRESETS,
    EngineError,
    EngineSettings,
    LocalSearch,
    Passage,
    Prices,
    Question,
    Reply,
    account_digest,
    search_terms,
)
from visibility.models import BrandEngine, Engine, Page, Surface

LOCAL = "local-search"
"""The preset of the engine that quotes a brand's stored pages. It says nothing of any AI system."""
MOST_TERMS = 50


@dataclass(frozen=True, slots=True)
class Reached:
    """An engine and what it takes to ask it. Engines with one `account` share its limits."""

    engine: Engine
    settings: EngineSettings
    account: str
    surface: Surface


def reach(engine: Engine) -> Reached | None:
    """How to ask an engine; None where its provider's key is not in the environment, or its preset is unknown."""
    if engine.preset == LOCAL:
        settings = EngineSettings(name=engine.name, preset=LOCAL, model=engine.model)
        return Reached(engine, settings, LOCAL, Surface.PAGES)
    preset = PRESETS.get(engine.preset)
    if preset is None:
        return None
    key = os.environ.get(preset.key_variable, "") if preset.key_variable else ""
    if preset.key_variable and not key:
        return None
    prices = [engine.input_price, engine.output_price, engine.search_price]
    settings = EngineSettings(
        name=engine.name,
        preset=engine.preset,
        model=engine.model,
        base_url=engine.base_url,
        api_key=key,
        search=engine.search,
        max_output_tokens=engine.max_output_tokens,
        max_searches=engine.max_searches,
        prices=None if prices == [None] * 3 else Prices(*(Decimal(price or 0) for price in prices)),
    )
    return Reached(engine, settings, account_digest(settings), Surface.API)


def engines_of(brand: Brand) -> list[Reached]:
    """What the brand's scans ask: the engines it chose, else all that are enabled and have their key.

    Its stored pages are searched only where it chose that, or where there is nothing else to ask.
    """
    return engines_by_brand([brand.pk])[brand.pk]


def engines_by_brand(brand_ids: Collection[UUID]) -> dict[UUID, list[Reached]]:
    """What the scans of each of these brands ask, as `engines_of` has it."""
    reached = [each for each in map(reach, Engine.objects.asked()) if each is not None]
    chosen: dict[UUID, set[int]] = {pk: set() for pk in brand_ids}
    for pk, engine in BrandEngine.objects.filter(brand__in=brand_ids).values_list("brand", "engine"):
        chosen[pk].add(engine)
    stored = Page.objects.filter(brand=OuterRef("pk"))
    is_local = any(each.surface == Surface.PAGES for each in reached)
    local = Brand.objects.filter(Exists(stored), pk__in=brand_ids) if is_local else Brand.objects.none()
    with_pages = set(local.values_list("pk", flat=True))
    return {pk: _usable(reached, engines, has_pages=pk in with_pages) for pk, engines in chosen.items()}


def _usable(reached: Sequence[Reached], chosen: Collection[int], *, has_pages: bool) -> list[Reached]:
    asked = [each for each in reached if not chosen or each.engine.pk in chosen]
    usable = [each for each in asked if each.surface != Surface.PAGES or has_pages]
    if chosen:
        return usable
    return [each for each in usable if each.surface != Surface.PAGES] or usable


def state_of(engine: Engine) -> str:
    """Whether scans ask an engine, and what is in the way, for operators."""
    if not engine.preset:
        return gettext("known from imports")
    if not engine.is_enabled:
        return gettext("switched off")
    reached = reach(engine)
    if reached is None:
        preset = PRESETS.get(engine.preset)
        if preset:
            return gettext("{variable} is not set").format(variable=preset.key_variable)
        return gettext("unknown provider {name}").format(name=engine.preset)
    if reached.surface == Surface.PAGES:
        return gettext("quotes stored pages, of brands that have some")
    words = gettext("asked through {provider}, model {model}")
    return words.format(provider=PRESETS[engine.preset].label, model=engine.model)


def open_engine(reached: Reached, brand_id: UUID) -> engines.Engine:
    """The engine, ready to be asked in the running loop."""
    if reached.surface == Surface.PAGES:
        retrieve = sync_to_async(partial(find_pages, brand_id), thread_sensitive=False)
        return LocalSearch(retrieve, name=reached.engine.name, ranking=reached.engine.model)
    return engines.open_engine(reached.settings)


async def ask_once(reached: Reached, question: Question) -> Reply | EngineError:
    """The reply to a single question, or the error; the engine is opened and closed for it."""
    engine = engines.open_engine(reached.settings)
    try:
        return await engine.ask(question)
    except EngineError as error:
        return error
    finally:
        await engine.close()


def find_pages(brand_id: UUID, query: str, number: int) -> Sequence[Passage]:
    """The brand's pages that hold any word of a query, the best first."""
    terms = search_terms(query)[:MOST_TERMS]
    if not terms:
        return []
    wanted = reduce(or_, (SearchQuery(term, config="simple", search_type="plain") for term in terms))
    pages = Page.objects.filter(brand=brand_id, words=wanted)
    ranked = pages.order_by(SearchRank(F("words"), wanted).desc(), "url")[:number]
    return [Passage(page.url, page.title, page.text, page.published_on) for page in ranked]
