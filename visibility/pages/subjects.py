"""Who is compared on pages: the brand, and its competitors, those first that answers mention most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from brands.models import Brand
from visibility.counts.reader import Selection, select_now
from visibility.counts.resources import TestedStanding
from visibility.drawing import charts

HUES = tuple(f"b{number}" for number in range(1, 13))
"""The classes of competitors' colours, see the tokens of style.css."""


@dataclass(frozen=True, slots=True)
class Subjects:
    """The competitors by name, the most mentioned first, and the class of each one's colour."""

    names: Mapping[UUID, str]
    hues: Mapping[UUID, str]

    def hue(self, competitor: UUID | None) -> str:
        """The class of a subject's colour; of the brand for None, none of who is no competitor any more."""
        return "me" if competitor is None else self.hues.get(competitor, "")

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


def subjects_of(brand: Brand, now: Selection | None = None) -> Subjects:
    """The brand's competitors in the order of their mentions in these answers, by default in all of now. A colour
    goes by the order in which they were added, so that it stays when that of mentions changes."""
    rows = (select_now(brand) if now is None else now).rows("subject")
    mentioned = {row.competitor_id: row.mentioned for row in rows}
    added = sorted(brand.competitors.all(), key=lambda each: (each.created_at, each.pk))
    return Subjects(
        {each.pk: each.name for each in sorted(added, key=lambda each: -mentioned.get(each.pk, 0))},
        {each.pk: HUES[place % len(HUES)] for place, each in enumerate(added)},
    )
