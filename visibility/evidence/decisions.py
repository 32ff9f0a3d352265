"""What an engine that writes has decided on evidence, in ids and words of ours alone; applied whenever it is made."""

from pydantic import BaseModel

from brands.models import Brand
from visibility.evidence.resources import Backing
from visibility.models import EvidenceItem
from visibility.models.evidence import EvidenceKind


class Decisions(BaseModel):
    """Decisions on a brand's evidence. `same`: by topic and key of a criterion the key that it is counted as, "" for
    none; `judged`: by claim and clause of an answer what the clause says of the claim."""

    same: dict[str, dict[str, str]] = {}
    judged: dict[str, dict[str, Backing]] = {}

    def merge(self, topic: str, decided: dict[str, str]) -> None:
        """Add later decisions, which win: what was counted as another goes where that goes by now."""
        older = {key: decided.get(other, other) for key, other in self.same.get(topic, {}).items()}
        self.same[topic] = older | decided


def stored_decisions(brand: Brand) -> EvidenceItem:
    """The row of a brand with them, new where nothing was decided."""
    rows = EvidenceItem.objects.filter(brand=brand, kind=EvidenceKind.REFINEMENT)
    return rows.first() or EvidenceItem(brand=brand, kind=EvidenceKind.REFINEMENT, position=0, item={})
