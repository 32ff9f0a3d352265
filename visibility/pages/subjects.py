"""Who is compared on pages: the brand, and its competitors in the order in which they were added."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from brands.models import Brand
from visibility.counts.resources import TestedStanding
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

    def drawn(self, standings: Sequence[TestedStanding]) -> list[tuple[TestedStanding, str, Any]]:
        """Standings, each with the class of its colour and its bar, with margins of what they were compared over."""
        ends = ("low", "high") if speak_in_general(standings) else ("panel_low", "panel_high")
        hues = [self.hue(each.competitor_id) for each in standings]
        return [
            (each, hue, charts.bar(each.score, *(getattr(each, end) for end in ends), hue=hue))
            for each, hue in zip(standings, hues, strict=True)
        ]


def speak_in_general(standings: Sequence[TestedStanding]) -> bool:
    """Whether standings were compared over topics, and so speak of prompts like these."""
    return any(each.units == "topics" for each in standings)


def subjects_of(brand: Brand) -> Subjects:
    """The brand's competitors, in the order in which they were added."""
    return Subjects(dict(brand.competitors.order_by("created_at", "pk").values_list("pk", "name")))
