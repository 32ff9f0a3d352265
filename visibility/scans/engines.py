"""Which engines a brand has."""

from collections.abc import Sequence

from asgiref.sync import sync_to_async
from django.conf import settings

from brands.models import Brand
from visibility.engines.local_search import LocalSearch, Passage
from visibility.engines.protocol import Engine
from visibility.engines.registry import load_engine
from visibility.models import Page
from visibility.services import corpus


def engines_of(brand: Brand) -> list[Engine]:
    """The engines that scans of `brand` may ask, each name once.

    local-search where the brand has pages; then those that EXTRA_ENGINES names, a list of dotted paths of
    factories that take no arguments: the extension point for engines that live outside this project.
    """
    engines: dict[str, Engine] = {}
    if Page.objects.filter(brand=brand).exists():
        engines[LocalSearch.name] = _local_search(brand)
    for path in settings.EXTRA_ENGINES:
        engine = load_engine(path)
        engines[engine.name] = engine
    return list(engines.values())


def _local_search(brand: Brand) -> LocalSearch:
    async def retrieve(query: str, limit: int) -> Sequence[Passage]:
        return await sync_to_async(corpus.search)(brand, query, limit)

    return LocalSearch(retrieve)
