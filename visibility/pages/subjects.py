"""Who is compared on pages: the brand, and its competitors in the order in which they were added."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from brands.models import Brand
from visibility.counts.resources import Standing
from visibility.pages import charts

HUES = ("b1", "b2", "b3")


@dataclass(frozen=True, slots=True)
class Subjects:
    """The competitors by name; each has the same colour on every chart."""

    names: Mapping[UUID, str]

    def hue(self, competitor: UUID | None) -> str:
        """The class of a subject's colour; of the brand for None."""
        if competitor is None:
            return "me"
        place = list(self.names).index(competitor) if competitor in self.names else 0
        return HUES[place % len(HUES)]

    def drawn(self, each: Standing) -> tuple[Standing, str, Any]:
        """A standing with the class of its colour and its bar."""
        hue = self.hue(each.competitor_id)
        return each, hue, charts.bar(each.score, each.panel_low, each.panel_high, hue=hue)


def subjects_of(brand: Brand) -> Subjects:
    """The brand's competitors, in the order in which they were added."""
    return Subjects(dict(brand.competitors.order_by("created_at", "pk").values_list("pk", "name")))
