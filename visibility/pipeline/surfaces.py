"""Keeps imported answers of an engine apart from those that this service asks of an engine with the same name."""

from collections.abc import Collection
from uuid import UUID

from visibility.engines.surfaces import Surface, apart
from visibility.measured.names import MIXED
from visibility.models import Answer, Generation, Run


def asked_engines(brand_id: UUID) -> set[str]:
    """The names of all engines that the brand was ever scanned with."""
    scans = Run.objects.filter(brand=brand_id).exclude(trigger=Run.Trigger.IMPORT).order_by()
    return {name for engines in scans.values_list("engines", flat=True) for name in engines}


def part_imports(brand_id: UUID, engines: Collection[str]) -> None:
    """Give answers that were imported under the name of one of these engines, which are about to be asked, the name
    with the surface in it, and have the history measured again. With the brand held; can be repeated."""
    imports = Run.objects.filter(brand=brand_id, trigger=Run.Trigger.IMPORT)
    known = {name for names in imports.values_list("engines", flat=True) for name in names}
    parted = {name for name in known.intersection(engines) if _rename(brand_id, name)}
    if not parted:
        return
    for run in imports.only("engines"):
        if parted.intersection(run.engines):
            run.engines = sorted(_new_name(name) if name in parted else name for name in run.engines)
            run.save(update_fields=["engines"])
    kept = Generation.objects.filter(brand=brand_id).exclude(state=Generation.State.RETIRED)
    kept.update(detector=MIXED)


def _rename(brand_id: UUID, name: str) -> int:
    answers = Answer.objects.filter(brand=brand_id, engine=name, surface=Surface.IMPORTED)
    return answers.update(engine=_new_name(name))


def _new_name(name: str) -> str:
    return apart(name, Surface.IMPORTED)
