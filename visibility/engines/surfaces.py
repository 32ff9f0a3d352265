"""Where an answer was taken: from an engine that this service asks, from an app, from elsewhere. Pure.

The surfaces of one AI system are separate engines: each has a name of its own in answers and figures, and the figure
over engines is the mean of those of one surface alone.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum

from visibility.engines.adapters.local_search import is_local

MAX_GIVEN_NAME = 64
"""Characters of the name that a file or an operator gives an engine."""
MAX_ENGINE_NAME = 100
"""Characters of the name that stands in answers and figures, the surface in it."""


class Surface(StrEnum):
    """Where an answer was taken. In the order in which they make the figure over engines: the first that counts."""

    API = "api"
    """Asked by this service."""
    APP = "app"
    """Imported, and collected from what people use."""
    API_IMPORTED = "api_imported"
    """Imported, and asked of the API by somebody else."""
    IMPORTED = "imported"
    """Imported, and nobody says from where."""
    PAGES = "pages"
    """Quoted by this service from stored pages: no AI system at all."""

    @property
    def is_imported(self) -> bool:
        """Whether it was collected elsewhere."""
        return self in _IN_NAMES


_IN_NAMES = {
    Surface.APP: " (app, imported)",
    Surface.API_IMPORTED: " (api, imported)",
    Surface.IMPORTED: " (imported)",
}
STATED = {"app": Surface.APP, "api": Surface.API_IMPORTED, "imported": Surface.IMPORTED}
"""What a file may say of an answer, and which surface that is."""
_ORDER = tuple(Surface)


def name_of_imported(name: str, surface: Surface, scan_engines: Collection[str]) -> str:
    """What an engine that a file calls by this name is called in answers and figures.

    The surface stands in it. Where the file does not state it, only beside an engine that the brand was scanned with
    (`scan_engines`) and that is called the same.
    """
    if surface is Surface.IMPORTED and name not in scan_engines:
        return name
    return apart(name, surface)


def apart(name: str, surface: Surface) -> str:
    """The name with the imported surface in it. No engine that is configured can be called so."""
    return name + _IN_NAMES[surface]


def surface_of(engine: str, stored: str | None) -> Surface:
    """The surface of an engine in figures; those of an earlier release, which kept none, are taken as asked."""
    return Surface.PAGES if is_local(engine) else Surface(stored or Surface.API)


def averaged_together(surfaces: Mapping[str, Surface]) -> list[str]:
    """The engines that make the figure over engines, by name: those of the first surface that any of them has."""
    first = min(surfaces.values(), key=_ORDER.index, default=None)
    return sorted(name for name, surface in surfaces.items() if surface is first)
