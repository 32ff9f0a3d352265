"""Which prompts the engines of now were asked on their days, beside those that scans ask today."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from visibility.measured.basis import Basis
from visibility.models import DailyScore, PromptVersion
from visibility.models.prompts import Purpose


@dataclass(frozen=True, slots=True)
class AskedThen:
    """The prompts of a brand: `active` are those that scans ask today; `by_engine` those that each engine of now was
    asked on its day, in whatever wording. An engine is missing whose day was measured before that was kept."""

    active: frozenset[UUID]
    by_engine: Mapping[str, frozenset[UUID]]

    def left(self, engines: Iterable[str]) -> tuple[int, int]:
        """How many of the prompts that these engines were asked are still active, and how many they were."""
        asked = self._asked(engines)
        return len(asked & self.active), len(asked)

    def not_asked_yet(self, engines: Collection[str]) -> int | None:
        """How many active prompts none of these engines was asked; None where that is not known of one of them."""
        return len(self.active - self._asked(engines)) if set(engines) <= self.by_engine.keys() else None

    def _asked(self, engines: Iterable[str]) -> frozenset[UUID]:
        return frozenset[UUID]().union(*(self.by_engine.get(engine, ()) for engine in engines))


def read_asked_then(bases: Sequence[Basis]) -> dict[UUID, AskedThen]:
    """By brand, in two statements for all of them: the wordings that were planned for each engine's day, of whichever
    prompts they are."""
    measured = [basis for basis in bases if basis.engines]
    if not measured:
        return {}
    of_days = Q()
    for basis in measured:
        of_days |= Q(brand=basis.brand, date__in=basis.days)
    days = DailyScore.objects.filter(of_days, competitor=None).exclude(panel=None).order_by()
    panels = {(brand, day): content for brand, day, content in days.values_list("brand_id", "date", "panel__content")}
    brands = [basis.brand for basis in measured]
    versions = PromptVersion.objects.filter(prompt__brand__in=brands, prompt__purpose=Purpose.VISIBILITY).order_by()
    prompt_of: dict[int, UUID] = {}
    active: dict[UUID, set[UUID]] = {brand: set() for brand in brands}
    for brand, version, prompt, archived_at in versions.values_list(
        "prompt__brand_id", "pk", "prompt_id", "prompt__archived_at"
    ):
        prompt_of[version] = prompt
        if archived_at is None:
            active[brand].add(prompt)
    return {
        basis.brand: AskedThen(
            frozenset(active[basis.brand]),
            {
                row.engine: frozenset(prompt_of[version] for version in asked["prompts"] if version in prompt_of)
                for row in basis.engines
                if (asked := panels.get((basis.brand, row.day), {}).get("asked", {}).get(row.engine))
            },
        )
        for basis in measured
    }
