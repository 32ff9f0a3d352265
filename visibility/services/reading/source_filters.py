"""By what the sources that answers cite can be narrowed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.services.access import readable_brand
from visibility.measured.generations import tracked_names_of
from visibility.measured.reading import read_basis
from visibility.measured.topics import read_topics


@dataclass(frozen=True, slots=True)
class SourceFilters:
    """By what sources can be narrowed: `topics` by key with the names that people read, `engines` of now."""

    topics: Mapping[str, str]
    engines: Sequence[str]


@snapshot()
def source_filters(caller: Caller, *, brand_id: UUID) -> SourceFilters:
    """The topics that people stated for what is asked now and that count, and the engines that are looked at.
    Requires read:prompts. Raises not_found. What it reads a report in the same snapshot does not read again."""
    caller.require(Scope.READ_PROMPTS)
    brand = readable_brand(caller, brand_id)
    not_own = tracked_names_of(brand).vocabulary.not_own
    topics = sorted(
        (
            topic
            for topic in read_topics(brand.pk).topics
            if topic.is_stated and topic.active and topic.key not in not_own
        ),
        key=lambda topic: topic.name.casefold(),
    )
    engines = sorted(engine_day.engine for engine_day in read_basis(brand.pk).engines)
    return SourceFilters({topic.key: topic.name for topic in topics}, engines)
